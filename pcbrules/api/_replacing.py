# SPDX-License-Identifier: MIT
"""An input of a document by the name that messages have for it, in which parts of a path may stand by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as faulty
from typing import TYPE_CHECKING, Any

import numpy as np

from pcbrules.document import Document, Path
from pcbrules.errors import InputError, quoted
from pcbrules.phrases import clip, read_path
from pcbrules.spelling import cure

if TYPE_CHECKING:
    from pcbrules.studies.variants.axes import Edits

NAMED = ("links", "rails", "via_types")
"""Sections whose parts have names of the user's choice."""

NO_VALUE: Any = type("NoValue", (), {"__repr__": lambda self: "..."})()
"""Stands for the value where a mapping holds the values."""


def edits_of(key: Any, value: Any) -> Mapping[Any, Any]:
    """Return what is to be replaced as a mapping of keys to values. Raises TypeError where a value is missing."""
    if isinstance(key, Mapping):
        if value is not NO_VALUE:
            raise TypeError("replace() takes a key and its value, or a mapping of keys to values alone")
        if not key:
            raise TypeError("replace() takes a mapping of keys to values, and this one is empty")
        return key
    if value is NO_VALUE:
        raise TypeError("replace() takes a key and its value: replace('links.up.path.run.length', '60 mm')")
    if not isinstance(key, str):
        raise _no_key(key)
    return {key: value}


def _no_key(key: Any) -> TypeError:
    return TypeError(f"replace() takes a key such as 'links.up.path.run.length', not {clip(repr(key), 80)}")


def replaced(document: Document, edits: Mapping[Any, Any], *, along: bool = False) -> Document:
    """Return the document with values at keys such as ``links.up.path.run.length`` or ``stackup[3].thickness``.

    Raises
    ------
    InputError
        No such part, or a key that is no key: the message names the parts that there are.
    """
    places: Edits = tuple((place, plain(value)) for key, value in edits.items() for place in _places(document, key))
    if along:
        from pcbrules.studies.variants.along import with_what_moves

        places = with_what_moves(document, places)[0]
    for path, value in places:
        document = document.edited(path, value)
    return document


def laminated(document: Document, material: str, layers: Sequence[str]) -> Document:
    """Return the document with dielectrics of another laminate, all or those that are named. Raises InputError."""
    from pcbrules.studies.variants.routes import of_laminate

    stackup = document.get(("stackup",), None)
    every = {str(layer.get("name", f"[{place}]")): place for place, layer in enumerate(stackup or ())
             if isinstance(layer, dict) and layer.get("kind") == "dielectric"}
    if not every:
        raise InputError([document.problem(("stackup",), "there is no dielectric that could be of another laminate")])
    for name in layers:
        if name not in every:
            raise InputError([document.problem(("stackup",), "no dielectric has this name", found=quoted(name),
                                               expected=clip(", ".join(every)), fix=cure(name, every))])
    for name in layers or every:
        document = of_laminate(document, ("stackup", every[name]), material)
    return document


def plain(value: Any) -> Any:
    """Return a number or an array of numpy as the numbers that it holds; all else as it is."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _places(document: Document, key: Any) -> tuple[Path, ...]:
    """Where a key stands: at every place, where it has wildcards."""
    if not isinstance(key, str) or "*" not in key:
        return (_place(document, key),)
    from pcbrules.studies.variants.axes import places_of

    try:
        return places_of(key, document)
    except InputError as error:  # it speaks of an option
        raise InputError(faulty(one, file=document.file, fix="" if "--" in one.fix else one.fix)
                         for one in error.problems) from None


def _place(document: Document, key: Any) -> Path:
    """Where a key stands; its parts by name or by number."""
    steps = read_path(key) if isinstance(key, str) else None
    if steps is None:
        raise _no_key(key)
    path: Path = ()
    for step in steps:
        here = document.get(path, None)
        if isinstance(here, list) and isinstance(step, str):
            path = (*path, *_named(document, path, here, step))
        else:
            path = (*path, step)
        if len(path) == 2 and len(steps) > 2 and path[0] in NAMED:
            _check_name(document, path)
    return path


def _check_name(document: Document, path: Path) -> None:
    """A part of a link, rail or via type is changed of one that there is: another name is a slip."""
    there = document.get(path[:1], None)
    if isinstance(there, dict) and path[1] not in there:
        names = [str(one) for one in there]
        raise InputError([document.problem(path[:1], "nothing here has this name", found=quoted(str(path[1])),
                                           expected=clip(", ".join(names)), fix=cure(str(path[1]), names))])


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
