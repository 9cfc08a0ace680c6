# SPDX-License-Identifier: MIT
"""One link on another layer, laminate or foil: the edits of the board file that put it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pcbrules.brief import brief
from pcbrules.document import Document, Path
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.link import Trace, Via
from pcbrules.model.stackup import Dielectric
from pcbrules.studies.variants.along import with_what_moves
from pcbrules.ties import greatest_of

OWN_OF_LAMINATE = ("dk", "resin", "resin_height")
"""Keys of a dielectric that say what its laminate was."""

OWN_OF_FOIL = ("rz_top", "rz_bottom")
"""Keys of a copper layer that say what its foil was."""


@dataclass(frozen=True, slots=True)
class Route:
    """A link with its longest trace on a layer, of a laminate and a foil there; empty texts leave the board's own."""

    link: str
    layer: str
    laminate: str = ""
    foil: str = ""

    __repr__ = brief


class RouteRefused(Exception):
    """A route that cannot be: the text says why."""


def longest_trace(link: BoardLink) -> tuple[int, PathStep, Trace] | None:
    """The place of the longest trace among the steps, the step, and the trace; None of a path without one."""
    traces = [(at, step, step.body) for at, step in enumerate(link.steps) if isinstance(step.body, Trace)]
    return greatest_of(traces, key=lambda one: one[2].length.value) if traces else None


def bare(document: Document, board: Board) -> Document:
    """Return the board file without what no loss hangs on but lengths must fit: neighbours, outline, supplies.

    All links stay: the fastest of a board chooses the data by which its laminates are modelled.
    """
    for link in board.links or ():
        for step, trace in link.traces():
            if trace.neighbours:
                document = document.edited((*step.path, "neighbours"), [])
    for path in (("rails",), ("thermal",), ("power",), ("board", "size")):
        if document.get(path, None) is not None:
            document = document.without(path)
    return document


def with_neighbours(document: Document, whole: Document, link: BoardLink) -> Document:
    """Return a bare board file with the neighbours that one link has in the whole one."""
    for step, trace in link.traces():
        if trace.neighbours:
            path = (*step.path, "neighbours")
            document = document.edited(path, whole.get(path, None))
    return document


def moved(document: Document, board: Board, link: BoardLink, route: Route) -> tuple[Document, bool]:
    """Return the board file with the link on its route, and whether its line is another one than was drawn.

    The vias at the ends of the longest trace reach the other layer; the width is that of the board file.

    Raises
    ------
    RouteRefused
        The path has no trace, or its vias do not end at the trace.
    InputError
        The board file takes no such edit.
    """
    found = longest_trace(link)
    if found is None:
        raise RouteRefused("its path has no trace")
    at, _, trace = found
    drawn = trace.layer == route.layer
    if not drawn:
        document = _on_layer(document, link, at, route.layer)
    if route.laminate:
        for place in _around(board, route.layer):
            drawn = drawn and document.get((*place, "material"), None) == route.laminate
            document = of_laminate(document, place, route.laminate)
    if route.foil:
        place = ("stackup", board.stack.copper(route.layer).index) if board.stack else ("stackup", 0)
        drawn = drawn and document.get((*place, "foil"), None) == route.foil
        document = _own(document.edited((*place, "foil"), route.foil), place, OWN_OF_FOIL)
    return document, not drawn


def _on_layer(document: Document, link: BoardLink, at: int, layer: str) -> Document:
    """Move a trace to a layer, and the ends of the vias beside it; one that then leads nowhere is left out."""
    steps = link.steps
    sides = [(steps[at + 1] if at + 1 < len(steps) else None, "enter"), (steps[at - 1] if at else None, "leave")]
    document = document.edited((*steps[at].path, "layer"), layer)
    if document.get((*steps[at].path, "planes"), None) is not None:  # those of the layer that it leaves
        document = document.without((*steps[at].path, "planes"))
    for step, key in sides:  # the later one first: the places of the steps before it stay
        if step is None or not isinstance(step.body, Via):
            raise RouteRefused("no via stands at an end of its longest trace, so it stays on its layer")
        far = step.body.leave if key == "enter" else step.body.enter
        document = (document.without(step.path[:4]) if far == layer else document.edited((*step.path, key), layer))
    return document


def _around(board: Board, layer: str) -> list[Path]:
    """The dielectrics between a layer and the copper above and below it."""
    assert board.stack is not None
    plies = [ply for up in (True, False) for ply in board.stack.adjacent(layer, up=up)[1]]
    return [("stackup", ply.index) for ply in plies if isinstance(ply.spec, Dielectric)]


def of_laminate(document: Document, place: Path, material: str) -> Document:
    """Return the board file with a dielectric of another laminate, without what it declares of the one it was."""
    return _own(document.edited((*place, "material"), material), place, OWN_OF_LAMINATE)


def _own(document: Document, place: Path, keys: tuple[str, ...]) -> Document:
    for key in keys:
        if document.get((*place, key), None) is not None:
            document = document.without((*place, key))
    return document


def with_trace(document: Document, step: PathStep, **values: Any) -> Document:
    """Return the board file with other values of a trace, and what moves along with them."""
    edits, _ = with_what_moves(document, tuple(((*step.path, key), value) for key, value in values.items()))
    for path, value in edits:
        document = document.edited(path, value)
    return document


