# SPDX-License-Identifier: MIT
"""A JSON file from strangers: bounded, plain values only, with the line and column of every value on demand."""

from __future__ import annotations

import json
import os
import pathlib
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from pcbrules.document.textfile import decode, read_bytes
from pcbrules.errors import InputError, Path, Problem, Problems, quoted, show_path

SIZE_LIMIT = 50_000_000  # bytes; a report of 300 links has about 10 MB
DIGITS = 400  # of a whole number

NO_NUMBER: Any = object()
"""Stands where a file has NaN, an infinity or a whole number of too many digits."""

_BLANK = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, eq=False)
class JsonText:
    """A JSON file: its name in messages, the digest of its bytes, its tree."""

    file: str
    sha256: str
    tree: Any
    _text: str = field(repr=False)

    def at(self, path: Path) -> tuple[int, int]:
        """Line and column of the value at ``path``, or of its nearest ancestor that is there."""
        place = _blank(self._text, 0)
        for step in path:
            below = _child(self._text, place, step)
            if below is None:
                break
            place = below
        return _line_and_column(self._text, place)

    def problem(self, path: Path, message: str, **parts: Any) -> Problem:
        """A Problem at the value at ``path``; ``parts`` are found, expected, fix."""
        line, column = self.at(path)
        return Problem(self.file, line, column, show_path(path), message, **parts)


def read_json(path: str | os.PathLike[str]) -> JsonText:
    """Read a JSON file. Raises InputError with the place of what is wrong."""
    name = pathlib.Path(path).as_posix()
    return parse_json(read_bytes(path, name, SIZE_LIMIT), name)


def parse_json(data: bytes, name: str) -> JsonText:
    """Read the bytes of a JSON file that messages call ``name``. Raises InputError as ``read_json``."""
    problems = Problems(name)
    text = decode(data, problems)
    problems.check()
    try:
        tree = json.loads(text, parse_constant=lambda _: NO_NUMBER, parse_int=_whole)
    except json.JSONDecodeError as error:
        found = quoted(text[error.pos : error.pos + 20].split("\n")[0]) if text[error.pos :].strip() else "the end"
        raise InputError([
            Problem(name, error.lineno, error.colno, "", f"not valid JSON: {error.msg.lower()}", found)
        ]) from None
    except RecursionError:
        raise InputError([Problem(name, 1, 1, "", "the file is nested too deeply")]) from None
    return JsonText(name, sha256(data).hexdigest(), tree, text)


def _whole(digits: str) -> Any:
    return int(digits) if len(digits) <= DIGITS else NO_NUMBER


def _blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _child(text: str, place: int, step: str | int) -> int | None:
    """Where the member ``step`` of the mapping or list at ``place`` begins; None where there is none.

    The text is known to be valid JSON.
    """
    opening = text[place : place + 1]
    if opening != ("{" if isinstance(step, str) else "["):
        return None
    count, place = 0, _blank(text, place + 1)
    while text[place] not in "}]":
        name: str | int = count
        if isinstance(step, str):
            key = _TEXT.match(text, place)
            if key is None:
                return None
            name = json.loads(key[0])
            place = _blank(text, _blank(text, key.end()) + 1)
        if name == step:
            return place
        place = _blank(text, json.JSONDecoder(parse_int=_whole).raw_decode(text, place)[1])
        count += 1
        if text[place] == ",":
            place = _blank(text, place + 1)
    return None


def _line_and_column(text: str, place: int) -> tuple[int, int]:
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
