# SPDX-License-Identifier: MIT
"""YAML text to a plain tree with marks, without recursion and without the surprises of YAML 1.1.

`true` and `false` are the only booleans; `null`, `~` and an empty value are nothing; numbers follow
`units.NUMBER`; all else is text, also whole numbers that begin with a zero (`0603`). Tags, merge keys, duplicate
keys and keys other than text are problems. Depth and the number of values (aliases counted as if written out) are
bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from pcbrules.brief import brief
from pcbrules.document.syntax import DEPTH_LIMIT, TOO_DEEP, syntax_problem
from pcbrules.document.textfile import REFUSED
from pcbrules.errors import Path, Problem, Problems, clip, quoted, show_path
from pcbrules.units import NUMBER, RANGE, number

Place = tuple[int, int]  # line and column, from 1

COUNT_LIMIT = 100_000  # values of a tree, aliases written out

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_PADDED = re.compile(r"[+-]?0[0-9]+")
"""Whole numbers that begin with a zero: part numbers and names, octal numbers elsewhere. They stay as written."""
_NO_TEXT = "a key that is not text"


@dataclass(slots=True)
class Mark:
    """Where a value and its key stand, and the marks of what it holds, in a dict or list like the value.

    A value that no text holds stands at line 0.
    """

    place: Place
    key: Place
    below: Any = None
    written: str = ""  # a number as the file writes it
    file: str = ""  # of a value that was taken from another file than the document's own

    __repr__ = brief

    @property
    def alone(self) -> Mark:
        """A mark at the same place, of a value that holds nothing."""
        return Mark(self.place, self.key, file=self.file)

    def child(self, step: str | int) -> Mark | None:
        """Return the mark of one key or index, None where there is none."""
        known: Mark | None = None
        if isinstance(self.below, dict):
            known = self.below.get(step)
        elif isinstance(self.below, list) and isinstance(step, int) and 0 <= step < len(self.below):
            known = self.below[step]
        return known


def build(text: str, problems: Problems) -> tuple[Any, Mark] | None:
    """Return the tree of `text` and its marks, None if it holds nothing; what is wrong goes to `problems`."""
    builder = _Builder(problems)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        opened = builder.frames[-1].mark.place if builder.frames else (1, 1)
        problems.add(syntax_problem(error, text, problems.file, opened), always=True)
    except _Stop:
        pass
    return builder.root


class _Stop(Exception):
    """The rest of the file is not looked at."""


@dataclass(slots=True)
class _Frame:
    """A mapping or list that is being read."""

    node: Any
    mark: Mark
    anchor: str | None
    size: int = 1  # values in it, itself included
    height: int = 1  # levels in it, itself included
    waits: bool = False  # a key has been read, its value not yet
    key: str | None = None
    key_place: Place = (0, 0)
    drop: bool = False  # the value belongs to a key that is wrong

    def expect(self, key: str | None, place: Place, *, drop: bool = True) -> None:
        self.waits, self.key, self.key_place, self.drop = True, key, place, drop


class _Builder:
    """Builds the tree from the events of the parser."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.frames: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, Mark, int, int] | None] = {}  # None while its value is being read
        self.count = 0
        self.documents = 0
        self.root: tuple[Any, Mark] | None = None

    def take(self, event: Any) -> None:
        """Take the next event."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent:
            self._open(event, {}, {})
        elif kind is yaml.SequenceStartEvent:
            self._open(event, [], [])
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            frame = self.frames.pop()
            self._finish(frame.node, frame.mark, frame.size, frame.height, frame.anchor)
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                fix = "keep one document in a file and delete the line '---'"
                self._stop(event, "a second YAML document begins", fix=fix)

    def _scalar(self, event: Any) -> None:
        self._check_tag(event)
        text: str = event.value
        plain = event.style in (None, "")
        if not plain and (found := REFUSED.search(text)):
            self._add(event, "a control character", f"U+{ord(found[0]):04X}", "plain text", "delete it")
        if self._at_key():
            self._key(event, text, plain)
            return
        if plain and not text and not self.frames:
            return  # an empty document
        mark = Mark(_place(event), _place(event))
        value = self._value(event, text, mark) if plain else text
        self._enter(event, 1)
        self._finish(value, mark, 1, 0, self._anchor(event))

    def _value(self, event: Any, text: str, mark: Mark) -> Any:
        """Return what a plain scalar means."""
        if text in _WORDS:
            return _WORDS[text]
        if not NUMBER.fullmatch(text):
            return text
        mark.written = clip(text)
        if _PADDED.fullmatch(text):
            return text
        value = number(text)
        if value is None:
            self._add(event, "number out of range", quoted(text), RANGE, "quote it if it is text")
        return value if value is None or re.search("[.eE]", text) else int(text)

    def _key(self, event: Any, text: str, plain: bool) -> None:
        frame = self.frames[-1]
        frame.expect(text, _place(event))
        if event.anchor:
            self._add(event, "an anchor on a key", f"'&{clip(event.anchor)}'", "a plain key")
        elif plain and text == "<<":
            fix = "write the keys out, or name the whole value, as in 'b: *a'"
            self._add(event, "merge keys are not supported", "'<<'", fix=fix)
        elif plain and (text in _WORDS or NUMBER.fullmatch(text)):
            fix = f"write '\"{clip(text)}\"'" if text else "write the key before the ':'"
            self._add(event, _NO_TEXT, quoted(text or None), "text", fix)
        elif text in frame.node:
            line = frame.mark.below[text].key[0]
            message = f"duplicate key, first on line {line}"
            self._add(event, message, quoted(text), fix="delete one of the two")
        else:
            frame.drop = False

    def _open(self, event: Any, node: Any, below: Any) -> None:
        self._check_tag(event)
        if len(self.frames) >= DEPTH_LIMIT:
            self._stop(event, TOO_DEEP)
        self._enter(event, 1)
        place = _place(event)
        self.frames.append(_Frame(node, Mark(place, place, below), self._anchor(event)))

    def _alias(self, event: Any) -> None:
        place, name = _place(event), f"'*{clip(event.anchor)}'"
        known = self.anchors.get(event.anchor, (None, Mark(place, place), 1, 0))
        if known is None:
            self._stop(event, "an alias stands inside the value that it names", name)
        value, mark, size, height = known
        if event.anchor not in self.anchors:
            expected = f"'&{clip(event.anchor)}' on an earlier value"
            self._add(event, "an alias without an anchor", name, expected, f"quote {name} if it is text")
        if len(self.frames) + height > DEPTH_LIMIT:
            self._stop(event, TOO_DEEP, name)
        self._enter(event, size)
        if self._at_key():
            self._add(event, "an alias as a key", name, "a plain key")
            self.frames[-1].expect(None, place)
        else:
            self._finish(value, Mark(place, place, mark.below, mark.written), size, height, None)

    def _finish(self, value: Any, mark: Mark, size: int, height: int, anchor: str | None) -> None:
        """Put a complete value where it belongs."""
        if anchor is not None:
            self.anchors[anchor] = (value, mark, size, height)
        if not self.frames:
            self.root = (value, mark)
            return
        frame = self.frames[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        if isinstance(frame.node, list):
            frame.node.append(value)
            frame.mark.below.append(mark)
        elif not frame.waits:  # a mapping or list as a key
            path = show_path(self._path())
            problem = Problem(self.problems.file, *mark.place, path, _NO_TEXT, quoted(value), "text")
            self.problems.add(problem)
            frame.expect(None, mark.place)
        else:
            frame.waits = False
            if not frame.drop:
                frame.node[frame.key] = value
                frame.mark.below[frame.key] = Mark(mark.place, frame.key_place, mark.below, mark.written)
            frame.key = None

    def _at_key(self) -> bool:
        return bool(self.frames) and isinstance(self.frames[-1].node, dict) and not self.frames[-1].waits

    def _anchor(self, event: Any) -> str | None:
        name: str | None = event.anchor
        if name is not None:
            if name in self.anchors:
                self._stop(event, "an anchor is defined twice", f"'&{clip(name)}'", "give each its own name")
            self.anchors[name] = None
        return name

    def _enter(self, event: Any, size: int) -> None:
        self.count += size
        if self.count > COUNT_LIMIT:
            self._stop(event, f"more than {COUNT_LIMIT} values (aliases counted as if written out)")

    def _check_tag(self, event: Any) -> None:
        if event.tag is not None:
            self._add(event, "tags are not supported", quoted(event.tag), fix="delete the tag")

    def _path(self) -> Path:
        steps = (len(frame.node) if isinstance(frame.node, list) else frame.key for frame in self.frames)
        return tuple(step for step in steps if step is not None)

    def _add(self, event: Any, message: str, found: str = "", expected: str = "", fix: str = "") -> None:
        if self.problems.full:
            self.problems.more += 1
            return
        path = show_path(self._path())
        self.problems.add(Problem(self.problems.file, *_place(event), path, message, found, expected, fix))

    def _stop(self, event: Any, message: str, found: str = "", fix: str = "") -> NoReturn:
        path = show_path(self._path())
        problem = Problem(self.problems.file, *_place(event), path, message, found, fix=fix)
        self.problems.add(problem, always=True)
        raise _Stop


def _place(event: Any) -> Place:
    return event.start_mark.line + 1, event.start_mark.column + 1
