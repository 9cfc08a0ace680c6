# SPDX-License-Identifier: MIT
"""Microstrips without thickness: published closed forms of one strip and of a coupled pair, static.

Lengths are in units of the substrate height; results are capacitances over epsilon_0, with the substrate in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard

ETA = 376.730313668
"""Wave impedance of free space [ohm]."""


def _filling_exponent(width: Real) -> Real:
    fourth = width**4
    return np.asarray(
        1 + np.log((fourth + (width / 52) ** 2) / (fourth + 0.432)) / 49 + np.log1p((width / 18.1) ** 3) / 18.7
    )


def _permittivity(width: Real, dk: Real) -> Real:
    power = -_filling_exponent(width) * 0.564 * ((dk - 0.9) / (dk + 3)) ** 0.053
    return np.asarray((dk + 1) / 2 + (dk - 1) / 2 * (1 + 10 / width) ** power)


def _air_impedance(width: Real) -> Real:
    shape = 6 + (2 * np.pi - 6) * np.exp(-((30.666 / width) ** 0.7528))
    return np.asarray(ETA / (2 * np.pi) * np.log(shape / width + np.sqrt(1 + (2 / width) ** 2)))


@FormulaCard(
    gives="1",
    valid={"width": (0.05, 20.0), "dk": (1.0, 16.0)},
    source="Hammerstad and Jensen, Accurate models for microstrip computer-aided design, MTT-S Digest 1980, p. 407",
    accuracy="k = 2: 0.2 % of the permittivity, 0.03 % of the impedance, as published",
    u=0.002,
)
def thin_microstrip(*, width: ArrayLike, dk: ArrayLike) -> Any:
    r"""Capacitance of a strip without thickness over a plane.

    .. math:: Z_{01} = \frac{\eta_0}{2\pi} \ln\Bigl(\frac{f(u)}{u} + \sqrt{1 + 4/u^2}\Bigr),\qquad
        \frac{C}{\varepsilon_0} = \frac{\eta_0\,\varepsilon_e}{Z_{01}}

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Width over height. [-]
    dk : float or ndarray, broadcastable to ``width``
        Relative permittivity of the substrate. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance over epsilon_0. [-]

    Examples
    --------
    >>> c, air = (thin_microstrip(width=2.0, dk=dk) for dk in (4.2, 1.0))
    >>> f"{ETA / (c * air) ** 0.5:.3f} ohm, {c / air:.4f}"
    '49.714 ohm, 3.2070'
    """
    width, dk = np.asarray(width, dtype=float), np.asarray(dk, dtype=float)
    return ETA * _permittivity(width, dk) / _air_impedance(width)


@FormulaCard(
    gives="1",
    valid={"width": (0.1, 10.0), "gap": (0.1, 10.0), "dk": (1.0, 5.2)},
    source="Kirschning and Jansen, IEEE Trans. MTT-32(1), 1984, p. 83, static equations",
    accuracy="k = 2: 0.6 % of the impedances as published; 0.5 % against boundary elements. Published to a permittivity"
    " of 18, but above 5.2 the odd mode falls below the even one from a gap of 3 to 5 heights on",
    u=0.006,
)
def thin_microstrip_pair(*, width: ArrayLike, gap: ArrayLike, dk: ArrayLike) -> Real:
    """Capacitance of each of two coupled strips without thickness over a plane, even and odd.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Width over height. [-]
    gap : float or ndarray, broadcastable to ``width``
        Gap over height. [-]
    dk : float or ndarray, broadcastable to ``width``
        Relative permittivity of the substrate. [-]

    Returns
    -------
    ndarray, shape (2, ...)
        Capacitance over epsilon_0, even and odd. [-]

    Examples
    --------
    >>> c, air = (thin_microstrip_pair(width=1.0, gap=0.2, dk=dk) for dk in (4.2, 1.0))
    >>> print(np.round(ETA / (c * air) ** 0.5, 1), "ohm")
    [94.1 44.6] ohm
    """
    u, g, dk = (np.asarray(v, dtype=float) for v in (width, gap, dk))
    one = _permittivity(u, dk)
    even_width = u * (20 + g**2) / (10 + g**2) + g * np.exp(-g)
    even = _permittivity(even_width, dk)
    a = 0.7287 * (one - (dk + 1) / 2) * (1 - np.exp(-0.179 * u))
    b = 0.747 * dk / (0.15 + dk)
    c = b - (b - 0.207) * np.exp(-0.414 * u)
    d = 0.593 + 0.694 * np.exp(-0.562 * u)
    odd = ((dk + 1) / 2 + a - one) * np.exp(-c * g**d) + one
    even_term, odd_term = _coupling(u, g)
    # Z = Z_01 / sqrt(eps) / (1 - Z_01 Q / eta) and C / eps0 = eta sqrt(eps) / Z
    alone = ETA / _air_impedance(u)
    return np.stack([even * (alone - even_term), odd * (alone - odd_term)])


def _coupling(u: Real, g: Real) -> tuple[Real, Real]:
    """The published Q4 and Q10: what the neighbour takes from the capacitance, even and odd."""
    tenth = g**10
    q1 = 0.8695 * u**0.194
    q2 = 1 + 0.7519 * g + 0.189 * g**2.31
    q3 = 0.1975 + (16.6 + (8.4 / g) ** 6) ** -0.387 + np.log(tenth / (1 + (g / 3.4) ** 10)) / 241
    q4 = 2 * q1 / q2 / (np.exp(-g) * u**q3 + (2 - np.exp(-g)) * u**-q3)
    q5 = 1.794 + 1.14 * np.log1p(0.638 / (g + 0.517 * g**2.43))
    q6 = 0.2305 + np.log(tenth / (1 + (g / 5.8) ** 10)) / 281.3 + np.log1p(0.598 * g**1.154) / 5.1
    q7 = (10 + 190 * g**2) / (1 + 82.3 * g**3)
    q8 = np.exp(-6.5 - 0.95 * np.log(g) - (g / 0.15) ** 5)
    q9 = np.log(q7) * (q8 + 1 / 16.5)
    q10 = (q2 * q4 - q5 * np.exp(np.log(u) * q6 * u**-q9)) / q2
    return np.asarray(q4), np.asarray(q10)
