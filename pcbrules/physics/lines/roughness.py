# SPDX-License-Identifier: MIT
"""What rough copper costs: the factor on the surface resistance of a smooth face.

All take the skin depth, so frequency and resistivity enter through it. The cannonball model in its causal form is the
one in use, for every face of every line: its one input is Rz, which foil makers print, it does not saturate at 2 as the
two older formulas do, and it raises the inductance by what causality demands. The gradient model, which takes Rq, is in
``pcbrules.physics.lines.gradient_roughness``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.physics.common.card import FormulaCard

RADIUS_OVER_RZ = 0.06
"""Sphere radius over Rz as published (exactly 1 / (4 sqrt(3) (1 + sqrt(2))) = 0.0598)."""

SPHERES, TILE = 14, 6.0
"""Spheres of a stack, and the side of its square base in radii."""

SURFACE_RATIO = SPHERES * 4 * np.pi / TILE**2
"""Surface of the spheres over their base: 4.887."""

SKIN_DEPTHS = (0.1e-6, 1e-3)


@FormulaCard(
    gives="1",
    valid={"skin_depth": SKIN_DEPTHS, "rms": (0.0, 4e-6)},
    source="Hammerstad and Jensen, IEEE MTT-S Digest 1980, p. 407, after Morgan, J. Appl. Phys. 20, 1949",
    accuracy="low above rms height = skin depth: cannot pass 2, where measured boards reach 3 to 4",
)
def hammerstad(*, skin_depth: ArrayLike, rms: ArrayLike) -> Any:
    r"""Factor for grooves across the current.

    .. math:: K = 1 + \frac{2}{\pi} \arctan 1.4 (R_q/\delta)^2

    Parameters
    ----------
    skin_depth : float or ndarray, shape (...)
        Skin depth. [m]
    rms : float or ndarray, broadcastable to ``skin_depth``
        Root-mean-square height Rq of the face. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Rough over smooth surface resistance. [-]

    Examples
    --------
    >>> f"{hammerstad(skin_depth=1e-6, rms=1e-6):.4f}"
    '1.6051'
    """
    return 1 + 2 / np.pi * np.arctan(1.4 * (np.asarray(rms) / np.asarray(skin_depth)) ** 2)


@FormulaCard(
    gives="1",
    valid={"skin_depth": SKIN_DEPTHS, "rms": (0.0, 4e-6)},
    source="Groiss, Bardi, Biro, Preis, Richter, IEEE Trans. Magn. 32(3), 1996, p. 894",
    accuracy="as Hammerstad's: cannot pass 2",
)
def groiss(*, skin_depth: ArrayLike, rms: ArrayLike) -> Any:
    r"""Factor of waveguide walls.

    .. math:: K = 1 + \exp\bigl(-(\delta/2R_q)^{1.6}\bigr)

    Parameters
    ----------
    skin_depth : float or ndarray, shape (...)
        Skin depth. [m]
    rms : float or ndarray, broadcastable to ``skin_depth``
        Root-mean-square height Rq of the face. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Rough over smooth surface resistance. [-]

    Examples
    --------
    >>> f"{groiss(skin_depth=2e-6, rms=1e-6):.4f}"
    '1.3679'
    """
    height = np.maximum(np.asarray(rms, dtype=float), 1e-15)
    return 1 + np.exp(-np.minimum((np.asarray(skin_depth) / (2 * height)) ** 1.6, 700.0))


@FormulaCard(
    gives="1",
    valid={"skin_depth": SKIN_DEPTHS, "radius": (0.0, 2e-6), "surface_ratio": (0.0, 10.0)},
    source="Huray et al., Impact of copper surface texture on loss, DesignCon 2010, one sphere size on a flat base",
    accuracy="that of radius and count of the spheres, which are not printed for any foil",
)
def huray(*, skin_depth: ArrayLike, radius: ArrayLike, surface_ratio: ArrayLike) -> Any:
    r"""Factor for equal spheres on a flat base.

    .. math:: K = 1 + \frac{3}{2} S \Bigl/ \Bigl(1 + \frac{\delta}{a} + \frac{\delta^2}{2a^2}\Bigr)

    Parameters
    ----------
    skin_depth : float or ndarray, shape (...)
        Skin depth. [m]
    radius : float or ndarray, broadcastable to ``skin_depth``
        Radius of the spheres. [m]
    surface_ratio : float or ndarray, broadcastable to ``skin_depth``
        Surface of the spheres over the area that they stand on. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Rough over smooth surface resistance. [-]

    Examples
    --------
    >>> f"{huray(skin_depth=2.089723e-6, radius=0.5e-6, surface_ratio=2.9):.4f}"
    '1.3126'
    """
    delta, a = np.asarray(skin_depth), np.asarray(radius)
    return 1 + 1.5 * np.asarray(surface_ratio) * 2 * a**2 / (2 * a**2 + 2 * a * delta + delta**2)


@FormulaCard(
    gives="1",
    valid={"skin_depth": SKIN_DEPTHS, "rz": (0.0, 15e-6)},
    source="Simonovich, Cannonball-Huray model demystified, 2019: 14 spheres of radius 0.06 Rz on a base of 36 radii"
    " squared",
    accuracy="30 % of the excess over 1 (judgement: published comparisons with measured lines; none was at hand here)",
    u=0.3,
)
def cannonball(*, skin_depth: ArrayLike, rz: ArrayLike) -> Any:
    r"""Factor for a cannonball stack of spheres, from Rz alone: ``huray`` with :math:`a = 0.06 R_z, S = 14\pi/9`.

    Parameters
    ----------
    skin_depth : float or ndarray, shape (...)
        Skin depth. [m]
    rz : float or ndarray, broadcastable to ``skin_depth``
        Ten-point height Rz of the face as it is in the board, after oxide or bond treatment. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Rough over smooth surface resistance. [-]

    Examples
    --------
    >>> f"{cannonball(skin_depth=0.4179e-6, rz=1.5e-6):.4f}"
    '1.4463'
    """
    return huray(skin_depth=skin_depth, radius=RADIUS_OVER_RZ * np.asarray(rz), surface_ratio=SURFACE_RATIO)


@FormulaCard(
    gives="1",
    valid={"skin_depth": SKIN_DEPTHS, "rz": (0.0, 15e-6)},
    source="Bracken, A causal Huray model for surface roughness, DesignCon 2012, with the cannonball's spheres",
    accuracy="30 % of the excess over 1, as ``cannonball``",
    u=0.3,
)
def cannonball_causal(*, skin_depth: ArrayLike, rz: ArrayLike) -> NDArray[np.complex128]:
    r"""Complex factor on the surface impedance :math:`(1 + j) R_s` whose resistance is that of ``cannonball``.

    .. math:: K = 1 + \frac{3}{2} S \Bigl/ \Bigl(1 + \frac{(1 - j)\delta}{2a}\Bigr)

    Parameters
    ----------
    skin_depth : float or ndarray, shape (...)
        Skin depth. [m]
    rz : float or ndarray, broadcastable to ``skin_depth``
        Ten-point height Rz of the face. [m]

    Returns
    -------
    ndarray of complex, shape (...)
        Rough over smooth surface impedance. [-]

    Examples
    --------
    >>> surface = (1 + 1j) * cannonball_causal(skin_depth=0.4179e-6, rz=1.5e-6)
    >>> f"{surface.real:.4f}"
    '1.4463'
    """
    a = RADIUS_OVER_RZ * np.asarray(rz, dtype=float)
    return np.asarray(1 + 1.5 * SURFACE_RATIO * 2 * a / (2 * a + (1 - 1j) * np.asarray(skin_depth)))
