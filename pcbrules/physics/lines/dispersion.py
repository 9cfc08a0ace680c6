# SPDX-License-Identifier: MIT
"""Dispersion of microstrip: how the field is drawn into the substrate as frequency times height grows.

The effective permittivity goes from its quasi-static value to that of the substrate,
``dk - (dk - static) / (1 + F)``; the functions here give F.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard

FASTEST = 25e6
"""Frequency times height up to which the formulas of pairs were checked [m/s]."""

_GHZ_MM = 1e6
_POWER = 1.5763

_SHAPES = {"width": (0.1, 10.0), "dk": (1.0, 18.0), "product": (0.0, FASTEST)}


def _common(width: ArrayLike, dk: ArrayLike, product: ArrayLike) -> tuple[Real, Real, Real]:
    """P1 times P2, P3 times P4, and frequency times height in GHz mm."""
    u, er, f = (np.asarray(value, dtype=float) for value in (width, dk, np.asarray(product) / _GHZ_MM))
    p1 = 0.27488 + (0.6315 + 0.525 / (1 + 0.0157 * f) ** 20) * u - 0.065683 * np.exp(-8.7513 * u)
    p2 = 0.33622 * (1 - np.exp(-0.03442 * er))
    p3 = 0.0363 * np.exp(-4.6 * u) * (1 - np.exp(-((f / 38.7) ** 4.97)))
    p4 = 1 + 2.751 * (1 - np.exp(-((er / 15.916) ** 8)))
    return np.asarray(p1 * p2), np.asarray(p3 * p4), np.asarray(f)


@FormulaCard(
    gives="1",
    valid=_SHAPES,
    source="Kirschning, Jansen, Accurate model for effective dielectric constant of microstrip with validity up to"
    " millimetre-wave frequencies, Electronics Letters 18, 1982, p. 272",
    accuracy="0.6 % of the effective permittivity up to 60 GHz, for widths of 0.1 to 100 heights",
    u=0.006,
)
def single_dispersion(*, width: ArrayLike, dk: ArrayLike, product: ArrayLike) -> Any:
    r"""How far the field of one trace is drawn into the substrate.

    .. math:: F = P_1 P_2\,\bigl((0.1844 + P_3 P_4)\, f h\bigr)^{1.5763}

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Width over height. [-]
    dk : float or ndarray, broadcastable to ``width``
        Permittivity of the substrate. [-]
    product : float or ndarray, broadcastable to ``width``
        Frequency times height of the substrate. [m/s]

    Returns
    -------
    float or ndarray, shape (...)
        F; zero is quasi-static, infinite all in the substrate. [1]

    Examples
    --------
    >>> f"{single_dispersion(width=1.94, dk=4.41, product=10e9 * 1.55e-3):.3f}"
    '0.375'
    """
    p12, p34, f = _common(width, dk, product)
    return p12 * ((0.1844 + p34) * f) ** _POWER


_PAIR = (
    "Kirschning, Jansen, Accurate wide-range design equations for the frequency-dependent characteristic of parallel"
    " coupled microstrip lines, IEEE Trans. MTT 32, 1984, p. 83"
)


@FormulaCard(
    gives="1", valid={**_SHAPES, "gap": (0.1, 10.0)}, source=_PAIR,
    accuracy="1.4 % of the effective permittivity", u=0.014,
)
def even_dispersion(*, width: ArrayLike, gap: ArrayLike, dk: ArrayLike, product: ArrayLike) -> Any:
    """How far the field of the even mode of a pair is drawn into the substrate.

    Parameters
    ----------
    width, gap : float or ndarray, shape (...)
        Width and gap over height. [-]
    dk : float or ndarray, broadcastable to ``width``
        Permittivity of the substrate. [-]
    product : float or ndarray, broadcastable to ``width``
        Frequency times height of the substrate. [m/s]

    Returns
    -------
    float or ndarray, shape (...)
        F as of ``single_dispersion``. [1]

    Examples
    --------
    >>> f"{even_dispersion(width=1.0, gap=1.0, dk=4.0, product=5e6):.4f}"
    '0.0742'
    """
    p12, p34, f = _common(width, dk, product)
    g, er = np.asarray(gap, dtype=float), np.asarray(dk, dtype=float)
    p5 = 0.334 * np.exp(-3.3 * (er / 15) ** 3) + 0.746
    p6 = p5 * np.exp(-((f / 18) ** 0.368))
    p7 = 1 + 4.069 * p6 * g**0.479 * np.exp(-1.347 * g**0.595 - 0.17 * g**2.5)
    return p12 * ((p34 + 0.1844 * p7) * f) ** _POWER


@FormulaCard(
    gives="1", valid={**_SHAPES, "gap": (0.1, 10.0)}, source=_PAIR,
    accuracy="1.4 % of the effective permittivity", u=0.014,
)
def odd_dispersion(*, width: ArrayLike, gap: ArrayLike, dk: ArrayLike, product: ArrayLike) -> Any:
    """How far the field of the odd mode of a pair is drawn into the substrate.

    Parameters
    ----------
    width, gap : float or ndarray, shape (...)
        Width and gap over height. [-]
    dk : float or ndarray, broadcastable to ``width``
        Permittivity of the substrate. [-]
    product : float or ndarray, broadcastable to ``width``
        Frequency times height of the substrate. [m/s]

    Returns
    -------
    float or ndarray, shape (...)
        F as of ``single_dispersion``. [1]

    Examples
    --------
    >>> f"{odd_dispersion(width=1.0, gap=1.0, dk=4.0, product=5e6):.4f}"
    '0.0120'
    """
    p12, p34, f = _common(width, dk, product)
    u, g, er = (np.asarray(value, dtype=float) for value in (width, gap, dk))
    p8 = 0.7168 * (1 + 1.076 / (1 + 0.0576 * (er - 1)))
    p9 = p8 - 0.7913 * (1 - np.exp(-((f / 20) ** 1.424))) * np.arctan(2.481 * (er / 8) ** 0.946)
    p10 = 0.242 * (er - 1) ** 0.55
    p11 = 0.6366 * (np.exp(-0.3401 * f) - 1) * np.arctan(1.263 * (u / 3) ** 1.629)
    inner = p9 + (1 - p9) / (1 + 1.183 * u**1.376)
    p13 = 1.695 * p10 / (0.414 + 1.605 * p10)
    p14 = 0.8928 + 0.1072 * (1 - np.exp(-0.42 * (f / 20) ** 3.215))
    p15 = np.abs(1 - 0.8928 * (1 + p11) * inner * np.exp(-p13 * g**1.092) / p14)
    return p12 * ((p34 + 0.1844) * f * p15) ** _POWER
