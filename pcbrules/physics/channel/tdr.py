# SPDX-License-Identifier: MIT
"""The step of a time-domain reflectometer, and the impedance that its reflection stands for.

The step is the integral of a Gaussian: it has no overshoot and no ringing of its own, and its spectrum falls so fast
that a grid of frequencies may end where what lies beyond counts for nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard

FIFTHS = 2 * 0.8416212335729143
"""Time between 20 and 80 % of a Gaussian step, over its standard deviation [-]: twice the 80 % point of the normal."""


@FormulaCard(
    gives="-",
    valid={"frequency": (0.0, 1e12), "rise_time": (1e-12, 10e-9)},
    source="Fourier transform of the Gaussian; 20 and 80 % are 0.8416 standard deviations from the middle",
    accuracy="exact",
)
def gaussian_edge(*, frequency: ArrayLike, rise_time: ArrayLike) -> Any:
    r"""Spectrum of the slope of a step with a Gaussian edge, 1 at zero frequency.

    .. math:: H(f) = e^{-(2 \pi f \sigma)^2 / 2},\qquad \sigma = \frac{t_r}{1.6832}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    rise_time : float or ndarray, broadcastable to ``frequency``
        Time from 20 to 80 % of the step. [s]

    Returns
    -------
    float or ndarray, shape (...)
        Spectrum over that of an ideal step. [-]

    Examples
    --------
    >>> f"{gaussian_edge(frequency=16e9, rise_time=12.5e-12):.3f}"
    '0.757'
    """
    turns = np.asarray(frequency) * np.asarray(rise_time) / FIFTHS
    return np.exp(-2 * (np.pi * turns) ** 2)


@FormulaCard(
    gives="-",
    valid={"highest": (0.5, 10.0)},
    source="own: integral of the Gaussian edge over frequency; bound of E1 by Abramowitz, Stegun, eq. 5.1.20",
    accuracy="a bound: every frequency beyond is taken as wholly reflected and in phase; E1 is at most 20 % smaller",
)
def beyond_band(*, highest: ArrayLike) -> Any:
    r"""Largest part of a step's reflection that frequencies beyond a band can make.

    .. math:: \int_{f_h}^\infty \frac{H(f)}{\pi f}\,df = \frac{E_1(x)}{2\pi} \le
              \frac{e^{-x}}{2\pi} \ln\left(1 + \frac{1}{x}\right),\qquad x = \frac{(2\pi f_h \sigma)^2}{2}

    Parameters
    ----------
    highest : float or ndarray, shape (...)
        End of the band times the rise time from 20 to 80 %. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Part of the step. [-]

    Examples
    --------
    >>> f"{beyond_band(highest=0.8):.5f}"
    '0.00037'
    """
    x = 2 * (np.pi * np.asarray(highest) / FIFTHS) ** 2
    return np.exp(-x) * np.log1p(1 / x) / (2 * np.pi)


@FormulaCard(
    gives="ohm",
    valid={"reflected": (-0.99, 0.99), "reference": (1.0, 1000.0)},
    source="Pozar, Microwave Engineering, 4th ed., eq. 2.35, read backwards",
    accuracy="exact for the first step that a wave meets; behind others by what these reflect, as in any reflectometer",
)
def apparent_impedance(*, reflected: ArrayLike, reference: ArrayLike) -> Any:
    r"""Impedance that a reflectometer shows for the part of its step that comes back.

    .. math:: Z = Z_\mathrm{ref} \frac{1 + \rho}{1 - \rho}

    Parameters
    ----------
    reflected : float or ndarray, shape (...)
        Part of the step that has come back. [-]
    reference : float or ndarray, broadcastable to ``reflected``
        Impedance of the reflectometer. [ohm]

    Returns
    -------
    float or ndarray, shape (...)
        Impedance. [ohm]

    Examples
    --------
    >>> f"{apparent_impedance(reflected=-0.05, reference=100.0):.1f} ohm"
    '90.5 ohm'
    """
    back = np.asarray(reflected)
    return np.asarray(reference) * (1 + back) / (1 - back)
