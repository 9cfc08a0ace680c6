# SPDX-License-Identifier: MIT
"""What `import pcbrules` offers of `api`: calls whose errors name arguments where the commands name options."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from pcbrules.api import _checking, _fixing, _loaded, _platform, _reach, _search, _studies, _variants, _yield
from pcbrules.api._arguments import bound
from pcbrules.errors import InputError, Problem

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")

FIELDS = {"zdiff": "impedance", "z0": "impedance", "stackup": "board", "at": "frequency"}
"""Arguments that have another name than their option."""


def spoken(call: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return a call whose errors name its arguments, and that refuses those of another type in one sentence."""
    of = signature(call)
    every = tuple(of.parameters)

    @wraps(call)
    def called(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        bound(call.__name__, of, args, kwargs)
        try:
            return call(*args, **kwargs)
        except InputError as error:
            raise InputError(_spoken(one, every) for one in error.problems) from None

    return called


def _spoken(problem: Problem, every: tuple[str, ...]) -> Problem:
    """The problem, its options by the names of the arguments; a file that was read keeps its words."""
    if problem.line:
        return problem

    def name(found: re.Match[str]) -> str:
        option = found[1].replace("-", "_")
        return f"{option}s" if f"{option}s" in every and option not in every else FIELDS.get(option, option)

    def quoted(found: re.Match[str]) -> str:
        return f"`{name(found)}`"

    file = OPTION.sub(name, problem.file) if problem.file.startswith("--") else problem.file
    message, expected, fix = (OPTION.sub(quoted, text) for text in (problem.message, problem.expected, problem.fix))
    return replace(problem, file=file, message=message, expected=expected, fix=fix)


board_yield = spoken(_yield.board_yield)
check = spoken(_checking.check)
design = spoken(_studies.design)
fix = spoken(_fixing.fix)
lines = spoken(_studies.lines)
load = spoken(_loaded.load)
platform = spoken(_platform.platform)
reach = spoken(_reach.reach)
search = spoken(_search.search)
sweep = spoken(_variants.sweep)
