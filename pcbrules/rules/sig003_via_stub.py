# SPDX-License-Identifier: MIT
"""Residual stub of a plated hole, at the worst depth of its backdrill.

What it checks: at both ends of every via of a link, the barrel that remains beyond the layer in use. It is measured
from the far face of that layer to the tip of the barrel, from real layer heights, plus the depth tolerance of the
drill; if the drill is referred to the outer surface, the thickness tolerance of the drilled stack comes on top.

Why it matters: a stub is an open line. It reflects at every frequency and shorts the signal where it is a quarter wave
long; loaded by pads and planes, that is far below the frequency that the bare length suggests.

How to fix it: backdrill (closer), leave on a deeper layer, order a tighter depth tolerance, or use a blind via.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.signal import ResidualStub
from pcbrules.results.finding import Proposal
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

MIL = 25.4e-6

META = Meta(
    id="SIG003",
    name="residual-via-stub",
    title="Residual via stub after backdrill",
    needs=ResidualStub,
    limits={"stub": "length"},
    judges="worst-case",
    inputs=("stackup[].thickness", "via_types.*.span", "via_types.*.backdrill", "links.*.path[].via"),
)


def check(fact: ResidualStub, limits: Limits) -> Iterator[Verdict]:
    """Compare the worst-case stub with the limit."""
    bound = limits["stub"]
    tolerance = fact.stub.value - fact.nominal
    message = f"{show(fact.stub.value, 'mil')} of barrel remain at the {fact.side} end"
    if tolerance > 0:
        message += f" ({show(fact.nominal, 'mil')} + {show(tolerance, 'mil')} depth tolerance)"
    proposal = None
    drill = fact.stub.reads[0] if fact.stub.reads else ()
    if drill and drill[-1] == "residual" and bound.limit and bound.limit.high is not None:
        needed = bound.limit.high - tolerance
        if needed > 0:
            tenths = int(needed / MIL * 10 - 1e-6) / 10
            proposal = Proposal(drill, f"{tenths:g} mil +- {tolerance / MIL:.6g} mil")
    yield Verdict(
        measured=fact.stub,
        bound=bound,
        message=message,
        fix="backdrill closer, order a tighter depth tolerance, leave on a deeper layer, or use a blind via",
        proposal=proposal,
    )
