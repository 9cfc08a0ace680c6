# SPDX-License-Identifier: MIT
"""One way over the rails of a board: asks every rail, and says what a board or a rail lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap


def per_rail(
    board: Board, facts: tuple[type, ...], make: Callable[[str, Rail], Iterable[Item]]
) -> Iterator[Item]:
    """Yield what ``make`` finds of every rail by name and record.

    Where the board file has no rails (not evaluated) or says that there are none (not applicable), one gap per fact.
    """
    rails = board.rails
    absent = rails is None
    for fact in () if rails else facts:
        yield Gap(
            fact=fact,
            subject="rails",
            where=() if absent else ("rails",),
            reason="no `rails` are declared" if absent else "the board has no rails",
            key="rails" if absent else "",
            applicable=absent,
            tags=board.tags,
        )
    for name, rail in (rails or {}).items():
        yield from make(name, rail)


def rail_gap(board: Board, name: str, rail: Rail, fact: type, missing: Iterable[Missing], subject: str = "") -> Gap:
    """One gap of a rail, or of its part ``subject``, that names every missing input."""
    items = list(missing)
    keys = list(dict.fromkeys(item.key for item in items))
    return Gap(
        fact=fact,
        subject=subject or f"rails{under(name)}",
        where=("rails", name),
        reason="; ".join(dict.fromkeys(item.reason for item in items)),
        key="`, `".join(keys),
        tags=rail_tags(board, rail),
    )


def rail_tags(board: Board, rail: Rail) -> dict[str, str]:
    """Tags of a rail, for the conditions of ruleset entries."""
    return {**board.tags, "rail_role": rail.role, "load": rail.load}
