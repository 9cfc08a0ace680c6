# SPDX-License-Identifier: MIT
"""Measured value, limit and margin of a finding, in the unit in which the ruleset wrote the limit.

A margin is a difference: of two temperatures it is in kelvin, of two percentages in points. A limit without a unit is
a number, a ratio, or a word of an ordered list (a foil class); the number behind a word is its rank and means nothing
to a reader, so the texts leave it out. A number without a limit has no display unit: it stays in SI, and the texts
leave it to the message.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pcbrules.results.finding import LOST_MARGIN, Finding
from pcbrules.results.limit import Limit
from pcbrules.results.margin_share import is_word
from pcbrules.symbols import signs
from pcbrules.ties import same, steady
from pcbrules.units import convert, dimension_of

TIMES = ("x ", "× ")
"""How the words begin that say what a ratio is counted in."""

RANK = "rank"
"""Display unit of a limit that is a word: the position in the list of words."""

POINTS = "points"
"""Unit of a difference of two percentages."""

EQUAL: Final = 1e-6
"""Part of a computed number, or of its limit, below which processors may differ."""

_DIGITS = range(3, 10)  # significant digits that a text may use
_TINY = 1e-9  # size below which a number may be written as zero
_CLOSE = 0.05  # share of the margin by which rounding may move a number


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything that was compared, in ``unit`` (a temperature margin in kelvin).

    Digits are those that are equal everywhere: 9 of a limit, 7 of what is measured and none below 1e-6 of the limit, as
    processors round differently, and a small difference has the digits of the large numbers it comes from.
    ``limit`` is the bound that ``margin`` is counted from, of two the nearer one. None where there is no such
    number or where it is infinite.
    """

    measured: float | None = None
    lo: float | None = None
    hi: float | None = None
    limit: float | None = None
    low: float | None = None
    high: float | None = None
    margin: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Texts:
    """The same for a reader: ``11.8 mil (9.0 … 14.6)``, ``< 10 mil``, ``−1.8 mil``; each may be empty."""

    measured: str = ""
    limit: str = ""
    margin: str = ""

    def sentence(self, basis: str) -> str:
        """What there is: ``measured 11.8 mil (9.0 … 14.6), limit < 10 mil, margin −1.8 mil [computed]``."""
        parts = (("measured", self.measured), ("limit", self.limit), ("margin", self.margin))
        text = ", ".join(f"{label} {part}" for label, part in parts if part)
        return f"{text} [{basis}]" if text and basis != "none" else text


def numbers(finding: Finding) -> Numbers:
    """Numbers of a finding as a program reads them."""
    measured, limit = finding.measured, finding.limit
    unit = limit.unit if limit else ""

    def number(si: float | None) -> float | None:
        return None if si is None else nine(convert(si, unit))

    bounds = [abs(convert(bound, unit)) for bound in (limit.low, limit.high) if bound is not None] if limit else []
    floor = EQUAL * max((bound for bound in bounds if math.isfinite(bound)), default=0.0)

    def computed(si: float) -> float | None:
        return _equal_digits(convert(si, unit), floor)

    fields: dict[str, float | None] = {}
    if measured:
        fields |= {"measured": computed(measured.value), "lo": computed(measured.lo), "hi": computed(measured.hi)}
    if limit:
        fields |= {"low": number(limit.low), "high": number(limit.high)}
        fields["limit"] = number(_nearer(limit, measured.value if measured else None))
    if measured and limit:
        fields["margin"] = computed(limit.margin(measured.value))
    return Numbers(unit=RANK if limit and is_word(limit) else unit, **fields)


def texts(finding: Finding) -> Texts:
    """Numbers of a finding as a person reads them."""
    measured, limit = finding.measured, finding.limit
    if not limit:
        return Texts()
    if not measured or is_word(limit):
        return Texts(limit=limit.text)
    return _told(limit, measured.value, measured.lo, measured.hi, of_margins=finding.rule == LOST_MARGIN)


@lru_cache(maxsize=4096)
def _told(limit: Limit, measured: float, least: float, most: float, *, of_margins: bool) -> Texts:
    """The texts of a number with its interval [SI]; ``of_margins`` where it is a difference of two margins.

    A search judges hundreds of boards that have most numbers in common.
    """
    if limit.counts and not limit.unit:
        return _counted(limit, measured, least, most, of_margins=of_margins)
    unit = limit.unit
    value, lo, hi = (convert(x, unit) for x in (measured, least, most))
    margin = convert(limit.margin(measured), unit)
    places = _places(limit, (value, lo, hi), margin)
    ends = dict.fromkeys(_fixed(end, places) for end in (lo, value, hi))
    shown = _with_unit(_fixed(value, places, trim=same(lo, hi)), unit)
    if len(ends) > 1:  # an interval that vanishes in the digits says nothing
        shown += f" ({_fixed(lo, places)} … {_fixed(hi, places)})"
    margin_unit = POINTS if unit == "%" else "K" if unit and dimension_of(unit) == "temperature" else unit
    sign = "−" if margin < 0 else ""
    if limit.low is None and limit.high is None:
        return Texts(shown, limit.text)
    amount = _fixed(abs(margin), places, trim=same(lo, hi))
    if of_margins:
        lost = f"{_with_unit(_fixed(value, places, trim=True), margin_unit)} lost"
        text = limit.text.replace(f" {unit}", f" {margin_unit}", 1) if unit == "%" else limit.text
        return Texts(lost, text, sign + _with_unit(amount, margin_unit))
    if (amount, margin_unit) == ("1", POINTS):
        margin_unit = "point"
    return Texts(shown, limit.text, sign + _with_unit(amount, margin_unit))


def _counted(limit: Limit, measured: float, least: float, most: float, *, of_margins: bool) -> Texts:
    """The texts of a number without a unit, each with what it counts; a margin of ratios is a plain difference."""
    bare = _told(replace(limit, counts=""), measured, least, most, of_margins=of_margins)

    def told(text: str, number: str) -> str:
        one = number.lstrip("−") == "1" and not limit.counts.startswith(TIMES)
        value, interval, rest = text.partition(" (")
        counted = limit.counts.removesuffix("s") if one else limit.counts
        return f"{value} {counted}{interval}{rest}" if text else ""

    bound = re.sub(r"^\D*", "", limit.text)
    free = limit.low is None and limit.high is None
    return Texts(signs(told(bare.measured, bare.measured)), limit.text if free else told(limit.text, bound),
                 bare.margin if limit.counts.startswith(TIMES) else told(bare.margin, bare.margin))


def _nearer(limit: Limit, value: float | None) -> float | None:
    if limit.low is None or limit.high is None:
        return limit.low if limit.high is None else limit.high
    if value is None:
        return limit.low if limit.low == limit.high else None
    return limit.low if value - limit.low < limit.high - value else limit.high


def nine(value: float) -> float | None:
    """Round to 9 significant digits, without a negative zero."""
    return float(f"{value:.9g}") + 0.0 if math.isfinite(value) else None


def _equal_digits(value: float, floor: float) -> float | None:
    """Round to 7 significant digits, and to no more decimals than a floor has."""
    if not math.isfinite(value) or value == 0:
        return nine(value)
    step = math.floor(math.log10(max(abs(value) * EQUAL, floor, 1e-300)) + 1e-9)
    return nine(round(value, -step))


def _places(limit: Limit, shown: tuple[float, float, float], margin: float) -> int:
    """Decimal places at which the rounded numbers still tell what the exact ones tell.

    The fewest of 3 to 9 significant digits with which each number stays on its side of the limit and rounding
    takes at most a twentieth of the margin.
    """
    unit = limit.unit
    here = replace(
        limit,
        low=None if limit.low is None else convert(limit.low, unit),
        high=None if limit.high is None else convert(limit.high, unit),
    )
    finite = [x for x in shown if math.isfinite(x)]
    spread = max(finite, default=0.0) - min(finite, default=0.0)
    value = abs(shown[0]) if math.isfinite(shown[0]) else 0.0
    exponent = math.floor(math.log10(max(value, here.scale() / 1000, spread / 1000, _TINY)))
    places = 0
    for digits in _DIGITS:
        places = digits - 1 - exponent
        same_side = all(here.met_by(_round(x, places)) == here.met_by(x) for x in finite)
        off = abs(_round(finite[0], places) - finite[0]) if finite else 0.0
        if same_side and (off <= _CLOSE * abs(margin) or math.isinf(margin)):
            break
    return places


def _round(value: float, places: int) -> float:
    return round(steady(value), places) if math.isfinite(value) else value


def _fixed(value: float, places: int, *, trim: bool = False) -> str:
    """Write a number with so many decimal places, with an exponent where it would be too long."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = _round(value, places) + 0.0
    if rounded and not -5 <= math.floor(math.log10(abs(rounded))) < 9:
        mantissa, _, power = f"{rounded:.2e}".partition("e")
        return f"{mantissa.replace('-', '−')}e{int(power)}"
    text = f"{rounded:.{max(places, 0)}f}"
    if trim and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def _with_unit(number: str, unit: str) -> str:
    return f"{number} {unit}".rstrip()
