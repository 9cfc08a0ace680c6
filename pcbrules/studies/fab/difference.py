# SPDX-License-Identifier: MIT
"""The records of a comparison: what is returned otherwise than ordered, and what the board file has to say for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pcbrules.document import Path

REMOVED: Any = object()
"""In place of a value: the key is taken out."""

EQUAL = 1e-6
"""Relative difference below which two figures are equal: digits of their files."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the board file."""

    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that is returned otherwise than ordered.

    Attributes
    ----------
    subject : str
        The layer, or the impedance with its layer.
    what : str
        ``thickness``, ``material`` and so on.
    ordered, returned, tolerance : str
        As texts with units; `tolerance` is empty where none is known.
    within : bool
        True where the difference is not more than the tolerance.
    file, place
        Where it stands in the returned file.
    edits : tuple of Edit
        What makes the board file agree with it.
    """

    subject: str
    what: str
    ordered: str
    returned: str
    tolerance: str
    within: bool
    file: str
    place: tuple[int, int]
    edits: tuple[Edit, ...] = ()


def equal(one: float, other: float) -> bool:
    """Whether two positive figures are equal but for the digits of their files."""
    return abs(one - other) <= EQUAL * max(abs(one), abs(other))
