# SPDX-License-Identifier: MIT
"""S-expressions: text → one object after another, so that a large file never stands in memory as a tree.

An object is a list of its offset in the text, its first word, and what follows: words as they stand in the text, with
their quotes, or further objects. Lists of plain points, nine tenths of a file with filled zones, stay one text: a word
that begins with ``(pts``. No step is recursive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pcbrules.errors import quoted
from pcbrules.readers.layout_faults import Fault

Node = list[Any]
"""Offset, first word, then words (str) and objects (list)."""

DEPTH_LIMIT = 60
"""Objects inside each other; boards have about ten."""

WORD_LIMIT = 3_000_000
"""Words and objects inside one object of a board: the largest footprints have some ten thousand."""

_HEAD, _CLOSE, _WORD, _POINTS, _BAD = 1, 2, 3, 4, 5
_TOKEN = re.compile(
    r"\s*+(?:(?!\(pts[\s(])\(\s*+([^\s()\"]++|\"(?:[^\"\\]++|\\.)*+\")"
    r"|(\))"
    r'|("(?:[^"\\]++|\\.)*+"|[^\s()"]++)'
    r"|(\(pts(?:\s*+\(xy\s++[-+.0-9eE]++\s++[-+.0-9eE]++\s*+\))*+\s*+\))"
    r"|(\S))",
    re.DOTALL,
)


def objects(text: str, root: str) -> Iterator[Node]:
    """Yield every object inside the outermost one, whose first word is `root`.

    Raises Fault where the text is no such expression: not closed, closed too often, words where an object is due.
    """
    stack: list[Node] = []
    ended, began = -1, 0
    for count, token in enumerate(_tokens(text)):
        kind = token.lastindex
        if kind is None:
            continue
        offset = token.start(kind)
        if ended >= 0:
            raise Fault(offset, "text after the end of the board", found=quoted(text[offset : offset + 40]),
                        expected="nothing after the last parenthesis", fix="delete it")
        if kind == _CLOSE:
            if not stack:
                raise Fault(offset, "a parenthesis closes nothing", found="')'", fix="delete it")
            node = stack.pop()
            if len(stack) == 1:
                began = count
                yield node
            elif not stack:
                ended = offset
        elif count - began > WORD_LIMIT:
            raise Fault(stack[1][0], f"({stack[1][1]} is too large", expected=f"at most {WORD_LIMIT} words")
        elif kind == _HEAD:
            _open(stack, offset, token[_HEAD], root)
        elif kind == _BAD:
            raise _stray(text, offset)
        elif len(stack) < 2:
            raise Fault(offset, "a word stands where an object is due", found=quoted(token[kind][:60]),
                        expected="an object in parentheses", fix=_merge(token[kind]))
        else:
            stack[-1].append(token[kind])
    if not stack and ended < 0:
        raise Fault(0, "there is nothing to read", expected=f"({root}")
    if ended < 0:
        raise _cut_off(text, stack)


def _open(stack: list[Node], offset: int, head: str, root: str) -> None:
    """Begin an object inside the innermost one; those of the outermost are handed out, not kept."""
    node: Node = [offset, head]
    if len(stack) >= 2:
        stack[-1].append(node)
    elif not stack and head != root:
        raise Fault(offset, "this is no board", found=quoted(f"({head}"), expected=f"({root}")
    stack.append(node)
    if len(stack) > DEPTH_LIMIT:
        raise Fault(offset, "objects are nested too deeply", expected=f"at most {DEPTH_LIMIT} levels")


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Tokens; a list of points that holds more than plain points is taken apart like any other object."""
    at = 0
    while True:
        for token in _TOKEN.finditer(text, at):
            if token.lastindex == _BAD and text.startswith("(pts", token.start(_BAD)):
                opened = _OPENED.match(text, token.start(_BAD))
                if opened is None:
                    yield token
                    return
                yield opened
                at = opened.end()
                break
            yield token
        else:
            return


_OPENED = re.compile(r"\((pts)")


def _stray(text: str, offset: int) -> Fault:
    if text[offset] == '"':
        return Fault(offset, "a text in quotes has no end", found=quoted(text[offset : offset + 40]),
                     expected="a closing quote", fix="the file is cut off: take it from its source again")
    return Fault(offset, "a parenthesis without a first word", found=quoted(text[offset : offset + 20]),
                 expected="a word after '('")


def _cut_off(text: str, stack: list[Node]) -> Fault:
    unfinished = stack[:2][-1]
    return Fault(len(text.rstrip()), f"the file ends inside ({unfinished[1]}", found="the end of the file",
                 expected=f"{len(stack)} closing parentheses" if len(stack) > 1 else "a closing parenthesis",
                 fix="the file is cut off: take it from its source again")


def _merge(word: str) -> str:
    return "resolve the merge conflict" if re.fullmatch(r"[<=>|]{7}", word) else ""


def text_of(word: str) -> str:
    """The text of a word without quotes and escapes."""
    if word[:1] != '"':
        return word
    inner = word[1:-1]
    return _ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner


_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}


def _unescaped(found: re.Match[str]) -> str:
    return _LETTERS.get(found[1], found[1])
