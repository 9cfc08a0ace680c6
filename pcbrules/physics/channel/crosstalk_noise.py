# SPDX-License-Identifier: MIT
"""Crosstalk as noise at a receiver, and the merit of an insertion-loss deviation, as IEEE 802.3 weighs frequencies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard


@FormulaCard(
    gives="Hz",
    valid={"rise_time": (1e-12, 1e-9)},
    source="IEEE Std 802.3 clause 85 (f_t = 0.2365 / T_r), recalled; it is the 20 % to 80 % rise time of the filter "
    "1 / (1 + (f / f_t)^4), a Butterworth filter of second order",
    accuracy="0.01 % of that filter's step response",
)
def transmitter_bandwidth(*, rise_time: ArrayLike) -> Any:
    """Bandwidth of the filter that stands for the edges of a transmitter.

    Parameters
    ----------
    rise_time : float or ndarray, shape (...)
        From 20 % to 80 % of the edge. [s]

    Returns
    -------
    float or ndarray, shape (...)
        Frequency at which it passes half of the power. [Hz]

    Examples
    --------
    >>> f"{transmitter_bandwidth(rise_time=7.5e-12) / 1e9:.1f} GHz"
    '31.5 GHz'
    """
    return 0.2365 / np.asarray(rise_time)


@FormulaCard(
    gives="-",
    valid={
        "frequency": (0.0, 2e11),
        "symbol_rate": (1e8, 2.5e11),
        "transmitter": (1e8, 1e12),
        "receiver": (1e8, 1e12),
    },
    source="IEEE Std 802.3 eq. (93A-57), as the public program for Channel Operating Margin evaluates it",
    accuracy="exact as a definition",
)
def noise_weight(
    *, frequency: ArrayLike, symbol_rate: ArrayLike, receiver: ArrayLike, transmitter: ArrayLike = math.inf
) -> Any:
    r"""Power of a random sequence of symbols over frequency, behind the filters of transmitter and receiver.

    .. math:: W(f) = \frac{\operatorname{sinc}^2(f / f_b)}{(1 + (f / f_t)^4)\,(1 + (f / f_r)^8)}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    symbol_rate : float or ndarray, broadcastable
        Symbols a second, f_b. [Bd]
    transmitter : float or ndarray, broadcastable
        Half-power bandwidth of the transmitter's edges, f_t; infinite ones pass everything. [Hz]
    receiver : float or ndarray, broadcastable
        Half-power bandwidth of the receiver, f_r, a Butterworth filter of fourth order. [Hz]

    Returns
    -------
    float or ndarray, shape (...)
        Relative to zero frequency. [-]

    Examples
    --------
    >>> f"{noise_weight(frequency=12.890625e9, symbol_rate=25.78125e9, receiver=19.3359375e9):.4f}"
    '0.3901'
    """
    f = np.asarray(frequency)
    edges, sampler = f / np.asarray(transmitter), f / np.asarray(receiver)
    return np.sinc(f / np.asarray(symbol_rate)) ** 2 / ((1 + edges**4) * (1 + sampler**8))


@FormulaCard(
    gives="V",
    valid={"amplitude": (0.0, 10.0), "symbol_rate": (1e8, 2.5e11)},
    source="IEEE Std 802.3 eq. (92-46), (92-47) with A the peak of the differential voltage, as the public program for "
    "Channel Operating Margin evaluates them; A^2 / 4 belongs to A from peak to peak",
    accuracy="1e-12 of a sum over the points given; 0.1 % of random symbols in time behind the same filters",
)
def integrated_crosstalk(
    *, frequency: ArrayLike, power: ArrayLike, weight: ArrayLike, amplitude: float, symbol_rate: float
) -> float:
    r"""Crosstalk as noise after the receiver's filter (ICN), root mean square.

    .. math:: \sigma = \sqrt{\frac{2 A^2}{f_b} \int W(f)\,|S(f)|^2\,df}

    Parameters
    ----------
    frequency : array_like, shape (n,)
        Rising. [Hz]
    power : array_like, shape (n,)
        Power sum of the crosstalk of all aggressors of one kind. [-]
    weight : array_like, shape (n,)
        ``noise_weight`` there. [-]
    amplitude : float
        Peak of the aggressors' differential voltage: half of what is measured from peak to peak. [V]
    symbol_rate : float
        Symbols a second. [Bd]

    Returns
    -------
    float
        Differential voltage, root mean square. [V]

    Examples
    --------
    >>> f = np.linspace(0, 25e9, 2501)
    >>> w = noise_weight(frequency=f, symbol_rate=25e9, receiver=18.75e9)
    >>> noise = integrated_crosstalk(frequency=f, power=1e-4 + 0 * f, weight=w, amplitude=0.4, symbol_rate=25e9)
    >>> f"{1e3 * noise:.2f} mV"
    '3.74 mV'
    """
    density = np.asarray(weight) * np.asarray(power)
    return float(amplitude * math.sqrt(2 / symbol_rate * float(np.trapezoid(density, np.asarray(frequency)))))


@FormulaCard(
    gives="dB",
    valid={},
    source="IEEE Std 802.3 eq. (93A-56), mean over the points of the band",
    accuracy="exact as a definition; programs that divide by the symbol rate instead of the band give up to 14 % less",
)
def deviation_merit(*, deviation: ArrayLike, weight: ArrayLike) -> float:
    r"""Merit of an insertion-loss deviation (FOM_ILD): its weighted root mean square.

    .. math:: \mathrm{FOM} = \sqrt{\frac{1}{N} \sum_n W(f_n)\,\mathrm{ILD}(f_n)^2}

    Parameters
    ----------
    deviation : array_like, shape (n,)
        Insertion loss less its fit, at equal steps of frequency. [dB]
    weight : array_like, shape (n,)
        ``noise_weight`` there. [-]

    Returns
    -------
    float
        [dB]

    Examples
    --------
    >>> deviation_merit(deviation=[0.5, -0.5, 0.5], weight=[1.0, 1.0, 1.0])
    0.5
    """
    return math.sqrt(float(np.mean(np.asarray(weight) * np.square(deviation))))
