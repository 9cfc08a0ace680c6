# SPDX-License-Identifier: MIT
"""How far a signal must stay above the crosstalk: the standard's figure, else that of its modulation."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pcbrules.analysis.channel.masks import leaves_board
from pcbrules.model.board import BoardLink
from pcbrules.model.catalogue.systems import LinkStandard as Standard
from pcbrules.model.catalogue.systems import MaskPiece, StandardMask
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.rule import Offer

RATIO = {"NRZ": 20.0, "PAM4": 30.0}
"""Signal over crosstalk where the standard gives no figure, by modulation [dB]: practice."""


def least_ratio(standard: Standard) -> Offer:
    """Smallest ratio of signal to crosstalk: the standard's at Nyquist, else that of its modulation."""
    for mask, piece in _at_nyquist(standard):
        x = standard.nyquist / 1e9
        least = (piece.constant + piece.root * math.sqrt(x) + piece.linear * x + piece.square * x**2
                 + piece.cube * x**3 + piece.decade * math.log10(x))
        whose = f"{standard.name}, {'normative' if mask.normative else 'informative'}"
        return _at_least(least, whose, Source(mask.source, mask.provenance))
    source = Source("20 dB for NRZ, 30 dB for PAM4", "practice")
    least = RATIO.get(standard.modulation, max(RATIO.values()))
    return _at_least(least, f"{standard.modulation}, informative", source)


def beyond_board(link: BoardLink) -> str:
    """What a standard's figure holds beyond the board: a whole channel's, where the path ends at a connector."""
    for mask, _ in _at_nyquist(link.standard):
        if leaves_board(link):
            return (f"the figure of {link.standard.name} is that of the whole channel ({mask.planes}), and what lies "
                    "beyond the connector is unknown")
    return ""


def _at_nyquist(standard: Standard) -> Iterator[tuple[StandardMask, MaskPiece]]:
    for mask in standard.masks:
        for piece in mask.pieces if mask.quantity == "crosstalk-ratio" else ():
            if piece.start <= standard.nyquist <= piece.stop * (1 + 1e-9):
                yield mask, piece


def _at_least(least: float, whose: str, source: Source) -> Offer:
    return Offer(Limit(least, None, "dB", f">= {least:g} dB ({whose})"), source)
