# SPDX-License-Identifier: MIT
"""Quantities as people write them (`4.5 mil +- 10 %`) and as the tool computes with them (SI floats).

Numbers follow a strict ASCII grammar: sign, digits, fraction, exponent. Products are formed in decimal and
rounded once, so `10 mil` and `0.254 mm` give the same float. Temperatures are kept in degrees Celsius, copper
weights in metres (1 oz = 35 um), losses in dB, data rates in bit/s or transfers/s, all else in SI units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from pcbrules.phrases import clip, quoted
from pcbrules.ties import steady
from pcbrules.unit_table import EXACT, OF_UNIT, TABLE, ZERO_CELSIUS, Dimension, plain
from pcbrules.unit_words import as_typed, meant_units

NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")  # the only grammar of a number
NUMBER_LENGTH = 40  # characters
SMALLEST, LARGEST = 1e-30, 1e30  # magnitudes of numbers other than zero
TEXT_LENGTH = 200  # characters of a quantity with its tolerance
RANGE = f"at most {NUMBER_LENGTH} characters, 0 or 1e-30 to 1e30 in magnitude"
LISTED = 16  # units that a message lists
WITHOUT_UNIT = "write the unit"
WEIGHT = re.compile(r"oz(?:/ft2)?|ounces?")
DIMENSIONS = tuple(TABLE)


OTHER_KINDS: Mapping[tuple[str, str], str] = {
    ("power", "current"): "divide the power by the voltage of the rail, and write it in A",
    ("current", "power"): "multiply the current by the voltage, and write it in W",
    ("frequency", "time"): "write the time, such as '100 ps', not a frequency",
    ("time", "frequency"): "write the frequency, such as '5 GHz', not a time",
    ("data_rate", "frequency"): "write the frequency, such as '16 GHz', not a rate of bits",
    ("symbol_rate", "frequency"): "write the frequency, such as '26.56 GHz', not a rate of symbols",
    ("capacitance", "inductance"): "write an inductance, such as '100 pH'",
    ("inductance", "capacitance"): "write a capacitance, such as '100 nF'",
    ("voltage", "current"): "write a current, such as '2 A'",
    ("current", "voltage"): "write a voltage, such as '0.8 V'",
}
"""What to write where a unit of the first kind stands for a quantity of the second."""


class UnitError(ValueError):
    """A value is not a quantity of the dimension asked for; the parts are phrases for a Problem."""

    def __init__(self, message: str, found: str = "", expected: str = "", fix: str = "") -> None:
        super().__init__(message, found, expected, fix)
        self.message, self.found, self.expected, self.fix = message, found, expected, fix

    def __str__(self) -> str:
        parts = (("found ", self.found), ("expected ", self.expected), ("fix: ", self.fix))
        return "; ".join([self.message, *(word + part for word, part in parts if part)])


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in SI with its absolute tolerances (>= 0, in SI), None where the text states none."""

    value: float
    minus: float | None = None
    plus: float | None = None
    text: str = field(default="", compare=False)


_BLANKS = str.maketrans(dict.fromkeys("\t\u00a0\u2009\u202f", " "))
_NO_END = {".", ",", "_"}  # what cannot follow a number
_BYTES = re.compile(r"[kMGT]?B(?:/s|ps)|[kMGT]?Bytes?/s")
_UNSIGNED = r"([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
_UNIT = r"\s*([^+\-±]*?)\s*"
_BOTH = re.compile(rf"(?:\+/?-|±)\s*{_UNSIGNED}{_UNIT}")
_PLUS_MINUS = re.compile(rf"\+\s*{_UNSIGNED}{_UNIT}/\s*-\s*{_UNSIGNED}{_UNIT}")
_MINUS_PLUS = re.compile(rf"-\s*{_UNSIGNED}{_UNIT}/\s*\+\s*{_UNSIGNED}{_UNIT}")


def parse(text: str, dimension: str) -> Quantity:
    """Read `text` as a quantity of `dimension` (one of DIMENSIONS), with its tolerance if it states one.

    A tolerance is `+- 10 %`, `± 0.5 mil`, `+/- 5 %`, `+0.5 mil/-0.2 mil` or `+0.5/-0.2 mil` (the last unit
    holds for both). `%` and `ppm` are of the value, but `5 % +- 1 %` is refused: it can be read in two ways.
    Raises UnitError; where plain digits, signs and blanks would make it a quantity, its fix is that text.
    """
    try:
        return _parse(text, dimension)
    except UnitError as error:
        meant = as_typed(text)
        if len(text) > TEXT_LENGTH or meant == text.strip(" "):
            raise
        try:
            _parse(meant, dimension)
        except UnitError:
            raise error from None
        raise UnitError(error.message, error.found, error.expected, f"write '{clip(meant)}'") from None


@lru_cache(maxsize=4096)
def _parse(text: str, dimension: str) -> Quantity:
    """Read `text`, or raise UnitError."""
    kind = TABLE[dimension]
    if len(text) > TEXT_LENGTH:
        raise UnitError(f"a text of {len(text)} characters is not a quantity", quoted(text), _expected(kind))
    line = text.translate(_BLANKS).strip(" ")
    start = NUMBER.match(line)
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", line):
        raise UnitError(f"a date stands where {kind.name} is due", quoted(text), _expected(kind))
    if not start or line[start.end() : start.end() + 1] in _NO_END:
        raise _no_number(line, kind)
    exact = _number(start[0], text, kind)
    body, sign, rest = _split(line[start.end() :])
    unit = plain(body)
    factor = _factor(unit, start[0], kind, text)
    exact = EXACT.subtract(EXACT.multiply(exact, factor), _offset(unit, dimension))
    value = _in_range(exact, text, kind)
    if not sign:
        return Quantity(value, text=line)
    nominal = _Nominal(start[0], unit, abs(exact), kind, text)
    minus, plus = _tolerance(sign + rest, nominal)
    return Quantity(value, minus, plus, text=line)


def parse_value(value: object, dimension: str) -> Quantity:
    """Read a value of a YAML tree: text by `parse`; a bare number where the dimension needs no unit."""
    kind = TABLE[dimension]
    if isinstance(value, str):
        return parse(value, dimension)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnitError(f"{kind.name} is due here", quoted(value), _expected(kind))
    if value and not SMALLEST <= abs(value) <= LARGEST:  # also true for nan and the infinities
        raise _out_of_range(quoted(value), kind)
    if not kind.bare:
        raise _bare(f"{value}", quoted(value), kind)
    return Quantity(float(value), text=f"{value}")


def number(text: str) -> float | None:
    """Return a text that matches NUMBER as a float, None where it is out of RANGE."""
    if len(text) > NUMBER_LENGTH:
        return None
    value = float(text)
    if value == 0:  # nothing but zeros, or too small for a float
        return None if re.match(r"[+-]?[0.]*[1-9]", text) else 0.0
    return value if SMALLEST <= abs(value) <= LARGEST else None


def to_si(value: float, unit: str, dimension: str = "") -> float:
    """Return `value` in `unit` as SI. `K` is a difference unless `dimension` is `temperature`."""
    factor, offset = _scale(unit, dimension)
    return float(EXACT.subtract(EXACT.multiply(Decimal(float(value)), factor), offset))


def convert(value: float, unit: str, dimension: str = "") -> float:
    """Return the SI `value` in `unit`; the inverse of `to_si`."""
    factor, offset = _scale(unit, dimension)
    return float(EXACT.divide(EXACT.add(Decimal(float(value)), offset), factor))


def show(value: float, unit: str, digits: int = 3) -> str:
    """Return the SI `value` in `unit` with at most `digits` significant digits: `11.8 mil`, `5 %`."""
    return f"{_digits(convert(value, unit), digits)} {unit}".rstrip()


def as_declared(value: float, was: Quantity, unit: str = "", digits: int = 4) -> str:
    """Return the SI `value` as a file would write it in place of `was`: in its unit, with its tolerance."""
    unit = unit or unit_of(was.text)
    minus, plus = was.minus, was.plus
    text = show(value, unit, digits)
    if minus is None or plus is None:
        return text
    if plus == minus:
        return f"{text} +- {show(plus, unit, digits)}"
    return f"{text} +{show(plus, unit, digits)}/-{show(minus, unit, digits)}"


def show_hz(value: float, digits: int = 3) -> str:
    """Return a frequency of a power rail in Hz, kHz or MHz: `999 Hz`, `1 kHz`, `2.5 MHz`."""
    return show(value, "Hz" if value < 999.5 else "kHz" if value < 0.9995e6 else "MHz", digits)


def show_volt(value: float, digits: int = 3) -> str:
    """Return a voltage [V] of a power rail in mV, or from 1 V on in V: `999 mV`, `17.3 V`."""
    return show(value, "mV" if abs(value) < 0.9995 else "V", digits)


def show_ohm(value: float, digits: int = 3) -> str:
    """Return a resistance [ohm] of a power rail in mohm, or from 1 ohm on in ohm: `999 mohm`, `6.94 ohm`."""
    return show(value, "mohm" if abs(value) < 0.9995 else "ohm", digits)


def unit_of(text: str) -> str:
    """Return the unit of a quantity as it is written: `um` of `0.5 um +- 10 %`; empty for a plain number."""
    start = NUMBER.match(text)
    return _split(text[start.end() if start else 0 :])[0].strip()


def dimension_of(unit: str) -> str:
    """Return the dimension of `unit`, the first one where it belongs to several (`um` is a length)."""
    name = OF_UNIT.get(plain(unit), "") if plain(unit) else "number"
    if not name:
        known = {name: name for name in OF_UNIT}
        raise UnitError("unknown unit", quoted(unit), fix=_meant(plain(unit), known))
    return name


@lru_cache(maxsize=512)
def _scale(unit: str, dimension: str) -> tuple[Decimal, Decimal]:
    """Return factor and offset of a unit."""
    name, spelled = dimension or dimension_of(unit), plain(unit)
    kind = TABLE[name]
    if spelled in kind.units:
        return kind.units[spelled], _offset(spelled, name)
    if not spelled and kind.bare:
        return Decimal(1), Decimal(0)
    raise UnitError(f"no unit of {kind.name}", quoted(unit), _expected(kind))


def _offset(unit: str, dimension: str) -> Decimal:
    return ZERO_CELSIUS if (dimension, unit) == ("temperature", "K") else Decimal(0)


def _digits(value: float, digits: int) -> str:
    if not math.isfinite(value) or value == 0:
        return str(value) if value else "0"
    mantissa, _, exponent = f"{steady(value) if digits < 12 else value:.{digits - 1}e}".partition("e")
    if -7 < int(exponent) < 10:
        mantissa, exponent = f"{Decimal(mantissa).scaleb(int(exponent)):f}", ""
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _split(rest: str) -> tuple[str, str, str]:
    """Split what follows the number into the unit, the sign that opens the tolerance, and what follows it."""
    found = re.search(r"[+\-±]", rest)
    return (rest, "", "") if not found else (rest[: found.start()], found[0], rest[found.end() :])


def _number(text: str, whole: str, kind: Dimension) -> Decimal:
    value = number(text)
    if value is None:
        raise _out_of_range(quoted(whole), kind)
    return Decimal(text) if value else Decimal(0)


def _in_range(exact: Decimal, whole: str, kind: Dimension) -> float:
    value = float(exact)
    if exact and not SMALLEST <= abs(value) <= LARGEST:
        raise _out_of_range(quoted(whole), kind)
    return value


def _factor(unit: str, number: str, kind: Dimension, whole: str) -> Decimal:
    if unit in kind.units:
        return kind.units[unit]
    if unit:
        raise _wrong_unit(unit, whole, kind)
    if not kind.bare:
        raise _bare(number, quoted(whole), kind)
    return Decimal(1)


@dataclass(frozen=True, slots=True)
class _Nominal:
    """What a tolerance refers to."""

    number: str
    unit: str
    size: Decimal  # magnitude in SI
    kind: Dimension
    whole: str  # the text with the tolerance


def _tolerance(text: str, nominal: _Nominal) -> tuple[float, float]:
    """Return the lower and upper tolerance."""
    if both := _BOTH.fullmatch(text):
        amount = _absolute(both[1], plain(both[2]), nominal)
        return amount, amount
    upper_first = _PLUS_MINUS.fullmatch(text)
    sides = upper_first or _MINUS_PLUS.fullmatch(text)
    if not sides:
        example = f"{clip(nominal.number)} {nominal.unit}".strip()
        fix = f"write '{example} +- 10 %' or '{example} +10/-5 %'"
        raise UnitError("the tolerance cannot be read", quoted(nominal.whole), _expected(nominal.kind), fix)
    last = plain(sides[4])
    first = _absolute(sides[1], plain(sides[2]) or last, nominal)
    second = _absolute(sides[3], last, nominal)
    return (second, first) if upper_first else (first, second)


def _absolute(digits: str, unit: str, nominal: _Nominal) -> float:
    """Return one tolerance in SI."""
    kind, whole = nominal.kind, nominal.whole
    amount = _number(digits, whole, kind)
    if unit == nominal.unit == "%":
        as_ratio = f"{_digits(float(nominal.size), 9)} +- {_digits(float(amount) / 100, 9)}"
        fix = f"write '{as_ratio}' if the second is in points of the first"
        raise UnitError("a percentage of a percentage can be read in two ways", quoted(whole), fix=fix)
    if unit == "%" or (unit == "ppm" and nominal.unit not in {"%", "ppm"}):
        if kind is TABLE["temperature"]:
            fix = "write the tolerance in kelvin, such as '25 degC +- 5 K'"
            raise UnitError("a temperature has no relative tolerance", quoted(whole), fix=fix)
        relative = EXACT.multiply(amount, TABLE["ratio"].units[unit])
        return _in_range(EXACT.multiply(nominal.size, relative), whole, kind)
    if not unit and nominal.unit:
        fix = f"write '{clip(nominal.number)} {nominal.unit} +- {clip(digits)} {nominal.unit}'"
        raise UnitError("the tolerance has no unit", quoted(whole), _expected(kind), fix)
    return _in_range(EXACT.multiply(amount, _factor(unit, digits, kind, whole)), whole, kind)


def _expected(kind: Dimension) -> str:
    return f"{kind.name} such as {kind.examples}"


def _out_of_range(found: str, kind: Dimension) -> UnitError:
    return UnitError("number out of range", found, f"{_expected(kind)}, in {RANGE}")


def _bare(number: str, found: str, kind: Dimension) -> UnitError:
    ways = " or ".join(f"'{clip(number)} {unit}'" for unit in kind.shown)
    return UnitError(f"{kind.name} needs a unit", found, _expected(kind), f"{WITHOUT_UNIT}: {ways}")


def _wrong_unit(unit: str, whole: str, kind: Dimension) -> UnitError:
    if re.fullmatch(r"(?:deg(?:rees?)? ?)?f(?:ahrenheit)?", unit.casefold()) and "degC" in kind.units:
        fix = "write it in degC: (F - 32) / 1.8, of a difference F / 1.8"
        return UnitError("Fahrenheit is not read", quoted(whole), _expected(kind), fix)
    if unit in OF_UNIT:
        other = TABLE[OF_UNIT[unit]].name
        message = f"'{unit}' is a unit of {other}, not of {kind.name}"
        return UnitError(message, quoted(whole), _expected(kind), _other_kind(unit, whole, kind))
    if _BYTES.fullmatch(unit):
        fix = "multiply by 8 and write the rate in bits, such as 'Gb/s'"
        return UnitError("a rate in bytes", quoted(whole), _expected(kind), fix)
    fix = _meant(unit, kind.units)
    others = () if fix else meant_units(unit[:NUMBER_LENGTH], list(OF_UNIT))
    if others:
        message = f"'{clip(unit, 40)}' is a unit of {TABLE[OF_UNIT[others[0]]].name}, not of {kind.name}"
        return UnitError(message, quoted(whole), _expected(kind))
    fix = fix or f"write one of {', '.join([*kind.units][:LISTED])}"
    return UnitError(f"unknown unit '{clip(unit, 40)}'", quoted(whole), _expected(kind), fix)


def _other_kind(unit: str, whole: str, kind: Dimension) -> str:
    """How to come from a quantity of another dimension to the one that is due; empty where nothing is certain."""
    start = NUMBER.match(whole)
    if OF_UNIT[unit] == "copper_weight" and kind is TABLE["length"] and start:
        thickness = show(to_si(float(start[0]), unit, "copper_weight"), "um")
        return f"write '{thickness}' if the finished copper is as thick; the weight of a foil is `base_weight`"
    return OTHER_KINDS.get((OF_UNIT[unit], next(name for name in TABLE if TABLE[name] is kind)), "")


def _lacks_letter(unit: str, name: str) -> bool:
    """True of `moh`, which may be mohm as well as ohm."""
    return 2 <= len(unit) < len(name) and any(name[:at] + name[at + 1 :] == unit for at in range(len(name)))


def _letter_twice(unit: str, name: str) -> bool:
    """True of `ohmm`, which may be ohm as well as mohm."""
    return any(unit[at] == unit[at - 1] and unit[:at] + unit[at + 1 :] == name for at in range(1, len(unit)))


def _meant(unit: str, known: Mapping[str, object]) -> str:
    """Return `did you mean ..?` with the known units that the text stands for, one a size; empty if there is none."""
    meant = meant_units(unit[:NUMBER_LENGTH], list(known))
    slips = [name for name in known if _lacks_letter(unit, name) or _letter_twice(unit, name)] if meant else []
    near = {known[name]: name for name in reversed((*meant, *slips))}
    return f"did you mean {' or '.join(repr(name) for name in reversed(near.values()))}?" if near else ""


def _no_number(line: str, kind: Dimension) -> UnitError:
    """Say why `line` does not begin with a number, and how to write the one that is meant."""
    meant = line.replace("\u2212", "-")  # the minus of typography
    meant = re.sub(r"(?<=[0-9])_(?=[0-9])", "", meant)
    meant = re.sub(r"^([+-]?[0-9]+),(?![0-9]{3}\b)(?=[0-9])", r"\1.", meant)
    meant = re.sub(r"^([+-]?)(?=\.[0-9])", r"\g<1>0", meant)
    meant = re.sub(r"^([+-]?[0-9]+\.)(?![0-9])", r"\g<1>0", meant)
    start = NUMBER.match(meant)
    thousands = re.match(r"([+-]?[0-9]{1,3}),([0-9]{3})(?![0-9,.])", line)
    if thousands:
        rest, ways = line[thousands.end():], (f"{thousands[1]}{thousands[2]}", f"{thousands[1]}.{thousands[2]}")
        fix = f"write '{clip(ways[0] + rest)}', or '{clip(ways[1] + rest)}' if the comma is a decimal one"
        return UnitError("a comma parts thousands or decimals", quoted(line), _expected(kind), fix)
    known = start and meant != line and meant[start.end() : start.end() + 1] not in _NO_END
    fix = f"write '{clip(meant)}'" if known else "begin with plain digits and a point, such as 4.5 or 1e-3"
    return UnitError("no number can be read", quoted(line) if line else "an empty text", _expected(kind), fix)
