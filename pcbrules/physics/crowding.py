# SPDX-License-Identifier: MIT
"""Crowding of the current on each face of a line, in the limit of a thin skin.

Wheeler's rule: the resistance of a face is its surface resistance times the rate at which the inductance of the empty
section grows when that face recedes. The inductance is ``mu_0`` over the capacitance of the closed forms, so nothing
new is fitted here but one factor for corners.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pcbrules.physics.card import Card
from pcbrules.physics.microstrip import microstrip_capacitance, microstrip_pair_capacitance
from pcbrules.physics.stripline import stripline_capacitance, stripline_pair_capacitance

Real = NDArray[np.float64]

FACES = ("lower", "upper", "sides", "plane below", "plane above")

CORNERS = 0.988
"""What is left of Wheeler's resistance when the current spreads round corners that are not infinitely sharp: mean of
nine sections, 1 to 50 GHz, against an independent finite-element reference with the copper meshed (0.975 to 1.006)."""

STEP = 1e-4
"""Part of the smallest length by which a face recedes for the central difference."""

_RECEDE = np.array([[0, 0, -1, 1, 0], [0, 0, -1, 0, 1], [-2, 2, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1.0]])
"""What one metre of recession of each face does to width, gap, thickness, distance below and distance above."""


def _slopes(capacitance: Callable[..., Real], lengths: Real, faces: int) -> Real:
    step = STEP * float(np.min(lengths[2:]))
    moved = np.concatenate([lengths + step * _RECEDE[:faces], lengths - step * _RECEDE[:faces]])
    inverse = 1 / capacitance(*moved.T)
    return np.asarray(CORNERS * (inverse[:, :faces] - inverse[:, faces:]) / (2 * step))


@Card(
    gives="1/m",
    valid={
        "width": (20e-6, 5e-3),
        "thickness": (5e-6, 200e-6),
        "below": (30e-6, 5e-3),
        "above": (30e-6, 5e-3),
        "taper": (-1.0, 1.0),
    },
    source="Wheeler, Formulas for the skin effect, Proc. IRE 30, 1942, p. 412, on stripline_pair_capacitance",
    accuracy="k = 2: 1.5 % of the sum, 1 to 50 GHz, five sections with meshed copper (-1.1 to +1.3 %)",
    u=0.015,
)
def stripline_crowding(
    *, width: float, thickness: float, below: float, above: float, taper: float = 0.0, gap: float | None = None
) -> Real:
    r"""Resistance over surface resistance of each face of a trace between planes, and of the planes beneath it.

    .. math:: R_i/R_{s,i} = \frac{\partial}{\partial n_i} \frac{\varepsilon_0}{C_0}

    Parameters
    ----------
    width : float
        Mean width. [m]
    thickness : float
        Copper thickness. [m]
    below, above : float
        Distances from the lower face to the lower plane and from the upper face to the upper plane. [m]
    taper : float
        Lower less upper width, over the thickness. [-]
    gap : float or None
        Mean gap of a pair; None is one trace. [m]

    Returns
    -------
    ndarray, shape (1, 5) or (2, 5)
        Lower face, upper face, both sides, lower plane, upper plane; of one trace, or per leg, even and odd. [1/m]

    Examples
    --------
    >>> made = stripline_crowding(width=110e-6, thickness=15e-6, below=105e-6, above=105e-6)
    >>> [round(float(face)) for face in made[0]]
    [1756, 1756, 2117, 634, 634]
    """

    def capacitance(w: Real, s: Real, t: Real, low: Real, high: Real) -> Real:
        b, position = t + low + high, low / (low + high)
        if gap is None:
            one = stripline_capacitance(width=w / b, thickness=t / b, position=position, taper=taper)
            return np.asarray(one)[None]
        pair = stripline_pair_capacitance(width=w / b, gap=s / b, thickness=t / b, position=position, taper=taper)
        return np.asarray(pair)

    return _slopes(capacitance, np.array([width, gap or 0.0, thickness, below, above]), 5)


@Card(
    gives="1/m",
    valid={"width": (20e-6, 5e-3), "thickness": (5e-6, 200e-6), "below": (30e-6, 5e-3), "taper": (0.0, 1.0)},
    source="Wheeler, Formulas for the skin effect, Proc. IRE 30, 1942, p. 412, on microstrip_pair_capacitance",
    accuracy="k = 2: 1.5 % of the sum, 1 to 50 GHz, three sections with meshed copper (-1.4 to +1.4 %)",
    u=0.015,
)
def microstrip_crowding(
    *, width: float, thickness: float, below: float, taper: float = 0.0, gap: float | None = None
) -> Real:
    """Resistance over surface resistance of each face of a trace over a plane, and of the plane: as in a stripline.

    Parameters
    ----------
    width : float
        Mean width. [m]
    thickness : float
        Copper thickness. [m]
    below : float
        Distance from the lower face to the plane. [m]
    taper : float
        Lower less upper width, over the thickness. [-]
    gap : float or None
        Mean gap of a pair; None is one trace. [m]

    Returns
    -------
    ndarray, shape (1, 4) or (2, 4)
        Lower face, upper face, both sides, plane; of one trace, or per leg, even and odd. [1/m]

    Examples
    --------
    >>> made = microstrip_crowding(width=140e-6, thickness=40e-6, below=80e-6)
    >>> [round(float(face)) for face in made[0]]
    [1983, 490, 1426, 1493]
    """

    def capacitance(w: Real, s: Real, t: Real, low: Real, high: Real) -> Real:
        if gap is None:
            return np.asarray(microstrip_capacitance(width=w / low, thickness=t / low, taper=taper))[None]
        return np.asarray(microstrip_pair_capacitance(width=w / low, gap=s / low, thickness=t / low, taper=taper))

    return _slopes(capacitance, np.array([width, gap or 0.0, thickness, below, below]), 4)
