# SPDX-License-Identifier: MIT
"""One ring in place of a contour and its voids: it runs to each void, round it and back.

A void is reached from its leftmost point, straight to the left, from the nearest other contour. So every bridge lies
in the copper, and no bridge crosses another.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from pcbrules.layout.arcs import Point
from pcbrules.layout.rings import area

Edge = tuple[float, float, float, float, int, int]
"""Ends of an edge [m], its contour and its place there."""


def keyholed(outer: tuple[Point, ...], voids: tuple[tuple[Point, ...], ...]) -> tuple[tuple[Point, ...], int]:
    """The ring, and the number of voids that do not lie in the contour and are left out. [m]"""
    if not voids:
        return outer, 0
    sense = area(outer) < 0
    contours = [outer]
    for void in voids:
        turned = void if (area(void) < 0) != sense else void[::-1]
        first = turned.index(min(turned))
        contours.append(turned[first:] + turned[:first])
    contours = list(dict.fromkeys(contours))  # one exporter writes every void twice
    cells = _Cells(contours)
    bridges: dict[tuple[int, int], list[tuple[float, Point, int]]] = defaultdict(list)
    lost = 0
    for number, contour in enumerate(contours[1:], 1):
        found = cells.left_of(contour[0], number)
        if found is None:
            lost += 1
            continue
        edge, x = found
        share = (contour[0][1] - edge[1]) / (edge[3] - edge[1])
        bridges[edge[4], edge[5]].append((share, (x, contour[0][1]), number))
    return tuple(_round(contours, bridges)), lost


def _round(
    contours: list[tuple[Point, ...]], bridges: dict[tuple[int, int], list[tuple[float, Point, int]]]
) -> Iterator[Point]:
    """Points of the first contour, with those of each void where its bridge begins; no step is recursive."""
    open_contours = [_around(contours[0], 0, bridges)]
    ends: list[Point] = []
    while open_contours:
        step = next(open_contours[-1], None)
        if step is None:
            open_contours.pop()
            if ends:
                yield ends.pop()
            continue
        at, void = step
        yield at
        if void:
            ends.append(at)
            open_contours.append(_around(contours[void], void, bridges))


def _around(
    contour: tuple[Point, ...], number: int, bridges: dict[tuple[int, int], list[tuple[float, Point, int]]]
) -> Iterator[tuple[Point, int]]:
    """Points along a contour, and the void that is reached from each, 0 for none; a void ends where it began."""
    for place, at in enumerate(contour):
        yield at, 0
        for _, begin, void in sorted(bridges.get((number, place), ())):
            yield begin, void
    if number:
        yield contour[0], 0


@dataclass
class _Cells:
    """Edges of contours by the cells of a grid that they pass."""

    contours: list[tuple[Point, ...]]
    cells: dict[tuple[int, int], list[Edge]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        xs, ys = zip(*(at for contour in self.contours for at in contour), strict=True)
        self.left, self.low = min(xs), min(ys)
        count = max(1, math.isqrt(len(xs)))
        self.column, self.row = (max(xs) - self.left) / count or 1.0, (max(ys) - self.low) / count or 1.0
        for number, contour in enumerate(self.contours):
            for place, (x0, y0) in enumerate(contour):
                x1, y1 = contour[(place + 1) % len(contour)]
                if y0 != y1:
                    self.add((x0, y0, x1, y1, number, place))

    def add(self, edge: Edge) -> None:
        """Put an edge into every cell that it passes."""
        x0, y0, x1, y1, _, _ = edge
        for row in range(self.row_of(min(y0, y1)), self.row_of(max(y0, y1)) + 1):
            ends = [x0 + (x1 - x0) * min(1.0, max(0.0, (self.low + at * self.row - y0) / (y1 - y0)))
                    for at in (row, row + 1)]
            for column in range(self.column_of(min(ends)), self.column_of(max(ends)) + 1):
                self.cells[row, column].append(edge)

    def row_of(self, y: float) -> int:
        """Row of a height."""
        return int((y - self.low) / self.row)

    def column_of(self, x: float) -> int:
        """Column of an x coordinate."""
        return int((x - self.left) / self.column)

    def left_of(self, at: Point, number: int) -> tuple[Edge, float] | None:
        """The nearest edge of another contour to the left of a point, and where it is met. [m]"""
        x, y = at
        best: tuple[Edge, float] | None = None
        row = self.row_of(y)
        for column in range(self.column_of(x), -1, -1):
            for edge in self.cells.get((row, column), ()):
                x0, y0, x1, y1, other, _ = edge
                if other != number and (y0 > y) != (y1 > y):
                    met = x0 + (x1 - x0) * (y - y0) / (y1 - y0)
                    if (met < x or (met == x and other < number)) and (best is None or met > best[1]):
                        best = edge, met
            if best is not None and best[1] >= self.left + column * self.column:
                break
        return best
