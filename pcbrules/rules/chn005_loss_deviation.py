# SPDX-License-Identifier: MIT
"""Insertion-loss deviation, and crosstalk as noise.

What it checks: how far the insertion loss is from the smooth curve fitted to it (four terms, IEEE 802.3 annex 93A, up
to 1.5 times Nyquist), at every frequency of the mask, and as one figure of merit (FOM_ILD, a weighted root mean
square); and the integrated crosstalk noise (ICN) of all neighbours at the receiver, where the standard says by which
amplitudes and filters. A part of a channel, or one of which only a loss is known of an element, can break a limit, but
not meet it. Standards without a public limit are not
held to one: the figure is shown.

Why it matters: ripple is interference that the equaliser cannot take off, and so is crosstalk; both add to the noise.

How to fix it: remove stubs, move reflections apart or together, bring vias to the impedance of the lines; against
crosstalk, space the pairs further apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.channel import CrosstalkNoise, LossDeviation
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="CHN005",
    name="loss-deviation",
    title="Insertion-loss deviation and crosstalk noise",
    needs=LossDeviation,
    also=(CrosstalkNoise,),
    limits={"margin": "loss", "fom_ild": "loss", "icn": "voltage"},
    inputs=("links.*.path", "via_types", "stackup", "links.*.path[].trace.neighbours",
            "links.*.path[].via.neighbours", "links.*.crosstalk_elsewhere"),
)

PART = "by the board's part alone: the rest of the channel is unknown"


def check(fact: LossDeviation | CrosstalkNoise, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the least margin with zero, FOM_ILD and ICN with their limits."""
    if isinstance(fact, CrosstalkNoise):
        yield _noise(fact, limits["icn"])
        return
    merit = f"FOM_ILD {fact.fom_ild.value:.2f} dB"
    fix = "remove stubs, or bring vias and lines to one impedance"
    if "margin" in limits and fact.margin is not None:
        deviation = fact.limit - fact.margin.value
        text = f"{deviation:.2f} dB at {show(fact.frequency, 'GHz')}, where {fact.limit:.2f} dB is allowed; {merit}"
        yield _judged(fact.margin, limits["margin"], text, fix, whole=fact.whole, unseen=fact.unseen)
    if "fom_ild" in limits:
        yield _judged(fact.fom_ild, limits["fom_ild"], merit, fix, whole=fact.whole, unseen=fact.unseen,
                      part="fom_ild")
    if "icn" in limits:
        yield Skip(fact.exempt["icn"], part="icn", bound=limits["icn"])


def _judged(
    measured: Measured, bound: Bound, text: str, fix: str, *, whole: bool, unseen: str = "", part: str = ""
) -> Verdict | Skip:
    """What is known in part only can break a limit, but not meet it."""
    if (unseen or not whole) and (bound.limit is None or bound.limit.met_by(measured.value)):
        return Skip(f"{text}; {unseen}" if whole else f"{text}, {PART}", bound=bound, part=part)
    return Verdict(measured=measured, bound=bound, message=text, fix=fix, part=part)


def _noise(fact: CrosstalkNoise, bound: Bound) -> Verdict | Skip:
    """Lines alone, and a part of a channel, can break the limit but not meet it."""
    many = "1 neighbour" if fact.neighbours == 1 else f"{fact.neighbours} neighbours"
    near, far, total = (show(value, "mV", 3) for value in (fact.near, fact.far, fact.icn.value))
    text = f"{total} rms; traces {near} at the near end, {far} at the far end ({many})"
    if fact.via_neighbours:
        pairs = "1 pair" if fact.via_neighbours == 1 else f"{fact.via_neighbours} pairs"
        text += f", via field at most {show(fact.vias, 'mV', 3)}, computed ({pairs})"
    if fact.loss is not None:
        text += f"; the signal loses {fact.loss:.1f} dB"
    if fact.rest and (bound.limit is None or bound.limit.met_by(fact.icn.value)):
        return Skip(f"{text}; {fact.rest}", bound=bound)
    fix = "space the traces further apart, or shorten the common run"
    if fact.loudest == "vias":
        fix = "place the pairs of the via field further apart, or shorten their stubs"
    return _judged(fact.icn, bound, text, fix, whole=fact.whole)
