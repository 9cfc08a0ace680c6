# SPDX-License-Identifier: MIT
"""One thread for the linear algebra of what a script calls, as the command line has it.

The matrices are small: more threads wait for each other, take twice the processor time or more, and round differently.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_SET = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def one_blas_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function during which numpy and scipy compute with one thread; afterwards with as many as before."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if all(os.environ.get(name) == "1" for name in _SET):  # the command line has it so
            return function(*args, **kwargs)
        with _libraries().limit(limits=1):
            return function(*args, **kwargs)

    return run


@cache
def _libraries() -> Any:
    """The libraries of linear algebra that are loaded with numpy and scipy: each brings its own."""
    for name in ("numpy", "scipy.linalg"):
        import_module(name)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
