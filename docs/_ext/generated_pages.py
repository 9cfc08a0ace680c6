# SPDX-License-Identifier: MIT
"""Pages made of the program: rules, commands, calls, board file, rulesets, sources. Written before Sphinx reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import board_pages
import command_page
import python_page
import rule_pages
import ruleset_page
import source_page

FOLDERS = ("rules", "reference")
MADE_BY = "<!-- Made by docs/_ext from the program; not to be edited. -->\n"


def pages() -> dict[str, str]:
    """Every made page: its path below docs, and its text."""
    made = {**rule_pages.pages(), **command_page.pages(), **board_pages.pages(), **ruleset_page.pages(),
            **source_page.pages(), **python_page.pages()}
    return {path: f"{text.rstrip()}\n\n{MADE_BY}" for path, text in made.items()}


def write(folder: Path) -> None:
    """Write the pages where they have changed; remove those that no longer are."""
    made = pages()
    for path, text in made.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8", newline="\n")
    for name in FOLDERS:
        for file in (folder / name).rglob("*.md"):
            if file.relative_to(folder).as_posix() not in made:
                file.unlink()


def setup(app: Any) -> dict[str, Any]:
    """Write the pages once Sphinx knows its folders."""
    app.connect("builder-inited", lambda app: write(Path(app.srcdir)))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
