# SPDX-License-Identifier: MIT
"""Stripline layers that carry NVLink alone.

What it checks: how many inner layers between planes carry traces of listed NVLink links, of no other link, and are not
declared to carry anything else. Layers for which nobody says that they carry no other net count, but the answer is then
marginal.

Why it matters: hundreds of NVLink pairs leave a GPU or a switch; on layers of their own they need no crossing and keep
their distance from other nets.

How to fix it: move other nets off these layers, list the links of each NVLink layer, and declare it
`dedicated: nvlink`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import DedicatedLayers
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="STK002",
    name="dedicated-layers",
    title="Layers dedicated to NVLink",
    needs=DedicatedLayers,
    limits={"layers": "number"},
    counts={"layers": "layers"},
    inputs=("links.*.standard", "links.*.path[].trace.layer", "stackup[].role", "stackup[].dedicated"),
)


def check(fact: DedicatedLayers, limits: Limits) -> Iterator[Verdict]:
    """Compare the number of dedicated layers with the profile's range."""
    named = f": {', '.join(fact.layers)}" if fact.layers else ""
    sure = fact.count.lo
    doubt = f", of which {sure:g} are declared so" if sure < fact.count.value else ""
    others = f"; not counted: {', '.join(fact.left_out)}" if fact.left_out else ""
    yield Verdict(
        measured=fact.count,
        bound=limits["layers"],
        message=f"{fact.count.value:g} stripline layers carry NVLink alone{named}{doubt}{others}",
        fix="move other nets off these layers and declare them `dedicated: nvlink`",
    )
