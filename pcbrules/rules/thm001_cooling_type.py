# SPDX-License-Identifier: MIT
"""The way of cooling suits the accelerator's power.

What it checks: the sustained power of each accelerator against what the profile accepts for air; direct liquid meets
it at any power. A heat sink without moved air has a limit of its own where the profile gives one; else it is judged by
that for moved air, and not at all above 60 W.

Why it matters: throttled accelerators waste what the rest of the board was built for.

How to fix it: direct liquid cooling, or a lower power limit of the accelerator.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.thermal import CoolingMatch
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.rules._cooling import judge_air

META = Meta(
    id="THM001",
    name="cooling-type",
    title="Cooling type against accelerator power",
    needs=CoolingMatch,
    limits={"still": "power", "air": "power", "air_max": "power"},
    inputs=("thermal.cooling", "system.accelerators[].power", "system.accelerators[].type"),
)


def check(fact: CoolingMatch, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the power with each limit for air."""
    still = fact.kind == "passive" and "still" in limits
    names = [name for name in (("still",) if still else ("air", "air_max")) if name in limits]
    for name in names[:1] if fact.kind == "liquid" else names:
        yield judge_air(
            power=fact.power,
            kind="air" if still else fact.kind,
            way=fact.cooling,
            bound=limits[name],
            unit="W",
            part="" if name == names[0] else name,
            note=fact.note,
            fix="cool the accelerator by direct liquid, or lower its power limit",
        )
