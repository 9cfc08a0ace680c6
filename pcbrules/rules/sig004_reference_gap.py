# SPDX-License-Identifier: MIT
"""Splits and voids in the reference planes beneath a trace.

What it checks: every gap that the board file lists under `reference_gaps`. An empty list is the declaration that the
route was looked at and crosses none; no list means that nobody looked.

Why it matters: the return current must go round the gap; the pair sees an inductive step, and the gap radiates.

How to fix it: move the trace or close the gap; at least stitch across it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.signal import ReferenceGapFact
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="SIG004",
    name="reference-gap",
    title="Continuity of the reference planes",
    needs=ReferenceGapFact,
    limits={"gap": "length"},
    inputs=("links.*.path[].trace.reference_gaps",),
)


def check(fact: ReferenceGapFact, limits: Limits) -> Iterator[Verdict]:
    """A gap wider than the limit fails."""
    found = fact.gap.value > 0
    message = (
        f"a gap of {show(fact.gap.value, 'mm')} in {fact.layer} beneath the trace"
        if found
        else "no gap beneath the trace"
    )
    yield Verdict(
        measured=fact.gap,
        bound=limits["gap"],
        message=message,
        fix="move the trace or close the gap; at least stitch across it",
    )
