# SPDX-License-Identifier: MIT
"""Glass weave beside the pairs of fast links.

What it checks: the skew that the glass of the dielectrics between a trace and its reference planes may cause, at 3
sigma, against a share of the unit interval: 0.35 ps per root inch on spread or flattened glass, 1.5 ps on open glass.
On a route that is turned by 10 degrees or more, or runs in a zig-zag, the legs change places over the bundles again and
again: what is left is the skew of the longest way between two such changes, whatever the length. A glass that is not
given may be either.

Why it matters: one leg of a pair may run over a bundle of glass and the other over resin, all the way; no length
matching sees that skew. What it costs grows with the symbol rate.

How to fix it: turn the routes or the panel by 10 degrees or more, or route in a zig-zag; spread glass (1035, 1067,
1078, 1086, 2116S) lowers the skew by a factor of four.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    """Compare the skew with the limit."""
    turn = (f"turn the route or the panel by 10 degrees or more, or route in a zig-zag: {show(fact.turned, '%')} of "
            "the unit interval are left")
    ways = [*(() if fact.is_turned else (turn,)),
            "shorten the trace" if fact.spread else "order spread glass on both sides of the trace"]
    yield Verdict(
        measured=fact.skew,
        bound=limits["skew"],
        message=f"{fact.cause} beside {fact.layer}: {show(fact.seconds, 'ps')} of weave skew (3 sigma), "
        f"{show(fact.skew.value, '%')} of the unit interval",
        fix="; or ".join(ways),
    )
