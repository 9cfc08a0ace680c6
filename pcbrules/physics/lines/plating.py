# SPDX-License-Identifier: MIT
"""Impedance of a copper face under a plated layer, and the permeability of plated nickel."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Complex
from pcbrules.constants import MU_0
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.conductor import FREQUENCIES, LOWEST, RESISTIVITIES


@FormulaCard(
    gives="1",
    valid={"frequency": FREQUENCIES, "static": (1.0, 20.0), "relaxation": (0.5e9, 20e9)},
    source="Debye, Polar Molecules, 1929: one relaxation, as for a permittivity",
    accuracy="that of its two numbers: nickel with phosphorus is nearly free of magnetism, pure nickel is not",
)
def nickel_permeability(*, frequency: ArrayLike, static: ArrayLike, relaxation: ArrayLike) -> Complex:
    r"""Relative permeability of a plated metal over frequency.

    .. math:: \mu = 1 + \frac{\mu_s - 1}{1 + jf/f_r}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    static : float or ndarray, broadcastable to ``frequency``
        Relative permeability far below the relaxation. [-]
    relaxation : float or ndarray, broadcastable to ``frequency``
        Frequency at which the walls of the domains no longer follow. [Hz]

    Returns
    -------
    ndarray of complex, shape (...)
        Relative permeability. [1]

    Examples
    --------
    >>> nickel_permeability(frequency=2e9, static=5.0, relaxation=2e9)
    array(3.-2.j)
    """
    return np.asarray(1 + (np.asarray(static) - 1) / (1 + 1j * np.asarray(frequency) / np.asarray(relaxation)))


def over(
    beneath: Complex, *, frequency: ArrayLike, thickness: ArrayLike, resistivity: ArrayLike, permeability: ArrayLike
) -> Any:
    """Surface impedance [ohm per square] of a layer on a face whose own is ``beneath``: as a line before its load.

    ``thickness`` [m], ``resistivity`` [ohm m] and relative ``permeability`` [-] are those of the layer.
    """
    omega = 2j * pi * np.maximum(frequency, LOWEST) * MU_0 * np.asarray(permeability)
    own = np.sqrt(omega * np.asarray(resistivity))
    turned = np.tanh(np.sqrt(omega / np.asarray(resistivity)) * np.asarray(thickness))
    return own * (beneath + own * turned) / (own + beneath * turned)


@FormulaCard(
    gives="ohm",
    valid={"frequency": (1e6, 85e9), "resistivity": RESISTIVITIES, "coat": (1.4e-8, 2e-6), "thickness": (0.0, 20e-6)},
    source="Ramo, Whinnery, Van Duzer, Fields and Waves in Communication Electronics, 3rd ed., 1994: coated conductors",
    accuracy="exact for flat layers on copper much thicker than the skin depth",
)
def plated_impedance(
    *, frequency: ArrayLike, resistivity: ArrayLike, coat: ArrayLike, thickness: ArrayLike,
    permeability: ArrayLike = 1.0,
) -> Complex:
    r"""Impedance of one square of a smooth thick face under one plated layer.

    .. math:: Z = Z_1 \frac{Z_0 + Z_1\tanh\gamma t}{Z_1 + Z_0\tanh\gamma t},\quad
        Z_i = \sqrt{j\omega\mu_i\rho_i},\quad \gamma = \sqrt{j\omega\mu_1/\rho_1}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    resistivity : float or ndarray, broadcastable to ``frequency``
        Resistivity of the face. [ohm m]
    coat : float or ndarray, broadcastable to ``frequency``
        Resistivity of the layer. [ohm m]
    thickness : float or ndarray, broadcastable to ``frequency``
        Thickness of the layer. [m]
    permeability : float, complex or ndarray, broadcastable to ``frequency``
        Relative permeability of the layer. [-]

    Returns
    -------
    ndarray of complex, shape (...)
        Surface impedance. [ohm per square]

    Examples
    --------
    >>> bare = plated_impedance(frequency=10e9, resistivity=1.8e-8, coat=1.8e-8, thickness=5e-6)
    >>> nickel = plated_impedance(frequency=10e9, resistivity=1.8e-8, coat=6e-7, thickness=5e-6)
    >>> f"{bare.real * 1e3:.2f} and {nickel.real * 1e3:.2f} mohm"
    '26.66 and 158.28 mohm'
    """
    face = np.sqrt(2j * pi * np.maximum(frequency, LOWEST) * MU_0 * np.asarray(resistivity))
    return np.asarray(over(face, frequency=frequency, thickness=thickness, resistivity=coat, permeability=permeability))
