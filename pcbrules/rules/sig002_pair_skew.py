# SPDX-License-Identifier: MIT
"""Skew between the two legs of a pair.

What it checks: the largest difference of delay between P and N at any point of the path, from lengths of the legs,
bends, vias, package and connector, and of legs on two layers by the dielectrics of either; and the same plus the 3
sigma skew of the glass weave. The first beyond the limit fails, the second alone makes it marginal. Both are also
compared with a share of the unit interval.

Why it matters: skew turns the differential signal into common mode; it costs 20 log cos(pi f skew) at Nyquist, which
CHN001 counts with the loss of the channel, and what is lost radiates.

How to fix it: match the legs before every via and discontinuity, balance the bends, use spread glass or a routing
angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.results.facts.signal import PairSkew
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="SIG002",
    name="pair-skew",
    title="Intra-pair skew",
    needs=PairSkew,
    limits={"skew": "time", "total": "time", "share": "ratio"},
    inputs=("links.*.path[].trace.length_p", "links.*.path[].trace.length_n", "links.*.path[].trace.bends",
            "stackup[].glass"),
)

LEGS = "match the legs before each via, balance the bends"
WEAVE = "use spread glass, turn the route by 10 degrees or more, or route in a zig-zag"


def check(fact: PairSkew, limits: Limits) -> Iterator[Verdict]:
    """Compare the deterministic skew, and where the profile names it the total, with their limits."""
    cost = (
        f"extinguishes the signal at {show(0.5 / fact.skew.value, 'GHz')}, not above Nyquist" if fact.loss_db is None
        else f"costs {fact.loss_db:.2f} dB at Nyquist"
    )
    text = (
        f"{show(fact.skew.value, 'ps')} between the legs, {show(fact.weave, 'ps')} more by the glass weave (3 sigma); "
        f"{cost}"
    )
    one = fact.shorter
    longer = f"lengthen leg {one.leg} of {one.trace} by {show(one.length, 'mil')}; " if one is not None else ""
    fix = f"{WEAVE}; {LEGS}" if fact.weave > fact.skew.value else f"{longer}{LEGS}; {WEAVE}"
    if "share" in limits:
        part = fact.skew.scaled(1 / fact.unit_interval)
        yield Verdict(
            measured=part,
            bound=limits["share"],
            part="share",
            message=f"{show(part.value, '%')} of the unit interval between the legs, {show(part.hi, '%')} with the "
            f"glass weave (3 sigma); {cost}, which CHN001 counts",
            fix=fix,
        )
    if "skew" in limits:
        measured = fact.skew
        if "total" in limits:
            measured = replace(fact.skew, hi=fact.skew.hi - fact.weave)
        yield Verdict(measured=measured, bound=limits["skew"], message=text, fix=fix)
    if "total" in limits:
        total = fact.skew.value + fact.weave
        yield Verdict(
            measured=replace(fact.skew, value=total, lo=fact.skew.lo + fact.weave, hi=fact.skew.hi),
            bound=limits["total"],
            part="total",
            message=f"{show(total, 'ps')} with the glass weave",
            fix=fix,
        )
