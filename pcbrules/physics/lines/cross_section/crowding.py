# SPDX-License-Identifier: MIT
"""Where the current of a thin skin flows: resistance over surface resistance of every copper face."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.arrays import Real
from pcbrules.physics.lines.cross_section.fields import Charge
from pcbrules.physics.lines.cross_section.section import Section

FLAT = 0.7
"""A face whose normal is steeper than this is a lower or an upper one [-]."""


def crowding(*, section: Section, charge: Charge, weights: ArrayLike) -> Real:
    r"""Resistance over surface resistance of faces, for currents that go with the charge of the empty section.

    .. math:: R = R_s \oint |H|^2 ds / I^2

    with the field of perfect conductors. Sharp corners make this 1 to 5 % high from 5 to 50 GHz; what part each face
    has is right to better.

    Parameters
    ----------
    section : Section
        With the lower plane, and maybe an upper one.
    charge : Charge
        Of its solution.
    weights : array_like, shape (n,)
        How the columns of the charge are added up: potentials. The planes and grounds carry the sum back. [V]

    Returns
    -------
    ndarray, shape (5,)
        Lower faces, upper faces and sides of the signals; lower plane with all grounds; upper plane. All that is lost,
        per square of the current in the first signal. [1/m]
    """
    volts = np.asarray(weights, dtype=float)[:, None]
    volts = volts / (charge.charge @ volts)[charge.conductor == 0].sum()
    return np.concatenate([part.ravel() for part in _faces(section, charge, volts)])


def crowding_matrix(*, section: Section, charge: Charge) -> Real:
    r"""Resistance over surface resistance of all signals, the loss that they share in planes and grounds included.

    .. math:: R_{ij} = R_s \oint H_i H_j \, ds

    where the field of conductor i is that of one ampere in it alone, back in planes and grounds. Sharp corners make
    it high as in ``crowding``; the ratios of the entries are right to better.

    Parameters
    ----------
    section : Section
        With the lower plane, and maybe an upper one.
    charge : Charge
        Of its solution.

    Returns
    -------
    ndarray, shape (n, n)
        Symmetric, positive definite. [1/m]
    """
    whole = np.array([charge.charge[charge.conductor == k].sum(axis=0) for k in range(len(section.signals))])
    made = np.sum(_faces(section, charge, np.linalg.inv(whole)), axis=0)
    return np.asarray((made + made.T) / 2)


def _faces(section: Section, charge: Charge, volts: Real) -> tuple[Real, ...]:
    """Products of the densities of m currents, of ``volts`` (n, m), over each of the five faces, (m, m). [1/m]"""
    if section.lower is None:
        raise ValueError("the plane of an open section is the lower one")
    current = charge.charge @ volts

    def summed(chosen: NDArray[np.bool_]) -> Real:
        return np.asarray(current[chosen].T @ (current[chosen] / charge.arc[chosen, None]))

    signal = charge.conductor < len(section.signals)
    lower, upper = charge.normal[:, 1] < -FLAT, charge.normal[:, 1] > FLAT
    low, high = (volts.T @ plane @ volts for plane in charge.planes)
    low = low + summed(~signal)
    return (*(summed(signal & face) for face in (lower, upper, ~lower & ~upper)), low, high)
