# SPDX-License-Identifier: MIT
"""Backdrills that can be made.

What it checks: at each end of a hole that is drilled away, five figures. How much the deepest drill leaves in front of
the layer that it must not cut. Where the depth is counted from the outer surface, the thickness of dielectric between
that layer and the nearest layer that the drill cuts. By how much the backdrill is wider than the hole's drill. How far
its wall keeps from the planes, half of antipad less diameter, against the registration of drill and layers (of the
fabrication class where the board file gives none: basis *assumed*). What stands between the two backdrills of a pair. A
figure whose input is missing is not evaluated; the others are.

Why it matters: a drill that is set too close severs the layer in use; one that is too narrow leaves a sliver of
plating; one that is too wide cuts the planes beside it, or breaks into the other leg's hole.

How to fix it: leave a residual larger than the depth tolerance, or order a tighter tolerance or layer sensing; drill
0.2 mm wider than the hole; widen antipads or pitch. Where nothing fits, use a blind via.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.vias import BackdrillRoom
from pcbrules.results.rule import Limits, Meta, Skip, Verdict

META = Meta(
    id="VIA002",
    name="backdrill-room",
    title="Backdrill can be made",
    needs=BackdrillRoom,
    limits={"residual": "length", "dielectric": "length", "oversize": "length", "clearance": "length", "web": "length"},
    judges="worst-case",
    inputs=("stackup[].thickness", "via_types.*.backdrill", "via_types.*.drill", "via_types.*.antipad.width",
            "via_types.*.pitch", "fabrication", "links.*.path[].via"),
)

CURES = {
    "residual": "leave a larger residual, order a tighter depth tolerance or layer sensing, or use a blind via",
    "dielectric": "let the depth be referred to the layer (`datum: target-layer`), or use a thicker dielectric there",
    "oversize": "drill 0.2 mm wider than the hole",
    "clearance": "widen the antipads, or choose a narrower backdrill",
    "web": "widen the pitch of the pair's vias, or choose a narrower backdrill",
}


def check(fact: BackdrillRoom, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare every figure with its limit; what is missing is not evaluated."""
    for name, bound in limits.items():
        if name in fact.missing:
            reason, key = fact.missing[name]
            yield Skip(f"{reason}; give `{key}`", part=name, bound=bound)
        elif name in fact.figures:
            figure = fact.figures[name]
            yield Verdict(measured=figure, bound=bound, part=name, message=fact.texts[name], fix=CURES[name],
                          where=figure.reads[0])
