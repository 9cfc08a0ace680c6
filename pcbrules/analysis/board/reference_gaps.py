# SPDX-License-Identifier: MIT
"""Gaps in the reference planes beneath traces, as the board file lists them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Trace
from pcbrules.phrases import under
from pcbrules.results.facts.signal import ReferenceGapFact
from pcbrules.results.measured import exact

PROVIDES = (ReferenceGapFact,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per declared gap, one of zero width per trace that declares none, a gap where nothing is declared."""
    return per_link(board, PROVIDES, partial(_link, board), traced=True)


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    for step, trace in link.traces():
        subject = f"{link.subject}.path{under(step.name)}"
        missing = _missing(board, link, step, trace)
        if missing is not None:
            yield link_gap(board, link, ReferenceGapFact, missing, subject=subject)
            continue
        path, tags = (*step.path, "reference_gaps"), board.link_tags(link)
        model = "read from the layout" if trace.reference_gaps_from == "layout" else "declared in the board file"
        if not trace.reference_gaps:
            yield ReferenceGapFact(subject=subject, where=path, tags=tags, layer="",
                                   gap=exact(0.0, model=model, basis="declared", reads=(path,)))
        for i, gap in enumerate(trace.reference_gaps or ()):
            place = (*path, i, "width")
            yield ReferenceGapFact(subject=f"{subject}.gap{i + 1}", where=place, tags=tags, layer=gap.layer,
                                   gap=exact(gap.width.value, model=model, basis="declared", reads=(place,)))


def _missing(board: Board, link: BoardLink, step: PathStep, trace: Trace) -> Missing | None:
    if not trace.reference_gaps and not _has_plane(board, trace.layer):
        reason = f"{trace.layer} has no reference plane that could be whole"
        return Missing(reason, "stackup[].role", (*step.path, "layer"))
    if trace.reference_gaps is None:
        key = f"links{under(link.name)}.path[].trace.reference_gaps"
        return Missing("nobody says whether the reference planes are whole", key, step.path)
    return None


def _has_plane(board: Board, layer: str) -> bool:
    return board.stack is not None and any(board.stack.reference(layer, up=up) for up in (True, False))
