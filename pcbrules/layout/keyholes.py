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
    rows = _Rows(contours)
    bridges: dict[tuple[int, int], list[tuple[float, Point, int]]] = defaultdict(list)
    lost = 0
    for number, contour in enumerate(contours[1:], 1):
        found = rows.left_of(contour[0], number)
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
class _Rows:
    """Edges of contours by rows of their heights."""

    contours: list[tuple[Point, ...]]
    rows: dict[int, list[Edge]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        heights = [y for contour in self.contours for _, y in contour]
        self.low = min(heights)
        self.row = (max(heights) - self.low) / max(1, math.isqrt(len(heights))) or 1.0
        for number, contour in enumerate(self.contours):
            for place, (x0, y0) in enumerate(contour):
                x1, y1 = contour[(place + 1) % len(contour)]
                if y0 != y1:
                    for row in range(self._row(min(y0, y1)), self._row(max(y0, y1)) + 1):
                        self.rows[row].append((x0, y0, x1, y1, number, place))

    def _row(self, y: float) -> int:
        return int((y - self.low) / self.row)

    def left_of(self, at: Point, number: int) -> tuple[Edge, float] | None:
        """The nearest edge of another contour to the left of a point, and where it is met. [m]"""
        x, y = at
        best: tuple[Edge, float] | None = None
        for edge in self.rows.get(self._row(y), ()):
            x0, y0, x1, y1, other, _ = edge
            if other != number and (y0 > y) != (y1 > y):
                met = x0 + (x1 - x0) * (y - y0) / (y1 - y0)
                if (met < x or (met == x and other < number)) and (best is None or met > best[1]):
                    best = edge, met
        return best
