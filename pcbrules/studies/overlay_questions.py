# SPDX-License-Identifier: MIT
"""Values of an overlay that are still a question mark, as `init --from` writes them: all of them are told at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import Problems, quoted


def check_questions(overlay: Document, problems: Problems) -> None:
    """Keep a problem for every value that begins with a question mark; a pattern of nets may do so."""
    for path, text in _texts(overlay.tree, ()):
        if text.startswith("?") and (text == "?" or text[1].isspace()):
            unit = text[1:].strip()
            value = f"the number, such as '1 {unit}'" if unit else "the value"
            problems.add(overlay.problem(path, "still a question mark", found=quoted(text),
                                         fix=f"write {value}, or make the line a comment again"))


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """All texts below a value, with their places."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _texts(item, (*path, place))
