# SPDX-License-Identifier: MIT
"""The regulator is rated for its load, sustained and at the peak, and thermally validated.

What it checks: continuous rating against the sustained current, peak rating and over-current limit against the peak,
each phase's rating against its share of the sustained current; for an accelerator's core the guide's least continuous
current; and that a document stands behind "thermally validated". Ratings and currents are declarations of the board
file: the rule compares them, nothing is computed. A sustained current that is not declared lies between the profile's
duty of the peak and the peak: the rule judges where both ends give the same answer.

Why it matters: a regulator sized to the peak alone overheats under sustained load; one sized to the sustained current
alone trips its over-current limit in a burst.

How to fix it: add phases, choose power stages of a higher rating at the stated ambient and airflow, or raise the
over-current limit within what inductors and stages bear; name the test report in `evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from pcbrules.results.facts.power import VrmRating
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Bound, Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN004",
    name="regulator-rating",
    title="Regulator rating",
    needs=VrmRating,
    limits={
        "continuous": "ratio",
        "peak": "ratio",
        "over_current": "ratio",
        "phase": "ratio",
        "guide_current": "current",
        "evidence": "number",
    },
    counts=dict.fromkeys(("continuous", "peak", "over_current", "phase"), "x the load"),
    inputs=("rails.*.current", "rails.*.vrm", "evidence"),
)
WORDS = {
    "continuous": ("continuous rating", "sustained current"),
    "peak": ("peak rating", "peak current"),
    "over_current": ("over-current limit", "peak current"),
    "phase": ("rating of a phase", "sustained current of each phase"),
}


def check(fact: VrmRating, limits: Limits) -> Iterator[Verdict]:
    """Compare one rating with what it must carry; the continuous one also with the guide's figure."""
    if fact.kind == "evidence" and "evidence" in limits:
        there = fact.ratio.value >= 1
        yield Verdict(
            measured=fact.ratio,
            bound=limits["evidence"],
            message="a document stands behind the thermal rating" if there else "no document shows thermal validation",
            fix="name a test report in `evidence` and refer to it by `vrm.thermal_evidence`",
        )
    if fact.rated is None:
        return
    rating, current = WORDS[fact.kind]
    if fact.kind in limits:
        yield Verdict(
            measured=fact.ratio,
            bound=limits[fact.kind],
            message=f"{rating} {show(fact.rated.value, 'A')}{_needed(fact, current)}",
            fix=_fix(fact, limits[fact.kind]),
            note=fact.note,
        )
    if fact.kind == "continuous" and "guide_current" in limits:
        yield Verdict(
            measured=fact.rated,
            bound=limits["guide_current"],
            part="guide",
            message=f"{rating} {show(fact.rated.value, 'A')} (declared)",
            fix=_higher(rating, limits["guide_current"].limit, 1.0),
        )


def _fix(fact: VrmRating, bound: Bound) -> str:
    """The rating that meets the limit at the most that the load draws, or the phases of the rating that there is."""
    rating, _ = WORDS[fact.kind]
    text = _higher(rating, bound.limit, fact.needed)
    least, rated = bound.limit.low if bound.limit else None, fact.rated.value if fact.rated else 0.0
    if fact.kind != "phase" or least is None or not rated:
        return text
    phases = ceil(least * fact.needed * fact.count / rated * (1 - 1e-9))
    return f"use {phases} phases for {fact.count} as they are, or {text}"


def _higher(rating: str, limit: Limit | None, needed: float) -> str:
    """A rating in numbers."""
    if limit is None or limit.low is None:
        return f"raise the {rating}: more phases, or stages and inductors that carry it"
    how = ("set the regulator's limit so, within what inductors and stages bear" if rating.startswith("over-current")
           else "more phases, or stages and inductors that carry it at the stated ambient and airflow")
    return f"bring the {rating} to {show(limit.low * needed, 'A', 4)} or more: {how}"


def _needed(fact: VrmRating, current: str) -> str:
    """What the rating must carry, in words."""
    if fact.least is None:
        return f", {current} {show(fact.needed, 'A')} (both declared)"
    span = " to ".join(dict.fromkeys((show(fact.least, "A"), show(fact.needed, "A"))))
    return f" (declared), {current} {span} (assumed from the peak)"
