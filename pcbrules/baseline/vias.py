# SPDX-License-Identifier: MIT
"""Findings of vias that a link does not have any more: it runs on another layer, or through vias without stubs.

The reader holds a path to the vias that its layers need, so a via that is left out is not one that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from pcbrules.baseline.loss import HELD
from pcbrules.model.board import Board, BoardLink
from pcbrules.phrases import read_path, show_path, within
from pcbrules.results.finding import Finding, Status

SIDES = ("top", "bottom")


def via_places(board: Board) -> frozenset[str]:
    """Return the vias of all links, and the sides of them that have a stub: `links.up.path.via1`, `… .via1.bottom`."""
    return frozenset(place for link in board.links or () for place in _places(board, link))


def _places(board: Board, link: BoardLink) -> Iterator[str]:
    for step, via in link.vias():
        place = show_path(("links", link.name, "path", step.name))
        yield place
        kind = (board.via_types or {}).get(via.type)
        if board.stack is None or kind is None:
            yield from (f"{place}.{side}" for side in SIDES)  # unknown: none has gone
            continue
        used, ends = ([board.stack.order(name) for name in names] for names in ((via.enter, via.leave), kind.span))
        if min(ends) < min(used):
            yield f"{place}.top"
        if max(ends) > max(used):
            yield f"{place}.bottom"


def taken_away(rule: str, subject: str, findings: Iterable[Finding], vias: Set[str]) -> str:
    """Return the link to which a finding of a via that is not there any more belongs; else nothing.

    The link is still judged, and so is the rule: it has a number of the link, or says that there is nothing to judge.
    What has lost an input is there still, or is not evaluated.

    Parameters
    ----------
    rule, subject : str
        Of the finding of the baseline.
    findings : iterable of Finding
        Those of today.
    vias : set of str
        Those of the board, as ``via_places`` names them.
    """
    path = read_path(subject)
    if path is None or path[:1] != ("links",) or not _is_gone(rule, path, vias):
        return ""
    link = show_path(path[:2])
    mine = [one for one in findings if within(one.subject, link)]
    asked = [one.status for one in mine if one.rule == rule]
    judged = any(one.status in HELD for one in mine)
    return link if judged and asked and all(one in (*HELD, Status.NOT_APPLICABLE) for one in asked) else ""


def _is_gone(rule: str, path: tuple[str | int, ...], vias: Set[str]) -> bool:
    link, part = show_path(path[:2]), show_path(path[:4])
    stubs = {f"{place}.{side}" for place in vias for side in SIDES} & vias
    match rule, *path:
        case ("CHN003" | "VIA002"), _, _, "path", _, *_:
            return not any(within(stub, part) for stub in stubs)
        case "CHN003", _, _, "stubs", *_:
            return not any(within(stub, link) for stub in stubs)
        case "CHN007", _, _, "transition", *_:
            return not any(within(place, link) for place in vias)
        case "SIG003", _, _, "path", _, str(side), *_ if side in SIDES:
            return f"{part}.{side}" not in stubs
        case ("SIG003" | "VIA001"), _, _, "path", _, *_:
            return part not in vias
    return False
