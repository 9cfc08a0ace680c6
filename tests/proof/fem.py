# SPDX-License-Identifier: MIT
"""Capacitance of a cross-section by finite elements: another method than the product's, for tests alone.

Quadrilaterals of order ``p`` (scikit-fem) on a grid of lines that follow every side of every polygon: rows are
horizontal, columns bend with the slanted sides. Cells shrink geometrically towards every corner, metal corners further
than those of dielectrics alone. Unknowns inside a cell are eliminated cell by cell. An open domain ends at ``FAR``
times the size of the structure with no field across its border.

The energy is right to the square of the field's error, so that C comes out too high, never too low.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.constants import epsilon_0
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu
from skfem import Basis, ElementQuadP, MeshQuad

from pcbrules.physics.cross_section.section import Polygon, Section

Real = NDArray[np.float64]
Index = NDArray[np.intp]
Edge = tuple[tuple[float, float], tuple[float, float]]

FAR = 300.0
"""Border of an open domain over the size of the structure [-]."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Order of the elements and how they shrink."""

    p: int = 5
    """Order of the polynomials."""
    ratio: float = 0.2
    """Size of a cell over that of its neighbour farther from the corner."""
    metal: float = 3e-3
    """Smallest cell at metal over the smallest side or gap of the conductors."""
    dielectric: float = 0.1
    """The same at corners of dielectrics alone."""


@dataclass(frozen=True, slots=True)
class Solution:
    """``c``, ``c0`` [F/m] of n signals, and of each dielectric, last the air, its part of ``c``; sizes for a report."""

    c: Real
    c0: Real
    parts: tuple[Real, ...]
    unknowns: int


def solve(section: Section, accuracy: Accuracy = Accuracy()) -> Solution:
    """Capacitance matrices of a section by finite elements."""
    section = _snapped(section)
    mesh = _mesh(section, accuracy)
    centres = mesh.p[:, mesh.t].mean(axis=1)
    metal = np.full(mesh.nelements, -1)
    conductors = (*section.signals, *section.grounds)
    for k, polygon in enumerate(conductors):
        metal[_inside(polygon, centres)] = k
    region = np.full(mesh.nelements, len(section.dielectrics))
    for k, (polygon, _) in enumerate(section.dielectrics):
        region[_inside(polygon, centres)] = k
    permittivity = np.array([*(dk for _, dk in section.dielectrics), 1.0])[region]

    empty = np.nonzero(metal < 0)[0]
    basis = Basis(mesh, ElementQuadP(accuracy.p), elements=empty, intorder=2 * accuracy.p)
    rim = 4 * accuracy.p
    stiffness = _condensed(basis, rim)
    unknowns = basis.element_dofs[:rim, :] if basis.element_dofs.shape[1] == len(empty) else basis.element_dofs[:rim, empty]
    permittivity, region = permittivity[empty], region[empty]

    volts, fixed = _potentials(section, mesh, basis, metal)
    free = np.setdiff1d(np.unique(unknowns), np.nonzero(fixed)[0])

    def potential(weight: Real) -> Real:
        rows = np.repeat(unknowns.T, rim, axis=1).ravel()
        columns = np.tile(unknowns.T, (1, rim)).ravel()
        values = (weight[:, None, None] * stiffness).ravel()
        matrix = coo_array((values, (rows, columns)), shape=(basis.N, basis.N)).tocsr()
        factors = splu(
            matrix[free][:, free].tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
        found = volts.copy()
        found[free] = factors.solve(-(matrix[free] @ volts))
        return found

    def energies(weight: Real, found: Real) -> Real:
        local = found[unknowns]  # (rim, cells, n)
        return epsilon_0 * np.einsum("icm,cij,jcn,c->cmn", local, stiffness, local, weight, optimize=True)

    unit = np.ones(len(empty))
    energy, air = energies(permittivity, potential(permittivity)), energies(unit, potential(unit))
    parts = tuple(energy[region == k].sum(axis=0) for k in range(len(section.dielectrics) + 1))
    return Solution(energy.sum(axis=0), air.sum(axis=0), parts, len(free))


def _condensed(basis: Basis, rim: int) -> Real:
    """Stiffness of each cell (cells, rim, rim) for unit permittivity, unknowns inside the cell eliminated."""
    slopes = np.stack([field[0].grad for field in basis.basis])  # (dofs, 2, cells, points)
    slopes = slopes * np.sqrt(basis.dx)
    flat = slopes.transpose(2, 0, 1, 3).reshape(slopes.shape[2], slopes.shape[0], -1)
    full = flat @ flat.transpose(0, 2, 1)
    inner = np.linalg.solve(full[:, rim:, rim:], full[:, rim:, :rim])
    return full[:, :rim, :rim] - full[:, :rim, rim:] @ inner


def _potentials(section: Section, mesh: MeshQuad, basis: Basis, metal: Index) -> tuple[Real, NDArray[np.bool_]]:
    """Volts (unknowns, n) with each signal at one volt in turn, and which unknowns are given."""
    n = len(section.signals)
    volts, fixed = np.zeros((basis.N, n)), np.zeros(basis.N, dtype=bool)

    def hold(facets: Index, conductor: int) -> None:
        nodes = basis.nodal_dofs[0, np.unique(mesh.facets[:, facets])]
        fixed[nodes] = True
        fixed[basis.facet_dofs[:, facets].ravel()] = True
        if conductor < n:
            volts[nodes, conductor] = 1.0

    y = mesh.p[1][mesh.facets]
    for plane in (section.lower, section.upper):
        if plane is not None:
            hold(np.nonzero((y == plane).all(axis=0))[0], n)
    conductors = (*section.signals, *section.grounds)
    for k, polygon in enumerate(conductors):
        if len(polygon) == 2:
            (x0, level), (x1, _) = sorted(polygon)
            middle = mesh.p[0][mesh.facets].mean(axis=0)
            hold(np.nonzero((y == level).all(axis=0) & (x0 < middle) & (middle < x1))[0], k)
        else:
            hold(np.unique(mesh.t2f[:, metal == k]), k)
    return volts, fixed


def _inside(polygon: Polygon, at: Real) -> NDArray[np.bool_]:
    """Which points ``at`` (2, k) are inside."""
    x, y = at
    odd = np.zeros(len(x), dtype=bool)
    if len(polygon) < 3:
        return odd
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if y0 == y1:
            continue
        across = (y0 <= y) != (y1 <= y)
        side = x0 if x0 == x1 else x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        odd ^= across & (x < side)
    return odd


def _snapped(section: Section) -> Section:
    """The section on a grid of a part in 10^9 of its size: levels that differ by rounding alone become one."""
    sizes = [abs(value) for polygon in section.signals for point in polygon for value in point]
    step = 1e-9 * 10.0 ** math.ceil(math.log10(max(sizes)))

    def on_grid(value: float) -> float:
        return round(value / step) * step if math.isfinite(value) else value

    def snapped(polygon: Polygon) -> Polygon:
        return tuple((on_grid(x), on_grid(y)) for x, y in polygon)

    return Section(
        signals=tuple(map(snapped, section.signals)),
        grounds=tuple(map(snapped, section.grounds)),
        dielectrics=tuple((snapped(polygon), dk) for polygon, dk in section.dielectrics),
        lower=None if section.lower is None else on_grid(section.lower),
        upper=None if section.upper is None else on_grid(section.upper),
    )


# Grid


@dataclass(slots=True)
class _Line:
    """A column line: where it is pinned, y to x; and whether it touches metal."""

    pins: dict[float, float]
    metal: bool

    @property
    def mean(self) -> float:
        return sum(self.pins.values()) / len(self.pins)

    def at(self, y: float) -> float | None:
        """Its x at ``y`` if pinned there."""
        low, high = min(self.pins), max(self.pins)
        return float(np.interp(y, sorted(self.pins), [self.pins[k] for k in sorted(self.pins)])) if low <= y <= high else None


def _edges(section: Section) -> list[tuple[Edge, bool]]:
    """Sides of all polygons that are not horizontal, lower end first; ends of strips; and whether each is metal."""
    found = []
    polygons = [*((p, True) for p in (*section.signals, *section.grounds)), *((p, False) for p, _ in section.dielectrics)]
    for polygon, metal in polygons:
        if len(polygon) == 2:
            found += [((end, end), True) for end in polygon]
            continue
        for one, other in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            if one[1] != other[1] and math.isfinite(one[0]):
                low, high = sorted((one, other), key=lambda end: end[1])
                found.append(((low, high), metal))
    return found


def _lines(edges: list[tuple[Edge, bool]], close: float) -> list[_Line]:
    """Column lines from left to right. Sides that meet, or stand one above the other, share a line."""
    lines: list[_Line] = []
    for ((x0, y0), (x1, y1)), metal in edges:
        for line in lines:
            here = {y: x for y, x in ((y0, x0), (y1, x1))}
            meets = [abs(x - known) <= close for y, x in here.items() if (known := line.at(y)) is not None]
            apart = y1 < min(line.pins) or y0 > max(line.pins)
            stacked = apart and abs((x0 if y0 > max(line.pins) else x1)
                                    - (line.pins[max(line.pins)] if y0 > max(line.pins) else line.pins[min(line.pins)])) <= close
            if (meets and all(meets)) or stacked:
                line.pins.update({y: x for y, x in here.items() if line.at(y) is None})
                line.metal |= metal
                break
        else:
            lines.append(_Line({y0: x0, y1: x1}, metal))
    # sides at the same height stand in their order; the others where they are on average
    count = len(lines)
    after: list[set[int]] = [set() for _ in range(count)]
    before = [0] * count
    for i in range(count):
        for j in range(count):
            levels = [y for y in (*lines[i].pins, *lines[j].pins) if lines[i].at(y) is not None and lines[j].at(y) is not None]
            if i != j and levels and all(lines[i].at(y) < lines[j].at(y) for y in levels) and j not in after[i]:  # type: ignore[operator]
                after[i].add(j)
                before[j] += 1
    ready = [(lines[i].mean, i) for i in range(count) if not before[i]]
    heapq.heapify(ready)
    ordered = []
    while ready:
        _, i = heapq.heappop(ready)
        ordered.append(lines[i])
        for j in after[i]:
            before[j] -= 1
            if not before[j]:
                heapq.heappush(ready, (lines[j].mean, j))
    assert len(ordered) == count, "sides cross"
    return ordered


def _mesh(section: Section, accuracy: Accuracy) -> MeshQuad:
    edges = _edges(section)
    metal_points = [end for edge, metal in edges if metal for end in edge]
    xs, ys = [x for x, _ in metal_points], [y for _, y in metal_points]
    heights = {y for polygon, _ in section.dielectrics for _, y in polygon} | set(ys)
    planes = [plane for plane in (section.lower, section.upper) if plane is not None]
    low, high = min(heights | set(planes)), max(heights | set(planes))
    size = max(xs) - min(xs) + high - low
    open_ = len(planes) < 2
    reach = FAR * size if open_ else 8 * (high - low)
    bottom = low if section.lower is not None else low - reach
    top = high if section.upper is not None else high + reach
    left, right = min(x for edge, _ in edges for x, _ in edge) - reach, max(x for edge, _ in edges for x, _ in edge) + reach

    lines = _lines(edges, close=1e-6 * size)
    levels = sorted({y for edge, _ in edges for _, y in edge} | {y for y in heights} | {bottom, top})
    smallest = _smallest(section)
    cell = {True: accuracy.metal * smallest, False: accuracy.dielectric * smallest, None: math.inf}

    metal_levels = set(ys)
    corner_levels = {y for edge, _ in edges for _, y in edge}
    kind_y = {y: True if y in metal_levels else False if y in corner_levels else None for y in levels}
    rows: list[tuple[float, float]] = []  # (index of level + fraction)
    for k, (one, other) in enumerate(pairwise(levels)):
        first = min(cell[kind_y[one]], high - low) if section.upper is None and one == high else cell[kind_y[one]]
        last = min(cell[kind_y[other]], high - low) if section.lower is None and other == low else cell[kind_y[other]]
        cuts = _graded(other - one, first, last, accuracy.ratio)
        rows += [(k, s) for s in cuts[:-1]]
    rows.append((len(levels) - 2, 1.0))

    # where the lines are at every level
    reference = np.array([left, *_increasing([line.mean for line in lines], 1e-3 * smallest), right])
    at_levels = np.empty((len(levels), len(lines) + 2))
    for k, y in enumerate(levels):
        pinned = [(0, left), *((i, x) for i, line in enumerate(lines, 1) if (x := line.at(y)) is not None), (len(lines) + 1, right)]
        places, values = [i for i, _ in pinned], [x for _, x in pinned]
        assert all(a < b for a, b in pairwise(values)), "sides meet"
        at_levels[k] = np.interp(reference, reference[places], values)
    sizes = [None, *(line.metal for line in lines), None]
    columns = []
    for i in range(len(lines) + 1):
        width = float(reference[i + 1] - reference[i])
        columns.append(_graded(width, cell[sizes[i]], cell[sizes[i + 1]], accuracy.ratio))
    grid_x = []
    for k, s in rows:
        here = at_levels[k] * (1 - s) + at_levels[k + 1] * s if s < 1 else at_levels[k + 1]
        grid_x.append(np.concatenate([
            *(here[i] + (here[i + 1] - here[i]) * cuts[:-1] for i, cuts in enumerate(columns)), here[-1:]
        ]))
    across = np.array(grid_x)
    up = np.array([levels[k] * (1 - s) + levels[k + 1] * s if 0 < s < 1 else levels[k + int(s)] for k, s in rows])
    plain = MeshQuad.init_tensor(np.arange(across.shape[1], dtype=float), np.arange(len(up), dtype=float))
    column, row = plain.p.astype(int)
    return MeshQuad(np.vstack([across[row, column], up[row]]), plain.t)


def _increasing(values: list[float], step: float) -> list[float]:
    """The values, moved up where they do not increase."""
    out: list[float] = []
    for value in values:
        out.append(max(value, out[-1] + step) if out else value)
    return out


def _graded(length: float, first: float, last: float, ratio: float) -> Real:
    """Fractions from 0 to 1 of an interval whose end cells have the sizes ``first`` and ``last`` (infinite: no matter)."""
    both = math.isfinite(first) and math.isfinite(last)
    span = length / 2 if both else length

    def side(smallest: float) -> list[float]:
        if not math.isfinite(smallest) or smallest >= span:
            return []
        layers = math.ceil(math.log(span / smallest) / -math.log(ratio))
        return [span * ratio**k for k in range(layers, 0, -1)]

    middle = [length / 2] if both and (first < span or last < span) else []
    cuts = [0.0, *side(first), *middle, *(length - x for x in reversed(side(last))), length]
    return np.array(sorted(set(cuts))) / length


def _smallest(section: Section) -> float:
    """Shortest side of the conductors."""
    return min(
        math.dist(one, other)
        for polygon in (*section.signals, *section.grounds)
        for one, other in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    )
