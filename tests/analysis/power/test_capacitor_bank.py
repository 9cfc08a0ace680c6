# SPDX-License-Identifier: MIT
"""A capacitor on the board: bias, age, ESR, mounting; what is missing is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.power.capacitor_bank import BankNumbers, bank_numbers
from pcbrules.analysis.power.dc_bias import bias_left, bias_share
from pcbrules.library import load as library
from pcbrules.missing import Missing
from pcbrules.model.rail import CapacitorBank
from pcbrules.physics.power.mounting_inductance import mounted_loop_inductance

DEFAULTS = library.defaults()
CURVES = library.bias_curves()
MOUNTING = {"via_length": "1 mm", "via_pitch": "1 mm", "via_drill": "0.25 mm"}


def test_the_tolerance_of_the_nominal_capacitance_holds_for_the_effective_one() -> None:
    given = {"esr": "2.5 mohm", "mounted_inductance": "0.7 nH"}
    found = good(capacitance="47 uF +20 %/-10 %", effective="35 uF", **given)
    assert found.capacitance == Interval(lo=pytest.approx(31.5e-6), value=35e-6, hi=pytest.approx(42e-6))
    assert "the tolerance of its capacitance, 47 uF +20 %/-10 %, holds" in " ".join(found.assumptions)
    own = good(capacitance="47 uF +- 20 %", effective="35 uF +- 1 %", **given)
    assert own.capacitance.hi == pytest.approx(35.35e-6) and not own.assumptions


def numbers(part: str | None = None, voltage: float = 0.8, defaults: Any = DEFAULTS, **given: Any) -> Any:
    bank = CapacitorBank.model_validate({"count": 1, **({"part": part} if part else {}), **given})
    record = library.capacitor(part) if part else None
    return bank_numbers(bank, record, voltage=voltage, defaults=defaults, curves=CURVES, key="bank")


def good(*args: Any, **given: Any) -> BankNumbers:
    found = numbers(*args, **given)
    assert isinstance(found, BankNumbers), found
    return found


def parts(span: Interval) -> tuple[float, float, float]:
    return span.lo, span.value, span.hi


@pytest.mark.parametrize(("bias", "microfarad"), [(3.3, 7.5), (6, 5.5), (12, 2.7), (4.65, 6.5), (0, 10)])
def test_bias_of_a_10_uf_x7r_0805(bias: float, microfarad: float) -> None:
    share, whole = bias_left(library.capacitor("mlcc-10uf-0805-x7r"), bias) or (0.0, True)
    assert (share * 10, whole) == (pytest.approx(microfarad), False)
    # age takes another fifth, 0.7 to 0.9 left; other makers lie between the ends of the curve of 0603 and 0805
    found = good("mlcc-10uf-0805-x7r", bias).capacitance
    assert found.value == pytest.approx(microfarad * 0.8e-6)
    assert found.lo <= microfarad * 0.7e-6 * (1 + 1e-9) and found.hi >= microfarad * 0.9e-6 * (1 - 1e-9)


def test_bias_beyond_the_data_of_a_part_goes_by_the_curve_of_its_body() -> None:
    part = library.capacitor("mlcc-10uf-0805-x7r")
    assert bias_left(part, 13.2) == (0.27, False)
    assert bias_left(part, 13.3) is None
    share, _ = bias_share(part, 24.0, CURVES) or (Interval(lo=0, value=0, hi=0), "")
    # 24 V of 35 V: 0.686, so 0.55 - (0.55 - 0.38) 0.186 / 0.25; the least of a part at its rated voltage
    assert parts(share) == pytest.approx((0.15, 0.4238, 0.7014), rel=1e-3)
    assert bias_share(part, 35.1, CURVES) is None


@pytest.mark.parametrize(
    ("part", "bias", "least", "most"),
    [
        ("mlcc-4.7uf-0402", 1.8, 2.2 / 4.7, 3.7 / 4.7),  # GRM155R60J475ME47D and JMK105BBJ475MV
        ("mlcc-4.7uf-0402", 5.0, 0.2, 0.5),
        ("mlcc-10uf-0603", 12.0, 0.2, 0.5),
        ("mlcc-22uf-0805", 5.0, 0.4, 0.8),
    ],
)
def test_what_is_sold_lies_inside_the_interval(part: str, bias: float, least: float, most: float) -> None:
    """Small bodies and rails near the rated voltage lose half to four fifths, and nobody knows it by the size alone."""
    share, why = bias_share(library.capacitor(part), bias, CURVES) or (Interval(lo=1, value=1, hi=1), "")
    assert share.lo <= least + 1e-9 and most - 1e-9 <= share.hi
    assert least <= share.value <= most, share
    assert "rated" in why


def test_a_bias_leaves_less_of_a_smaller_body() -> None:
    for voltage in (0.8, 1.8, 3.3, 5.0):
        small, mid = (bias_share(library.capacitor(n), voltage, CURVES) for n in ("mlcc-4.7uf-0402", "mlcc-10uf-0603"))
        assert small and mid and small[0].value < mid[0].value and small[0].lo < mid[0].lo


def test_a_part_that_is_not_named_is_known_no_better_than_any_that_is() -> None:
    for name in library.ids("capacitors"):
        part = library.capacitor(name)
        for voltage in (0.75, 1.2, 3.3, 5.0):
            named, unknown = bias_share(part, voltage, CURVES), bias_share(None, voltage, CURVES)
            if part.bias and named and unknown:
                assert unknown[0].lo <= named[0].lo and unknown[0].hi >= named[0].hi, name
                assert unknown[0].value <= named[0].value + 1e-9, name


def test_data_that_hold_age_are_not_aged_again() -> None:
    found = good("polymer-470uf", 0.8)
    assert parts(found.capacitance) == pytest.approx([470e-6 * 0.8 * k for k in (0.875, 1, 1.125)])


def test_the_rated_voltage_narrows_what_a_bias_leaves() -> None:
    given = {"part": "mlcc-10uf-0603", "voltage": 12.0}
    wide, narrow = good(**given).capacitance, good(**given, rated_voltage="25 V").capacitance
    # 12 V of 25 V, 0.48 between 0.31 and 0.5: 0.4158, 0.5711, 0.8605
    assert parts(narrow) == pytest.approx((0.4158 * 7e-6, 0.5711 * 8e-6, 0.8605 * 9e-6), rel=1e-3)
    assert wide.lo < narrow.lo and wide.hi == pytest.approx(narrow.hi)
    assert "rated 25 V" in good(**given, rated_voltage="25 V").assumptions[0]
    (lack,) = numbers(**given, rated_voltage="10 V")
    assert lack.key == "bank.rated_voltage" and "10 V" in lack.reason


def test_what_a_bias_leaves_is_undeclared_without_the_effective_capacitance() -> None:
    given = {"esr": "2.5 mohm", "mounted_inductance": "0.7 nH"}
    assert good("mlcc-47uf-0805", **given).undeclared == ("bank.effective",)
    assert good(capacitance="47 uF", **given).undeclared == ("bank.effective",)
    assert good("polymer-470uf", **given).undeclared == good(effective="35 uF", **given).undeclared == ()


def test_a_polymer_ages_and_does_not_derate() -> None:
    assert parts(good("polymer-470uf", 12.0).capacitance) == pytest.approx((329e-6, 376e-6, 423e-6))


def test_without_a_part_the_spread_is_that_of_what_is_sold() -> None:
    found = good(voltage=3.3, capacitance="1 uF", esr="10 mohm", mounted_inductance="0.7 nH")
    # rated 3.3 V at least, usually 4.95 V: 0.45 - 0.15 (0.667 - 0.5) / 0.3
    assert parts(found.capacitance) == pytest.approx((0.1 * 0.7e-6, 0.3667 * 0.8e-6, 0.9e-6), rel=1e-3)
    assert "any kind" in found.assumptions[0] and "3.3 V" in found.assumptions[0]


def test_what_is_given_needs_no_assumption() -> None:
    found = good(effective="35 uF +- 10 %", esr="2.5 mohm", mounted_inductance="0.7 nH")
    assert found.assumptions == ()
    assert parts(found.capacitance) == pytest.approx((31.5e-6, 35e-6, 38.5e-6))
    assert parts(found.esr) == pytest.approx((1.5e-3, 2.5e-3, 3.5e-3))
    assert parts(found.inductance) == pytest.approx((0.7e-9, 0.7e-9, 0.77e-9))


def test_a_stated_tolerance_widens_but_never_narrows() -> None:
    wide = good(effective="35 uF", esr="2.5 mohm +- 60 %", mounted_inductance="0.7 nH +- 20 %")
    assert parts(wide.esr) == pytest.approx((1e-3, 2.5e-3, 4e-3))
    assert parts(wide.inductance) == pytest.approx((0.56e-9, 0.7e-9, 0.84e-9))
    narrow = good(effective="35 uF", esr="2.5 mohm +- 1 %", mounted_inductance="0.7 nH +- 1 %")
    assert parts(narrow.esr) == pytest.approx((1.5e-3, 2.5e-3, 3.5e-3))
    assert narrow.inductance.hi == pytest.approx(0.77e-9)


def test_mounting_adds_to_the_part() -> None:
    # 0.825 nH of a pair 1 mm long, 1 mm apart, 0.25 mm drill (two-wire formula)
    one = good(effective="35 uF", esr="2.5 mohm", esl="0.5 nH", mounting=MOUNTING).inductance
    assert one.value == pytest.approx(1.325e-9, rel=1e-3)
    assert one.lo == pytest.approx(0.5e-9 + 0.825e-9 / 1.5, rel=1e-3)
    assert one.hi == pytest.approx(1.1 * 1.325e-9, rel=1e-3)
    two = good(effective="35 uF", esr="2.5 mohm", esl="0.5 nH", mounting={**MOUNTING, "pairs": 2}).inductance
    assert two.value == pytest.approx(0.9125e-9, rel=1e-3)
    assert two.hi == pytest.approx(0.5e-9 + 0.825e-9 / 2**0.5, rel=1e-3)
    library_part = good("mlcc-47uf-0805", mounting=MOUNTING)
    assert library_part.inductance.value == pytest.approx(0.6e-9 + 0.825e-9, rel=1e-3)


@pytest.mark.parametrize(("size", "expected"), [("220 uF", 3e-9), ("10 uF", 1.15e-9), ("1 uF", 0.8e-9)])
def test_assumed_mounting_by_tier(size: str, expected: float) -> None:
    found = good(effective="1 uF", capacitance=size, esr="5 mohm")
    assert found.inductance.value == pytest.approx(expected)
    assert any("mounted inductance" in text for text in found.assumptions)
    assert good(effective="1 uF", capacitance=size, esr="5 mohm", esl="9 nH").inductance.value == pytest.approx(9e-9)


def test_an_assumed_mounting_never_has_less_inductance_than_the_part_alone() -> None:
    given = {"effective": "1 uF", "capacitance": "1 uF", "esr": "5 mohm"}
    assert parts(good(**given).inductance)[2] < 1.9e-9
    found = good(**given, esl="1.3 nH +0.7 nH/-0.6 nH").inductance
    assert parts(found) == pytest.approx((0.7e-9, 1.3e-9, 2e-9))


def test_library_esr_keeps_its_own_wider_range() -> None:
    # 20 mohm, 10 to 50 in the library: wider than x0.6 to x1.4
    assert parts(good("mlcc-100nf-0402").esr) == pytest.approx((10e-3, 20e-3, 50e-3))
    assert parts(good("mlcc-47uf-0805").esr) == pytest.approx((1.8e-3, 3e-3, 4.2e-3))


def test_assumed_esr_if_the_library_has_one() -> None:
    assumed = replace_assumption("esl-scale", typical=4e-3, low=2e-3, high=9e-3)
    given = {"effective": "20 uF", "capacitance": "22 uF", "mounted_inductance": "1 nH"}
    found = good(defaults={**DEFAULTS, "esr-mid": assumed}, **given)
    assert parts(found.esr) == pytest.approx((1.2e-3, 4e-3, 12.6e-3))
    without = {name: value for name, value in DEFAULTS.items() if not name.startswith("esr-") or name == "esr-scale"}
    assert [item.key for item in numbers(defaults=without, **given)] == ["bank.esr"]


def replace_assumption(name: str, *, typical: float, low: float, high: float) -> Any:
    return DEFAULTS[name].model_copy(update={"typical": typical, "min": low, "max": high})


@pytest.mark.parametrize(
    ("given", "keys"),
    [
        ({"esr": "1 mohm", "mounted_inductance": "1 nH"}, ["bank.effective"]),
        ({"effective": "1 uF", "esr": "1 mohm", "esl": "1 nH", "mounting": {**MOUNTING, "via_pitch": "0.2 mm"}},
         ["bank.mounting"]),
        ({"effective": "1 uF", "esr": "1 mohm", "esl": "1 nH", "mounting": {**MOUNTING, "via_length": "50 mm"}},
         ["bank.mounting"]),
        ({"part": "on-die"}, ["bank.part"]),
        ({"part": "mlcc-100nf-0402", "capacitance": "470 uF"}, ["bank.capacitance"]),
        ({"effective": "48 uF", "capacitance": "47 uF", "esr": "1 mohm", "mounted_inductance": "1 nH"},
         ["bank.effective"]),
        ({"capacitance": "47 uF", "voltage": 101.0, "esr": "1 mohm", "mounted_inductance": "1 nH"}, ["bank.effective"]),
    ],
)  # fmt: skip
def test_what_is_missing_or_contradicts_is_named(given: dict[str, Any], keys: list[str]) -> None:
    found = numbers(**given)
    assert all(isinstance(item, Missing) for item in found)
    assert [item.key for item in found] == keys


def test_intervals_stay_ordered() -> None:
    span = Interval(lo=1.0, value=2.0, hi=3.0)
    assert replace(span).widened(0.9, 1.1) == span
    assert (span + span).at(-1) == 2.0 and (span * span).at(1) == 9.0 and span.at(0) == 2.0


BODY = {"length": "1.6 mm", "width": "0.8 mm", "height": "0.8 mm"}


def test_part_and_vias_as_one_loop() -> None:
    fine = mounted_loop_inductance(
        height=1e-3, spacing=1e-3, diameter=0.25e-3, length=1.6e-3, width=0.8e-3, thickness=0.8e-3
    )
    bank = good(effective="1 uF", esr="5 mohm", mounting={**MOUNTING, "body": BODY})
    assert bank.inductance.value == pytest.approx(fine, rel=0.006)
    assert parts(bank.inductance) == pytest.approx((fine, fine, 1.1 * fine), rel=0.006)
    assert "one loop" in bank.assumptions[0]
    with_own = good(effective="1 uF", esr="5 mohm", esl="0.3 nH", mounting={**MOUNTING, "body": BODY})
    assert parts(with_own.inductance) == pytest.approx((fine, fine, fine + 0.3e-9), rel=0.006)
    pair = good(effective="1 uF", esr="5 mohm", esl="0.3 nH", mounting=MOUNTING)
    assert pair.inductance.lo < with_own.inductance.value < pair.inductance.value
    two = good(effective="1 uF", esr="5 mohm", mounting={**MOUNTING, "pairs": 2, "body": BODY})
    assert parts(two.inductance) == pytest.approx((fine / 2, fine / 2, fine / 2**0.5), rel=0.006)


def test_a_body_shorter_than_its_vias_are_apart_lies_on_pads() -> None:
    small = {"length": "1 mm", "width": "0.5 mm", "height": "0.5 mm"}
    bank = good(effective="1 uF", esr="5 mohm", mounting={**MOUNTING, "body": small})
    alone = mounted_loop_inductance(
        height=1e-3, spacing=1e-3, diameter=0.25e-3, length=1.25e-3, width=0.5e-3, thickness=50e-6
    )
    assert 0.7 * alone < bank.inductance.value < alone  # the body beside the pads carries current too


@pytest.mark.parametrize(("key", "value"), [("via_length", "4 mm"), ("via_drill", "0.7 mm"), ("via_pitch", "0.25 mm")])
def test_a_loop_beyond_the_range(key: str, value: str) -> None:
    found = numbers(effective="1 uF", esr="5 mohm", mounting={**MOUNTING, key: value, "body": BODY})
    assert found == (Missing(found[0].reason, "bank.mounting"),)
