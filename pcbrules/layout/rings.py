# SPDX-License-Identifier: MIT
"""Closed contours: their area, and the ring round a drawn line."""

from __future__ import annotations

import math
from itertools import pairwise

from pcbrules.layout.arcs import Point


def area(points: tuple[Point, ...]) -> float:
    """Area of a ring, signed by its sense. [m^2]"""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1], strict=True)) / 2


def stroke(points: tuple[Point, ...], width: float) -> list[tuple[Point, ...]]:
    """The copper of a line of that width along points: one ring a stretch, with round ends. [m]"""
    half = width / 2
    found = []
    for a, b in pairwise(points):
        along = math.atan2(b[1] - a[1], b[0] - a[0])
        ends = [(end, along + math.pi / 2 * side + math.pi * i / 12) for end, side in ((b, -1), (a, 1))
                for i in range(13)]
        found.append(tuple((end[0] + half * math.cos(angle), end[1] + half * math.sin(angle)) for end, angle in ends))
    return found
