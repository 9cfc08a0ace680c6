# SPDX-License-Identifier: MIT
"""Decoupling tiers are present and near the package.

What it checks: for each rail, by nominal capacitance, that a bank of each tier stands near the ball field: bulk 100 to
470 uF, mid 10 to 47 uF, high-frequency 100 nF. Parts up to 1 uF mounted with at most 0.6 nH serve as high-frequency
tier. A bank that changes the largest |Z| of the board's band by less than 0.5 dB is named.

Why it matters: each tier bridges the decades between the one before it and the package. Whether the tiers suffice is
computed by PDN001; here they must at least be there.

How to fix it: add the missing tier, or move a bank of it nearer to the balls.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.edits import Proposal
from pcbrules.results.facts.power import DecouplingTier
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN003",
    name="decoupling-tiers",
    title="Decoupling tiers present and near",
    needs=DecouplingTier,
    limits={"bulk": "length", "mid": "length", "high_frequency": "length"},
    inputs=("rails.*.ladder[].bank.capacitance", "rails.*.ladder[].bank.distance"),
)
TITLES = {"bulk": "bulk (100-470 uF)", "mid": "mid (10-47 uF)", "high_frequency": "high-frequency (100 nF)"}


def check(fact: DecouplingTier, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the distance of the tier's nearest bank with the limit; a tier that is not there fails."""
    if fact.tier not in limits:
        return
    bound, limit, title = limits[fact.tier], limits[fact.tier].limit, TITLES[fact.tier]
    near = fact.distance is not None and limit is not None and limit.met_by(fact.distance.value)
    if not fact.members and fact.unsized:
        keys = "`, `".join(fact.unsized)
        yield Skip(f"whether a {title} bank is there depends on `{keys}`", bound=bound)
    elif not fact.members:
        there = ", ".join(fact.others) or "no capacitors at all"
        yield Verdict(
            measured=None,
            bound=bound,
            ok=False,
            message=f"no {title} bank; the rail has {there}",
            fix="add the tier, or waive it where PDN001 shows that the rail does not need it",
        )
    elif fact.distance is None or (not near and fact.unplaced):
        yield Skip(f"where the {title} banks stand is not declared: `{'`, `'.join(fact.unplaced)}`", bound=bound)
    else:
        path = fact.distance.reads[0]
        proposal = Proposal(path, show(limit.high, "mm", 6)) if limit and limit.high else None
        yield Verdict(
            measured=fact.distance,
            bound=bound,
            message=f"the nearest {title} bank is {show(fact.distance.value, 'mm')} from the balls "
            f"({', '.join(fact.members)})",
            fix="move a bank of the tier nearer to the balls",
            note=fact.note,
            proposal=proposal,
        )
