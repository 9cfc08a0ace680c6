# SPDX-License-Identifier: MIT
"""A number with the range in which it lies, for inputs of one task that vary independently."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.measured import Basis, Measured
from pcbrules.results.place import Address
from pcbrules.units import Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """``lo <= value <= hi``, all of one unit."""

    lo: float
    value: float
    hi: float

    @property
    def all(self) -> tuple[float, float, float]:
        """Low end, nominal value, high end."""
        return self.lo, self.value, self.hi

    @property
    def minus(self) -> float:
        """How far the low end lies below the value."""
        return self.value - self.lo

    @property
    def plus(self) -> float:
        """How far the high end lies above the value."""
        return self.hi - self.value

    def at(self, level: int) -> float:
        """The low end (-1), the nominal value (0) or the high end (1)."""
        return self.all[level + 1]

    def widened(self, low: float, high: float) -> Interval:
        """Reaching at least from ``low`` to ``high`` times the nominal value."""
        return Interval(lo=min(self.lo, self.value * low), value=self.value, hi=max(self.hi, self.value * high))

    def times(self, factor: float) -> Interval:
        """All three times a positive factor."""
        return Interval(lo=self.lo * factor, value=self.value * factor, hi=self.hi * factor)

    def measured(
        self, model: str, *, basis: Basis = "computed", reads: tuple[Address, ...] = (),
        assumptions: tuple[str, ...] = (),
    ) -> Measured:
        """The interval with its origin."""
        return Measured(value=self.value, lo=self.lo, hi=self.hi, model=model, basis=basis, reads=reads,
                        assumptions=assumptions)

    def __add__(self, other: Interval) -> Interval:
        """Sum, low end on low end."""
        return Interval(lo=self.lo + other.lo, value=self.value + other.value, hi=self.hi + other.hi)

    def __sub__(self, other: Interval) -> Interval:
        """Difference of two numbers that move together: low end from low end."""
        return Interval(lo=self.lo - other.lo, value=self.value - other.value, hi=self.hi - other.hi)

    def __mul__(self, other: Interval) -> Interval:
        """Product of two numbers that are not negative."""
        return Interval(lo=self.lo * other.lo, value=self.value * other.value, hi=self.hi * other.hi)


def interval(quantity: Quantity) -> Interval:
    """A quantity of the board file with its tolerance, if it states one; not below zero."""
    low = max(quantity.value - (quantity.minus or 0.0), min(quantity.value, 0.0))
    return Interval(lo=low, value=quantity.value, hi=quantity.value + (quantity.plus or 0.0))


def around(value: float, *, minus: float, plus: float) -> Interval:
    """A number that may lie so far below and above its value."""
    return Interval(lo=value - minus, value=value, hi=value + plus)


def fixed(value: float) -> Interval:
    """A number without a range."""
    return Interval(lo=value, value=value, hi=value)
