# SPDX-License-Identifier: MIT
"""Pads that a via type does not give: between the least ring of the fabrication class and a generous land."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.sold_antipads import types_of_vias
from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.model.board import Board
from pcbrules.model.via import ViaType
from pcbrules.phrases import under
from pcbrules.units import show


def lacking_pads(board: Board) -> Iterator[Lacking]:
    """Types of the vias of links without a pad, where the model of the via reads one."""
    used = set().union(*(types_of_vias(link) for link in board.links or ()))
    for name, kind in (board.via_types or {}).items():
        if kind.pad is None and kind.kind != "microvia" and kind.return_vias is not None and name in used:
            least, most = pad_range(board, kind)
            yield Lacking(
                f"via_types{under(name)}.pad",
                f"pad of {name} not declared: {show(least, 'mm')} to {show(most, 'mm')}",
                partial(_with, name=name, pads=(most, (least + most) / 2, least)),
                places=3,
                subjects=(f"via_types{under(name)}",
                          *(link.subject for link in board.links or () if name in types_of_vias(link))),
            )


def pad_range(board: Board, kind: ViaType) -> tuple[float, float]:
    """Least and largest diameter of a pad [m]: it stays inside a declared antipad."""
    drill, most = kind.drill.value, kind.drill.value + 2 * board.catalogue.defaults["annular-ring"].max
    if kind.antipad is not None:
        most = min(most, kind.antipad.width.value)
    return min(drill + 2 * board.fabrication.ring, most), most


def _with(board: Board, place: int, *, name: str, pads: tuple[float, ...]) -> Board:
    """With the pad for vias alone: no rule of the pad itself is judged by it. Its middle is solved too, since an
    impedance step is least where the pad is right.
    """
    return replace(board, assumed_pads={**board.assumed_pads, name: pads[place]})
