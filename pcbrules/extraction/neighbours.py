# SPDX-License-Identifier: MIT
"""Traces of other nets that run beside a pair on its own layer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.extraction.planar import Geometries, lines_of, middle_places, square_distance
from pcbrules.extraction.reference import ReferenceLayer, height_between
from pcbrules.layout.arcs import Point, sweep
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout
from pcbrules.physics.common.extremes import first_least
from pcbrules.ties import ordered

HEIGHTS = 3.0
"""A trace nearer than this many heights over the plane is a neighbour; practice. [-]"""

TURNED = np.radians(15.0)
"""Traces whose directions differ by no more run side by side; practice. [rad]"""

STEP = 20e-6
"""Distance of the places along a trace that are looked at. [m]"""

AT_ONCE = 1_000_000
"""Places that are looked at together: an arc over a whole board has millions beside all tracks of its layer."""

LEAST = 0.1e-3
"""Neighbours along less than this, both legs counted apart, are left out. [m]"""

OUTWARDS = np.array([-1.0, -1.0, 1.0, 1.0])
"""Direction in which each bound of a box is further out. [-]"""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DrawnNeighbour:
    """A net beside a pair on one layer.

    Attributes
    ----------
    net, layer : str
    limit : float
        Spacing from edge to edge below which it counts. [m]
    spacing, mean : float
        The smallest, and the mean over what runs side by side. [m]
    at : tuple of float
        On the leg, where it is smallest.
    along_p, along_n : float
        Length of either leg that it runs beside. [m]
    """

    net: str
    layer: str
    limit: float
    spacing: float
    mean: float
    at: Point
    along_p: float
    along_n: float


@dataclass(frozen=True, slots=True)
class _Traces:
    """Tracks of a layer: centre lines, their ends and bounds [m], half of the widths [m], places of their nets, lengths
    [m], and their directions.

    ``angle`` is that of a straight track [rad]; of an arc ``centre`` counts, not-a-number else [m].
    """

    lines: Geometries
    ends: Floats
    bounds: Floats
    half: Floats
    net: NDArray[np.int_]
    length: Floats
    angle: Floats
    centre: Floats

    def direction(self, track: NDArray[np.int_], points: Floats) -> Floats:
        """Direction of tracks where they are nearest to points, shape (n, 2). [rad]"""
        found = self.angle[track]
        bent = np.flatnonzero(~np.isnan(self.centre[track, 0]))
        lines, spots = self.lines[track[bent]], shapely.points(points[bent])
        facing = shapely.line_interpolate_point(lines, shapely.line_locate_point(lines, spots))
        away = shapely.get_coordinates(facing) - self.centre[track[bent]]
        found[bent] = np.arctan2(away[:, 1], away[:, 0]) + np.pi / 2
        return found

    def away(self, track: NDArray[np.int_], points: Floats) -> Floats:
        """Distance of points, shape (n, 2), from the centre lines of tracks. [m]"""
        bent = np.flatnonzero(~np.isnan(self.centre[track, 0]))
        found = np.sqrt(square_distance(points, self.ends[track, 0], self.ends[track, 1]))
        found[bent] = shapely.distance(self.lines[track[bent]], shapely.points(points[bent]))
        return found


@dataclass(frozen=True, slots=True)
class Facing:
    """Places along some tracks, and the strange tracks beside them.

    Attributes
    ----------
    points, steps, legs : ndarray
        Of each place: where it is, shape (n, 2) [m], the length that it stands for [m], number of its net.
    sample, nets, space : ndarray
        Of each track beside a place: the place, number of the track's net, spacing from edge to edge [m].
    """

    points: Floats
    steps: Floats
    legs: NDArray[np.int_]
    sample: NDArray[np.int_]
    nets: NDArray[np.int_]
    space: Floats


class NeighbourSearch:
    """All tracks of a layout, by layer, for looking beside some of them."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.nets = tuple(dict.fromkeys(track.net for track in layout.tracks))
        self.number = {net: place for place, net in enumerate(self.nets)}
        own = {one.name: [track for track in layout.tracks if track.layer == one.name and _is_long(track)]
               for one in layout.copper}
        self.layers = {name: _traces(tracks, self.number) for name, tracks in own.items()}
        self._places = {track: place for tracks in own.values() for place, track in enumerate(tracks)}
        self._trees = {name: shapely.STRtree(one.lines) for name, one in self.layers.items()}

    def limit(self, layer: str, planes: Sequence[ReferenceLayer]) -> float | None:
        """Spacing up to which something is a neighbour of a pair with these planes; None without a height. [m]"""
        return _limit(self.layout, layer, planes)

    def tracks(self, tracks: Iterable[Track]) -> NDArray[np.int_]:
        """Numbers of tracks of one layer."""
        return np.array([self._places[one] for one in tracks if one in self._places], dtype=int)

    def facing(
        self, layer: str, mine: NDArray[np.int_], other_layer: str, without: Iterable[str], limit: float
    ) -> Facing:
        """What runs beside some tracks of a layer, on that layer or over them on another one, but for some nets."""
        pieces, others = self.layers[layer], self.layers[other_layer]
        strange = np.ones(len(self.nets), dtype=bool)
        strange[[self.number[net] for net in without if net in self.number]] = False
        count = np.maximum(1, np.rint(pieces.length[mine] / STEP).astype(int))
        of = np.repeat(mine, count)
        points, steps = middle_places(pieces.lines[mine], count), np.repeat(pieces.length[mine] / count, count)
        reach = limit + pieces.half + others.half.max(initial=0.0)
        own, other = self._trees[other_layer].query(_grown(pieces.bounds[mine], reach[mine]))
        kept = strange[others.net[other]]
        around = others.bounds[other[kept]] + reach[mine[own[kept]], None] * OUTWARDS
        pair, sample = _within(points, count, own[kept], around, np.isnan(pieces.centre[mine, 0]))
        other = other[kept][pair]
        space = others.away(other, points[sample]) - others.half[other] - pieces.half[of[sample]]
        near = np.flatnonzero(space < limit)
        near = near[np.unique(sample[near] * len(others.lines) + other[near], return_index=True)[1]]  # along the tracks
        sample, other, space = sample[near], other[near], space[near]
        turned = pieces.direction(of[sample], points[sample]) - others.direction(other, points[sample])
        along = np.abs((turned + np.pi / 2) % np.pi - np.pi / 2) <= TURNED
        return Facing(points, steps, pieces.net[of], sample[along], others.net[other[along]], space[along])


def _grown(bounds: Floats, reach: Floats) -> Geometries:
    """Boxes that reach further on all sides."""
    return np.asarray(shapely.box(*(bounds + reach[:, None] * OUTWARDS).T))


def _within(
    points: Floats, count: NDArray[np.int_], own: NDArray[np.intp], boxes: Floats, straight: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of pairs of a track and a box: the pair, by its number, and the place of each point of the track in the box.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        At equal steps along tracks, one track after the other. [m]
    count : ndarray of int
        Points of each track.
    own : ndarray of int, shape (k,)
        Track of each pair.
    boxes : ndarray, shape (k, 4)
        Bounds of each pair. [m]
    straight : ndarray of bool
        Of each track.
    """
    first = np.cumsum(count) - count
    low, high = np.zeros(len(own), dtype=int), count[own]
    line = straight[own] & (high > 1)
    begin, end = points[first[own[line]]], points[first[own[line]] + high[line] - 1]
    step = (end - begin) / (high[line] - 1)[:, None]
    corners = boxes[line][:, [[0, 1], [0, 3], [2, 1], [2, 3]]] - begin[:, None]
    along = (corners * step[:, None]).sum(axis=2) / (step**2).sum(axis=1)[:, None]
    low[line] = np.clip(np.floor(along.min(axis=1)), 0, high[line])
    high[line] = np.clip(np.ceil(along.max(axis=1)) + 1, 0, high[line])
    many, start = np.maximum(high - low, 0), first[own] + low
    total = np.cumsum(many)
    pairs, places = [], []
    for part in np.split(np.arange(len(own)), np.flatnonzero(np.diff(total // AT_ONCE)) + 1):
        pair = np.repeat(part, many[part])
        place = np.arange(len(pair)) + np.repeat(start[part] - np.cumsum(many[part]) + many[part], many[part])
        (x, y), box = points[place].T, boxes[pair]
        held = (x >= box[:, 0]) & (y >= box[:, 1]) & (x <= box[:, 2]) & (y <= box[:, 3])
        pairs.append(pair[held])
        places.append(place[held])
    return np.concatenate(pairs), np.concatenate(places)


def neighbours_of_pairs(
    layout: Layout, references: Sequence[Sequence[ReferenceLayer]]
) -> tuple[tuple[DrawnNeighbour, ...], ...]:
    """The neighbours of every pair, by layer from the top and by spacing; ``references`` are the pairs' planes."""
    search = NeighbourSearch(layout)
    found = []
    for pair, planes in zip(layout.pairs, references, strict=True):
        own = [search.number.get(one, -1) for one in (pair.p, pair.n)]
        made: list[DrawnNeighbour] = []
        for name, pieces in search.layers.items():
            limit = search.limit(name, planes)
            mine = np.flatnonzero((pieces.net == own[0]) | (pieces.net == own[1]))
            if limit is not None and len(mine):
                seen = search.facing(name, mine, name, (pair.p, pair.n), limit)
                made += ordered(_beside(seen, own, search.nets, name, limit), key=lambda one: one.spacing)
        found.append(tuple(made))
    return tuple(found)


def _is_long(track: Track) -> bool:
    return track.start != track.end or track.mid is not None


def _limit(layout: Layout, layer: str, planes: Sequence[ReferenceLayer]) -> float | None:
    """Three heights over the nearest plane, else over the nearest copper layer; None where no height is known. [m]"""
    heights = [one.height for one in planes if one.layer == layer and one.is_plane and one.height is not None]
    if not heights:
        order = [one.name for one in layout.copper]
        place = order.index(layer)
        heights = [height for other in (place - 1, place + 1) if 0 <= other < len(order)
                   for height in [height_between(layout.layers, *sorted((place, other)))] if height is not None]
    return HEIGHTS * min(heights) if heights else None


def _traces(tracks: Sequence[Track], number: dict[str, int]) -> _Traces:
    arcs = [sweep(one.start, one.mid, one.end) if one.mid is not None else None for one in tracks]
    lines = lines_of(tracks)
    return _Traces(
        lines, np.array([(one.start, one.end) for one in tracks]).reshape(-1, 2, 2),
        shapely.bounds(lines).reshape(-1, 4), np.array([one.width / 2 for one in tracks]),
        np.array([number[one.net] for one in tracks], dtype=int), np.array([one.length for one in tracks]),
        np.array([math.atan2(one.end[1] - one.start[1], one.end[0] - one.start[0]) for one in tracks]),
        np.array([(np.nan, np.nan) if arc is None else arc[0] for arc in arcs]).reshape(-1, 2),
    )


def _beside(
    seen: Facing, own: list[int], nets: Sequence[str], layer: str, limit: float
) -> Iterator[DrawnNeighbour]:
    for net in np.unique(seen.nets).tolist():  # of equal spacings the first in the order of the layout is first
        here = seen.nets == net
        least = np.full(len(seen.steps), np.inf)
        np.minimum.at(least, seen.sample[here], seen.space[here])
        beside = np.isfinite(least)
        along = [float(seen.steps[beside & (seen.legs == leg)].sum()) for leg in own]
        if max(along) < LEAST:
            continue
        place = first_least(least)
        x, y = seen.points[place].tolist()
        yield DrawnNeighbour(nets[net], layer, limit, float(least[place]),
                             float(np.average(least[beside], weights=seen.steps[beside])), (x, y), along[0], along[1])
