# SPDX-License-Identifier: MIT
"""Backdrill ordered where a link needs it.

What it checks: at each end of every plated hole of a link, the barrel beyond the layer in use. Where it is longer than
the link's limit, a backdrill from that side must be ordered that shortens it even at its worst depth and does not cut
the layer in use. How much remains after drilling is judged by SIG003; what a stub costs, by CHN003.

Why it matters: an undrilled stub of 2 to 3 mm resonates inside the band of PCIe Gen5 and NVLink; nothing downstream can
undo that.

How to fix it: order a backdrill on that side, use a blind via, or leave on a layer nearer to the far surface.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.results.facts.stackup import StubRemoval
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="STK005",
    name="backdrill-ordered",
    title="Backdrill where a link needs it",
    needs=StubRemoval,
    limits={"stub": "length"},
    inputs=("stackup[].thickness", "via_types.*.span", "via_types.*.backdrill", "links.*.path[].via"),
)


def check(fact: StubRemoval, limits: Limits) -> Iterator[Verdict]:
    """Is the stub short as it is, or ordered to be drilled away?"""
    bound = limits["stub"]
    drilled = fact.shortened(fact.left.value)
    free = bound.limit.lifted("drilled away") if bound.limit is not None and drilled else bound.limit
    length = f"the barrel reaches {show(fact.undrilled.value, 'mil')} beyond the layer in use at its {fact.side} end"
    yield Verdict(
        measured=fact.undrilled if drilled else _unless_drilled(fact),
        bound=replace(bound, limit=free),
        message=f"{length}; {fact.drill}",
        fix=f"order a backdrill from the {fact.side}, use a blind via, or leave on a layer nearer to that surface",
    )


def _unless_drilled(fact: StubRemoval) -> Measured:
    """The stub, which an input that is not declared may let the drill shorten."""
    missing = fact.left.undeclared
    if missing is None or not fact.shortened(missing.lo):
        return fact.undrilled
    ends = replace(missing, lo=fact.undrilled.value, hi=fact.undrilled.value,
                   gone="at the other end of its range the drill shortens the stub")
    return replace(fact.undrilled, basis="assumed", undeclared=ends,
                   assumptions=(*fact.undrilled.assumptions, *fact.left.assumptions))
