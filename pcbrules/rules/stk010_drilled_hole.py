# SPDX-License-Identifier: MIT
"""Holes that the fabricator cannot drill, and plating that he would not deliver.

What it checks: the diameter of every drill (via types, holes of rails, vias of capacitors, thermal vias, and the
smallest hole of the whole board where `fabrication.smallest` gives it) against the
finest of the fabrication class, a mechanical drill or a laser; and the plating that the board file counts on against
the average that the class of IPC-6012 asks for. Plating that is not declared lies between 18 um and 30 um, or what the
`finished` hole leaves, and is judged only where that cannot turn the verdict. A limit in another unit, rounded,
is met: 7.87 mil for 0.2 mm.

Why it matters: fine drills wander and break, and each costs machine time. Plating below the class of the board is a
reject, and one that is thicker than ordered carries less current than was computed.

How to fix it: use a wider drill, or agree a finer class with the fabricator and declare it in `fabrication.class`;
order the plating that `fabrication.ipc_class` asks for.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.fabrication import DrilledHole
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.rules._held import held

META = Meta(
    id="STK010",
    name="drilled-hole",
    title="Drill size and plating",
    needs=DrilledHole,
    limits={"drill": "length", "plating": "length"},
    inputs=("fabrication.class", "fabrication.smallest.drill",
            "fabrication.ipc_class", "via_types.*.drill", "via_types.*.plating",
            "via_types.*.finished"),
)

CURES = {
    "drill": "use a wider drill, or agree a finer class with the fabricator",
    "plating": "order the plating that the class asks for, or declare the class that is ordered",
}


def check(fact: DrilledHole, limits: Limits) -> Iterator[Verdict]:
    """Compare one diameter or plating with its limit."""
    yield from held(fact, limits, CURES)
