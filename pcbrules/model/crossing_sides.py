# SPDX-License-Identifier: MIT
"""Polygons whose sides cross."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Real

ROWS = 256
"""Sides that are compared with all others at once."""


def crosses_itself(places: tuple[tuple[float, float], ...]) -> bool:
    """True if a side properly crosses another."""
    starts = np.array(places)
    ends = np.roll(starts, -1, axis=0)
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    for first in range(0, len(starts) - 2, ROWS):  # sides whose rectangles meet: few of a large polygon do
        own = slice(first, first + ROWS)
        near = (low[own, None] <= high).all(axis=2) & (high[own, None] >= low).all(axis=2)
        one, other = np.nonzero(np.triu(near, first + 2))
        a, b, c, d = starts[own][one], ends[own][one], starts[other], ends[other]
        if (_turn(a, b, c) * _turn(a, b, d) < 0) @ (_turn(c, d, a) * _turn(c, d, b) < 0):
            return True
    return False


def _turn(p: Real, q: Real, r: Real) -> Real:
    """Twice the area of triangles, with the sign of their sense. [m2]"""
    return np.asarray((q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1])
                      - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0]))
