# SPDX-License-Identifier: MIT
"""Parts that hang on a leg without being its end: where along the tracks they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pcbrules.layout.arcs import Point
from pcbrules.layout.pieces import Piece, nearest
from pcbrules.ties import least_of


def share_at(pieces: Sequence[Piece], length: float, points: Sequence[Point]) -> tuple[float, float]:
    """Share of a leg at which its tracks are nearest to any of some pads, and how far that pad is. [-], [m]

    Half of what the leg is longer than its tracks lies in the pad, or at the via, at either end.
    """
    found: list[tuple[float, float]] = []
    before = (length - math.fsum(one.length for one in pieces)) / 2
    for piece in pieces:
        for point in points:
            share, _ = nearest(piece.track, point)
            low, high = sorted((piece.first, piece.last))
            inside = min(max(share, low), high)
            along = abs(inside - piece.first) * piece.track.length
            at = piece.at(along / piece.length) if piece.length else piece.at(0.0)
            found.append(((before + along) / length if length else 0.0, math.dist(at, point)))
        before += piece.length
    return least_of(found, key=lambda one: one[1], default=(0.0, math.inf))
