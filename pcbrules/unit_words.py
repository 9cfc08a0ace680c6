# SPDX-License-Identifier: MIT
"""Units spelled out, abbreviated otherwise or in another case: which unit of the table is meant.

No symbol is guessed from likeness: `mm` and `um` differ in one letter and by a factor of a thousand. A word that is
spelled out may have one slip: `milimeter`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pcbrules.spelling import same_name

_BASES = {
    "m": "meter meters metre metres",
    "Hz": "hertz",
    "s": "second seconds sec secs",
    "ohm": "ohm ohms",
    "H": "henry henries henrys",
    "F": "farad farads",
    "V": "volt volts",
    "A": "amp amps ampere amperes",
    "W": "watt watts",
    "Pa": "pascal pascals",
    "b": "bit bits",
    "T": "transfer transfers",
    "Bd": "bauds symbol/s symbols/s",
}
"""Units that take a prefix, and the words for them."""

_WHOLE = {
    "um": "micron microns",
    "mil": "mil mils thou thous milliinch milliinches",
    "in": "inch inches inchs ''",
    "dB": "decibel decibels",
    "K": "kelvin kelvins degk deg-k",
    "degC": "c celsius centigrade degrees-c degree-c deg-c degrees-celsius degree-celsius deg-celsius degcelsius",
    "deg": "degree degrees",
    "rad": "radian radians",
    "%": "percent per-cent pct percents",
    "ppm": "parts-per-million",
    "uohm": "microhm microhms",
    "kohm": "kilohm kilohms",
    "Mohm": "megohm megohms",
    "oz": "ounce ounces ozs oz-cu oz-copper ounce-copper ounces-copper",
}
"""Units without a prefix, and the words for them."""

_PREFIXES = {"femto": "f", "pico": "p", "nano": "n", "micro": "u", "milli": "m", "centi": "c", "kilo": "k",
             "mega": "M", "giga": "G", "tera": "T"}
_WORDS = {word.replace("-", " "): unit for table in (_BASES, _WHOLE) for unit, words in table.items()
          for word in words.split()}
_PREFIXED = {word: unit for unit, words in _BASES.items() for word in words.split()}
_LONG = _WORDS | {prefix + word: letter + unit
                  for prefix, letter in _PREFIXES.items() for word, unit in _PREFIXED.items()}
_SPELLED = {word: unit for word, unit in _LONG.items() if len(word) >= 6}
"""Words that may have a slip, and the units that they stand for."""

_LETTERS = "fpnumckMGT"
LONGEST = 200
"""Characters of a quantity that are looked at."""

_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63]")
_BLANKS = re.compile("[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")
_QUOTES = " '\"\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"
_SLASH = re.compile(r"\s*/\s*|\s+per\s+")


def meant_units(unit: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the units among ``known`` that a text stands for, in their order: by case, by word, by a bare prefix.

    >>> meant_units("microns", ["mil", "um"]), meant_units("GHZ", ["Hz", "GHz"]), meant_units("GHZ", ["um"])
    (('um',), ('GHz',), ())
    """
    unit = " ".join(unit.split()).rstrip(".")
    same = tuple(name for name in known if name.casefold() == unit.casefold())
    if same:
        return same
    spelled = "/".join(_one(part) for part in _SLASH.split(unit))
    if spelled in known:
        return (spelled,)
    swapped = tuple(name for name in known if 3 <= len(name) <= 4 and sorted(name) == sorted(unit))
    if swapped:  # mli, omh
        return swapped
    if len(unit) == 1 and unit in _LETTERS:  # 100 n, 17 u
        return tuple(name for name in known if name[:1] == unit and name[1:] in known)
    if re.fullmatch(r"[mkM]?R", unit):  # 5 mR
        return tuple(name for name in known if name == f"{unit[:-1]}ohm")
    return ()


def as_typed(text: str) -> str:
    """Return a quantity as a keyboard writes it: plain digits, signs and blanks, a decimal point, no quotes.

    A comma or point before exactly three digits is left where it may part thousands or decimals.

    A fraction is a number, the H of half an ounce too; signs of a tolerance before the number are left out.

    >>> as_typed("\u201c4,5\u00a0mil\u201d"), as_typed("1,000.5 mil"), as_typed("1 000 mil"), as_typed("1,000 mil")
    ('4.5 mil', '1000.5 mil', '1000 mil', '1,000 mil')
    >>> as_typed("1/2 oz"), as_typed("1 1/2 oz"), as_typed("H oz"), as_typed("+-3 %")
    ('0.5 oz', '1.5 oz', '0.5 oz', '3 %')
    """
    plain = "".join(chr(ord(c) - 0xFEE0) if "\uff01" <= c <= "\uff5e" else c for c in text[:LONGEST])
    plain = _UNSEEN.sub("", _DASHES.sub("-", _BLANKS.sub(" ", plain))).strip(_QUOTES)
    plain = re.sub(r"^(\+/?-|\u00b1)\s*(?=[0-9.])", "", re.sub(r"^H(?=( ?oz)?$)", "0.5", plain))
    plain = re.sub(r"^(?:([0-9]{1,2})[ -])?([1-9])/([248])(?![0-9/])", _fraction, plain)
    plain = re.sub(r"(?<=[0-9])[ '_\u2019](?=[0-9]{3}(?![0-9]))", "", plain)
    if re.match(r"[+-]?[0-9]{1,3}(,[0-9]{3})+\.[0-9]|[+-]?[0-9]{1,3}(,[0-9]{3}){2}", plain):
        plain = plain.replace(",", "")
    elif re.match(r"[+-]?[0-9]{1,3}(\.[0-9]{3})+,[0-9]|[+-]?[0-9]{1,3}(\.[0-9]{3}){2}", plain):
        plain = plain.replace(".", "").replace(",", ".")
    plain = re.sub(r"(?<=[0-9]),(?=[0-9])(?![0-9]{3}(?![0-9]))", ".", plain)
    plain = re.sub(r"(?<![0-9.])(?=\.[0-9])", "0", plain)
    return re.sub(r"(?<=[0-9])\.(?![0-9])", ".0", plain)


def _fraction(found: re.Match[str]) -> str:
    """A half, quarter or eighth, with whole ones before it, as a decimal number."""
    return f"{int(found[1] or 0) + int(found[2]) / int(found[3]):g}"


def _one(part: str) -> str:
    """The symbol of a unit that is spelled out; the text itself where it is none."""
    text = part.casefold().strip()
    if text in _WORDS:
        return _WORDS[text]
    for word, letter in _PREFIXES.items():
        base = text.removeprefix(word).lstrip(" -")
        if text.startswith(word) and base in _PREFIXED:
            return letter + _PREFIXED[base]
    if part[:1] in _LETTERS and text[1:] in _PREFIXED:
        return part[0] + _PREFIXED[text[1:]]
    return _SPELLED.get(same_name(text, _SPELLED), part)
