# SPDX-License-Identifier: MIT
"""A missing input at both of its ends: what it moves is widened, what it does not move stays."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.power import SupplyHeadroom
from pcbrules.results.facts.tdr import ImpedanceDeviation, ImpedanceProfile
from pcbrules.results.judge import judge
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.widened import _widen, widened, widened_all

number = st.floats(-10, 10)


def measured(value: float, half: float) -> Measured:
    return Measured(value=value, lo=value - half, hi=value + half, model="m")


def fact(value: float, half: float = 0.1, subject: str = "power.supplies") -> SupplyHeadroom:
    one = measured(value, half)
    return SupplyHeadroom(subject=subject, where=(), headroom=one, system=measured(1.0, 0.0), capacity=1.0, peak=1.0,
                          each=1.0)


@examples(50)
@given(number, number, st.floats(0, 2), st.floats(0, 2))
def test_the_interval_holds_both_ends_and_only_what_moves_is_widened(a: float, b: float, h: float, k: float) -> None:
    found = widened(fact(a, h), fact(b, k), key="stackup[1].foil", text="foil not given")
    one = found.headroom
    assert one.value == a and one.lo <= min(a - h, b - k) and one.hi >= max(a + h, b + k)
    assert found.system == measured(1.0, 0.0), "what the input does not move stays computed"
    if abs(a - b) > 1e-6:
        assert one.undeclared is not None and one.basis == "assumed" and one.assumptions == ("foil not given",)
        assert (one.undeclared.lo, one.undeclared.hi) == (min(a, b), max(a, b))


@examples(50)
@given(number, number, number)
def test_an_end_beyond_the_limit_is_never_a_pass(a: float, b: float, limit: float) -> None:
    found = widened(fact(a, 0.0), fact(b, 0.0), key="k", text="t").headroom
    status, reason = judge(found, Limit(None, limit, "dB", f"<= {limit}"))
    if max(a, b) > limit * (1 + 1e-9) + 1e-9 * abs(limit) and abs(a - b) > 1e-6:
        assert status in ("fail", "not-evaluated")
        assert status == "fail" or "`k` is not declared, and it may be" in reason


def test_two_missing_inputs_are_both_named() -> None:
    once = widened(fact(1.0), fact(2.0), key="a", text="a missing")
    twice = widened(once, fact(0.5), key="b", text="b missing").headroom
    assert twice.undeclared is not None
    assert (twice.undeclared.key, twice.undeclared.lo, twice.undeclared.hi) == ("a`, `b", 0.5, 2.0)


def test_numbers_within_a_record_of_a_fact_are_widened_too() -> None:
    def profile(value: float) -> ImpedanceProfile:
        line = ImpedanceDeviation(measured(value, 0.0), "run", 100.0, "the beginning", ())
        return ImpedanceProfile(subject="links.x", where=(), reference=100.0, rise_time=1e-11, line=line, breakout=None,
                                transition=None)

    line = widened(profile(0.02), profile(0.05), key="stackup[0].material", text="solder mask not given").line
    assert line is not None and line.measured.basis == "assumed" and line.measured.undeclared is not None
    assert (line.measured.undeclared.lo, line.measured.undeclared.hi, line.measured.hi) == (0.02, 0.05, 0.05)
    assert widened(profile(0.02), profile(0.02), key="k", text="t") == profile(0.02)


def said(subject: str) -> tuple[str, str]:
    return f"{subject}.key", "t"


def test_a_gap_at_either_end_stays_and_what_one_end_alone_has_is_kept() -> None:
    gap = Gap(fact=SupplyHeadroom, subject="x", where=(), reason="r")
    none = Gap(fact=SupplyHeadroom, subject="none", where=(), reason="r", applicable=False)
    alone, lost, both, new = (fact(1.0, subject=name) for name in ("alone", "lost", "both", "new"))
    base = [gap, alone, none, lost, both]
    found = fact(2.0, subject="none")
    others = [fact(1.0, subject="x"), found, replace(gap, subject="lost"), fact(3.0, subject="both"), new]
    done = widened_all(base, others, said, base=base)
    assert done == [gap, alone, found, replace(gap, subject="lost"), widened(both, others[3], key="both.key", text="t"),
                    new]


def test_what_another_input_widened_already_is_no_difference() -> None:
    base = [fact(1.0)]
    once = widened_all(base, [fact(2.0)], said, base=base)
    assert widened_all(once, [fact(1.0)], said, base=base) == once


def test_facts_of_one_subject_are_matched_in_their_order() -> None:
    base = [fact(1.0), fact(5.0)]
    assert widened_all(base, [fact(1.0), fact(5.0)], said, base=base) == base


def test_what_another_missing_input_makes_of_the_other_end_counts_too() -> None:
    there = fact(0.5)
    there = replace(there, headroom=replace(there.headroom, hi=3.0, undeclared=Undeclared(key="t", lo=0.5, hi=3.0)))
    found = widened(fact(1.0), there, key="b", text="b missing").headroom
    assert found.undeclared is not None and (found.undeclared.lo, found.undeclared.hi) == (0.5, 3.0)


def test_numbers_in_a_tuple_are_widened_and_a_curve_stays() -> None:
    curve = (1.0, 2.0)
    here = (measured(1.0, 0.0), "name", curve)
    found = _widen(here, here, (measured(3.0, 0.0), "name", (5.0, 6.0)), "k", "t")
    assert (found[0].lo, found[0].hi) == (1.0, 3.0) and found[1:] == ("name", curve)
