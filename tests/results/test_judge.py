# SPDX-License-Identifier: MIT
"""Judging: one function, every combination of value, interval and limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.results.finding import Status
from pcbrules.results.judge import FABRICATION, judge
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared, exact, spread

MIL = 25.4e-6
BELOW_10 = Limit(None, 10 * MIL, "mil", "< 10 mil", high_strict=True)
AT_MOST_10 = Limit(None, 10 * MIL, "mil", "<= 10 mil")
RANGE = Limit(20, 24, "", "20 .. 24")


def number(value: float, lo: float, hi: float, error: float = 0.0) -> Measured:
    return Measured(value=value, lo=lo, hi=hi, model="test", error=error)


@pytest.mark.parametrize(
    ("measured", "limit", "status"),
    [
        (number(9 * MIL, 8 * MIL, 9.9 * MIL), BELOW_10, Status.PASS),
        (number(9 * MIL, 8 * MIL, 10 * MIL), BELOW_10, Status.MARGINAL),
        (number(9 * MIL, 8 * MIL, 10 * MIL), AT_MOST_10, Status.PASS),
        (number(9 * MIL, 8 * MIL, 10.1 * MIL), AT_MOST_10, Status.MARGINAL),
        (number(10 * MIL, 8 * MIL, 12 * MIL), BELOW_10, Status.FAIL),
        (number(0.254e-3, 0.254e-3, 0.254e-3), AT_MOST_10, Status.PASS),
        (number(0.254e-3, 0.254e-3, 0.254e-3), BELOW_10, Status.FAIL),
        (number(0.254e-3 * (1 + 2e-9), 0.0, 1.0), AT_MOST_10, Status.FAIL),
        (number(20, 20, 20), RANGE, Status.PASS),
        (number(24, 24, 24), RANGE, Status.PASS),
        (number(19, 19, 19), RANGE, Status.FAIL),
        (number(25, 25, 25), RANGE, Status.FAIL),
        (number(22, 19, 23), RANGE, Status.MARGINAL),
    ],
)
def test_status(measured: Measured, limit: Limit, status: Status) -> None:
    assert judge(measured, limit)[0] is status


def test_model_error_beyond_half_of_the_limit_decides_nothing() -> None:
    limit = Limit(None, 0.05, "%", "<= 5 %")
    assert judge(number(0.0, 0.0, 0.026, error=0.026), limit)[0] is Status.NOT_EVALUATED
    assert judge(number(0.0, 0.0, 0.025, error=0.025), limit)[0] is Status.PASS
    assert judge(number(0.06, 0.03, 0.09, error=0.03), limit)[0] is Status.NOT_EVALUATED
    # wholly beyond the limit it fails, however wide: FR4 under a limit for ultra-low-loss laminate
    assert judge(number(0.2, 0.17, 0.23, error=0.03), limit)[0] is Status.FAIL
    assert judge(number(-0.2, -0.23, -0.17, error=0.03), Limit(-0.05, None, "", ""))[0] is Status.FAIL


def test_a_limit_of_zero_has_no_scale() -> None:
    none = Limit(None, 0.0, "mm", "<= 0 mm")
    assert judge(exact(0.0, model="declared", basis="declared"), none)[0] is Status.PASS
    assert judge(exact(1e-6, model="declared", basis="declared"), none)[0] is Status.FAIL


def test_an_interval_must_hold_its_value() -> None:
    with pytest.raises(ValueError, match="interval"):
        number(1.0, 1.1, 1.2)


values = st.floats(0.01, 100)


@given(values, st.floats(0, 10), st.floats(0, 10), values)
def test_widening_the_interval_never_improves_the_status(value: float, minus: float, plus: float, bound: float) -> None:
    order = [Status.PASS, Status.MARGINAL, Status.FAIL]
    limit = Limit(None, bound, "", "")
    narrow = judge(number(value, value, value), limit)[0]
    wide = judge(number(value, value - minus, value + plus), limit)[0]
    assert order.index(wide) >= order.index(narrow)


@given(values, values)
def test_upper_and_lower_limit_mirror_each_other(value: float, bound: float) -> None:
    up = judge(number(value, value, value), Limit(None, bound, "", ""))[0]
    down = judge(number(-value, -value, -value), Limit(-bound, None, "", ""))[0]
    assert up is down


@given(values, values)
def test_margin_is_positive_exactly_inside(value: float, bound: float) -> None:
    limit = Limit(None, bound, "", "")
    if abs(value - bound) > 1e-6 * bound:
        assert (limit.margin(value) > 0) == limit.met_by(value)


def test_spread_adds_root_of_squares() -> None:
    made = spread(10.0, error=3.0, minus=4.0, model="test")
    assert (made.lo, made.hi, made.error) == (5.0, 15.0, 3.0)
    scaled = made.scaled(2.0)
    assert (scaled.value, scaled.lo, scaled.hi, scaled.error) == (20.0, 10.0, 30.0, 6.0)


@pytest.mark.parametrize(
    ("lo", "hi", "limit", "status"),
    [
        (8 * MIL, 9 * MIL, BELOW_10, Status.PASS),
        (8 * MIL, 10 * MIL, BELOW_10, Status.NOT_EVALUATED),
        (8 * MIL, 10 * MIL, AT_MOST_10, Status.PASS),
        (10 * MIL, 12 * MIL, BELOW_10, Status.FAIL),
        (10 * MIL, 10 * MIL, BELOW_10, Status.FAIL),
        (21, 23, RANGE, Status.PASS),
        (19, 23, RANGE, Status.NOT_EVALUATED),
        (19, 25, RANGE, Status.NOT_EVALUATED),
        (25, 26, RANGE, Status.FAIL),
    ],
)
def test_a_missing_input_decides_nothing(lo: float, hi: float, limit: Limit, status: Status) -> None:
    for value in (lo, hi):
        found, reason = judge(Measured(value=value, lo=lo, hi=hi, model="test",
                                       undeclared=Undeclared(key="rails.core.x", lo=lo, hi=hi)), limit)
        assert found is status
        assert ("`rails.core.x` is not declared" in reason) is (status is Status.NOT_EVALUATED)


def test_a_scaled_number_scales_what_its_missing_input_may_be() -> None:
    half = Measured(value=2, lo=1, hi=3, model="test", undeclared=Undeclared(key="x", lo=1, hi=3)).scaled(0.5)
    assert half.undeclared == Undeclared(key="x", lo=0.5, hi=1.5)


@pytest.mark.parametrize(("value", "status"), [
    (10 * MIL, Status.PASS), (11.9 * MIL, Status.MARGINAL), (12.1 * MIL, Status.FAIL),
])
def test_a_doubted_number_misses_its_limit_by_more_than_its_model_error(value: float, status: Status) -> None:
    seen = number(value, value, value, error=2 * MIL)
    assert judge(seen, AT_MOST_10, doubted=FABRICATION)[0] is status
    assert judge(seen, AT_MOST_10)[0] is (Status.PASS if value == 10 * MIL else Status.FAIL)
    assumed = Measured(value=value, lo=value, hi=value, model="test", error=2 * MIL, basis="assumed")
    assert judge(assumed, AT_MOST_10, doubted=FABRICATION)[0] is judge(seen, AT_MOST_10)[0]


def test_a_doubted_number_that_misses_its_limit_says_by_how_much_and_the_model_error() -> None:
    limit = Limit(None, 0.15, "%", "<= 15 %")
    status, reason = judge(number(0.214, 0.1499, 0.278, error=0.0507), limit, doubted=FABRICATION)
    assert status is Status.FAIL
    assert reason == ("the limit is missed by more than the model error of ±5.07 points (k = 2); "
                      "the interval also holds fabrication tolerances")
    assert judge(number(0.214, 0.1499, 0.278, error=0.0507), limit)[1] == ""
    least = Limit(12.0, None, "dB", ">= 12 dB")
    status, reason = judge(number(11.0, 8.0, 14.0, error=1.0004), least, doubted=FABRICATION)
    assert status is Status.MARGINAL
    assert reason.startswith("the limit is missed by no more than the model error of ±1.0004 dB (k = 2)")


def test_a_bound_in_another_unit_may_be_rounded() -> None:
    limit = Limit(75e-6, None, "um", ">= 75 um", rounding=2e-3)
    assert limit.met_by(74.93e-6) and limit.margin(74.93e-6) == 0.0 and not limit.apart(74.0e-6, 74.93e-6)
    assert not limit.met_by(74.8e-6) and limit.margin(74.8e-6) < 0 and limit.apart(74.0e-6, 74.8e-6)
    assert not Limit(75e-6, None, "um", ">= 75 um").met_by(74.93e-6)
