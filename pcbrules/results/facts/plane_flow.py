# SPDX-License-Identifier: MIT
"""Facts about direct current over the planes of a rail."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, slots=True)
class NarrowCopper:
    """The hottest neck of a rail.

    Attributes
    ----------
    rise : Measured
        Above the copper at its ends; surfaces by the fit to IPC-2152. At the upper end its ends are warm and its
        surfaces those of IPC-2221 for inner conductors. [K]
    upper : float
        That with nominal copper. [K]
    endless : float
        Of an endless trace of its width, by the fit to IPC-2152. [K]
    current, width, length : float
        Through it [A], across the flow, and of a strip of this width with its resistance [m].
    layer : str
        Name of its layer.
    place : (float, float)
        Its middle. [m]
    web : bool
        It lies between two antipads.
    widest : float
        Copper wider than this counts as a plane, for which neither standard has a figure. [m]
    """

    rise: Measured
    upper: float
    endless: float
    current: float
    width: float
    length: float
    layer: str
    place: tuple[float, float]
    web: bool
    widest: float


@dataclass(frozen=True, slots=True)
class BallSpread:
    """How far the balls of a rail differ, supply and return together, all at one ampere of load. [ohm]

    ``middle`` are the balls whose potential is nearest the middle of all, one a side [m]; the lowest ball lies
    ``below`` them and the highest ``above``. ``highest`` is how far that one lies above where the drop counts from.
    """

    middle: tuple[tuple[float, float], ...]
    below: float
    above: float
    highest: float


@dataclass(frozen=True, kw_only=True)
class PlaneFlow(Fact):
    """Direct current over the copper of a rail, supply and, where it is drawn, return.

    Attributes
    ----------
    drop, peak_drop : Measured
        From the sense point (without one: the sources' mean) to the worst ball, over the rail's voltage, at the
        sustained and at the peak current; None without a peak current. [-]
    loss : Measured
        Power lost in the copper over the rail's power, at the sustained current. [-]
    via : Measured or None
        Largest sustained current of a barrel, scaled to one of 0.25 mm with 25 um that gets as hot. [A]
    neck : NarrowCopper or None
        The hottest neck at the sustained current; None where no copper is narrow.
    current, peak : float
        Of the load, sustained and peak. [A]
    voltage : float
        Of the rail. [V]
    start : str
        Where the drop counts from.
    worst : (float, float)
        Place of the worst ball. [m]
    shares : (float, float)
        Smallest and largest current of a source over its share. [-]
    balls : BallSpread
        How far the balls differ, and where a sense point would stand in the middle of them.
    returned : bool
        The return planes are part of it.
    barrels, pads : float
        Power lost in barrels, and in the sources' own resistances. [W]
    copper : tuple of float
        Thickness of each plane of supply and return. [m]
    planes : tuple of (str, float)
        Layer of each, and the foil that it is ordered in; where no base weight is declared its thickness. [m]
    """

    drop: Measured
    peak_drop: Measured | None
    loss: Measured
    via: Measured | None
    neck: NarrowCopper | None
    current: float
    peak: float | None
    voltage: float
    start: str
    worst: tuple[float, float]
    shares: tuple[float, float]
    balls: BallSpread
    returned: bool
    barrels: float
    pads: float
    copper: tuple[float, ...]
    planes: tuple[tuple[str, float], ...]
