# SPDX-License-Identifier: MIT
"""The tables that commands print: at least one blank between columns, whatever the numbers are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pcbrules.errors import clip

DIGITS = 3
"""Digits of a number that does not fit its column as it is usually written."""


@dataclass(frozen=True, slots=True)
class ColumnTable:
    """How the lines of a table are set: ``name`` columns for the name, then ``(columns, decimals)`` for every cell.

    >>> ColumnTable(6, ((6, 2), (7, 1))).row("core", 0.85, "1.234e6")
    'core    0.85 1.234e6'
    """

    name: int
    columns: tuple[tuple[int, int], ...]
    indent: int = 0

    def row(self, name: str, *cells: str | float | None) -> str:
        """Return one line: a name, clipped to its columns, then cells flush right; a wide cell moves the rest."""
        words = " " * self.indent + clip(name, self.name - self.indent - 1)
        texts = [cell if isinstance(cell, str) else decimal(cell, places, width)
                 for cell, (width, places) in zip(cells, self.columns, strict=False)]
        ends = "".join(f" {text:>{width - 1}}" for text, (width, _) in zip(texts, self.columns, strict=False))
        return f"{words:{self.name}}{ends}".rstrip()


def decimal(value: float | None, decimals: int, width: int, unknown: str = "-") -> str:
    """Return a number with so many decimals, or in engineering notation where that leaves no blank in its column.

    >>> decimal(12.345, 2, 8), decimal(1.2345e9, 2, 8), decimal(None, 2, 8)
    ('12.35', '1.23e9', '-')
    """
    if value is None:
        return unknown
    text = f"{value:z.{decimals}f}"
    return text if len(text) < width else engineering(value, DIGITS)


def engineering(value: float | None, digits: int = 4, unknown: str = "-") -> str:
    """Return a number with so many significant digits; very small and large ones with an exponent, a multiple of three.

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
