# SPDX-License-Identifier: MIT
"""Types of arrays that all numerics share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Flags = NDArray[np.bool_]
Index = NDArray[np.intp]
Whole = NDArray[np.int64]

SAME_PLACE = 3e-10
"""Part of a number by which places that were searched for differ from processor to processor at most [-]."""


def distinct(places: Real) -> Real:
    """Return places in rising order, each once: of those that are equal but for rounding the first.

    >>> distinct(np.array([3.0, 1.0, 1.0 + 1e-12, 2.0])).tolist()
    [1.0, 2.0, 3.0]
    """
    rising = np.unique(places)
    apart = np.diff(rising) > SAME_PLACE * np.abs(rising[1:])
    found: Real = rising[np.append(True, apart)[: len(rising)]]
    return found
