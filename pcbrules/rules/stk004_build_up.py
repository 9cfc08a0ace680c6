# SPDX-License-Identifier: MIT
"""Microvia build-up (HDI) for the escape of ball grid arrays.

What it checks: that microvias are not only defined but used: by a component of at most 0.65 mm pitch to escape, or by
a link. A via type that is called a microvia but is deeper than 0.25 mm is none. Where the profile asks for build-up at
fine pitch only, boards whose finest ball grid is coarser need none.

Why it matters: below about 0.65 mm pitch a through via with its antipads leaves no copper between the balls, neither
for traces nor for the planes that return their current.

How to fix it: add a build-up with microvias, and name it as `escape_via` of the fine-pitch components.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import BuildUp
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="STK004",
    name="hdi-build-up",
    title="Microvia build-up for ball grid arrays",
    needs=BuildUp,
    limits={"present": "number", "fine_pitch": "length"},
    inputs=("system.components[].pitch", "system.components[].escape_via", "via_types.*.kind", "via_types.*.span"),
)


def check(fact: BuildUp, limits: Limits) -> Iterator[Verdict | Skip]:
    """Is there a build-up where the profile asks for one?"""
    bound = limits.get("present")
    if bound is None:
        return
    present = fact.present.value > 0
    pitch = fact.finest_pitch
    only_fine = limits.get("fine_pitch")
    if only_fine is not None and only_fine.limit is not None:
        fine = pitch is not None and only_fine.limit.met_by(pitch)
        if not fine and not fact.no_pitch and pitch is not None:
            yield Skip(f"the finest ball grid has {show(pitch, 'mm')} pitch: it can be escaped without microvias",
                       applicable=False, bound=bound)
            return
        if not fine and not present:
            yield Skip(f"the pitch of a ball grid array is not declared (`{fact.no_pitch[0]}`)", bound=bound)
            return
    if not present and fact.undecided:
        yield Skip(f"whether microvias serve a fine pitch is open: `{fact.undecided[0]}` is not declared", bound=bound)
        return
    finest = f"; the finest ball grid has {show(pitch, 'mm')} pitch" if pitch is not None else ""
    yield Verdict(
        measured=fact.present,
        bound=bound,
        message=(f"microvias are used by {fact.used_by}" if present else
                 "no link and no component of fine pitch uses a microvia") + finest,
        fix="add a build-up with microvias and name it as `escape_via` of the fine-pitch components",
    )
