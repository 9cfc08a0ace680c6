# SPDX-License-Identifier: MIT
"""A pair in its two modes where its legs differ: four-ports in a row, by arithmetic that a test holds equal to
scikit-rf.

Ports of every array here: near end differential, near end common, far end differential, far end common. The
differential mode refers to z, the common one to z / 4: both are matched by legs of z / 2 each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.mixed_mode import PairPorts
from pcbrules.networks.two_port import stacked

ROTATION = np.kron(np.eye(2), np.array([[1, -1], [1, 1]])) / np.sqrt(2)
"""Modes from legs (positive, negative) at both ends."""


@dataclass(frozen=True, slots=True, eq=False)
class EqualLegs:
    """A pair of equal legs: ``differential`` and ``common`` [-], shapes (n, 2, 2), of reciprocal two-ports, each over
    its own reference.
    """

    differential: Complex
    common: Complex

    def four_port(self) -> Complex:
        """The pair in its modes, shape (n, 4, 4)."""
        return symmetric(differential=self.differential, common=self.common)


@dataclass(frozen=True, slots=True, eq=False)
class LateLegs:
    """Two matched legs without coupling or loss: the phase by which each is late, shapes (n,). [rad]"""

    positive: Real
    negative: Real

    def four_port(self) -> Complex:
        """The pair in its modes, shape (n, 4, 4)."""
        return unequal_legs(positive=self.positive, negative=self.negative)


def differential(parts: Sequence[EqualLegs | LateLegs]) -> tuple[Complex, Complex, Complex]:
    r"""What a row does to the differential mode: transmission, reflection at port 1, and at port 2, shapes (n,). [-]

    What ``joined`` gives, some five times faster: of the row so far only what a differential wave from port 1 brings to
    its far end is kept, :math:`a`, its reflection there, symmetric :math:`R`, and the reflection at port 1:

    .. math:: a' = B_{21} (1 - R B_{11})^{-1} a, \quad R' = B_{22} + B_{21} (1 - R B_{11})^{-1} R B_{12}, \quad
              S_{11}' = S_{11} + a^T B_{11} (1 - R B_{11})^{-1} a

    Parameters
    ----------
    parts : sequence of EqualLegs or LateLegs
        At least one; all on one grid and of one reference.

    Raises
    ------
    ValueError
        If there is none.
    """
    if not parts:
        raise ValueError("a row needs at least one part")
    front: Complex | float = 0.0
    kept: Complex | float = 1.0  # a: what arrives in the differential and in the common mode
    turned: Complex | float = 0.0
    seen_d: Complex | float = 0.0  # R: of each mode, and across
    seen_c: Complex | float = 0.0
    across: Complex | float = 0.0
    for part in parts:
        if isinstance(part, LateLegs):
            p, n = np.exp(-1j * part.positive), np.exp(-1j * part.negative)
            k, t = (p + n) / 2, (p - n) / 2
            kept, turned = k * kept + t * turned, t * kept + k * turned
            once_d, once_c = k * seen_d + t * across, k * across + t * seen_c
            back_d, back_c = t * seen_d + k * across, t * across + k * seen_c
            seen_d, across, seen_c = k * once_d + t * once_c, t * once_d + k * once_c, t * back_d + k * back_c
            continue
        d, c = part.differential, part.common
        in_d, in_c, out_d, out_c = d[:, 0, 0], c[:, 0, 0], d[:, 1, 0], c[:, 1, 0]
        free_d, free_c, both = 1 - seen_d * in_d, 1 - seen_c * in_c, across * across
        over = 1 / (free_d * free_c - both * (in_d * in_c))
        to_d = (free_c * kept + across * in_c * turned) * over
        to_c = (free_d * turned + across * in_d * kept) * over
        front = front + kept * in_d * to_d + turned * in_c * to_c
        kept, turned = out_d * to_d, out_c * to_c
        whole = seen_d * seen_c - both
        seen_d, seen_c, across = (d[:, 1, 1] + out_d**2 * (seen_d - in_c * whole) * over,
                                  c[:, 1, 1] + out_c**2 * (seen_c - in_d * whole) * over, out_d * out_c * across * over)
    through, at_1, at_2 = np.broadcast_arrays(kept, front, seen_d)
    return np.asarray(through), np.asarray(at_1), np.asarray(at_2)


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
