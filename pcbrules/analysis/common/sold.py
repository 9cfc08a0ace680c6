# SPDX-License-Identifier: MIT
"""Inputs that a board file lacks and of which the range is known: by what is sold, or by what else is declared.

The board is judged with each of them at one end, the unfavourable one for loss; beside it stand boards with one kind
of them at the other end. What that moves is widened by it (``results/widened.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pcbrules.analysis.common.sold_antipads import lacking_antipads
from pcbrules.analysis.common.sold_capacitors import lacking_inductances
from pcbrules.analysis.common.sold_datums import lacking_datums
from pcbrules.analysis.common.sold_layers import lacking_finishes, lacking_foils, lacking_masks
from pcbrules.analysis.common.sold_loads import lacking_loads
from pcbrules.analysis.common.sold_pads import lacking_pads
from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.model.board import Board

KINDS: tuple[Callable[[Board], Iterable[Lacking]], ...] = (
    lacking_foils, lacking_masks, lacking_finishes, lacking_antipads, lacking_pads, lacking_inductances,
    lacking_datums, lacking_loads,
)
"""Each finds what a board lacks of one kind of input."""


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """A board with missing inputs of one kind at another place of their ranges."""

    board: Board
    lacking: tuple[Lacking, ...]

    def said(self, subject: str) -> tuple[str, str]:
        """The keys that would give what counts in a subject, and what was assumed."""
        found = [one for one in self.lacking if one.counts_in(subject)] or self.lacking
        return "`, `".join(one.key for one in found), "; ".join(dict.fromkeys(one.text for one in found))


def ends_of_what_is_sold(board: Board) -> tuple[Board, tuple[OtherEnd, ...]]:
    """The board with every such input at one end, and the boards with one kind of them elsewhere in its range."""
    kinds = [found for kind in KINDS if (found := list(kind(board)))]
    base = board
    for found in kinds:
        base = _all(base, found, 0)
    return base, tuple(_others(base, kinds))


def _others(base: Board, kinds: list[list[Lacking]]) -> Iterator[OtherEnd]:
    for found in kinds:
        for place in range(1, max(one.places for one in found)):
            yield OtherEnd(_all(base, found, place), tuple(found))


def _all(board: Board, found: list[Lacking], place: int) -> Board:
    for one in found:
        board = one.put(board, min(place, one.places - 1))
    return board
