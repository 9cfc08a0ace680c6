# SPDX-License-Identifier: MIT
"""Variation of the thermal interface's gap.

What it checks: the half width of the gap's variation between module and cold plate. Contributions are added as root of
squares, which is judged, and as worst case, which makes the answer marginal. Under a sprung mount only what lies in
the contact area counts; under a hard one everything does. The nominal gap is not judged; where the worst case closes it
under a sprung mount, the note says so.

Why it matters: where the gap opens the interface gets thicker and the part hotter; where it closes the part is loaded.

How to fix it: tighten the largest contributor, mount the plate on springs, or take a thicker, softer interface.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.thermal import GapStack
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="THM002",
    name="interface-gap",
    title="Thermal interface gap tolerance",
    needs=GapStack,
    limits={"variation": "length"},
    inputs=("thermal.tim.mount", "thermal.tim.contributors"),
)


def check(fact: GapStack, limits: Limits) -> Iterator[Verdict]:
    """Compare the variation with the limit."""
    shares = ", ".join(f"{name} {share:.0%}" for name, share in fact.shares[:3])
    yield Verdict(
        measured=fact.variation,
        bound=limits["variation"],
        message=f"the gap varies by +-{show(fact.variation.value, 'mm')} (root of squares), "
        f"+-{show(fact.variation.hi, 'mm')} at worst; shares: {shares}",
        note="In the worst case the gap closes: the faces touch and press." if fact.closes else "",
        fix="tighten the largest contributor, or mount the cold plate on springs",
    )
