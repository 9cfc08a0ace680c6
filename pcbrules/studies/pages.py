# SPDX-License-Identifier: MIT
"""The frame of what a study prints: a page for readers (80 columns), a document for programs (JSON)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded
from pcbrules.results.program_text import dump
from pcbrules.version import VERSION

SCHEMA_VERSION = 1

WIDTH = 80

TIED = "\u00a0"
"""A blank at which no line ends."""

_OF_UNIT = re.compile(r"(?<=\d) (?=(?:%|degC|oz|mil|points?|dB|[fpnumkMG]?(?:ohm|V|A|W|Hz|F|H|m|s|J|Bd|B|K))(?![\w/]))")


def page(lines: Iterable[str]) -> str:
    """Return the lines of a page as a text that no terminal takes for a command."""
    return uncommanded("\n".join(lines) + "\n")


def wrapped(text: str, indent: int = 4, hang: int = 2) -> list[str]:
    """Return a text in lines of 80 columns, none of which ends between a number and its unit."""
    first = " " * indent
    lines = textwrap.wrap(_OF_UNIT.sub(TIED, escape(text)), WIDTH, initial_indent=first,
                          subsequent_indent=first + " " * hang)
    return [line.replace(TIED, " ") for line in lines]


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
