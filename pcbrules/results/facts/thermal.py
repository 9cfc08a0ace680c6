# SPDX-License-Identifier: MIT
"""Facts about cooling and the thermal interface."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class CoolingMatch(Fact):
    """Sustained power of an accelerator [W] and how it is cooled.

    ``kind`` is ``passive`` (air that nothing moves), ``air``, or ``liquid``; ``cooling`` the name of the way.
    """

    power: Measured
    cooling: str
    kind: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class GapStack(Fact):
    """Variation of the thermal interface's gap [m], half width: root of squares as value, worst case as upper end.

    ``shares`` gives each contributor's share of the variance, largest first.
    """

    variation: Measured
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True)
class AcceleratorPower(Fact):
    """Sustained power of one accelerator [W]."""

    power: Measured
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class RackDensity(Fact):
    """Power of the rack [W] and its kind of cooling, as in ``CoolingMatch``."""

    power: Measured
    cooling: str
    kind: str
