# SPDX-License-Identifier: MIT
"""Resistance of copper at direct current and temperature."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard

RESISTIVITY_20 = 1.7241e-8
"""Annealed copper at 20 degC [ohm m]: IEC 60028 (International Annealed Copper Standard), 1/58 ohm mm2/m."""

TEMPERATURE_COEFFICIENT = 0.00393
"""Relative rise of resistivity per kelvin from 20 degC [1/K]: IEC 60028."""


@FormulaCard(
    gives="ohm m",
    valid={"temperature": (-55.0, 150.0)},
    source="IEC 60028 (International Annealed Copper Standard): value at 20 degC and constant-mass coefficient",
    accuracy="0.1 % for annealed copper; electrodeposited foil and plating run 0 to 5 % higher",
)
def resistivity(*, temperature: ArrayLike, at_20: ArrayLike = RESISTIVITY_20) -> Any:
    r"""Resistivity of copper.

    .. math:: \rho(T) = \rho_{20}\,\bigl(1 + 0.00393\,(T - 20)\bigr)

    Parameters
    ----------
    temperature : float or ndarray, shape (...)
        Temperature of the copper. [degC]
    at_20 : float or ndarray, broadcastable to ``temperature``
        Resistivity at 20 degC. [ohm m]

    Returns
    -------
    float or ndarray, shape (...)
        Resistivity. [ohm m]

    Examples
    --------
    >>> f"{resistivity(temperature=85):.4e} ohm m"
    '2.1645e-08 ohm m'
    """
    return np.asarray(at_20) * (1 + TEMPERATURE_COEFFICIENT * (np.asarray(temperature) - 20))


@FormulaCard(
    gives="ohm",
    valid={"thickness": (5e-6, 500e-6), "temperature": (-55.0, 150.0)},
    source="definition: resistivity over thickness; resistivity from IEC 60028",
    accuracy="that of thickness and resistivity; a sheet without holes",
)
def sheet_resistance(*, thickness: ArrayLike, temperature: ArrayLike, at_20: ArrayLike = RESISTIVITY_20) -> Any:
    r"""Resistance of one square of a copper sheet.

    .. math:: R_\square = \rho(T) / t

    Parameters
    ----------
    thickness : float or ndarray, shape (...)
        Copper thickness; 1 oz is 35 um. [m]
    temperature : float or ndarray, broadcastable to ``thickness``
        Temperature of the copper. [degC]
    at_20 : float or ndarray, broadcastable to ``thickness``
        Resistivity at 20 degC. [ohm m]

    Returns
    -------
    float or ndarray, shape (...)
        Sheet resistance. [ohm per square]

    Examples
    --------
    >>> f"{sheet_resistance(thickness=70e-6, temperature=20) * 1e3:.3f} mohm"
    '0.246 mohm'
    """
    return resistivity(temperature=temperature, at_20=at_20) / np.asarray(thickness)
