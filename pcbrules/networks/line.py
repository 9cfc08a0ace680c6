# SPDX-License-Identifier: MIT
"""A uniform line."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.networks.two_port import TwoPort, network, stacked


def decayed_sinhc(x: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """``exp(-x) sinh(x) / x``, 1 at zero, for a real part that is not negative, shape as ``x``. [-]"""
    small = np.abs(x) < 1e-8
    return np.where(small, 1 - x, -np.expm1(-2 * x) / np.where(small, 1.0, 2 * x))


def line(
    frequency: NDArray[np.float64],
    *,
    series: ArrayLike,
    shunt: ArrayLike,
    length: float,
    z_ref: float,
    name: str = "line",
) -> TwoPort:
    r"""Uniform line from its series impedance and shunt admittance per metre.

    With :math:`x = \sqrt{Z' Y'}\,\ell` and all terms of the chain matrix multiplied by :math:`e^{-x}`, which keeps long
    lossy lines finite and needs no division by a characteristic impedance that does not exist at zero frequency:

    .. math:: A = \tfrac12 (1 + e^{-2x}),\quad B = Z'\ell\,g,\quad C = Y'\ell\,g,\quad g = \frac{1 - e^{-2x}}{2x}

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    series : complex or ndarray, broadcastable to shape (n,)
        ``R + j w L`` of the mode. [ohm/m]
    shunt : complex or ndarray, broadcastable to shape (n,)
        ``G + j w C`` of the mode. [S/m]
    length : float
        Length. [m]
    z_ref : float
        Reference impedance of both ports. [ohm]
    name : str
        Name of the element.

    Returns
    -------
    TwoPort
        Symmetric and reciprocal; passive where the real parts of ``series`` and ``shunt`` are not negative.
    """
    series, shunt = np.asarray(series, dtype=complex), np.asarray(shunt, dtype=complex)
    x = np.sqrt(series) * np.sqrt(shunt) * length
    g = decayed_sinhc(x)
    b, c = series * length * g / z_ref, shunt * length * g * z_ref
    below = 1 + np.exp(-2 * x) + b + c  # 2 A + B + C
    return network(frequency, s11=(b - c) / below, s21=2 * np.exp(-x) / below, z_ref=z_ref, name=name)


def matched_wave(
    *, turned: NDArray[np.complex128], reflected: float | NDArray[np.complex128]
) -> NDArray[np.complex128]:
    r"""Scattering parameters of a uniform line, shape (n, 2, 2). [-]

    What ``line`` gives for it, some five times faster:

    .. math:: S_{11} = \Gamma \frac{1 - e^{-2x}}{1 - \Gamma^2 e^{-2x}},\qquad
              S_{21} = \frac{(1 - \Gamma^2) e^{-x}}{1 - \Gamma^2 e^{-2x}}

    Parameters
    ----------
    turned : ndarray of complex, shape (n,)
        Propagation constant times length. [-]
    reflected : float or ndarray of complex, shape (n,)
        Reflection of an endless line of this impedance, seen from a real reference. [-]
    """
    once = np.exp(-turned)
    twice = once**2
    below = 1 / (1 - reflected**2 * twice)
    s = stacked(len(turned), 2)
    s[:, 0, 0] = s[:, 1, 1] = reflected * (1 - twice) * below
    s[:, 0, 1] = s[:, 1, 0] = (1 - reflected**2) * once * below
    return s
