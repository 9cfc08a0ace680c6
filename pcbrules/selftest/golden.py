# SPDX-License-Identifier: MIT
"""Reads golden files: JSON objects with a list of entries, each with an id and a kind (or section)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from pcbrules.document.textfile import decode, read_bytes
from pcbrules.errors import InputError, Problem, Problems, quoted
from pcbrules.phrases import show_path

LISTS = ("entries", "cases", "structures")
"""Keys under which a golden file keeps its entries."""

SIZE_LIMIT = 50_000_000  # bytes
SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class GoldenEntry:
    """One entry: the name of its file, its id, the word that tells its kind, and all its values."""

    file: str
    id: str
    kind: str
    data: Mapping[str, Any] = field(repr=False)


def read(place: str | None) -> tuple[GoldenEntry, ...]:
    """Entries of the golden files of a directory, of one file, or of the shipped copies.

    Parameters
    ----------
    place : str, optional
        A directory, of which all ``*.json`` are read in order of name, or a file.

    Raises
    ------
    InputError
        There is no such file, none is there, or one is no golden file.
    """
    if place is None:
        return shipped()
    path = Path(place)
    if not os.path.isdir(path):
        return tuple(_entries(path, place))
    names = sorted(name for name in os.listdir(path) if name.endswith(".json") and not name.startswith("."))
    if not names:
        raise InputError([Problem(place, 0, 0, "", "no golden file is here", expected="files *.json")])
    return tuple(entry for name in names for entry in _entries(path / name, str(path / name)))


@cache
def shipped() -> tuple[GoldenEntry, ...]:
    """Entries of the copies that are part of the package."""
    found: list[GoldenEntry] = []
    folder = files("pcbrules.selftest") / "data"
    for name in sorted(item.name for item in folder.iterdir() if item.name.endswith(".golden.json")):
        with as_file(folder / name) as path:
            found += _entries(path, f"{SHIPPED}/{name.replace('.golden', '')}")
    return tuple(found)


def _entries(path: Path, shown: str) -> Iterator[GoldenEntry]:
    tree = _json(path, shown)
    keys = [key for key in LISTS if isinstance(tree, dict) and isinstance(tree.get(key), list)]
    if not keys:
        found = ", ".join(map(str, list(tree)[:6])) or "no keys" if isinstance(tree, dict) else quoted(tree)
        raise _fault(shown, (), "this is no golden file", found, f"an object with a list '{LISTS[0]}' (or "
                     f"{' or '.join(repr(key) for key in LISTS[1:])})")
    for key in keys:
        for at, data in enumerate(tree[key]):
            if not isinstance(data, dict):
                raise _fault(shown, (key, at), "this is no entry", quoted(data), "an object")
            yield GoldenEntry(shown, _word(shown, (key, at), data, ("id",)),
                              _word(shown, (key, at), data, ("kind", "section")), data)


def _json(path: Path, shown: str) -> Any:
    problems = Problems(shown)
    text = decode(read_bytes(path, shown, SIZE_LIMIT), problems)
    problems.check()
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = Problem(shown, error.lineno, error.colno, "", f"this is no JSON: {error.msg}", expected="a JSON file")
    except (RecursionError, ValueError):  # nested too deep; a number of too many digits
        problem = Problem(shown, 0, 0, "", "this JSON is beyond what can be read", expected="a golden file")
    raise InputError([problem])


def _word(shown: str, path: tuple[str | int, ...], data: Mapping[str, Any], keys: Sequence[str]) -> str:
    for key in keys:
        if isinstance(data.get(key), str) and data[key].strip():
            return str(data[key]).strip()
    found = quoted(data[keys[0]]) if keys[0] in data else "nothing"
    raise _fault(shown, (*path, keys[0]), "an entry lacks a name", found, " or ".join(f"a text '{k}'" for k in keys))


def _fault(shown: str, path: tuple[str | int, ...], message: str, found: str, expected: str) -> InputError:
    return InputError([Problem(shown, 0, 0, show_path(path), message, found, expected)])
