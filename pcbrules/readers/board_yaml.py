# SPDX-License-Identifier: MIT
"""The YAML board description: file → document → checked tree → resolved board."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from pcbrules.document import Document, Path, show_path
from pcbrules.document.suspects import missing_blank
from pcbrules.errors import InputError, Problem, Problems, clip
from pcbrules.model.board import Board
from pcbrules.model.board_file import BoardFile
from pcbrules.model.board_schema import board_schema
from pcbrules.readers.names import Names
from pcbrules.readers.range_check import check_ranges
from pcbrules.readers.resolve import resolve
from pcbrules.readers.schema_errors import add_problems


def board_of(document: Document) -> tuple[Board, tuple[Problem, ...]]:
    """Check a document against the board schema and resolve its names. Returns the board and warnings.

    Raises InputError with every fault, in file order. Where the schema does not hold, names and heights are checked
    in those sections that do not depend on a faulty one.
    """
    problems = Problems(document.file)
    if not isinstance(document.tree, dict):
        parted = missing_blank(document.tree) if isinstance(document.tree, str) else ""
        fix = f"write '{clip(parted)}', with a plain ':' and a blank" if parted else ""
        raise InputError([document.problem((), "a board file is a mapping that begins with `schema: 1`", fix=fix)])
    board = None
    try:
        file = BoardFile.model_validate(_frozen(document.tree))
    except ValidationError as error:
        _check_rest(document, add_problems(error, document, board_schema(), problems), problems)
    else:
        impossible = check_ranges(file, Names(document, problems))
        if impossible:
            _resolve_rest(document, impossible, problems)
        else:
            board = resolve(file, document, problems)
    problems.kept.sort(key=lambda p: (p.file != document.file, p.line, p.column))
    problems.check()
    if board is None:
        raise InputError(problems.all())
    return board, problems.all()


def read_file(document: Document) -> BoardFile:
    """The sections of a document that ``board_of`` takes, as they are written."""
    return BoardFile.model_validate(_frozen(document.tree))


ENTRIES = ("links", "rails", "evidence")
"""Sections of which only the faulty entries are left out of a further check."""
DEPENDANTS = {
    "materials": ("stackup", "via_types", "links", "rails"),
    "stackup": ("via_types", "links", "rails"),
    "via_types": ("links", "system"),
}
"""Sections that cannot be checked without another."""


def _check_rest(document: Document, faulty: tuple[Path, ...], problems: Problems) -> None:
    """Check what is left without the faulty pieces, for its problems only."""
    reported = {problem.path for problem in problems.kept}
    with contextlib.suppress(ValidationError):
        file = BoardFile.model_validate(_frozen(_without(document, faulty)))
        _resolve_rest(document, (*faulty, *check_ranges(file, Names(document, problems))), problems)
    reported |= {problem.path for problem in problems.kept}
    _check_library_names(document, reported, problems)


def _resolve_rest(document: Document, faulty: Iterable[Path], problems: Problems) -> None:
    """Resolve what is left without the faulty pieces, for its problems only."""
    with contextlib.suppress(ValidationError):
        resolve(BoardFile.model_validate(_frozen(_without(document, faulty))), document, problems)


def _without(document: Document, faulty: Iterable[Path]) -> dict[str, Any]:
    """The tree without the faulty pieces and without all that hangs on them."""
    tree = dict(document.tree)
    left_out: dict[str, set[str | int]] = {}
    for path in faulty:
        section = str(path[0]) if path else "schema"
        if section in ENTRIES and len(path) > 1:
            left_out.setdefault(section, set()).add(path[1])
        else:
            for name in (section, *DEPENDANTS.get(section, ())):
                tree.pop(name, None)
    for section, entries in left_out.items():
        if isinstance(tree.get(section), dict):
            tree[section] = {name: entry for name, entry in tree[section].items() if name not in entries}
    return tree


LIBRARY_NAMES = (("links", "standard", "links", "standards"), ("stackup", "material", "laminates", "laminates"))
"""Section, key of its entries, kind in the library, section of the board's own materials."""


def _check_library_names(document: Document, reported: set[str], problems: Problems) -> None:
    """Look up the library names of entries that could not be resolved, unless their place has its problem."""
    names = Names(document, problems)
    for section, key, kind, own in LIBRARY_NAMES:
        entries = document.get((section,), None)
        if not isinstance(entries, dict | list):
            continue
        items = entries.items() if isinstance(entries, dict) else enumerate(entries)
        mine = document.get(("materials", own), None)
        for name, entry in items:
            value = entry.get(key) if isinstance(entry, dict) else None
            path: Path = (section, name, key)
            if not isinstance(value, str) or (isinstance(mine, dict) and value in mine):
                continue
            if show_path(path) not in reported:
                names.library(kind, value, path)


def _frozen(value: Any) -> Any:
    """Lists become tuples, so that the model needs no conversion and may be strict."""
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    return value
