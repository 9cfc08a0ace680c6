# SPDX-License-Identifier: MIT
"""Foil classes in order, and how rough a face may be to count as one of a class."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from types import MappingProxyType

FOIL_RZ: Mapping[str, float] = MappingProxyType({
    "ed": inf,
    "rtf": 6e-6,
    "lp": 5.5e-6,
    "vlp": 5e-6,
    "vlp2": 3e-6,
    "hvlp": 2e-6,
    "hvlp2": 1.5e-6,
    "hvlp3": 1e-6,
})
"""Class, roughest first, to its largest Rz [m]: the upper ends of the ranges of the library's foils. The position of a
class is its rank. IPC-MF-150F bounds two of them: VLP at 5.1 um, LP (which it lets go as far as) at 10.2 um."""

FOIL_CLASSES: tuple[str, ...] = tuple(FOIL_RZ)
"""Names of the classes, roughest first; the position is the rank that a foil of the library carries."""


def class_of(rz: float) -> int:
    """Rank of the smoothest class that a face of roughness ``rz`` [m] still belongs to."""
    fitting = [rank for rank, largest in enumerate(FOIL_RZ.values()) if rz <= largest * (1 + 1e-9)]
    return fitting[-1]
