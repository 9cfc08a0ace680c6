# SPDX-License-Identifier: MIT
"""Facts about power delivery."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class RailImpedance(Fact):
    """Largest |Z| of a rail at the balls in the band in which the board acts [ohm].

    The band depends on the limit, so the fact carries a curve: ``peaks`` holds for each frequency its |Z| nominal,
    low and high corner; ``package_inductance`` [H] ends the band at Z / (2 pi L).
    """

    frequencies: tuple[float, ...]
    nominal: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    load_line: float
    package_inductance: float | None
    formula_target: float | None
    reads: tuple[tuple[str | int, ...], ...]
    assumptions: tuple[str, ...]
    model: str
    idle_banks: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class VrmDistance(Fact):
    """Current-weighted mean distance of the phase inductors from the edge of the ball field [m]."""

    mean: Measured
    furthest: float
    vertical: bool


@dataclass(frozen=True, kw_only=True)
class DecouplingTier(Fact):
    """Distance of the nearest bank of one tier [m]; ``present`` is False where the rail has none."""

    tier: str
    distance: Measured | None
    present: bool
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class VrmRating(Fact):
    """What the regulator can carry over what the load needs [-], by ``kind`` (continuous, peak, phase), or evidence."""

    kind: str
    rated: Measured | None
    needed: float
    evidence: bool = False


@dataclass(frozen=True, kw_only=True)
class SupplyHeadroom(Fact):
    """Supply capacity, redundant units out, over the accelerators' peak power, minus one [-]."""

    headroom: Measured
    system_headroom: float | None


@dataclass(frozen=True, kw_only=True)
class CardPower(Fact):
    """Power that slot and connectors may deliver over the card's peak power [-]."""

    ratio: Measured
    available: float
    peak: float
