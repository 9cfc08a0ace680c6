# SPDX-License-Identifier: MIT
"""Least squares with non-negative unknowns (importing scipy.optimize for it would cost a third of a second)."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_greatest

TOLERANCE = 1e-10
"""Gradient, in units of its own scale, below which an unknown at zero stays there."""


def non_negative(rows: Real, target: Real) -> Real:
    """Vector x >= 0 with the smallest ``|rows x - target|``.

    Active sets after Lawson and Hanson, Solving Least Squares Problems, 1974, ch. 23.

    Parameters
    ----------
    rows : ndarray, shape (m, n)
        Matrix of the problem.
    target : ndarray, shape (m,)
        Right side.

    Returns
    -------
    ndarray, shape (n,)
        The minimiser.
    """
    count = rows.shape[1]
    x = np.zeros(count)
    free = np.zeros(count, dtype=bool)
    scale = TOLERANCE * np.linalg.norm(rows, axis=0) * max(float(np.linalg.norm(target)), 1e-300)
    for _ in range(10 * count):
        gain = np.where(free, -np.inf, rows.T @ (target - rows @ x) - scale)
        entering = first_greatest(gain)
        if gain[entering] <= 0:
            break
        free[entering] = True
        while True:
            trial = np.zeros(count)
            trial[free] = np.linalg.lstsq(rows[:, free], target, rcond=None)[0]
            crossed = free & (trial <= 0)
            if not crossed.any():
                x = trial
                break
            steps = x[crossed] / (x[crossed] - trial[crossed])
            x = x + float(np.min(steps)) * (trial - x)
            free &= x > 1e-14 * float(np.max(x))
            x[~free] = 0.0
            if not free.any():
                break
    return x
