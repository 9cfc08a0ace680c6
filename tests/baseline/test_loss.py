# SPDX-License-Identifier: MIT
"""What one finding has lost: the margin, at its end too, by the limit of then and of now; bounds by unit."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pcbrules.baseline.loss import MarginLoss, losses
from pcbrules.baseline.reader import BaselineFinding
from pcbrules.baseline.regression import read_bounds
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Basis, Measured
from pcbrules.results.place import Location

LOSS = Limit(None, 14.0, "dB", "<= 14 dB")


def now(value: float, limit: Limit | None = LOSS, *, off: tuple[float, float] = (0.0, 0.0),
        status: Status = Status.PASS, basis: Basis = "computed") -> Finding:
    """A finding of today with a value and its interval."""
    measured = Measured(value=value, lo=value - off[0], hi=value + off[1], model="a model", basis=basis)
    return Finding("CHN001", "Loss", "links.up", status, Severity.ERROR, "text", Location("b.yaml", 1, 1), measured,
                   limit)


def then(value: float, limit: Limit | None = LOSS, *, off: tuple[float, float] = (0.0, 0.0),
         status: Status = Status.PASS, basis: str = "computed") -> BaselineFinding:
    """The same of the baseline."""
    unit = limit.unit if limit else ""
    return BaselineFinding("CHN001", "links.up", status, Severity.ERROR, basis, unit, limit, value, value - off[0],
               value + off[1])


def lost(finding: Finding, old: BaselineFinding, *bounds: str) -> list[MarginLoss]:
    """What was lost."""
    return losses(finding, old, read_bounds(bounds))


def held(finding: Finding, old: BaselineFinding, *bounds: str) -> bool:
    """True if something counts as lost."""
    return any(not loss.free for loss in lost(finding, old, *bounds))


@given(st.floats(0.1, 13), st.floats(0.1, 13), st.floats(0.001, 5))
def test_a_loss_counts_exactly_where_it_is_more_than_the_bound(before: float, after: float, bound: float) -> None:
    text = f"{bound:.6f}dB"
    assume(abs(after - before - float(text[:-2])) > 1e-4)
    assert held(now(after), then(before), text) == (after - before > float(text[:-2]))


@given(st.floats(-100, 100), st.floats(0, 50), st.floats(0, 50))
def test_nothing_is_lost_where_nothing_has_changed(value: float, low: float, high: float) -> None:
    for limit in (LOSS, Limit(-60.0, None, "dB", ">= -60 dB"), Limit(-60.0, 60.0, "dB", "-60 dB .. 60 dB")):
        assert not lost(now(value, limit, off=(low, high)), then(value, limit, off=(low, high)))


@given(st.floats(1, 10), st.floats(1, 10), st.floats(1, 20), st.floats(1, 20))
def test_no_limit_that_moves_hides_a_number_that_got_worse(before: float, after: float, old: float, new: float) -> None:
    assume(after > before + 0.01)
    moved = Limit(None, new, "dB", "now"), Limit(None, old, "dB", "then")
    assert held(now(after, moved[0]), then(before, moved[1]), "0 dB")


def test_an_interval_that_grows_takes_margin_away() -> None:
    wider = now(10, off=(1, 3))
    (loss,) = lost(wider, then(10, off=(1, 1)), "0 dB")
    assert loss.measured is not None and loss.measured.value == pytest.approx(2)
    assert loss.text == "11 dB -> 13 dB (worst case), limit <= 14 dB; margin 3 dB -> 1 dB"
    assert not lost(wider, then(10, off=(1, 1)), "2dB") and lost(wider, then(10, off=(1, 1)), "1.9dB")
    assert not lost(now(10, off=(3, 1)), then(10, off=(1, 1))), "the favourable end does not matter"


def test_the_nearer_of_two_limits_decides() -> None:
    band = Limit(85.0, 115.0, "ohm", "85 ohm .. 115 ohm")
    assert held(now(90, band), then(100, band)) and held(now(110, band), then(100, band))
    assert not lost(now(103, band), then(97, band))


def test_the_same_bound_in_another_unit() -> None:
    old, new = then(254e-6, Limit(None, 1e-3, "mm", "")), now(279.4e-6, Limit(None, 1e-3, "mil", ""))
    assert not lost(new, old, "1 mil") and held(new, old, "0.99 mil")
    copper = Limit(30e-6, None, "oz", ">= 1 oz")
    less = now(66e-6, copper), then(70e-6, copper)
    assert not lost(*less, "5 um") and held(*less, "3 um")


def test_temperatures_are_lost_in_kelvin_and_have_no_share() -> None:
    hot = Limit(170.0, None, "degC", ">= 170 degC")
    (loss,) = lost(now(180, hot), then(190, hot))
    assert loss.limit is not None and loss.limit.unit == "K" and "margin 20 K -> 10 K" in loss.text
    for bound in ("10 K", "10 degC"):
        assert not lost(now(180, hot), then(190, hot), bound)
    assert held(now(180, hot), then(190, hot), "9 K")
    (loss,) = lost(now(180, hot), then(190, hot), "5 %")
    assert loss.free, "5 % of 170 degC means nothing: told, not counted"
    rise = Limit(None, 20.0, "K", "<= 20 K")
    assert not lost(now(11, rise), then(10, rise), "5 %")


def test_per_cent_is_a_share_of_the_limit_and_a_bare_number_is_absolute() -> None:
    part = Limit(None, 0.15, "%", "<= 15 %")
    old, new = then(0.10, part), now(0.115, part)
    assert not lost(new, old, "10 %") and held(new, old, "9.9 %")
    assert not lost(new, old, "0.015") and held(new, old, "0.0149")
    ratio = Limit(1.5, None, "", ">= 1.5")
    assert not lost(now(1.8, ratio), then(1.95, ratio), "10 %") and held(now(1.8, ratio), then(1.95, ratio), "9 %")
    (loss,) = lost(now(1.8, ratio), then(1.95, ratio), "9 %")
    assert loss.limit is not None and loss.limit.text == "<= 0.135 (9 % of the limit)"


def test_a_step_down_in_a_list_of_words_has_no_bound() -> None:
    foil = Limit(2.0, None, "", ">= lp")
    old = replace(then(4.0, foil), unit="rank")
    assert held(now(3.0, foil), old, "5", "50 %") and not lost(now(4.0, foil), old)


def test_a_number_that_was_infinite() -> None:
    notch = Limit(1.5, None, "", ">= 1.5")
    free = replace(then(2.0, notch), value=inf, lo=inf, hi=inf)
    (loss,) = lost(now(9.0, notch), free, "5 %")
    assert not loss.free and loss.measured is None and "inf -> 7.5" in loss.text
    assert not lost(now(inf, notch), free)
    assert not lost(now(inf, notch), then(2.0, notch))


@pytest.mark.parametrize(("was", "basis", "counts"), [
    ("computed", "declared", True), ("computed", "table", True), ("table", "declared", True),
    ("declared", "computed", False), ("declared", "declared", False), ("none", "declared", False),
])
def test_a_number_on_weaker_ground_is_a_loss(was: str, basis: Basis, counts: bool) -> None:
    assert held(now(5, basis=basis), then(9, basis=was), "50 %") == counts


def test_a_status_without_a_number() -> None:
    marginal = replace(now(1, None, status=Status.MARGINAL), measured=None)
    old = replace(then(1, None), basis="none")
    assert held(marginal, old) and not lost(marginal, replace(old, status=Status.FAIL))
    assert not lost(replace(marginal, status=Status.PASS), old)


def test_a_number_that_is_gone_or_of_another_kind() -> None:
    assert "there is none now" in lost(replace(now(1), measured=None), then(1))[0].text
    assert "in 'dB' in the baseline and is in 'ohm' now" in lost(now(1, Limit(None, 9.0, "ohm", "")), then(1))[0].text


@pytest.mark.parametrize("status", [Status.NOT_EVALUATED, Status.NOT_APPLICABLE, Status.CRASHED])
def test_what_was_not_judged_can_lose_nothing(status: Status) -> None:
    assert not lost(now(9), then(1, status=status))


def test_without_a_bound_the_model_error_is_one_and_a_far_limit_is_none() -> None:
    """10 dB is the limit: 8 dB leave 20 %, and a loss up to the model error is none."""
    near, far, limit = 8.5, 7.9, Limit(None, 10.0, "dB", "<= 10 dB")
    exact, wide = now(near, limit), now(near, limit)
    wide = replace(wide, measured=replace(wide.measured, error=1.0, lo=near - 1.0, hi=near + 1.0))
    assert held(exact, then(7.6, limit)) and not lost(now(far, limit), then(7.0, limit))
    assert not lost(wide, replace(then(7.6, limit), lo=6.6, hi=8.6))
    assert held(wide, replace(then(7.4, limit), lo=6.4, hi=8.4))
    spread = replace(exact, measured=replace(exact.measured, lo=near - 1.0, hi=near + 1.0))
    assert not lost(spread, replace(then(7.6, limit), lo=6.6, hi=8.6)), "half of the interval where no error is apart"


@pytest.mark.parametrize(("before", "after", "bound", "told", "loss"), [
    ((10.0, 0.5), (13.0, 0.6), "0.2dB", "10 dB -> 13 dB, limit <= 14 dB; margin 4 dB -> 1 dB", 3.0),
    ((10.0, 0.5), (13.0, 1.5), "0.2dB", "10.5 dB -> 14.5 dB (worst case), limit <= 14 dB; margin 3.5 dB -> -0.5 dB",
     4.0),
    ((10.0, 0.5), (13.0, 0.6), "3.05dB", "10.5 dB -> 13.6 dB (worst case), limit <= 14 dB; margin 3.5 dB -> 0.4 dB",
     3.1),
], ids=["nearly as much", "much more at the end", "enough at the end alone"])
def test_the_numbers_of_the_report_tell_a_loss_where_they_are_enough(
    before: tuple[float, float], after: tuple[float, float], bound: str, told: str, loss: float
) -> None:
    """A report shows nominal values; those at the ends of the intervals come in where they alone have lost it."""
    (found,) = lost(now(after[0], off=(0.0, after[1])), then(before[0], off=(0.0, before[1])), bound)
    assert found.text == told and found.measured is not None and found.measured.value == pytest.approx(loss)
