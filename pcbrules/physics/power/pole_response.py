# SPDX-License-Identifier: MIT
"""Voltage of a network in time from the poles and residues of its impedance: step, slew-limited step, worst pattern.

Currents flow out of the network, so a droop is positive. All is exact: no time steps, no transform.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Complex, Real
from pcbrules.physics.common.extremes import first_greatest, first_greatest_of_rows, first_top
from pcbrules.ties import same

NARROWED, NEWTON = 3, 4
"""Divisions by sixteen of the intervals round zeros, and Newton's steps after them."""
SIXTEENTHS = 13
"""Divisions by sixteen that leave nothing of an interval but rounding."""

SPAN = 40.0
"""Time constants after which a mode is over: exp(-40) is below rounding."""
STEP_SPAN = 8.0
"""The same where the largest value is sought: it comes while a mode has more than 1/3000 of its height."""
PER_TURN = 16
"""Samples a turn of the fastest living mode, in the search of zeros and peaks."""
MOST_SAMPLES = 20_000
"""Samples of one mode where extremes are sought: enough for a quality of 500."""
CLOSE, MOST_CLOSE = 4, 8_192
"""Samples on either side of the highest one that are looked at closely, and how many times, where what is left of a
fast mode rides on a slow turn."""
MOST_ZEROS = 200_000
"""The same where zeros are sought."""
ROUNDS = 8
"""Each divides the distance of the samples round a peak by eight."""


@dataclass(frozen=True, slots=True)
class Poles:
    """Z(s) as a sum: residue / (s - pole) over all poles, resistance, and s times inductance.

    ``pole`` [rad/s] and ``residue`` [ohm rad/s] have shape (n,) and come in conjugate pairs; ``resistance`` [ohm] and
    ``inductance`` [H] are what is left at infinite frequency.
    """

    pole: Complex
    residue: Complex
    resistance: float
    inductance: float

    def impedance(self, *, frequency: ArrayLike) -> Complex:
        """Impedance at frequencies of shape (...). [ohm]"""
        s = 2j * np.pi * np.asarray(frequency, dtype=float)
        modes = np.sum(self.residue / (s[..., None] - self.pole), axis=-1)
        return np.asarray(modes + self.resistance + s * self.inductance, dtype=complex)

    @property
    def direct(self) -> float:
        """Impedance at zero frequency. [ohm]"""
        return float(self.resistance - np.sum(self.residue / self.pole).real)


    def within(self, frequency: float) -> Poles:
        """With poles beyond a frequency [Hz] as what they are far below their own: a resistance and an inductance."""
        slow = np.abs(self.pole) <= 2 * np.pi * frequency
        still = self.residue[~slow] / self.pole[~slow]
        return Poles(
            self.pole[slow],
            self.residue[slow],
            self.resistance - float(np.sum(still).real),
            self.inductance - float(np.sum(still / self.pole[~slow]).real),
        )


@dataclass(frozen=True, slots=True)
class Extremes:
    """Largest and smallest value of a response, and when. [V] and [s]"""

    largest: float
    at_largest: float
    smallest: float
    at_smallest: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """Integrals of the positive and the negative part of the impulse response, both positive. [ohm]"""

    positive: float
    negative: float

    def droop(self, *, least: float, most: float) -> float:
        """Largest droop below the voltage without load, of any current between two bounds [A]. [V]"""
        return most * self.positive - least * self.negative

    def overshoot(self, *, least: float, most: float) -> float:
        """Largest rise above the voltage without load, of any current between two bounds [A]. [V]"""
        return most * self.negative - least * self.positive


def impulse_response(*, poles: Poles, time: ArrayLike) -> Real:
    """Response to a charge of 1 C, without the delta at zero time.

    Parameters
    ----------
    poles : Poles
        The impedance.
    time : float or ndarray, shape (...)
        Times above zero. [s]

    Returns
    -------
    ndarray, shape (...)
        Its integral is the step response. [ohm/s]
    """
    t = np.asarray(time, dtype=float)
    return np.asarray(np.sum(poles.residue * np.exp(poles.pole * t[..., None]), axis=-1).real)


def step_response(*, poles: Poles, time: ArrayLike) -> Real:
    """Droop after a step of 1 A at zero time; the spike of an inductance at infinite frequency is left out.

    Parameters
    ----------
    poles : Poles
        The impedance.
    time : float or ndarray, shape (...)
        Times; before zero the response is zero. [s]

    Returns
    -------
    ndarray, shape (...)
        Droop over current. [ohm]
    """
    t = np.asarray(time, dtype=float)
    after = np.maximum(t, 0.0)[..., None]
    droop = poles.resistance + np.sum(poles.residue / poles.pole * np.expm1(poles.pole * after), axis=-1).real
    return np.where(t >= 0, droop, 0.0)


def ramp_response(*, poles: Poles, time: ArrayLike, rise: float) -> Real:
    """Droop after a current that rises in a straight line from zero to 1 A.

    Parameters
    ----------
    poles : Poles
        The impedance.
    time : float or ndarray, shape (...)
        Times from the start of the rise. [s]
    rise : float
        Duration of the rise, above zero. [s]

    Returns
    -------
    ndarray, shape (...)
        Droop over current. [ohm]

    Raises
    ------
    ValueError
        The rise is not above zero.
    """
    if not rise > 0:
        raise ValueError("the rise takes no time")
    t = np.asarray(time, dtype=float)
    return (_integral(poles, t) - _integral(poles, t - rise)) / rise


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
    _check(poles, step=rise == 0)
    grid = _grid(poles, STEP_SPAN)
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
    grid = _grid(poles, STEP_SPAN)
    return np.unique(np.concatenate([[0.0, rise], turns, grid, grid + rise]))


def times_until(*, poles: Poles, end: float) -> Real:
    """Times from zero to an end [s] that show every turn of every mode.

    Parameters
    ----------
    poles : Poles
        The network.
    end : float
        Above zero. [s]

    Returns
    -------
    ndarray, shape (n,)
        Rising, both ends included. [s]
    """
    parts = [np.linspace(0, end, 200), np.geomspace(min(1e-4 / np.abs(poles.pole).max(), end / 2), end, 200)]
    for pole in poles.pole[poles.pole.imag > 0]:
        step = 2 * np.pi / pole.imag / PER_TURN
        living = min(end, -STEP_SPAN / pole.real)
        parts.append(np.arange(1, min(math.ceil(living / step), MOST_SAMPLES)) * step)
    times = np.unique(np.concatenate(parts))
    return times[times <= end]


def worst_pattern(*, poles: Poles) -> Pattern:
    r"""What the worst sequence of currents between two bounds can do; slew unlimited, history without end.

    .. math:: \int_0^\infty \max(\pm h, 0)\,\mathrm{d}t,\quad h(t) = Z_\infty\,\delta(t) + \sum_k r_k e^{p_k t}

    Parameters
    ----------
    poles : Poles
        The impedance; all poles with negative real part.

    Raises
    ------
    ValueError
        A pole does not decay, or there is an inductance at infinite frequency: then no bound exists.
    """
    _check(poles, step=True)
    times = [0.0, *zero_crossings(poles=poles)]
    levels = [0.0, *step_response(poles=poles, time=times).tolist(), poles.direct]
    moves = [after - before for before, after in pairwise(levels)]
    return Pattern(sum(move for move in moves if move > 0), -sum(move for move in moves if move < 0))


def square_wave_droop(*, poles: Poles, frequency: float, least: float, most: float) -> float:
    """Largest droop of a settled square wave of current between two bounds.

    Parameters
    ----------
    poles : Poles
        The impedance, without inductance at infinite frequency.
    frequency : float
        Repetition, above zero. [Hz]
    least, most : float
        Bounds. [A]

    Returns
    -------
    float
        Below the voltage without load. [V]
    """
    _check(poles, step=True)
    half = 0.5 / frequency
    swing = (most - least) / (poles.pole * (1 + np.exp(poles.pole * half)))

    def droop(t: Any, current: float, sign: float) -> Any:
        own = sign * swing * np.exp(poles.pole * np.asarray(t)[..., None]) - current / poles.pole
        return poles.resistance * current + np.sum(poles.residue * own, axis=-1).real

    t = np.linspace(0, half, 4001)
    up = turn(t, droop(t, most, 1.0), lambda u: droop(u, most, 1.0))
    down = turn(t, droop(t, least, -1.0), lambda u: droop(u, least, -1.0))
    return max(up[0], down[0])


def zero_crossings(*, poles: Poles) -> tuple[float, ...]:
    """Times above zero at which the impulse response changes sign, as far as it is above rounding.

    Parameters
    ----------
    poles : Poles
        The impedance; all poles with negative real part.

    Returns
    -------
    tuple of float
        Rising. [s]
    """
    t = _grid(poles, SPAN, MOST_ZEROS)
    size = np.sum(np.abs(poles.residue) * np.exp(poles.pole.real * t[:, None]), axis=-1)
    values = impulse_response(poles=poles, time=t)
    alive = np.abs(values) > 1e-13 * size  # above the rounding of its terms
    t, values = t[alive], values[alive]
    places = np.flatnonzero(values[:-1] * values[1:] < 0)
    return tuple(_zeros(poles, t[places], t[places + 1]).tolist())


def _grid(poles: Poles, span: float, most: int = MOST_SAMPLES) -> Real:
    """Rising times that follow every mode for so many of its time constants, with at most so many samples."""
    ends = -span / poles.pole.real
    parts = [np.geomspace(1e-4 / np.abs(poles.pole).max(), ends.max(), 800)]
    for end, omega in zip(ends, poles.pole.imag, strict=True):
        if omega > 0:
            step = 2 * np.pi / omega / PER_TURN
            parts.append(np.arange(1, min(math.ceil(end / step), most)) * step)
    return np.unique(np.concatenate(parts))


def _zeros(poles: Poles, low: Real, high: Real) -> Real:
    """Zeros of the impulse response between times of different sign, all at once: sixteenths, then Newton's steps."""
    row, part = np.arange(len(low)), np.linspace(0, 1, 17)
    for _ in range(NARROWED):
        near = low[:, None] + (high - low)[:, None] * part
        signs = np.sign(impulse_response(poles=poles, time=near))
        at = first_greatest_of_rows((signs != signs[:, :1]).astype(float))
        low, high = near[row, at - 1], near[row, at]
    zero = (low + high) / 2
    for _ in range(NEWTON):
        modes = poles.residue * np.exp(poles.pole * zero[:, None])
        zero = np.clip(zero - modes.sum(axis=-1).real / (modes * poles.pole).sum(axis=-1).real, low, high)
    return zero


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


def _integral(poles: Poles, t: Real) -> Real:
    """Integral of the step response from zero, the spike of the inductance included."""
    after = np.maximum(t, 0.0)
    x = poles.pole * after[..., None]
    modes = np.sum(poles.residue / poles.pole**2 * (np.expm1(x) - x), axis=-1).real
    return np.where(t > 0, poles.inductance + poles.resistance * after + modes, 0.0)


def _check(poles: Poles, *, step: bool) -> None:
    if not np.all(poles.pole.real < 0):
        raise ValueError("a pole does not decay")
    if step and poles.inductance > 0:
        raise ValueError("an inductance at infinite frequency: a step without rise time has no bound")
