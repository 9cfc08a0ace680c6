# SPDX-License-Identifier: MIT
"""Every example in a docstring of the package is run; a formula with a card has one."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import pcbrules
from pcbrules.physics.common.card import FormulaCard


def examples() -> Iterator[doctest.DocTest]:
    """The examples of all docstrings, found by walking the package."""
    finder = doctest.DocTestFinder()
    for module in pkgutil.walk_packages(pcbrules.__path__, "pcbrules."):
        if not module.name.endswith("__main__"):
            yield from (one for one in finder.find(importlib.import_module(module.name)) if one.examples)


EXAMPLES = {one.name: one for one in examples()}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_what_a_docstring_shows_is_true(name: str) -> None:
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(EXAMPLES[name], out=said.append, clear_globs=False)
    assert result.attempted == len(EXAMPLES[name].examples) > 0
    assert not result.failed, "".join(said)


def test_every_formula_with_a_card_shows_an_example() -> None:
    lacking = [
        f"{module.__name__}.{one.__name__}"
        for info in pkgutil.walk_packages(pcbrules.__path__, "pcbrules.") if not info.name.endswith("__main__")
        for module in [importlib.import_module(info.name)] for one in vars(module).values()
        if isinstance(getattr(one, "card", None), FormulaCard) and one.__module__ == module.__name__
        and f"{module.__name__}.{one.__name__}" not in EXAMPLES
    ]
    assert len(EXAMPLES) > 70
    assert not lacking
