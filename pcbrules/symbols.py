# SPDX-License-Identifier: MIT
"""Real symbols for readers: Ω, µ, °, ±, ×, ≤ and a minus sign.

The program computes, and writes for programs, with plain spellings (``ohm``, ``um``, ``degC``, ``+-``, ``<=``). Code
between backticks and quoted texts are left as they are: they are to be typed. An output that cannot carry symbols
has none of them.
"""

from __future__ import annotations

import re
from functools import partial

TYPED = re.compile(r"(`[^`]*`|(?<![\w'])'[^'\n]*'(?!\w))")
"""What a reader is to type."""

_NO_FACTOR = "".join(f"(?<!{word})" for word in ("along", "over", "and", "of", "in", "at"))
"""Words behind which an x is a direction."""

_SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![\w./'-])uohm(?![\w'])"), "µΩ"),
    (re.compile(r"(?<![\w./'-])([mkMG]?)ohm(?![\w'])"), r"\1Ω"),
    (re.compile(r"(?<=\d )u(?=(?:m|F|H|V|A|s|W|J)(?![\w']))"), "µ"),
    (re.compile(r"(?<![\w./'-])u(?=(?:m|F|H)(?![\w']))"), "µ"),
    (re.compile(r"(?<=[AV]/)u(?=s(?![\w']))"), "µ"),
    (re.compile(r"(?<![\w./'-])degC(?![\w'])"), "°C"),
    (re.compile(r"\+-(?= ?[\d%]|  |$)"), "±"),
    (re.compile(r"<="), "≤"),
    (re.compile(r">="), "≥"),
    (re.compile(r"(?:(?<=[\s(])|^)-(?=\d)"), "−"),
    (re.compile(r"(?<=[\w%Ω]) \.\. (?=[−-]?\d)"), " … "),
    (re.compile(r"(?<=[\w%Ω]) \.\.$"), " …"),
    (re.compile(r"(?<=\d)%(?![\w'])"), " %"),
    (re.compile(r"(?:(?<= )|^)->(?= |$)"), "→"),
    (re.compile(rf"(?<=[\w)]){_NO_FACTOR} x (?!and |or |of |is |in |to )(?=[\w(])"), " × "),
    (re.compile(r"(?<=\d )x$"), "×"),
    (re.compile(r"(?<![\w.])x(?=\d+\.\d)"), "×"),
    (re.compile(r"(?<=\d) deg(?![\w'])"), "°"),
)

_MAY = re.compile(r"ohm|deg|[+<>%-]|u[mFHVAsWJ]| \.\.(?: |$)| x|\(x")
"""What a text has that has anything to replace."""


def signs(text: str) -> str:
    """Return a text with real symbols."""
    return _replaced(text, padded=False)


def aligned(page: str) -> str:
    """Return a page with real symbols whose columns stay where they are."""
    return "\n".join(_replaced(line, padded=True) for line in page.split("\n"))


def _replaced(text: str, *, padded: bool) -> str:
    if not _MAY.search(text):
        return text
    parts = TYPED.split(text)
    for at in range(0, len(parts), 2):
        for pattern, sign in _SIGNS:
            parts[at] = pattern.sub(partial(_padded, sign=sign) if padded else sign, parts[at])
    return "".join(parts)


def _padded(found: re.Match[str], sign: str) -> str:
    """The sign; in a table as wide as what it stands for, blanks on the side of the gap between columns."""
    made = found.expand(sign)
    blanks = " " * (len(found[0]) - len(made))
    if found.string[: found.start()].endswith("  "):
        return blanks + made
    if found.string[found.end():].startswith("  "):
        return made + blanks
    return made
