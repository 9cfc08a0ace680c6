# SPDX-License-Identifier: MIT
"""Return loss against the mask of the standard.

What it checks: the echo at either end of the path, the other end matched to the link's reference impedance, at every
frequency of the mask; the value is the least margin. The interval holds the models of the vias and what fabrication
makes of the lines' impedance. Where only a loss of an element is known, not what it sends back, the mask can be broken,
but not met. Standards without a public mask (NVLink, PCIe from Gen4) are not held to one: the least return loss up to
Nyquist is shown beside what is customary, 12 dB from 16 GBd on and 10 dB below.

Why it matters: what comes back from vias and impedance steps meets the echoes of package and connector, and no receiver
equalises all of it.

How to fix it: bring the lines to the reference impedance, open the antipads, shorten stubs.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.channel import ReturnLoss
from pcbrules.results.rule import Limits, Meta, Skip, Verdict
from pcbrules.units import show

META = Meta(
    id="CHN004",
    name="return-loss",
    title="Return loss against the mask",
    needs=ReturnLoss,
    limits={"margin": "loss"},
    inputs=("links.*.path", "via_types", "stackup", "fabrication"),
)


def check(fact: ReturnLoss, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the least margin with zero."""
    bound = limits["margin"]
    text = (
        f"{fact.margin.value:.1f} dB to the mask at {show(fact.frequency, 'GHz')}, which asks {fact.limit:.1f} dB, "
        f"seen from {fact.end}"
    )
    if fact.unseen and fact.margin.value >= 0:
        yield Skip(f"{text}; {fact.unseen}", bound=bound)
        return
    yield Verdict(
        measured=fact.margin,
        bound=bound,
        message=text,
        fix="bring the lines to the reference impedance, open the antipads, or shorten stubs",
    )
