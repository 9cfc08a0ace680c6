# SPDX-License-Identifier: MIT
"""The gap that every analysis of the stackup shares, and how far its heights may be off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot

from pcbrules.analysis.common.interval import Interval, around
from pcbrules.model.board import Board
from pcbrules.model.stack import Placed
from pcbrules.model.stackup import Copper
from pcbrules.results.facts.base import Gap


def stackup_gaps(board: Board, *facts: type) -> Iterator[Gap]:
    """One gap per fact if the board file has no stackup (not evaluated)."""
    if board.stack is None:
        for fact in facts:
            yield Gap(fact=fact, subject="stackup", where=(), reason="no `stackup` is declared", key="stackup",
                      tags=board.tags)


def height(board: Board, layers: Iterable[Placed]) -> Interval:
    """Thickness of some layers together; their tolerances add as root of squares. [m]

    A tolerance of a layer wins over the board's own, that over the one of the fabrication class.
    """
    own, fab = board.declared_fabrication, board.fabrication
    stated = own.tolerances if own else None
    of_copper = fab.copper if stated is None or stated.copper is None else float(stated.copper.value)
    of_dielectric = fab.dielectric if stated is None or stated.dielectric is None else float(stated.dielectric.value)
    value = minus = plus = 0.0
    for layer in layers:
        thickness = layer.spec.thickness
        usual = thickness.value * (of_copper if isinstance(layer.spec, Copper) else of_dielectric)
        value += thickness.value
        minus = hypot(minus, usual if thickness.minus is None else thickness.minus)
        plus = hypot(plus, usual if thickness.plus is None else thickness.plus)
    return around(value, minus=minus, plus=plus)
