# SPDX-License-Identifier: MIT
"""Splits and voids in the reference planes beneath traces, their edges, and changes of plane.

What it checks: every gap that the board file lists under `reference_gaps`. An empty list is the declaration that the
route was looked at and crosses none; no list means that nobody looked. Where a plane next to the trace is drawn as
supply copper of several rails, and no piece is as long as the trace, an empty list is not believed. An entry with
`edge` is the end of a plane beside the trace: its distance counts over the height of the trace above the plane. A via
with `plane_change` leaves a plane for another one: a via or a capacitor that joins the two has to stand near it.

Why it matters: the return current must go round the gap; the pair sees an inductive step, and the gap radiates. Near
the edge of its plane the impedance rises and the field reaches beyond the board. Where nothing joins two planes the
return current drives the cavity between them.

How to fix it: move the trace or close the gap; at least stitch across it. Beside a via that changes planes put a via
of the planes' net, between two nets a capacitor.
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
    limits={"gap": "length", "edge": "number", "near": "number", "stitch": "length", "joined": "number"},
    counts={"edge": "x the height", "near": "x the height"},
    inputs=("links.*.path[].trace.reference_gaps", "links.*.path[].trace.layer", "links.*.path[].trace.length",
            "links.*.path[].via.plane_change", "stackup[].role", "rails.*.copper.sheets[].shapes"),
)


def check(fact: ReferenceGapFact, limits: Limits) -> Iterator[Verdict]:
    """Compare a gap, the distance of an edge, or that of what joins two planes, with its limit."""
    if fact.gap is not None and "gap" in limits:
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
    if fact.edge is not None:
        yield from _edge(fact, limits)
    if fact.stitch is not None and "stitch" in limits:
        yield Verdict(
            measured=fact.stitch,
            bound=limits["stitch"],
            message=f"{fact.layer} are joined {show(fact.stitch.value, 'mm')} from the signal via",
            fix="put a via that joins both planes beside the signal via; between two nets a capacitor",
        )
    elif fact.joined is not None and "joined" in limits:
        yield Verdict(
            measured=fact.joined,
            bound=limits["joined"],
            message=f"nothing joins {fact.layer}, between which the signal via changes",
            fix="put a via that joins both planes beside the signal via; between two nets a capacitor",
        )


def _edge(fact: ReferenceGapFact, limits: Limits) -> Iterator[Verdict]:
    """The stricter limit where that is missed or is the only one, else the other one."""
    assert fact.edge is not None
    strict = limits["edge"].limit if "edge" in limits else None
    missed = strict is not None and not strict.met_by(fact.edge.value)
    name = "edge" if missed or "near" not in limits else "near"
    if name in limits:
        yield Verdict(
            measured=fact.edge,
            bound=limits[name],
            message=f"{fact.layer} ends {fact.edge.value:.2g} heights beside the trace",
            fix="move the trace away from the edge, or extend the plane",
        )
