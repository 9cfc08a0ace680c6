# SPDX-License-Identifier: MIT
"""Centred striplines without thickness, exact by conformal maps, and the width that thickness adds to them.

Lengths are in units of the plane spacing; results are capacitances of the empty section over epsilon_0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard


def elliptic_ratio(k: Real, complement: Real) -> Real:
    """K(k) / K(k') of complete elliptic integrals by arithmetic-geometric means, from k and k' = sqrt(1 - k^2)."""
    low = np.stack([complement, k])
    high = np.ones_like(low)
    for _ in range(9):
        high, low = (high + low) / 2, np.sqrt(high * low)
    mean = (high + low) / 2
    return np.asarray(mean[1] / mean[0])


def strip_ratio(angle: Real) -> Real:
    """K(k) / K(k') of one strip of half the angle :math:`\\pi w/b`."""
    return elliptic_ratio(np.tanh(angle), 1 / np.cosh(angle))


def pair_ratio(own: Real, even: Real, odd: Real) -> Real:
    """Even and odd from the angles of the width and of the pitch, which may differ between the modes.

    The complements are written so that nothing cancels where a hyperbolic tangent is close to 1.
    """
    square, even_square, odd_square = (np.cosh(angle) ** -2.0 for angle in (own, even, odd))
    k = np.stack([np.tanh(own) * np.tanh(even), np.tanh(own) / np.tanh(odd)])
    complement = np.stack([square + even_square - square * even_square, (square - odd_square) / (1 - odd_square)])
    return elliptic_ratio(k, np.sqrt(complement))


@FormulaCard(
    gives="1",
    valid={"width": (0.01, 10.0)},
    source="Cohn, Characteristic impedance of the shielded-strip transmission line, IRE Trans. MTT-2, 1954",
    accuracy="exact without thickness",
    u=1e-9,
)
def thin_strip(*, width: ArrayLike) -> Any:
    r"""Capacitance of a centred strip without thickness.

    .. math:: C/\varepsilon_0 = 4 K(k)/K(k'),\qquad k = \tanh(\pi w/2b)

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Width over plane spacing. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance over epsilon_0. [-]

    Examples
    --------
    >>> f"{thin_strip(width=0.5):.6f}"
    '3.751082'
    """
    return 4 * strip_ratio(np.pi / 2 * np.asarray(width, dtype=float))


@FormulaCard(
    gives="1",
    valid={"width": (0.01, 10.0), "thickness": (0.0, 0.55)},
    source="Wheeler, Transmission-line properties of a strip line between parallel planes, IEEE MTT-26(11), 1978",
    accuracy="0.5 % of the impedance as published; 0.2 % of boundary elements with the exact thin strip",
    u=0.005,
)
def equivalent_excess(*, width: ArrayLike, thickness: ArrayLike) -> Any:
    r"""Width that the thickness adds to a centred strip between planes that are closer by it.

    .. math:: \frac{\Delta w}{b - t} = \frac{x}{\pi(1 - x)} \Bigl\{1 - \frac12 \ln\Bigl[\Bigl(\frac{x}{2 - x}\Bigr)^2
        + \Bigl(\frac{0.0796\,x}{w/b + 1.1\,x}\Bigr)^m\Bigr]\Bigr\},\quad x = \frac{t}{b},\quad
        m = \frac{2}{1 + \frac23 \frac{x}{1 - x}}

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Width over plane spacing. [-]
    thickness : float or ndarray, broadcastable to ``width``
        Thickness over plane spacing; zero is allowed. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Excess over plane spacing. [-]

    Examples
    --------
    >>> f"{equivalent_excess(width=0.5, thickness=0.05):.4f}"
    '0.0734'
    """
    x = np.maximum(np.asarray(thickness, dtype=float), 1e-12)
    power = 2 / (1 + 2 / 3 * x / (1 - x))
    inside = (x / (2 - x)) ** 2 + (0.0796 * x / (np.asarray(width) + 1.1 * x)) ** power
    return x / np.pi * (1 - 0.5 * np.log(inside))
