# SPDX-License-Identifier: MIT
"""Contours: rings, lines of steps."""

from __future__ import annotations

import math

from pcbrules.layout.arcs import Point, between, flattened
from pcbrules.readers.drawn.placing import Placing
from pcbrules.readers.ipc2581.elements import Step, XmlElement
from pcbrules.readers.layout_faults import Fault

ROUNDING = 2e-6
"""Difference of the two radii of an arc that is rounding of the file. [m]"""


def uneven(start: Point, end: Point, centre: Point) -> bool:
    """True where the centre of an arc is not equally far from both ends. [m]"""
    a, b = math.dist(centre, start), math.dist(centre, end)
    return abs(a - b) > max(ROUNDING, 1e-3 * (a + b))


def pieces(steps: list[Step], scale: float, place: Placing) -> list[tuple[Point, Point | None, Point]]:
    """Start, a point between (None for a straight one) and end of each step that has a length. [m]"""
    found = []
    begin = (steps[0][0] * scale, steps[0][1] * scale)
    for step in steps[1:]:
        end = (step[0] * scale, step[1] * scale)
        mid = None
        if len(step) == 5:
            mid = between(begin, end, (step[2] * scale, step[3] * scale), clockwise=step[4])
        if mid is not None or end != begin:
            found.append((place.of(begin), place.of(mid) if mid else None, place.of(end)))
        begin = end
    return found


def ring(steps: list[Step], scale: float, place: Placing) -> tuple[Point, ...]:
    """The corners of a closed contour, its curves as chords, without repeating the first. [m]"""
    if place.still and all(len(step) == 2 for step in steps):
        made = [(step[0] * scale, step[1] * scale) for step in steps]
    else:
        made = [place.of((steps[0][0] * scale, steps[0][1] * scale))]
        for start, mid, end in pieces(steps, scale, place):
            made += flattened(start, mid, end)[1:] if mid else (end,)
    while len(made) > 1 and made[-1] == made[0]:
        made.pop()
    return tuple(made)


def rings(element: XmlElement, scale: float, place: Placing) -> list[tuple[Point, ...]]:
    """The contours that begin in an element. Raises Fault for one of fewer than three corners."""
    found = []
    for steps in element.lines:
        made = ring(steps, scale, place)
        if len(made) < 3:
            raise Fault(element.offset, "a contour has fewer than three corners", found=f"{len(made)}",
                        expected="three or more")
        found.append(made)
    return found


def contour(
    element: XmlElement, scale: float, place: Placing
) -> tuple[tuple[Point, ...], tuple[tuple[Point, ...], ...]] | None:
    """Ring of a <Contour> and the rings of its cut-outs; None for one that is not filled. Raises Fault. [m]"""
    polygon = element.child("Polygon")
    if polygon is None or not polygon.lines:
        raise Fault(element.offset, f"<{element.tag}> has no polygon", expected="<Polygon> with <PolyBegin>")
    if not filled(polygon):
        return None
    if len(polygon.lines) > 1:
        raise Fault(polygon.offset, "a polygon begins more than once", found=f"{len(polygon.lines)} <PolyBegin>",
                    expected="one")
    holes = [made for one in element.all("Cutout") for made in rings(one, scale, place)]
    return rings(polygon, scale, place)[0], tuple(holes)


def filled(element: XmlElement) -> bool:
    """False for a shape that is drawn hollow or takes copper away."""
    fill = element.child("FillDesc")
    return fill is None or fill.attrs.get("fillProperty", "FILL") not in ("HOLLOW", "VOID")
