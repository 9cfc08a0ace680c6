# SPDX-License-Identifier: MIT
"""What the worst sequence of currents, and a square wave of current, do to a voltage: from the impedance's poles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_greatest_of_rows
from pcbrules.physics.power.pole_extremes import turn
from pcbrules.physics.power.pole_response import Poles, check_decay, impulse_response, mode_times, step_response

NARROWED, NEWTON = 3, 4
"""Divisions by sixteen of the intervals round zeros, and Newton's steps after them."""
SPAN = 40.0
"""Time constants after which a mode is over: exp(-40) is below rounding."""
MOST_ZEROS = 200_000
"""Samples of one mode where zeros are sought."""


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
    check_decay(poles, step=True)
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
    check_decay(poles, step=True)
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
    t = mode_times(poles, SPAN, MOST_ZEROS)
    size = np.sum(np.abs(poles.residue) * np.exp(poles.pole.real * t[:, None]), axis=-1)
    values = impulse_response(poles=poles, time=t)
    alive = np.abs(values) > 1e-13 * size  # above the rounding of its terms
    t, values = t[alive], values[alive]
    places = np.flatnonzero(values[:-1] * values[1:] < 0)
    return tuple(_zeros(poles, t[places], t[places + 1]).tolist())


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
