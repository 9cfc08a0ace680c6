# SPDX-License-Identifier: MIT
"""What a profile brings to a board."""

from __future__ import annotations

from dataclasses import replace

from pcbrules import library
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.profile import Ruleset


def conditions_of(ruleset: Ruleset) -> Conditions:
    return Conditions(**ruleset.conditions)  # type: ignore[arg-type]


def temperatures(ruleset: Ruleset) -> tuple[float, float]:
    """Board temperatures of the two corners. [degC]"""
    return float(ruleset.conditions["cold"]), float(ruleset.conditions["hot"])


def in_class(board: Board, ruleset: Ruleset) -> Board:
    """The board, made in the profile's fabrication class where it names none of its own."""
    own = board.declared_fabrication and board.declared_fabrication.fab_class
    name = ruleset.conditions.get("fabrication_class")
    return board if own or name is None else replace(board, fabrication=library.entry("fabrication", str(name)))
