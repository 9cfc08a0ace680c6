# SPDX-License-Identifier: MIT
"""Headroom of the power supplies over the accelerators.

What it checks: the capacity of the supplies, with the redundant ones out, over what the system draws at its peak, minus
one; and over the peak power of all accelerators. Where no peak of an accelerator is given the library's rated power
stands in, with a range. Where that of the system is not declared it is taken as one to two times that of the
accelerators.

Why it matters: fans, switches, processors and regulator losses draw from the same supplies, and accelerators step
together.

How to fix it: add supplies, choose larger ones, or give up redundancy knowingly.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from pcbrules.results.facts.power import SupplyHeadroom
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN008",
    name="supply-headroom",
    title="Supply headroom over system and accelerator peak",
    needs=SupplyHeadroom,
    limits={"system": "ratio", "headroom": "ratio"},
    inputs=("power.supplies", "power.system_peak", "system.accelerators"),
)

KILOWATT = 1000.0
"""Power from which on supplies are told in kW. [W]"""


def check(fact: SupplyHeadroom, limits: Limits) -> Iterator[Verdict]:
    """Compare both headrooms with their limits."""
    unit = "kW" if fact.capacity >= KILOWATT else "W"
    capacity = f"{show(fact.capacity, unit)} without the redundant supplies"
    if "system" in limits:
        yield Verdict(
            measured=fact.system,
            bound=limits["system"],
            part="system",
            message=f"{capacity}: headroom {show(fact.system.value, '%')} over the system's peak",
            fix=_fix(fact, fact.system, limits["system"], unit),
        )
    if "headroom" in limits:
        yield Verdict(
            measured=fact.headroom,
            bound=limits["headroom"],
            message=f"{capacity}, {show(fact.peak, unit)} of accelerators at their peak: "
            f"headroom {show(fact.headroom.value, '%')}",
            fix=_fix(fact, fact.headroom, limits["headroom"], unit),
        )


def _fix(fact: SupplyHeadroom, seen: Measured, bound: Bound, unit: str) -> str:
    """The capacity that meets the limit, and how many supplies more that is; for all of the interval if it misses."""
    least = bound.limit.low if bound.limit else None
    have = min(seen.lo, seen.value)
    if least is None or have >= least or have <= -1 or fact.each <= 0:
        return "add supplies, choose larger ones, or lower the accelerators' power limit"
    needed = fact.capacity * (1 + least) / (1 + have)
    more = ceil((needed - fact.capacity) / fact.each * (1 - 1e-9))
    supplies = "1 more supply" if more == 1 else f"{more} more supplies"
    return (f"bring the capacity without the redundant supplies to {show(needed, unit, 4)} or more, {supplies} of "
            f"{show(fact.each, 'kW' if fact.each >= KILOWATT else 'W')}; or lower the accelerators' power limit")
