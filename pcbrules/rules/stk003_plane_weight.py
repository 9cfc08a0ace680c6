# SPDX-License-Identifier: MIT
"""Base copper weight of the planes of core rails.

What it checks: the weight of the foil from which each plane of a core rail is etched. Not the finished thickness: a
2 oz foil may finish at 55.7 um by IPC-6012. The sheet resistance of all planes of the rail together is printed.

Why it matters: a core rail carries hundreds of amperes; the copper sets voltage drop and heat.

How to fix it: order heavier foil, or give the rail more planes. Heavy foil needs resin to fill it: see STK008.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.edits import Proposal
from pcbrules.results.facts.stackup import PlaneWeight
from pcbrules.results.rule import Bound, Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="STK003",
    name="core-plane-weight",
    title="Base copper weight of core-rail planes",
    needs=PlaneWeight,
    limits={"weight": "copper_weight"},
    inputs=("rails.*.role", "rails.*.planes", "stackup[].base_weight", "stackup[].thickness"),
)


def check(fact: PlaneWeight, limits: Limits) -> Iterator[Verdict]:
    """Compare the base weight of one plane with the profile's range."""
    bound = limits["weight"]
    planes = "its only plane" if fact.planes == 1 else f"its {fact.planes} planes together"
    yield Verdict(
        measured=fact.weight,
        bound=bound,
        message=f"{fact.layer} of rail {fact.rail} has {show(fact.weight.value, 'oz')} base copper; {planes} "
        f"{'has' if fact.planes == 1 else 'have'} {show(fact.sheet_resistance, 'mohm')} a square at "
        f"{show(fact.temperature, 'degC')}, without holes",
        fix="order foil of another weight, or give the rail more planes",
        proposal=_nearest(fact, bound),
    )


def _nearest(fact: PlaneWeight, bound: Bound) -> Proposal | None:
    limit = bound.limit
    if limit is None:
        return None
    low = limit.low is not None and fact.weight.value < limit.low
    wanted = limit.low if low else limit.high
    return None if wanted is None else Proposal(fact.weight.reads[0], show(wanted, "oz"))
