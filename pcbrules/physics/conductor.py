# SPDX-License-Identifier: MIT
"""Series impedance inside the copper of a line, from direct current to the skin effect."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.constants import mu_0, pi

from pcbrules.physics.card import Card
from pcbrules.physics.roughness import cannonball_causal

Complex = NDArray[np.complex128]

RESISTIVITIES = (1.4e-8, 4e-8)
FREQUENCIES = (0.0, 85e9)

LOWEST = 1e-6
"""Frequency below which the skin depth is no longer told apart from that of direct current [Hz]."""


@Card(
    gives="m",
    valid={"frequency": FREQUENCIES, "resistivity": RESISTIVITIES},
    source="Wheeler, Formulas for the skin effect, Proc. IRE 30, 1942, p. 412",
    accuracy="exact for a flat face much thicker than the skin depth",
)
def skin_depth(*, frequency: ArrayLike, resistivity: ArrayLike) -> Any:
    r"""Depth at which the current density has fallen to 1/e.

    .. math:: \delta = \sqrt{\rho / \pi f \mu_0}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency; at zero the depth is merely large. [Hz]
    resistivity : float or ndarray, broadcastable to ``frequency``
        Resistivity. [ohm m]

    Returns
    -------
    float or ndarray, shape (...)
        Skin depth. [m]

    Examples
    --------
    >>> f"{skin_depth(frequency=1e9, resistivity=1.724e-8) * 1e6:.4f} um"
    '2.0897 um'
    """
    return np.sqrt(np.asarray(resistivity) / (pi * mu_0 * np.maximum(frequency, LOWEST)))


@Card(
    gives="ohm",
    valid={"frequency": FREQUENCIES, "resistivity": RESISTIVITIES, "rz": (0.0, 15e-6)},
    source="Wheeler, Proc. IRE 30, 1942, p. 412, times the roughness of ``cannonball_causal``",
    accuracy="smooth: exact; rough: that of the roughness model",
)
def surface_impedance(*, frequency: ArrayLike, resistivity: ArrayLike, rz: ArrayLike = 0.0) -> Complex:
    r"""Impedance of one square of a thick face.

    .. math:: Z_s = (1 + j)\, \frac{\rho}{\delta}\, K(\delta, R_z)

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    resistivity : float or ndarray, broadcastable to ``frequency``
        Resistivity. [ohm m]
    rz : float or ndarray, broadcastable to ``frequency``
        Ten-point height of the face; zero is smooth. [m]

    Returns
    -------
    ndarray of complex, shape (...)
        Surface impedance. [ohm per square]

    Examples
    --------
    >>> f"{surface_impedance(frequency=8e9, resistivity=1.724e-8).real * 1e3:.3f} mohm"
    '23.334 mohm'
    """
    depth = skin_depth(frequency=frequency, resistivity=resistivity)
    smooth = (1 + 1j) * np.asarray(resistivity) / depth * (np.asarray(frequency) > 0)
    return np.asarray(smooth * cannonball_causal(skin_depth=depth, rz=rz))


@Card(
    gives="ohm/m",
    valid={"width": (20e-6, 5e-3), "thickness": (5e-6, 200e-6), "resistivity": RESISTIVITIES},
    source="definition: resistivity over cross-section",
    accuracy="exact; the return planes are taken as wide",
    u=0.0,
)
def direct_resistance(*, width: ArrayLike, thickness: ArrayLike, resistivity: ArrayLike) -> Any:
    r"""Resistance per metre at direct current.

    .. math:: R_0 = \rho / w t

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width of the trace. [m]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness. [m]
    resistivity : float or ndarray, broadcastable to ``width``
        Resistivity. [ohm m]

    Returns
    -------
    float or ndarray, shape (...)
        Resistance. [ohm/m]

    Examples
    --------
    >>> f"{direct_resistance(width=100e-6, thickness=17.5e-6, resistivity=1.75e-8):.1f} ohm/m"
    '10.0 ohm/m'
    """
    return np.asarray(resistivity) / (np.asarray(width) * np.asarray(thickness))


@Card(
    gives="ohm/m",
    valid={"direct": (0.1, 200.0)},
    source="Johnson and Graham, High-Speed Signal Propagation, 2003, ch. 2: root of the sum of squares, made complex",
    accuracy="k = 2: 2 % of the resistance from 0.1 to 50 GHz with ``crowding`` (nine sections, meshed copper); 1 to"
    " 10 MHz up to 9 % low, 15 % low at 1 MHz in the even mode over 10 mm wide planes, whose resistance is left out;"
    " inductance 1 % from 10 MHz, 0.1 % from 1 GHz",
)
def series_impedance(*, direct: ArrayLike, skin: ArrayLike) -> Complex:
    r"""Impedance inside the copper at any frequency, causal and passive, exact at both ends.

    .. math:: Z = \sqrt{R_0^2 + Z_\mathrm{skin}^2}

    Parameters
    ----------
    direct : float or ndarray, shape (...)
        Resistance at direct current. [ohm/m]
    skin : ndarray of complex, broadcastable to ``direct``
        Impedance in the limit of a thin skin: surface impedances times the crowding of the current. [ohm/m]

    Returns
    -------
    ndarray of complex, shape (...)
        Resistance, and reactance of the inductance inside the copper. [ohm/m]

    Examples
    --------
    >>> series_impedance(direct=10.0, skin=0j)
    array(10.+0.j)
    """
    return np.asarray(np.sqrt(np.asarray(direct) ** 2 + np.asarray(skin, dtype=complex) ** 2))
