# SPDX-License-Identifier: MIT
"""NVLink of an add-in card leaves over a bridge.

What it checks: an NVLink on a board that is an add-in card. Parts that are sold as cards with NVLink have a bridge
connector at the card's upper edge; the link must lead to a connector, and the card must carry such a part.

Why it matters: the slot of a PCI Express card carries no NVLink. A card that routes it elsewhere fits no server.

How to fix it: lead the link to the bridge connector, take the link away, or correct the form factor or the part.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.platform import CardNvlink
from pcbrules.results.rule import Limits, Meta, Verdict

META = Meta(
    id="PLT002",
    name="card-nvlink",
    title="NVLink of an add-in card",
    needs=CardNvlink,
    limits={"bridge": "number"},
    inputs=("board.form_factor", "board.platform", "links.*.standard", "links.*.path", "system.accelerators[].type"),
)


def check(fact: CardNvlink, limits: Limits) -> Iterator[Verdict]:
    """Does the link leave over a bridge?"""
    if fact.bridges.value > 0:
        message = f"leads to a connector; {fact.part} has NVLink over a bridge"
    elif fact.part:
        message = f"leads to no connector, and {fact.part} has NVLink over a bridge only"
    else:
        message = "none of the accelerators is a card with NVLink"
    yield Verdict(
        measured=fact.bridges,
        bound=limits["bridge"],
        message=message,
        fix="lead the link to the bridge connector, take it away, or correct the form factor or the accelerator",
    )
