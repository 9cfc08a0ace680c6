# SPDX-License-Identifier: MIT
"""Laminate between planes.

What it checks: the loss class of every dielectric between two neighbouring planes. No signal layer lies in such a
cavity, so FR4 or a laminate of the Megtron 6 class does there.

Why it matters: an ultra-low-loss laminate costs several times as much as FR4 and gives a plane pair nothing.

How to fix it: ask the fabricator whether a cheaper laminate may be pressed with the rest. A hybrid press changes cure,
registration and z expansion, and it must stay symmetric; above some 24 layers it is rarely worth the risk.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.materials import PlaneDielectric
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="MAT004",
    name="plane-laminate",
    title="Laminate between planes",
    needs=PlaneDielectric,
    limits={"laminate_class": "choice"},
    inputs=("stackup[].material", "stackup[].role", "materials.laminates.*.class"),
)


def check(fact: PlaneDielectric, limits: Limits) -> Iterator[Verdict]:
    """Is the loss class among those that suffice between planes?"""
    bound = limits["laminate_class"]
    ok = fact.laminate_class in bound.choices
    verb = "is enough for" if ok else "is better than needed for"
    yield Verdict(
        measured=None,
        bound=bound,
        ok=ok,
        message=f"{fact.laminate_class} laminate ({fact.laminate}) {verb} the planes {' and '.join(fact.planes)}",
        fix=f"choose a lower class ({' or '.join(bound.choices)}): ask whether it can be pressed with the rest",
    )
