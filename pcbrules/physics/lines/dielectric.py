# SPDX-License-Identifier: MIT
"""Causal permittivity of a laminate from the points of its data sheet; exp(+j omega t), so losses are negative.

Several points of one measuring method make a sum of Debye poles with non-negative strengths: causal and passive by
construction. One point makes the wideband Debye model, whose loss tangent is flat: 8 % low at 24 GHz for a laminate
whose Df rises as that of Megtron 6N does, so give all points there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.arrays import Complex
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.least_squares import non_negative
from pcbrules.solver_cache import solved_once

Points = tuple[tuple[float, float, float], ...]
"""Frequency [Hz], Dk [-] and Df [-] of each point, all by one measuring method."""

CORNERS = (1e4, 1e12)
"""Lower and upper corner of the wideband Debye model [Hz]: those of the independent reference files."""

POLES = np.logspace(4, 13, 19)
"""Relaxation frequencies of the fitted sum [Hz]: two a decade, past both ends of what a board is used for."""

DK_ERROR, DF_ERROR, SMOOTH = 0.01, 0.01, 2.0
"""Relative weights of the fit: Dk to 1 %, because a printed Dk that does not fall with frequency contradicts its own
Df; Df to 1 %; and how strongly neighbouring poles are held equal, which is what continues Df beyond the points."""


FLOOR = 1e-5
"""Df whose hundredth is the finest that the fit looks at [-]."""


@dataclass(frozen=True, slots=True)
class DebyeSum:
    """Poles at frequencies [Hz] with strengths [-] over a permittivity at infinite frequency [-]."""

    eps_inf: float
    strengths: tuple[float, ...]
    poles: tuple[float, ...]


@FormulaCard(
    gives="1",
    valid={"frequency": (0.0, 85e9), "dk": (1.0, 12.0), "df": (0.0, 0.05), "reference": (1e8, 85e9)},
    source="Djordjevic, Biljic, Likar-Smiljanic, Sarkar, IEEE Trans. EMC 43(4), 2001, p. 662, with complex"
    " logarithm; corners 10 kHz and 1 THz",
    accuracy="exact at the reference; away from it only as good as a flat loss tangent (8 % low at 24 GHz for Megtron"
    " 6N from 13 GHz, 28 % low at 53 GHz for Megtron 7N from 14 GHz)",
)
def wideband_debye(
    *, frequency: ArrayLike, dk: float, df: float, reference: float, corners: tuple[float, float] = CORNERS
) -> Complex:
    r"""Permittivity through one point, with a loss tangent that is nearly flat.

    .. math:: \varepsilon = \varepsilon_\infty + a \ln\frac{f_2 + jf}{f_1 + jf}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency; zero is allowed. [Hz]
    dk, df : float
        Relative permittivity and loss tangent at the reference. [-]
    reference : float
        Frequency of the point. [Hz]
    corners : (float, float)
        Lower and upper corner; other tools use other ones. [Hz]

    Returns
    -------
    ndarray of complex, shape (...)
        Relative permittivity. [-]

    Examples
    --------
    >>> print(np.round(wideband_debye(frequency=8e9, dk=3.4, df=0.006, reference=1e9), 6))
    (3.372977-0.020309j)
    """
    low, high = corners

    def term(f: NDArray[np.float64]) -> Complex:
        return np.log((high + 1j * f) / (low + 1j * f))

    at = term(np.asarray(reference, dtype=float))
    strength = df * dk / -at.imag
    return np.asarray(dk - strength * at.real + strength * term(np.asarray(frequency, dtype=float)))


@FormulaCard(
    gives="1",
    valid={"frequency": (0.0, 85e9)},
    source="Debye, Polar Molecules, 1929: sum of relaxations",
    accuracy="that of the fit (``fit_debye``)",
)
def debye_sum(*, frequency: ArrayLike, material: DebyeSum) -> Complex:
    r"""Permittivity of a sum of relaxations.

    .. math:: \varepsilon = \varepsilon_\infty + \sum_k \frac{w_k}{1 + jf/f_k}

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency; zero is allowed. [Hz]
    material : DebyeSum
        Poles and strengths.

    Returns
    -------
    ndarray of complex, shape (...)
        Relative permittivity. [-]

    Examples
    --------
    >>> debye_sum(frequency=1e9, material=DebyeSum(3.0, (0.2,), (1e9,)))
    array(3.1-0.1j)
    """
    ratio = np.asarray(frequency, dtype=float)[..., None] / np.array(material.poles)
    return np.asarray(material.eps_inf + (1 / (1 + 1j * ratio)) @ np.array(material.strengths, dtype=complex))


@solved_once
def fit_debye(points: Points) -> DebyeSum:
    """Sum of poles closest to two or more points of one measuring method.

    Least squares in Dk and Df with non-negative strengths. Megtron 6N and 7GE (13 to 58 GHz): Df within print
    (5e-5), Megtron 7N within 2 %; Dk within 0.25 %, because their flat printed Dk is not causal. Lossy laminates whose
    printed Dk does not fall (0.02 from 1 to 10 GHz): Dk within 1.6 %.

    Parameters
    ----------
    points : tuple of (float, float, float)
        Frequency [Hz], Dk [-] and Df [-] of each point.

    Returns
    -------
    DebyeSum
        Poles and strengths.
    """
    frequency, dk, df = (np.array(column) for column in zip(*points, strict=True))
    ratio = frequency[:, None] / POLES
    real, loss = 1 / (1 + ratio**2), ratio / (1 + ratio**2)
    typical = 2 / np.pi * np.mean(dk * df) * np.log(POLES[1] / POLES[0])
    levels = np.diff(np.eye(len(POLES)), axis=0) * SMOOTH / typical
    rows = np.vstack(
        [
            np.column_stack([np.ones_like(dk), real]) / (DK_ERROR * dk)[:, None],
            np.column_stack([-df, loss - df[:, None] * real]) / (DF_ERROR * dk * np.maximum(df, FLOOR))[:, None],
            np.column_stack([np.zeros(len(levels)), levels]),
        ]
    )
    target = np.concatenate([np.full(len(dk), 1 / DK_ERROR), np.zeros(len(dk) + len(levels))])
    # eps_inf = 1 + a non-negative excess
    found = non_negative(rows, target - rows[:, 0])
    return DebyeSum(1 + float(found[0]), tuple(found[1:].tolist()), tuple(POLES.tolist()))


def permittivity(*, frequency: ArrayLike, points: Points) -> Complex:
    """Permittivity of a laminate: the fitted sum through several points, the wideband model through one.

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency. [Hz]
    points : tuple of (float, float, float)
        Frequency [Hz], Dk [-] and Df [-] of each point; a Df of zero is a lossless point.

    Returns
    -------
    ndarray of complex, shape (...)
        Relative permittivity. [-]
    """
    if len(points) == 1 or all(df == 0 for _, _, df in points):
        at, dk, df = points[0]
        return wideband_debye(frequency=frequency, dk=dk, df=df, reference=at)
    return debye_sum(frequency=frequency, material=fit_debye(points))
