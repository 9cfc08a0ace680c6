# SPDX-License-Identifier: MIT
"""Parts of the effective return loss (ERL) of IEEE 802.3 annex 93A.5: filter, window, weight over time, quantile.

The text of the standard was not read. The definition is that of the published program for Channel Operating Margin
(releases 3.70 to 4.50, IEEE 802.3 tools), read together with an independent program (SignalIntegrity) and held against
reference values of both.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard

EACH, MANY = 0.03, 40
"""Sample over the standard deviation of the sum from which on its levels count one by one [-], and samples that do so
at least. What all smaller ones do together is normal but for its fourth cumulant."""

SMOOTH = 2e-4
"""Width of the normal distribution that is added to the sum, over its standard deviation [-]: else the distribution of
a few samples has steps."""

NEGLIGIBLE = 1e-11
"""Characteristic function below which it counts for nothing [-]."""

BLOCK = 512
"""Points of the characteristic function that are computed at once."""

HALVINGS = 40
"""Times that the interval of the quantile is halved."""


@FormulaCard(
    gives="-",
    valid={"frequency": (0.0, 1e12), "half_power": (1e8, 1e12)},
    source="IEEE Std 802.3 eq. (93A-20), as the public program for Channel Operating Margin evaluates it",
    accuracy="exact as a definition; a Butterworth filter of fourth order with rounded coefficients",
)
def receiver_filter(*, frequency: ArrayLike, half_power: ArrayLike) -> Any:
    r"""Noise filter of a receiver, a Butterworth filter of fourth order.

    .. math:: H_r = \frac{1}{1 - 3.414214\,x^2 + x^4 + j\,2.613126\,(x - x^3)},\qquad x = \frac{f}{f_r}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    half_power : float or ndarray, broadcastable to ``frequency``
        Frequency at which it passes half of the power, f_r. [Hz]

    Returns
    -------
    complex or ndarray, shape (...)
        Transfer function. [-]

    Examples
    --------
    >>> f"{abs(receiver_filter(frequency=39.84375e9, half_power=39.84375e9)):.4f}"
    '0.7071'
    """
    x = np.asarray(frequency) / np.asarray(half_power)
    return 1 / (1 - 3.414214 * x**2 + x**4 + 1j * 2.613126 * (x - x**3))


@FormulaCard(
    gives="-",
    valid={"frequency": (0.0, 1e12), "start": (1e8, 1e11)},
    source="window of the ERL in the public program for Channel Operating Margin (Tukey window)",
    accuracy="exact as a definition",
)
def closing_window(*, frequency: ArrayLike, start: ArrayLike, end: ArrayLike) -> Any:
    r"""Window that is one up to a frequency and closes as a cosine up to another.

    .. math:: H_{tw} = \tfrac{1}{2} + \tfrac{1}{2} \cos\left(\pi\,\frac{f - f_1}{f_2 - f_1}\right)
              \quad\text{for}\quad f_1 \le f \le f_2

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    start : float or ndarray, broadcastable to ``frequency``
        Where it begins to close. [Hz]
    end : float or ndarray, broadcastable to ``frequency``
        Where it is closed, above ``start``. [Hz]

    Returns
    -------
    float or ndarray, shape (...)
        Part that passes. [-]

    Examples
    --------
    >>> [f"{closing_window(frequency=f * 1e9, start=30e9, end=40e9):.2f}" for f in (20, 35, 40)]
    ['1.00', '0.50', '0.00']
    """
    low, high = np.asarray(start), np.asarray(end)
    return 0.5 + 0.5 * np.cos(np.pi * np.clip((np.asarray(frequency) - low) / (high - low), 0.0, 1.0))


@FormulaCard(
    gives="-",
    valid={"after": (-1.0, 65.0), "reach": (0.0, 60.0), "permitted": (0.05, 0.7), "slope": (0.0, 0.5)},
    source="IEEE Std 802.3 annex 93A.5 (G_rr, G_loss), as the public program for Channel Operating Margin evaluates it",
    accuracy="exact as a definition",
)
def reflection_weight(*, after: ArrayLike, reach: ArrayLike, permitted: ArrayLike, slope: ArrayLike) -> Any:
    r"""What a reflection counts for, by the time at which it comes back.

    Nothing before the fixture ends, less than all within the reach of the receiver's equaliser, all after it:

    .. math:: G = \rho_x (1 + \rho_x)\,e^{-\left(\frac{x - N_{bx} - 1}{N_{bx} + 1}\right)^2}\;
              10^{\frac{\beta (x - N_{bx} - 1)}{20}} \quad\text{for}\quad 0 \le x \le N_{bx} + 1

    Parameters
    ----------
    after : float or ndarray, shape (...)
        Time since the end of the fixture, there and back, over the unit interval, x. [-]
    reach : float or ndarray, broadcastable to ``after``
        Unit intervals that the equaliser reaches, N_bx. [-]
    permitted : float or ndarray, broadcastable to ``after``
        Permitted reflection from a transmission line that is attached, rho_x. [-]
    slope : float or ndarray, broadcastable to ``after``
        Loss on the way per unit interval, beta_x over the symbol rate. [dB]

    Returns
    -------
    float or ndarray, shape (...)
        Factor of the amplitude. [-]

    Examples
    --------
    >>> one = dict(reach=6, permitted=0.618, slope=0.0)
    >>> [f"{reflection_weight(after=x, **one):.4f}" for x in (-0.1, 0.5, 3.5, 7.5)]
    ['0.0000', '0.4222', '0.7787', '1.0000']
    """
    x, end, rho = np.asarray(after), np.asarray(reach) + 1.0, np.asarray(permitted)
    before = np.minimum(x - end, 0.0)
    within = rho * (1 + rho) * np.exp(-((before / end) ** 2)) * 10 ** (np.asarray(slope) * before / 20)
    return np.where(x < 0, 0.0, np.where(x <= end, within, 1.0))[()]


@FormulaCard(
    gives="-",
    valid={"probability": (1e-7, 0.1)},
    source="IEEE Std 802.3 annex 93A.5: quantile of the interference at the detector error ratio; inverse of the "
    "characteristic function by its Fourier series",
    accuracy="0.05 % of closed forms and of direct convolution",
)
def exceeded_amplitude(*, samples: ArrayLike, levels: int, probability: float) -> float:
    r"""Amplitude that a sum of samples times random levels exceeds with a small probability.

    .. math:: P\left(\sum_n a_n h_n < -y\right) = p,\qquad
              P = \frac12 - \frac{y}{T} - \frac{2}{T} \sum_{k \ge 1} \Phi(\omega_k)\,\frac{\sin \omega_k y}{\omega_k}

    with :math:`a_n` equally likely levels from -1 to 1 at equal steps, :math:`\Phi` the product of the characteristic
    functions of the samples and :math:`T = 2\pi/\omega_1` more than the sum can span.

    Parameters
    ----------
    samples : array_like, shape (n,)
        Sizes of the samples, of either sign. [-]
    levels : int
        Levels of a symbol: 2 for NRZ, 4 for PAM4. [-]
    probability : float
        Probability p of one sign. [-]

    Returns
    -------
    float
        Amplitude y; zero without a sample that is not zero. [-]

    Examples
    --------
    >>> f"{exceeded_amplitude(samples=[0.25], levels=4, probability=1e-5):.3f}"
    '0.250'
    """
    values = np.linspace(-1.0, 1.0, levels)
    second, fourth = float(np.mean(values**2)), float(np.mean(values**4))
    size = np.sort(np.abs(np.asarray(samples, dtype=float)))[::-1]
    spread = math.sqrt(second * float(np.sum(size**2)))
    if spread == 0:
        return 0.0
    count = max(int(np.count_nonzero(size >= EACH * spread)), MANY)
    large, small = size[:count], size[count:]
    variance = second * float(np.sum(small**2)) + (SMOOTH * spread) ** 2
    cumulant = (fourth - 3 * second**2) * float(np.sum(small**4))
    period = 2 * (float(np.sum(large)) + 10 * math.sqrt(variance))
    turn, shape = _characteristic(large, levels, variance, cumulant, period)

    def beyond(y: float) -> float:
        return 0.5 - y / period - 2 / period * float(np.sum(shape * np.sin(turn * y)))

    low, high = 0.0, period / 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) > probability else (low, middle)
    return (low + high) / 2


def _characteristic(large: Real, levels: int, variance: float, cumulant: float, period: float) -> tuple[Real, Real]:
    """Multiples of the first angular frequency, and the characteristic function there over the angular frequency."""
    first, turns, shapes = 2 * math.pi / period, [], []
    for block in range(10**4):
        turn = first * np.arange(block * BLOCK + 1, (block + 1) * BLOCK + 1)
        rest = np.exp(-(turn**2) * variance / 2 + cumulant * turn**4 / 24)
        found = np.prod(_mean_cosine(np.multiply.outer(large, turn), levels), axis=0) * rest
        turns.append(turn)
        shapes.append(found / turn)
        if np.max(np.abs(found[-BLOCK // 2 :])) < NEGLIGIBLE or rest[-1] < NEGLIGIBLE:
            break
    return np.concatenate(turns), np.concatenate(shapes)


def _mean_cosine(phase: Real, levels: int) -> Real:
    """Mean of cos(a phase) over the levels a, by the recursion of Chebyshev from one cosine."""
    step = np.cos(phase / (levels - 1))
    double = 2 * (2 * step**2 - 1)
    before, now = (double / 2, np.ones_like(phase)) if levels % 2 else (step, step)
    total = now / 2 if levels % 2 else now.copy()
    for _ in range((levels - 1) // 2):
        before, now = now, double * now - before
        total += now
    return np.asarray(total * 2 / levels)
