# SPDX-License-Identifier: MIT
"""Skin depth, and the impedance of a thick face, smooth or rough."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Complex
from pcbrules.constants import MU_0
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.roughness import cannonball_causal

RESISTIVITIES = (1.4e-8, 4e-8)
FREQUENCIES = (0.0, 85e9)

LOWEST = 1e-6
"""Frequency below which the skin depth is no longer told apart from that of direct current [Hz]."""


@FormulaCard(
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
    return np.sqrt(np.asarray(resistivity) / (pi * MU_0 * np.maximum(frequency, LOWEST)))


@FormulaCard(
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
