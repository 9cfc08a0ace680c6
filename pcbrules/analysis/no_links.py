# SPDX-License-Identifier: MIT
"""The gaps that every analysis of links shares: no section, no link, not a differential link."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.model.board import Board, BoardLink
from pcbrules.results.facts.base import Gap


def link_gaps(board: Board, *facts: type) -> Iterator[Gap]:
    """One gap per fact if the board has no links section (not evaluated) or no link (not applicable)."""
    for fact in facts:
        if board.links is None:
            yield Gap(fact=fact, subject="links", where=(), reason="the board file has no `links`", key="links",
                      tags=board.tags)
        elif not board.links:
            yield Gap(fact=fact, subject="links", where=("links",), reason="the board has no links",
                      applicable=False, tags=board.tags)


def not_a_pair(board: Board, link: BoardLink, *facts: type) -> Iterator[Gap]:
    """One gap per fact if the link is single-ended or a trio: rules on differential pairs do not apply."""
    if link.standard.signalling != "differential":
        for fact in facts:
            yield Gap(fact=fact, subject=link.subject, where=(*link.path, "standard"), applicable=False,
                      reason=f"{link.standard.name} is {link.standard.signalling}, not differential",
                      tags=board.link_tags(link))
