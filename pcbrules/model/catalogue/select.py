# SPDX-License-Identifier: MIT
"""Choose among the data of a laminate: which set of points to use at a frequency, and what it says there.

Loss tangent: linear in ln f between the points of one set. Below the lowest point that point is held (the
loss tangent of these resins rises with frequency, so this errs high). Above the highest point it follows a
power law up to six times the frequency, with the slope of the resin family. The uncertainty (k = 2) is 10 %
and grows by 10 % for each octave beyond the data (engineering practice, no public source); the range of the
slope comes on top of it.

Dk: likewise between points, held outside them, 2 % and 1 % for each octave outside.

A set with a range (``dk_range``, ``df_range``) is as uncertain as that range is wide, where it is wider.

A laminate whose Dk is given by resin content (``by_resin``) has the Dk of its construction: the middle of what the
resin content of the ply allows, and as uncertain as that is wide. A ply without a construction may be any that is sold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp, log, log2
from typing import Final

from pcbrules.missing import Missing
from pcbrules.model.catalogue.base import Spread
from pcbrules.model.catalogue.dielectrics import GLASS_SLOPES, DataSet, DkByResin, Laminate, Point
from pcbrules.model.catalogue.fields import Confidence
from pcbrules.model.catalogue.parts import Bond, Foil
from pcbrules.ties import greatest_of, least_of

REACH: Final = 6.0
"""How far beyond its highest point a set may be extended, as a ratio of frequencies."""
_TRUST: Final[dict[Confidence, int]] = {"declared": 0, "seen": 0, "derived": 1, "memory": 2}
_SLACK: Final = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class LaminateReading:
    """A value read from the data of a laminate.

    Attributes
    ----------
    value, lo, hi : float
        Value and its interval; ``lo <= value <= hi``.
    relative : float
        Half width of the interval over the value (k = 2), of its wider side.
    octaves : float
        Octaves beyond the highest point (positive) or below the lowest (negative); 0 inside the data.
    data : DataSet
        The set that was used.
    ranged : bool
        True if the range of the set, not the usual uncertainty, makes the interval.
    scale : float
        What the Dk of the set is multiplied by for the construction. [-]
    modelled : float
        The same half width of a line's model, which follows the slope of the resin below the data too.
    construction : float
        Half width of what the construction leaves open, over the value; part of the interval.
    """

    value: float
    lo: float
    hi: float
    relative: float
    octaves: float
    data: DataSet
    ranged: bool = False
    modelled: float = 0.0
    construction: float = 0.0
    scale: float = 1.0


@lru_cache(maxsize=4096)
def df_at(laminate: Laminate, frequency: float) -> LaminateReading | Missing:
    """Loss tangent of a laminate at a frequency (Hz)."""
    data = choose_set(laminate, frequency)
    if isinstance(data, Missing):
        return data
    octaves = _octaves(data, frequency)
    value = _df(laminate, data, frequency)
    held = _between(data.points, frequency, lambda point: point.df)
    wide = _spread(held, data.df_range)
    known = max(0.10, wide) + 0.10 * max(octaves, 0.0)
    down, up = 1 - known, 1 + known
    ends = sorted(2 ** (octaves * (slope - laminate.slope.usual)) for slope in laminate.slope)
    modelled = max(up * ends[-1] - 1, 1 - down * ends[0]) if ends[0] < ends[-1] else known
    relative = modelled if octaves > 0 else known
    if octaves > 0:
        down, up = down * ends[0], up * ends[-1]
    return LaminateReading(value, value * down, value * up, relative, octaves, data, wide > 0.10, modelled)


@lru_cache(maxsize=4096)
def dk_at(
    laminate: Laminate, frequency: float, resin: tuple[float, float] | None = None
) -> LaminateReading | Missing:
    """Relative permittivity of a laminate at a frequency (Hz), for impedance.

    ``resin`` is the least and greatest resin content by weight [-] that the construction may have, where it is known.
    """
    data = model_set(laminate, frequency)
    if isinstance(data, Missing):
        return data
    octaves = _octaves(data, frequency)
    value = _between(data.points, frequency, lambda point: point.dk)
    wide, scale, construction = _spread(value, data.dk_range), 1.0, 0.0
    if laminate.by_resin is not None:
        least, most = dk_of_resin(laminate.by_resin, resin or laminate.by_resin.sold)
        scale = (least + most) / 2 / _printed(laminate.by_resin, data)
        value, wide = value * scale, (most - least) / (most + least)
        construction = wide
    relative = max(0.02, wide) + 0.01 * abs(octaves)
    return LaminateReading(value, value * (1 - relative), value * (1 + relative), relative, octaves, data,
                           ranged=wide > 0.02, scale=scale, construction=construction)


def dk_of_resin(curve: DkByResin, resin: tuple[float, float]) -> tuple[float, float]:
    """Least and greatest Dk at the curve's frequency of resin contents from the least to the greatest [-]."""
    return min(_dk_of(curve, resin[1])), max(_dk_of(curve, resin[0]))


def resin_of_mean(curve: DkByResin, resin: tuple[float, float]) -> float:
    """Resin content [-] whose Dk is the mean of the least and the greatest that a range of contents may have."""
    wanted = sum(dk_of_resin(curve, resin))
    low, high = resin
    for _ in range(60):  # Dk falls with resin
        middle = (low + high) / 2
        low, high = (middle, high) if sum(dk_of_resin(curve, (middle, middle))) > wanted else (low, middle)
    return (low + high) / 2


def _printed(curve: DkByResin, data: DataSet) -> float:
    """Dk of the construction of a set at the curve's frequency; of a set without one its own Dk there."""
    if data.resin is None:
        return _between(data.points, curve.at, lambda point: point.dk)
    ends = _dk_of(curve, data.resin)
    return (ends[0] + ends[-1]) / 2


def _dk_of(curve: DkByResin, resin: float) -> list[float]:
    """Dk at one resin content [-]: one value inside the points, beyond them one for either end of the slope."""
    first, last = curve.points[0], curve.points[-1]
    if not first.resin <= resin <= last.resin:
        end = first if resin < first.resin else last
        slope = GLASS_SLOPES[curve.glass]
        return [end.dk * exp(-each * (resin - end.resin)) for each in (slope.least, slope.most)]
    for below, above in pairwise(curve.points):
        if resin <= above.resin:
            return [below.dk + (resin - below.resin) / (above.resin - below.resin) * (above.dk - below.dk)]
    return [last.dk]


@lru_cache(maxsize=4096)
def choose_set(laminate: Laminate, frequency: float) -> DataSet | Missing:
    """The set from which the loss tangent at a frequency (Hz) is read.

    Data that were read come before data from memory; then a set that covers the frequency, then the one that
    ends nearest below it, then the one that begins nearest above it; of equals the one with the higher loss.
    """
    if not laminate.sets:
        return Missing(f"the library has no dielectric data for {laminate.name}")
    usable = [data for data in laminate.sets if _usable(data, frequency)]
    if not usable:
        return Missing(_why(laminate, frequency))
    return least_of(usable, key=lambda data: _order(laminate, data, frequency))


@lru_cache(maxsize=4096)
def model_set(laminate: Laminate, frequency: float) -> DataSet | Missing:
    """The set from which a line at a frequency (Hz) is modelled.

    As ``choose_set``, but design values come first, and where no set is usable the one that reaches highest
    is still given.
    """
    if not laminate.sets:
        return Missing(f"the library has no dielectric data for {laminate.name}")
    design = [data for data in laminate.sets if data.design] or list(laminate.sets)
    usable = [data for data in design if _usable(data, frequency)]
    if usable:
        return least_of(usable, key=lambda data: _order(laminate, data, frequency))
    return greatest_of(design, key=lambda data: (-_TRUST[data.confidence], data.points[-1].f, data.points[-1].df))


def roughness(foil: Foil, bond: Bond | None) -> tuple[float, float, float]:
    """Rz (m) of a copper face as typical, least and greatest: the foil, changed by the bond treatment if any.

    The bond treatment applies to the face towards the prepreg only; the core side is laminated untreated.
    """
    if bond is None:
        return foil.rz.typical, foil.rz.min, foil.rz.max
    cut, floor, add = (_three(part) for part in (bond.subtract, bond.floor, bond.add))
    return (
        max(foil.rz.typical - cut[0], floor[0]) + add[0],
        max(foil.rz.min - cut[2], floor[1]) + add[1],
        max(foil.rz.max - cut[1], floor[2]) + add[2],
    )


def _three(spread: Spread[float] | None) -> tuple[float, float, float]:
    return (0.0, 0.0, 0.0) if spread is None else (spread.typical, spread.min, spread.max)


def _usable(data: DataSet, frequency: float) -> bool:
    return frequency <= REACH * data.points[-1].f * _SLACK


def _why(laminate: Laminate, frequency: float) -> str:
    top = max(data.points[-1].f for data in laminate.sets)
    return (
        f"the loss data of {laminate.name} end at {top / 1e9:g} GHz, "
        f"and {frequency / 1e9:g} GHz is more than {REACH:g} times that"
    )


def _order(laminate: Laminate, data: DataSet, frequency: float) -> tuple[int, int, float, float]:
    bottom, top = data.points[0].f, data.points[-1].f
    if bottom <= frequency * _SLACK and frequency <= top * _SLACK:
        place, distance = 0, 0.0
    elif top < frequency:
        place, distance = 1, log(frequency / top)
    else:
        place, distance = 2, log(bottom / frequency)
    return _TRUST[data.confidence], place, distance, -_df(laminate, data, frequency)


def _spread(value: float, ends: tuple[float, float] | None) -> float:
    """Half width of a range about a value inside it, over the value [-]: its wider side; 0 without a range."""
    if ends is None or value <= 0:
        return 0.0
    return max(ends[1] - value, value - ends[0]) / value


def _octaves(data: DataSet, frequency: float) -> float:
    bottom, top = data.points[0].f, data.points[-1].f
    if frequency > top:
        return log2(frequency / top)
    return log2(frequency / bottom) if frequency < bottom else 0.0


def _df(laminate: Laminate, data: DataSet, frequency: float) -> float:
    highest = data.points[-1]
    held = _between(data.points, frequency, lambda point: point.df)
    return held * float(max(frequency / highest.f, 1.0) ** laminate.slope.usual)


def _between(points: tuple[Point, ...], frequency: float, read: Callable[[Point], float]) -> float:
    if frequency <= points[0].f:
        return read(points[0])
    for below, above in pairwise(points):
        if frequency <= above.f:
            part = log(frequency / below.f) / log(above.f / below.f)
            return read(below) + part * (read(above) - read(below))
    return read(points[-1])
