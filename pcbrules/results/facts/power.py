# SPDX-License-Identifier: MIT
"""Facts about power delivery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import pi

from pcbrules.results.curve import Exact, with_points
from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageInductance:
    """Loop inductance of a load's package [H], which ends the band in which the board acts.

    Attributes
    ----------
    value, lo, hi : float
        Nominal and at the tolerances. Of an assumed one the band is judged at ``value``, the least that is sold.
    key, why, text : str
        Where it is assumed: its key in the board file, what is wrong with that, and what is assumed.
    sold : float
        The least that is sold, where the declared value is larger than usual; else 0. [H]
    """

    value: float
    lo: float
    hi: float
    key: str = ""
    why: str = "is not declared"
    text: str = ""
    sold: float = 0.0

    def ends(self, limit: float, top: float) -> tuple[float, float, float]:
        """Least, judged and widest end of the band for a limit [ohm], at most ``top``. [Hz]"""
        least, end, widest = (min(top, limit / (2 * pi * one)) for one in (self.hi, self.value, self.lo))
        return (least if self.key else end), end, widest


CONTRADICTS = 2.0
"""Ratio of the drawn copper to the ladder's `spreading` above which they contradict each other; practice. [-]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadingRatio:
    """The drawn copper of a rail beside the `spreading` of its ladder, by what is further apart.

    Attributes
    ----------
    quantity, unit : str
        ``resistance`` or ``inductance``, and the unit in which it is shown.
    least, drawn : float
        Of the drawn copper, as it is drawn and at the most that it may lack. [ohm] or [H]
    ladder : float
        Of all steps of the ladder. [ohm] or [H]
    """

    quantity: str
    unit: str
    least: float
    drawn: float
    ladder: float


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
    package : PackageInductance
        Of the load.
    undeclared : str
        Key of an input of a bank that is assumed; empty if none is.
    formula_target : float or None
        Voltage x AC tolerance / load step. [ohm]
    die : (frequency, magnitude) or None
        Largest |Z| that the die sees through its package; printed, not judged. [Hz, ohm]
    exact : function
        The rows nominal, corners, without at any frequencies [Hz] between the first and the last. [ohm]
    spreading : SpreadingRatio or None
        The drawn copper beside the ladder; None where one of them is lacking.
    remarks : tuple of str
        Sentences to be printed: a declared load step beside the profile's, peaks and cavity resonances of a rail with
        a layout.
    cure : function or None
        Looks for more pieces of a bank, given the ends of the band nominal and widest [Hz] and a limit [ohm]; None of a
        rail on planes.
    """

    frequencies: tuple[float, ...]
    nominal: tuple[float, ...]
    corners: tuple[tuple[float, ...], ...]
    without: tuple[tuple[str, tuple[float, ...]], ...]
    load_line: float
    regulator_band: Measured
    package: PackageInductance
    formula_target: float | None
    die: tuple[float, float] | None
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]
    model: str
    exact: Exact = field(compare=False)
    undeclared: str = ""
    spreading: SpreadingRatio | None = None
    remarks: tuple[str, ...] = ()
    cure: Callable[[float, float, float, float], MorePieces | None] | None = field(default=None, compare=False)

    def through(self, *places: float) -> RailImpedance:
        """The fact with the exact |Z| at further frequencies [Hz], which are then points of its curves."""
        rows = (self.nominal, *self.corners, *(curve for _, curve in self.without))
        frequencies, rows = with_points(self.frequencies, rows, self.exact, places)
        count = 1 + len(self.corners)
        without = tuple((name, curve) for (name, _), curve in zip(self.without, rows[count:], strict=True))
        return replace(self, frequencies=frequencies, nominal=rows[0], corners=rows[1:count], without=without)


PLANES = "planes and vias"
"""An element of a peak: all between the places of a layout."""

REGULATOR, BEHIND = "the regulator", "the planes behind"
"""Elements of a peak that are no bank: the regulator, and the begin of the name of a step of the ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MorePieces:
    """More pieces in a bank, ``count`` for the ``before`` it has, and the ``value`` that the rail shows then.

    ``becomes`` is the verdict with the variants of the rail; empty where the value misses the limit. ``where`` the
    pieces stand is empty where nothing says it; on a layout there is ``room`` for so many alone.
    """

    bank: str
    before: int
    count: int
    value: float
    becomes: str = ""
    where: str = ""
    room: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DampingBank:
    """Pieces ``like`` those of a bank of the rail that damp a peak: effective capacitance [F] and ESR [ohm] of each.

    ``inductance`` is that with which the bank mounts its pieces, ``most`` the largest with which they still damp [H].
    """

    count: int
    like: str
    capacitance: float
    esr: float
    inductance: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreResistance:
    """The ESR of each piece of the bank that rings with which a peak is damped, and that ``before`` [ohm]."""

    esr: float
    before: float


@dataclass(frozen=True, kw_only=True)
class RailPeak:
    """A parallel resonance of a rail, between two of its elements.

    Attributes
    ----------
    name : str
        Stable: the inductive element and the capacitive one, ``mid_hf``.
    inductive, capacitive : str
        The elements as a reader knows them: ``mid (240 x 47 uF)``; ``PLANES`` of a layout.
    frequency, magnitude, quality : float
        Of the nominal rail [Hz, ohm, -].
    damping : float
        sqrt(L/C) of the two [ohm].
    variants : tuple of (frequency, magnitude, quality)
        The same peak of the variants that the uncertain inputs span, where they have it.
    apparent : bool
        False where only variants have the peak; the numbers are then those of the nominal rail at its frequency.
    damper : function or None
        Looks for what leaves no peak there above a limit [ohm] and sharper than a quality [-].
    """

    name: str
    inductive: str
    capacitive: str
    frequency: float
    magnitude: float
    quality: float
    damping: float
    variants: tuple[tuple[float, float, float], ...]
    apparent: bool
    damper: Callable[[float, float], DampingBank | MoreResistance | None] | None = field(
        default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class RailPeaks(Fact):
    """Every parallel resonance of a rail seen from the balls, die and package taken off.

    Attributes
    ----------
    start, top : float
        Frequencies between which peaks were sought. [Hz]
    peaks : tuple of RailPeak
        Rising in frequency.
    load_line : float
        Output resistance that the regulator imitates by design, 0 for none. [ohm]
    regulator_band : Measured
        Frequency up to which the regulator does so. [Hz]
    package : PackageInductance
        Of the load.
    undeclared : str
        Key of an input of a bank that is assumed; empty if none is.
    planes : bool
        True of a rail on the planes of its layout.
    step_note : str
        How the load step of the target differs from the profile's; empty where it does not.
    """

    start: float
    top: float
    peaks: tuple[RailPeak, ...]
    load_line: float
    regulator_band: Measured
    package: PackageInductance
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]
    model: str
    undeclared: str = ""
    step_note: str = ""
    planes: bool = False


@dataclass(frozen=True, kw_only=True)
class SlewLimitedRelease:
    """A load that lets go faster than the inductors of the phases can.

    Attributes
    ----------
    inductance : float
        Of all phases in parallel. [H]
    fall : float
        Time in which their current falls by the load step. [s]
    bound : float
        L dI^2 / (2 C V). [V]
    rise : float
        Of the whole network with all phases off, above the voltage after the release. [V]
    where : path
        Of the inductance in the board file.
    """

    inductance: float
    fall: float
    bound: float
    rise: float
    where: Address


@dataclass(frozen=True, kw_only=True)
class RailTransient(Fact):
    """What a load step and its release do at the balls of a rail. [V]

    Attributes
    ----------
    droop : Measured
        Below the voltage before the step, the load line's share taken off.
    lowest_at : float
        When, from the start of the step; infinite where the end value is the lowest. [s]
    linear : Measured
        Rise above the voltage after the release, with the regulator's loop closed.
    overshoot : Measured or None
        The larger one of that and of the slew-limited release; None where the phases' inductors are not known.
    overshoot_gap : str
        What is then missing.
    release : SlewLimitedRelease or None
        None where the inductors are not known, or fall faster than the load.
    inductor_slew : float or None
        How fast the inductors' current can fall, V / L. [A/s]
    step, slew : float
        Of the load at the balls [A, A/s]; ``step_origin`` says where the step comes from, ``step_note`` how a declared
        one differs from the profile's.
    voltage, load_line, direct, stored : float
        Set voltage [V], load line [ohm], drop over the resistances of regulator and planes [V], capacitance [F].
    die, worst_at_die : float or None
        Droop at the die, and that of the worst pattern of currents; printed, not judged. [V]
    cure : function or None
        Looks for more pieces of a bank that meet a limit [V], of the droop or of the overshoot; None on planes.
    """

    droop: Measured
    lowest_at: float
    linear: Measured
    overshoot: Measured | None
    overshoot_gap: str
    release: SlewLimitedRelease | None
    inductor_slew: float | None
    step: float
    step_origin: str
    step_note: str
    slew: float
    voltage: float
    load_line: float
    direct: float
    stored: float
    die: float | None
    worst_at_die: float | None
    cure: Callable[..., MorePieces | None] | None = field(default=None, compare=False, repr=False)


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
        What the load draws; of one phase for ``phase``; the most where the file does not declare it. [A]
    least : float or None
        The least that it draws where the file does not declare it. [A]
    count : int
        Phases that share it, of ``phase``.
    """

    kind: str
    ratio: Measured
    rated: Measured | None = None
    needed: float = 0.0
    least: float | None = None
    count: int = 1
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class SupplyHeadroom(Fact):
    """Supply capacity [W], redundant units out, over the accelerators' peak power [W], minus one [-].

    ``system`` is the same over what the whole system draws at its peak, ``each`` the capacity of one supply [W].
    """

    headroom: Measured
    system: Measured
    capacity: float
    peak: float
    each: float


@dataclass(frozen=True, kw_only=True)
class CardPower(Fact):
    """Power that slot and connectors may deliver over the card's peak power [-]."""

    ratio: Measured
    available: float
    peak: float
    inlets: tuple[str, ...]
    note: str = ""
