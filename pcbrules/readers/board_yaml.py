# SPDX-License-Identifier: MIT
"""The YAML board description: file → document → checked tree → resolved board."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from pcbrules.document import Document, Path, show_path
from pcbrules.document.suspects import missing_blank
from pcbrules.errors import InputError, Problem, Problems, clip
from pcbrules.model.board import Board
from pcbrules.model.board_file import BoardFile
from pcbrules.model.board_schema import board_schema
from pcbrules.phrases import within
from pcbrules.readers.names import Names
from pcbrules.readers.range_check import check_ranges
from pcbrules.readers.resolve import resolve
from pcbrules.readers.schema_errors import add_problems


def board_of(document: Document) -> tuple[Board, tuple[Problem, ...]]:
    """Check a document against the board schema and resolve its names. Returns the board and warnings.

    Raises InputError with every fault, in file order. Where the schema does not hold, names and heights are checked
    without the faulty values, or where these cannot be done without, in what does not depend on them.
    """
    problems = Problems(document.file)
    if not isinstance(document.tree, dict):
        parted = missing_blank(document.tree) if isinstance(document.tree, str) else ""
        fix = f"write '{clip(parted)}', with a plain ':' and a blank" if parted else ""
        raise InputError([document.problem((), "a board file is a mapping that begins with `schema: 1`", fix=fix)])
    board = None
    try:
        file = BoardFile.model_validate(frozen(document.tree))
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
    return BoardFile.model_validate(frozen(document.tree))


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
    for tree, _ in _rests(document, faulty):
        with contextlib.suppress(ValidationError):
            impossible = check_ranges(BoardFile.model_validate(frozen(tree)), Names(document, problems))
            _resolve_rest(document, (*faulty, *impossible), problems)
            break
    reported |= {problem.path for problem in problems.kept}
    _check_library_names(document, reported, problems)


def _resolve_rest(document: Document, faulty: Iterable[Path], problems: Problems) -> None:
    """Resolve what is left without the faulty pieces, for its problems only; none of an entry that was mended."""
    for tree, mended in _rests(document, tuple(faulty)):
        with contextlib.suppress(ValidationError):
            file = BoardFile.model_validate(frozen(tree))
            found = Problems(document.file)
            resolve(file, document, found)
            for one in found.all():
                if not any(within(one.path, show_path(entry)) for entry in mended):
                    problems.add(one)
            break


def _rests(document: Document, faulty: tuple[Path, ...]) -> Iterator[tuple[dict[str, Any], tuple[Path, ...]]]:
    """What can be checked of a tree, the most first, with the entries that lack a faulty value in it."""
    values = tuple(path for path in faulty if len(path) > 2 and path[0] in DEPENDANTS)
    layers = tuple(path for path in values if path[0] == "stackup")
    for some in dict.fromkeys((values, layers, ())):
        rest = _without(document, [path for path in faulty if path not in some])
        for path in some:
            rest = _less(rest, path)
        yield rest, tuple(path[:2] for path in some)


def _less(tree: Any, path: Path) -> Any:
    """A tree without one value; the same where it has none there."""
    first, rest = path[0], path[1:]
    if isinstance(tree, dict) and first in tree:
        if not rest:
            return {key: value for key, value in tree.items() if key != first}
        return {**tree, first: _less(tree[first], rest)}
    if isinstance(tree, list) and rest and isinstance(first, int) and first < len(tree):
        return [_less(value, rest) if place == first else value for place, value in enumerate(tree)]
    return tree


def _without(document: Document, faulty: Iterable[Path]) -> dict[str, Any]:
    """The tree without the faulty pieces and without all that hangs on them."""
    tree = dict(document.tree)
    left_out: dict[str, set[str | int]] = {}
    for path in faulty:
        section = str(path[0]) if path else "schema"
        if section in ENTRIES and len(path) > 1:
            left_out.setdefault(section, set()).add(path[1])
        elif section == "via_types" and len(path) > 1:
            left_out.setdefault(section, set()).add(path[1])
            left_out.setdefault("links", set()).update(_links_with(tree.get("links"), path[1]))
            tree.pop("system", None)
        else:
            for name in (section, *DEPENDANTS.get(section, ())):
                tree.pop(name, None)
    for section, entries in left_out.items():
        if isinstance(tree.get(section), dict):
            tree[section] = {name: entry for name, entry in tree[section].items() if name not in entries}
    return tree


def _links_with(links: Any, kind: str | int) -> Iterator[str]:
    """The links with vias of a type."""
    for name, link in links.items() if isinstance(links, dict) else ():
        steps = link.get("path") if isinstance(link, dict) else None
        vias = (step.get("via") for step in steps if isinstance(step, dict)) if isinstance(steps, list) else ()
        if any(isinstance(via, dict) and via.get("type") == kind for via in vias):
            yield name


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


def frozen(value: Any) -> Any:
    """Lists become tuples, so that the model needs no conversion and may be strict."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value
