# SPDX-License-Identifier: MIT
"""The smooth curve through an insertion loss."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.arrays import Real
from pcbrules.solver_cache import solved_once

DEEPEST = 200.0
"""Largest insertion loss that is told apart from none coming through [dB]."""

Fit = tuple[float, float, float, float]
"""Coefficients of 1, sqrt(f), f and f**2. [dB, dB/Hz**0.5, dB/Hz, dB/Hz**2]"""


def fitted_loss(frequency: Real, loss: Real, *, f_min: float, f_max: float) -> Fit:
    """Coefficients of ``a0 + a1 sqrt(f) + a2 f + a3 f**2`` by least squares weighted with ``|S21|``.

    IEEE 802.3 clause 93A.3 (fitted insertion loss): both sides of each equation are multiplied by ``10**(-loss/20)``.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Equally spaced; at least four in the band. [Hz]
    loss : ndarray, shape (n,)
        Insertion loss; infinite ones have no weight. [dB]
    f_min, f_max : float
        Band of the fit, ends included. [Hz]

    Returns
    -------
    Fit
        Its four coefficients.
    """
    inside = (frequency >= f_min * (1 - 1e-9)) & (frequency <= f_max * (1 + 1e-9)) & np.isfinite(loss)
    x, y = frequency[inside] / f_max, loss[inside]
    weight = 10 ** (-y / 20)
    a, *_ = np.linalg.lstsq(weight[:, None] * _terms(x.tobytes()), weight * y)
    scaled = a / f_max ** np.array([0, 0.5, 1, 2])
    return float(scaled[0]), float(scaled[1]), float(scaled[2]), float(scaled[3])


@solved_once
def _terms(key: bytes) -> Real:
    """The functions that are fitted (n, 4) at the places whose bytes are the key: many channels share a grid."""
    x = np.frombuffer(key)
    return np.stack([np.ones_like(x), np.sqrt(x), x, x**2], axis=1)


def fitted_value(fit: Fit, frequency: float) -> float:
    """Fitted loss [dB] at one frequency [Hz]."""
    return fit[0] + fit[1] * math.sqrt(frequency) + fit[2] * frequency + fit[3] * frequency**2


def fitted_curve(fit: Fit, frequency: Real) -> Real:
    """Fitted loss (n,) [dB] at frequencies (n,) [Hz]."""
    return np.asarray(fit[0] + fit[1] * np.sqrt(frequency) + fit[2] * frequency + fit[3] * frequency**2)


def deviation(frequency: Real, loss: Real) -> Real:
    """Insertion loss (n,) less its fit over all of a band [dB], at equally spaced frequencies (n,) [Hz].

    A loss beyond ``DEEPEST`` counts as that.
    """
    shallow = np.minimum(loss, DEEPEST)
    fit = fitted_loss(frequency, shallow, f_min=float(frequency[0]), f_max=float(frequency[-1]))
    return np.asarray(shallow - fitted_curve(fit, frequency))
