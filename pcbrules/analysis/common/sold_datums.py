# SPDX-License-Identifier: MIT
"""Backdrills that do not say what their depth is counted from: the outer surface, or the layer that must stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.link import Via
from pcbrules.model.via import Backdrill
from pcbrules.phrases import under

DATUMS = ("outer-surface", "target-layer")
"""The unfavourable one first: a drill without depth sensing counts from the surface."""


def lacking_datums(board: Board) -> Iterator[Lacking]:
    """Backdrills of the vias of links that give a residual but no datum.

    A depth counts from the outer surface whatever the datum.
    """
    for name, kind in (board.via_types or {}).items():
        users = [link.subject for link in board.links or () if _uses(link, name)]
        for place, drill in kind.backdrills_at(("via_types", name)) if users else ():
            if drill.datum is None and drill.residual is not None:
                yield Lacking(
                    f"{show_path(place)}.datum",
                    f"datum of the backdrill of {name} not declared: the outer surface or the target layer",
                    partial(_with, name=name, at=place),
                    subjects=(f"via_types{under(name)}", *users),
                )


def _uses(link: BoardLink, name: str) -> bool:
    """True if a via of this type is in the path, with no file in its place."""
    return any(isinstance(step.body, Via) and step.body.table is None and step.body.type == name for step in link.steps)


def _with(board: Board, place: int, *, name: str, at: Path) -> Board:
    """With the datum of one backdrill of one type."""
    types = dict(board.via_types or {})
    kind = types[name]
    drills = tuple(_given(drill, place) if here == at else drill
                   for here, drill in kind.backdrills_at(("via_types", name)))
    types[name] = kind.model_copy(update={"backdrill": drills if isinstance(kind.backdrill, tuple) else drills[0]})
    return replace(board, via_types=types)


def _given(drill: Backdrill, place: int) -> Backdrill:
    return drill.model_copy(update={"datum": DATUMS[place]})
