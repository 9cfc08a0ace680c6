# SPDX-License-Identifier: MIT
"""Voltage of a network in time from the poles and residues of its impedance: charge, step, slew-limited step.

Currents flow out of the network, so a droop is positive. All is exact: no time steps, no transform.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Complex, Real

STEP_SPAN = 8.0
"""Time constants of a mode in which its largest value comes: it then has more than 1/3000 of its height."""
PER_TURN = 16
"""Samples a turn of the fastest living mode, in the search of zeros and peaks."""
MOST_SAMPLES = 20_000
"""Samples of one mode where extremes are sought: enough for a quality of 500."""


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
    pole, residue = _halved(poles)
    return np.asarray(np.sum(residue * np.exp(pole * t[..., None]), axis=-1).real)


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
    pole, residue = _halved(poles)
    droop = poles.resistance + np.sum(residue / pole * np.expm1(pole * after), axis=-1).real
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


def mode_times(poles: Poles, span: float, most: int = MOST_SAMPLES) -> Real:
    """Rising times that follow every mode for ``span`` of its time constants, by ``most`` samples each at most. [s]"""
    ends = -span / poles.pole.real
    parts = [np.geomspace(1e-4 / np.abs(poles.pole).max(), ends.max(), 800)]
    for end, omega in zip(ends, poles.pole.imag, strict=True):
        if omega > 0:
            step = 2 * np.pi / omega / PER_TURN
            parts.append(np.arange(1, min(math.ceil(end / step), most)) * step)
    return np.unique(np.concatenate(parts))


def _halved(poles: Poles) -> tuple[Complex, Complex]:
    """Poles and residues, of a conjugate pair one with twice its residue: the real part of their sum is the same."""
    above = poles.pole.imag > 0
    if 2 * np.count_nonzero(above) != np.count_nonzero(poles.pole.imag):
        return poles.pole, poles.residue
    kept = poles.pole.imag >= 0
    return poles.pole[kept], np.where(above, 2.0, 1.0)[kept] * poles.residue[kept]


def _integral(poles: Poles, t: Real) -> Real:
    """Integral of the step response from zero, the spike of the inductance included."""
    after = np.maximum(t, 0.0)
    pole, residue = _halved(poles)
    x = pole * after[..., None]
    modes = np.sum(residue / pole**2 * (np.expm1(x) - x), axis=-1).real
    return np.where(t > 0, poles.inductance + poles.resistance * after + modes, 0.0)


def check_decay(poles: Poles, *, step: bool) -> None:
    """Raise ValueError where a pole does not decay; of a ``step`` without rise time where there is an inductance."""
    if not np.all(poles.pole.real < 0):
        raise ValueError("a pole does not decay")
    if step and poles.inductance > 0:
        raise ValueError("an inductance at infinite frequency: a step without rise time has no bound")
