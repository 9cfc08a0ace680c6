# SPDX-License-Identifier: MIT
"""What moved since a baseline: which numbers are told, in which order, and as what."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import MIL, everything, finding, foil, stub

from pcbrules.reports import markdown
from pcbrules.reports._moved import LEAST, MOST, moves
from pcbrules.results.finding import Change, Finding, Status
from pcbrules.results.limit import Limit

TEN = Limit(None, 10 * MIL, "mil", "< 10 mil", high_strict=True)


def stub_now(was: float, now: float, subject: str = "links.a", before: Status = Status.PASS) -> Finding:
    """A stub that passes with a length in mil, which it was not in the baseline."""
    return finding(Status.PASS, subject=subject, measured=stub(now, now - 1, now + 1), limit=TEN,
                   change=Change(True, before, "known", number=was * MIL, limit=TEN))


def test_what_lost_most_of_its_limit_stands_first_and_what_gained_last() -> None:
    found = moves([stub_now(5, 4, "links.gain"), stub_now(5, 6, "links.little"), stub_now(5, 9, "links.much")])
    assert [one.finding.subject for one in found] == ["links.much", "links.little", "links.gain"]
    first = found[0]
    assert (first.was, first.now, first.limit) == ("5 mil", "9 mil", "< 10 mil")
    assert (first.left, first.left_now) == pytest.approx((0.5, 0.1))


def test_less_than_anybody_asks_about_is_not_told_unless_the_status_is_another() -> None:
    still = stub_now(5, 5 + 9.9 * LEAST)
    assert moves([still]) == [] and len(moves([stub_now(5, 5 + 10.1 * LEAST)])) == 1
    assert still.change is not None
    other = replace(still, change=replace(still.change, was=Status.MARGINAL))
    assert len(moves([other])) == 1


def test_a_margin_larger_than_the_limit_moves_nothing_that_matters() -> None:
    far = Limit(1 * MIL, None, "mil", ">= 1 mil")
    one = replace(stub_now(9, 5), limit=far, change=Change(True, Status.PASS, "known", number=9 * MIL, limit=far))
    assert MOST == 1 and moves([one]) == []
    near = replace(one, measured=stub(1.5, 1.4, 1.6))
    assert [(move.left, move.left_now) for move in moves([near])] == [pytest.approx((8.0, 0.5))]


def test_a_limit_that_moved_is_told_with_both() -> None:
    one = replace(stub_now(5, 5), limit=Limit(None, 8 * MIL, "mil", "< 8 mil"))
    assert [move.limit for move in moves([one])] == ["< 10 mil → < 8 mil"]


def test_without_a_baseline_or_a_number_in_it_nothing_moved() -> None:
    bare = finding(Status.PASS)
    assert moves([bare, replace(bare, change=Change(True, Status.PASS, "known")), foil()]) == []


def test_the_page_lists_ten_and_counts_the_others() -> None:
    many = [stub_now(5, 6 + 0.1 * n, f"links.l{n:02}") for n in range(12)]
    page = markdown.render([replace(everything(), findings=tuple(many))])
    table = page.split("## What moved since the baseline")[1].split("## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| SIG003")]
    assert len(rows) == markdown.MOVED and "`links.l11`" in rows[0] and "50.0 % → 29.0 %" in rows[0]
    assert "2 more moved: 2 lost less than these, 0 gained." in table
