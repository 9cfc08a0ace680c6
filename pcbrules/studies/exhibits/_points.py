# SPDX-License-Identifier: MIT
"""Fewer points for the same picture."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.extremes import first_greatest

Points = tuple[tuple[float, ...], tuple[float, ...]]
"""Places of the points of a curve along x and along y."""

STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def thinned(x: ArrayLike, y: ArrayLike, *, tolerance: float) -> Points:
    """A curve with only the points that keep it within ``tolerance`` of where it was, counted along y.

    Both ends stay, and so does every peak that is higher than the tolerance (Douglas and Peucker, 1973).
    """
    u, v = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    kept = {0, len(u) - 1}
    spans = [(0, len(u) - 1)]
    while spans:
        a, b = spans.pop()
        if b - a < 2:
            continue
        slope = (v[b] - v[a]) / (u[b] - u[a])
        off = np.abs(v[a + 1 : b] - v[a] - slope * (u[a + 1 : b] - u[a]))
        worst = a + 1 + first_greatest(off)
        if off[worst - a - 1] > tolerance:
            kept.add(worst)
            spans += [(a, worst), (worst, b)]
    order = sorted(kept)
    return tuple(u[order].tolist()), tuple(v[order].tolist())


def round_up(value: float) -> float:
    """The next number at which an axis may end: one of ``STEPS``, times ten to a power."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in STEPS if step * power >= value * (1 - 1e-9))
