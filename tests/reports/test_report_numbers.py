# SPDX-License-Identifier: MIT
"""Measured value, limit and margin: units, signs, rounding, words, infinities."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import MIL, finding, foil, stub, temperature

from pcbrules.reports._numbers import Numbers, numbers, texts
from pcbrules.results.finding import Finding
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured


def compared(value: float, limit: Limit, lo: float | None = None, hi: float | None = None) -> Finding:
    return finding(
        measured=Measured(value=value, lo=value if lo is None else lo, hi=value if hi is None else hi,
                          model="m"), limit=limit
    )


def test_numbers_are_in_the_unit_of_the_limit() -> None:
    assert numbers(finding()) == Numbers(
        measured=11.83, lo=9.04, hi=14.61, limit=10.0, low=None, high=10.0, margin=-1.83, unit="mil"
    )


def test_texts_of_a_stub() -> None:
    shown = texts(finding())
    assert (shown.measured, shown.limit, shown.margin) == ("11.8 mil (9.0 … 14.6)", "< 10 mil", "−1.8 mil")
    assert shown.sentence("computed") == (
        "measured 11.8 mil (9.0 … 14.6), limit < 10 mil, margin −1.8 mil [computed]"
    )


def test_temperature_margin_is_a_difference() -> None:
    assert numbers(temperature()).margin == 2.0
    assert texts(temperature()).margin == "2 K"


def test_temperature_rise_stays_in_kelvin() -> None:
    shown = texts(compared(12.0, Limit(None, 10.0, "K", "<= 10 K")))
    assert (shown.measured, shown.margin) == ("12 K", "−2 K")


def test_word_limit_shows_the_word_and_no_rank() -> None:
    shown = texts(foil())
    assert (shown.measured, shown.limit, shown.margin) == ("", ">= vlp", "")
    assert numbers(foil()).unit == "rank"


@pytest.mark.parametrize("text", [">= vlp2", "rtf .. vlp", "< hvlp3"])
def test_words_may_hold_digits(text: str) -> None:
    assert texts(compared(1.0, Limit(0.0, 2.0, "", text))).measured == ""


def test_plain_number_and_percentage() -> None:
    assert texts(compared(0.0038, Limit(None, 0.003, "", "<= 0.003"))).measured == "0.0038"
    assert texts(compared(0.105, Limit(None, 0.1, "%", "<= 10 %"))).measured == "10.5 %"
    assert numbers(compared(0.105, Limit(None, 0.1, "%", "<= 10 %"))).margin == -0.5


def test_count_has_no_decimals() -> None:
    shown = texts(compared(26.0, Limit(20.0, 24.0, "", "20 .. 24")))
    assert (shown.measured, shown.margin) == ("26", "−2")


def test_a_number_without_a_unit_says_what_it_counts() -> None:
    notch = replace(Limit(1.5, None, "", ">= 1.5"), counts="x Nyquist")
    shown = texts(compared(3.2, notch, 2.5, 4.02))
    assert (shown.measured, shown.limit, shown.margin) == ("3.20 × Nyquist (2.50 … 4.02)", ">= 1.5 x Nyquist", "1.70")
    pairs = texts(compared(2.0, Limit(1.0, None, "", ">= 1", counts="plane pairs")))
    assert (pairs.measured, pairs.limit, pairs.margin) == ("2 plane pairs", ">= 1 plane pair", "1 plane pair")


def test_limit_is_the_nearer_bound_of_two() -> None:
    limit = Limit(20.0, 24.0, "", "20 .. 24")
    for value, bound in ((19, 20), (21, 20), (23, 24), (30, 24)):
        shown = numbers(compared(value, limit))
        assert shown.limit == bound and shown.margin is not None
        assert abs(shown.margin) == abs(value - bound)
    assert numbers(finding(measured=None, limit=limit)).limit is None
    assert numbers(finding(measured=None, limit=Limit(5.0, 5.0, "", "5"))).limit == 5.0


def test_number_without_limit_is_si_without_unit() -> None:
    bare = finding(limit=None)
    assert numbers(bare).unit == "" and numbers(bare).measured == pytest.approx(11.83 * MIL)
    assert texts(bare).sentence("computed") == ""


def test_a_limit_that_does_not_apply_keeps_its_unit() -> None:
    free = Limit(None, 10 * MIL, "mil", "< 10 mil", high_strict=True).lifted("drilled away")
    assert free.met_by(1.0)
    seen = finding(limit=free)
    assert (numbers(seen).unit, numbers(seen).limit, numbers(seen).margin) == ("mil", None, None)
    assert numbers(seen).measured == pytest.approx(11.83)
    assert texts(seen).limit == "< 10 mil or drilled away"
    assert texts(seen).measured.startswith("11.8 mil") and texts(seen).margin == ""


def test_nothing_measured() -> None:
    empty = finding(measured=None)
    assert numbers(empty).measured is None and numbers(empty).limit == 10.0
    assert texts(empty).sentence("none") == "limit < 10 mil"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(10.004, "10.004"), (1234.0, "1230"), (9.999999, "9.999999"), (100.4, "100"), (0.0, "0"), (-3.0, "−3")],
)
def test_enough_digits_to_stay_on_the_side_of_the_limit(value: float, shown: str) -> None:
    limit = Limit(None, 10 * MIL, "mil", "< 10 mil", high_strict=True)
    assert texts(compared(value * MIL, limit)).measured == f"{shown} mil"


def test_margin_near_the_limit_takes_more_digits() -> None:
    shown = texts(compared(1234.0, Limit(None, 1200.0, "W", "<= 1200 W")))
    assert (shown.measured, shown.margin) == ("1234 W", "−34 W")


def test_interval_end_beyond_the_limit_is_seen() -> None:
    limit = Limit(None, 10 * MIL, "mil", "<= 10 mil")
    assert (
        texts(finding(measured=stub(9.5, 9.0, 10.004), limit=limit)).measured == "9.500 mil (9.000 … 10.004)"
    )


def test_a_lost_margin_is_told_as_a_difference() -> None:
    lost = Measured(value=0.146, lo=0.146, hi=0.146, model="difference of two reports", basis="computed")
    one = finding(rule="PCB005", measured=lost, limit=Limit(None, 0.0075, "%", "<= 0.75 % (5 % of the limit)"))
    assert texts(one).measured == "14.6 points lost" and texts(one).limit == "<= 0.75 points (5 % of the limit)"
    level = Limit(None, 0.2, "dB", "<= 0.2 dB")
    decibels = finding(rule="PCB005", measured=replace(lost, value=2.5, lo=2.5, hi=2.5), limit=level)
    assert texts(decibels).measured == "2.5 dB lost"


def test_infinite_value() -> None:
    endless = compared(math.inf, Limit(1.5, None, "", ">= 1.5"))
    assert numbers(endless).measured is None and numbers(endless).margin is None
    assert texts(endless).measured == "∞" and texts(endless).margin == "∞"
    half = compared(3.0, Limit(1.5, None, "", ">= 1.5"), hi=math.inf)
    assert texts(half).measured == "3.00 (3.00 … ∞)"


@given(
    value=st.floats(-1e9, 1e9),
    below=st.floats(0, 1e6),
    above=st.floats(0, 1e6),
    bound=st.floats(-1e9, 1e9),
    strict=st.booleans(),
)
def test_texts_never_contradict_the_numbers(
    value: float, below: float, above: float, bound: float, strict: bool
) -> None:
    limit = Limit(None, bound, "dB", f"{bound} dB", high_strict=strict)
    measured = Measured(value=value, lo=value - below, hi=value + above, model="m")
    item = finding(measured=measured, limit=limit)
    shown = texts(item).measured.split(" dB")[0].replace("−", "-")
    assert len(texts(item).measured) < 100
    exact = numbers(item)
    assert exact.measured is not None and exact.lo is not None and exact.hi is not None
    assert exact.lo <= exact.measured <= exact.hi
    if abs(value - bound) > 1e-6 * max(abs(value), abs(bound)) and 1e-4 < abs(value) < 1e8:
        assert limit.met_by(float(shown)) == limit.met_by(value)
