# SPDX-License-Identifier: MIT
"""Can the fabricator etch these traces, and the spaces between them?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.board.capability import class_source, holds, least, only
from pcbrules.analysis.board.smallest_figures import WIDTH_AND_SPACE, smallest_figures
from pcbrules.analysis.common.every_link import per_link
from pcbrules.analysis.common.layer_heights import stackup_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Stack
from pcbrules.phrases import under
from pcbrules.results.facts.fabrication import TraceAndSpace
from pcbrules.results.measured import exact
from pcbrules.units import Quantity

PROVIDES = (TraceAndSpace,)

MODEL = "as drawn"
KINDS = ("width", "space")


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Width of every trace, the gap of its pair, and the space to ground and neighbours on its layer.

    Of a board whose smallest figures are given, links that are not declared leave nothing open.
    """
    whole = list(smallest_figures(board, TraceAndSpace, WIDTH_AND_SPACE, KINDS))
    yield from whole
    if whole and board.links is None:
        return
    if board.stack is None:
        yield from stackup_gaps(board, TraceAndSpace)
        return
    yield from per_link(board, (TraceAndSpace,), partial(_link, board, board.stack), traced=True)


def _link(board: Board, stack: Stack, link: BoardLink) -> Iterator[TraceAndSpace]:
    for step, trace in link.traces():
        subject, at = f"{link.subject}.path{under(step.name)}", step.path
        where = f"{step.name} of {link.name} on {trace.layer}"
        yield _fact(board, stack, link, trace.layer, "width", f"{subject}.width", trace.width, (*at, "width"),
                    f"trace {where}")
        if trace.gap is not None:
            yield _fact(board, stack, link, trace.layer, "space", f"{subject}.gap", trace.gap, (*at, "gap"),
                        f"gap of the pair {where}")
        if trace.coplanar is not None:
            yield _fact(board, stack, link, trace.layer, "space", f"{subject}.coplanar", trace.coplanar.gap,
                        (*at, "coplanar", "gap"), f"gap to the ground beside {where}")
        for i, near in enumerate(trace.neighbours or ()):
            if near.spacing is not None and near.layer in (None, trace.layer):
                name = near.name or near.link or f"neighbour{i}"
                yield _fact(board, stack, link, trace.layer, "space", f"{subject}{under(name)}.spacing", near.spacing,
                            (*at, "neighbours", i, "spacing"), f"space from {where} to {name}")


def _fact(
    board: Board, stack: Stack, link: BoardLink, layer: str, kind: str, subject: str, length: Quantity, at: Path,
    what: str,
) -> TraceAndSpace:
    fab, outer = board.fabrication, stack.outer(layer)
    if kind == "width":
        held = fab.outer_width if outer else fab.inner_width
    else:
        held = fab.outer_space if outer else fab.inner_space
    return TraceAndSpace(
        subject=subject, where=at, tags=board.link_tags(link), kind=kind,
        offers={kind: least(held, class_source(board))}, exempt=only(kind, KINDS),
        figure=exact(length.value, model=MODEL, basis="computed", reads=(at,)), what=what,
        held_by=holds(board, " on an outer layer" if outer else " on an inner layer"),
    )
