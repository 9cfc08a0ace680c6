# SPDX-License-Identifier: MIT
"""What a profile brings to a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules import library
from pcbrules.model.board import Board
from pcbrules.results.profile import Ruleset


def temperatures(ruleset: Ruleset) -> tuple[float, float]:
    """Board temperatures of the two corners. [degC]"""
    return float(ruleset.conditions["cold"]), float(ruleset.conditions["hot"])


def conditions_judged(board: Board, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The conditions of the profile as texts, with what the board declares in place of one."""
    own = board.declared_fabrication.fab_class if board.declared_fabrication else None
    steps = sum(rail.current.step is not None for rail in (board.rails or {}).values())
    for name, text in ruleset.condition_texts:
        if name == "fabrication_class" and own and own != text:
            yield name, f"{own} (the board's; the profile's is {text})"
        elif name == "load_step" and steps:
            yield name, f"{text} ({'1 rail declares its' if steps == 1 else f'{steps} rails declare their'} own)"
        else:
            yield name, text


def in_class(board: Board, ruleset: Ruleset) -> Board:
    """The board, made in the profile's fabrication class where it names none of its own."""
    own = board.declared_fabrication and board.declared_fabrication.fab_class
    name = ruleset.conditions.get("fabrication_class")
    return board if own or name is None else replace(board, fabrication=library.entry("fabrication", str(name)))
