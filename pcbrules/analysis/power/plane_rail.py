# SPDX-License-Identifier: MIT
"""A rail on real planes: a task of plain numbers in, the network of its groups of vias out.

Package, regulator and every bank are groups of vias at places of a rectangle, through one or more plane pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.analysis.power.ladder import NOMINAL, Bank, Corner
from pcbrules.arrays import Complex, Index, Real
from pcbrules.constants import EPSILON_0, MU_0
from pcbrules.networks.pdn import Branch
from pcbrules.networks.plane_stack import group_currents, loaded_port, rotation, stacked_impedance
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.physics.power.cavity import cavity_resonance, cavity_series_impedance
from pcbrules.physics.power.current_shapes import current_shapes, via_cells
from pcbrules.physics.power.plane_groups import PlaneGroups, grouped_impedance, plane_groups
from pcbrules.physics.power.shape_groups import shape_groups
from pcbrules.physics.power.sheet_slits import Polygon
from pcbrules.solver_cache import solved_once

PORT_CELLS, BANK_CELLS = 144, 24
"""Cells of equal current of the package and of each bank."""
APART = 1e-3
"""Part of a frequency over which the change of currents is taken. [-]"""


@dataclass(frozen=True, slots=True)
class ViaGroup:
    """Vias of equal parts that enter the planes at places x, y [m], one pair of barrels or more for each.

    ``diameter`` [m] is that of a barrel, of several the mean. ``resistance`` [ohm/m] and ``inductance`` [H/m] are
    those of one pair there and back. ``below`` is true where the parts are on the side away from the package.
    """

    places: tuple[tuple[float, float], ...]
    diameter: float
    resistance: float
    inductance: float
    below: bool = False


@dataclass(frozen=True, slots=True)
class PlanePair:
    """Two facing planes: copper that carries the current of this pair [m], and the dielectric between.

    ``depth`` [m] is the length of the vias from the upper plane of the pair before, or from the package's side.
    """

    upper: float
    lower: float
    plies: tuple[Ply, ...]
    depth: float

    @property
    def separation(self) -> float:
        """Between the copper faces. [m]"""
        return sum(ply.thickness for ply in self.plies)


@dataclass(frozen=True)
class PlaneBoard:
    """Planes of one rectangle [m] in order of depth, and the groups on them; resistivity of copper [ohm m].

    The banks are in the order of the rail's loads. Planes that do not fill the rectangle have an outline, ``shape``,
    and ``cutouts`` in its frame. [m]
    """

    length: float
    width: float
    pairs: tuple[PlanePair, ...]
    resistivity: float
    package: ViaGroup
    regulator: ViaGroup
    banks: tuple[ViaGroup, ...]
    shape: Polygon | None = None
    cutouts: tuple[Polygon, ...] = ()

    @cached_property
    def first_resonance(self) -> float:
        """Lowest resonance of a cavity, without loss and without capacitors. [Hz]"""
        slowest = max(abs(pair_permittivity(pair, np.array([1e8])).item()) for pair in self.pairs)
        if self.shape is not None:
            return float(np.sqrt(board_shape(self).groups.wave[0] / (MU_0 * EPSILON_0 * slowest)) / (2 * np.pi))
        side = max(self.length, self.width)
        return float(cavity_resonance(m=1, n=0, length=side, width=side, permittivity=slowest))


@dataclass(frozen=True, slots=True)
class PlaneRail:
    """A rail on planes; SI units, as in ``RailTask``. ``banks`` belong to the groups of the board, one each.

    ``stretch`` is a factor on the dielectrics between planes and on the lengths of vias, and so on their inductance.
    """

    board: PlaneBoard
    regulator: Branch
    banks: tuple[Bank, ...]
    stretch: float = 1.0
    f_min: float = 100.0
    f_max: float = 100e6
    package_resistance: float = 0.0
    package_inductance: float | None = None
    die_resistance: float = 0.0
    die_capacitance: float | None = None


@dataclass(frozen=True, eq=False)
class BoardShape:
    """Distributions of the currents of all groups.

    ``owner`` is the group of each (0 package, 1 regulator, then banks), ``port`` the current of the package in each of
    them, ``ends`` their coordinates (see ``rotation``), in which ``groups`` are.
    """

    groups: PlaneGroups
    owner: Index
    port: Real
    ends: Real


def plane_network(board: PlaneBoard, frequency: Real, stretch: float = 1.0) -> Complex:
    """Impedance matrix of the distributions of current of all groups, at the ends of their vias.

    Parameters
    ----------
    board : PlaneBoard
        Planes and groups.
    frequency : ndarray, shape (n,)
        Above zero. [Hz]
    stretch : float
        Factor on dielectric thickness and length of vias. [-]

    Returns
    -------
    ndarray of complex, shape (n, g, g)
        Symmetric. [ohm]
    """
    shape = board_shape(board)
    everyone = [board.package, board.regulator, *board.banks]
    resistance, inductance = (
        shape.ends.T @ (np.array([getattr(group, key) for group in everyone])[shape.owner][:, None] * shape.ends)
        for key in ("resistance", "inductance")
    )
    omega = 2 * np.pi * frequency
    barrels = resistance + 1j * np.multiply.outer(omega, inductance)
    known: dict[PlanePair, Complex] = {}
    for pair in board.pairs:
        alike = replace(pair, depth=0.0)
        if alike not in known:
            known[alike] = grouped_impedance(
                shape.groups,
                series=pair_series(pair, frequency, board.resistivity, stretch),
                shunt=1j * omega * EPSILON_0 * pair_permittivity(pair, frequency) / (pair.separation * stretch),
            )
    pairs = [known[replace(pair, depth=0.0)] for pair in board.pairs]
    steps = [barrels * (pair.depth * stretch) for pair in board.pairs[1:]]
    below = np.array([group.below for group in everyone])[shape.owner]
    return stacked_impedance(pairs, steps, ends=shape.ends, below=below)


def plane_impedance(rail: PlaneRail, frequency: Real, corner: Corner = NOMINAL, without: int | None = None) -> Complex:
    """Impedance into the balls at ``frequency`` [Hz], shape (n,), all bands in one go. [ohm]"""
    network = plane_network(rail.board, frequency, rail.stretch)
    return impedance_of(rail, network, frequency, corner, without)


def impedance_of(
    rail: PlaneRail, network: Complex, frequency: Real, corner: Corner = NOMINAL, without: int | None = None
) -> Complex:
    """The same with the network of its board at hand; ``without`` is a bank that is left out. [ohm]"""
    loads = _loads(rail, frequency, corner, without)
    return loaded_port(network, loads=loads, port=board_shape(rail.board).port)


@dataclass(frozen=True, slots=True)
class Energies:
    """Reactive power of the currents that circulate, magnetic and electric [VA], of regulator (-1) and banks.

    ``planes`` is what planes, vias and package field hold together, magnetic less electric [VA]; ``loss`` [W] is that
    of all, ``current`` [A] that of each element.
    """

    magnetic: dict[int, float]
    electric: dict[int, float]
    planes: float
    loss: float
    current: dict[int, float]


def energies(rail: PlaneRail, frequency: Real) -> list[Energies]:
    """Where a rail rings at frequencies [Hz], shape (n,).

    The currents are the change with frequency of those that 1 A into the balls makes: what circulates, none of it
    through the balls. So the inductance between the balls and what rings takes no part.
    """
    omega = 2 * np.pi * frequency
    shape = board_shape(rail.board)
    beside = np.concatenate([frequency, frequency * (1 - APART), frequency * (1 + APART)])
    network, loads = plane_network(rail.board, beside, rail.stretch), _loads(rail, beside, NOMINAL, None)
    current = group_currents(network, loads=loads, port=shape.port)
    current = current / (current @ shape.port)[:, None]
    _, before, after = np.split(current, 3)
    network, loads, current = network[: len(omega)], loads[: len(omega)], (after - before) / (2 * APART)
    square = np.abs(current) ** 2
    parts = {-1: square[:, shape.owner == 1].sum(axis=1) * len(rail.board.regulator.places)}
    parts |= {k: square[:, shape.owner == k + 2].sum(axis=1) for k in range(len(rail.banks))}
    coils = {k: bank.inductance for k, bank in enumerate(rail.banks)}
    plates = {-1: 0.0} | {k: 1 / bank.capacitance for k, bank in enumerate(rail.banks)}
    counts = {-1: 1} | {k: bank.count for k, bank in enumerate(rail.banks)}
    # a regulator may be more than one branch: its inductance hangs on the frequency
    supply = rail.regulator.impedance(frequency).imag
    own = np.einsum("ni,nij,nj->n", current.conj(), network, current)
    entry = (loads * square)[:, shape.owner == 0].sum(axis=1)
    loss = own.real + (loads.real * square).sum(axis=1)
    return [
        Energies(
            {k: float((supply[i] if k == -1 else w * coils[k]) * part[i]) for k, part in parts.items()},
            {k: float(plates[k] / w * part[i]) for k, part in parts.items()},
            float(own[i].imag + entry[i].imag),
            float(loss[i]),
            {k: float((part[i] * counts[k]) ** 0.5) for k, part in parts.items()},
        )
        for i, w in enumerate(omega)
    ]


def _loads(rail: PlaneRail, frequency: Real, corner: Corner, without: int | None) -> Complex:
    shape, board = board_shape(rail.board), rail.board
    pieces = len(board.regulator.places)
    entry = board.package.resistance + 2j * np.pi * frequency * board.package.inductance
    one = [entry * board.pairs[0].depth * rail.stretch, rail.regulator.impedance(frequency) * pieces]
    for k, bank in enumerate(rail.banks):
        open_end = np.full(len(frequency), np.inf + 0j)
        one.append(open_end if k == without else bank.branch(corner, 1).impedance(frequency))
    return np.stack(one, axis=1)[:, shape.owner]


@solved_once
def board_shape(board: PlaneBoard) -> BoardShape:
    everyone = [board.package, board.regulator, *board.banks]
    most = [PORT_CELLS, 1, *[BANK_CELLS] * len(board.banks)]
    cells: list[Real] = []
    owner: list[int] = []
    for number, (group, some) in enumerate(zip(everyone, most, strict=True)):
        vias = np.column_stack([np.array(group.places), np.full(len(group.places), group.diameter)])
        members = [np.arange(len(vias))] if number == 1 else via_cells(vias, most=some)
        cells += [vias[one] for one in members]
        owner += [number] * len(members)
    groups = (plane_groups(length=board.length, width=board.width, groups=cells) if board.shape is None
              else shape_groups(shapes=[board.shape], cutouts=board.cutouts, groups=cells))
    count = np.array([len(one) for one in cells])
    square = 1 / sum(1 / (MU_0 * pair.separation) for pair in board.pairs)
    depth = sum(pair.depth for pair in board.pairs[1:]) / 2
    series = np.array([TYPICAL_INDUCTANCE + group.inductance * depth for group in everyone]) / square
    tied, entering = series.copy(), series.copy()
    tied[0], entering[0] = 0.0, board.package.inductance * board.pairs[0].depth / square
    tables = current_shapes(groups, owner=np.array(owner), count=count, series=[entering, tied])
    whole = np.hstack(tables)
    whose = np.repeat(np.arange(len(everyone)), [table.shape[1] for table in tables])
    total = whole.sum(axis=0)
    ends = rotation(total)
    return BoardShape(groups.combined(whole @ ends), whose, np.where(whose == 0, total, 0.0), ends)


TYPICAL_INDUCTANCE = 0.5e-9
"""Mounted inductance [H] of one piece for which the distributions of current are found; the span holds for others."""


def pair_series(pair: PlanePair, frequency: Real, resistivity: float, stretch: float) -> Complex:
    """Impedance of a square, each plane with its own thickness."""
    one, other = (
        cavity_series_impedance(
            frequency=frequency,
            separation=pair.separation * stretch,
            conductivity=1 / resistivity,
            thickness=thickness,
        )
        for thickness in (pair.upper, pair.lower)
    )
    return np.asarray((one + other) / 2)


def pair_permittivity(pair: PlanePair, frequency: Real) -> Complex:
    """Of the plies in series; relative, its imaginary part below zero. [-]"""
    parts = [ply.thickness / permittivity(frequency=frequency, points=ply.material.points) for ply in pair.plies]
    return np.asarray(pair.separation / sum(parts))
