# SPDX-License-Identifier: MIT
"""Turns of speech that never reach a reader: texts of the program, of the shipped rulesets and of the pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

BANNED = re.compile(
    r"\b(nobody|whoever|anybody|somebody|the article|as the profile has it|freed of|let go|what couples|"
    r"sends back|is not given|are not given|what is left of)\b", re.IGNORECASE)
"""See docs/words.md; a missing key is *not declared*."""


def spoken(path: Path) -> Iterator[tuple[int, str]]:
    """Literal texts of a file of Python with their lines, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value


def test_no_message_uses_a_banned_turn() -> None:
    files = [path for path in sorted((ROOT / "pcbrules").rglob("*.py"))
             if BANNED.search(path.read_text(encoding="utf-8"))]
    found = [f"{path.relative_to(ROOT)}:{line}: {text[:80]}" for path in files
             for line, text in spoken(path) if BANNED.search(text)]
    assert not found, found[:10]


@pytest.mark.parametrize("folder", ["rulesets", "pcbrules/templates"])
def test_no_ruleset_and_no_template_does(folder: str) -> None:
    found = [f"{path.name}:{number}: {line.strip()[:80]}" for path in sorted((ROOT / folder).glob("*.yaml"))
             for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if BANNED.search(line)]
    assert not found, found[:10]


def test_a_banned_turn_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text('"""Nobody reads this."""\nx = f"{1} is not given"\n', encoding="utf-8")
    assert [bool(BANNED.search(text)) for _, text in spoken(file)] == [True]
