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
