# SPDX-License-Identifier: MIT
"""Circular arcs: through three points, or by centre and direction."""

from __future__ import annotations

import math

Point = tuple[float, float]
"""x and y in the system of the CAD file. [m]"""

SAG = 2e-6
"""What a chord may lie off its arc where an arc becomes a polyline. [m]"""

MOST_CHORDS = 720
"""Chords of one arc."""


def circle(start: Point, mid: Point, end: Point) -> tuple[Point, float] | None:
    """Centre and radius of the circle through three points; None where they lie on a line. [m]"""
    ax, ay = mid[0] - start[0], mid[1] - start[1]
    bx, by = end[0] - start[0], end[1] - start[1]
    cross = 2 * (ax * by - ay * bx)
    a, b = ax * ax + ay * ay, bx * bx + by * by
    if abs(cross) <= 1e-9 * max(a, b):
        return None
    x, y = (by * a - ay * b) / cross, (ax * b - bx * a) / cross
    return (start[0] + x, start[1] + y), math.hypot(x, y)


def sweep(start: Point, mid: Point, end: Point) -> tuple[Point, float, float, float] | None:
    """Centre, radius, first angle and signed turn of the arc that passes `mid`; None for a straight line. [m], [rad]

    An arc that ends where it starts is a whole circle, with `mid` opposite to its start.
    """
    if start == end and mid != start:
        centre = ((start[0] + mid[0]) / 2, (start[1] + mid[1]) / 2)
        return centre, math.dist(start, mid) / 2, _angle(centre, start), 2 * math.pi
    found = circle(start, mid, end)
    if found is None:
        return None
    centre, radius = found
    first = _angle(centre, start)
    to_mid = (_angle(centre, mid) - first) % (2 * math.pi)
    turn = (_angle(centre, end) - first) % (2 * math.pi)
    return centre, radius, first, turn if to_mid <= turn else turn - 2 * math.pi


def arc_length(start: Point, mid: Point, end: Point) -> float:
    """Length of the arc; of three points on a line, the way over all of them. [m]"""
    found = sweep(start, mid, end)
    if found is None:
        return math.dist(start, mid) + math.dist(mid, end)
    return found[1] * abs(found[3])


def flattened(start: Point, mid: Point, end: Point, *, sag: float = SAG) -> tuple[Point, ...]:
    """Points on the arc from start to end, both included; chords lie at most ``sag`` [m] off it."""
    found = sweep(start, mid, end)
    if found is None:
        return (start, mid, end)
    centre, radius, first, turn = found
    step = min(math.pi / 2, 2 * math.sqrt(2 * sag / radius))
    count = min(MOST_CHORDS, max(2, math.ceil(abs(turn) / step)))
    inner = (first + turn * i / count for i in range(1, count))
    return (start, *((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in inner), end)


def between(start: Point, end: Point, centre: Point, *, clockwise: bool) -> Point | None:
    """The point half way along an arc; None for one without a radius. y grows upwards. [m]

    An arc that ends where it starts is a whole circle.
    """
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    last = math.atan2(end[1] - centre[1], end[0] - centre[0])
    radius = (math.dist(centre, start) + math.dist(centre, end)) / 2
    if radius < 1e-9:
        return None
    turn = (first - last if clockwise else last - first) % (2 * math.pi)
    if start == end:
        turn = 2 * math.pi
    angle = first + (-turn if clockwise else turn) / 2
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _angle(centre: Point, point: Point) -> float:
    return math.atan2(point[1] - centre[1], point[0] - centre[0])
