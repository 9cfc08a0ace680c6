# SPDX-License-Identifier: MIT
"""Loss class and loss tangent of every dielectric that a link's field touches.

What it checks: for each laminate above or below a trace of the link, its loss class against the classes that the
profile accepts for the link. A class that the laminate's own Df contradicts does not count. A laminate without a class
of digital materials is judged by its Df at the lowest published frequency instead. Beside it, Df at the link's Nyquist
frequency, as a warning: data are interpolated in log frequency inside one measuring method; beyond the highest point
they are extrapolated up to a factor of six, with a wider interval. Solder mask and via barrels are left out.

Why it matters: dielectric loss grows with frequency and with Df; at Nyquist it is a quarter to a half of the loss of a
trace, and no equaliser gives back the noise that comes with it. What a laminate costs this link is judged by CHN001.

How to fix it: choose a laminate of a lower loss class for these layers, or one with data at this frequency.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.materials import LaminateLoss
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="MAT001",
    name="laminate-loss",
    title="Loss class and loss tangent of laminates",
    needs=LaminateLoss,
    limits={"laminate_class": "choice", "published": "number", "df": "number"},
    inputs=("stackup[].material", "materials.laminates.*.class", "links.*.standard", "links.*.path[].trace.layer"),
)
FIX = "choose a laminate of a lower loss class for these layers: `pcbrules library laminates`"


def check(fact: LaminateLoss, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the class, else the published Df, and Df at Nyquist with the limits of the link's standard."""
    beside = f"beside {', '.join(fact.layers)}"
    if "laminate_class" in limits and fact.laminate_class:
        bound = limits["laminate_class"]
        ok = fact.laminate_class in bound.choices
        yield Verdict(
            measured=None,
            bound=bound,
            ok=ok,
            part="class",
            message=f"{fact.laminate} is {fact.laminate_class} {beside}; accepted: {', '.join(bound.choices)}"
            + (f"; {fact.contradiction}" if fact.contradiction else ""),
            fix=FIX,
        )
    elif "published" in limits:
        bound = limits["published"]
        if fact.published is None:
            yield Skip(f"{fact.laminate} has neither a loss class nor dielectric data", part="published", bound=bound)
        else:
            yield Verdict(
                measured=fact.published,
                bound=bound,
                part="published",
                message=f"{fact.laminate}, which is of no loss class, has Df {fact.published.value:.5f} {beside} at "
                f"{show(fact.published_at, 'GHz', 4)}, the lowest frequency of its data",
                fix=FIX,
            )
    if "df" not in limits:
        return
    if fact.df is None:
        yield Skip(fact.unread, bound=limits["df"])
        return
    yield Verdict(
        measured=fact.df,
        bound=limits["df"],
        message=f"{fact.laminate} has Df {fact.df.value:.5f} at {show(fact.nyquist, 'GHz', 4)} {beside}",
        fix=FIX,
    )
