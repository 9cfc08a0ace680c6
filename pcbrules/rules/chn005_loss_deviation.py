# SPDX-License-Identifier: MIT
"""Insertion-loss deviation against its mask.

What it checks: how far the insertion loss is from the smooth curve fitted to it (four terms, IEEE 802.3 annex 93A, up
to 1.5 times Nyquist), at every frequency of the mask. As with the loss, a part of a channel can break the mask, but not
meet it. Standards without a public mask are not held to one.

Why it matters: ripple is interference that the equaliser cannot take off; it is added to the noise.

How to fix it: remove stubs, move reflections apart or together, bring vias to the impedance of the lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.channel import LossDeviation
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="CHN005",
    name="loss-deviation",
    title="Insertion-loss deviation",
    needs=LossDeviation,
    limits={"margin": "loss"},
    inputs=("links.*.path", "via_types", "stackup"),
)


def check(fact: LossDeviation, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the least margin with zero."""
    bound = limits["margin"]
    deviation = fact.limit - fact.margin.value
    text = f"{deviation:.2f} dB at {show(fact.frequency, 'GHz')}, where {fact.limit:.2f} dB is allowed"
    if not fact.whole and fact.margin.value >= 0:
        yield Skip(f"{text}, by the board's part alone: the rest of the channel is unknown", bound=bound)
        return
    yield Verdict(measured=fact.margin, bound=bound, message=text,
                  fix="remove stubs, or bring vias and lines to one impedance")
