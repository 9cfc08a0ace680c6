# SPDX-License-Identifier: MIT
"""What solder mask adds to the effective permittivity of a microstrip.

Lengths are in units of the substrate height. The mask lies level on the laminate, level on top of the trace, and stands
off its sides by as much as it covers the top.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard

SINGLE = (0.3228, -0.4678, 0.7531, 0.3607, 0.2354, 0.3008)
EVEN = (0.5223, 0.8218)
ODD = (0.943, -0.0629)
BETWEEN = (0.3161, 0.8006, 0.5364, 0.1212, 1.3703)
"""Constants fitted once to 1,132 sections of an independent boundary-element solution, and measured on 828 others."""

RANGE = {
    "width": (0.5, 4.5),
    "dk": (2.2, 5.2),
    "mask_dk": (2.9, 4.3),
    "on_laminate": (0.06, 0.5),
    "over_trace": (0.04, 0.35),
}
THICKNESSES = (0.1, 0.8)


@FormulaCard(
    gives="1",
    valid=RANGE,
    source="product of powers fitted to an independent boundary-element solution",
    accuracy="k = 2: 0.9 % of the impedance under mask; worst of 828 sections 2.0 %",
    u=0.009,
)
def mask_permittivity(
    *, width: ArrayLike, dk: ArrayLike, mask_dk: ArrayLike, on_laminate: ArrayLike, over_trace: ArrayLike
) -> Any:
    r"""Effective permittivity that mask adds to one trace.

    .. math::

        \Delta\varepsilon = 0.323\,u^{-0.468} (\varepsilon_m - 1)^{0.753} m^{0.361} o^{0.235} \varepsilon_r^{0.301}

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Mean width over height. [-]
    dk, mask_dk : float or ndarray, broadcastable to ``width``
        Relative permittivity of substrate and mask. [-]
    on_laminate, over_trace : float or ndarray, broadcastable to ``width``
        Thickness of the mask over height, on the laminate and on top of the trace. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Rise of the effective permittivity. [-]

    Examples
    --------
    >>> thick = mask_permittivity(width=1.65, dk=3.5, mask_dk=3.6, on_laminate=0.235, over_trace=0.141)
    >>> f"{thick:.2f}"
    '0.29'
    """
    scale, u, m, laminate, over, substrate = SINGLE
    return (
        scale
        * np.asarray(width) ** u
        * (np.asarray(mask_dk) - 1) ** m
        * np.asarray(on_laminate) ** laminate
        * np.asarray(over_trace) ** over
        * np.asarray(dk) ** substrate
    )


@FormulaCard(
    gives="1",
    valid=RANGE | {"gap": (0.6, 8.0), "thickness": THICKNESSES},
    source="mask_permittivity and the mask between the traces, fitted to an independent boundary-element solution",
    accuracy="k = 2: 1.6 % of the odd and 0.8 % of the even impedance under mask; worst of 828 sections 2.9 %; mask"
    " over the trace not above 0.4 of the narrowest gap, mask on the laminate not above that on the trace",
    u=0.016,
)
def mask_pair_permittivity(
    *,
    width: ArrayLike,
    gap: ArrayLike,
    thickness: ArrayLike,
    dk: ArrayLike,
    mask_dk: ArrayLike,
    on_laminate: ArrayLike,
    over_trace: ArrayLike,
) -> Real:
    """Effective permittivity that mask adds to a coupled pair, even and odd.

    Parameters
    ----------
    width, dk, mask_dk, on_laminate, over_trace : float or ndarray, shape (...)
        As in ``mask_permittivity``. [-]
    gap : float or ndarray, broadcastable to ``width``
        Mean gap over height. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Copper thickness over height; one trace does without, for it has no influence from 0.1 up. [-]

    Returns
    -------
    ndarray, shape (2, ...)
        Rise of the effective permittivity, even and odd. [-]

    Examples
    --------
    >>> print(mask_pair_permittivity(width=1.28, gap=1.81, thickness=0.44, dk=3.6, mask_dk=3.7, on_laminate=0.31,
    ...                              over_trace=0.15).round(2))
    [0.33 0.44]
    """
    gap = np.asarray(gap, dtype=float)
    one = mask_permittivity(width=width, dk=dk, mask_dk=mask_dk, on_laminate=on_laminate, over_trace=over_trace)
    scale, m, laminate, copper, s = BETWEEN
    between = scale * (np.asarray(mask_dk) - 1) ** m * np.asarray(thickness) ** copper / gap**s
    between = between * (laminate * np.asarray(on_laminate) + np.asarray(over_trace))
    even = one * (1 - EVEN[0] * np.exp(-EVEN[1] * gap))
    return np.stack([even, ODD[0] * one * np.asarray(width, dtype=float) ** ODD[1] + between])
