# SPDX-License-Identifier: MIT
"""One way over the links of a board: asks every link that can be asked, and says why of those that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.link import Stretch, Trace, Via
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap


def per_link(
    board: Board, facts: tuple[type, ...], make: Callable[[BoardLink], Iterable[Item]], *, pairs: bool = False,
    traced: bool = False,
) -> Iterator[Item]:
    """Yield what ``make`` finds of every link of a board, and one gap per fact where it is not asked.

    ``pairs`` leaves out links that are not differential (not applicable), ``traced`` those without a described trace
    (not evaluated).
    """
    yield from no_links(board, facts)
    for link in board.links_asked:
        exempt = not_a_pair(board, link, facts) if pairs else ()
        if exempt:
            yield from exempt
        elif traced and not link.traces():
            yield from (link_gap(board, link, fact, no_trace(link)) for fact in facts)
        else:
            yield from make(link)


def no_links(board: Board, facts: tuple[type, ...]) -> Iterator[Gap]:
    """One gap per fact if the board has no links section (not evaluated) or no link (not applicable)."""
    for fact in facts:
        if board.links is None:
            yield Gap(fact=fact, subject="links", where=(), reason="no `links` are declared", key="links",
                      tags=board.tags)
        elif not board.links:
            yield Gap(fact=fact, subject="links", where=("links",), reason="the board has no links",
                      applicable=False, tags=board.tags)


def not_a_pair(board: Board, link: BoardLink, facts: tuple[type, ...]) -> tuple[Gap, ...]:
    """One gap per fact if the link is single-ended or a trio: rules on differential pairs do not apply."""
    standard = link.standard
    if standard.signalling == "differential":
        return ()
    missing = Missing(f"{standard.name} is {standard.signalling}, not differential", "", (*link.path, "standard"))
    return tuple(link_gap(board, link, fact, missing, applicable=False) for fact in facts)


def no_trace(link: BoardLink) -> Missing:
    """The missing input of a link without a described trace."""
    return Missing("no trace of this link is described", f"links{under(link.name)}.path[].trace", link.path)


def link_gap(
    board: Board, link: BoardLink, fact: type, missing: Missing, *, subject: str = "", where: Path = (),
    applicable: bool = True,
) -> Gap:
    """The gap of a link, or of its part ``subject``, for what is missing: at ``where``, or at the place of the key."""
    return Gap(fact=fact, subject=subject or link.subject, where=where or missing.where, reason=missing.reason,
               key=missing.key, applicable=applicable, tags=board.link_tags(link))


def no_vias(board: Board, link: BoardLink, fact: type) -> Iterator[Gap]:
    """The gap of a link without vias: it needs none (not applicable), or they are not described."""
    key = f"links{under(link.name)}.path[].via"
    cut_short = missing_via(board, link)
    if cut_short:
        yield link_gap(board, link, fact, Missing(cut_short, key, link.path))
    elif not link.vias():
        traced = bool(link.traces())
        reason = "the link changes no layer" if traced else "the link's path is not described"
        yield link_gap(board, link, fact, Missing(reason, key, link.path), applicable=not traced)


def missing_via(board: Board, link: BoardLink) -> str | None:
    """Why vias are missing: parts stand on the outer layers, and this path begins or ends on an inner one."""
    runs = [(body.layer, body.layer) if isinstance(body, Trace) else (body.enter, body.leave)
            for body in (step.body for step in link.steps) if isinstance(body, Trace | Via | Stretch)]
    if board.stack is None or not runs:
        return None
    for layer, verb in ((runs[0][0], "begins"), (runs[-1][1], "ends")):
        if layer is not None and not board.stack.outer(layer):
            return f"the path {verb} on {layer}, an inner layer, and no via says how the signal gets there"
    return None
