# SPDX-License-Identifier: MIT
"""Antipads that a via type does not give: between what a fabricator holds at least and what is drawn at most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Via
from pcbrules.model.via import Antipad, ViaType
from pcbrules.phrases import under
from pcbrules.units import Quantity, show


def lacking_antipads(board: Board) -> Iterator[Lacking]:
    """Types of the vias of links without an antipad."""
    used = set().union(*(types_of_vias(link) for link in board.links or ()))
    for name, kind in (board.via_types or {}).items():
        if kind.antipad is None and kind.kind != "microvia" and name in used:
            least, most = antipad_range(board, kind)
            yield Lacking(
                f"via_types{under(name)}.antipad",
                f"antipad of {name} not declared: {show(least, 'mm')} to {show(most, 'mm')}",
                partial(_with, name=name, widths=(least, (least + most) / 2, most)),
                places=3,
                subjects=(f"via_types{under(name)}",
                          *(link.subject for link in board.links or () if name in types_of_vias(link))),
            )


def antipad_range(board: Board, kind: ViaType) -> tuple[float, float]:
    """Least and largest width of a round antipad [m]: it holds the pad, and ground vias stand beyond it."""
    drill, clearance = kind.drill.value, board.catalogue.defaults["antipad-clearance"]
    least = max(drill + 2 * clearance.min, kind.pad.value if kind.pad else 0.0)
    most = drill + 2 * clearance.max
    if kind.return_vias is not None and kind.return_vias.count:
        most = min(most, 2 * kind.return_vias.distance.value - drill)
    return least, max(least, most)


def types_of_vias(link: BoardLink) -> set[str]:
    """Types of the vias of a link that no file stands for."""
    return {step.body.type for step in link.steps if isinstance(step.body, Via) and step.body.table is None}


def _with(board: Board, place: int, *, name: str, widths: tuple[float, ...]) -> Board:
    """With the antipad; its middle is solved too, since an impedance step is least where the antipad is right."""
    types = dict(board.via_types or {})
    antipad = Antipad.model_construct(width=Quantity(widths[place], text=show(widths[place], "mm")))
    types[name] = types[name].model_copy(update={"antipad": antipad})
    return replace(board, via_types=types)
