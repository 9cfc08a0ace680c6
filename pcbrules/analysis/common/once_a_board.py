# SPDX-License-Identifier: MIT
"""Results of functions of a board: computed once, kept with the board, freed with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from pcbrules.model.board import Board

P = ParamSpec("P")
R = TypeVar("R")


def once_a_board(make: Callable[Concatenate[Board, P], R]) -> Callable[Concatenate[Board, P], R]:
    """Decorate a function of a board and of parts of it or plain values: results are kept with the board."""

    @wraps(make)
    def made(board: Board, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = make, args, tuple(kwargs.items())
        if key not in board.made:
            board.made[key] = make(board, *args, **kwargs)
        kept: R = board.made[key]
        return kept

    return made
