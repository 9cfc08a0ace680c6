# SPDX-License-Identifier: MIT
"""Slot and connectors cover the add-in card's peak power.

What it checks: the ratings of the slot (75 W, once) and of every auxiliary connector, over the card's peak power. Where
accelerators on the card, or its core and memory rails, or its largest input rail draw more, theirs counts.

Why it matters: a connector beyond its rating overheats; a card beyond the slot's rating upsets the host.

How to fix it: a connector of a higher rating, one more connector, or a lower power limit of the card.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.power import CardPower
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PDN009",
    name="card-power",
    title="Slot and connectors cover the card's peak",
    needs=CardPower,
    limits={"ratio": "ratio"},
    counts={"ratio": "x the need"},
    inputs=("power.card.connectors", "power.card.peak", "rails.*.current.sustained"),
)


def check(fact: CardPower, limits: Limits) -> Iterator[Verdict]:
    """Compare available over needed power with the limit."""
    yield Verdict(
        measured=fact.ratio,
        bound=limits["ratio"],
        message=f"{show(fact.available, 'W')} from {' + '.join(fact.inlets)}, the card draws {show(fact.peak, 'W')}",
        fix="choose a connector of a higher rating, add one, or lower the card's power limit",
        note=fact.note,
    )
