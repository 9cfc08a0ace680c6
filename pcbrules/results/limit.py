# SPDX-License-Identifier: MIT
"""A limit: a bound on either side, strict or not, in the unit in which the ruleset wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isclose

from pcbrules.brief import brief


@dataclass(frozen=True, slots=True)
class Limit:
    """``low <= x <= high``; either side may be absent, both where it is lifted; either may be strict.

    Attributes
    ----------
    low, high : float or None
        Bounds in SI units.
    low_strict, high_strict : bool
        True where the bound itself already violates (``<`` instead of ``<=``).
    rounding : float
        Part of a bound by which a value is the bound in another unit, rounded. [-]
    unit : str
        Display unit, as written in the ruleset.
    text : str
        The limit as an engineer reads it: ``< 10 mil``.
    counts : str
        What a number without a unit counts, for readers: ``x Nyquist``, ``layers``.
    """

    low: float | None
    high: float | None
    unit: str
    text: str
    low_strict: bool = False
    high_strict: bool = False
    rounding: float = 0.0
    counts: str = ""

    __repr__ = brief

    def met_by(self, value: float) -> bool:
        """True if the value is inside. Equality is judged on 9 significant digits, or within the rounding."""
        if self.high is not None:
            same = self._reached(value, self.high)
            if (same and self.high_strict) or (not same and value > self.high):
                return False
        if self.low is not None:
            same = self._reached(value, self.low)
            if (same and self.low_strict) or (not same and value < self.low):
                return False
        return True

    def apart(self, lo: float, hi: float) -> bool:
        """True if the whole interval lies beyond one bound."""
        above = self.high is not None and lo > self.high and not self._reached(lo, self.high)
        below = self.low is not None and hi < self.low and not self._reached(hi, self.low)
        return above or below

    def _reached(self, value: float, bound: float) -> bool:
        return nearly_equal(value, bound) or abs(value - bound) <= self.rounding * abs(bound)

    def lifted(self, why: str) -> Limit:
        """The limit where something else holds it: no bounds, in its unit; the text names the limit or ``why``."""
        return Limit(None, None, self.unit, f"{self.text} or {why}", counts=self.counts)

    def scale(self) -> float:
        """Size of the bound that model errors are compared with."""
        bounds = [abs(b) for b in (self.low, self.high) if b is not None]
        return min((b for b in bounds if b > 0), default=0.0)

    def margin(self, value: float) -> float:
        """Distance to the nearer bound, positive inside; infinite without bounds. Same unit as the value."""
        sides = []
        if self.high is not None:
            sides.append(self.high - value)
        if self.low is not None:
            sides.append(value - self.low)
        least = min(sides, default=inf)
        return 0.0 if self.rounding and least < 0 and self.met_by(value) else least

    def share(self, value: float) -> float | None:
        """Distance to a bound over the size of that same bound, of two bounds the smaller result [-]; positive inside.

        The distance to a bound of zero is taken over the other one. None where no bound has a size.
        """
        scale = self.scale()
        if not scale:
            return None
        sides = []
        if self.high is not None:
            sides.append((self.high - value) / (abs(self.high) or scale))
        if self.low is not None:
            sides.append((value - self.low) / (abs(self.low) or scale))
        least = min(sides)
        return 0.0 if self.rounding and least < 0 and self.met_by(value) else least


def nearly_equal(a: float, b: float) -> bool:
    """Equal on 9 significant digits, so that ``10 mil`` and ``0.254 mm`` agree. Infinity equals only itself."""
    return isclose(a, b, rel_tol=0.5e-9)
