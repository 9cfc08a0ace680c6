# SPDX-License-Identifier: MIT
"""Microstrips of real copper: one trace or a coupled pair on a substrate over a plane, bare or under solder mask.

The published strips without thickness, an equivalent width and an equivalent gap for the thickness of the copper, and
the part of the added field that passes through the substrate. Lengths are in units of the substrate height; width and
gap are those at half the thickness of the copper. Capacitance of the empty section gives the inductance; permittivity
is that of the section over it. Quasi-static: no dispersion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.microstrip_thin import thin_microstrip, thin_microstrip_pair

WIDTHS, GAPS, THICKNESSES, TAPERS, DKS = (0.4, 6.0), (0.35, 10.0), (0.04, 0.8), (0.0, 1.0), (2.2, 5.2)

EVEN_GAP = (0.978, 0.3661, -0.1686)
ODD_GAP = (0.7302, 0.629, 0.1168, -0.2874)
SMOOTH_GAP = (0.05, 0.1)
TAPER_SHIFT = 0.2593
SUBSTRATE = 0.6269
SINGLE = (-0.0296, 1.804)
EVEN = (-0.0682, -0.0487, 0.4374, 0.2344)
ODD = (0.0639, 0.1304, 1.0153, 0.2517)
"""Constants fitted once to half of 4,600 sections of an independent boundary-element solution, measured on the rest."""

_FIT = "thickness, taper: constants fitted to an independent boundary-element solution"


def _excess(width: Real, thickness: Real) -> Real:
    """Width that thickness adds in air: Hammerstad and Jensen 1980."""
    return np.asarray(thickness / np.pi * np.log1p(4 * np.e / (thickness / np.tanh(np.sqrt(6.517 * width)) ** 2)))


def _arrays(*values: ArrayLike) -> tuple[Real, ...]:
    return tuple(np.asarray(v, dtype=float) for v in values)


def _positive(value: Real, scale: float) -> Real:
    return np.asarray((value + np.sqrt(value**2 + scale**2)) / 2)


@FormulaCard(
    gives="1",
    valid={"width": WIDTHS, "thickness": THICKNESSES, "taper": TAPERS},
    source="thin_microstrip, thickness of Hammerstad and Jensen 1980; taper fitted as in microstrip_pair_capacitance",
    accuracy="k = 2: 0.4 %; worst of 2,300 sections 0.9 %",
    u=0.004,
)
def microstrip_capacitance(*, width: ArrayLike, thickness: ArrayLike, taper: ArrayLike = 0.0) -> Any:
    """Capacitance of one trace over a plane, without dielectric.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width over height. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness over height. [-]
    taper : float or ndarray, broadcastable to ``width``
        Lower less upper width, over the thickness. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance over epsilon_0. [-]

    Examples
    --------
    >>> f"{microstrip_capacitance(width=1.75, thickness=0.5):.3f}"
    '4.524'
    """
    width, thickness, taper = _arrays(width, thickness, taper)
    width = width + TAPER_SHIFT * taper * thickness / 2
    return thin_microstrip(width=width + _excess(width, thickness), dk=1.0)


@FormulaCard(
    gives="1",
    valid={"width": WIDTHS, "gap": GAPS, "thickness": THICKNESSES, "taper": TAPERS},
    source="thin_microstrip_pair (Kirschning and Jansen 1984), width of Hammerstad and Jensen 1980; gap, " + _FIT,
    accuracy="k = 2: 0.7 %; worst of 2,300 sections 2.0 %; narrowest gap not below the thickness",
    u=0.007,
)
def microstrip_pair_capacitance(
    *, width: ArrayLike, gap: ArrayLike, thickness: ArrayLike, taper: ArrayLike = 0.0
) -> Real:
    """Capacitance of each trace of a coupled pair over a plane, without dielectric, even and odd.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width over height. [-]
    gap : float or ndarray, broadcastable to ``width``
        Mean gap over height. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness over height. [-]
    taper : float or ndarray, broadcastable to ``width``
        Lower less upper width, over the thickness. [-]

    Returns
    -------
    ndarray, shape (2, ...)
        Capacitance over epsilon_0, even and odd. [-]

    Examples
    --------
    >>> print(microstrip_pair_capacitance(width=1.67, gap=3.89, thickness=0.33).round(2))
    [4.06 4.52]
    """
    width, gap, thickness, taper = _arrays(width, gap, thickness, taper)
    shift = TAPER_SHIFT * taper * thickness / 2
    width, gap = width + shift, gap - shift
    excess = _excess(width, thickness)
    even = gap - (EVEN_GAP[0] + EVEN_GAP[1] * gap + EVEN_GAP[2] * thickness) * excess
    odd = gap - (ODD_GAP[0] + ODD_GAP[1] * gap / (1 + ODD_GAP[2] * gap) + ODD_GAP[3] * thickness) * excess
    gaps = np.stack([_positive(even, SMOOTH_GAP[0]), _positive(odd, SMOOTH_GAP[1])])
    both = thin_microstrip_pair(width=width + excess, gap=gaps, dk=1.0)
    return np.stack([both[0, 0], both[1, 1]])


@FormulaCard(
    gives="1",
    valid={"width": WIDTHS, "thickness": THICKNESSES, "taper": TAPERS, "dk": DKS},
    source="thin_microstrip (Hammerstad and Jensen 1980) on the foot; " + _FIT,
    accuracy="k = 2: 0.4 % of the permittivity and of the impedance (worst of 2,300 sections 0.7 %)",
    u=0.004,
)
def microstrip_permittivity(*, width: ArrayLike, thickness: ArrayLike, dk: ArrayLike, taper: ArrayLike = 0.0) -> Any:
    """Effective permittivity of one bare trace on a substrate.

    Parameters
    ----------
    width, thickness, taper : float or ndarray, shape (...)
        As in ``microstrip_capacitance``. [-]
    dk : float or ndarray, broadcastable to ``width``
        Relative permittivity of the substrate. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Effective permittivity. [-]

    Examples
    --------
    >>> f"{microstrip_permittivity(width=1.75, thickness=0.5, dk=3.6):.2f}"
    '2.58'
    """
    width, thickness, taper, dk = _arrays(width, thickness, taper, dk)
    full = microstrip_capacitance(width=width, thickness=thickness, taper=taper)
    foot = width + taper * thickness / 2
    air, filled = (thin_microstrip(width=foot, dk=value) for value in (1.0, dk))
    through = 1 + (dk - 1) / (dk + 1) * (SUBSTRATE + SINGLE[0] * np.exp(-SINGLE[1] * width))
    return (filled + through * (full - air)) / full


@FormulaCard(
    gives="1",
    valid={"width": WIDTHS, "gap": GAPS, "thickness": THICKNESSES, "taper": TAPERS, "dk": DKS},
    source="thin_microstrip_pair (Kirschning and Jansen 1984) on the foot; " + _FIT,
    accuracy="k = 2: 0.5 % of the permittivity and of the impedance (worst of 2,300 sections 1.6 %)",
    u=0.005,
)
def microstrip_pair_permittivity(
    *, width: ArrayLike, gap: ArrayLike, thickness: ArrayLike, dk: ArrayLike, taper: ArrayLike = 0.0
) -> Real:
    """Effective permittivity of a bare coupled pair on a substrate, even and odd.

    Parameters
    ----------
    width, gap, thickness, taper : float or ndarray, shape (...)
        As in ``microstrip_pair_capacitance``. [-]
    dk : float or ndarray, broadcastable to ``width``
        Relative permittivity of the substrate. [-]

    Returns
    -------
    ndarray, shape (2, ...)
        Effective permittivity, even and odd. [-]

    Examples
    --------
    >>> print(microstrip_pair_permittivity(width=1.67, gap=3.89, thickness=0.33, dk=3.2).round(2))
    [2.45 2.28]
    """
    width, gap, thickness, taper, dk = _arrays(width, gap, thickness, taper, dk)
    full = microstrip_pair_capacitance(width=width, gap=gap, thickness=thickness, taper=taper)
    widening = taper * thickness / 2
    foot, between = width + widening, np.maximum(gap - widening, 0.1)
    air, filled = (thin_microstrip_pair(width=foot, gap=between, dk=value) for value in (1.0, dk))
    contrast = (dk - 1) / (dk + 1)
    even = SUBSTRATE + EVEN[0] * np.log(width) + EVEN[1] * thickness + EVEN[2] * np.exp(-EVEN[3] * gap)
    odd = (SUBSTRATE + ODD[0] * np.log(width) + ODD[1] * thickness) * (1 - ODD[2] * np.exp(-ODD[3] * gap))
    return np.asarray((filled + (1 + contrast * np.stack([even, odd])) * (full - air)) / full)
