# SPDX-License-Identifier: MIT
"""Scattering parameters of a multiport from its impedance or admittance parameters, each port with its reference."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Complex, Real


def s_of_z(z: Complex, *, z_ref: Real) -> Complex:
    r"""Scattering parameters from impedance parameters.

    .. math:: S = R^{-1/2}\,(Z - R)\,(Z + R)^{-1}\,R^{1/2}, \quad R = \operatorname{diag}(r_1 \dots r_p)

    Parameters
    ----------
    z : ndarray of complex, shape (n, p, p)
        Impedance parameters. [ohm]
    z_ref : ndarray, shape (p,)
        Real positive reference impedance of every port. [ohm]

    Returns
    -------
    ndarray of complex, shape (n, p, p)
        [-]

    Raises
    ------
    numpy.linalg.LinAlgError
        If Z + R has no inverse at a frequency: no passive network has such parameters.
    """
    reference = np.diag(z_ref)
    return _scaled(_over(z - reference, z + reference), z_ref)


def s_of_y(y: Complex, *, z_ref: Real) -> Complex:
    r"""Scattering parameters from admittance parameters [S]; shapes, references and errors as in ``s_of_z``.

    .. math:: S = R^{-1/2}\,(1 - R Y)\,(1 + R Y)^{-1}\,R^{1/2}
    """
    loaded = z_ref[:, np.newaxis] * y
    one = np.eye(len(z_ref))
    return _scaled(_over(one - loaded, one + loaded), z_ref)


def _over(above: Complex, below: Complex) -> Complex:
    """``above`` times the inverse of ``below``, matrix by matrix."""
    turned = np.linalg.solve(below.transpose(0, 2, 1), above.transpose(0, 2, 1))
    return np.asarray(turned.transpose(0, 2, 1))


def _scaled(s: Complex, z_ref: Real) -> Complex:
    root = np.sqrt(z_ref)
    return np.asarray(s * (root / root[:, np.newaxis]))
