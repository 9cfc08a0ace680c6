# SPDX-License-Identifier: MIT
"""The range of a quantity: what is possible, and within it what is usual."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pcbrules.units import NUMBER, dimension_of, parse

OTHER = {"min": 60.0, "GB": 1e9, "GB/s": 1e9, "N": 1.0, "g/m2": 1e-3, "TFLOP/s": 1e12}
"""Units that only records of the library use, with their factors."""

SLACK = 1e-9
"""Part of a bound by which a value may pass it: rounding, not licence."""


class Band(NamedTuple):
    """A quantity is possible from `least` to `most` and usual from `low` to `high`, all four written with a unit.

    `unit` is the one in which it is usually written, that of `low` if empty. With `zero`, nothing at all is possible
    and usual too; with `signed`, the magnitude counts. `percent` marks a plain number that is often given in per cent.
    """

    least: str
    low: str
    high: str
    most: str
    unit: str = ""
    zero: bool = False
    signed: bool = False
    percent: bool = False

    @property
    def usual_unit(self) -> str:
        """The unit in which the quantity is usually written; empty for a plain number."""
        return self.unit or _unit(self.low) or _unit(self.high)

    @property
    def dimension(self) -> str:
        """Its dimension; empty for the units of the library alone."""
        return "" if self.usual_unit in OTHER else dimension_of(self.usual_unit)


class Bounds(NamedTuple):
    """The four ends of a band in SI units (degrees Celsius for temperatures)."""

    least: float
    low: float
    high: float
    most: float

    def impossible(self, value: float) -> bool:
        """True below the least or above the greatest possible value."""
        return value < self.least - abs(self.least) * SLACK or value > self.most + abs(self.most) * SLACK

    def unusual(self, value: float) -> bool:
        """True outside of the usual range."""
        return value < self.low - abs(self.low) * SLACK or value > self.high + abs(self.high) * SLACK


@lru_cache(maxsize=512)
def bounds(band: Band) -> Bounds:
    """Return the ends of a band in SI units. Raises UnitError where one of them is no quantity of its dimension."""
    return Bounds(*(_si(text, band.dimension) for text in band[:4]))


def judged(band: Band, value: float) -> tuple[bool, bool]:
    """Return whether an SI value is impossible, and whether it is unusual."""
    ends = bounds(band)
    size = abs(value) if band.signed else value
    if ends.low <= size <= ends.high or (value == 0 and band.zero):
        return False, False
    wrong = ends.impossible(size)
    return wrong, wrong or ends.unusual(size)


def _si(text: str, dimension: str) -> float:
    number, _, unit = text.partition(" ")
    return float(number) * OTHER[unit] if unit in OTHER else parse(text, dimension).value


def _unit(text: str) -> str:
    start = NUMBER.match(text)
    return text[start.end() :].strip() if start else ""
