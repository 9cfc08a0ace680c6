# SPDX-License-Identifier: MIT
"""Points in units of standard deviations: a Latin hypercube, independent normal factors."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from pcbrules.arrays import Real


def latin_hypercube(samples: int, factors: int, seed: int) -> Real:
    """Normal points of which every factor has one in each of so many equal parts; shape (samples, factors)."""
    chance = np.random.default_rng(seed)
    cells = chance.permuted(np.tile(np.arange(samples)[:, None], factors), axis=0)
    return np.asarray(ndtri((cells + chance.random((samples, factors))) / samples))
