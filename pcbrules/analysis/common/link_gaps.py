# SPDX-License-Identifier: MIT
"""The gaps that every analysis of links shares: no section, no link, not a differential link, a path cut short."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Trace, Via
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


def missing_via(board: Board, link: BoardLink) -> str | None:
    """Why vias are missing: parts stand on the outer layers, and this path begins or ends on an inner one."""
    runs = [(body.layer, body.layer) if isinstance(body, Trace) else (body.enter, body.leave)
            for body in (step.body for step in link.steps) if isinstance(body, Trace | Via)]
    if board.stack is None or not runs:
        return None
    for layer, verb in ((runs[0][0], "begins"), (runs[-1][1], "ends")):
        if not board.stack.outer(layer):
            return f"the path {verb} on {layer}, an inner layer, and no via says how the signal gets there"
    return None
