# SPDX-License-Identifier: MIT
"""Does a table of scattering parameters reach as far as a channel needs, and its values on the channel's grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.missing import Missing
from pcbrules.physics.common.extremes import first_greatest, first_least

FIRST_SHARE = 1 / 20
"""Largest first frequency, as a share of the needed reach, from which the way to zero frequency is followed."""

CLOSE = 0.05
"""By how much the third point may miss what the first two say of it. [-]"""

QUARTER = np.pi / 2
"""Largest turn between zero and the first frequency, and between two points of the table. [rad]"""

BACKWARDS = -np.pi / 2
"""Turn over the whole table that no delay explains: a response before its cause, or steps that hide turns. [rad]"""

LARGE = 0.05
"""Entries of a smaller root mean square do not count where delays are judged. [-]"""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a table begins and ends [Hz], and what that means for a need from zero frequency on.

    ``reason`` says why the table does not serve; it is empty where it does. ``to_zero`` says in words how zero
    frequency is reached, and what is assumed for it; it is empty where the table holds it.
    """

    lowest: float
    highest: float
    reason: str
    to_zero: str

    @property
    def enough(self) -> bool:
        """True when the table serves the need."""
        return not self.reason


def reach(frequency: Real, s: Complex, *, f_max: float, f_min: float = 0.0) -> Reach:
    """Does a table serve a need from ``f_min`` to ``f_max``?

    Upwards nothing is extrapolated. Below the first frequency the values are followed to zero frequency, see
    ``value_at_zero``, if the need goes below it.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Strictly rising. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    f_max, f_min : float
        Highest and lowest frequency that are needed. [Hz]
    """
    lowest, highest = float(frequency[0]), float(frequency[-1])
    reason, to_zero = "", ""
    if highest < f_max * (1 - 1e-9):
        reason = f"the data end at {_ghz(highest)}, and {_ghz(f_max)} are needed"
    elif len(frequency) < 3:
        reason = f"{len(frequency)} frequencies are no curve; at least 3 are needed"
    elif (turn := 2 * np.pi * through_delay(frequency, s) * float(np.diff(frequency).max())) > QUARTER:
        reason = (f"the steps of the data are too coarse: from one to the next the phase turns by "
                  f"{np.rad2deg(turn):.0f} degrees, more than {np.rad2deg(QUARTER):.0f}")
    elif 2 * np.pi * through_delay(frequency, s) * (highest - lowest) < BACKWARDS:
        reason = "the phase rises with frequency: the data are not causal, or their steps hide whole turns"
    elif f_min < lowest:
        found = value_at_zero(frequency, s, f_max=f_max)
        if isinstance(found, Missing):
            reason = found.reason
        else:
            to_zero = (f"below {_ghz(lowest)} continued to zero frequency: real parts even and imaginary parts odd in "
                       "frequency, through the first points; no series capacitor, no turn that the points miss")
    return Reach(lowest, highest, reason, to_zero)


def value_at_zero(frequency: Real, s: Complex, *, f_max: float) -> Complex | Missing:
    r"""Scattering parameters at zero frequency, or why they cannot be had.

    A real network without a series capacitor has there a real value; freed of its mean delay :math:`\tau` its real part
    is even and its imaginary part odd in frequency:

    .. math:: S(f)\, e^{j 2 \pi f \tau} = a + b f^2 + j (c f + d f^3)

    a to d follow from the first frequency and the one nearest to twice it; the one nearest to three times it must agree
    within ``CLOSE``. The delay, from the steps between neighbours, must not turn any large entry by more than a quarter
    up to the first frequency: beyond that the phase may be another one by whole turns.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Strictly rising. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    f_max : float
        Highest frequency that is needed. [Hz]

    Returns
    -------
    ndarray of complex, shape (p, p)
        Real values; or a reason.
    """
    first = float(frequency[0])
    if first == 0:
        return np.asarray(s[0])
    if first > FIRST_SHARE * f_max:
        return Missing(f"the data begin at {_ghz(first)}, too high to follow them to zero frequency")
    picks = [first_least(np.abs(frequency - k * first)) for k in (1, 2, 3)]
    if len(set(picks)) < 3:
        return Missing(f"too few points near the first frequency, {_ghz(first)}, to follow them to zero frequency")
    delays = np.where(_size(s) > LARGE, _delays(frequency, s), 0.0)
    turn = 2 * np.pi * float(np.abs(delays).max()) * first
    if turn > QUARTER:
        return Missing(f"the data begin at {_ghz(first)}, where the phase has turned by {np.rad2deg(turn):.0f} degrees "
                "already")
    f = frequency[picks] / first
    values = s[picks] * np.exp(2j * np.pi * frequency[picks][:, np.newaxis, np.newaxis] * delays)
    even = np.linalg.solve(np.stack([np.ones(2), f[:2] ** 2], axis=1), values.real[:2].reshape(2, -1))
    odd = np.linalg.solve(np.stack([f[:2], f[:2] ** 3], axis=1), values.imag[:2].reshape(2, -1))
    expected = even[0] + even[1] * f[2] ** 2 + 1j * (odd[0] * f[2] + odd[1] * f[2] ** 3)
    if np.abs(expected - values[2].ravel()).max() > CLOSE:
        return Missing(f"the points from {_ghz(first)} on do not show how the data go on to zero frequency")
    return np.asarray(even[0].reshape(s.shape[1:]) + 0j)


def on_grid(frequency: Real, s: Complex, grid: Real, *, f_max: float) -> Complex:
    """Scattering parameters on another grid.

    Every entry is freed of its mean delay, interpolated by cubic pieces that go through the points with the slope of
    their neighbours (real and imaginary part), and given its delay back. Points of the table keep their values.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Strictly rising. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    grid : ndarray, shape (m,)
        Where they are wanted. [Hz]
    f_max : float
        Highest frequency that is needed, as for ``reach``. [Hz]

    Returns
    -------
    ndarray of complex, shape (m, p, p)

    Raises
    ------
    ValueError
        If the table does not reach over the grid.
    """
    found = reach(frequency, s, f_max=max(f_max, float(grid.max())), f_min=float(grid.min()))
    if found.reason:
        raise ValueError(found.reason)
    if found.to_zero:
        zero = value_at_zero(frequency, s, f_max=f_max)
        if isinstance(zero, Missing):
            raise ValueError(zero.reason)
        frequency, s = np.concatenate([[0.0], frequency]), np.concatenate([zero[np.newaxis], s])
    delays = _delays(frequency, s)
    flat = s * np.exp(2j * np.pi * frequency[:, np.newaxis, np.newaxis] * delays)
    return np.asarray(cubic(frequency, flat, grid) * np.exp(-2j * np.pi * grid[:, np.newaxis, np.newaxis] * delays))


def interpolated_loss(frequency: Real, s: Complex, at: float) -> tuple[float, float]:
    """Loss of a two-port at a frequency [Hz] inside its table, and the error of what is between the points. [dB]

    The error is what every second point alone would make of it: an upper bound, as the error of cubic pieces falls with
    the third power of the step. At a point of the table it is zero.
    """
    through = s[:, 1:2, 0:1]
    flat = through * np.exp(2j * np.pi * frequency[:, np.newaxis, np.newaxis] * _delays(frequency, through))
    point = np.array([at])
    value = abs(complex(cubic(frequency, flat, point)[0, 0, 0]))
    if len(frequency) < 5 or np.abs(frequency / at - 1).min() < 1e-9:
        return -20 * float(np.log10(value)), 0.0
    coarse = abs(complex(cubic(frequency[::2], flat[::2], point)[0, 0, 0]))
    return -20 * float(np.log10(value)), abs(20 * float(np.log10(coarse / value)))


def _delays(frequency: Real, s: Complex) -> Real:
    """Mean delay of every entry, weighted by its size squared, shape (p, p). [s]"""
    product = s[1:] * s[:-1].conj()
    weight = np.abs(product)
    whole = (weight * np.diff(frequency)[:, np.newaxis, np.newaxis]).sum(axis=0)
    turned = (weight * np.angle(product)).sum(axis=0)
    return np.asarray(-turned / np.where(whole > 0, whole, 1.0) / (2 * np.pi))


def _size(s: Complex) -> Real:
    """Root mean square of every entry, shape (p, p). [-]"""
    return np.asarray(np.sqrt((np.abs(s) ** 2).mean(axis=0)))


def through_delay(frequency: Real, s: Complex) -> float:
    """Mean delay of the entry that comes through best. [s]"""
    size = _size(s)
    if s.shape[1] > 1:
        size = np.where(np.eye(s.shape[1], dtype=bool), 0.0, size)
    row, column = divmod(first_greatest(size), size.shape[1])
    return float(_delays(frequency, s)[row, column])


def cubic(x: Real, y: Complex, at: Real) -> Complex:
    """Cubic pieces through the points with the slopes of parabolas through three neighbours.

    Parameters
    ----------
    x : ndarray, shape (n,)
        Strictly rising.
    y : ndarray of complex, shape (n, p, p)
        Values there.
    at : ndarray, shape (m,)
        Where they are wanted; beyond the ends the outermost pieces go on.

    Returns
    -------
    ndarray of complex, shape (m, p, p)
    """
    slope = np.gradient(y, x, axis=0, edge_order=2 if len(x) > 2 else 1)
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    step = (x[i + 1] - x[i])[:, np.newaxis, np.newaxis]
    t = ((at - x[i]) / (x[i + 1] - x[i]))[:, np.newaxis, np.newaxis]
    return np.asarray(
        (1 + 2 * t) * (1 - t) ** 2 * y[i] + t * (1 - t) ** 2 * step * slope[i]
        + t**2 * (3 - 2 * t) * y[i + 1] - t**2 * (1 - t) * step * slope[i + 1]
    )


def _ghz(frequency: float) -> str:
    return f"{frequency / 1e9:.4g} GHz"
