# SPDX-License-Identifier: MIT
"""Contours: lists of points and arcs, drawn lines and arcs, and the rings that they close."""

from __future__ import annotations

import math

from pcbrules.layout.arcs import Point, flattened
from pcbrules.layout.rings import area, stroke
from pcbrules.readers.kicad.tokens import Node
from pcbrules.readers.kicad.values import child, children, needed, number, plain_points, point, point_of
from pcbrules.readers.layout_faults import Fault

DRAWN = ("line", "rect", "circle", "arc", "poly", "curve")
"""Kinds of drawings: what follows ``gr_`` and ``fp_``."""

JOINT = 10e-6
"""Ends of lines nearer than this are one point, as KiCad chains the board edge. [m]"""


def ring(node: Node) -> tuple[Point, ...]:
    """The points of a polygon, its arcs as chords. [m]"""
    for one in node[2:]:
        if one.__class__ is str and one.startswith("(pts"):
            return plain_points(node, one)
    return _mixed(needed(node, "pts"))


def _mixed(pts: Node) -> tuple[Point, ...]:
    found: list[Point] = []
    for one in pts[2:]:
        if one.__class__ is not list or one[1] not in ("xy", "arc"):
            raise Fault(pts[0], "a list of points holds something else", expected="(xy or (arc")
        found.extend((point(one),) if one[1] == "xy" else flattened(*three_points(one)))
    return tuple(found)


def three_points(node: Node) -> tuple[Point, Point, Point]:
    """Start, a point between, end of an arc; those of KiCad 5 give centre, start and angle. [m]"""
    angle = child(node, "angle")
    if child(node, "mid") is not None or angle is None:
        return point_of(node, "start"), point_of(node, "mid"), point_of(node, "end")
    centre, start = point_of(node, "start"), point_of(node, "end")
    turn = math.radians(number(angle, least=-360, most=360))
    return start, _around(centre, start, turn / 2), _around(centre, start, turn)


def _around(centre: Point, start: Point, turn: float) -> Point:
    dx, dy = start[0] - centre[0], start[1] - centre[1]
    cos, sin = math.cos(turn), math.sin(turn)
    return centre[0] + dx * cos - dy * sin, centre[1] + dx * sin + dy * cos


def drawn(node: Node) -> tuple[Point, ...]:
    """Points along a drawn line, rectangle, circle, arc, curve or polygon; closed ones end where they start. [m]"""
    kind = node[1].partition("_")[2]
    if kind == "line":
        return point_of(node, "start"), point_of(node, "end")
    if kind == "arc":
        return flattened(*three_points(node))
    if kind == "rect":
        (x, y), (u, v) = point_of(node, "start"), point_of(node, "end")
        return (x, y), (u, y), (u, v), (x, v), (x, y)
    if kind == "circle":
        centre, edge = point_of(node, "center"), point_of(node, "end")
        return flattened(edge, (2 * centre[0] - edge[0], 2 * centre[1] - edge[1]), edge)
    found = ring(node)
    if kind == "curve":
        return _curve(found) if len(found) == 4 else found
    return (*found, *found[:1])


def _curve(control: tuple[Point, ...]) -> tuple[Point, ...]:
    """A cubic Bezier curve as 32 chords."""
    found = []
    for step in range(33):
        t = step / 32
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        found.append((sum(w * p[0] for w, p in zip(weights, control, strict=True)),
                      sum(w * p[1] for w, p in zip(weights, control, strict=True))))
    return tuple(found)


def chained(pieces: list[tuple[Point, ...]]) -> tuple[tuple[tuple[Point, ...], ...], tuple[Point, ...]]:
    """Rings that pieces of a contour close, the largest first, and the open ends that are left. [m]"""
    ends: dict[tuple[int, int], list[int]] = {}
    for index, piece in enumerate(pieces):
        for end in (piece[0], piece[-1]):
            ends.setdefault(_cell(end), []).append(index)
    left = set(range(len(pieces)))
    rings: list[tuple[Point, ...]] = []
    loose: list[Point] = []
    for first in range(len(pieces)):
        if first not in left:
            continue
        left.discard(first)
        line = list(pieces[first])
        while math.dist(line[0], line[-1]) > JOINT or len(line) == 2:
            following = _next(line[-1], pieces, ends, left)
            if following is None:
                break
            left.discard(following[0])
            line += following[1][1:]
        if math.dist(line[0], line[-1]) <= JOINT and len(line) > 3:
            rings.append(tuple(line[:-1]))
        else:
            loose += [line[0], line[-1]]
    rings.sort(key=lambda one: -abs(area(one)))
    return tuple(rings), tuple(loose)


def _cell(at: Point) -> tuple[int, int]:
    return round(at[0] / JOINT), round(at[1] / JOINT)


def _next(
    at: Point, pieces: list[tuple[Point, ...]], ends: dict[tuple[int, int], list[int]], left: set[int]
) -> tuple[int, tuple[Point, ...]] | None:
    """A piece that begins or ends at a point, turned so that it begins there."""
    x, y = _cell(at)
    for cell in ((x + i, y + j) for i in (0, -1, 1) for j in (0, -1, 1)):
        for index in ends.get(cell, ()):
            if index not in left:
                continue
            piece = pieces[index]
            if math.dist(piece[0], at) <= JOINT:
                return index, piece
            if math.dist(piece[-1], at) <= JOINT:
                return index, piece[::-1]
    return None


def copper_rings(node: Node) -> list[tuple[Point, ...]]:
    """Copper of a primitive of a free pad, in the pad's axes. [m]"""
    points = drawn(node)
    width = number(needed(node, "width"), least=0) * 1e-3 if child(node, "width") else 0.0
    kind = node[1].partition("_")[2]
    solid = kind == "poly" or (kind in ("rect", "circle") and any(_filled(one) for one in children(node, "fill")))
    if kind == "circle" and not width and not list(children(node, "fill")):
        solid = True
    rings = [points[:-1]] if solid and len(points) > 3 else []
    return rings + (stroke(points, width) if width else [])


def _filled(fill: Node) -> bool:
    return any(one in ("yes", "solid") for one in fill[2:])
