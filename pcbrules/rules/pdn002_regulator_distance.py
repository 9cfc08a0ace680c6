# SPDX-License-Identifier: MIT
"""Distance of the regulator from the package.

What it checks: the in-plane path from the edge of the supply balls to the nearest edge of each phase inductor, as mean
weighted by the phases' currents; the furthest phase is printed. Vertical power has no in-plane path and counts as zero.

Why it matters: the planes between carry the whole current. Each square of two 2 oz planes costs about 0.25 mohm, and
its inductance is what the capacitors near the package have to bridge.

How to fix it: move the phases nearer, spread them over more sides of the package, or put the regulator beneath it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.edits import Proposal
from pcbrules.results.facts.power import VrmDistance
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN002",
    name="regulator-distance",
    title="Regulator to package distance",
    needs=VrmDistance,
    limits={"mean": "length"},
    inputs=("rails.*.vrm.phase_positions", "rails.*.vrm.distance", "rails.*.vrm.vertical"),
)


def check(fact: VrmDistance, limits: Limits) -> Iterator[Verdict]:
    """Compare the current-weighted mean with the limit."""
    bound = limits["mean"]
    message = "the regulator sits beneath the package"
    if not fact.vertical:
        message = f"the phases are {show(fact.mean.value, 'mm')} from the balls in the mean, "
        message += f"the furthest {show(fact.furthest, 'mm')}"
    path = fact.mean.reads[0]
    proposal = None
    if path[-1] == "distance" and bound.limit and bound.limit.high:
        proposal = Proposal(path, show(bound.limit.high, "mm", 6))
    yield Verdict(
        measured=fact.mean,
        bound=bound,
        message=message,
        fix="move the phases nearer, spread them over more sides of the package, or supply it vertically",
        proposal=proposal,
    )
