# SPDX-License-Identifier: MIT
"""Headroom of the power supplies over the accelerators.

What it checks: the capacity of the supplies, with the redundant ones out, over the peak power of all accelerators,
minus one. Where no peak is given the library's rated power stands in, with a range. The headroom over the system's own
peak is printed too.

Why it matters: fans, switches, processors and regulator losses draw from the same supplies, and accelerators step
together.

How to fix it: add supplies, choose larger ones, or give up redundancy knowingly.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.power import SupplyHeadroom
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN008",
    name="supply-headroom",
    title="Supply headroom over accelerator peak",
    needs=SupplyHeadroom,
    limits={"headroom": "ratio"},
    inputs=("power.supplies", "power.system_peak", "system.accelerators"),
)


def check(fact: SupplyHeadroom, limits: Limits) -> Iterator[Verdict]:
    """Compare the headroom with the limit."""
    message = f"{show(fact.capacity, 'kW')} without the redundant supplies, {show(fact.peak, 'kW')} of accelerators "
    message += f"at their peak: headroom {show(fact.headroom.value, '%')}"
    if fact.system_headroom is not None:
        message += f"; over the system's peak {show(fact.system_headroom, '%')}"
    yield Verdict(
        measured=fact.headroom,
        bound=limits["headroom"],
        message=message,
        fix="add supplies, choose larger ones, or lower the accelerators' power limit",
    )
