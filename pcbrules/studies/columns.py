# SPDX-License-Identifier: MIT
"""Rows of the tables that commands print: at least one blank between columns, whatever the numbers are."""

from __future__ import annotations

import math
from collections.abc import Sequence

DIGITS = 3
"""Digits of a number that does not fit its column as it is usually written."""


def row(name: str, width: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line: a name in ``width`` columns, then the cells flush right; a wide cell moves the rest.

    >>> row("core", 6, ["0.85", "1.234e6"], (6, 6))
    'core    0.85 1.234e6'
    """
    ends = "".join(f" {text:>{room - 1}}" for text, room in zip(cells, widths, strict=True))
    return f"{name:{width}}{ends}".rstrip()


def decimal(value: float | None, decimals: int, width: int, unknown: str = "-") -> str:
    """Return a number with so many decimals, or in engineering notation where that leaves no blank in its column.

    >>> decimal(12.345, 2, 8), decimal(1.2345e9, 2, 8), decimal(None, 2, 8)
    ('12.35', '1.23e9', '-')
    """
    if value is None:
        return unknown
    text = f"{value + 0.0:.{decimals}f}"
    return text if len(text) < width else engineering(value, DIGITS)


def engineering(value: float | None, digits: int = 4, unknown: str = "-") -> str:
    """Return a number with so many significant digits; beyond a thousandth or them with an exponent of threes.

    >>> engineering(0.2534), engineering(253061.0), engineering(3.0914e-7), engineering(99996.0), engineering(0.0)
    ('0.2534', '253.1e3', '309.1e-9', '100e3', '0')
    """
    if value is None:
        return unknown
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:g}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    power = int(exponent)
    if -3 <= power < digits:
        return f"{value:.{digits}g}"
    threes = power // 3 * 3
    return f"{float(mantissa) * 10.0 ** (power - threes):.{digits}g}e{threes}"
