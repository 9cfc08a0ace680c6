# SPDX-License-Identifier: MIT
"""Text of a board file as HTML that stays text."""

from __future__ import annotations

import re
from html import escape as html
from typing import Any

from markupsafe import Markup

from pcbrules.errors import escape

_LINE = re.compile(r"[^\n\t]+")
_CODE = re.compile(r"`([^`]+)`")
_JOINT = re.compile(r"(?:_|\.(?!\d)|(?<!\d)\.)(?=\w)")
_DOT = re.compile(r"(?<!\d)\.(?=\w)|\.(?=[^\W\d])")
_NAMED = re.compile(r"(?<=<code>)[^<]+|(?<=<q>)[^<]+")
_WORD = re.compile(r"[^\s<>&;\"=-]{30}(?=[^\s<>&;\"=-])(?![^<>]*>)")
_TEXT = re.compile(r"(?<=>)[^<]+")
_TOGETHER = re.compile(
    r"(?<=\d) (?=(?:%|°C|oz|mil|points?|[fpnµmkMGT]?(?:Ω|V|A|W|Hz|F|H|m|s|J|Bd|B|K))(?![\w/]))"
    r"|(?:(?<=[≤≥±])|(?<=[lg]t;)) (?=[\d.])|(?<=\d) (?=[…→] )|(?<=\bk) (?== \d)|(?<=\bk =) (?=\d)")

_INTERVAL = re.compile(r"\([^()…]+…[^()…]+\)")

HERE, NARROW, TIED, LONG = "<wbr>", "&#8203;", "\u00a0", 40
"""Where a name may be broken on a screen and on paper, a blank that ties, and the characters that no screen breaks."""

INTERVAL = 15
"""Characters of an interval that are not broken on paper."""

WHOLE = 20
"""Characters of a name, or of a part of one, that are not broken on paper: the narrowest column holds them."""


def inert(value: Any) -> Any:
    """A value as a template may print it: control characters and what turns text round become visible escapes."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return escape(value)


def rich(text: str) -> Markup:
    """Text with what stands between backticks shown as code."""
    return Markup(_CODE.sub(lambda found: f"<code>{_broken(found[1])}</code>", html(escape(text))))


def verbatim(text: str) -> Markup:
    """A file as it is, for a reader who copies it: ends of lines and tabs stay, other control characters do not."""
    return Markup(_LINE.sub(lambda found: html(escape(found[0])), text))


def breakable(text: str, most: int = LONG) -> Markup:
    """A name of the board file that may be broken at its dots and underscores if it has more characters."""
    return Markup(_broken(html(escape(text)), most))


def on_paper(page: str) -> str:
    """A page for the printer of a PDF, which knows no ``<wbr>`` and makes all smaller for a word too wide.

    A number stays with its unit, and a key of the board file is whole: both are copied from the paper.
    """
    head, end, body = page.replace(HERE, NARROW).partition("</style>")
    named = _NAMED.sub(lambda found: " ".join(map(_in_pieces, found[0].replace(NARROW, "").split(" "))), body)
    tied = _TEXT.sub(lambda found: _INTERVAL.sub(_unbroken, _TOGETHER.sub(TIED, found[0])), named)
    return head + end + _WORD.sub(rf"\g<0>{NARROW}", tied)


def _unbroken(found: re.Match[str]) -> str:
    """An interval on one line where the narrowest column holds it."""
    return found[0].replace(" ", TIED) if len(found[0]) <= INTERVAL else found[0]


def _in_pieces(name: str) -> str:
    """A long name that may be broken behind its dots; a long part of it behind its underscores, else anywhere."""
    if len(name) <= WHOLE:
        return name
    parts = [part if len(part) <= WHOLE else _JOINT.sub(rf"\g<0>{NARROW}", part)
             for part in _DOT.sub(r"\g<0> ", name).split(" ")]
    return NARROW.join(parts)


def _broken(name: str, most: int = LONG) -> str:
    return _JOINT.sub(rf"\g<0>{HERE}", name) if len(name) > most else name


def attribute(text: str) -> str:
    """Text as the value of a quoted attribute, or as the content of an element."""
    return html(escape(text))


def number(value: float, digits: int = 3) -> str:
    """A number of so many significant digits, with a minus sign and without a superfluous end."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        text = f"{value:.0f}" if abs(value) < 1e7 and abs(value) >= 1 else text
    return text.replace("-", "−")
