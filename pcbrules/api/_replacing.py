# SPDX-License-Identifier: MIT
"""An input of a document by the name that messages have for it, in which parts of a path may stand by their names."""

from __future__ import annotations

from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import InputError
from pcbrules.phrases import clip, read_path
from pcbrules.spelling import cure


def replaced(document: Document, key: str, value: Any) -> Document:
    """Return the document with ``value`` at a key such as ``links.up.path.run.length`` or ``stackup[3].thickness``.

    Raises
    ------
    InputError
        No such part, or a key that is no key: the message names the parts that there are.
    """
    steps = read_path(key) if isinstance(key, str) else None
    if steps is None:
        raise TypeError(f"replace() takes a key such as 'links.up.path.run.length', not {clip(repr(key), 80)}")
    path: Path = ()
    for step in steps:
        here = document.get(path, None)
        if isinstance(here, list) and isinstance(step, str):
            path = (*path, *_named(document, path, here, step))
        else:
            path = (*path, step)
    return document.edited(path, value)


def _named(document: Document, path: Path, items: list[Any], name: str) -> Path:
    """Where an item of a list stands that has a name itself (a layer), or whose one part has it (an element)."""
    found: dict[str, Path] = {}
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        if isinstance(item.get("name"), str):
            found.setdefault(item["name"], (place,))
        for word, body in item.items():
            if isinstance(body, dict) and isinstance(body.get("name"), str):
                found.setdefault(body["name"], (place, word))
    if name in found:
        return found[name]
    raise InputError([document.problem(
        path, "this list has nothing of that name", found=name, expected=clip(", ".join(found)) or "an index",
        fix=cure(name, found) or "give its place: [0] is the first")])
