# SPDX-License-Identifier: MIT
"""Symmetry of the stackup about its middle.

What it checks: each copper layer against its mirror image (base weight, or finished thickness where a base weight is
not given; copper fill, which is not evaluated without `fill`), and what lies between neighbouring copper layers against
its mirror image (thickness, resin family, Dk). A Dk that differs where the laminate is meant to be the same is usually
a typing slip. One foil in two spellings (1 oz, 35 um, 1.4 mil) is the same copper.

Why it matters: what is not symmetric shrinks unevenly after pressing and reflow: the board bows and twists, and long
connectors and cold plates no longer seat.

How to fix it: give mirrored layers the same copper, the same laminate and the same thickness; balance the copper fill.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.results.facts.stackup import MirrorPair
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="STK006",
    name="stackup-symmetry",
    title="Symmetry of the stackup",
    needs=MirrorPair,
    limits={"copper": "ratio", "dielectric": "ratio", "fill": "ratio"},
    inputs=("stackup[].base_weight", "stackup[].thickness", "stackup[].fill", "stackup[].material", "stackup[].dk"),
)

CURES = {
    "copper": ("copper", "give both layers the same copper"),
    "fill": ("fill", "balance the copper fill"),
    "dielectric": ("dielectric", "give both the same thickness"),
    "dk": ("dielectric", "check the Dk of both for a slip, or use one laminate"),
    "family": ("dielectric", "use laminates of one resin family in mirrored places"),
}
"""Kind of comparison: name of the limit that it goes with, and what would cure it."""


def check(fact: MirrorPair, limits: Limits) -> Iterator[Verdict]:
    """Compare the difference with the limit; resin family and Dk go with the limit for dielectrics."""
    name, cure = CURES[fact.kind]
    if name in limits:
        bound = limits[name]
        yield Verdict(
            measured=fact.difference,
            bound=replace(bound, limit=None) if fact.difference is None else bound,
            ok=fact.same,
            part=fact.kind,
            message=f"{fact.upper} and {fact.lower} mirror each other: {fact.detail}",
            fix=cure,
        )
