# SPDX-License-Identifier: MIT
"""Gaps in the reference planes beneath traces, as the board file lists them."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.common.link_gaps import link_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import ReferenceGapFact
from pcbrules.results.measured import exact

PROVIDES = (ReferenceGapFact,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per declared gap, one of zero width per trace that declares none, a gap where nothing is declared."""
    yield from link_gaps(board, ReferenceGapFact)
    for link in board.links or ():
        tags = board.link_tags(link)
        traces = link.traces()
        if not traces:
            yield Gap(fact=ReferenceGapFact, subject=link.subject, where=link.path, tags=tags,
                      reason="no trace of this link is described", key=f"links{under(link.name)}.path[].trace")
        for step, trace in traces:
            subject = f"{link.subject}.path{under(step.name)}"
            path = (*step.path, "reference_gaps")
            if not trace.reference_gaps and not _has_plane(board, trace.layer):
                yield Gap(fact=ReferenceGapFact, subject=subject, where=(*step.path, "layer"), tags=tags,
                          reason=f"{trace.layer} has no reference plane that could be whole", key="stackup[].role")
                continue
            model = "read from the layout" if trace.reference_gaps_from == "layout" else "declared in the board file"
            if trace.reference_gaps is None:
                yield Gap(fact=ReferenceGapFact, subject=subject, where=step.path, tags=tags,
                          reason="nobody says whether the reference planes are whole",
                          key=f"links{under(link.name)}.path[].trace.reference_gaps")
                continue
            if not trace.reference_gaps:
                yield ReferenceGapFact(subject=subject, where=path, tags=tags, layer="",
                                       gap=exact(0.0, model=model, basis="declared", reads=(path,)))
            for i, gap in enumerate(trace.reference_gaps):
                place = (*path, i, "width")
                yield ReferenceGapFact(subject=f"{subject}.gap{i + 1}", where=place, tags=tags, layer=gap.layer,
                                       gap=exact(gap.width.value, model=model, basis="declared", reads=(place,)))


def _has_plane(board: Board, layer: str) -> bool:
    return board.stack is not None and any(board.stack.reference(layer, up=up) for up in (True, False))
