# SPDX-License-Identifier: MIT
"""The text of an edited document: what did not change keeps its place, its comments and its spelling.

The text that was read is parsed once more, and only the values that differ are replaced. What comes out is read again
and must hold the tree of the edited document: no other text is ever returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from pcbrules.document import Document, parse_yaml
from pcbrules.errors import InputError
from pcbrules.units import NUMBER

NARROW = 100
"""Columns up to which a new mapping or list is written on one line."""

INDENT = 2

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = re.compile(r"[A-Za-z0-9][\w ./%+\-()^*]*", re.ASCII)
_WORDS = {"true", "false", "null", "yes", "no", "on", "off"}
_ANCHOR = re.compile(r"&\S+\s+")

_GONE: Any = object()
_PAIRED, _OTHER, _ALONE = 1, 5, 2
"""Costs of pairing items of two lists: of one kind, of two kinds, and of an item that only one of them has."""


class RewriteRefused(Exception):
    """The edited document cannot be written into the text that was read: the text says why."""


@dataclass(frozen=True, slots=True, order=True)
class _Splice:
    """Characters of the text that are replaced."""

    start: int
    end: int
    text: str


def rewritten(read: Document, edited: Document) -> str:
    """Return the text of an edited document.

    Parameters
    ----------
    read : Document
        As it was read from a file.
    edited : Document
        Made of it by ``edited`` and ``without``.

    Raises
    ------
    RewriteRefused
        The document was not read from a text, or a value that differs stands behind an alias.
    """
    if not read.text:
        raise RewriteRefused("the board was not read from the text of a board file")
    work = _Rewriting(read.text)
    work.walk(yaml.compose(read.text, Loader=_LOADER), read.tree, edited.tree)
    text = work.result()
    try:
        again = parse_yaml(text.encode(), read.file)
    except InputError:
        again = None
    if again is None or not _same(again.tree, edited.tree):
        raise RewriteRefused("an edit reaches a value that the file repeats by an alias: write the value out")
    return text


@dataclass
class _Rewriting:
    """Collects what is replaced in a text."""

    text: str
    splices: list[_Splice] = field(default_factory=list)

    def result(self) -> str:
        text = self.text
        for one in sorted(set(self.splices), reverse=True):
            text = text[: one.start] + one.text + text[one.end:]
        return text

    def walk(self, node: Any, old: Any, new: Any, key: Any = None) -> None:
        """Note what turns the value of a node, which stands behind a key, into another one."""
        if _same(old, new):
            return
        if isinstance(node, yaml.MappingNode) and isinstance(new, dict) and set(new) & set(old):
            self._mapping(node, old, new)
        elif isinstance(node, yaml.SequenceNode) and isinstance(new, list) and new and old:
            self._sequence(node, old, new)
        elif key is not None and not isinstance(node, yaml.ScalarNode) and not node.flow_style:
            colon = self.text.index(":", key.end_mark.index) + 1  # a block begins on a line of its own
            self._replace(colon, self._end(node), f" {_flow(new)}")
        else:
            self._replace(self._begin(node), self._end(node), _flow(new))

    def _replace(self, start: int, end: int, text: str) -> None:
        self.splices.append(_Splice(start, end, text))

    def _mapping(self, node: Any, old: dict[str, Any], new: dict[str, Any]) -> None:
        pairs = [(key, value) for key, value in node.value]
        kept = [key.value in new for key, _ in pairs]
        for (key, value), stays in zip(pairs, kept, strict=True):
            if stays:
                self.walk(value, old[key.value], new[key.value], key)
        parts = [(key.start_mark.index, self._end_of_value(key, value)) for key, value in pairs]
        self._remove(parts, kept, bool(node.flow_style))
        added = {key: value for key, value in new.items() if key not in old}
        if not added:
            return
        last = max(at for at, stays in enumerate(kept) if stays)
        if node.flow_style:
            self._replace(parts[last][1], parts[last][1], "".join(f", {_pair(*one)}" for one in added.items()))
            return
        column = pairs[0][0].start_mark.column
        end = self._line_end(parts[last][1])
        lines = [line for key, value in added.items() for line in _block(key, value, column)]
        self._replace(end, end, "".join(self._newline() + line for line in lines))

    def _sequence(self, node: Any, old: list[Any], new: list[Any]) -> None:
        flow = bool(node.flow_style)
        aligned = list(_aligned(old, new))
        parts = [(one.start_mark.index, self._end(one)) for one in node.value]
        if not flow:  # an item of a block begins with its dash
            parts = [(self.text.rindex("-", 0, start), end) for start, end in parts]
        kept = [any(at == mine and other is not None for mine, other in aligned) for at in range(len(old))]
        if not any(kept):
            self._replace(self._begin(node), self._end(node), _flow(new))
            return
        self._remove(parts, kept, flow)
        before = None
        column = node.start_mark.column
        waiting: list[Any] = []  # new items before the first that stays
        for mine, other in aligned:
            if mine is not None and other is not None:
                self.walk(node.value[mine], old[mine], new[other])
                if waiting:
                    start = parts[mine][0]
                    texts = [f"{_flow(one)}, " if flow else self._items([one], column).lstrip()
                             + self._newline() + " " * column for one in waiting]
                    self._replace(start, start, "".join(texts))
                    waiting = []
                before = mine
            elif other is not None and before is None:
                waiting.append(new[other])
            elif other is not None and before is not None:
                at = parts[before][1] if flow else self._line_end(parts[before][1])
                run = [new[two] for one, two in aligned if one is None and two is not None
                       and self._after(aligned, two) == before]
                text = "".join(f", {_flow(one)}" for one in run) if flow else self._items(run, column)
                self._replace(at, at, text)  # once for the run: equal splices are one

    def _items(self, values: Sequence[Any], column: int) -> str:
        return "".join(self._newline() + line for one in values for line in _item(one, column))

    @staticmethod
    def _after(aligned: Sequence[tuple[int | None, int | None]], other: int) -> int | None:
        """The item that stays before a new one."""
        place = next(at for at, pair in enumerate(aligned) if pair[1] == other)
        return next((one for one, two in reversed(aligned[:place]) if one is not None and two is not None), None)

    def _remove(self, parts: Sequence[tuple[int, int]], kept: Sequence[bool], flow: bool) -> None:
        """Remove the parts of a mapping or list that do not stay, with their commas or lines."""
        for at, ((start, end), stays) in enumerate(zip(parts, kept, strict=True)):
            if stays:
                continue
            if flow:
                later = at + 1 < len(parts) and not any(kept[:at])
                self._replace(*((start, parts[at + 1][0]) if later else (parts[at - 1][1], end)), "")
                continue
            line = self.text.rfind("\n", 0, start) + 1
            if self.text[line:start].strip():  # the first key of an item stands behind its dash
                if at + 1 == len(parts):
                    raise RewriteRefused("the last key of an item cannot be removed")
                self._replace(start, parts[at + 1][0], "")
            else:
                self._replace(line, min(self._line_end(end) + len(self._newline()), len(self.text)), "")

    def _begin(self, node: Any) -> int:
        """Where the value of a node begins, behind its anchor."""
        start: int = node.start_mark.index
        anchor = _ANCHOR.match(self.text, start)
        return anchor.end() if anchor else start

    def _end(self, node: Any) -> int:
        """Where the last character of a node stands, without blanks and comments that follow."""
        if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
            end: int = node.end_mark.index
            while end > node.start_mark.index and self.text[end - 1].isspace():
                end -= 1
            return end
        last = node.value[-1]
        return self._end_of_value(*last) if isinstance(last, tuple) else self._end(last)

    def _end_of_value(self, key: Any, value: Any) -> int:
        if value.start_mark.index < key.end_mark.index:  # an alias: its value stands further up
            return self._line_end(key.end_mark.index)
        end: int = key.end_mark.index
        return max(self._end(value), end)

    def _line_end(self, at: int) -> int:
        """Where the line ends, before its line feed."""
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def _same(one: Any, other: Any) -> bool:
    """Equal, and of the same types: 1 is neither true nor 1.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _aligned(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Which items of two lists belong together, None where the other list has none; in order."""
    if len(old) == len(new):
        yield from zip(range(len(old)), range(len(new)), strict=True)
        return
    rows, columns = len(old) + 1, len(new) + 1
    cost = [[_ALONE * (row + column) for column in range(columns)] for row in range(rows)]
    for row in range(1, rows):
        for column in range(1, columns):
            cost[row][column] = min(cost[row - 1][column - 1] + _unlike(old[row - 1], new[column - 1]),
                                    cost[row - 1][column] + _ALONE, cost[row][column - 1] + _ALONE)
    pairs: list[tuple[int | None, int | None]] = []
    row, column = len(old), len(new)
    while row or column:
        both = row and column and (
            cost[row][column] == cost[row - 1][column - 1] + _unlike(old[row - 1], new[column - 1]))
        if both:
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif row and cost[row][column] == cost[row - 1][column] + _ALONE:
            row -= 1
            pairs.append((row, None))
        else:
            column -= 1
            pairs.append((None, column))
    yield from reversed(pairs)


def _unlike(old: Any, new: Any) -> int:
    if _same(old, new):
        return 0
    alike = isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys()
    return _PAIRED if alike else _OTHER


def _flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(_pair(*one) for one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return _text(value) if isinstance(value, str) else repr(value)


def _pair(key: str, value: Any) -> str:
    return f"{_text(key)}: {_flow(value)}"


def _text(value: str) -> str:
    """A text, quoted where YAML would take it for something else."""
    plain = _PLAIN.fullmatch(value) and value == value.strip() and value.lower() not in _WORDS
    return value if plain and not NUMBER.fullmatch(value) else "'" + value.replace("'", "''") + "'"


def _block(key: str, value: Any, column: int) -> Iterator[str]:
    """A new key with its value, on one line where it is short."""
    line = f"{' ' * column}{_pair(key, value)}"
    if len(line) <= NARROW or not isinstance(value, dict | list) or not value:
        yield line
        return
    yield f"{' ' * column}{_text(key)}:"
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _block(name, item, column + INDENT)
    else:
        for item in value:
            yield from _item(item, column)


def _item(value: Any, column: int) -> Iterator[str]:
    """A new item of a list, on one line where it is short."""
    line = f"{' ' * column}- {_flow(value)}"
    if len(line) <= NARROW or not isinstance(value, dict) or not value:
        yield line
        return
    lines = [line for key, item in value.items() for line in _block(key, item, column + INDENT)]
    yield f"{' ' * column}- {lines[0].lstrip()}"
    yield from lines[1:]
