# SPDX-License-Identifier: MIT
"""Surface impedance of a slab of metal, exact and as layers of uniform current see it."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.constants import MU_0
from pcbrules.solver_cache import solved_once


def exact(*, thickness: float, resistivity: float, s: Complex) -> Complex:
    r"""Impedance :math:`\rho k \coth(k T)`, :math:`k = \sqrt{s \mu_0 / \rho}`, at one face (the other sees no field).

    Parameters
    ----------
    thickness : float
        T. [m]
    resistivity : float
        [ohm m]
    s : ndarray, shape (f,)
        Complex frequency, not zero. [1/s]

    Returns
    -------
    ndarray, shape (f,)
        [ohm]
    """
    k: Complex = np.sqrt(s * MU_0 / resistivity)
    impedance: Complex = resistivity * k / np.tanh(k * thickness)
    return impedance


def layered(*, layers: Real, resistivity: float, s: Complex) -> Complex:
    """Impedance at the face of the first of ``layers`` in each of which the current is uniform.

    Parameters
    ----------
    layers : ndarray, shape (k,)
        Thicknesses from the face inward. [m]
    resistivity : float
        [ohm m]
    s : ndarray, shape (f,)
        Complex frequency. [1/s]

    Returns
    -------
    ndarray, shape (f,)
        [ohm]
    """
    tau, share = _decays(layers.tobytes(), resistivity)
    impedance: Complex = 1 / (share / (1 + s[:, None] * tau)).sum(axis=1)
    return impedance


@solved_once
def _decays(key: bytes, resistivity: float) -> tuple[Real, Real]:
    """Decays [s] of the currents in layers, whose bytes are the key, and the conductance [S] of each."""
    layers = np.frombuffer(key)
    above = np.cumsum(layers) - layers
    middle = above + layers / 2
    inductive = MU_0 * np.minimum(middle[:, None], middle)
    np.fill_diagonal(inductive, MU_0 * (above + layers / 3))
    weight = np.sqrt(layers / resistivity)
    tau, modes = np.linalg.eigh(inductive * weight[:, None] * weight)
    return tau, (weight @ modes) ** 2
