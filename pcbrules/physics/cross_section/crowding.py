# SPDX-License-Identifier: MIT
"""Where the current of a thin skin flows: resistance over surface resistance of every copper face."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.physics.cross_section._kernel import Kernel
from pcbrules.physics.cross_section._panels import arc, gauss
from pcbrules.physics.cross_section.electrostatic import Charge
from pcbrules.physics.cross_section.section import Section

Real = NDArray[np.float64]

STEP = 0.7
"""Length of a panel on a plane over the height of the lowest copper [-]."""

MANY = 150
"""Panels on a plane at most: under traces far wider than high the current is even anyway."""

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
    at_once = charge.charge @ np.asarray(weights, dtype=float)
    at_once /= at_once[charge.conductor == 0].sum()
    return np.concatenate([part.ravel() for part in _faces(section, charge, at_once[:, None])])


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
    made = np.sum(_faces(section, charge, charge.charge @ np.linalg.inv(whole)), axis=0)
    return np.asarray((made + made.T) / 2)


def _faces(section: Section, charge: Charge, current: Real) -> tuple[Real, ...]:
    """Products of the current densities of (k, n) currents, summed over each of the five faces, (n, n). [1/m]"""
    if section.lower is None:
        raise ValueError("the plane of an open section is the lower one")

    def summed(chosen: NDArray[np.bool_]) -> Real:
        return np.asarray(current[chosen].T @ (current[chosen] / charge.arc[chosen, None]))

    signal = charge.conductor < len(section.signals)
    lower, upper = charge.normal[:, 1] < -FLAT, charge.normal[:, 1] > FLAT
    kernel = Kernel(section.lower, section.upper, float(charge.at[:, 0].mean()))
    height = float(charge.at[:, 1].min()) - section.lower
    low = summed(~signal) + _plane(kernel, charge.at, current, section.lower, height, 1.0)
    high = np.zeros_like(low)
    if section.upper is not None:
        height = section.upper - float(charge.at[:, 1].max())
        high = _plane(kernel, charge.at, current, section.upper, height, -1.0)
    return (*(summed(signal & face) for face in (lower, upper, ~lower & ~upper)), low, high)


def _plane(kernel: Kernel, at: Real, charge: Real, level: float, height: float, up: float) -> Real:
    """Integral of the products of the current densities on a plane, (n, n). [1/m]"""
    low, high = float(at[:, 0].min()) - 3 * height, float(at[:, 0].max()) + 3 * height
    count = min(int(np.ceil((high - low) / (STEP * height))), MANY)
    t, weight = gauss(6)
    size = (high - low) / count
    x = (low + size * (np.arange(count)[:, None] + t)).ravel()
    step = np.tile(size * weight, count)
    far, far_step = 3 * height * arc(t)[2], 3 * height * weight / (1 - t) ** 2
    x = np.concatenate([x, high + far, low - far])
    step = np.concatenate([step, far_step, far_step])
    if kernel.upper is not None:
        # between planes nothing is left ten spacings away
        spacing = kernel.upper - kernel.lower
        close = (x > at[:, 0].min() - 10 * spacing) & (x < at[:, 0].max() + 10 * spacing)
        x, step = x[close], step[close]
    place = kernel.places(np.column_stack([x, np.full(len(x), level)]))
    density = kernel.flux(place.column(), kernel.places(at), np.array([0.0, up])) @ charge
    return np.asarray(density.T @ (density * step[:, None]))
