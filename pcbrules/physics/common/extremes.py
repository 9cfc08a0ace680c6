# SPDX-License-Identifier: MIT
"""Where an array is largest or smallest: of equal values, as ``ties`` defines equal, the first one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Whole
from pcbrules.ties import TOLERANCE, ordered

ROUNDING: Final = 1e-13
"""Step between two samples over their height, below which it may be rounding. [-]"""

Numbers = NDArray[np.floating[Any]]


def first_greatest(values: Numbers, *, floor: float = 0.0) -> int:
    """Return the index of the largest value in the flattened array; of equal ones the first.

    Parameters
    ----------
    values : array, not empty
        Real numbers of one unit. With a not-a-number among them its index is returned, as by ``argmax``.
    floor : float
        Difference below which two values are equal, same unit.
    """
    return int(first_greatest_of_rows(np.ravel(values)[np.newaxis], floor=floor)[0])


def first_top(values: Numbers) -> int:
    """Return the index of the top of the first hill that is as high as any.

    Many samples of a smooth hill equal its top within the tolerance: from the first of them on it goes up, as long as a
    step is more than ``ROUNDING``. Parameters as of ``first_greatest``, shape (n,).
    """
    at = first_greatest(values)
    rises = np.diff(values[at:]) > ROUNDING * np.abs(values[at])
    return at + int(np.append(rises, False).argmin())


def first_least(values: Numbers, *, floor: float = 0.0) -> int:
    """Return the index of the smallest value in the flattened array; of equal ones the first."""
    return first_greatest(np.negative(values), floor=floor)


def first_greatest_of_rows(values: Numbers, *, floor: float = 0.0) -> Whole:
    """Return, for each row of ``values`` (shape (n, m), m > 0), the index of its largest value; shape (n,)."""
    top = values.max(axis=-1, keepdims=True)
    tolerance = np.where(np.isfinite(top), np.maximum(TOLERANCE * np.abs(top), floor), 0.0)
    return np.asarray(((values >= top - tolerance) | np.isnan(values)).argmax(axis=-1))


def first_least_of_rows(values: Numbers, *, floor: float = 0.0) -> Whole:
    """Return, for each row of ``values`` (shape (n, m), m > 0), the index of its smallest value; shape (n,)."""
    return first_greatest_of_rows(np.negative(values), floor=floor)


def rising(values: Numbers, *, floor: float = 0.0) -> Whole:
    """Return the indices that sort ``values`` (shape (n,)); equal values stay in their order. Shape (n,)."""
    return np.array(ordered(range(len(values)), key=values.tolist().__getitem__, floor=floor), dtype=np.int64)
