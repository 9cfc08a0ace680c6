# SPDX-License-Identifier: MIT
"""Resonance of via stubs, and what they cost in the signal's band.

What it checks: two numbers of every via and one of the link, all at the worst depth of the backdrills. The first is the
lowest resonance of the via's longer stub, loaded by planes and pads, over Nyquist. The second is the largest loss that
its stubs add between 0 and Nyquist, on matched lines. The third is the largest loss that all stubs of the link add
together in its channel, or the sum of the vias' own losses where that is more.

A via is judged for its stubs alone. In the channel they may cost more, as they meet the reflections of barrels and of
other vias: the interval of the via's loss reaches up to that cost. A resonance at or below Nyquist fails whatever the
loss at Nyquist is. A resonance further above Nyquist is judged by practice, as a warning: the loss in band decides. It
is marginal where only its lower bound misses the limit. The loss of the link is marginal, as in CHN007, where it misses
the figure of practice by no more than the model error (k = 2) and its vias are fully described. A stub that is longer
than the model covers fails where the longest stub of the model fails, and is else not evaluated.

Why it matters: an undrilled stub may cost little at Nyquist and still cut a hole into the band below it.

How to fix it: backdrill, leave on a deeper layer, or use a blind via. Where a via misses a limit the fix names the
longest stubs that meet it, solved on a matched line; where a link misses its own, those of all its vias, solved in its
channel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.results.edits import Fix
from pcbrules.results.facts.signal import ShorterStub, StubNotch
from pcbrules.results.judge import MODEL_ERROR_SHARE
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules._via_cure import backdrilled, stub_left
from pcbrules.units import show, unit_of

META = Meta(
    id="CHN003",
    name="stub-resonance",
    title="Via-stub resonance and its cost in band",
    needs=StubNotch,
    limits={"notch": "number", "ratio": "number", "cost_via": "loss", "cost_link": "loss"},
    counts={"notch": "x Nyquist", "ratio": "x Nyquist"},
    judges="worst-case",
    inputs=("via_types", "links.*.path[].via", "stackup"),
)
FIX = "shorten the stubs: backdrill to the layer in use, leave on a deeper layer, or use a blind via"


def check(fact: StubNotch, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare notch ratio and in-band cost of a via, or of the whole link, with their limits."""
    fix = FIX
    if fact.beyond or fact.cost is None or fact.return_loss_db is None:
        yield from _bounded(fact, limits, fix)
        return
    if fact.whole_link:
        if "cost_link" in limits:
            yield Verdict(
                measured=_decided(fact.cost, limits["cost_link"]),
                bound=limits["cost_link"],
                message=f"all stubs of the link together cost {fact.cost.value:.2f} dB below Nyquist"
                f"{_together(fact)}",
                fix=partial(_fix_link, fact, limits["cost_link"]),
                changes=fact.via,
                doubted="a model error counts up to half of the limit" if fact.described else "",
            )
        return
    where = (
        f"notch at {show(fact.loaded, 'GHz')} loaded, {fact.ratio.value:.2f} x Nyquist, "
        f"{show(fact.lowest, 'GHz')} at its lower bound ({show(fact.ideal, 'GHz')} ideal); costs {fact.cost.value:.2f} "
        f"dB in band; return loss {fact.return_loss_db:.0f} dB"
    )
    if "notch" in limits:
        yield Verdict(measured=fact.ratio, bound=limits["notch"], message=where, part="notch",
                      fix=partial(_fix, fact, fact.ratio, limits, "notch"), changes=fact.via)
    if "ratio" in limits:
        yield Verdict(measured=fact.ratio, bound=limits["ratio"], message=where, part="ratio",
                      fix=partial(_fix, fact, fact.ratio, limits, "ratio"), changes=fact.via)
    if "cost_via" in limits:
        bound = limits["cost_via"]
        if fact.partial and bound.limit is not None and bound.limit.met_by(fact.cost.value):
            text = f"how the stubs meet the rest of the channel is unknown: {fact.partial}"
            yield Skip(f"{text} ({fact.cost.value:.2f} dB alone)", part="cost", bound=bound)
            return
        yield Verdict(
            measured=fact.cost,
            bound=bound,
            message=f"its stubs cost {fact.cost.value:.2f} dB below Nyquist{_beside(fact)}",
            fix=partial(_fix, fact, fact.cost, limits, "cost_via"),
            changes=fact.via,
            part="cost",
        )


def _fix(fact: StubNotch, measured: Measured, limits: Limits, name: str) -> str | Fix:
    """What shortens stubs; where a limit is missed, the longest that meet all limits of the via."""
    held = {one: bound.limit for one, bound in limits.items() if bound.limit is not None}
    if name not in held or held[name].met_by(measured.value) or fact.shorter is None:
        return FIX
    found = fact.shorter([held[one] for one in ("notch", "ratio") if one in held],
                         [held[one] for one in ("cost_via",) if one in held])
    if found is None:
        return FIX
    return _shorter(found, f"re-solved: notch at {show(found.notch, 'GHz')}, costs {found.cost:.2f} dB")


def _shorter(found: ShorterStub, seen: str) -> Fix:
    """The stub, the backdrill that leaves it, and what was solved with it."""
    unit = next((unit_of(one.value) for one in found.edits if one.path[-1] == "residual"), "mil")
    length = show(found.length, unit)
    text = f"{backdrilled(length, found.edits)} ({seen})"
    if not found.edits:
        return Fix(text)
    return Fix(f"{text}, or leave on a deeper layer, or use a blind via", (found.edits,),
               stub_left(length, found.edits))


def _fix_link(fact: StubNotch, bound: Bound) -> str | Fix:
    """The longest stubs of all vias with which the link meets its limit, solved in its channel; or that none does."""
    limit = bound.limit
    if limit is None or fact.shorter is None or fact.cost is None or limit.met_by(fact.cost.value):
        return FIX
    found = fact.shorter([], [limit])
    if found is None:
        return f"no stubs, however short, meet the limit in this channel (re-solved): {FIX}"
    return _shorter(found, f"re-solved in this channel: {found.cost:.2f} dB")


def _beside(fact: StubNotch) -> str:
    """That the same stubs cost more in this channel, where they do: it depends on lengths and on other steps."""
    if fact.cost is None or fact.meeting is None or fact.meeting <= fact.cost.value:
        return ""
    return (f" on matched lines (judged), and {fact.meeting:.2f} dB in this channel, with the reflections of barrels "
            "and other vias")


def _decided(cost: Measured, bound: Bound) -> Measured:
    """The cost with a model error of half the limit at most: a larger one would leave it open, whatever it is."""
    most = MODEL_ERROR_SHARE * bound.limit.scale() if bound.limit is not None else 0.0
    return replace(cost, error=min(cost.error, most))


def _together(fact: StubNotch) -> str:
    """That the cost of the link is the one in its channel, where that is more than the sum over its vias."""
    if fact.cost is None or fact.alone is None or fact.cost.value <= fact.alone:
        return ""
    return ", more than the sum of the vias' own costs: in this channel the stubs reflect each other"


def _bounded(fact: StubNotch, limits: Limits, fix: str) -> Iterator[Verdict | Skip]:
    """Judge a stub that is longer than the model knows: its resonance lies below that of the longest that it knows.

    Where that one fails already, so does the stub; what passes is not evaluated.
    """
    for part, bound in limits.items():
        if part in ("notch", "ratio") and bound.limit is not None and not bound.limit.met_by(fact.ratio.value):
            message = (f"notch below {show(fact.loaded, 'GHz')}, {fact.ratio.value:.2f} x Nyquist "
                       f"({fact.beyond})")
            yield Verdict(measured=fact.ratio, bound=bound, message=message, fix=fix, part=part)
        elif part != "cost_link":
            yield Skip(fact.beyond, part=part.removesuffix("_via"), bound=bound)
