# SPDX-License-Identifier: MIT
"""Characters that look like the syntax of YAML and are something else: which line is to blame, and for what.

The parser takes such a line for the text of the one before and stumbles over a later line. Only lines up to the one at
which it stumbled are looked at, the latest first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

REACH = 6
"""Lines before the one at which the parser stumbled that are looked at; blank ones and comments do not count."""

LONGEST = 400
"""Characters of a line that are looked at."""

_LIST = r"(?P<lead>[ ]*(?:-[ ]+)*)"
_KEY = r"(?P<key>[A-Za-z_][A-Za-z0-9_.+\- ]{0,63})"
_BLANK = re.compile("[ \t]*(?P<bad>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])\\s*\\S")
_AFTER_COLON = re.compile(rf"{_LIST}{_KEY}:(?P<bad>[\u00a0\u2000-\u200a\u202f\u3000])")
_WIDE_COLON = re.compile(rf"{_LIST}{_KEY}(?P<bad>[\uff1a\ufe55\u2236\ufe13])")
_NO_BLANK = re.compile(rf"{_LIST}(?P<key>[A-Za-z_][A-Za-z0-9_.+\-]{{0,63}})(?P<bad>:)(?=[^\s:/\\]|/[^/])")
_DASH = re.compile("[ ]*(?P<bad>[\u2010-\u2015\u2022\u2212\u00b7\uff0d*])[ \u00a0]+[A-Za-z_{\\[]")
_NO_BLANK_DASH = re.compile(r"[ ]*(?P<bad>-)(?=[A-Za-z_]+:(?:[ ]|$))")
_EQUALS = re.compile(rf"{_LIST}(?P<key>[A-Za-z_][A-Za-z0-9_]{{0,63}})[ ]*(?P<bad>=)[ ]*\S")
_QUOTES = re.compile("(?P<bad>[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]).*: ")


class Suspect(NamedTuple):
    """The character to blame: line and column from 1, what it is, what cures it."""

    line: int
    column: int
    message: str
    fix: str


def suspect(rows: Sequence[str], line: int) -> Suspect | None:
    """Return the character to blame for a fault that shows at `line`, counted from 1; None if there is none."""
    for number in _lines(rows, line):
        row = rows[number - 1][:LONGEST]
        found = _looks(row, number == line)
        if found:
            match, message, fix = found
            return Suspect(number, match.start("bad") + 1, message, fix)
    return None


def missing_blank(text: str) -> str:
    """Return `key: value` for a text `key:value` that was meant so, also with a full-width colon; empty for others."""
    for form in (_AFTER_COLON, _WIDE_COLON, _NO_BLANK):
        if match := form.match(text[:LONGEST]):
            return f"{match['key'].strip()}: {text[match.end():].strip()}"
    return ""


def odd_indent(key: str) -> str:
    """Return which blank before a key was taken for a part of it, `a no-break space (U+00A0)`; empty if none was."""
    match = _BLANK.match(key[:LONGEST])
    return _named(match["bad"]) if match else ""


def _lines(rows: Sequence[str], line: int) -> Iterator[int]:
    left = REACH
    for number in range(min(line, len(rows)), 0, -1):
        row = rows[number - 1].strip(" ")
        if not row or row.startswith("#"):
            continue
        yield number
        left -= 1
        if left < 0:
            return


def _looks(row: str, here: bool) -> tuple[re.Match[str], str, str] | None:
    """Return the odd characters of a line; quotes are to blame only on the line itself."""
    if match := _BLANK.match(row):
        return match, f"{_named(match['bad'])} is used for indentation", "use plain blanks"
    if match := _AFTER_COLON.match(row):
        return match, f"{_named(match['bad'])} follows the ':'", f"write '{match['key'].strip()}: ' with a plain blank"
    if match := _WIDE_COLON.match(row):
        return match, f"{_named(match['bad'])} stands in place of ':'", (
            f"write '{match['key'].strip()}: ' with a plain colon and a blank")
    if match := _NO_BLANK.match(row):
        return match, "a blank is missing after ':'", f"write '{match['key']}: {row[match.end():][:40].strip()}'"
    if match := _DASH.match(row):
        return match, f"{_named(match['bad'])} stands in place of '-'", "write '- ' with a plain hyphen"
    if match := _NO_BLANK_DASH.match(row):
        return match, "a blank is missing after '-'", "write '- ' before the key"
    if match := _EQUALS.match(row):
        return match, "a key and its value are parted by ':', not by '='", f"write '{match['key']}: ...'"
    if here and (match := _QUOTES.search(row)):
        return match, f"{_named(match['bad'])} does not quote a text", "write plain quotation marks"
    return None


def _named(character: str) -> str:
    """A character by its Unicode name and number: `a no-break space (U+00A0)`."""
    name = unicodedata.name(character, "character").lower()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} (U+{ord(character):04X})"
