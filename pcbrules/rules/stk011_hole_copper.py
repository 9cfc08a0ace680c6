# SPDX-License-Identifier: MIT
"""Copper around holes that the fabricator cannot hit, or cannot keep apart.

What it checks: of every via type the annular ring as drawn (pad less drill, halved), the space between the pads of a
pair and to the pad of a ground via, and the laminate between the wall of the drill and the nearest plane (antipad less
drill, halved), each against the least that the fabrication class holds. A ground via counts with an equal pad.

Why it matters: layers and drills shift against each other. Where the ring is too small the drill breaks out of the pad;
where the clearance is too small it cuts into a plane, or copper grows along the glass fibres from hole to plane.

How to fix it: a larger pad, a wider antipad, a finer drill or more pitch; or agree a finer class with the fabricator
and declare it in `fabrication.class`. Backdrills have a clearance of their own: see VIA002.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.fabrication import HoleCopper
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.rules._held import held

META = Meta(
    id="STK011",
    name="hole-copper",
    title="Annular ring, pads and clearance of holes",
    needs=HoleCopper,
    limits={"ring": "length", "pads": "length", "clearance": "length"},
    inputs=("fabrication.class", "via_types.*.drill", "via_types.*.pad", "via_types.*.antipad", "via_types.*.pitch",
            "via_types.*.return_vias.distance"),
)

CURES = {
    "ring": "use a larger pad or a finer drill, or agree a finer class with the fabricator",
    "pads": "use more pitch or smaller pads, or agree a finer class with the fabricator",
    "clearance": "use a wider antipad or a finer drill, or agree a finer class with the fabricator",
}


def check(fact: HoleCopper, limits: Limits) -> Iterator[Verdict]:
    """Compare one ring, space or clearance with what the class holds."""
    yield from held(fact, limits, CURES)
