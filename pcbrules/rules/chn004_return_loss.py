# SPDX-License-Identifier: MIT
"""Return loss against the mask of the standard, and the effective return loss (ERL).

What it checks: the reflection at either end of the path, the other end matched to the link's reference impedance, at
every frequency of the mask; the value is the least margin, after the shallowest or the deepest backdrills, whichever is
worse.

A standard without a public mask (NVLink, PCIe from Gen4) is held to practice: the least return loss between the
balls, packages left out, from 50 MHz to Nyquist, 12 dB from 16 GBd on and 10 dB below. The interval holds the models of
the vias and what fabrication makes of the lines' impedance. A return loss that misses the figure of practice by no more
than the model error of fully described vias is marginal, as in CHN007; the message gives the miss and that error, the
rest of the interval is fabrication. The error is the larger change, for better or worse, when all vias are at a bound
of their model. Where of an element only its loss is known, not its reflection, the board can fail, and cannot pass.

Beside it stands the ERL of IEEE 802.3 annex 93A.5: what one symbol sends back, weighted by what the receiver's
equaliser does not remove. It is judged where the standard has a figure for a bare channel (IEEE 802.3ck), and printed
with the chip-to-chip set of 802.3ck as a proxy for other PAM4 links of its symbol rate or above (NVLink). An NRZ link
(PCIe 5) or a slower one has no ERL.

Why it matters: what comes back from vias and impedance steps meets the reflections of package and connector, and no
receiver equalises all of it.

How to fix it: the fix names the element that is furthest from the reference over time, and the direction: a via that is
too low has its antipads opened or its stubs shortened, one that is too high its antipads closed or ground vias brought
nearer; a line is brought to the reference. Where a via is furthest it is the cause of both CHN007 and this finding, and
the note says so: it is one fault. Where the limit is missed the fix is solved as in CHN007, for the return loss; a
change that worsens the verdict of CHN007 is not offered. Where the ERL is met, the equaliser takes off most of what
comes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.results.edits import Fix
from pcbrules.results.facts.channel import ReturnLoss
from pcbrules.results.facts.tdr import Furthest
from pcbrules.results.judge import FABRICATION
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.profile import Entries
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.rules._via_cure import OTHERWISE, direction, mismatched, solved
from pcbrules.units import show

META = Meta(
    id="CHN004",
    name="return-loss",
    title="Return loss and effective return loss",
    needs=ReturnLoss,
    limits={"margin": "loss", "return_loss": "loss", "erl": "loss"},
    inputs=("links.*.path", "via_types", "stackup", "fabrication"),
    spares=("CHN007",),
)


GENERIC = "bring lines and vias to the reference impedance, or shorten stubs"


def check(fact: ReturnLoss, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the least margin with zero, the least return loss with practice, and the ERL with its figure."""
    at = f"at {show(fact.frequency, 'GHz')}"
    if fact.margin is not None and "margin" in limits:
        text = (f"{fact.margin.value:.1f} dB to the mask {at}, which asks {fact.limit:.1f} dB, seen from {fact.end}"
                f"{_beside(fact, limits)}")
        yield _judged(fact, fact.margin, limits["margin"], text)
    if fact.least is not None and "return_loss" in limits:
        text = f"lowest return loss {fact.least.value:.1f} dB {at}, seen from {fact.end}{_beside(fact, limits)}"
        yield _judged(fact, fact.least, limits["return_loss"], text, doubted=FABRICATION if fact.described else "")
    if fact.erl is not None and "erl" in limits:
        text = f"ERL {fact.erl.measured.value:.1f} dB, seen from {fact.erl.end} ({fact.erl.named})"
        yield _judged(fact, fact.erl.measured, limits["erl"], text, "erl")


def _beside(fact: ReturnLoss, limits: Limits) -> str:
    """The ERL where it is not judged, and whether it would pass."""
    if fact.erl is None:
        return f"; {fact.exempt['erl']}" if fact.exempt.get("erl") else ""
    if "erl" in limits:
        return ""
    held = "meets" if fact.erl.measured.value >= fact.erl.asked else "misses"
    return (f"; the ERL of {fact.erl.measured.value:.1f} dB, seen from {fact.erl.end}, {held} the "
            f"{fact.erl.asked:g} dB of {fact.erl.named} (not judged)")


def _judged(
    fact: ReturnLoss, measured: Measured, bound: Bound, text: str, part: str = "", *, doubted: str = ""
) -> Verdict | Skip:
    """What is known in part only can break a limit but not meet it."""
    if fact.unseen and (bound.limit is None or bound.limit.met_by(measured.value)):
        return Skip(f"{text}; {fact.unseen}", bound=bound, part=part)
    limit = bound.limit
    doubt = limit is not None and not (limit.met_by(measured.lo) and limit.met_by(measured.value))
    furthest = fact.furthest() if doubt and fact.furthest is not None else None
    beyond = limit if limit is not None and not part and not limit.met_by(measured.value) else None
    cause = furthest.element if beyond and furthest is not None and furthest.cures is not None else ""
    return Verdict(
        measured=measured,
        bound=bound,
        message=text,
        fix=partial(_fix, fact, furthest, beyond, bound.entries),
        part=part,
        doubted=doubted,
        changes=furthest.via if cause and furthest is not None else "",
        otherwise=_otherwise(fact),
        note=f"CHN007 at {fact.subject}.transition has the same cause, the impedance of {cause}." if cause else "",
    )


def _otherwise(fact: ReturnLoss) -> str:
    """What is left where no dimension cures the return loss, and what the ERL says of it."""
    if fact.erl is None:
        return OTHERWISE
    seen, asked = fact.erl.measured, fact.erl.asked
    if seen.lo < asked:
        return f"With its interval the ERL of {seen.value:.1f} dB may miss {asked:g} dB too. {OTHERWISE}"
    by = seen.value - asked
    return (f"The ERL of {seen.value:.1f} dB meets the {asked:g} dB of {fact.erl.named} by {by:.1f} dB: the equaliser "
            f"removes most of the reflections, which is a reason to waive. {OTHERWISE}")


def _fix(fact: ReturnLoss, furthest: Furthest | None, limit: Limit | None, entries: Entries) -> str | Fix:
    """What brings the furthest element to the reference; solved for a via where a limit is missed."""
    if furthest is None:
        return GENERIC
    low = furthest.impedance < furthest.reference
    found = furthest.cures(limit, entries) if limit is not None and furthest.cures is not None else ()
    if found:
        return solved(found, low=low, otherwise=_otherwise(fact))
    away = (f"{show(furthest.impedance, 'ohm')}, {'below' if low else 'above'} the reference of "
            f"{show(furthest.reference, 'ohm')}")
    if furthest.cures is not None:
        return f"{direction(furthest.element, low=low, stub=furthest.stub)} ({away})"
    if furthest.line:
        how = "narrower, or its gap wider" if low else "wider, or its gap narrower"
        return f"make {furthest.element} {how} ({away})"
    return f"{mismatched(furthest.element)} ({away})"
