# SPDX-License-Identifier: MIT
"""What stubs take of a channel beside its loss at Nyquist, so that no stub betters a budget that is read there.

The loss that a stub adds at Nyquist grows with its length until it resonates there; a longer one resonates below and
adds less again, or nothing where it is half a wave long. The signal crosses that resonance all the same. So the loss
is the largest up to Nyquist where a stub resonates in band: at the length where the resonance enters the band, both
readings are one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pcbrules.analysis.channel.element_chain import Corner, ElementChain
from pcbrules.analysis.channel.task import LedgerLine, StubExcess
from pcbrules.analysis.vias.task import ViaResult
from pcbrules.physics.common.extremes import first_greatest


def excess(row: ElementChain, vias: Iterable[ViaResult], corner: Corner) -> StubExcess:
    """Return the excess of the stubs with all vias at one corner; none where no stub resonates up to Nyquist.

    Parameters
    ----------
    row : ElementChain
        All networks, on a grid that holds Nyquist and every resonance.
    vias : iterable of ViaResult
        Of the row.
    corner : str
        Nominal, dearest (resonances at their lower bounds) or cheapest.
    """
    nyquist = row.task.nyquist
    bound = {"value": "value", "hi": "lo", "lo": "hi"}[corner]
    if not any(getattr(stub.loaded, bound) <= nyquist for made in vias for stub in made.stubs):
        return StubExcess()
    at = int(np.searchsorted(row.frequency, nyquist))
    loss = row.loss(corner)[: at + 1]
    peak = first_greatest(loss)
    return StubExcess(float(loss[peak] - loss[at]), float(row.frequency[peak]))


def none_better(found: StubExcess, ledger: Iterable[LedgerLine]) -> StubExcess:
    """Return the excess, at least what the stubs give back at Nyquist by the ledger: they count as none there."""
    given = -sum(part.loss for part in ledger if part.part == "stubs")
    return found if found.loss >= given else StubExcess(given, found.frequency)
