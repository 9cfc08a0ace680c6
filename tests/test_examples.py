# SPDX-License-Identifier: MIT
"""Every example in a docstring of the package is run; a formula with a card has one."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import pcbrules
from pcbrules.physics.common.card import FormulaCard

PACKAGE = Path(pcbrules.__file__).parent


def examples() -> Iterator[doctest.DocTest]:
    """The examples of all docstrings below the package; those of the package itself are not run."""
    finder = doctest.DocTestFinder()
    for file in sorted(PACKAGE.rglob("*.py")):
        if file != PACKAGE / "__init__.py" and ">>>" in file.read_text(encoding="utf-8"):
            name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
            yield from (one for one in finder.find(importlib.import_module(name)) if one.examples)


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
