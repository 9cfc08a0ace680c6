# SPDX-License-Identifier: MIT
"""How much of the water that it may take up a warm laminate keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.card import FormulaCard

DEW_POINT = 24.0
"""Highest dew point of the room [degC]: that of class A3 of ASHRAE TC 9.9, 2021, as recalled."""


@FormulaCard(
    gives="1",
    valid={"temperature": (-40.0, 150.0), "dew_point": (-40.0, 50.0)},
    source="O. A. Alduchov, R. E. Eskridge, Improved Magnus form approximation of saturation vapor pressure, Journal of"
    " Applied Meteorology 35, 1996, eq. 21",
    accuracy="of the humidity: 0.4 % up to 50 degC, 2 % low at 85 degC; a laminate follows in hours to weeks",
)
def water_share(*, temperature: ArrayLike, dew_point: ArrayLike = DEW_POINT) -> Any:
    r"""Relative humidity at a warm board: the share of all the water that its laminates keep.

    .. math:: \min\left(1, \frac{p(T_d)}{p(T)}\right),\qquad p(T) \propto \exp\frac{17.625\,T}{T + 243.04}

    Parameters
    ----------
    temperature : float or ndarray, shape (...)
        Temperature of the board. [degC]
    dew_point : float or ndarray, broadcastable to ``temperature``
        Dew point of the room. [degC]

    Returns
    -------
    float or ndarray, shape (...)
        Share. [1]

    Examples
    --------
    >>> f"{water_share(temperature=85):.3f}"
    '0.051'
    """
    return np.minimum(1.0, np.exp(_exponent(dew_point) - _exponent(temperature)))


def _exponent(temperature: ArrayLike) -> Any:
    """Logarithm of the pressure of water vapour over water at a temperature [degC], but for a constant. [-]"""
    t = np.asarray(temperature)
    return 17.625 * t / (t + 243.04)
