# SPDX-License-Identifier: MIT
"""What a DC bias leaves of a ceramic capacitor whose rated voltage is known as a range only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from pcbrules.analysis.common.interval import Interval
from pcbrules.model.catalogue.records import BiasCurve, Capacitor
from pcbrules.units import show

BEYOND: Final = 1.1
"""A derating is held up to this multiple of its highest bias; practice."""
USUAL: Final = 1.5
"""Rated voltage over the bias of usual parts; practice: 16 V parts at 12 V, 6.3 V at 3.3 V, 100 V at 54 V."""


def bias_share(
    part: Capacitor | None, voltage: float, curves: Mapping[str, BiasCurve], *, rated: float | None = None
) -> tuple[Interval, str] | None:
    """Share of the capacitance left at a bias [V], and by what; None where no part is sold for that voltage.

    Between the least rated voltage that is sold and stands the bias, with the least share of its curve, and the
    greatest one with the most; ``rated`` is the voltage of this one [V]. Data of the part itself replace the usual
    share.
    """
    curve = curves[part.bias if part and part.bias else "any"]
    sold = part.rated if part and part.rated else curve.rated
    lowest, highest = (sold.min, sold.max) if rated is None else (rated, rated)
    if voltage > highest * (1 + 1e-9):
        return None
    usual = min(max(sold.typical, USUAL * voltage), sold.max) if rated is None else rated
    least = between([(p.ratio, p.least) for p in curve.points], voltage / max(lowest, voltage))
    most = between([(p.ratio, p.most) for p in curve.points], voltage / highest)
    typical = between([(p.ratio, p.typical) for p in curve.points], voltage / usual)
    own = bias_left(part, voltage) if part else None
    if own and not own[1]:
        least, typical, most = min(least, own[0]), own[0], max(most, own[0])
    ends = show(highest, "V") if rated is not None else f"{show(lowest, 'V')} to {show(highest, 'V')}"
    return Interval(lo=least, value=typical, hi=most), f"{curve.use}, rated {ends}"


def bias_left(part: Capacitor, voltage: float) -> tuple[float, bool] | None:
    """Share of capacitance left at a bias [V], and whether temperature and age are in it; None without data.

    Sets that cover the same effects are joined. Below the lowest bias its share is held, which errs low; so is the
    share of the highest bias up to ``BEYOND``.
    """
    for whole in (True, False):
        points = sorted(p for d in part.derating if ("age" in d.covers.replace(",", " ").split()) is whole
                        for p in d.points)
        if points and voltage <= points[-1][0] * BEYOND:
            return between(points, voltage), whole
    return None


def between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Return the value at a place, straight between points in ascending order and held outside them."""
    if at <= points[0][0]:
        return points[0][1]
    for (a, low), (b, high) in pairwise(points):
        if at <= b:
            return low + (high - low) * (at - a) / (b - a) if b > a else min(low, high)
    return points[-1][1]
