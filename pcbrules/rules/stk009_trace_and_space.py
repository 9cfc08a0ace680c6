# SPDX-License-Identifier: MIT
"""Traces and spaces that the fabricator cannot etch.

What it checks: the width of every trace, the gap of every pair and the space to every neighbour on the same layer, as
drawn, against the least that the fabrication class holds on inner and on outer layers; and the smallest of the whole
board (`fabrication.smallest`), which a layout gives. A limit in another unit, rounded, is met: 2.95 mil for 75 um.

Why it matters: the bath etches a trace that is too narrow open, and leaves copper in a space that is too narrow. A
fabricator refuses the job, or makes the trace wider on his own and shifts its impedance.

How to fix it: draw it wider, or agree a finer class with the fabricator and declare it in `fabrication.class`. On heavy
foil more is needed than the class holds on half an ounce.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.fabrication import TraceAndSpace
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.rules._held import held

META = Meta(
    id="STK009",
    name="trace-and-space",
    title="Trace width and space",
    needs=TraceAndSpace,
    limits={"width": "length", "space": "length"},
    inputs=("fabrication.class", "fabrication.smallest.outer_width", "fabrication.smallest.inner_width",
            "fabrication.smallest.outer_space", "fabrication.smallest.inner_space",
            "links.*.path[].trace.width", "links.*.path[].trace.gap",
            "links.*.path[].trace.neighbours[].spacing"),
)

CURES = {
    "width": "widen the trace, or agree a finer class with the fabricator",
    "space": "widen the space, or agree a finer class with the fabricator",
}


def check(fact: TraceAndSpace, limits: Limits) -> Iterator[Verdict]:
    """Compare one width or space with what the class holds."""
    yield from held(fact, limits, CURES)
