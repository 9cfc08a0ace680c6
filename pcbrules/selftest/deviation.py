# SPDX-License-Identifier: MIT
"""How far a computed value lies from its reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.physics.common.extremes import first_greatest


@dataclass(frozen=True, slots=True)
class Deviation:
    """Error of one value: what it is (a key of the tolerances), which one, and the error as a fraction."""

    quantity: str
    name: str
    error: float


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """A value of an entry that lies outside what the model is held to, and why: it is told, not compared."""

    reason: str


def value(quantity: str, name: str, got: Any, want: Any, *, scale: float | None = None) -> Deviation:
    """Error of a real or complex number, relative to the reference, or to ``scale`` where it is given."""
    size = abs(want) if scale is None else scale
    difference = float(abs(got - want))
    return Deviation(quantity, name, difference / size if size else (0.0 if difference == 0 else np.inf))


def matrix(
    quantity: str, name: str, got: NDArray[np.float64], want: NDArray[np.float64], *, scale: ArrayLike | None = None
) -> Deviation:
    """Largest error of a square matrix, each entry relative to the geometric mean of the two diagonals.

    ``scale`` is the diagonal to take where it is not that of the reference.
    """
    diagonal = np.sqrt(np.abs(np.diag(want) if scale is None else np.asarray(scale)))
    error = np.abs(got - want) / np.outer(diagonal, diagonal)
    worst = first_greatest(np.where(np.isnan(error), np.inf, error))
    row, column = divmod(worst, len(want))
    place = f"[{row + 1},{column + 1}]" if len(want) > 1 else ""
    return Deviation(quantity, f"{name}{place}", float(error[row, column]))


def curve(quantity: str, names: Sequence[str], got: ArrayLike, want: ArrayLike) -> Iterator[Deviation]:
    """Errors of the points of a curve, each relative to its reference."""
    for name, one, other in zip(names, np.asarray(got), np.asarray(want), strict=True):
        yield value(quantity, name, one, other)
