# SPDX-License-Identifier: MIT
"""Glass weave beside the pairs of fast links.

What it checks: the glass of every dielectric between a trace and its reference planes. Spread or flattened glass on
both sides passes, and so does a route that is turned by 10 degrees or more or runs in a zig-zag. On open glass the skew
that the weave may cause, 3 sigma of 1.5 ps per root inch, is compared with a share of the unit interval.

Why it matters: one leg of a pair may run over a bundle of glass and the other over resin, all the way; no length
matching sees that skew. What it costs grows with the symbol rate.

How to fix it: order spread glass (1035, 1067, 1078, 1086, 2116S), or turn the routes or the panel by 10 degrees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.results.facts.signal import WeaveSkew
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="MAT005",
    name="glass-weave",
    title="Glass weave beside a pair",
    needs=WeaveSkew,
    limits={"skew": "ratio"},
    inputs=("stackup[].glass", "links.*.path[].trace.route_angle", "links.*.path[].trace.zigzag",
            "links.*.path[].trace.length", "links.*.standard"),
)


def check(fact: WeaveSkew, limits: Limits) -> Iterator[Verdict]:
    """Pass where the weave averages out, else compare the skew with the limit."""
    bound = limits["skew"]
    amount = f"{show(fact.seconds, 'ps')} of weave skew (3 sigma), {show(fact.skew.value, '%')} of the unit interval"
    averaged = bool(fact.averaged)
    cause = fact.averaged if averaged else f"open glass ({', '.join(fact.styles)}) beside {fact.layer}"
    yield Verdict(
        measured=fact.skew,
        bound=replace(bound, limit=None) if averaged else bound,
        ok=True if averaged else None,
        message=f"{cause}: {amount}",
        fix="order spread glass on both sides of the trace, or turn the route by 10 degrees or more",
    )
