# SPDX-License-Identifier: MIT
"""Facts about power delivery."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured, Where


@dataclass(frozen=True, kw_only=True)
class RailImpedance(Fact):
    """|Z| of a rail at the balls over frequency [ohm], die and package taken off.

    The limit decides the band in which the board acts, so the fact carries curves, not a maximum.

    Attributes
    ----------
    frequencies : tuple of float
        Rising, with every peak of every curve. [Hz]
    nominal : tuple of float
        |Z| at ``frequencies``. [ohm]
    corners : tuple of curves
        |Z| of the variants that the uncertain inputs span. [ohm]
    without : tuple of (name, curve)
        Nominal |Z| with one bank taken out, by bank. [ohm]
    load_line : float
        Output resistance that the regulator imitates by design, 0 for none. [ohm]
    regulator_band : Measured
        Frequency up to which the regulator does so. [Hz]
    package_inductance, package_inductance_low : float or None
        Of the load's package, nominal and at its lower tolerance. [H]
    formula_target : float or None
        Voltage x AC tolerance / load step. [ohm]
    die : (frequency, magnitude) or None
        Largest |Z| that the die sees through its package; printed, not judged. [Hz, ohm]
    """

    frequencies: tuple[float, ...]
    nominal: tuple[float, ...]
    corners: tuple[tuple[float, ...], ...]
    without: tuple[tuple[str, tuple[float, ...]], ...]
    load_line: float
    regulator_band: Measured
    package_inductance: float | None
    package_inductance_low: float | None
    formula_target: float | None
    die: tuple[float, float] | None
    reads: tuple[Where, ...]
    assumptions: tuple[str, ...]
    model: str


@dataclass(frozen=True, kw_only=True)
class VrmDistance(Fact):
    """Current-weighted mean distance of the phase inductors from the edge of the ball field [m]."""

    mean: Measured
    furthest: float
    vertical: bool


@dataclass(frozen=True, kw_only=True)
class DecouplingTier(Fact):
    """Banks of one tier (``bulk``, ``mid``, ``high_frequency``) of a rail.

    Attributes
    ----------
    distance : Measured or None
        Of the nearest bank whose place is known, from the ball field. [m]
    unplaced : tuple of str
        Board-file keys of the distances that are missing.
    unsized : tuple of str
        Board-file keys whose absence leaves open whether a bank belongs to this tier.
    members : tuple of str
        Banks of the tier, as a reader knows them.
    others : tuple of str
        The rail's other banks.
    """

    tier: str
    distance: Measured | None
    unplaced: tuple[str, ...] = ()
    unsized: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class VrmRating(Fact):
    """What the regulator may carry against what the load needs, as the board file declares both.

    Attributes
    ----------
    kind : str
        ``continuous``, ``peak``, ``over_current``, ``phase``, or ``evidence``.
    ratio : Measured
        Rated over needed [-]; for ``evidence`` 1 with a document and 0 without.
    rated : Measured or None
        The rating; of one phase for ``phase``. [A]
    needed : float
        What the load draws; of one phase for ``phase``. [A]
    """

    kind: str
    ratio: Measured
    rated: Measured | None = None
    needed: float = 0.0
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class SupplyHeadroom(Fact):
    """Supply capacity [W], redundant units out, over the accelerators' peak power [W], minus one [-]."""

    headroom: Measured
    capacity: float
    peak: float
    system_headroom: float | None


@dataclass(frozen=True, kw_only=True)
class CardPower(Fact):
    """Power that slot and connectors may deliver over the card's peak power [-]."""

    ratio: Measured
    available: float
    peak: float
    inlets: tuple[str, ...]
    note: str = ""
