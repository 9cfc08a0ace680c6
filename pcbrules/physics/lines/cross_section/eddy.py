# SPDX-License-Identifier: MIT
"""Resistance and inductance of a line's conductors, from direct current to 100 GHz.

Traces, planes and coplanar grounds are cut into filaments of uniform current (Weeks et al., IBM J. Res. Dev. 23 (1979)
652), R diagonal, L by the logarithmic kernel in the plane. The admittance of the conductors,
Y(s) = P^T (R + s L)^-1 P, is projected on the rational Krylov space of a few real shifts and of s = 0, whose modes give
every frequency in closed form: real poles, positive residues, direct current exactly. What uniform current in a layer
misses of the field within it is put right by the ratio to the exact impedance of a slab (`_slab`).

Against nine finite-element solutions (tests/physics/data/eddy_currents.json), direct current to 50 GHz, all entries:
R within 0.35 %, greatest near 100 MHz where the skin is as deep as a trace is thick, and L within 0.06 %. Against
cells of a third of the size, 10 MHz to 2 GHz: R within 0.3 % for a trace three quarters as thick as wide, and for a
strip 8 um from its plane.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.constants import MU_0
from pcbrules.physics.common.extremes import first_least
from pcbrules.physics.lines.cross_section import _eddy_mesh as mesh
from pcbrules.physics.lines.cross_section._filaments import Grid
from pcbrules.physics.lines.cross_section._log_kernel import mean_log
from pcbrules.physics.lines.cross_section._slab import exact, layered
from pcbrules.physics.lines.cross_section.section import Section

MOST = 5000
"""Filaments at most: memory goes with their square."""

SHIFTS = (0.15, 0.88)
"""Real shifts of the Krylov space, on the logarithmic way from `SLOW` times the slowest decay to `FASTEST` [-]: up to
100 GHz R is that of the whole system to 0.06 %, L to 0.006 %."""

POWERS = 10
"""Vectors to each shift and conductor."""

SLOW = 3.0
"""Beginning of that way, in decays of current in the width of the planes [-]."""

FASTEST = 2e11
"""End of that way [1/s]: 2 pi 32 GHz."""

ALIKE = 1e-6
"""Two corners closer than this part of the section's width are mirror images [-]."""


@dataclass(frozen=True, slots=True)
class LineMetal:
    """The metal of a line.

    ``resistivity_signal``, ``resistivity_plane`` (planes and coplanar grounds) [ohm m], ``plane_thickness`` [m],
    ``plane_width`` [m], centred on the middle of the signals.
    """

    resistivity_signal: float
    resistivity_plane: float
    plane_thickness: float
    plane_width: float


@dataclass(frozen=True, slots=True)
class _FilamentModes:
    """Currents of the filaments as k modes that decay on their own.

    ``tau`` (k,) [s]; ``coupling`` (k, c) [sqrt(S m)] of conductors to modes; ``into`` (n, c) [-] takes the signals'
    currents to those of conductors; ``heat`` (g, k, k) [-] is the share of each of g grids in the loss, whose layers
    [m] and resistivity [ohm m] are ``slabs``.
    """

    tau: Real
    coupling: Real
    into: Real
    heat: Real
    slabs: tuple[tuple[Real, float], ...]


@dataclass(frozen=True, slots=True)
class SeriesImpedance:
    """Impedance in series of n signals with their return in all planes and grounds, any frequency."""

    parts: tuple[_FilamentModes, ...]

    def impedance(self, frequency: Real) -> Complex:
        """R + j w L (f, n, n) [ohm/m] at frequencies (f,) [Hz], 0 included."""
        s = 2j * np.pi * np.atleast_1d(np.asarray(frequency, dtype=float))
        total: Complex = np.sum([_impedance(part, s) for part in self.parts], axis=0)
        return total

    def rl(self, frequency: Real) -> tuple[Real, Real]:
        """R [ohm/m] and L [H/m], both (f, n, n), at frequencies (f,) [Hz]; at 0 Hz L is that of direct current."""
        frequency = np.atleast_1d(np.asarray(frequency, dtype=float))
        z = self.impedance(frequency)
        moving = frequency > 0
        omega = np.where(moving, 2 * np.pi * frequency, 1.0)[:, None, None]
        still = np.sum([_still(part) for part in self.parts], axis=0)
        return z.real, np.where(moving[:, None, None], z.imag / omega, still)


def series(section: Section, copper: LineMetal, *, most: int = MOST) -> SeriesImpedance:
    """Series impedance of all signals.

    Raises
    ------
    ValueError
        No plane, no signal, a conductor that is not a trapezoid with a level foot and top, one that meets another, or
        more than ``most`` filaments.
    """
    n = len(section.signals)
    images = _images(section)
    if images is None:
        grids = _grids(section, copper, False, most)
        into = np.column_stack([np.eye(n), -np.ones(n)])
        return SeriesImpedance((_reduced(grids, _negative(_logs(grids, 0)[0]), list(range(n + 1)), into, copper),))
    grids = _grids(section, copper, True, most)
    kept = sorted({grid.conductor for grid in grids} - {n})
    apart = [i for i in kept if images[i] != i]
    even = np.zeros((n, len(kept) + 1))
    odd = np.zeros((n, len(apart)))
    even[:, -1] = -math.sqrt(0.5)
    for column, i in enumerate(kept):
        even[[i, images[i]], column] = math.sqrt(0.5)
    for column, i in enumerate(apart):
        odd[[i, images[i]], column] = math.sqrt(0.5), -math.sqrt(0.5)
    both, difference = _logs(grids, 1, -1)
    parts = [_reduced(grids, _negative(both), [*kept, n], even, copper)]
    if apart:
        parts.append(_reduced(grids, difference, apart, odd, copper))
    return SeriesImpedance(tuple(parts))


def series_mode(
    section: Section, copper: LineMetal, mode: Literal["odd", "even"], *, most: int = MOST
) -> SeriesImpedance:
    """Series impedance (n = 1) of each of a pair that is its own mirror image, with currents (+I, -I) or (+I, +I).

    Raises
    ------
    ValueError
        As `series`, or not a mirror-symmetric pair.
    """
    images = _images(section)
    if images != [1, 0]:
        raise ValueError("odd and even modes need two signals that are mirror images of each other")
    grids = _grids(section, copper, True, most)
    leg = min(grid.conductor for grid in grids)
    if mode == "odd":
        return SeriesImpedance((_reduced(grids, _logs(grids, -1)[0], [leg], np.array([[1.0]]), copper),))
    return SeriesImpedance((_reduced(grids, _negative(_logs(grids, 1)[0]), [leg, 2], np.array([[1.0, -1.0]]), copper),))


def _negative(logs: Real) -> Real:
    """The same in so great a unit of length that none is positive: net current is zero, so the unit is free."""
    below: Real = logs - logs.max()
    return below


def _shapes(section: Section) -> list[mesh.Shape]:
    """Trapezoids of all signals and grounds, x from the middle of the signals."""
    levels = [level for level in (section.lower, section.upper) if level is not None]
    if not levels or not section.signals:
        raise ValueError("a section needs a plane and a signal conductor")
    places = [x for polygon in section.signals for x, _ in polygon]
    middle = (min(places) + max(places)) / 2
    shapes = [(x - middle, y) for x, y in map(mesh.trapezoid, (*section.signals, *section.grounds))]
    low, high = section.lower, section.upper
    for i, (x, y) in enumerate(shapes):
        if (low is not None and y[0] <= low) or (high is not None and y[1] >= high):
            raise ValueError("a conductor meets a plane")
        if any(mesh.meet((x, y), other) for other in shapes[:i]):
            raise ValueError("conductors meet each other")
    return shapes


def _images(section: Section) -> list[int] | None:
    """Mirror image of every signal, or None where the conductors are not their own mirror image."""
    shapes, n = _shapes(section), len(section.signals)
    near = ALIKE * float(np.ptp([x for x, _ in shapes]))
    found = []
    for k, (x, y) in enumerate(shapes):
        group = range(n) if k < n else range(n, len(shapes))
        apart = [max(np.abs(shapes[i][0] + x[:, ::-1]).max(), np.abs(shapes[i][1] - y).max()) for i in group]
        if min(apart) > near:
            return None
        found.append(first_least(np.array(apart), floor=near))
    return found[:n]


def _grids(section: Section, copper: LineMetal, half: bool, most: int) -> list[Grid]:
    """Filaments of all conductors, x from the middle of the signals; only those of x > 0 if ``half``."""
    shapes, n = _shapes(section), len(section.signals)
    levels = [level for level in (section.lower, section.upper) if level is not None]
    spans = np.array([[x.min(), x.max()] for x, _ in shapes[:n]])
    reach = [min(max(y[0] - level, level - y[1]) for level in levels) for _, y in shapes]
    made = []
    for i, (x, y) in enumerate(shapes):
        if half and x.max() <= 0:
            continue
        width = float(np.diff(x, axis=1).max())
        knee, widest = mesh.SPREAD * reach[i], mesh.COLUMN * width
        toward = np.sign(spans.mean(axis=1) - x.mean())
        if i < n or toward.min() <= 0 <= toward.max():
            columns = mesh.both(width, knee, widest)
        else:
            columns = mesh.one(width, min(knee, widest), width)
            if toward.max() > 0:
                columns = 1 - columns[::-1]
        if half and x.min() < 0:
            x = np.column_stack([np.zeros(2), x[:, 1]])
            columns = 1 - mesh.one(width / 2, knee, widest)[::-1]
        resistivity = copper.resistivity_signal if i < n else copper.resistivity_plane
        made.append(mesh.bar(x, y, columns, min(i, n), resistivity))
    for level, upward in ((section.lower, True), (section.upper, False)):
        if level is not None:
            height = min(float(np.abs(y - level).min()) for _, y in shapes[:n])
            end = copper.plane_width / 2
            columns = mesh.under(0.0 if half else -end, end, spans, height)
            made.append(mesh.plane(level, upward, copper.plane_thickness, columns, n, copper.resistivity_plane))
    if sum(len(grid.area) for grid in made) > most:
        raise ValueError(f"more than {most} filaments: too wide for its smallest distance")
    return made


def _logs(grids: list[Grid], *images: int) -> list[Real]:
    """Mean ln r (m, m) of all filaments among each other, with that to their mirror images in x = 0 times each sign."""
    ends = _ends(grids)
    totals = [np.empty((ends[-1], ends[-1])) for _ in images]
    for i, one in enumerate(grids):
        for j, other in enumerate(grids[: i + 1]):
            here, there = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
            direct = mean_log(one, other, mirrored=False)
            image = mean_log(one, other, mirrored=True) if any(images) else None
            for total, sign in zip(totals, images, strict=True):
                block = direct if image is None else direct + sign * image
                total[here, there] = block
                if i != j:
                    total[there, here] = block.T
    return totals


def _ends(grids: Sequence[Grid]) -> list[int]:
    return [0, *accumulate(len(grid.area) for grid in grids)]


def _reduced(grids: list[Grid], logs: Real, conductors: list[int], into: Real, copper: LineMetal) -> _FilamentModes:
    """Modes of the Krylov space in which the admittance of ``conductors`` is kept.

    ``logs`` (m, m) is the mean ln r of the filaments, images and all; ``into`` see `_FilamentModes`.
    """
    from scipy.linalg import lapack  # here and not above: impedances alone do without it, and it takes 0.1 s to load

    weight = np.concatenate([np.sqrt(grid.area / grid.resistivity) for grid in grids])
    matrix = np.outer(weight, weight * (-MU_0 / (2 * math.pi)))
    matrix *= logs
    owner = np.concatenate([np.full(len(grid.area), grid.conductor) for grid in grids])
    source = np.where(owner[:, None] == conductors, weight[:, None], 0.0)
    slowest = SLOW * 8 * copper.resistivity_plane / (MU_0 * copper.plane_thickness * copper.plane_width)
    space = np.linalg.qr(source)[0]
    for s in slowest * (FASTEST / slowest) ** np.array(SHIFTS):
        # symmetric, so its transpose will do, in the order in which the factor is made
        shifted = matrix.T * s
        shifted.flat[:: len(weight) + 1] += 1
        factor, failed = lapack.dpotrf(shifted, lower=1, overwrite_a=1, clean=0)
        if failed:
            raise ArithmeticError("the inductance matrix is not positive definite")
        vector = source
        for _ in range(POWERS):
            vector = _beside(space, lapack.dpotrs(factor, vector, lower=1)[0])
            space = np.concatenate([space, vector], axis=1)
    tau, turn = np.linalg.eigh(space.T @ (matrix @ space))
    modes = space @ turn
    heat = np.array([modes[a:b].T @ modes[a:b] for a, b in pairwise(_ends(grids))])
    return _FilamentModes(tau, modes.T @ source, into, heat, tuple((grid.layers, grid.resistivity) for grid in grids))


def _beside(space: Real, vectors: Real) -> Real:
    """What vectors (m, c) add to an orthonormal space (m, k): powers left as they are grow so alike that rounding is
    much of what tells them apart."""
    for _ in range(2):  # the second time for the rounding of the first
        vectors = vectors / np.linalg.norm(vectors, axis=0)
        vectors = vectors - space @ (space.T @ vectors)
    made: Real = np.linalg.qr(vectors)[0]
    return made


def _impedance(part: _FilamentModes, s: Complex) -> Complex:
    """Share (f, n, n) [ohm/m] of a part in the impedance, put right for the field within the layers."""
    decay = 1 / (1 + s[:, None] * part.tau)
    scaled = part.coupling * decay[:, :, None]
    voltage = np.linalg.solve(part.coupling.T @ scaled, np.broadcast_to(part.into.T, (len(s), *part.into.T.shape)))
    z: Complex = part.into @ voltage
    current = scaled @ voltage
    moving = s != 0
    s = np.where(moving, s, 1.0)
    for (layers, resistivity), heat in zip(part.slabs, part.heat, strict=True):
        lost = (current.conj().transpose(0, 2, 1) @ (heat @ current)).real
        slab = exact(thickness=float(layers.sum()), resistivity=resistivity, s=s)
        model = layered(layers=layers, resistivity=resistivity, s=s)
        z += np.where(moving, (slab - model) / model.real, 0.0)[:, None, None] * lost
    return z


def _still(part: _FilamentModes) -> Real:
    """Share (n, n) [H/m] of a part in the inductance of direct current."""
    voltage = np.linalg.solve(part.coupling.T @ part.coupling, part.into.T)
    current = part.coupling @ voltage
    inductance: Real = current.T @ (part.tau[:, None] * current)
    return inductance
