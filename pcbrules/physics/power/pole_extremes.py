# SPDX-License-Identifier: MIT
"""The largest and the smallest value of a response in time, found without stepping through it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_greatest, first_top
from pcbrules.physics.power.pole_response import (
    PER_TURN,
    STEP_SPAN,
    Poles,
    check_decay,
    impulse_response,
    mode_times,
    ramp_response,
    step_response,
)
from pcbrules.ties import same

SIXTEENTHS = 13
"""Divisions by sixteen that leave nothing of an interval but rounding."""
CLOSE, MOST_CLOSE = 4, 8_192
"""Samples on either side of the highest one that are looked at closely, and how many times, where what is left of a
fast mode rides on a slow turn."""
ROUNDS = 8
"""Each divides the distance of the samples round a peak by eight."""


@dataclass(frozen=True, slots=True)
class Extremes:
    """Largest and smallest value of a response, and when. [V] and [s]"""

    largest: float
    at_largest: float
    smallest: float
    at_smallest: float


def step_extremes(*, poles: Poles, rise: float = 0.0) -> Extremes:
    """Largest and smallest droop after a current of 1 A, its end value among them.

    Parameters
    ----------
    poles : Poles
        The impedance; all poles with negative real part.
    rise : float
        Duration of the straight rise, zero for a step. [s]

    Raises
    ------
    ValueError
        A pole does not decay, or the response to a step is infinite: inductance at infinite frequency.
    """
    check_decay(poles, step=rise == 0)
    grid = mode_times(poles, STEP_SPAN)
    if rise == 0:
        times = np.append(0.0, grid)
    else:
        times = np.unique(np.concatenate([[0.0, rise], grid, grid + rise]))

    def response(t: ArrayLike) -> Real:
        if rise == 0:
            return step_response(poles=poles, time=t)
        return ramp_response(poles=poles, time=t, rise=rise)

    def slope(t: ArrayLike) -> Real:
        if rise == 0:
            return impulse_response(poles=poles, time=t)
        return step_response(poles=poles, time=t) - step_response(poles=poles, time=np.asarray(t) - rise)

    values = response(times)
    fastest = float(np.abs(poles.pole.imag).max())
    high, at_high = turn(times, values, response, slope, fastest)
    low, at_low = turn(times, -values, lambda t: -response(t), slope, fastest)
    if poles.direct >= high:
        high, at_high = poles.direct, math.inf
    if poles.direct <= -low:
        low, at_low = -poles.direct, math.inf
    return Extremes(high, at_high, -low, at_low)


def response_times(*, poles: Poles, rise: float) -> Real:
    """Times that show the response to a straight rise: every turn of every mode, both extremes, until it settles.

    Parameters
    ----------
    poles : Poles
        The impedance; all poles with negative real part.
    rise : float
        Duration of the rise, above zero. [s]

    Returns
    -------
    ndarray, shape (n,)
        Rising from zero; the last one is ``STEP_SPAN`` time constants of the slowest mode after the rise. [s]
    """
    found = step_extremes(poles=poles, rise=rise)
    turns = [time for time in (found.at_largest, found.at_smallest) if math.isfinite(time)]
    grid = mode_times(poles, STEP_SPAN)
    return np.unique(np.concatenate([[0.0, rise], turns, grid, grid + rise]))


def turn(t: Real, values: Real, function: Any, slope: Any = None, fastest: float = 0.0) -> tuple[float, float]:
    """Largest value of a response and its time: where the slope is zero, or looked at ever more closely.

    Parameters
    ----------
    t, values : ndarray, shape (n,)
        Rising times [s], and the response there.
    function, slope : callable
        The response of times, and its slope where it is known.
    fastest : float
        Angular frequency of the fastest mode, of which something may be left between the times. [rad/s]
    """
    at = _hill(t, values, function)
    best, place = float(values[at]), float(t[at])
    low, high = float(t[max(at - 1, 0)]), float(t[min(at + 1, len(t) - 1)])
    turns = (high - low) * fastest / (2 * np.pi)
    if turns > 2:  # the fast mode may have lifted another sample than the one beside the turn
        low, high = float(t[max(at - CLOSE, 0)]), float(t[min(at + CLOSE, len(t) - 1)])
        turns = (high - low) * fastest / (2 * np.pi)
        near = np.linspace(low, high, min(math.ceil(PER_TURN * turns), MOST_CLOSE) + 1)
        heights = function(near)
        top = first_top(heights)
        best, place = _higher(best, place, float(np.max(heights)), float(near[top]))
        low, high = float(near[max(top - 1, 0)]), float(near[min(top + 1, len(near) - 1)])
    if slope is not None and low > 0 and float(slope(low)) * float(slope(high)) < 0:
        place = _zero(slope, low, high)
        return float(function(place)), place
    for _ in range(ROUNDS):
        near = np.linspace(low, high, 17)
        heights = function(near)
        top = first_top(heights)
        best, place = _higher(best, place, float(np.max(heights)), float(near[top]))
        low, high = float(near[max(top - 1, 0)]), float(near[min(top + 1, 16)])
    return best, place


def _hill(t: Real, values: Real, function: Any) -> int:
    """The sample beside the highest top: where several hills are nearly as high, samples lie further from some tops."""
    at = first_top(values)
    before, after = np.diff(t)[:-1], np.diff(t)[1:]
    left, right = np.diff(values)[:-1], -np.diff(values)[1:]
    bend = 2 * (left / before + right / after) / (before + after)
    missed = bend * np.maximum(before, after) ** 2 / 4  # twice what a parabola has at most above its sample
    hills = 1 + np.flatnonzero((left >= 0) & (right >= 0) & (values[1:-1] + missed >= values[at]))
    if len(hills) < 2:
        return at
    near = t[hills - 1, None] + (t[hills + 1] - t[hills - 1])[:, None] * np.linspace(0, 1, 17)
    return int(hills[first_greatest(function(near).max(axis=1))])


def _higher(best: float, place: float, found: float, where: float) -> tuple[float, float]:
    """The larger of two values, and its place; of equal ones the first place."""
    return max(best, found), where if found > best and not same(found, best) else place


def _zero(function: Any, low: float, high: float) -> float:
    """Zero between two times of different sign, by sixteenths (scipy.optimize would cost a check 0.1 s to load)."""
    for _ in range(SIXTEENTHS):
        near = np.linspace(low, high, 17)
        signs = np.sign(function(near))
        at = first_greatest((signs != signs[0]).astype(float))
        if near[at - 1] == near[at]:
            break
        low, high = float(near[at - 1]), float(near[at])
    return (low + high) / 2
