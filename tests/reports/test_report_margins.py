# SPDX-License-Identifier: MIT
"""Margins over their limits: one order for findings of all units."""

from __future__ import annotations

from math import inf

import pytest
from report_samples import MIL, everything, finding, foil, stub, temperature

from pcbrules.reports._margins import BELOW, rank
from pcbrules.reports.html._cards import cards, weight
from pcbrules.results.finding import Status
from pcbrules.results.limit import Limit
from pcbrules.results.margin_share import share
from pcbrules.results.measured import Measured, exact

UP_TO_TEN = Limit(None, 10 * MIL, "mil", "<= 10 mil")


def test_the_share_is_the_margin_over_the_limit_with_its_interval() -> None:
    found = share(finding(Status.FAIL, measured=stub(12, 9, 14), limit=UP_TO_TEN))
    assert found is not None
    assert (found.value, found.lo, found.hi) == pytest.approx((-0.2, -0.4, 0.1))
    inside = share(temperature())
    assert inside is not None and inside.value == pytest.approx(2 / 170)


@pytest.mark.parametrize(("low", "high", "value", "expected"), [
    (10.0, 60.0, 40.0, 20 / 60), (50.0, 150.0, 110.0, 40 / 150), (90.0, 110.0, 91.0, 1 / 90), (10.0, 60.0, 30.0, 0.5),
    (10.0, 60.0, 5.0, -0.5), (10.0, 60.0, 66.0, -0.1), (0.0, 5.0, 1.0, 0.2),
])
def test_of_two_bounds_each_distance_counts_over_its_own_bound(
    low: float, high: float, value: float, expected: float
) -> None:
    limit = Limit(low, high, "W", f"{low:g} .. {high:g} W")
    measured = Measured(value=value, lo=value, hi=value, model="solver")
    found = share(finding(Status.PASS, measured=measured, limit=limit))
    assert found is not None and found.value == pytest.approx(expected)


def test_what_is_on_its_limit_has_no_margin_and_comes_before_all_that_has_some() -> None:
    two = Limit(2.0, None, "", ">= 2")
    made = [finding(Status.PASS, measured=exact(value, model="count", basis="computed"), limit=two)
            for value in (2.0, 2.0 + 1e-12, 3.0)]
    assert [rank(one) for one in made] == [0.0, 0.0, 0.5]


def test_a_margin_to_zero_decibel_is_the_amplitude_that_is_left() -> None:
    mask = Limit(0.0, None, "dB", ">= 0 dB to the mask")
    inside = share(finding(Status.PASS, measured=Measured(value=6.0206, lo=5.0, hi=7.0, model="cascade"), limit=mask))
    beyond = share(finding(Status.FAIL, measured=Measured(value=-6.0206, lo=-7.0, hi=-5.0, model="cascade"),
                           limit=mask))
    assert inside is not None and inside.value == pytest.approx(0.5, rel=1e-5) and inside.lo < 0.5 < inside.hi
    assert beyond is not None and beyond.value == pytest.approx(-1.0, rel=1e-5)


@pytest.mark.parametrize(
    "one",
    [
        foil(),
        finding(Status.NOT_EVALUATED),
        finding(Status.NOT_APPLICABLE, measured=None),
        finding(measured=exact(1e-3, model="gap", basis="declared"), limit=Limit(None, 0.0, "mm", "<= 0 mm")),
    ],
    ids=["word", "not evaluated", "not applicable", "limit of zero"],
)
def test_what_has_no_share(one: object) -> None:
    assert share(one) is None  # type: ignore[arg-type]


def test_a_count_that_misses_or_exceeds_its_limit_has_one() -> None:
    limit = Limit(2.0, None, "", ">= 2")
    for value, status, expected in ((1.0, Status.FAIL, -0.5), (3.0, Status.PASS, 0.5)):
        found = share(finding(status, measured=exact(value, model="count", basis="computed"), limit=limit))
        assert found is not None and found.value == pytest.approx(expected)


def test_a_fail_without_a_share_comes_before_every_margin_that_is_left() -> None:
    assert rank(foil()) == BELOW and BELOW < 0
    assert rank(finding(Status.PASS, measured=None)) is None
    assert rank(finding(Status.WAIVED, measured=None, waived_from=Status.FAIL)) == BELOW


def test_cards_are_in_the_order_of_a_report_then_of_their_smallest_margins() -> None:
    made = cards(everything())
    order = [(*weight(card.head), card.rank) for card in made]
    assert order == sorted(order)
    names = {card.subject: card for card in made}
    assert names["links.nvl0"].status is Status.FAIL and names["links.nvl0"].worst.rule == "SIG003"
    assert names["links.eth0"].rank == pytest.approx(-0.6 / 14)
    assert names["materials"].kind == "board" and names["rails.vdd_core"].kind == "rail"
    assert names["rails.vdd_core"].rank == inf and names["rails.vdd_core"].status is Status.NOT_EVALUATED
    assert sum(card.total for card in made) == len(everything().findings)
