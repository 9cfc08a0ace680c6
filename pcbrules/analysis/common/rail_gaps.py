# SPDX-License-Identifier: MIT
"""What analyses of rails say about a board, or a rail, that lacks what they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pcbrules.analysis.common.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap

Tags = dict[str, str]


def no_rails(board: Board, *facts: type) -> Iterator[Gap]:
    """One gap per fact where the board file has no rails (not evaluated) or says that there are none."""
    rails = board.file.rails
    if rails:
        return
    absent = rails is None
    for fact in facts:
        yield Gap(
            fact=fact,
            subject="rails",
            where=() if absent else ("rails",),
            reason="the board file has no `rails`" if absent else "the board has no rails",
            key="rails" if absent else "",
            applicable=absent,
            tags=board.tags,
        )


def rail_gap(fact: type, name: str, tags: Tags, missing: Iterable[Missing], subject: str = "") -> Gap:
    """One gap of a rail that names every missing input."""
    items = list(missing)
    keys = list(dict.fromkeys(item.key for item in items))
    return Gap(
        fact=fact,
        subject=subject or f"rails{under(name)}",
        where=("rails", name),
        reason="; ".join(dict.fromkeys(item.reason for item in items)),
        key="`, `".join(keys),
        tags=tags,
    )


def rail_tags(board: Board, rail: Rail) -> dict[str, str]:
    """Tags of a rail, for the conditions of ruleset entries."""
    return {**board.tags, "rail_role": rail.role, "load": rail.load}
