# SPDX-License-Identifier: MIT
"""A grid of quadrilaterals whose lines follow every side of every polygon of a cross-section.

Rows are horizontal. A column line runs from the bottom to the top of the domain: where a side of a polygon stands it
is that side, and elsewhere it goes where the lines beside it leave it room. Cells shrink geometrically towards every
corner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from skfem import MeshQuad

from pcbrules.physics.lines.cross_section.section import Polygon, Section

Real = NDArray[np.float64]

FAR = 300.0
"""Border of an open domain over the size of the structure [-]."""

ASIDE = 8.0
"""Border of a domain between two planes, beyond the last corner, over their distance: e^-25 of the field is left."""


@dataclass(frozen=True, slots=True)
class Grading:
    """How cells shrink towards corners. ``metal`` and ``dielectric``: smallest cell over the shortest side of metal."""

    ratio: float = 0.2
    """Size of a cell over that of its neighbour farther from the corner."""
    metal: float = 3e-3
    dielectric: float = 0.1
    """At corners of dielectrics alone."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a polygon from its lower to its upper end, or the end of a strip."""

    low: tuple[float, float]
    high: tuple[float, float]
    metal: bool


@dataclass(slots=True)
class Line:
    """A column line: its x at the heights where it is held, between which it is straight."""

    held: dict[float, float]
    metal: bool

    @property
    def bottom(self) -> float:
        return min(self.held)

    @property
    def top(self) -> float:
        return max(self.held)

    @property
    def middle(self) -> float:
        return sum(self.held.values()) / len(self.held)

    def holds(self, y: float) -> bool:
        """Whether it is held at a height."""
        return self.bottom <= y <= self.top

    def at(self, y: float) -> float:
        """Its x at a height where it is held."""
        heights = sorted(self.held)
        return float(np.interp(y, heights, [self.held[height] for height in heights]))


def grid(section: Section, grading: Grading) -> MeshQuad:
    """The grid, with conductors not yet cut out. Corners that should coincide must do so exactly."""
    sides = _sides(section)
    dielectric_levels = {y for polygon, _ in section.dielectrics for _, y in polygon}
    metal_levels = {y for polygon in (*section.signals, *section.grounds) for _, y in polygon}
    corner_levels = {y for side in sides for _, y in (side.low, side.high)}
    planes = {plane for plane in (section.lower, section.upper) if plane is not None}
    inner = metal_levels | dielectric_levels | planes
    height = max(inner) - min(inner)
    ends = [x for side in sides for x, _ in (side.low, side.high)]
    width = max(ends) - min(ends)
    reach = ASIDE * height if len(planes) == 2 else FAR * (width + height)

    shortest = _shortest_side(section)
    metal, dielectric = grading.metal * shortest, grading.dielectric * shortest

    def smallest(y: float) -> float:
        """Size of the cells at a level, infinite where it has no corner; outside, cells begin with the height."""
        if y in metal_levels:
            return metal
        ends = (section.lower is None and y == min(inner)) or (section.upper is None and y == max(inner))
        return dielectric if y in corner_levels else height if ends else math.inf

    levels = sorted(
        inner
        | ({min(inner) - reach} if section.lower is None else set())
        | ({max(inner) + reach} if section.upper is None else set())
    )
    rows = [_graded(b - a, smallest(a), smallest(b), grading.ratio) for a, b in pairwise(levels)]
    lines = _lines(sides, 1e-6 * (width + height))
    reference, places = _places(lines, levels, reach, 1e-3 * shortest)
    sizes = [math.inf, *(metal if line.metal else dielectric for line in lines), math.inf]
    columns = [
        _graded(b - a, first, last, grading.ratio)
        for (a, b), (first, last) in zip(pairwise(reference), pairwise(sizes), strict=True)
    ]
    up, across = [], []
    for k, ((a, b), cuts) in enumerate(zip(pairwise(levels), rows, strict=True)):
        for cut in cuts[:-1]:
            up.append(a + (b - a) * cut)
            across.append(_subdivided(places[k] + (places[k + 1] - places[k]) * cut, columns))
    up.append(levels[-1])
    across.append(_subdivided(places[-1], columns))
    plain = MeshQuad.init_tensor(np.arange(len(across[0]), dtype=float), np.arange(len(up), dtype=float))
    column, row = plain.p.astype(int)
    return MeshQuad(np.vstack([np.array(across)[row, column], np.array(up)[row]]), plain.t)


def _sides(section: Section) -> list[Side]:
    """Sides of all polygons that are not horizontal and not at infinity, and the ends of strips."""
    found = []
    conductors = [(polygon, True) for polygon in (*section.signals, *section.grounds)]
    for polygon, metal in [*conductors, *((polygon, False) for polygon, _ in section.dielectrics)]:
        for one, other in _edges(polygon):
            if len(polygon) == 2:
                found.append(Side(one, one, metal))
            elif one[1] != other[1] and math.isfinite(one[0]):
                low, high = sorted((one, other), key=lambda end: end[1])
                found.append(Side(low, high, metal))
    return found


def _edges(polygon: Polygon) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))


def _shortest_side(section: Section) -> float:
    return min(math.dist(*edge) for polygon in (*section.signals, *section.grounds) for edge in _edges(polygon))


def _lines(sides: list[Side], close: float) -> list[Line]:
    """Column lines from left to right. Sides that meet, or stand one above the other, share a line."""
    lines: list[Line] = []
    for side in sides:
        held = {side.low[1]: side.low[0], side.high[1]: side.high[0]}
        new = Line(held, side.metal)
        for line in lines:
            if _joins(line, new, close):
                line.held.update({y: x for y, x in held.items() if not line.holds(y)})
                line.metal |= side.metal
                break
        else:
            lines.append(new)
    ordered: list[Line] = []
    while lines:
        # the farthest left of those that have no line on their left
        free = [one for one in lines if not any(_before(other, one) for other in lines)]
        first = min(free, key=lambda one: one.middle)
        ordered.append(first)
        lines.remove(first)
    return ordered


def _shared(one: Line, other: Line) -> list[float]:
    """Heights at which either begins, bends or ends and both are held."""
    return [y for y in sorted({*one.held, *other.held}) if one.holds(y) and other.holds(y)]


def _joins(line: Line, other: Line, close: float) -> bool:
    shared = _shared(line, other)
    if shared:
        return all(abs(line.at(y) - other.at(y)) <= close for y in shared)
    if other.bottom > line.top:
        return abs(line.at(line.top) - other.at(other.bottom)) <= close
    return abs(line.at(line.bottom) - other.at(other.top)) <= close


def _before(one: Line, other: Line) -> bool:
    return any(one.at(y) < other.at(y) for y in _shared(one, other))


def _places(lines: list[Line], levels: list[float], reach: float, step: float) -> tuple[Real, Real]:
    """Where the lines and the borders stand on average, and at every level (levels, lines)."""
    reference: list[float] = []
    for line in lines:
        reference.append(max(line.middle, reference[-1] + step) if reference else line.middle)
    left, right = reference[0] - reach, reference[-1] + reach
    reference = [left, *reference, right]
    rows = []
    for y in levels:
        held = [(k, line.at(y)) for k, line in enumerate(lines, 1) if line.holds(y)]
        index, x = zip((0, left), *held, (len(lines) + 1, right), strict=True)
        if any(b <= a for a, b in pairwise(x)):
            raise ValueError("sides of polygons cross")
        rows.append(np.interp(reference, [reference[k] for k in index], x))
    return np.array(reference), np.array(rows)


def _subdivided(places: Real, columns: list[Real]) -> Real:
    """All x of a row of the grid from those of the lines."""
    between = [a + (b - a) * cuts[:-1] for (a, b), cuts in zip(pairwise(places), columns, strict=True)]
    return np.concatenate([*between, places[-1:]])


def _graded(length: float, first: float, last: float, ratio: float) -> Real:
    """Cuts of an interval, from 0 to 1, with cells of ``first`` [m] or less at its start and ``last`` at its end.

    An infinite size asks for nothing.
    """
    both = math.isfinite(first) and math.isfinite(last)
    span = length / 2 if both else length

    def steps(smallest: float) -> list[float]:
        if smallest >= span:
            return []
        layers = math.ceil(math.log(span / smallest) / -math.log(ratio))
        return [span * ratio**k for k in range(layers, 0, -1)]

    middle = [length / 2] if both and min(first, last) < span else []
    cuts = [0.0, *steps(first), *middle, *(length - step for step in reversed(steps(last))), length]
    return np.array(cuts) / length
