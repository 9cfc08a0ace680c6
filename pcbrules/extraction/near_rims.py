# SPDX-License-Identifier: MIT
"""Which parts of a line lie near some edges: exact, since the distance from a straight edge grows convexly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.layout.arcs import Point

Floats = NDArray[np.float64]

FEW = 1_000_000
"""Pairs of a piece of a line and an edge up to which the boxes of all are compared: a tree of the edges takes longer.
"""


@dataclass(frozen=True, slots=True)
class Circles:
    """Places, shape (n, 2), and radii, shape (n,). [m]"""

    centres: Floats
    radii: Floats

    @classmethod
    def of(cls, circles: Sequence[tuple[Point, float]]) -> Circles:
        """Of centres and radii."""
        centres = np.array([at for at, _ in circles], dtype=float).reshape(-1, 2)
        return cls(centres, np.array([one for _, one in circles], dtype=float))

    def wider(self, by: float) -> Circles:
        """The same with greater radii. [m]"""
        return Circles(self.centres, self.radii + by)


def segments(lines: Any) -> Floats:
    """Straight pieces of some lines, shape (n, 2, 2). [m]"""
    points, of = shapely.get_coordinates(lines, return_index=True)
    same = of[1:] == of[:-1]
    return np.asarray(np.stack([points[:-1][same], points[1:][same]], axis=1))


def near_edges(line: Any, edges: Floats, reaches: Sequence[float]) -> list[Floats]:
    """Intervals along a line that lie within each of some distances of straight edges.

    Parameters
    ----------
    line : LineString
    edges : ndarray, shape (m, 2, 2)
        Each has a length. [m]
    reaches : sequence of float
        [m]

    Returns
    -------
    list of ndarray, shape (k, 2)
        For each distance beginnings and ends along the line, apart and rising. [m]
    """
    own = segments(line)
    if not len(edges) or not len(own):
        return [np.empty((0, 2)) for _ in reaches]
    first, second = _close(own, edges, max(reaches))
    lengths = np.hypot(*(own[:, 1] - own[:, 0]).T)
    starts = (np.cumsum(lengths) - lengths)[first]
    found = _within(own[first], edges[second], np.array(reaches))
    return [joined((starts[:, None] + one)[one[:, 1] > one[:, 0]]) for one in found]


def _close(own: Floats, edges: Floats, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Places of pieces and of edges that may be within a distance of each other."""
    if len(own) * len(edges) > FEW:
        tree = shapely.STRtree(np.asarray(shapely.linestrings(edges)))
        first, second = tree.query(shapely.linestrings(own), predicate="dwithin", distance=reach)
        return first, second
    low, high = own.min(axis=1) - reach, own.max(axis=1) + reach
    least, most = edges.min(axis=1), edges.max(axis=1)
    met = low[:, None, 0] <= most[:, 0]
    met &= high[:, None, 0] >= least[:, 0]
    met &= low[:, None, 1] <= most[:, 1]
    met &= high[:, None, 1] >= least[:, 1]
    first, second = np.nonzero(met)
    return first, second


def near_points(line: Any, circles: Circles) -> Floats:
    """Intervals along a line that lie in circles, as ``near_edges`` gives them."""
    own = segments(line)
    if not len(circles.radii) or not len(own):
        return np.empty((0, 2))
    lengths = np.hypot(*(own[:, 1] - own[:, 0]).T)
    starts = np.cumsum(lengths) - lengths
    away = np.maximum(own.min(axis=(0, 1)) - circles.centres, circles.centres - own.max(axis=(0, 1))).max(axis=1)
    met = np.flatnonzero(away <= circles.radii)
    count = len(met)
    centres, reach = np.repeat(circles.centres[met], len(own), axis=0), np.repeat(circles.radii[met], len(own))
    ends = _in_disc(np.tile(own, (count, 1, 1)), centres, reach)
    some = ends[:, 1] > ends[:, 0]
    return joined(np.tile(starts, count)[some, None] + ends[some])


def joined(intervals: Floats) -> Floats:
    """Intervals, shape (n, 2), that overlap or touch as one; rising."""
    if not len(intervals):
        return np.empty((0, 2))
    # complex numbers rise by their real part, then by the other
    rising = np.sort(np.ascontiguousarray(intervals, dtype=float).view(complex).ravel()).view(float).reshape(-1, 2)
    reached = np.maximum.accumulate(rising[:, 1])
    new = np.concatenate([[True], rising[1:, 0] > reached[:-1] + 1e-9])
    firsts = np.flatnonzero(new)
    lasts = np.concatenate([firsts[1:] - 1, [len(rising) - 1]])
    return np.stack([rising[firsts, 0], reached[lasts]], axis=1)


def without(intervals: Floats, others: Floats) -> Floats:
    """What is left of intervals where others are taken away; both apart and rising."""
    found = []
    for start, end in intervals.tolist():
        for low, high in others.tolist():
            if high <= start or low >= end:
                continue
            if low > start:
                found.append((start, low))
            start = max(start, high)
            if start >= end:
                break
        if start < end:
            found.append((start, end))
    return np.array(found).reshape(-1, 2)


def _within(own: Floats, edges: Floats, reaches: Floats) -> Floats:
    """Where each piece, from its start, lies within distances of its edge: of the discs at its ends and the strip.

    That set is convex, so that it meets a straight piece in one interval, shape (distances, n, 2); an empty one ends
    where it starts. [m]
    """
    reach = reaches[:, None]
    parts = np.stack([_in_strip(own, edges, reach), _in_disc(own, edges[:, 0], reach),
                      _in_disc(own, edges[:, 1], reach)])
    empty = parts[..., 1] <= parts[..., 0]
    low = np.where(empty, np.inf, parts[..., 0]).min(axis=0)
    high = np.where(empty, -np.inf, parts[..., 1]).max(axis=0)
    none = low > high
    return np.stack([np.where(none, 0.0, low), np.where(none, 0.0, high)], axis=-1)


def _in_disc(own: Floats, centres: Floats, reach: Floats) -> Floats:
    """Within a distance of the centre of each piece; several distances are rows."""
    along = own[:, 1] - own[:, 0]
    length = np.maximum(np.hypot(*along.T), 1e-15)
    unit = along / length[:, None]
    to = centres - own[:, 0]
    middle = (to * unit).sum(axis=1)
    across = to[:, 0] * unit[:, 1] - to[:, 1] * unit[:, 0]
    half = np.sqrt(np.maximum(reach**2 - across**2, 0.0))
    met = np.abs(across) <= reach
    return np.stack([np.where(met, np.clip(middle - half, 0.0, length), 0.0),
                     np.where(met, np.clip(middle + half, 0.0, length), 0.0)], axis=-1)


def _in_strip(own: Floats, edges: Floats, reach: Floats) -> Floats:
    """Within the rectangle over an edge, as wide as each distance on either side."""
    edge = edges[:, 1] - edges[:, 0]
    size = np.maximum(np.hypot(*edge.T), 1e-15)
    unit = edge / size[:, None]
    along = own[:, 1] - own[:, 0]
    length = np.maximum(np.hypot(*along.T), 1e-15)
    step = along / length[:, None]
    to = own[:, 0] - edges[:, 0]
    low, high = np.zeros(len(own)), length.copy()
    for axis, least, most in ((unit, np.zeros(len(own)), size),
                              (np.stack([-unit[:, 1], unit[:, 0]], axis=1), -reach, reach)):
        begin, slope = (to * axis).sum(axis=1), (step * axis).sum(axis=1)
        still = np.abs(slope) < 1e-12
        slope = np.where(still, 1.0, slope)
        first, second = (least - begin) / slope, (most - begin) / slope
        out = still & ((begin < least) | (begin > most))
        low = np.maximum(low, np.where(still, np.where(out, np.inf, low), np.minimum(first, second)))
        high = np.minimum(high, np.where(still, np.where(out, -np.inf, high), np.maximum(first, second)))
    none = high <= low
    return np.stack([np.where(none, 0.0, low), np.where(none, 0.0, high)], axis=-1)
