# SPDX-License-Identifier: MIT
"""Results of functions of a board, or of a part of it that keeps them: computed once, kept with it, freed with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Keeper(Protocol):
    """What keeps results: a board, or a part of it."""

    @property
    def made(self) -> dict[Any, Any]:
        """Results by function and arguments."""


K = TypeVar("K", bound=Keeper)


def once_a_board(make: Callable[Concatenate[K, P], R]) -> Callable[Concatenate[K, P], R]:
    """Decorate a function of a board and of parts of it or plain values: results are kept with the board.

    Or of a part of it that keeps them itself, such as a link whose elements are made.
    """

    @wraps(make)
    def made(keeper: K, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = make, args, tuple(kwargs.items())
        if key not in keeper.made:
            keeper.made[key] = make(keeper, *args, **kwargs)
        kept: R = keeper.made[key]
        return kept

    return made


def is_made(function: Callable[..., Any], keeper: Keeper, /, *args: Any, **kwargs: Any) -> bool:
    """True if a decorated function has been called with these arguments."""
    return (function.__wrapped__, args, tuple(kwargs.items())) in keeper.made  # type: ignore[attr-defined]
