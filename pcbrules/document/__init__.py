# SPDX-License-Identifier: MIT
"""A YAML file as a plain tree in which every value knows its line and column, and edited copies of it."""

from __future__ import annotations

import hashlib
import os
import pathlib
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from pcbrules.brief import brief
from pcbrules.document.textfile import SIZE_LIMIT, check_size, decode, read_bytes
from pcbrules.document.tree import Mark, Place, build
from pcbrules.errors import InputError, Path, Problem, Problems, quoted, show_path

__all__ = ["SIZE_LIMIT", "Document", "Path", "Place", "parse_yaml", "read_yaml", "show_path"]

_MISSING: Any = object()


@dataclass(frozen=True)
class Document:
    """A file and what it holds. Nobody changes `tree` in place: `edited` and `without` give new ones.

    `file` is its name in messages; `sha256` is the digest of the bytes that were read, which edited documents
    keep; `tree` is made of dict, list, str, int, float, bool and None, and shares what an alias repeats; `text` is
    what was read, which edited documents keep too, and empty where there is none.
    """

    file: str
    sha256: str
    tree: Any
    _marks: Mark = field(repr=False)
    text: str = field(default="", repr=False)

    __repr__ = brief

    def at(self, path: Path) -> Place:
        """Return line and column of the value at `path`, or of its nearest ancestor that is there."""
        return self._mark(path).place

    def key_at(self, path: Path) -> Place:
        """Return line and column of the key at `path` or of its nearest ancestor; of a list item, its own."""
        return self._mark(path).key

    def place(self, path: Path, *, key: bool = False) -> tuple[str, int, int]:
        """Return file, line and column of the value or the key at `path`, or of its nearest ancestor that is there."""
        mark = self._mark(path)
        return (mark.file or self.file, *(mark.key if key else mark.place))

    def source(self, path: Path) -> str:
        """Return the file from which the value at `path` was grafted; empty for one of the document's own."""
        return self._mark(path).file

    def measured(self, path: Path) -> bool:
        """Return True for a value that was measured on a layout: nobody wrote it, so it has no line."""
        return not self._mark(path).place[0]

    def written(self, path: Path) -> str:
        """Return the number at `path` as the file writes it (`0402`, `1E5`); empty for anything else."""
        return self._mark(path).written if _find(self.tree, path) is not _MISSING else ""

    def get(self, path: Path, default: Any = _MISSING) -> Any:
        """Return the value at `path`; where there is none, `default`, or KeyError without a default."""
        value = _find(self.tree, path)
        if value is not _MISSING:
            return value
        if default is _MISSING:
            raise KeyError(show_path(path))
        return default

    def edited(self, path: Path, value: Any) -> Document:
        """Return a document with `value` at `path`.

        Missing keys are made; the index after the last item appends.

        What lies off the path is shared with this document, and everything keeps its position. What is new
        stands where the replaced value stood, or where its nearest ancestor stands. Raises InputError where
        the path goes through a text or number, takes a list for a mapping, or points beyond the end of one.
        """
        old = _find(self.tree, path)
        mark = self._mark(path).alone if old is _MISSING else self._mark(path)
        return self._with(path, value, _remark(value, mark, old))

    def without(self, path: Path) -> Document:
        """Return a document that lacks the key or list item at `path`. Raises InputError if there is none."""
        if not path or _find(self.tree, path) is _MISSING:
            self._refuse(path, "there is nothing here that can be removed")
        parent, last = path[:-1], path[-1]
        mark = self._mark(parent)
        kept, below = self.get(parent).copy(), mark.below.copy()
        del kept[last]
        del below[last]
        return self._with(parent, kept, replace(mark, below=below))

    def problem(self, path: Path, message: str, *, key: bool = False, **parts: Any) -> Problem:
        """Return a Problem at the value or the key at `path`; `parts` are found, expected, fix, level."""
        return Problem(*self.place(path, key=key), show_path(path), message, **parts)

    def unplaced(self, sha256: str) -> Document:
        """Return the document as one of which nobody sees the text: no value has a line; `sha256` is its origin's."""
        return replace(self, sha256=sha256, _marks=_unplaced(self._marks), text="")

    def grafted(self, path: Path, other: Document, at: Path) -> Document:
        """Return a document with what `other` holds at `at` in the place `path`; of two mappings both keys are kept.

        What was grafted keeps its file, line and column; a mapping that was there stays where it was. Raises
        InputError as `edited` does.
        """
        mine = (_find(self.tree, path), self._mark(path))
        value, mark = _merged(mine, (other.get(at), other._mark(at)), other.file)
        return self._with(path, value, mark)

    def _mark(self, path: Path) -> Mark:
        mark = self._marks
        for step in path:
            below = mark.child(step)
            if below is None:
                break
            mark = below
        return mark

    def _with(self, path: Path, value: Any, mark: Mark) -> Document:
        """Return a document with `value` and its marks at `path`: the containers on the way are copied."""
        trail: list[tuple[Any, Mark]] = []
        node, here = self.tree, self._marks
        for depth, step in enumerate(path):
            if node is None or node is _MISSING:
                node = {} if isinstance(step, str) else []
                here = replace(here, below=node.copy(), written="")
            if not isinstance(node, dict if isinstance(step, str) else list):
                self._refuse(path[:depth], f"{quoted(node)} holds no {quoted(step)}")
            if isinstance(step, int) and not 0 <= step <= len(node):
                self._refuse(path[: depth + 1], f"the list has {len(node)} items")
            trail.append((node, here))
            here = here.child(step) or here.alone
            node = _find(node, (step,))
        for step, (node, here) in zip(reversed(path), reversed(trail), strict=True):
            tree, below = node.copy(), here.below.copy()
            if isinstance(step, int) and step == len(tree):
                tree.append(value)
                below.append(mark)
            else:
                tree[step], below[step] = value, mark
            value, mark = tree, replace(here, below=below)
        return replace(self, tree=value, _marks=mark)

    def _refuse(self, path: Path, message: str) -> NoReturn:
        raise InputError([self.problem(path, message)])


LAYOUTS = {b"(kicad_pcb": "a KiCad board", b"<?xml": "an XML file", b"<IPC-2581": "an IPC-2581 file",
           b"PK\x03\x04": "a ZIP archive", b"\x1f\x8b": "a gzip archive"}
"""How files begin that are given for a board file and may be layouts."""


def read_yaml(path: str | os.PathLike[str], shown_as: str | None = None) -> Document:
    """Read the file at `path`, called `shown_as` in messages (by default the path). Raises InputError."""
    name = pathlib.Path(path).as_posix() if shown_as is None else shown_as
    return parse_yaml(read_bytes(path, name), name)


def parse_yaml(data: bytes, file: str) -> Document:
    """Read `data`, the bytes of `file`. Raises InputError with all that is wrong as far as it can be read."""
    check_size(len(data), file)
    start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    for begin, name in LAYOUTS.items():
        if start.startswith(begin):
            raise InputError([Problem(file, 1, 1, "", f"this is {name}, not a board file", "",
                                      "YAML that begins with `schema: 1`",
                                      "name the layout itself: pcbrules check FILE --profile NAME")])
    problems = Problems(file)
    text = decode(data, problems)
    problems.check()
    root = build(text, problems)
    problems.check()
    if root is None:
        raise InputError([Problem(file, 1, 1, "", "the file is empty", expected="'key: value'")])
    return Document(file, hashlib.sha256(data).hexdigest(), *root, text)


def _find(value: Any, path: Path) -> Any:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step, _MISSING)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return _MISSING
    return value


def _remark(value: Any, mark: Mark, old: Any) -> Mark:
    """Return marks for `value` in the place of `old`: what is the same keeps its mark."""
    if value is old:
        return mark
    below: Any = None
    if isinstance(value, dict):
        below = {step: _remark_child(item, step, mark, old) for step, item in value.items()}
    elif isinstance(value, list):
        below = [_remark_child(item, step, mark, old) for step, item in enumerate(value)]
    return replace(mark.alone, below=below)


def _unplaced(mark: Mark) -> Mark:
    below = mark.below
    if isinstance(below, dict):
        below = {step: _unplaced(one) for step, one in below.items()}
    elif isinstance(below, list):
        below = [_unplaced(one) for one in below]
    return Mark((0, 0), (0, 0), below, mark.written)


def _merged(mine: tuple[Any, Mark], theirs: tuple[Any, Mark], file: str) -> tuple[Any, Mark]:
    """Two values with their marks as one: mappings key by key, of all else theirs, whose marks name its file."""
    (old, old_mark), (new, new_mark) = mine, theirs
    placed = replace(new_mark, file=file)
    if isinstance(new, dict):
        both = isinstance(old, dict)
        value, below = (dict(old), dict(old_mark.below)) if both else ({}, {})
        for key, item in new.items():
            before = (value[key], below[key]) if key in value else (None, new_mark)
            value[key], below[key] = _merged(before, (item, new_mark.below[key]), file)
        return value, replace(old_mark if both else placed, below=below)
    if isinstance(new, list):
        pairs = [_merged((None, new_mark), (item, mark), file) for item, mark in zip(new, new_mark.below, strict=True)]
        return [value for value, _ in pairs], replace(placed, below=[mark for _, mark in pairs])
    return new, placed


def _remark_child(item: Any, step: str | int, mark: Mark, old: Any) -> Mark:
    known = mark.child(step)
    return _remark(item, known or mark.alone, _find(old, (step,)) if known else _MISSING)
