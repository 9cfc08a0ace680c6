# SPDX-License-Identifier: MIT
"""Differences between two answers to one cross-section."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.constants import c as light
from scipy.linalg import eigh

from pcbrules.physics.lines.cross_section.fields import Fields

if TYPE_CHECKING:
    from fem import Solution

Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """Largest differences: of C and C0 entries over the geometric mean of their diagonals, of impedances, of shares."""

    capacitance: float
    impedance: float
    share: float


def difference(found: Fields | Solution, reference: Solution) -> Difference:
    """How far ``found`` is from ``reference``. Shares of dielectrics are over the capacitance of the conductors."""
    scale = _means(reference.c)
    shares = [np.abs((one - other) / scale).max() for one, other in zip(found.parts, reference.parts, strict=True)]
    return Difference(
        max(entries(found.c, reference.c), entries(found.c0, reference.c0)),
        impedances(found.c, found.c0, reference.c, reference.c0),
        float(max(shares)),
    )


def entries(found: Real, reference: Real) -> float:
    """Largest difference of entries over the geometric mean of the diagonal ones."""
    return float(np.abs((found - reference) / _means(reference)).max())


def impedances(c: Real, c0: Real, reference_c: Real, reference_c0: Real) -> float:
    """Largest relative difference of impedances: of each conductor, of any two opposed and of any two together."""
    return float(np.abs(driven(c, c0) / driven(reference_c, reference_c0) - 1).max())


def driven(c: Real, c0: Real) -> Real:
    """Impedances [ohm] of each conductor, then of every two opposed (differential) and together (four times common)."""
    matrix, unit = impedance(c, c0), np.eye(len(c))
    drives = [*unit]
    for i, j in combinations(range(len(c)), 2):
        drives += [unit[i] - unit[j], unit[i] + unit[j]]
    return np.array([v @ matrix @ v for v in drives])


def impedance(c: Real, c0: Real) -> Real:
    """Matrix of characteristic impedances [ohm]."""
    permittivities, modes = eigh(c, c0)
    return (modes / np.sqrt(permittivities)) @ modes.T / light


def _means(matrix: Real) -> Real:
    diagonal = np.sqrt(np.diag(matrix))
    return np.outer(diagonal, diagonal)
