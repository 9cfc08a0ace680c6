# SPDX-License-Identifier: MIT
"""Stretches of a pair that run near the edge of their plane, or of a void in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.extraction.near_rims import Circles, Floats, joined, near_edges, near_points, segments, without
from pcbrules.extraction.planar import lines_of
from pcbrules.extraction.plane_sheet import NearRims, PlaneSheet
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Track
from pcbrules.physics.common.extremes import first_least

LOOKED = 20e-6
"""Distance of the places over a void at which its edge is looked for. [m]"""

SHORTEST = 20e-6
"""Stretches shorter than this are none. [m]"""

HEIGHTS = 3.0
"""Heights from the edge of its plane beyond which a trace does not see it; ruling of the rule on gaps. [-]"""


@dataclass(frozen=True, slots=True)
class PlaneEdge:
    """A stretch of a leg whose edge is nearer than one height to the edge of its plane.

    Attributes
    ----------
    net : str
    start, middle, end : tuple of float
        [m]
    length : float
        [m]
    distance : float
        The smallest from the edge of the trace to the edge of the copper; less than zero over a void. [m]
    """

    net: str
    start: Point
    middle: Point
    end: Point
    length: float
    distance: float


@dataclass(frozen=True, slots=True)
class LegNearEdge:
    """How much of a leg is nearer than one height and than ``HEIGHTS`` to an edge [m], and where it is within one.

    ``beside`` has, of each stretch over whole copper that is as near as that along ``HEIGHTS`` heights or more, these
    heights that are nearest to an edge all along, with the greatest distance among them, and the length of the whole
    stretch: what comes nearer on a shorter way the field hardly sees, and up to ``HEIGHTS`` heights beyond the circles
    the opening is that of an own via or pad.
    """

    net: str
    within_one: float
    within_three: float
    stretches: tuple[PlaneEdge, ...]
    beside: tuple[PlaneEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class LegLine:
    """A centre line of a leg on one layer, and what of it lies near own vias and pads.

    These are intervals along it, shape (n, 2). [m]
    """

    line: Any
    own: Floats


def lines_of_leg(tracks: Sequence[Track], circles: Circles) -> list[LegLine]:
    """Centre lines of tracks on one layer, joined, doubled ones once; ``circles`` lie round own vias and pads."""
    joined_lines = shapely.line_merge(shapely.union_all(lines_of(tracks)))
    return [LegLine(line, near_points(line, circles)) for line in shapely.get_parts(joined_lines) if line.length > 0]


def leg_near_edge(
    net: str, lines: Mapping[float, Sequence[LegLine]], circles: Circles, sheet: PlaneSheet, height: float,
    bare_of: Callable[[Any], Floats],
) -> LegNearEdge:
    """Measure a leg on one layer over its plane.

    Parameters
    ----------
    net : str
    lines : mapping
        Of the leg on the layer, by the width of the tracks [m].
    circles : Circles
        Places round own vias and pads that are left out.
    sheet : PlaneSheet
    height : float
        Between the facing surfaces of trace and plane. [m]
    bare_of : callable
        Parts of a line that lie over no copper of the sheet, as intervals along it, shape (n, 2). [m]
    """
    one = three = 0.0
    found: list[PlaneEdge] = []
    beside: list[PlaneEdge] = []
    length = HEIGHTS * height
    for width, each in ((width, each) for width, some in lines.items() for each in some):
        line = each.line
        reach = width / 2 + height, width / 2 + HEIGHTS * height
        bare, rims = bare_of(line), sheet.rims_near(line, reach[1])
        edges = segments(rims.tree.geometries)
        near, far = (without(joined(np.concatenate([one, bare])), each.own) for one in near_edges(line, edges, reach))
        one += _length(near)
        three += _length(far)
        found += _stretches(net, line, near, sheet, rims, width)
        clear = _clear_of(far, bare)
        if _long(clear, length).any():
            around = near_points(line, circles.wider(length))
            beside += _beside(net, line, without(clear, around), sheet, rims, width, length)
    return LegNearEdge(net, one, three, tuple(found), tuple(beside))


def _length(intervals: Floats) -> float:
    return float((intervals[:, 1] - intervals[:, 0]).sum())


def _long(intervals: Floats, length: float) -> NDArray[np.bool_]:
    """Which intervals have a length at least."""
    return np.asarray(intervals[:, 1] - intervals[:, 0] >= length)


def _clear_of(near: Floats, bare: Floats) -> Floats:
    """Those intervals in which no copper is missing under the line: the others are gaps already."""
    return near[[not bool(((bare[:, 0] < end) & (bare[:, 1] > start)).any()) for start, end in near.tolist()]]


def _beside(
    net: str, line: Any, near: Floats, sheet: PlaneSheet, rims: NearRims, width: float, length: float
) -> Iterator[PlaneEdge]:
    """Of each interval the part of that length whose greatest distance from an edge is the least."""
    count = max(2, math.ceil(length / LOOKED) + 1)
    for start, end in near[_long(near, length)].tolist():
        places = np.linspace(start, end, max(count, math.ceil((end - start) / LOOKED) + 1))
        away = sheet.rim_distance(shapely.line_interpolate_point(line, places), rims)
        greatest = np.lib.stride_tricks.sliding_window_view(away, count).max(axis=1)
        first = first_least(greatest)
        spots = shapely.line_interpolate_point(line, places[[first, first + count // 2, first + count - 1]])
        begin, middle, stop = (tuple(at) for at in shapely.get_coordinates(spots).tolist())
        yield PlaneEdge(net, begin, middle, stop, end - start, float(greatest[first]) - width / 2)


def _stretches(
    net: str, line: Any, near: Floats, sheet: PlaneSheet, rims: NearRims, width: float
) -> Iterator[PlaneEdge]:
    for start, end in near.tolist():
        if end - start < SHORTEST:
            continue
        spots = shapely.line_interpolate_point(line, [start, (start + end) / 2, end])
        first, middle, last = (tuple(at) for at in shapely.get_coordinates(spots).tolist())
        places = np.linspace(start, end, max(2, math.ceil((end - start) / LOOKED) + 1))
        points = shapely.line_interpolate_point(line, places)
        over = sheet.net_at(shapely.get_coordinates(points)) >= 0
        away = sheet.rim_distance(points, rims)
        yield PlaneEdge(net, first, middle, last, end - start, float(np.where(over, away, -away).min()) - width / 2)
