# SPDX-License-Identifier: MIT
"""Gap of the thermal interface.

What it checks: how wide the gap between module and cold plate may get over the contact area: the nominal gaps of the
contributors in the contact area, and the root of squares of their tolerances. The worst case, all tolerances at their
ends, makes the answer marginal. Under a sprung mount only what lies in the contact area counts; under a hard one the
tolerances of everything do. The variation alone stands beside it; where the worst case closes the gap under a sprung
mount, the note says so.

Why it matters: the thermal resistance of the interface is its thickness over its conductivity; where the gap opens the
part gets hotter, where it closes the part is loaded.

How to fix it: take a thinner interface, tighten the largest contributor, or mount the plate on springs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from pcbrules.results.facts.thermal import GapStack
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="THM002",
    name="interface-gap",
    title="Gap of the thermal interface",
    needs=GapStack,
    limits={"gap": "length"},
    inputs=("thermal.tim.mount", "thermal.tim.contributors"),
)

STEP = 1e-6
"""Step in which a nominal gap is written [m]."""


def check(fact: GapStack, limits: Limits) -> Iterator[Verdict]:
    """Compare the gap with the limit."""
    shares = ", ".join(f"{name} {share:.0%}" for name, share in fact.shares[:3])
    yield Verdict(
        measured=fact.gap,
        bound=limits["gap"],
        message=f"the gap may be {show(fact.gap.value, 'mm')}, {show(fact.gap.hi, 'mm')} in the worst case: nominal "
        f"{show(fact.nominal, 'mm')}, variation +-{show(fact.variation, 'mm')} (root of squares); "
        f"shares of the variance: {shares}",
        note="In the worst case the gap closes: the faces touch and press." if fact.closes else "",
        fix=_fix(fact, limits["gap"].limit),
    )


def _fix(fact: GapStack, limit: Limit | None) -> str:
    """What is left for the nominal gap beside its variation, where that is not too large already."""
    left = floor((limit.high - fact.variation) / STEP - 1e-6) * STEP if limit is not None and limit.high else 0.0
    most = f" ({show(left, 'mm')} of nominal gap at most with this variation)" if left > 0 else ""
    ways = [f"take a thinner interface{most}", "tighten the largest contributor",
            *(() if fact.sprung else ("mount the cold plate on springs",))]
    return f"{', '.join(ways[:-1])}{',' if len(ways) > 2 else ''} or {ways[-1]}"
