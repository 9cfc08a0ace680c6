# SPDX-License-Identifier: MIT
"""Copper of a layout as geometry in the plane: centre lines with a reach about them, and areas.

A track, a via and a hole are lines or points and a distance about them, so that
distances between them are exact; arcs and rounded corners are chords that lie at most ``SAG`` off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.layout.arcs import Point, flattened
from pcbrules.layout.copper import Track
from pcbrules.layout.parts import PadShape, PartPad

SAG = 0.2e-6
"""What a chord may lie off its arc where distances are measured. [m]"""

CORNER = 64
"""Chords of a quarter of a rounded corner: within 0.1 um of the arc up to a radius of 1 mm."""

CHUNK = 16
"""Points of a long ring that are looked for together."""

FIRST = 0.25e-3
"""Distance up to which neighbours are looked for first; then ever four times as far. [m]"""

FAR = 1.0
"""Distance at which the search ends. [m]"""

ROW = 16
"""Places in a row whose nearest lines are looked for together."""

FEW = 1_000_000
"""Pairs of a row and a straight line up to which all are measured: a tree of the lines takes longer."""

EQUAL = 1e-12
"""Distances that differ by no more are equal: the first in the order of the layout counts. [m]"""

Geometries = NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class PlanarCopper:
    """Pieces of copper, or holes: ``lines`` are points, lines or areas, copper reaches ``reach`` [m] beyond them.

    Attributes
    ----------
    lines : ndarray of geometries, shape (n,)
    reach : ndarray, shape (n,)
        [m]
    nets : ndarray of int, shape (n,)
        Number of the net of each; pieces of one number do not count as neighbours.
    """

    lines: Geometries
    reach: NDArray[np.float64]
    nets: NDArray[np.int_]

    def boxes(self, more: float) -> Geometries:
        """Boxes round the copper, wider by ``more`` [m] on all sides."""
        bounds = shapely.bounds(self.lines)
        grown = (self.reach + more)[:, None] * np.array([-1.0, -1.0, 1.0, 1.0])
        return np.asarray(shapely.box(*(bounds + grown).T))


@dataclass(frozen=True, slots=True)
class Nearest:
    """Two pieces, by their places, the least distance of their edges [m], and the middle between them."""

    first: int
    second: int
    distance: float
    at: Point


def lines_of(tracks: Sequence[Track]) -> Geometries:
    """Centre lines of tracks, in their order."""
    found = np.asarray(shapely.linestrings(np.array([(one.start, one.end) for one in tracks]).reshape(-1, 2, 2)))
    for place, one in enumerate(tracks):
        if one.mid is not None:
            found[place] = _arc(one.start, one.mid, one.end)
    return found


def middle_places(lines: Geometries, count: NDArray[np.int_]) -> NDArray[np.float64]:
    """Places in the middle of so many equal steps along each line, one line after the other, shape (n, 2). [m]"""
    of = np.repeat(np.arange(len(lines)), count)
    share = (np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[of]
    ends = shapely.get_num_coordinates(lines).cumsum()
    spots = shapely.get_coordinates(lines)
    start, end = spots[np.concatenate([[0], ends[:-1]])[of]], spots[ends[of] - 1]
    places = start + share[:, None] * (end - start)
    bent = (np.diff(ends, prepend=0) > 2)[of]
    if bent.any():
        places[bent] = shapely.get_coordinates(
            shapely.line_interpolate_point(lines[of[bent]], share[bent], normalized=True))
    return np.asarray(places)


def least_distance(places: NDArray[np.float64], lines: Geometries) -> NDArray[np.float64]:
    """Distance of places, shape (n, 2), from the nearest of some lines [m]; places that follow each other lie near.

    Of places in a row only what may be the nearest to one of them is measured: what is not further from their middle
    than the nearest by twice their reach about it.
    """
    points, of = shapely.get_coordinates(lines, return_index=True)
    same = of[1:] == of[:-1]
    start, end = points[:-1][same], points[1:][same]
    rows = -(-len(places) // ROW)
    if rows * len(start) > FEW:
        _, distance = shapely.STRtree(lines).query_nearest(shapely.points(places), return_distance=True,
                                                           all_matches=False)
        return np.asarray(distance)
    row = places[np.minimum(np.arange(rows * ROW), len(places) - 1)].reshape(rows, ROW, 2)
    low, high = row.min(axis=1), row.max(axis=1)
    away = np.sqrt(square_distance(((low + high) / 2)[:, None], start, end))
    reach = np.hypot(*(high - low).T) / 2
    at, line = np.nonzero(away <= (away.min(axis=1) + 2 * reach + EQUAL)[:, None])
    near = square_distance(row[at], start[line][:, None], end[line][:, None])
    least = np.minimum.reduceat(near, np.searchsorted(at, np.arange(rows)), axis=0)
    return np.asarray(np.sqrt(least.reshape(-1)[: len(places)]))


def square_distance(
    places: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Squared distance of places from straight lines, the last axis of each are coordinates. [m2]"""
    along = end - start
    length = np.maximum(along[..., 0] ** 2 + along[..., 1] ** 2, 1e-30)
    x, y = places[..., 0] - start[..., 0], places[..., 1] - start[..., 1]
    share = np.clip((x * along[..., 0] + y * along[..., 1]) / length, 0.0, 1.0)
    x -= share * along[..., 0]
    y -= share * along[..., 1]
    return np.asarray(x * x + y * y)


@lru_cache(maxsize=4096)
def _arc(start: Point, mid: Point, end: Point) -> Any:
    """Chords of an arc, of about a kilobyte: each is asked for by several measures, one after the other."""
    return shapely.LineString(flattened(start, mid, end, sag=SAG))


def spots(points: Sequence[Point]) -> Geometries:
    """Points."""
    return np.asarray(shapely.points(np.array(points, dtype=float).reshape(-1, 2)))


def area_of(shape: PadShape) -> Any:
    """Copper of a pad."""
    x, y, r = shape.width / 2 - shape.radius, shape.height / 2 - shape.radius, shape.radius
    cos, sin = math.cos(shape.angle), math.sin(shape.angle)
    cx, cy = shape.centre

    def turned(u: float, v: float) -> Point:
        return cx + u * cos - v * sin, cy + u * sin + v * cos

    corners = [turned(-x, -y), turned(x, -y), turned(x, y), turned(-x, y)]
    made = [shapely.Polygon(corners) if min(x, y) > 1e-9 else shapely.LineString([corners[0], corners[2]])
            if max(x, y) > 1e-9 else shapely.Point(cx, cy)] if shape.width > 0 and shape.height > 0 else []
    if made and r > 0:
        made = [shapely.buffer(made[0], r, quad_segs=CORNER)]
    rings = [shapely.make_valid(shapely.Polygon(ring)) for ring in shape.rings if len(ring) > 2]
    return shapely.union_all([*made, *rings])


def boxes_of(shapes: Sequence[PadShape]) -> Geometries:
    """A box round the copper of each of some pads."""
    turn, half = np.array([one.angle for one in shapes]), np.array([(one.width, one.height) for one in shapes]) / 2
    cos, sin = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    reach = np.stack([cos, sin, sin, cos], axis=1).reshape(-1, 2, 2) @ half.reshape(-1, 2, 1)
    centre = np.array([one.centre for one in shapes]).reshape(-1, 2)
    bounds = np.concatenate([centre - reach[:, :, 0] - SAG, centre + reach[:, :, 0] + SAG], axis=1)
    for place, one in enumerate(shapes):
        for ring in filter(None, one.rings):
            low, high = np.min(ring, axis=0), np.max(ring, axis=0)
            bounds[place] = *np.minimum(bounds[place, :2], low), *np.maximum(bounds[place, 2:], high)
    return np.asarray(shapely.box(*bounds.T))


def hole_of(pad: PartPad) -> tuple[Any, float]:
    """Axis of the hole of a pad, a point or the middle line of a slot, and the distance of its wall [m]."""
    width, length = pad.drill
    half = abs(length - width) / 2
    if half < 1e-9:
        return shapely.Point(pad.at), width / 2
    angle = (pad.shapes[0][1].angle if pad.shapes else 0.0) + (math.pi / 2 if length > width else 0.0)
    dx, dy = half * math.cos(angle), half * math.sin(angle)
    (x, y) = pad.at
    return shapely.LineString([(x - dx, y - dy), (x + dx, y + dy)]), min(width, length) / 2


def depth(axis: Any, area: Any) -> float:
    """Distance of the axis of a hole from the edge of the copper round it; zero where it lies outside. [m]"""
    return float(shapely.distance(axis, shapely.boundary(area))) if shapely.covers(area, axis) else 0.0


def chunks(ring: Sequence[Point]) -> Geometries:
    """The line of a closed ring in pieces."""
    points = np.array([*ring, ring[0]])
    starts = range(0, len(ring), CHUNK)
    at = [np.arange(start, min(start + CHUNK, len(ring)) + 1) for start in starts]
    of = np.repeat(np.arange(len(starts)), [len(one) for one in at])
    return np.asarray(shapely.linestrings(points[np.concatenate(at)], indices=of))


def inside(rings: Sequence[Sequence[Point]], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie in any of some rings, which may touch themselves."""
    found = np.zeros(len(points), dtype=bool)
    for ring in rings:
        one = shapely.Polygon(ring)
        shapely.prepare(one)
        found |= shapely.contains_xy(one, points[:, 0], points[:, 1])
    return found


def nearest(ones: PlanarCopper, others: PlanarCopper | None = None) -> Nearest | None:
    """The two pieces of different nets that are nearest to each other; None where there are none.

    Parameters
    ----------
    ones, others : PlanarCopper
        One piece is of either; without ``others`` both are of ``ones``.
    """
    with_ = ones if others is None else others
    if not len(ones.lines) or not len(with_.lines):
        return None
    far = FIRST
    while True:
        first, second = shapely.STRtree(with_.boxes(far / 2)).query(ones.boxes(far / 2))
        apart = ones.nets[first] != with_.nets[second]
        if others is None:
            apart &= first < second
        first, second = first[apart], second[apart]
        distance = shapely.distance(ones.lines[first], with_.lines[second]) - ones.reach[first] - with_.reach[second]
        if distance.min(initial=np.inf) <= far:
            break
        if far >= FAR:
            return None
        far *= 4
    equal = np.flatnonzero(distance <= distance.min() + EQUAL)
    order = first[equal] * len(with_.lines) + second[equal]
    place = equal[np.flatnonzero(order == order.min())[0]]
    one, other = int(first[place]), int(second[place])
    return Nearest(one, other, float(distance[place]), _between(ones.lines[one], with_.lines[other]))


def _between(one: Any, other: Any) -> Point:
    (x, y), (u, v) = shapely.get_coordinates(shapely.shortest_line(one, other))
    return (float(x) + float(u)) / 2, (float(y) + float(v)) / 2
