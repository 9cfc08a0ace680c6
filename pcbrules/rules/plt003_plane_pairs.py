# SPDX-License-Identifier: MIT
"""Each rail has a pair of planes.

What it checks: how many planes of a rail have a ground plane as the copper layer above or below. Core and memory rails
must name their planes; others are judged where they do.

Why it matters: the loop of supply and ground has its least inductance between neighbouring planes. A supply plane
between other supplies or signal layers couples into them and has its return far away.

How to fix it: place a ground plane beside a plane of the rail.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.platform import PlanePairs
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="PLT003",
    name="plane-pairs",
    title="Pairs of supply and ground planes",
    needs=PlanePairs,
    limits={"pairs": "number"},
    counts={"pairs": "plane pairs"},
    inputs=("rails.*.planes", "rails.*.role", "stackup[].role"),
)


def check(fact: PlanePairs, limits: Limits) -> Iterator[Verdict]:
    """Compare the number of pairs with the limit."""
    paired = ", ".join(fact.paired) if fact.paired else "none"
    yield Verdict(
        measured=fact.pairs,
        bound=limits["pairs"],
        message=f"of its planes ({', '.join(fact.planes)}) these have a ground plane beside them: {paired}",
        fix="place a ground plane beside a plane of the rail",
    )
