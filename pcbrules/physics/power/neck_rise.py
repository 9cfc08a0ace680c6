# SPDX-License-Identifier: MIT
"""Temperature rise of a neck of finite length between wide copper: what it heats itself flows out at both ends.

The formulas for long traces (`ampacity`) know the way through the surfaces alone. A web of half a millimetre between
two antipads loses its heat along the copper, and stays a hundred times cooler than a trace of its width.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard

FAR = 50.0
"""Half length over the healing length from which on a neck is as hot as an endless trace to the last digit. [-]"""

FOOT = 4 * 1.1229
"""Of the rise round an isothermal foot of width w on a sheet: ln(FOOT healing / w), K0 for a small argument. [-]"""


@FormulaCard(
    gives="K",
    valid={"trace_rise": (0.01, 1e4), "current": (0.01, 100.0), "width": (0.05e-3, 16e-3),
           "thickness": (5e-6, 210e-6), "length": (1e-5, 1.0), "resistivity": (1.4e-8, 4e-8),
           "conductivity": (300.0, 420.0), "mouth": (0.0, 1e3)},
    source="fin with heat of its own, two equal feet: Incropera, Fundamentals of Heat and Mass Transfer, 6th ed., 3.6",
    accuracy="1 % of finite differences for a strip between isothermal ends; the surfaces as of an endless trace",
)
def neck_rise(
    *, trace_rise: ArrayLike, current: ArrayLike, width: ArrayLike, thickness: ArrayLike, length: ArrayLike,
    resistivity: ArrayLike, conductivity: ArrayLike, mouth: ArrayLike = 0.0,
) -> Any:
    r"""Rise of the middle of a neck above the copper at its ends.

    .. math:: \Delta T = \Delta T_\infty \Bigl(1 - \frac{1}{\cosh u + \beta \sinh u}\Bigr), \quad u = m l / 2, \quad
              m^2 = \frac{J^2 \rho}{k\,\Delta T_\infty}, \quad \beta = R k w t m

    A short neck tends to :math:`J^2 \rho l^2 / 8 k`, whatever the surfaces do, a long one to an endless trace.

    Parameters
    ----------
    trace_rise : float or ndarray, shape (...)
        Rise of an endless trace of the same width, thickness and current. [K]
    current : float or ndarray, broadcastable to the others
        Current. [A]
    width, thickness, length : float or ndarray
        Of the neck; the length is that of a strip of this width with the resistance of the neck. [m]
    resistivity : float or ndarray
        Of the copper, warm. [ohm m]
    conductivity : float or ndarray
        Thermal, of the copper. [W/(m K)]
    mouth : float or ndarray
        From either end of the neck into the copper around it. [K/W]

    Returns
    -------
    float or ndarray, shape (...)
        Temperature rise. [K]

    Examples
    --------
    >>> web = neck_rise(trace_rise=18.6, current=1.56, width=0.4e-3, thickness=35e-6, length=0.7e-3,
    ...                 resistivity=2.06e-8, conductivity=385)
    >>> f"{web:.3f} K"
    '0.041 K'
    """
    area = np.asarray(width) * np.asarray(thickness)
    endless, k = np.asarray(trace_rise, float), np.asarray(conductivity)
    m = np.sqrt((np.asarray(current) / area) ** 2 * np.asarray(resistivity) / (k * endless))
    half = np.minimum(m * np.asarray(length) / 2, FAR)
    foot = np.asarray(mouth) * k * area * m
    # 1 - 1 / (cosh u + b sinh u) with cosh u - 1 = 2 sinh2 (u / 2), which is exact for short necks too
    over = 2 * np.sinh(half / 2) ** 2 + foot * np.sinh(half)
    return endless * over / (1 + over)


@FormulaCard(
    gives="K/W",
    valid={"width": (0.05e-3, 16e-3), "thickness": (5e-6, 210e-6), "healing": (1e-3, 1.0),
           "conductivity": (300.0, 420.0)},
    source="Carslaw, Jaeger, Conduction of Heat in Solids, 2nd ed., 10.4: line source on a sheet with surface losses",
    accuracy="isothermal foot on the edge of a half sheet that is wide beside the healing length",
)
def mouth_resistance(
    *, width: ArrayLike, thickness: ArrayLike, healing: ArrayLike, conductivity: ArrayLike
) -> Any:
    r"""Resistance from the end of a neck into half a sheet.

    .. math:: R = \frac{1}{\pi k t} \ln\Bigl(\frac{4 \cdot 1.123\,\lambda}{w}\Bigr)

    Parameters
    ----------
    width, thickness : float or ndarray, shape (...)
        Of the neck, and of both. [m]
    healing : float or ndarray
        Length over which the sheet loses heat through its surfaces. [m]
    conductivity : float or ndarray
        Thermal, of the copper. [W/(m K)]

    Returns
    -------
    float or ndarray, shape (...)
        Thermal resistance; zero where the sheet is no wider than the neck. [K/W]

    Examples
    --------
    >>> f"{mouth_resistance(width=0.4e-3, thickness=35e-6, healing=19e-3, conductivity=385):.0f} K/W"
    '127 K/W'
    """
    foot = np.maximum(FOOT * np.asarray(healing) / np.asarray(width), 1.0)
    return np.log(foot) / (pi * np.asarray(conductivity) * np.asarray(thickness))
