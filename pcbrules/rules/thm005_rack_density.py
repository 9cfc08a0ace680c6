# SPDX-License-Identifier: MIT
"""Power of the rack against its cooling.

What it checks: the rack's power on air, against the figure above which direct-to-chip cooling is called for, and
against the band above which air is out. The source gives that limit as a band: inside it the answer is marginal.

Why it matters: room air carries a limited heat flow through a rack; beyond it, inlet temperatures rise and the
accelerators throttle.

How to fix it: direct-to-chip cooling, or fewer boards a rack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.results.facts.thermal import RackDensity
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.rules._cooling import judge_air
from pcbrules.units import show

META = Meta(
    id="THM005",
    name="rack-density",
    title="Rack density against the cooling type",
    needs=RackDensity,
    limits={"air": "power", "air_band": "power"},
    inputs=("system.rack.power", "system.rack.cooling"),
)
FIX = "cool the boards direct-to-chip, or spread them over more racks"


def check(fact: RackDensity, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the rack's power with each limit for air."""
    power = fact.power
    names = [name for name in ("air", "air_band") if name in limits]
    for name in names[:1] if fact.kind == "liquid" else names:
        bound, judged = limits[name], power
        limit = bound.limit
        if name == "air_band" and fact.kind != "liquid" and limit and limit.low is not None and limit.high is not None:
            width = limit.high - limit.low
            text = f"<= {show(limit.high, limit.unit)}, marginal from {show(limit.low, limit.unit)}"
            bound = replace(bound, limit=Limit(None, limit.high, limit.unit, text))
            judged = replace(power, hi=power.hi + width, assumptions=(*power.assumptions, f"the limit is {limit.text}"))
        yield judge_air(
            power=judged,
            kind=fact.kind,
            way=fact.cooling,
            bound=bound,
            unit="kW",
            part="" if name == names[0] else name,
            fix=FIX,
        )
