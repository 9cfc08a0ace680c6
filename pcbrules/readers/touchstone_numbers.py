# SPDX-License-Identifier: MIT
"""Numbers of a Touchstone file by a strict grammar: ASCII digits, a point, an exponent, finite, of bounded length."""

from __future__ import annotations

import math
import re

from pcbrules.errors import Problem, Problems, quoted

LONGEST = 40
"""Characters of a number: twice what a double needs."""

EXPECTED = "a finite number such as -0.0123 or 1.2e-3"

PLAIN = re.compile(r"[0-9eE+\-. \t]*")
TOKEN = re.compile(r"[^ \t]+")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")
_FORTRAN = re.compile(r"[+-]?[0-9]*\.?[0-9]*[dD][+-]?[0-9]+")
_ENDLESS = re.compile(r"[+-]?(?:nan|inf|infinity|1\.#\w+)(?:\([^)]*\))?", re.IGNORECASE)


def numbers(body: str, line: int, problems: Problems) -> list[float]:
    """Numbers of one line without its comment; one that is faulty becomes a problem and counts as not a number."""
    parts = body.split()
    if PLAIN.fullmatch(body) and max(map(len, parts), default=0) <= LONGEST:
        try:
            values = list(map(float, parts))
        except ValueError:
            pass
        else:
            if math.isfinite(sum(values)):
                return values
    return [_number(found, line, problems) for found in TOKEN.finditer(body)]


def _number(found: re.Match[str], line: int, problems: Problems) -> float:
    text = found[0]
    if problems.full:
        problems.more += 1
        return math.nan
    message, fix = "a number is expected", ""
    if len(text) > LONGEST:
        message, fix = f"a number of more than {LONGEST} characters", "write at most 17 significant digits"
    elif NUMBER.fullmatch(text):
        value = float(text)
        if math.isfinite(value):
            return value
        message = "this number is too large"
    elif _ENDLESS.fullmatch(text):
        message, fix = "this is no finite number", "export the data again, or leave this frequency out"
    elif _COMMA.fullmatch(text):
        fix = f"write '{text.replace(',', '.')}'"
    elif _FORTRAN.fullmatch(text):
        fix = f"write '{re.sub('[dD]', 'e', text)}'"
    elif text.startswith("#"):
        fix = "an option line is a line of its own"
    problems.add(Problem(problems.file, line, found.start() + 1, "", message, quoted(text), EXPECTED, fix))
    return math.nan
