# SPDX-License-Identifier: MIT
"""Links between accelerators are those that the accelerators have.

What it checks: that a link of NVLink or Infinity Fabric is of a generation that at least one of the system's
accelerators has, by its entry in the library. Other links train down to what both sides have.

Why it matters: every limit of such a link (loss, stub, skew, crosstalk) follows from its rate. A board that is
described with the link of the last generation is judged by limits that its part does not meet.

How to fix it: give the link the standard that the part has, or name the part that the board carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.results.facts.platform import FabricLink
from pcbrules.results.finding import Severity
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="PLT001",
    name="accelerator-links",
    title="Links that the accelerators have",
    needs=FabricLink,
    limits={"parts": "number"},
    inputs=("links.*.standard", "system.accelerators[].type"),
)


def check(fact: FabricLink, limits: Limits) -> Iterator[Verdict]:
    """Does an accelerator speak the link?"""
    bound = limits["parts"]
    if fact.recalled and bound.severity is Severity.ERROR:
        bound = replace(bound, severity=Severity.WARNING)
    names = ", ".join(fact.parts)
    has = f"has {', '.join(fact.theirs)}" if fact.theirs else "has no link in the library"
    yield Verdict(
        measured=fact.fits,
        bound=bound,
        message=f"{fact.standard}: {names} {'has it' if fact.fits.value > 0 else has}",
        note="The library has the links of these parts from memory." if fact.recalled else "",
        fix="give the link the standard that the accelerator has, or name the accelerator that the board carries",
    )
