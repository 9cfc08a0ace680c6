# SPDX-License-Identifier: MIT
"""Reference planes of every layer that carries a link.

What it checks: the copper layers next to each signal layer of a link. An outer layer needs one plane, an inner layer
one on each side; the farther of two counts only up to three times the distance of the nearer. From 25 GBd on they must
be ground. Signal layers and mixed layers are no planes.

Why it matters: the return current flows in the plane nearest to the trace. Where there is none, or where it belongs to
a supply, it takes a way round through capacitors and couples into whatever lies between.

How to fix it: put a ground plane next to the layer, or move the link to a layer that has two.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import References
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="STK007",
    name="reference-planes",
    title="Reference planes of a signal layer",
    needs=References,
    limits={"microstrip": "number", "stripline": "number", "ground": "number"},
    counts={"microstrip": "planes", "stripline": "planes"},
    inputs=("stackup[].role", "stackup[].thickness", "links.*.path[].trace.layer"),
)


def check(fact: References, limits: Limits) -> Iterator[Verdict]:
    """Compare the number of reference planes, and the share of them that is ground."""
    sides = limits.get("stripline" if fact.stripline else "microstrip")
    supply = fact.ground is not None and fact.ground.value < 1
    if sides is not None:
        yield Verdict(
            measured=fact.sides,
            bound=sides,
            message=f"{fact.layer} has {fact.sides.value:g} reference plane{'' if fact.sides.value == 1 else 's'}: "
            f"{fact.detail}",
            fix="put a ground plane next to this layer, or route the link on a layer that has its planes",
            note="A supply plane serves as reference: stitch it to ground with capacitors where signals change layer."
            if supply and "ground" not in limits else "",
        )
    if "ground" in limits and fact.ground is not None:
        yield Verdict(
            measured=fact.ground,
            bound=limits["ground"],
            part="ground",
            message=f"{fact.ground.value:.0%} of the reference planes of {fact.layer} are ground: {fact.detail}",
            fix="make the reference planes of this layer ground, or route the link elsewhere",
        )
