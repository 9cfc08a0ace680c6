# SPDX-License-Identifier: MIT
"""Facts about cooling and the thermal interface."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class CoolingMatch(Fact):
    """Sustained power of an accelerator [W] and the kind of cooling it has (``passive``, ``air``, ``liquid``)."""

    power: Measured
    cooling: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class GapStack(Fact):
    """Variation of the thermal interface gap [m]: root of squares as value, worst case as upper end."""

    variation: Measured
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True)
class AcceleratorPower(Fact):
    """Sustained power of one accelerator [W]."""

    power: Measured


@dataclass(frozen=True, kw_only=True)
class RackDensity(Fact):
    """Power of the rack [W] and its kind of cooling."""

    power: Measured
    kind: str
