# SPDX-License-Identifier: MIT
"""Facts about a channel beside the frequency masks of its standard."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class MaskMargin(Fact):
    """Least margin to a mask [dB], at ``frequency`` [Hz], where the mask is ``limit`` [dB].

    ``whole`` is false where the board holds a part of the channel alone; ``end`` is where a return loss is seen.
    """

    margin: Measured
    frequency: float
    limit: float
    whole: bool
    end: str = ""


@dataclass(frozen=True, kw_only=True)
class LossMask(MaskMargin):
    """Insertion loss of the path."""


@dataclass(frozen=True, kw_only=True)
class LossDeviation(MaskMargin):
    """What the insertion loss differs by from a smooth curve, of either sign."""


@dataclass(frozen=True, kw_only=True)
class ReturnLoss(MaskMargin):
    """Echo at the worse end of the path, the other end matched."""
