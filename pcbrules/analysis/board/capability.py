# SPDX-License-Identifier: MIT
"""Limits from the figures of a board's fabrication class."""

from __future__ import annotations

from pcbrules.model.board import Board
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Offer
from pcbrules.units import show


def class_source(board: Board) -> Source:
    """The source of the figures of the board's fabrication class."""
    fab = board.fabrication
    return Source(f"fabrication class {fab.id}: {fab.source}", "memory" if fab.confidence == "memory" else "secondary")


def holds(board: Board, how: str = "") -> str:
    """Words before a limit of the fabrication class: its name, and that it is assumed where the board names none."""
    own = board.declared_fabrication
    assumed = " (assumed: `fabrication.class` is not declared)" if own is None or own.fab_class is None else ""
    return f"class {board.fabrication.id}{assumed}{how} holds"


ROUNDING = 2e-3
"""How far the usual rounding of a length in another unit lies from it [-]: 75 um is 2.95 mil, 0.1 mm is 3.93 mil."""


def least(length: float, source: Source) -> Offer:
    """At least a length [m], rounded in another unit or not."""
    return Offer(Limit(length, None, "um", f">= {show(length, 'um', 4)}", rounding=ROUNDING), source)


def only(kind: str, kinds: tuple[str, ...]) -> dict[str, str]:
    """The limits of a rule that are not for a figure of this kind."""
    return {one: "" for one in kinds if one != kind}


def most(ratio: float, source: Source) -> Offer:
    """At most a ratio [-]."""
    return Offer(Limit(None, ratio, "", f"<= {ratio:g}", counts="x the drill"), source)
