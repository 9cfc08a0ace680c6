# SPDX-License-Identifier: MIT
"""Residual stub of a plated hole, at the worst depth of its backdrill.

What it checks: at both ends of every via of a link, the barrel that remains beyond the layer in use. It is measured
from the far face of that layer to the tip of the barrel, from real layer heights, plus the depth tolerance of the
drill; if the depth counts from the outer surface, the thickness tolerance of the drilled stack comes on top. Without
`datum` both are judged. A tolerance that only the fabrication class gives is named, and the basis is *assumed*. Where a
press-fit connector stands on the hole, the barrel that the deepest drill leaves must hold its pin.

Why it matters: a stub is an open line. It reflects at every frequency and shorts the signal where it is a quarter wave
long; loaded by pads and planes, that is far below the frequency that the bare length suggests.

How to fix it: backdrill, use a layer nearer to that end, or use a blind via. A hole that is backdrilled already is
drilled closer, or with a tighter depth tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.constants import MIL
from pcbrules.results.edits import Proposal
from pcbrules.results.facts.signal import ResidualStub
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

MARGIN = 25e-6
"""What a proposed residual keeps beyond the depth tolerance, so that the drill cannot cut the layer in use [m]."""

GEOMETRY = Source("geometry: a drill that goes beyond the layer in use severs it", "derived")

META = Meta(
    id="SIG003",
    name="residual-via-stub",
    title="Residual via stub after backdrill",
    needs=ResidualStub,
    limits={"stub": "length"},
    judges="worst-case",
    inputs=("stackup[].thickness", "via_types.*.span", "via_types.*.backdrill", "links.*.path[].via",
            "links.*.path[].connector.press_fit_length"),
)


def check(fact: ResidualStub, limits: Limits) -> Iterator[Verdict]:
    """Compare the worst-case stub with the limit, and what is left of the hole with the pin that it holds."""
    bound = limits["stub"]
    tolerance = fact.stub.value - fact.nominal
    message = f"{show(fact.stub.value, 'mil')} of barrel remain at the {fact.side} end"
    if tolerance > 0:
        message += f" ({show(fact.nominal, 'mil')} + {show(tolerance, 'mil')} depth tolerance)"
    yield Verdict(
        measured=fact.stub,
        bound=bound,
        message=message,
        fix=_cure(fact, bound.limit),
        proposal=_closer(fact, bound.limit),
    )
    if fact.least.value < 0:
        whole = Limit(0.0, None, "mil", ">= 0 mil (the layer in use stays whole)")
        yield Verdict(
            measured=fact.least,
            bound=replace(bound, limit=whole, source=GEOMETRY),
            part="cut",
            message=f"at its deepest the drill goes {show(-fact.least.value, 'mil')} beyond the far face of the layer "
            "in use and may sever it",
            fix="leave a residual larger than the depth tolerance, or order a tighter tolerance",
        )
    if fact.barrel is not None:
        need = Limit(fact.pin, None, "mm", f">= {show(fact.pin, 'mm')} (press-fit pin)")
        yield Verdict(
            measured=fact.barrel,
            bound=replace(bound, limit=need, source=Source("the board file: press_fit_length", "declared")),
            part="press-fit",
            message=f"the deepest drill leaves {show(fact.barrel.value, 'mm')} of barrel for the pin",
            fix="backdrill less deep, leave on a deeper layer, or choose a connector with a shorter pin",
        )


def _cure(fact: ResidualStub, limit: Limit | None) -> str:
    """What shortens the stub: a backdrill to a length that meets the limit, or another layer or via."""
    other = "leave on a deeper layer" if fact.side == "bottom" else "use a layer nearer to the top"
    if any("backdrill" in place for place in fact.stub.reads):
        other = f"order a tighter depth tolerance, {other}"
    left = f" to a stub of {show(limit.high, 'mil')} or less, drill tolerance included" if limit and limit.high else ""
    return f"backdrill from the {fact.side}{left}, {other}, or use a blind via"


def _closer(fact: ResidualStub, limit: Limit | None) -> Proposal | None:
    """A residual that meets the limit at the worst depth and keeps the drill off the layer in use."""
    drill = fact.stub.reads[0] if fact.stub.reads else ()
    if not drill or drill[-1] != "residual" or limit is None or limit.high is None:
        return None
    nominal = limit.high - (fact.stub.hi - fact.nominal)
    tenths = int((nominal - fact.beyond) / MIL * 10 - 1e-6) / 10
    if tenths <= 0 or tenths * MIL + fact.beyond < fact.tolerance + MARGIN:
        return None
    return Proposal(drill, f"{tenths:g} mil +- {fact.tolerance / MIL:.6g} mil")
