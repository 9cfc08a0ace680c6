# SPDX-License-Identifier: MIT
"""What the fabricator must be able to drill, press and fill.

What it checks: the aspect ratio of every via type (depth over copper by drilled, not finished, diameter); that of
microvias (capture land to target land by diameter); the dielectric between neighbouring copper layers; and the resin
that prepregs have for the gaps in the copper they face, which is not evaluated without `resin_height`. The limits for
aspect ratio and dielectric are those of the fabrication class, or of the board file where it is stricter; a board file
that claims more than its class holds is told so.

Why it matters: plating thins towards the middle of a deep hole and cracks there; a thin dielectric fails hi-pot; copper
that is not filled leaves voids that delaminate in reflow.

How to fix it: a wider drill, a thinner board or blind vias; a thicker dielectric; more or richer prepreg plies. Or
agree a class that holds it with the fabricator and declare it in `fabrication.class`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.stackup import Manufacturability
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="STK008",
    name="manufacturability",
    title="Aspect ratio, dielectric and resin fill",
    needs=Manufacturability,
    limits={"aspect_ratio": "number", "microvia": "number", "dielectric": "length", "resin": "ratio"},
    counts={"aspect_ratio": "x the drill", "microvia": "x the drill"},
    inputs=("fabrication", "via_types.*.drill", "via_types.*.span", "stackup[].thickness", "stackup[].fill",
            "stackup[].resin_height"),
)

CURES = {
    "aspect_ratio": "use a wider drill, a thinner board or blind vias, or agree a class that holds it",
    "microvia": "use a wider microvia or a thinner dielectric",
    "dielectric": "use a thicker dielectric, or agree a class that holds it",
    "resin": "use more or richer prepreg plies, or fill the copper",
}
CLAIM = "declare in `fabrication.class` the class that the fabricator agrees to"


def check(fact: Manufacturability, limits: Limits) -> Iterator[Verdict]:
    """Compare one figure with the limit of its kind."""
    bound = limits.get(fact.kind)
    if bound is None:
        return
    figure = {
        "dielectric": f": {show(fact.figure.value, 'um', 4)}",
        "resin": f": {fact.figure.value:.0%} of it",
    }.get(fact.kind, f": aspect ratio {fact.figure.value:.3g}")
    asked = f"; {fact.held_by} {bound.limit.text}" if fact.held_by and bound.limit else ""
    yield Verdict(measured=fact.figure, bound=bound, message=fact.what + figure + asked,
                  fix=CLAIM if fact.where[0] == "fabrication" else CURES[fact.kind])
