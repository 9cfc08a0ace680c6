# SPDX-License-Identifier: MIT
"""Text of a board file as HTML that stays text."""

from __future__ import annotations

import re
from html import escape as html
from typing import Any

from markupsafe import Markup

from pcbrules.errors import escape

_CODE = re.compile(r"`([^`]+)`")


def inert(value: Any) -> Any:
    """A value as a template may print it: control characters and what turns text round become visible escapes."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return escape(value)


def rich(text: str) -> Markup:
    """Text with what stands between backticks shown as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", html(escape(text))))


def attribute(text: str) -> str:
    """Text as the value of a quoted attribute, or as the content of an element."""
    return html(escape(text))


def number(value: float, digits: int = 3) -> str:
    """A number of so many significant digits, with a minus sign and without a superfluous end."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        text = f"{value:.0f}" if abs(value) < 1e7 and abs(value) >= 1 else text
    return text.replace("-", "−")
