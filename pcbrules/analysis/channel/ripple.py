# SPDX-License-Identifier: MIT
"""How high a curve that ripples may be between the points of its grid."""

from __future__ import annotations

import numpy as np

from pcbrules.analysis.common.parabola import between, vertex
from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_greatest

DEPTH = 3.0
"""A ripple with three points or more falls below the lowest of them by at most the second difference over this:
(1 - cos 60 deg) / (2 cos 60 deg (1 - cos 120 deg))."""

EQUAL = 1e-6
"""Relative difference of two steps up to which they are equal [-]."""


def highest_between(frequency: Real, curve: Real) -> float:
    """Return a bound on how high a curve that ripples may be between its points.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Rising; three points in a ripple or more. [Hz]
    curve : ndarray, shape (n,)
        Its values, of any unit.

    Returns
    -------
    float
        The highest point, or more: the summit above each by ``DEPTH`` where the points beside it are as far from it
        on either side. Round a stub resonance they are not: it is a point itself.
    """
    step = np.diff(frequency)
    bend = 2 * curve[1:-1] - curve[:-2] - curve[2:]
    top = (curve[1:-1] >= curve[:-2]) & (curve[1:-1] >= curve[2:]) & (abs(step[1:] - step[:-1]) < 1e-6 * step[1:])
    return float(np.max(curve[1:-1] + np.where(top, bend / DEPTH, 0.0), initial=float(curve.max())))


def highest(frequency: Real, curve: Real) -> tuple[int, float]:
    """Return the highest point of a curve and its summit, by the parabola through that point and its neighbours.

    Round a stub resonance, where the points are not as far apart on either side, the summit is the point itself.
    """
    at = first_greatest(curve)
    before, after = np.diff(frequency[max(at - 1, 0) : at + 2])[[0, -1]]
    even = 0 < at < len(curve) - 1 and abs(after - before) < EQUAL * after
    return at, between(curve, at, vertex(curve, at)) if even else float(curve[at])
