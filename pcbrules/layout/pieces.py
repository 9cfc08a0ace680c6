# SPDX-License-Identifier: MIT
"""Stretches of tracks: where a point lies along one, and the point at a place along it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pcbrules.layout.arcs import Point, sweep
from pcbrules.layout.copper import Track


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a track, from one share of its length to another; backwards where the first is the greater."""

    track: Track
    first: float = 0.0
    last: float = 1.0

    @property
    def length(self) -> float:
        """[m]"""
        return self.track.length * abs(self.last - self.first)

    def at(self, share: float) -> Point:
        """The point at a share of this stretch. [m]"""
        return along(self.track, self.first + (self.last - self.first) * share)

    def from_share(self, share: float) -> Piece:
        """What is left of it from a share of this stretch."""
        return Piece(self.track, self.first + (self.last - self.first) * share, self.last)

    def cut(self) -> Track:
        """A track of its own as long as this stretch, in the direction of its track."""
        first, last = min(self.first, self.last), max(self.first, self.last)
        if (first, last) == (0.0, 1.0):
            return self.track
        mid = None if self.track.mid is None else along(self.track, (first + last) / 2)
        return replace(self.track, start=along(self.track, first), end=along(self.track, last), mid=mid)

    def reversed(self) -> Piece:
        """The same stretch from its other end."""
        return Piece(self.track, self.last, self.first)


def along(track: Track, share: float) -> Point:
    """The point of a centre line at a share of its length. [m]"""
    if share in (0.0, 1.0):
        return track.end if share else track.start
    arc = sweep(track.start, track.mid, track.end) if track.mid else None
    if arc is None:
        return (track.start[0] + (track.end[0] - track.start[0]) * share,
                track.start[1] + (track.end[1] - track.start[1]) * share)
    centre, radius, first, turn = arc
    return centre[0] + radius * math.cos(first + turn * share), centre[1] + radius * math.sin(first + turn * share)


def nearest(track: Track, point: Point) -> tuple[float, float]:
    """Share of the length at which a centre line is nearest to a point, and the distance there. [-], [m]"""
    arc = sweep(track.start, track.mid, track.end) if track.mid else None
    if arc is None:
        dx, dy = track.end[0] - track.start[0], track.end[1] - track.start[1]
        square = dx * dx + dy * dy
        share = ((point[0] - track.start[0]) * dx + (point[1] - track.start[1]) * dy) / square if square else 0.0
        share = min(1.0, max(0.0, share))
    else:
        centre, _, first, turn = arc
        angle = math.atan2(point[1] - centre[1], point[0] - centre[0]) - first
        share = (angle % (2 * math.pi)) / turn if turn > 0 else (-angle % (2 * math.pi)) / -turn
        if share > 1:
            share = 0.0 if math.dist(point, track.start) < math.dist(point, track.end) else 1.0
    return share, math.dist(point, along(track, share))
