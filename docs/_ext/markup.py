# SPDX-License-Identifier: MIT
"""Markdown in small: tables, texts that are no markup, names of places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pcbrules.reports._rule_page import plain

__all__ = ["code", "label", "plain", "table"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a `|` or a line break within a cell is taken care of."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines) + "\n"


def code(text: str) -> str:
    """The text as code."""
    return f"`{text}`" if text else ""


def label(text: str) -> str:
    """A name that a link can lead to."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", "<br>")
