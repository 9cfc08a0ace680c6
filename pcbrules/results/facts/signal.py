# SPDX-License-Identifier: MIT
"""Facts about links: impedance, skew, stubs, references, channel."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.finding import Proposal
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class PairImpedance(Fact):
    """Differential impedance of one segment [ohm] with model error only, and its relative spread by fabrication.

    ``spread`` is the root of squares over tolerances, ``parts`` its contributors [-]; ``ordered_class`` the impedance
    class ordered with a coupon, if any; ``neck`` marks a segment too short to judge.
    """

    impedance: Measured
    spread: Measured
    ordered_class: Measured | None
    parts: tuple[tuple[str, float], ...]
    neck: bool


@dataclass(frozen=True, kw_only=True)
class PairSkew(Fact):
    """Deterministic intra-pair skew of a link [s], its interval up to the 3 sigma weave skew, and its cost in dB."""

    skew: Measured
    weave: float
    loss_db: float


@dataclass(frozen=True, kw_only=True)
class ResidualStub(Fact):
    """Residual stub at one barrel end of a link at its worst-case depth [m]."""

    stub: Measured
    nominal: float
    side: str


@dataclass(frozen=True, kw_only=True)
class ReferenceGapFact(Fact):
    """Gap in the reference planes beneath one trace [m]; zero where the path was looked at and has none."""

    gap: Measured
    layer: str


@dataclass(frozen=True, kw_only=True)
class LaneSkew(Fact):
    """Delay of the longest lane minus delay of the shortest [s]."""

    skew: Measured


@dataclass(frozen=True, kw_only=True)
class BoardLoss(Fact):
    """Insertion loss of the board's part of the channel at Nyquist, hot, worst lane [dB]."""

    loss: Measured
    cold: float
    nyquist: float
    length: float
    ledger: tuple[tuple[str, float], ...]
    shorter: Proposal | None = None


@dataclass(frozen=True, kw_only=True)
class StubNotch(Fact):
    """Loaded resonance of the worst stub of one via over Nyquist [-], and its largest cost from 0 to Nyquist [dB].

    ``ratio`` and ``cost`` are at the worst-case depth; for the link as a whole ``ratio`` is that of the worst via.
    """

    ratio: Measured
    cost: Measured
    ideal: float
    loaded: float
    lowest: float
    nyquist: float
    return_loss_db: float
    whole_link: bool
