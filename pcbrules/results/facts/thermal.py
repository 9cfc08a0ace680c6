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
    """Gap of the thermal interface [m]: nominal and root of squares of its tolerances, the worst case as upper end.

    ``nominal`` and ``variation`` (root of squares) are its two parts. [m] ``shares`` gives each contributor's share of
    the variance, largest first. ``closes`` says that the worst case leaves no gap: the faces may touch.
    ``sprung`` says that the cold plate is on springs.
    """

    gap: Measured
    nominal: float
    variation: float
    shares: tuple[tuple[str, float], ...]
    closes: bool = False
    sprung: bool = False


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


@dataclass(frozen=True, kw_only=True)
class ThermalVias(Fact):
    """A field of thermal vias.

    Attributes
    ----------
    pitch, web : Measured
        Of the grid, and what is left between the drilled walls of neighbours [m].
    under : str
        The part above it.
    count : int
        Vias.
    resistance : Measured or None
        From the pad above to the far face [K/W]; None where ``unsolved`` says why.
    parallel : float
        The same without the spreading in the foils [K/W].
    rise : Measured or None
        That resistance times the power that goes through it [K]; None without a power.
    """

    pitch: Measured
    web: Measured
    under: str
    count: int
    resistance: Measured | None
    parallel: float = 0.0
    rise: Measured | None = None
    unsolved: str = ""


@dataclass(frozen=True, kw_only=True)
class ThermalViaFields(Fact):
    """Number of fields of thermal vias on a board with regulators. [-]"""

    number: Measured


@dataclass(frozen=True, kw_only=True)
class HotSpot(Fact):
    """What is left between the lowest Tg of the laminates and the hottest part with thermal vias [K]."""

    margin: Measured
    under: str
    temperature: float
    rise: float
    laminate: str
    tg: float
