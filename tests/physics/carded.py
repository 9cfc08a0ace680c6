# SPDX-License-Identifier: MIT
"""Every formula of the package that carries a card, found by walking the package, and the units of its docstring."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from functools import cache
from typing import Any

import pcbrules
from pcbrules.physics.common.card import FormulaCard

NUMERIC = ("ArrayLike", "float", "int", "complex")
"""Types of arguments that have a unit; others (a flag, a grid, a material) have none."""


@cache
def modules() -> tuple[Any, ...]:
    """Every module of the package."""
    names = [module.name for module in pkgutil.walk_packages(pcbrules.__path__, "pcbrules.")]
    return tuple(importlib.import_module(name) for name in names if not name.endswith("__main__"))


@cache
def formulas() -> dict[str, Any]:
    """Every formula that carries a card, by name; a name that two formulas share is refused."""
    found: dict[str, Any] = {}
    for module in modules():
        for one in vars(module).values():
            if isinstance(getattr(one, "card", None), FormulaCard) and one.__module__ == module.__name__:
                assert found.setdefault(one.__name__, one) is one, one.__name__
    return found


def arguments(formula: Any) -> dict[str, inspect.Parameter]:
    """Parameters of a formula."""
    return dict(inspect.signature(formula).parameters)


def numeric(parameter: inspect.Parameter) -> bool:
    """Whether an argument is a number or many, so that it has a unit."""
    words = re.findall(r"\w+", str(parameter.annotation))
    return bool({*words} & {*NUMERIC})


def sections(formula: Any) -> dict[str, str]:
    """Sections of a docstring by their title."""
    parts = re.split(r"\n(\w+)\n-+\n", "\n" + (inspect.getdoc(formula) or ""))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def units(formula: Any) -> dict[str, str]:
    """Unit of every argument that the docstring gives one: the last text in brackets of its paragraph."""
    found = {}
    for entry in re.split(r"\n(?=\S)", sections(formula).get("Parameters", "")):
        head, _, text = entry.partition("\n")
        names, _, _ = head.partition(" : ")
        given = re.findall(r"\[([^\[\]]+)\]", text)
        if given:
            found |= {name.strip(): given[-1] for name in names.split(",")}
    return found
