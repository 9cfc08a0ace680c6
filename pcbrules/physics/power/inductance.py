# SPDX-License-Identifier: MIT
"""Loop inductance of capacitor mountings and of plane pairs in a power ladder.

All three are quasi-static values of perfect conductors: the external inductance, without the internal (skin) part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.constants import MU_0
from pcbrules.physics.common.card import FormulaCard

_CHESSBOARD = 1.8540746773013719
"""Complete elliptic integral K at the parameter 1/2: from a zero of the lemniscate sine to its nearest pole."""


@FormulaCard(
    gives="H",
    valid={"height": (20e-6, 5e-3), "spacing": (0.5e-3, 20e-3), "diameter": (0.05e-3, 0.45e-3)},
    source="Pozar, Microwave Engineering, 4th ed., table 2.1 (two-wire line; D is the spacing, 2a the diameter)",
    accuracy=(
        "3e-4 where the pair joins two planes (independent finite elements, LS01); for a capacitor over one plane the "
        "barrels are short posts, and the pair with the loop of the part added is 36 to 53 % high (3-D, ML01-ML04)"
    ),
)
def via_pair_inductance(*, height: ArrayLike, spacing: ArrayLike, diameter: ArrayLike) -> Any:
    r"""Loop inductance of a power via and a ground via side by side.

    .. math:: L = \frac{\mu_0 h}{\pi}\,\operatorname{arcosh}\frac{s}{d}

    ``n`` pairs far from each other, in parallel, have ``L / n``; pairs of one capacitor couple and have more.

    Parameters
    ----------
    height : float or ndarray, shape (...)
        Length of the barrels from the pad to the plane pair, or the distance of the planes that they join. [m]
    spacing : float or ndarray, broadcastable to ``height``
        Distance of the axes, larger than ``diameter``. [m]
    diameter : float or ndarray, broadcastable to ``height``
        Outer diameter of the barrels: the drill. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance of one pair. [H]

    Examples
    --------
    >>> f"{via_pair_inductance(height=1e-3, spacing=1e-3, diameter=0.25e-3) * 1e9:.3f} nH"
    '0.825 nH'
    """
    return MU_0 * np.asarray(height) / np.pi * np.arccosh(np.asarray(spacing) / np.asarray(diameter))


@FormulaCard(
    gives="H",
    valid={"separation": (5e-6, 2e-3), "length": (0.1e-3, 1.0), "width": (1e-3, 1.0)},
    source="Pozar, Microwave Engineering, 4th ed., table 2.1 (parallel plate)",
    accuracy="exact for uniform flow between wide planes; fringing lowers it by about separation / width",
)
def plane_inductance(*, separation: ArrayLike, length: ArrayLike, width: ArrayLike) -> Any:
    r"""Spreading inductance of a plane pair in which the current flows straight.

    .. math:: L = \mu_0\, d\, \ell / w

    Parameters
    ----------
    separation : float or ndarray, shape (...)
        Dielectric thickness between the facing copper surfaces. [m]
    length : float or ndarray, broadcastable to ``separation``
        Distance along the flow. [m]
    width : float or ndarray, broadcastable to ``separation``
        Width across the flow. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance. [H]

    Examples
    --------
    >>> f"{plane_inductance(separation=100e-6, length=20e-3, width=60e-3) * 1e12:.1f} pH"
    '41.9 pH'
    """
    return MU_0 * np.asarray(separation) * np.asarray(length) / np.asarray(width)


@FormulaCard(
    gives="H",
    valid={"separation": (5e-6, 2e-3), "inner_radius": (0.05e-3, 20e-3), "outer_radius": (20e-3, 1.0)},
    source="Ampere's law: flux density mu0 I / (2 pi r) of a radial current between two planes, integrated over r",
    accuracy="exact for round contacts with a common axis; one capacitor beside a load is via_pair_inductance instead",
)
def radial_inductance(*, separation: ArrayLike, inner_radius: ArrayLike, outer_radius: ArrayLike) -> Any:
    r"""Spreading inductance of a plane pair between a disc and a ring round it.

    .. math:: L = \frac{\mu_0 d}{2\pi}\,\ln\frac{r_2}{r_1}

    Parameters
    ----------
    separation : float or ndarray, shape (...)
        Dielectric thickness between the facing copper surfaces. [m]
    inner_radius : float or ndarray, broadcastable to ``separation``
        Radius of the inner contact, for example of the ball field. [m]
    outer_radius : float or ndarray, broadcastable to ``separation``
        Radius of the ring on which the capacitors sit, not below ``inner_radius``. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance. [H]

    Examples
    --------
    >>> f"{radial_inductance(separation=100e-6, inner_radius=10e-3, outer_radius=25e-3) * 1e12:.1f} pH"
    '18.3 pH'
    """
    ratio = np.asarray(outer_radius) / np.asarray(inner_radius)
    return MU_0 * np.asarray(separation) / (2 * np.pi) * np.log(ratio)


@FormulaCard(
    gives="H",
    valid={"height": (20e-6, 5e-3), "pitch": (0.2e-3, 5e-3), "diameter": (0.05e-3, 0.6e-3)},
    ratios={("pitch", "diameter"): (2.0, float("inf"))},
    source="potential of a chessboard of line charges, the logarithm of the lemniscate sine (DLMF 22.4, 23.5)",
    accuracy="exact far from the edge of the field for diameters small beside the pitch; 0.5 % at half of it",
)
def chessboard_via_inductance(*, height: ArrayLike, pitch: ArrayLike, diameter: ArrayLike) -> Any:
    r"""Loop inductance of one power via and one ground via in a wide field where they alternate as on a chessboard.

    .. math:: L = \frac{\mu_0 h}{\pi}\,\ln\frac{2 s}{1.85407\, d}

    ``n`` pairs of the field in parallel have ``L / n``: their coupling is in it. 1.85407 is :math:`\varpi / \sqrt 2`.

    Parameters
    ----------
    height : float or ndarray, shape (...)
        Length of the barrels. [m]
    pitch : float or ndarray, broadcastable to ``height``
        From a via to the nearest of the other kind, larger than ``diameter``. [m]
    diameter : float or ndarray, broadcastable to ``height``
        Outer diameter of the barrels: the drill. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance of one pair. [H]

    Examples
    --------
    >>> f"{chessboard_via_inductance(height=1e-3, pitch=1e-3, diameter=0.25e-3) * 1e9:.3f} nH"
    '0.585 nH'
    """
    return MU_0 * np.asarray(height) / np.pi * np.log(2 * np.asarray(pitch) / (_CHESSBOARD * np.asarray(diameter)))
