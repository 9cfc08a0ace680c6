# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.errors import escape
from pcbrules.unit_table import OF_UNIT, TABLE, plain
from pcbrules.units import (
    DIMENSIONS,
    NUMBER,
    Quantity,
    UnitError,
    convert,
    dimension_of,
    parse,
    parse_value,
    show,
    show_ohm,
    show_volt,
    to_si,
)

REPEATABLE = examples(150)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("4.5 mil", "length", 1.143e-4),
        ("4.5mil", "length", 1.143e-4),
        ("10 thou", "length", 2.54e-4),
        ("1 in", "length", 0.0254),
        ("1.5 inch", "length", 0.0381),
        ('0.5"', "length", 0.0127),
        ("35 um", "length", 35e-6),
        ("35 \u00b5m", "length", 35e-6),
        ("35 \u03bcm", "length", 35e-6),
        ("35\u00a0um", "length", 35e-6),
        ("35\u202fum", "length", 35e-6),
        ("250 nm", "length", 250e-9),
        ("12 cm", "length", 0.12),
        ("0.3 m", "length", 0.3),
        ("-2 mm", "length", -2e-3),
        ("+2 mm", "length", 2e-3),
        ("1e-3 m", "length", 1e-3),
        ("1E+2 um", "length", 1e-4),
        ("16 GHz", "frequency", 16e9),
        ("1 THz", "frequency", 1e12),
        ("25 Hz", "frequency", 25.0),
        ("5 ps", "time", 5e-12),
        ("10 fs", "time", 1e-14),
        ("2 us", "time", 2e-6),
        ("0.15 mohm", "resistance", 1.5e-4),
        ("0.15 m\u03a9", "resistance", 1.5e-4),
        ("0.15 m\u2126", "resistance", 1.5e-4),
        ("100 Ohm", "resistance", 100.0),
        ("100 ohms", "resistance", 100.0),
        ("54 \u00b5\u03a9", "resistance", 54e-6),
        ("10 kohm", "resistance", 1e4),
        ("2 Mohm", "resistance", 2e6),
        ("5 pH", "inductance", 5e-12),
        ("0.4 nH", "inductance", 4e-10),
        ("22 uF", "capacitance", 22e-6),
        ("0.5 pF", "capacitance", 5e-13),
        ("100 nF", "capacitance", 1e-7),
        ("12 mV", "voltage", 0.012),
        ("54 V", "voltage", 54.0),
        ("1.2 kA", "current", 1200.0),
        ("5 mW", "power", 5e-3),
        ("5 MW", "power", 5e6),
        ("40 kW", "power", 4e4),
        ("85 degC", "temperature", 85.0),
        ("85 \u00b0C", "temperature", 85.0),
        ("85 \u2103", "temperature", 85.0),
        ("-40 C", "temperature", -40.0),
        ("300 K", "temperature", 26.85),
        ("10 K", "temperature_rise", 10.0),
        ("10 degC", "temperature_rise", 10.0),
        ("5 %", "ratio", 0.05),
        ("5%", "ratio", 0.05),
        ("50 ppm", "ratio", 5e-5),
        ("0.05", "ratio", 0.05),
        ("3.4", "number", 3.4),
        ("14 dB", "loss", 14.0),
        ("0.9 dB/in", "loss_per_length", 0.9 / 0.0254),
        ("1 dB/m", "loss_per_length", 1.0),
        ("170 ps/in", "delay_per_length", 170e-12 / 0.0254),
        ("275 A/us", "slew", 275e6),
        ("275 A/\u00b5s", "slew", 275e6),
        ("1 kA/us", "slew", 1e9),
        ("1 A/ns", "slew", 1e9),
        ("1 A / us", "slew", 1e6),
        ("0.12 K/W", "thermal_resistance", 0.12),
        ("0.12 degC/W", "thermal_resistance", 0.12),
        ("0.12 \u00b0C/W", "thermal_resistance", 0.12),
        ("0.35 W/(m K)", "conductivity_thermal", 0.35),
        ("0.35 W/(m\u00b7K)", "conductivity_thermal", 0.35),
        ("0.35 W/mK", "conductivity_thermal", 0.35),
        ("0.35 W/m/K", "conductivity_thermal", 0.35),
        ("15 W/(m2 K)", "heat_transfer", 15),
        ("15 W/m2K", "heat_transfer", 15),
        ("58 MS/m", "conductivity", 58e6),
        ("45 ppm/K", "expansion", 45e-6),
        ("1 oz", "copper_weight", 35e-6),
        ("0.5 oz", "copper_weight", 17.5e-6),
        ("18 um", "copper_weight", 18e-6),
        ("25 mm2", "area", 25e-6),
        ("25 mm^2", "area", 25e-6),
        ("25 mm\u00b2", "area", 25e-6),
        ("180 deg", "angle", math.pi),
        ("10 \u00b0", "angle", math.pi / 18),
        ("106.25 Gb/s", "data_rate", 106.25e9),
        ("106.25 Gbps", "data_rate", 106.25e9),
        ("32 GT/s", "data_rate", 32e9),
        ("53.125 GBd", "symbol_rate", 53.125e9),
        ("53.125 GBaud", "symbol_rate", 53.125e9),
        ("200 kPa", "pressure", 2e5),
    ],
)
def test_what_people_write(text: str, dimension: str, value: float) -> None:
    assert parse(text, dimension).value == pytest.approx(value, rel=1e-12)
    assert parse(text, dimension).text == text.replace("\u00a0", " ").replace("\u202f", " ")


def test_the_same_length_in_two_units_is_the_same_float() -> None:
    assert parse("10 mil", "length") == parse("0.254 mm", "length") == parse("254 um", "length")
    assert parse("0.1 in", "length") == parse("100 mil", "length")
    assert parse("1 oz", "copper_weight") == parse("35 um", "copper_weight")


def test_mil_is_never_a_millionth_of_something() -> None:
    for dimension in DIMENSIONS:
        if dimension in {"length", "copper_weight"}:
            assert parse("1 mil", dimension).value == 25.4e-6
        else:
            with pytest.raises(UnitError):
                parse("1 mil", dimension)


@pytest.mark.parametrize(
    ("text", "minus", "plus"),
    [
        ("4.5 mil +- 10 %", 0.45, 0.45),
        ("4.5 mil +-10%", 0.45, 0.45),
        ("4.5 mil \u00b1 10 %", 0.45, 0.45),
        ("4.5mil\u00b10.5mil", 0.5, 0.5),
        ("4.5 mil +/- 5 %", 0.225, 0.225),
        ("4.5 mil +/- 0.0127 mm", 0.5, 0.5),
        ("4.5 mil +0.5 mil/-0.2 mil", 0.2, 0.5),
        ("4.5 mil +0.5/-0.2 mil", 0.2, 0.5),
        ("4.5 mil + 0.5 mil / - 0.2 mil", 0.2, 0.5),
        ("4.5 mil -0.2 mil/+0.5 mil", 0.2, 0.5),
        ("4.5 mil +10/-5 %", 0.225, 0.45),
        ("4.5 mil +10 %/-0.2 mil", 0.2, 0.45),
        ("4.5 mil +0/-0.2 mil", 0.2, 0.0),
        ("-4.5 mil +- 10 %", 0.45, 0.45),
    ],
)
def test_tolerances_are_absolute(text: str, minus: float, plus: float) -> None:
    found = parse(text, "length")
    assert abs(found.value) == pytest.approx(4.5 * 25.4e-6)
    assert found.minus == pytest.approx(minus * 25.4e-6, abs=1e-20)
    assert found.plus == pytest.approx(plus * 25.4e-6, abs=1e-20)


def test_tolerances_of_other_kinds() -> None:
    assert parse("4.5 mil", "length").minus is None
    assert parse("3.4 +- 2 %", "ratio") == Quantity(3.4, 0.068, 0.068)
    assert parse("3.4 +0.1/-0.05", "number") == Quantity(3.4, 0.05, 0.1)
    assert parse("100 MHz +- 300 ppm", "frequency") == Quantity(1e8, 3e4, 3e4)
    assert parse("25 degC +- 5 K", "temperature") == Quantity(25.0, 5.0, 5.0)
    assert parse("300 K +- 5 K", "temperature") == Quantity(26.85, 5.0, 5.0)
    assert parse("0.12 K/W +0.1/-0.05 K/W", "thermal_resistance") == Quantity(0.12, 0.05, 0.1)


@pytest.mark.parametrize(
    ("text", "dimension", "message", "fix"),
    [
        ("4.5", "length", "a length needs a unit", "write the unit: '4.5 mil' or '4.5 um'"),
        ("0", "length", "a length needs a unit", "write the unit: '0 mil' or '0 um'"),
        ("4.5 GHz", "length", "'GHz' is a unit of a frequency, not of a length", ""),
        ("5 %", "number", "'%' is a unit of a ratio, not of a number", ""),
        ("4.5 mli", "length", "unknown unit 'mli'", "did you mean 'mil'?"),
        ("4.5 MIL", "length", "unknown unit 'MIL'", "did you mean 'mil'?"),
        ("16 ghz", "frequency", "unknown unit 'ghz'", "did you mean 'GHz'?"),
        ("50 ohmm", "resistance", "unknown unit 'ohmm'", "did you mean 'mohm' or 'ohm'?"),
        ("50 moh", "resistance", "unknown unit 'moh'", "did you mean 'ohm' or 'mohm'?"),
        ("50 omhm", "resistance", "unknown unit 'omhm'", "did you mean 'mohm'?"),
        ("16 ghz", "length", "'ghz' is a unit of a frequency, not of a length", ""),
        ("1 QQQQ", "length", "unknown unit 'QQQQ'", "write one of nm, um,"),
        (
            "64 GB/s",
            "data_rate",
            "a rate in bytes",
            "multiply by 8 and write the rate in bits, such as 'Gb/s'",
        ),
        ("4,5 mil", "length", "no number can be read", "write '4.5 mil'"),
        (".5 mil", "length", "no number can be read", "write '0.5 mil'"),
        ("5. mil", "length", "no number can be read", "write '5.0 mil'"),
        ("1_000 mil", "length", "no number can be read", "write '1000 mil'"),
        ("\u221240 degC", "temperature", "no number can be read", "write '-40 degC'"),
        ("4.5 mil +- 0.5", "length", "the tolerance has no unit", "write '4.5 mil +- 0.5 mil'"),
        ("5 % +- 1 %", "ratio", "a percentage of a percentage", "write '0.05 +- 0.01' if"),
        (
            "25 degC +- 5 %",
            "temperature",
            "a temperature has no relative tolerance",
            "write the tolerance in kel",
        ),
        ("4.5 +- 0.5 mil", "length", "a length needs a unit", "write the unit: '4.5 mil' or '4.5 um'"),
        ("4.5 mil + 0.5 mil", "length", "the tolerance cannot be read", "write '4.5 mil +- 10 %' or"),
    ],
)
def test_a_wrong_quantity_is_told_the_cure(text: str, dimension: str, message: str, fix: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse(text, dimension)
    assert caught.value.message.startswith(message)
    assert caught.value.fix.startswith(fix) if fix else not caught.value.fix
    assert caught.value.found == f"'{text}'"
    assert str(caught.value).startswith(caught.value.message)


NO_LENGTH = """
nan|inf|-inf|Infinity|.inf|0x1F mil|1e mil|e3 mil|1 e3 mil|--1 mil|+-1 mil|4.5.5 mil|4..5 mil|1,000 mil|1'000 mil
1e5.5 mil|1__0 mil|_1 mil|1 000 mil|\u0664.\u0665 mil|\uff14 mil|4\u0665 mil|\u2162 mil|mil|% mil|4.5 mil mil
4.5 mil +-|4.5 mil +- mil|4.5 mil +- -1 mil|4.5 mil +- nan %|4.5 mil \u00b1\u00b1 1 %|4.5 mil 10 %|4.5 mil - 1 mil
4.5 mil +1/+2 mil|4.5 mil -1/-2 mil|4.5 mil +1 mil/-1|4.5 mil +1/-1|4.5 mil +- 1 GHz|4.5 mil +- 10 % %|4.5 m i l
4.5 mil +- 10 % +- 5 %|4.5 mil +- 1_0 %|4.5 mil +- .5 mil|4.5 mil +.5/-.2 mil|4.5\x00mil|4.5 mil;|4.5 mil\x00
"""


@pytest.mark.parametrize("text", NO_LENGTH.strip().replace("\n", "|").split("|"))
def test_no_other_grammar(text: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse(text, "length")
    assert str(caught.value).isprintable()


def test_no_empty_text() -> None:
    for text in ("", " ", "\t"):
        with pytest.raises(UnitError, match="no number can be read; found an empty text"):
            parse(text, "length")


@pytest.mark.parametrize(
    "text",
    [
        "1e31 m",
        "1e999 m",
        "-1e999 m",
        "1e-31 m",
        "1e-999 m",
        "1" * 41 + " m",
        "0." + "0" * 39 + " m",
        "1e99999999999999999999999999999999 m",
        "1e-9999999999999999999999999999999 m",
        "1e-29 mil",
        "1e-25 nm",
        "1 m +- 1e31 %",
        "1 m +- 1e-31 m",
    ],
)
def test_numbers_out_of_range(text: str) -> None:
    with pytest.raises(UnitError, match="number out of range"):
        parse(text, "length")


def test_zero_is_in_range_however_it_is_written() -> None:
    for text in ("0 m", "-0 m", "0.000 m", "0e999 m", "0e-999 m", "0e999999999999999999999999999999999 m"):
        value = parse(text, "length").value
        assert value == 0 and math.copysign(1, value) == 1


def test_a_long_text_is_refused_unread() -> None:
    with pytest.raises(UnitError, match="a text of 5000000 characters is not a quantity") as caught:
        parse("4" * 5_000_000, "length")
    assert len(str(caught.value)) < 500


def test_values_of_a_yaml_tree() -> None:
    assert parse_value("4.5 mil", "length").value == pytest.approx(1.143e-4)
    assert parse_value(0.05, "ratio") == Quantity(0.05)
    assert parse_value(3, "number") == Quantity(3.0)
    assert parse_value(3, "number").text == "3"
    assert type(parse_value(3, "number").value) is float


@pytest.mark.parametrize(
    ("value", "found"),
    [(True, "true"), (False, "false"), (None, "nothing"), ([], "a list"), ({}, "a mapping"), (1j, "1j")],
)
def test_what_is_no_number_is_named(value: object, found: str) -> None:
    for dimension in ("ratio", "length"):
        with pytest.raises(UnitError) as caught:
            parse_value(value, dimension)
        assert caught.value.found == found


def test_a_bare_number_where_a_unit_is_due_shows_the_fix() -> None:
    with pytest.raises(UnitError) as caught:
        parse_value(4.5, "length")
    assert caught.value.fix == "write the unit: '4.5 mil' or '4.5 um'"
    assert caught.value.expected == "a length such as '4.5 mil' or '0.114 mm'"
    assert caught.value.found == "4.5"


def test_bare_numbers_out_of_range() -> None:
    for value in (math.nan, math.inf, -math.inf, 1e31, 1e-31, 10**31, 10**5000, -(10**5000)):
        for dimension in ("ratio", "length"):
            with pytest.raises(UnitError, match="number out of range"):
                parse_value(value, dimension)


@pytest.mark.parametrize(
    ("value", "unit", "digits", "shown"),
    [
        (2.997e-4, "mil", 3, "11.8 mil"),
        (2.54e-4, "mil", 3, "10 mil"),
        (26.5625e9, "GHz", 3, "26.6 GHz"),
        (26.5625e9, "GHz", 6, "26.5625 GHz"),
        (0.05, "%", 3, "5 %"),
        (1.5e-4, "mohm", 3, "0.15 mohm"),
        (9.999e-3, "mm", 3, "10 mm"),
        (123456.0, "Hz", 3, "123000 Hz"),
        (0.0, "dB", 3, "0 dB"),
        (-0.0, "dB", 3, "0 dB"),
        (-3.456, "dB", 2, "-3.5 dB"),
        (85.0, "degC", 3, "85 degC"),
        (10.0, "K", 3, "10 K"),
        (3.4567, "", 3, "3.46"),
        (1e-6, "m", 3, "0.000001 m"),
        (1.5e-12, "m", 3, "1.5e-12 m"),
        (2e12, "Hz", 3, "2e12 Hz"),
        (math.inf, "dB", 3, "inf dB"),
        (math.nan, "dB", 3, "nan dB"),
        (100.0, "\u03a9", 3, "100 \u03a9"),
    ],
)
def test_show(value: float, unit: str, digits: int, shown: str) -> None:
    assert show(value, unit, digits) == shown


@pytest.mark.parametrize(("value", "volts", "ohms"), [
    (0.0, "0 mV", "0 mohm"), (0.99949, "999 mV", "999 mohm"), (0.9995, "1 V", "1 ohm"),
    (-17.30461, "-17.3 V", "-17.3 ohm"), (2000.226, "2000 V", "2000 ohm")])
def test_a_rail_has_volts_and_ohms_from_one_on(value: float, volts: str, ohms: str) -> None:
    assert (show_volt(value), show_ohm(value)) == (volts, ohms)


def test_units_know_their_dimension() -> None:
    expected = {
        "um": "length",
        "oz": "copper_weight",
        "K": "temperature_rise",
        "degC": "temperature",
        "": "number",
    }
    expected |= {"\u03a9": "resistance", "GT/s": "data_rate", "W/(m K)": "conductivity_thermal", "%": "ratio"}
    assert {unit: dimension_of(unit) for unit in expected} == expected
    with pytest.raises(UnitError, match="did you mean 'GHz'"):
        dimension_of("Ghz")


def test_kelvin_is_a_difference_unless_said_otherwise() -> None:
    assert to_si(10, "K") == 10
    assert to_si(300, "K", "temperature") == 26.85
    assert convert(26.85, "K", "temperature") == 300
    with pytest.raises(UnitError):
        convert(1.0, "GHz", "length")


def test_every_unit_of_the_table_is_spelled_plainly_and_read_back() -> None:
    for name, kind in TABLE.items():
        for unit, factor in kind.units.items():
            assert plain(unit) == unit and unit.isascii()
            assert not re.search(r"[+\-\u00b1]", unit)
            if (name, unit) != ("temperature", "K"):
                assert parse(f"2 {unit}", name).value == pytest.approx(2 * float(factor))


def test_every_example_in_a_message_can_be_read() -> None:
    for name, kind in TABLE.items():
        for example in re.findall("'([^']+)'", kind.examples):
            parse(example, name)
        for unit in kind.shown:
            parse(f"1 {unit}", name)


def test_no_unit_means_two_sizes() -> None:
    for unit, name in OF_UNIT.items():
        for kind in TABLE.values():
            assert kind.units.get(unit, TABLE[name].units[unit]) == TABLE[name].units[unit], unit


def test_errors_survive_a_worker_process() -> None:
    with pytest.raises(UnitError) as caught:
        parse("4.5", "length")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.fix) == (str(caught.value), caught.value.fix)


UNITS = st.sampled_from([(unit, name) for name, kind in TABLE.items() for unit in kind.units])
MAGNITUDES = st.floats(1e-9, 1e9)


@REPEATABLE
@given(value=MAGNITUDES, unit=UNITS)
def test_show_and_parse_are_inverse(value: float, unit: tuple[str, str]) -> None:
    symbol, name = unit
    if (name, symbol) == ("temperature", "K"):
        return
    si = to_si(value, symbol, name)
    shown = f"{show(value, '', 17)} {symbol}"
    assert parse(shown, name).value == pytest.approx(si, rel=1e-15)
    assert convert(si, symbol, name) == pytest.approx(value, rel=1e-15)


@REPEATABLE
@given(value=MAGNITUDES, digits=st.integers(1, 12))
def test_show_rounds_to_its_digits(value: float, digits: int) -> None:
    assert float(show(value, "", digits)) == pytest.approx(value, rel=0.501 * 10 ** (1 - digits))
    assert len(show(value, "", digits).partition("e")[0].replace(".", "").strip("0")) <= digits


@REPEATABLE
@given(
    value=MAGNITUDES,
    minus=st.floats(0, 99).map(lambda x: round(x, 6)),
    plus=st.floats(0, 99).map(lambda x: round(x, 6)),
    unit=st.sampled_from(["mil", "um", "mm"]),
    relative=st.booleans(),
    blank=st.sampled_from(["", " ", "\u00a0"]),
    order=st.booleans(),
)
def test_every_tolerance_form_means_the_same(
    value: float, minus: float, plus: float, unit: str, relative: bool, blank: str, order: bool
) -> None:
    nominal = f"{show(value, '', 17)}{blank}{unit}"
    tail = "%" if relative else unit
    low, high = (show(amount, "", 12) for amount in (minus, plus))
    sides = [f"+{blank}{high}", f"-{blank}{low}"] if order else [f"-{blank}{low}", f"+{blank}{high}"]
    scale = value / 100 if relative else 1.0
    for text in (f"{sides[0]}{blank}/{sides[1]}{blank}{tail}", f"{sides[0]} {tail}/{blank}{sides[1]} {tail}"):
        found = parse(f"{nominal} {text}", "length")
        assert found.value == pytest.approx(to_si(value, unit))
        assert found.minus == pytest.approx(to_si(minus * scale, unit), rel=1e-9, abs=1e-18)
        assert found.plus == pytest.approx(to_si(plus * scale, unit), rel=1e-9, abs=1e-18)
    signs = ("+-", "+/-", "\u00b1")
    (both,) = {parse(f"{nominal}{blank}{sign}{blank}{low}{blank}{tail}", "length") for sign in signs}
    assert both.minus == both.plus == pytest.approx(to_si(minus * scale, unit), rel=1e-9, abs=1e-18)


@REPEATABLE
@given(text=st.text(max_size=60), dimension=st.sampled_from(DIMENSIONS))
def test_any_text_is_read_or_refused_with_a_reason(text: str, dimension: str) -> None:
    try:
        found = parse(text, dimension)
    except UnitError as error:
        assert error.message and error.expected and escape(str(error)) == str(error)
    else:
        assert math.isfinite(found.value)


NEARLY = r"[+\-]?[0-9._eE]{1,20} ?(mil|%|GHz|K|um)?( ?(\+-|\u00b1|\+|-) ?[0-9.]{1,5} ?(%|mil)?)?"


@REPEATABLE
@given(text=st.from_regex(NEARLY, fullmatch=True))
def test_what_looks_like_a_quantity_is_read_or_refused(text: str) -> None:
    for dimension in ("length", "ratio", "temperature"):
        try:
            found = parse(text, dimension)
        except UnitError:
            continue
        assert NUMBER.match(text.strip())
        assert found.minus is None or found.minus >= 0


@pytest.mark.parametrize(("text", "dimension", "fix"), [
    ("160 W", "current", "divide the power by the voltage of the rail"), ("2 A", "power", "multiply the current"),
    ("1.5 oz", "length", "write '52.5 um'"), ("0.5 V", "current", "write a current, such as '2 A'"),
])
def test_a_unit_of_another_kind_says_how_to_come_to_the_right_one(text: str, dimension: str, fix: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse(text, dimension)
    assert fix in caught.value.fix
