# SPDX-License-Identifier: MIT
"""What a message says of a quantity outside of its range: the bound, the usual range, the likely unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pcbrules.model.ranges.band import Band, bounds, judged
from pcbrules.phrases import clip
from pcbrules.unit_table import TABLE, plain
from pcbrules.units import NUMBER, show, to_si, unit_of

UNITS = {
    "length": ("mm", "mil", "um", "in", "nm"),
    "frequency": ("GHz", "MHz", "kHz", "Hz"),
    "time": ("ps", "ns", "fs", "us"),
    "resistance": ("mohm", "ohm", "uohm", "kohm", "nohm"),
    "inductance": ("nH", "pH", "uH", "fH", "mH"),
    "capacitance": ("uF", "nF", "pF", "fF", "mF", "F"),
    "voltage": ("V", "mV", "kV", "uV"),
    "current": ("A", "mA", "kA", "uA"),
    "power": ("W", "kW", "mW", "MW"),
    "temperature": ("degC", "K"),
    "temperature_rise": ("K",),
    "ratio": ("%", "", "ppm"),
    "slew": ("A/us", "A/ns", "A/ms", "A/s"),
    "copper_weight": ("oz", "um", "mil"),
    "data_rate": ("Gb/s", "Mb/s", "Tb/s"),
    "symbol_rate": ("GBd", "MBd"),
    "angle": ("deg", "mrad", "rad"),
}
"""Units that are proposed, the most common first; the usual one of a key goes before them."""

SHIFTS = (0.1, 0.01, 10.0, 0.001, 100.0)
"""Factors by which a plain number is off that lacks its decimal point, or has a wrong one."""

MOST = 2
"""Units that a message proposes."""


TYPED = 1e6
"""Size of a number from which on another unit is no explanation: nobody writes 1e9 nm."""

CHECK = "check number and unit"
"""The cure where no unit makes a quantity usual."""


class Refusal(NamedTuple):
    """The phrases of a problem about an impossible quantity."""

    message: str
    expected: str
    fix: str

    def problem(self, found: str) -> tuple[str, str, str, str]:
        """Return them in the order of a problem, with the text that was found."""
        return self.message, found, self.expected, self.fix


def refusal(key: str, text: str, value: float, band: Band) -> Refusal:
    """Return what to say of an impossible quantity: its key, its text, its SI value, and its range."""
    ends = bounds(band)
    low = (abs(value) if band.signed else value) < ends.least
    bound = _bound(text, band, ends.least if low else ends.most, band.least if low else band.most)
    return Refusal(f"no `{key}` is this {'small' if low else 'large'}",
                   f"at {'least' if low else 'most'} {bound}; {usual(band)}", likely(text, band) or CHECK)


def usual(band: Band) -> str:
    """Return the usual range in words."""
    return f"{band.low} to {band.high} is usual"


def _bound(text: str, band: Band, value: float, written: str) -> str:
    """A bound in the unit of the text where it is a handy number there, else as the table has it."""
    unit = unit_of(text.lstrip("<>=≤≥ "))
    if band.dimension in ("", "temperature", "number") or plain(unit) not in TABLE[band.dimension].units:
        return written
    shown = show(value, unit, 4)
    number = abs(float(shown.split(" ")[0]))
    return shown if number == 0 or 1e-3 <= number < 1e4 else written


def likely(text: str, band: Band) -> str:
    """Return a cure, `write '0.47 uF' if that is meant`: the same number with the unit that makes it usual.

    A plain number gets a decimal point. Empty where no unit does.

    >>> likely("0.47 F", Band("1 pF", "1 nF", "1 mF", "10 mF", "uF"))
    "write '0.47 uF' (or '0.47 mF') if that is meant"
    """
    start = NUMBER.match(text := text.lstrip("<>=≤≥ "))
    if start is None or ".." in text:
        return ""
    number = start[0]
    if band.dimension == "number":
        return _shifted(float(number), text[start.end():].strip(), band)
    found = usual_units(text, band)
    others = "".join(f" (or '{one}')" for one in found[1:])
    return f"write '{found[0]}'{others} if that is meant" if found else ""


def usual_units(text: str, band: Band) -> list[str]:
    """Return the number of a text with other units in which it is usual, the commonest first, at most two.

    >>> usual_units("70", Band("5 um", "0.3 mm", "2 m", "5 m", "mm"))
    ['70 mm', '70 mil']
    """
    start = NUMBER.match(text)
    if start is None or abs(float(start[0])) >= TYPED:
        return []
    return [f"{clip(start[0])} {unit}".strip() for unit in _usual(float(start[0]), text, band)][:MOST]


def _usual(number: float, text: str, band: Band) -> Iterator[str]:
    """Yield other units in which the number is usual."""
    kind = TABLE.get(band.dimension)
    if kind is None or number == 0:
        return
    unit = plain(unit_of(text))
    seen = {to_si(number, unit, band.dimension)} if unit in kind.units or (not unit and kind.bare) else set()
    for one in (band.usual_unit, *UNITS.get(band.dimension, kind.shown)):
        value = to_si(number, one, band.dimension)
        if value not in seen and not judged(band, value)[1]:
            yield one
        seen.add(value)


def _shifted(number: float, unit: str, band: Band) -> str:
    """Return the cure of a plain number: as per cent, or with another decimal point."""
    if unit == "%" and not judged(band, number)[1]:
        return f"write {number:g} if that is meant"
    if (band.percent or unit == "%") and not judged(band, number / 100)[1]:
        return f"write {show(number / 100, '', 6)} if {number:g} % is meant"
    for factor in SHIFTS:
        if not judged(band, number * factor)[1]:
            slip = "a decimal point is missing" if factor < 1 and number == int(number) else "its decimal point slipped"
            return f"write {show(number * factor, '', 6)} if {slip}"
    return ""
