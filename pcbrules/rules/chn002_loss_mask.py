# SPDX-License-Identifier: MIT
"""Insertion loss against the frequency mask of the standard.

What it checks: the loss of the path as described, hot, at every frequency of the mask of its standard; the value is the
least margin. Where the path leaves the board at a connector, or is a part of the channel, breaking the mask alone
already fails, and meeting it says nothing: not evaluated. Standards without a public mask (PCIe, NVLink) are not held
to one. A mask of one part of a channel (from chip to module) holds for links whose `segment` is that part.

Why it matters: an equaliser is made for the loss that the mask allows, not for a hole or a slope beyond it.

How to fix it: shorten the route, choose a laminate of lower loss, remove stubs.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.channel import LossMask
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="CHN002",
    name="loss-mask",
    title="Insertion loss against the mask",
    needs=LossMask,
    limits={"margin": "loss"},
    inputs=("links.*.path", "stackup"),
)


def check(fact: LossMask, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the least margin with zero."""
    bound = limits["margin"]
    text = f"{fact.margin.value:.2f} dB to the mask at {show(fact.frequency, 'GHz')}, which allows {fact.limit:.2f} dB"
    if not fact.whole and fact.margin.value >= 0:
        yield Skip(f"{text}, by the board's part alone: the rest of the channel is unknown", bound=bound)
        return
    yield Verdict(measured=fact.margin, bound=bound, message=text,
                  fix="shorten the route, choose a laminate of lower loss, or remove stubs")
