# SPDX-License-Identifier: MIT
"""The frame of what a study prints: a page for readers (80 columns), a document for programs (JSON)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded
from pcbrules.reports.json_report import dump
from pcbrules.version import VERSION

SCHEMA_VERSION = 1

WIDTH = 80


def page(lines: Iterable[str]) -> str:
    """Return the lines of a page as a text that no terminal takes for a command."""
    return uncommanded("\n".join(lines) + "\n")


def wrapped(text: str, indent: int = 4, hang: int = 2) -> list[str]:
    """Return a text in lines of 80 columns."""
    first = " " * indent
    return textwrap.wrap(escape(text), WIDTH, initial_indent=first, subsequent_indent=first + " " * hang)


def section(title: str, items: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a title with what is called so and why: ``Not evaluated:``; nothing where there is none."""
    for place, (name, reason) in enumerate(items):
        if place == 0:
            yield from ("", title)
        yield from wrapped(f"{name}: {reason}")


def total(exit_code: int, *counts: str) -> str:
    """Return the last line of a page: what there is, and the exit code."""
    return f"{', '.join(filter(None, counts))}: exit code {exit_code}"


def document(board: str, profile: str, fields: dict[str, Any]) -> str:
    """Return the JSON of a study: its frame, then its fields."""
    frame = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "pcbrules", "version": VERSION},
        "board": board,
        "profile": profile,
    }
    return dump(frame | fields, ascii_only=False)
