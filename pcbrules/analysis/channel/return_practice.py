# SPDX-License-Identifier: MIT
"""The return loss that is customary for a link whose standard has no mask."""

from __future__ import annotations

from pcbrules.model.board import BoardLink
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Offer

RETURN_LOSS = "return-loss"

FAST, FAST_RETURN, SLOW_RETURN = 16e9, 12.0, 10.0
"""Customary return loss of a channel without a mask [dB], from this symbol rate on [Bd] and below it: practice, the
12 dB as masks of 112 Gb/s ask for at the ball."""


def practice(link: BoardLink) -> Offer:
    """The return loss that is customary for a link without a mask."""
    usual = FAST_RETURN if link.standard.symbol_rate >= FAST * (1 - 1e-9) else SLOW_RETURN
    rate = "from 16 GBd on" if usual == FAST_RETURN else "below 16 GBd"
    source = Source("12 dB at either end of the path on the board from 16 GBd on, 10 dB below", "practice")
    return Offer(Limit(usual, None, "dB", f">= {usual:g} dB (practice, {rate})"), source)


def unlimited_return(link: BoardLink) -> bool:
    """True if the standard has no mask of the return loss, of whatever part of a channel."""
    return all(mask.quantity != RETURN_LOSS for mask in link.standard.masks)
