# SPDX-License-Identifier: MIT
"""An input that a board file lacks, with a known range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pcbrules.model.board import Board


@dataclass(frozen=True, slots=True)
class Lacking:
    """The ``key`` that would give the input, a ``text`` of its range, and boards with it in ``places`` of that range.

    Place 0 is the end that is unfavourable for loss. ``subjects`` are the parts of the board in which the input counts,
    as subjects of findings begin; empty where it may count anywhere.
    """

    key: str
    text: str
    put: Callable[[Board, int], Board]
    places: int = 2
    subjects: tuple[str, ...] = ()

    def counts_in(self, subject: str) -> bool:
        """True if the input may move what is found of a subject."""
        return not self.subjects or any(f"{subject}.".startswith(f"{part}.") for part in self.subjects)
