# SPDX-License-Identifier: MIT
"""Pads as rings."""

from __future__ import annotations

import math

from pcbrules.layout.arcs import Point, flattened
from pcbrules.layout.parts import PadShape


def outline(shape: PadShape) -> tuple[tuple[Point, ...], ...]:
    """A shape as rings: those of a free one, or the corners of its rectangle."""
    if not shape.width or not shape.height:
        return shape.rings
    x, y, r = shape.width / 2, shape.height / 2, shape.radius
    corners: list[Point] = []
    for sx, sy, first in ((1, -1, -90), (1, 1, 0), (-1, 1, 90), (-1, -1, 180)):
        centre = (sx * (x - r), sy * (y - r))
        corners += corner_arc(centre, r, first) if r else [centre]
    cos, sin = math.cos(shape.angle), math.sin(shape.angle)
    u, v = shape.centre
    return (tuple((u + x * cos - y * sin, v + x * sin + y * cos) for x, y in corners), *shape.rings)


def corner_arc(centre: Point, radius: float, first: float, turn: float = 90) -> tuple[Point, ...]:
    """Points of an arc, counter-clockwise from an angle. [m], [deg]"""
    ends = [(centre[0] + radius * math.cos(math.radians(first + turn * share)),
             centre[1] + radius * math.sin(math.radians(first + turn * share))) for share in (0.0, 0.5, 1.0)]
    return flattened(ends[0], ends[1], ends[2])
