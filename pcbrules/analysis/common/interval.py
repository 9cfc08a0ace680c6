# SPDX-License-Identifier: MIT
"""A number with the range in which it lies, for inputs of one task that vary independently."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.units import Quantity


@dataclass(frozen=True, slots=True)
class Interval:
    """``lo <= value <= hi``, all of one unit."""

    lo: float
    value: float
    hi: float

    def at(self, level: int) -> float:
        """The low end (-1), the nominal value (0) or the high end (1)."""
        return (self.lo, self.value, self.hi)[level + 1]

    def widened(self, low: float, high: float) -> Interval:
        """Reaching at least from ``low`` to ``high`` times the nominal value."""
        return Interval(min(self.lo, self.value * low), self.value, max(self.hi, self.value * high))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.lo + other.lo, self.value + other.value, self.hi + other.hi)

    def __mul__(self, other: Interval) -> Interval:
        """Product of two numbers that are not negative."""
        return Interval(self.lo * other.lo, self.value * other.value, self.hi * other.hi)


def interval(quantity: Quantity) -> Interval:
    """A quantity of the board file with its tolerance, if it states one; not below zero."""
    low = max(quantity.value - (quantity.minus or 0.0), min(quantity.value, 0.0))
    return Interval(low, quantity.value, quantity.value + (quantity.plus or 0.0))


def fixed(value: float) -> Interval:
    """A number without a range."""
    return Interval(value, value, value)
