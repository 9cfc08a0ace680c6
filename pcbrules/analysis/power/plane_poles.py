# SPDX-License-Identifier: MIT
"""A rail on planes over time: its network as a few states, from which its poles follow.

Each pair is squares of inductance and resistance between groups of vias, one capacitance, and a resonator for each of
its slow modes: static but for these. A plane of resistance R and thickness t is its exact series, R z coth z = R (1 + 2
sum of s T / (s T + k^2 pi^2)), T = mu0 t^2 / resistivity: its current finds the surface as fast as it does in copper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.power.plane_rail import PlaneBoard, PlanePair, PlaneRail, board_shape, pair_permittivity
from pcbrules.arrays import Complex, Real
from pcbrules.constants import EPSILON_0, MU_0
from pcbrules.networks.pdn import Branch, DampedLoop
from pcbrules.networks.reduced_network import ReducedNetwork, reduced_network
from pcbrules.solver_cache import solved_once

PER_DECADE, COARSE = 12, 4
"""Frequencies a decade at which the currents are known, and every how many of them the currents are taken at first."""
AGREE = 5e-4
"""Part of the impedance by which what follows from them may be off at any; else the currents there are taken too."""
BROKEN = 0.5
"""The same, where nothing is right: groups of vias that are one have no impedance of their own. [-]"""
TERMS = 8
"""Of the series of a plane one by one; the rest of it is inductance."""
MODES = 100.0
"""Modes of the planes up to this multiple of the largest squared wave number are resonators, all others inductance."""


@dataclass(frozen=True, eq=False)
class _Pair:
    """Of one square: inductance [H], resistance [ohm], and resistance and corner [rad/s] of the terms of its copper.

    ``elastance`` [m2/F] and ``loss`` [ohm m2] are those of an area.
    """

    inductance: float
    resistance: float
    terms: Real
    corners: Real
    elastance: float
    loss: float

    def square(self, s: Complex) -> Complex:
        """Impedance of a square."""
        copper = s[:, None] / (s[:, None] + self.corners) @ self.terms
        return np.asarray(self.resistance + s * self.inductance + copper)

    def capacitor(self, s: Complex) -> Complex:
        """Impedance of an area."""
        return self.elastance / s + self.loss


@dataclass(frozen=True, eq=False)
class _Planes:
    """Planes of a board. Unknowns are the currents into every pair, in the coordinates of ``rotation``, pair by pair.

    ``root`` is that of the squares without the slow modes, ``wave`` and ``modes`` are those as in ``PlaneGroups``.
    ``steps`` are the currents of the vias between pairs, each times the root of its resistance and of its inductance.
    At the ``samples`` [rad/s] ``network`` is the impedance of the groups, ``division`` how their currents divide.
    """

    pairs: tuple[_Pair, ...]
    root: Real
    wave: Real
    modes: Real
    steps: tuple[Real, Real]
    samples: Real
    network: Complex
    division: Complex


@dataclass(frozen=True, eq=False)
class _Supply:
    """A regulator as branches beside each other, each seen from the currents of its one distribution.

    ``resistance`` [ohm] and ``inductance`` [H] are those of the branches, ``whole`` is the impedance of all of them at
    the samples [ohm], ``shares`` (b, n) the part of the current in each; ``direct`` [ohm] and ``still`` (b,) are both
    at zero frequency.
    """

    resistance: Real
    inductance: Real
    whole: Complex
    shares: Complex
    direct: float
    still: Real

    @staticmethod
    def of(board: PlaneBoard, regulator: Branch, s: Complex) -> _Supply:
        """The regulator of a board at complex frequencies (n,) [rad/s]."""
        parts = regulator.parted() if isinstance(regulator, DampedLoop) else (regulator,)
        pieces = len(board.regulator.places)
        resistance = pieces * np.array([part.resistance for part in parts])
        inductance = pieces * np.array([part.inductance for part in parts])
        each = resistance[:, None] + np.multiply.outer(inductance, s)
        if len(parts) == 1:
            return _Supply(resistance, inductance, each[0], np.ones_like(each), float(resistance[0]), np.ones(1))
        coil, beside = each
        share = np.stack([beside, coil]) / (coil + beside)
        still = resistance[::-1] / resistance.sum()
        return _Supply(resistance, inductance, share[0] * coil, share, float(still[0] * resistance[0]), still)

    def currents(self, direct: float, samples: Complex) -> Real:
        """Currents of the branches, of direct current and of samples (n,), in the columns of ``_columns``."""
        return _columns(self.still * direct, self.shares * samples)


def rail_network(rail: PlaneRail, regulator: Branch) -> ReducedNetwork:
    """A rail on planes as seen from its balls, behind any regulator; the output is the regulator's current."""
    shape, planes = board_shape(rail.board), _planes(rail.board, rail.stretch, rail.f_min, rail.f_max)
    resistance, inductance, elastance = _ends(rail)
    s = np.asarray(1j * planes.samples, dtype=complex)
    supply = _Supply.of(rail.board, regulator, s)
    ends = resistance + s[:, None] * inductance + elastance / s[:, None]
    loads = (ends + supply.whole[:, None] * (shape.owner == 1))[:, :, None] * shape.ends
    matrix = planes.network + shape.ends.T @ loads
    port = shape.ends.T @ shape.port
    current = np.linalg.solve(matrix, np.broadcast_to(port[:, None].astype(complex), (len(s), len(port), 1)))[:, :, 0]
    seen = np.asarray(1 / (current @ port), dtype=complex)
    current *= seen[:, None]
    apart = np.einsum("nij,nj->ni", planes.division, current)
    direct = _direct(rail, planes, supply)
    size = len(port)
    into = _columns(direct, apart.T)
    group = shape.ends @ into.reshape(len(planes.pairs), size, -1).sum(axis=0)
    coils, losses, charges = ([np.sqrt(part)[:, None] * group] for part in (inductance, resistance, elastance))
    fed = (shape.owner == 1) @ shape.ends
    branches = supply.currents(direct.reshape(-1, size).sum(axis=0) @ fed, current @ fed)
    coils.append(np.sqrt(supply.inductance)[:, None] * branches)
    losses.append(np.sqrt(supply.resistance)[:, None] * branches)
    for k, pair in enumerate(planes.pairs):
        own = slice(k * size, (k + 1) * size)
        lag, straight = apart[:, own].T, direct[own]
        ring = planes.modes @ lag / (1 + pair.square(s) / pair.capacitor(s) / planes.wave[:, None])
        still = planes.modes @ straight
        deep = np.sqrt(planes.wave)
        lag = np.concatenate([planes.root @ lag, ring / deep[:, None]])
        straight = np.concatenate([planes.root @ straight, still / deep])
        flow = _columns(straight, lag)
        losses.append(np.sqrt(pair.resistance) * flow)
        coils.append(np.sqrt(pair.inductance) * flow)
        for term, corner in zip(pair.terms, pair.corners, strict=True):
            inner = _columns(straight, lag * (corner / (s + corner)))
            coils.append(np.sqrt(term / corner) * inner)
            losses.append(np.sqrt(term) * (flow - inner))
        whole = shape.groups.total / np.sqrt(shape.groups.area) @ into[own]
        held = np.concatenate([whole[None], planes.modes @ into[own] - _columns(still, ring)])
        charges.append(np.sqrt(pair.elastance) * held)
        losses.append(np.sqrt(pair.loss) * held)
    for kept, step in zip((losses, coils), planes.steps, strict=True):
        kept.append(step @ into)
    share = (shape.ends @ shape.groups.total) * (shape.owner == 1)
    images = [np.concatenate(one) for one in (coils, losses, charges)]
    return _agreeing(planes.samples, seen, [*images, -share @ group])


def _agreeing(samples: Real, seen: Complex, images: list[Real]) -> ReducedNetwork:
    """The network of as many of the currents as its impedance at all samples needs."""
    taken = np.arange(len(samples)) % COARSE == 0
    taken[-1] = True
    while True:
        columns = np.flatnonzero(np.concatenate([[True], taken, taken]))
        coils, losses, charges, output = (image[..., columns] for image in images)
        network = reduced_network(coils=coils, losses=losses, charges=charges, output=output)
        off = np.abs(network.impedance().impedance(frequency=samples / (2 * np.pi)) / seen - 1)
        poor = (off > AGREE) & ~taken
        if not poor.any():
            if off.max() > BROKEN:
                raise ArithmeticError("the currents of the planes do not give their impedance")
            return network
        taken |= poor


def _columns(direct: Real, samples: Complex) -> Real:
    """Direct current, real parts, and imaginary parts beside direct current: 1 A into the balls in each column."""
    return np.column_stack([direct, samples.real, samples.imag + direct[:, None]])


def _ends(rail: PlaneRail) -> tuple[Real, Real, Real]:
    """Resistance [ohm], inductance [H] and elastance [1/F] in series with every distribution of currents.

    Those of the regulator are zero: it may be more than one branch.
    """
    board, owner = rail.board, board_shape(rail.board).owner
    deep = board.pairs[0].depth * rail.stretch
    ends = [
        (board.package.resistance * deep, board.package.inductance * deep, 0.0),
        (0.0, 0.0, 0.0),
        *((bank.esr, bank.inductance, 1 / bank.capacitance) for bank in rail.banks),
    ]
    resistance, inductance, elastance = np.array(ends)[owner].T
    return resistance, inductance, elastance


def _direct(rail: PlaneRail, planes: _Planes, supply: _Supply) -> Real:
    """Direct current from the balls to the regulator, of least loss."""
    shape, count = board_shape(rail.board), len(planes.pairs)
    size = len(shape.owner)
    resistance = _ends(rail)[0] + supply.direct * (shape.owner == 1)
    sums = np.tile(shape.ends, count)
    loss = sums.T @ (resistance[:, None] * sums) + planes.steps[0].T @ planes.steps[0]
    loss += np.kron(np.diag([pair.resistance for pair in planes.pairs]), shape.groups.squares)
    rules = np.concatenate([
        sums[shape.owner > 1], np.kron(np.eye(count), shape.groups.total), (shape.port @ sums)[None]])
    scale = np.trace(loss) / len(loss)
    matrix = np.block([[loss / scale, rules.T], [rules, np.zeros((len(rules), len(rules)))]])
    drive = np.zeros(len(matrix))
    drive[-1] = 1.0
    return np.asarray(np.linalg.solve(matrix, drive)[: size * count])


@solved_once
def _planes(board: PlaneBoard, stretch: float, low: float, high: float) -> _Planes:
    shape = board_shape(board)
    pairs = tuple(_pair(pair, board, stretch, high) for pair in board.pairs)
    everyone, size, count = [board.package, board.regulator, *board.banks], len(shape.owner), len(pairs)
    below = np.array([group.below for group in everyone])[shape.owner]
    flow = []
    for k in range(1, count):  # from the pair before to this one
        deeper = np.array([pair >= k for pair in range(count)], dtype=float)
        mask = np.where(below[:, None], 1 - deeper, deeper)
        flow.append((mask[:, :, None] * shape.ends[:, None, :]).reshape(size, -1))
    currents = np.concatenate(flow) if flow else np.zeros((0, size * count))
    lengths = np.repeat([pair.depth * stretch for pair in board.pairs[1:]], size)
    resistance, inductance = (
        np.sqrt(lengths * np.tile(np.array([getattr(group, key) for group in everyone])[shape.owner], count - 1))
        for key in ("resistance", "inductance")
    )
    steps = resistance[:, None] * currents, inductance[:, None] * currents
    samples = 2 * np.pi * np.geomspace(low, high, int(np.ceil(PER_DECADE * np.log10(high / low))) + 1)
    s = np.asarray(1j * samples, dtype=complex)
    matrix = np.asarray(steps[0].T @ steps[0] + s[:, None, None] * (steps[1].T @ steps[1]), dtype=complex)
    uniform = np.outer(shape.groups.total, shape.groups.total) / shape.groups.area
    fastest = max(float(np.abs(pair.square(s[-1:]) / pair.capacitor(s[-1:])).item()) for pair in pairs)
    slow = int(np.searchsorted(shape.groups.wave, MODES * fastest, side="right"))
    wave, modes = shape.groups.wave[:slow], shape.groups.share[:slow]
    rest = shape.groups.squares - (modes / wave[:, None]).T @ modes
    for k, pair in enumerate(pairs):
        own = slice(k * size, (k + 1) * size)
        square, capacitor = pair.square(s), pair.capacitor(s)
        resonators = 1 / (wave / square[:, None] + 1 / capacitor[:, None])
        matrix[:, own, own] += square[:, None, None] * rest + capacitor[:, None, None] * uniform
        matrix[:, own, own] += np.einsum("nt,ti,tj->nij", resonators, modes, modes, optimize=True)
    sums = np.tile(np.eye(size), count)
    answer = np.linalg.solve(matrix, np.broadcast_to(sums.T.astype(complex), (len(s), size * count, size)))
    network = np.asarray(np.linalg.inv(sums @ answer), dtype=complex)
    height, vector = np.linalg.eigh((rest + rest.T) / 2)
    root = np.sqrt(np.maximum(height, 0.0))[:, None] * vector.T
    return _Planes(pairs, root, wave, modes, steps, samples, network, answer @ network)


def _pair(pair: PlanePair, board: PlaneBoard, stretch: float, high: float) -> _Pair:
    height = pair.separation * stretch
    order = np.arange(1, TERMS + 1)
    sheets = [board.resistivity / thick for thick in (pair.upper, pair.lower)]
    slow = [MU_0 * thick**2 / board.resistivity for thick in (pair.upper, pair.lower)]
    terms = np.concatenate([np.full(TERMS, 2 * sheet) for sheet in sheets])
    corners = np.concatenate([(np.pi * order) ** 2 / time for time in slow])
    rest = MU_0 * (pair.upper + pair.lower) / 3 - float(np.sum(terms / corners))
    epsilon = pair_permittivity(pair, np.array([high])).item()
    elastance = height / (EPSILON_0 * epsilon.real)
    loss = -epsilon.imag / epsilon.real * elastance / (2 * np.pi * high)
    return _Pair(MU_0 * height + rest, sum(sheets), terms, corners, elastance, loss)
