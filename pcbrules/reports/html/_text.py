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
_JOINT = re.compile(r"[._](?=\w)")
_NAMED = re.compile(r"(?<=<code>)[^<]+|(?<=<q>)[^<]+")
_WORD = re.compile(r"[^\s<>&;\"=-]{30}(?=[^\s<>&;\"=-])(?![^<>]*>)")

HERE, NARROW, LONG = "<wbr>", "&#8203;", 40
"""Where a name may be broken on a screen and on paper, and the characters of one that no screen breaks."""


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
    """A page for the printer of a PDF, which knows no ``<wbr>`` and makes all smaller for a word too wide."""
    head, end, body = page.replace(HERE, NARROW).partition("</style>")
    named = _NAMED.sub(lambda found: _JOINT.sub(rf"\g<0>{NARROW}", found[0].replace(NARROW, "")), body)
    return head + end + _WORD.sub(rf"\g<0>{NARROW}", named)


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
