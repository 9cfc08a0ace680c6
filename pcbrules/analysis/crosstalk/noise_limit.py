# SPDX-License-Identifier: MIT
"""How much integrated crosstalk noise a standard allows, by the loss of the signal."""

from __future__ import annotations

import math
from dataclasses import replace

from pcbrules.model.board import BoardLink
from pcbrules.model.catalogue.systems import NoiseLimit
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer


def noise_limit(link: BoardLink, loss: Measured | None, unknown: str) -> tuple[dict[str, Offer], dict[str, str]]:
    """The limit for a loss of the signal [dB], or why there is none: ``unknown`` says why there is no loss."""
    limit = link.standard.noise_limit
    if limit is None:
        return {}, {}
    if loss is None:
        return {}, {"icn": f"the limit goes by the loss of the signal, which is not known: {unknown}"}
    most = _most(limit, loss.value)
    if most is None:
        lowest, highest = _ends(limit)
        where = f"{lowest:g} to {highest:g} dB of loss"
        return {}, {"icn": f"the limit is set for {where}; the signal loses {loss.value:.1f} dB"}
    standing = "normative" if limit.normative else "informative"
    text = f"<= {1e3 * most:.3g} mV ({limit.planes}, {standing})"
    return {"icn": Offer(Limit(None, most, "mV", text), Source(limit.source, limit.provenance))}, {}


def with_spread_of_limit(icn: Measured, link: BoardLink, loss: Measured) -> Measured:
    """The noise [V rms], its interval up by what the limit would fall if the signal lost the most of its interval."""
    limit = link.standard.noise_limit
    if limit is None:
        return icn
    at, least = _most(limit, loss.value), _most(limit, min(loss.hi, _ends(limit)[1]))
    if at is None or least is None or least >= at:
        return icn
    return replace(icn, hi=icn.value + math.hypot(icn.hi - icn.value, at - least))


def _most(limit: NoiseLimit, loss: float) -> float | None:
    """Largest noise [V rms] for a loss of the signal [dB], None where no limit is set."""
    return next((one.constant + one.slope * loss for one in limit.pieces if one.start <= loss <= one.stop), None)


def _ends(limit: NoiseLimit) -> tuple[float, float]:
    """Losses between which a limit is set. [dB]"""
    return min(one.start for one in limit.pieces), max(one.stop for one in limit.pieces)
