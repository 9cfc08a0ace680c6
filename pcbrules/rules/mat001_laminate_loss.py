# SPDX-License-Identifier: MIT
"""Loss tangent of every dielectric that a link's field touches.

What it checks: Df at the link's Nyquist frequency, for each laminate above or below a trace of the link. Data are
interpolated in log frequency inside one measuring method; beyond the highest point they are extrapolated up to a
factor of six, with a wider interval. Solder mask and via barrels are left out.

Why it matters: dielectric loss grows with frequency and with Df; at Nyquist it is a quarter to a half of the loss of a
trace, and no equaliser gives back the noise that comes with it.

How to fix it: choose a laminate of a lower loss class for these layers, or one with data at this frequency.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.materials import LaminateLoss
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="MAT001",
    name="laminate-loss",
    title="Laminate loss tangent at Nyquist",
    needs=LaminateLoss,
    limits={"df": "number"},
    inputs=("stackup[].material", "links.*.standard", "links.*.path[].trace.layer"),
)


def check(fact: LaminateLoss, limits: Limits) -> Iterator[Verdict]:
    """Compare Df at Nyquist with the limit of the link's standard."""
    bound = limits["df"]
    yield Verdict(
        measured=fact.df,
        bound=bound,
        message=f"{fact.laminate} has Df {fact.df.value:.5f} at {show(fact.nyquist, 'GHz', 4)} "
        f"beside {', '.join(fact.layers)}",
        fix="choose a laminate of a lower loss class for these layers: `pcbrules library laminates`",
    )
