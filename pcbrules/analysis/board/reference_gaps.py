# SPDX-License-Identifier: MIT
"""Gaps in the reference planes beneath traces, their edges beside traces, and changes of plane, as the board file lists
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.board.plane_pieces import left_plane
from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import ReferenceGap, Trace, ViaPlanes
from pcbrules.model.stack import Stack
from pcbrules.phrases import under
from pcbrules.results.facts.signal import ReferenceGapFact
from pcbrules.results.measured import Measured, exact

PROVIDES = (ReferenceGapFact,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per declared gap, one of zero width per trace that declares none, a gap where nothing is declared; one
    per via that changes planes.
    """
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
        if not any(gap.edge is None for gap in trace.reference_gaps or ()):
            yield ReferenceGapFact(subject=subject, where=path, tags=tags, layer="",
                                   gap=exact(0.0, model=model, basis="declared", reads=(path,)))
        for i, gap in enumerate(trace.reference_gaps or ()):
            place = (*path, i, "width")
            if gap.edge is None:
                yield ReferenceGapFact(subject=f"{subject}.gap{i + 1}", where=place, tags=tags, layer=gap.layer,
                                       gap=exact(gap.width.value, model=model, basis="declared", reads=(place,)))
            elif board.stack is not None:
                yield ReferenceGapFact(subject=f"{subject}.edge{i + 1}", where=(*path, i, "edge"), tags=tags,
                                       layer=gap.layer, edge=_edge(board.stack, trace, gap, (*path, i, "edge")))
    for step, via in link.vias():
        if via.plane_change is not None:
            yield _change(board, link, step, via.plane_change)


def _edge(stack: Stack, trace: Trace, gap: ReferenceGap, place: Path) -> Measured:
    """The distance over the height between the facing surfaces of trace and plane."""
    assert gap.edge is not None
    own, plane = stack.copper(trace.layer), stack.copper(gap.layer)
    height = max(own.top - plane.bottom, plane.top - own.bottom)
    return exact(gap.edge.value / height, model="distance over the height above the plane", basis="declared",
                 reads=(place, *((("stackup", one.index, "thickness")) for one in stack.between(own.name, plane.name))))


def _change(board: Board, link: BoardLink, step: PathStep, change: ViaPlanes) -> ReferenceGapFact:
    place: Path = (*step.path, "plane_change")
    at = (*place, "stitch")
    model = "declared in the board file"
    stitch = None if change.stitch is None else exact(change.stitch.value, model=model, basis="declared", reads=(at,))
    joined = exact(0.0 if change.stitch is None else 1.0, model=model, basis="declared", reads=(place,))
    return ReferenceGapFact(
        subject=f"{link.subject}.path{under(step.name)}.planes", where=at if stitch else place,
        tags=board.link_tags(link), layer=" and ".join(change.planes), stitch=stitch, joined=joined)


def _missing(board: Board, link: BoardLink, step: PathStep, trace: Trace) -> Missing | None:
    if not trace.reference_gaps and not _has_plane(board, trace):
        reason = f"{trace.layer} has no reference plane that could be whole"
        return Missing(reason, "stackup[].role", (*step.path, "layer"))
    if trace.reference_gaps is None:
        key = f"links{under(link.name)}.path[].trace.reference_gaps"
        return Missing("gaps of the reference planes are not declared ([] if there are none)", key, step.path)
    if not trace.reference_gaps and trace.reference_gaps_from == "declared" and (left := left_plane(board, trace)):
        return Missing(left, where=(*step.path, "reference_gaps"))
    return None


def _has_plane(board: Board, trace: Trace) -> bool:
    return board.stack is not None and any(
        board.stack.reference(trace.layer, up=up, planes=trace.planes) for up in (True, False))
