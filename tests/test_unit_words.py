# SPDX-License-Identifier: MIT
"""A unit that is spelled out is cured to its own symbol, never to one that merely looks like it."""

from __future__ import annotations

import pytest

from pcbrules.unit_table import TABLE
from pcbrules.unit_words import _PREFIXED, _WORDS
from pcbrules.units import UnitError, parse

MEANT = [
    ("152 microns", "length", "um"), ("152 micron", "length", "um"), ("3 micrometers", "length", "um"),
    ("3 micrometres", "length", "um"), ("1 millimeter", "length", "mm"), ("4 thous", "length", "mil"),
    ("4 MM", "length", "mm"), ("17 u", "length", "um"), ("2 mil.", "length", "mil"), ("5 ''", "length", "in"),
    ("5 GHZ", "frequency", "GHz"), ("5 ghz", "frequency", "GHz"), ("5 Ghz", "frequency", "GHz"),
    ("5 gigahertz", "frequency", "GHz"), ("85 celsius", "temperature", "degC"), ("85 deg C", "temperature", "degC"),
    ("85 degrees C", "temperature", "degC"), ("12 percent", "ratio", "%"), ("12 pct", "ratio", "%"),
    ("5 picoseconds", "time", "ps"), ("5 psec", "time", "ps"), ("5 nanosecond", "time", "ns"),
    ("3 amps", "current", "A"), ("3 milliamperes", "current", "mA"), ("3 volts", "voltage", "V"),
    ("3 watts", "power", "W"), ("3 milliohms", "resistance", "mohm"), ("3 mR", "resistance", "mohm"),
    ("3 microhms", "resistance", "uohm"), ("100 n", "capacitance", "nF"), ("1 uf", "capacitance", "uF"),
    ("10 microfarads", "capacitance", "uF"), ("1 nh", "inductance", "nH"), ("1 ounce", "copper_weight", "oz"),
    ("1 dB per inch", "loss_per_length", "dB/in"), ("3 db", "loss", "dB"), ("3 decibels", "loss", "dB"),
    ("12 A/usec", "slew", "A/us"), ("12 A per microsecond", "slew", "A/us"), ("10 GT/sec", "data_rate", "GT/s"),
    ("10 gigabits per second", "data_rate", "Gb/s"), ("3 K/watt", "thermal_resistance", "K/W"),
    ("70 milimeter", "length", "mm"), ("70 milimetres", "length", "mm"), ("5 gigaherz", "frequency", "GHz"),
    ("5 picosecnds", "time", "ps"), ("100 nanofarrads", "capacitance", "nF"),
]


@pytest.mark.parametrize(("text", "dimension", "unit"), MEANT)
def test_a_word_for_a_unit_is_understood_in_the_cure(text: str, dimension: str, unit: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse(text, dimension)
    assert caught.value.fix == f"did you mean '{unit}'?"


def test_two_sizes_are_both_named() -> None:
    with pytest.raises(UnitError) as caught:
        parse("3 MOHM", "resistance")
    assert caught.value.fix == "did you mean 'mohm' or 'Mohm'?"


@pytest.mark.parametrize(("text", "dimension"), [("4 mill", "length"), ("3 nmm", "length"), ("3 foo", "resistance"),
                                               ("3 micometer", "length")])
def test_likeness_proposes_no_unit(text: str, dimension: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse(text, dimension)
    assert caught.value.fix.startswith("write one of ")


def test_a_word_of_another_dimension_is_told_as_such() -> None:
    with pytest.raises(UnitError, match="'microns' is a unit of a length, not of a resistance"):
        parse("3 microns", "resistance")
    with pytest.raises(UnitError, match="Fahrenheit is not read"):
        parse("185 F", "temperature")


def test_every_word_stands_for_a_unit_of_the_table() -> None:
    units = {unit for kind in TABLE.values() for unit in kind.units}
    assert set(_WORDS.values()) - {"b", "T"} <= units
    assert all(any(f"{letter}{unit}" in units or f"{letter}{unit}/s" in units for letter in "mkMG")
               for unit in set(_PREFIXED.values()))
