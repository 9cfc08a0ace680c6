# SPDX-License-Identifier: MIT
"""A pair in its two modes where its legs differ: four-ports in a row, by arithmetic that a test holds equal to
scikit-rf.

Ports of every array here: near end differential, near end common, far end differential, far end common. The
differential mode refers to z, the common one to z / 4: both are matched by legs of z / 2 each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.mixed_mode import PairPorts
from pcbrules.networks.two_port import stacked

ROTATION = np.kron(np.eye(2), np.array([[1, -1], [1, 1]])) / np.sqrt(2)
"""Modes from legs (positive, negative) at both ends."""


def symmetric(*, differential: Complex, common: Complex) -> Complex:
    """A pair of equal legs: two two-ports that know nothing of each other.

    Parameters
    ----------
    differential, common : ndarray of complex, shape (n, 2, 2)
        Scattering parameters of either mode, each over its own reference. [-]

    Returns
    -------
    ndarray of complex, shape (n, 4, 4)
    """
    s = stacked(len(differential), 4)
    s[...] = 0.0
    s[:, ::2, ::2], s[:, 1::2, 1::2] = differential, common
    return s


def unequal_legs(*, positive: Real, negative: Real) -> Complex:
    r"""Two matched legs without coupling or loss, of different electrical length.

    .. math:: S_{dd21} = \tfrac12 (e^{-j\varphi_p} + e^{-j\varphi_n}), \quad
              S_{cd21} = S_{dc21} = \tfrac12 (e^{-j\varphi_p} - e^{-j\varphi_n})

    so that a difference :math:`\Delta\tau` leaves :math:`\cos(\pi f \Delta\tau)` of the differential wave and makes
    :math:`\sin(\pi f \Delta\tau)` of it common.

    Parameters
    ----------
    positive, negative : ndarray, shape (n,)
        Phase by which each leg is late. [rad]

    Returns
    -------
    ndarray of complex, shape (n, 4, 4)
    """
    p, n = np.exp(-1j * positive), np.exp(-1j * negative)
    s = stacked(len(p), 4)
    s[...] = 0.0
    kept, turned = (p + n) / 2, (p - n) / 2
    for near, far in ((0, 2), (1, 3)):
        s[:, near, far] = s[:, far, near] = kept
    for near, far in ((0, 3), (1, 2)):
        s[:, near, far] = s[:, far, near] = turned
    return s


def joined(parts: Sequence[Complex]) -> Complex:
    r"""Four-ports in a row, far ends on near ends (Redheffer's star product).

    .. math:: S_{21} = B_{21} (1 - A_{22} B_{11})^{-1} A_{21}, \quad
              S_{11} = A_{11} + A_{12} B_{11} (1 - A_{22} B_{11})^{-1} A_{21}

    Parameters
    ----------
    parts : sequence of ndarray of complex, shape (n, 4, 4)
        At least one; of one reference.

    Raises
    ------
    ValueError
        If there is none.
    """
    if not parts:
        raise ValueError("a row needs at least one part")
    whole = parts[0]
    for part in parts[1:]:
        whole = _star(whole, part)
    return whole


def _star(a: Complex, b: Complex) -> Complex:
    a11, a12, a21, a22 = a[:, :2, :2], a[:, :2, 2:], a[:, 2:, :2], a[:, 2:, 2:]
    b11, b12, b21, b22 = b[:, :2, :2], b[:, :2, 2:], b[:, 2:, :2], b[:, 2:, 2:]
    if not b11.any() and not b22.any():  # legs of different length alone send nothing back
        return _whole(a11, _times(a12, b12), _times(b21, a21), _times(_times(b21, a22), b12))
    onward = _times(_inverse(np.eye(2) - _times(a22, b11)), a21)
    back = _times(_inverse(np.eye(2) - _times(b11, a22)), b12)
    return _whole(a11 + _times(_times(a12, b11), onward), _times(a12, back), _times(b21, onward),
                  b22 + _times(_times(b21, a22), back))


def _whole(s11: Complex, s12: Complex, s21: Complex, s22: Complex) -> Complex:
    s = stacked(len(s11), 4)
    s[:, :2, :2], s[:, :2, 2:], s[:, 2:, :2], s[:, 2:, 2:] = s11, s12, s21, s22
    return s


def _times(a: Complex, b: Complex) -> Complex:
    """Products of two by two matrices, some ten times faster than as a stack of small ones."""
    s = np.empty_like(a)
    for row in (0, 1):
        for column in (0, 1):
            s[:, row, column] = a[:, row, 0] * b[:, 0, column] + a[:, row, 1] * b[:, 1, column]
    return s


def _inverse(m: Complex) -> Complex:
    """Of two by two matrices, some ten times faster than by elimination."""
    turned = np.empty_like(m)
    turned[:, 0, 0], turned[:, 1, 1] = m[:, 1, 1], m[:, 0, 0]
    turned[:, 0, 1], turned[:, 1, 0] = -m[:, 0, 1], -m[:, 1, 0]
    return np.asarray(turned / (m[:, 0, 0] * m[:, 1, 1] - m[:, 0, 1] * m[:, 1, 0])[:, np.newaxis, np.newaxis])


def of_legs(s: Complex, *, ports: PairPorts) -> Complex:
    """The pair in its modes from the four-port of its legs, each port over z / 2; shapes (n, p, p), (n, 4, 4)."""
    order = list(ports.order)
    return np.asarray(ROTATION @ s[:, order][:, :, order] @ ROTATION.T)


def to_legs(s: Complex) -> Complex:
    """The four-port of the legs, shape (n, 4, 4): near ends of both (positive, negative), then far ends; over z / 2."""
    return np.asarray(ROTATION.T @ s @ ROTATION)


def renormalised(s: Complex, *, before: float, after: float) -> Complex:
    """The same multiport over another real reference impedance [ohm] that is common to its ports, shape (n, p, p)."""
    r = (after - before) / (after + before)
    one = np.eye(s.shape[1])
    return np.asarray(np.linalg.solve(one - r * s, s - r * one))
