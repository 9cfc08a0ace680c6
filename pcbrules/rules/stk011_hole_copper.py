# SPDX-License-Identifier: MIT
"""Copper around holes that the fabricator cannot hit, or cannot keep apart.

What it checks: of every via type the annular ring as drawn (pad less drill, halved), the space between the pads of a
pair and to the pad of a ground via, and the laminate between the wall of the drill and the nearest plane (antipad less
drill, halved), each against the least that the fabrication class holds. A ground via counts with an equal pad. The
smallest ring and distance from a hole to copper of the whole board (`fabrication.smallest`) are judged alike. A
limit in another unit, rounded, is met: 4.92 mil for 125 um.

Why it matters: layers and drills shift against each other. Where the ring is too small the drill breaks out of the pad;
where the clearance is too small it cuts into a plane, or copper grows along the glass fibres from hole to plane.

How to fix it: a larger pad, a wider antipad, a finer drill or more pitch; or agree a finer class with the fabricator
and declare it in `fabrication.class`. Backdrills have a clearance of their own: see VIA002.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil, floor

from pcbrules.results.edits import Fix, Proposal, said
from pcbrules.results.facts.fabrication import HoleCopper, HoleSize
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.rules._held import held
from pcbrules.units import show

META = Meta(
    id="STK011",
    name="hole-copper",
    title="Annular ring, pads and clearance of holes",
    needs=HoleCopper,
    limits={"ring": "length", "pads": "length", "clearance": "length"},
    inputs=("fabrication.class", "fabrication.smallest.ring", "fabrication.smallest.hole_to_copper",
            "via_types.*.drill", "via_types.*.pad", "via_types.*.antipad", "via_types.*.pitch",
            "via_types.*.return_vias.distance"),
)

FINER = "agree a finer class with the fabricator"

BY_HAND: Mapping[str, Callable[[float], str]] = {
    "ring": lambda lacking: f"at this hole widen the pad by {show(2 * lacking, 'mm')} or narrow the drill by as much",
    "clearance": lambda lacking: (f"at this hole move the copper away by {show(lacking, 'mm')} or narrow the drill by "
                                  f"{show(2 * lacking, 'mm')}"),
}
"""What to change by hand where one figure stands for the whole board, by how much it lacks [m]."""


def check(fact: HoleCopper, limits: Limits) -> Iterator[Verdict]:
    """Compare one ring, space or clearance with what the class holds."""
    bound = limits.get(fact.kind)
    limit = bound.limit if bound is not None else None
    yield from held(fact, limits, dict.fromkeys(("ring", "pads", "clearance"), _fix(fact, limit)))


def _fix(fact: HoleCopper, limit: Limit | None) -> str | Fix:
    """Each dimension that alone meets the limit and keeps the other figures of the hole; or that none does."""
    if limit is None or limit.low is None or limit.met_by(fact.figure.value):
        return FINER
    needed = [(size, _moved(size, limit.low - fact.figure.value)) for size in fact.sizes]
    cures = [(size, value) for size, value in needed
             if size.least * (1 - 1e-9) <= value <= size.most * (1 + 1e-9)]
    if not fact.sizes and fact.kind in BY_HAND:
        lacking = ceil((limit.low - fact.figure.value) / 1e-6 - 1e-6) * 1e-6
        return f"{BY_HAND[fact.kind](lacking)}, or {FINER}"
    ways = tuple((Proposal(size.path, show(value, size.unit, 4)),) for size, value in cures or needed)
    text = " or ".join(map(said, ways))
    if cures:
        return Fix(f"set {text} (re-checked with the other figures of the hole), or {FINER}", ways)
    return f"no single dimension meets it within the class ({text} would be needed): {FINER}" if text else FINER


def _moved(size: HoleSize, more: float) -> float:
    """The dimension with which a figure is larger by ``more``, on its steps. [m]"""
    value = size.now + size.slope * more
    return (ceil(value / size.step - 1e-6) if size.slope > 0 else floor(value / size.step + 1e-6)) * size.step
