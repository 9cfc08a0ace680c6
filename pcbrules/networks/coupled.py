# SPDX-License-Identifier: MIT
"""Coupled uniform conductors as a multiport."""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Complex

PIECE = 0.5
"""Largest norm of a piece's exponent [-]: its exponential and its scattering parameters lose no digit, and
what the series to the sixth power of zy leaves out is below 0.25^7 / 14! = 1e-15."""

GROWN = 1e3
"""Largest entry of a chain matrix from which scattering parameters keep 1e-12 [-]."""


def coupled_lines(*, series: ArrayLike, shunt: ArrayLike, length: float, z_ref: ArrayLike) -> Complex:
    r"""Scattering parameters of n uniform conductors over a common return.

    The telegrapher's equations :math:`-V' = Z' I, \; -I' = Y' V` are solved by the chain matrix, whose blocks are
    functions of the product of the line's impedance and admittance, :math:`x^2 = Z Y`. Those of a short piece come from
    their series, and twice the length has

    .. math:: \cosh 2x - 1 = 2 (\cosh x - 1)(\cosh x + 1), \quad \sinh 2x = 2 \sinh x \cosh x

    A chain matrix holds waves that grow by as many decibels as the others fall. Where a wave falls by more than 60 dB,
    two equal pieces in a row, with reflection r and transmission t, are joined instead, which loses no digit at any
    length and takes twice as long:

    .. math:: u = (1 - r r)^{-1} t, \quad r \leftarrow r + t\, r\, u, \quad t \leftarrow t\, u

    Modes need no pieces, but equal velocities (one dielectric, one resistance) and zero frequency leave them without
    eigenvectors to count on; here both are like any other case.

    Parameters
    ----------
    series : array_like, shape (f, n, n)
        ``R + j w L``, symmetric. [ohm/m]
    shunt : array_like, shape (f, n, n)
        ``G + j w C``, symmetric, in Maxwell's form: off the diagonal C is not positive. [S/m]
    length : float
        Length, zero allowed. [m]
    z_ref : float or array_like, shape (n,)
        Real reference impedance of each conductor, at both of its ends. [ohm]

    Returns
    -------
    ndarray of complex, shape (f, 2n, 2n)
        Ports 1 to n are the near ends, n + 1 to 2n the far ends in the same order. Reciprocal; passive where the real
        parts of ``series`` and ``shunt`` are positive semidefinite. [-]

    Raises
    ------
    ValueError
        Matrices that are not square and alike, a negative length, or a reference that is not real and positive.
    """
    r, t = _ends(series, shunt, length, z_ref)
    s = np.block([[r, t], [t, r]])
    # doubling rounds t and its transpose apart
    return np.asarray((s + np.swapaxes(s, 1, 2)) / 2)


def crosstalk(
    *, series: ArrayLike, shunt: ArrayLike, length: float, z_ref: ArrayLike, victim: ArrayLike, aggressor: ArrayLike
) -> tuple[Complex, Complex]:
    """Near-end and far-end coupling between two modes of uniform conductors: ``coupling`` of ``coupled_lines``.

    Parameters
    ----------
    series, shunt, length, z_ref
        As of ``coupled_lines``.
    victim, aggressor
        As of ``coupling``.

    Returns
    -------
    (ndarray, ndarray) of complex, shape (f,)
        As of ``coupling``. [-]
    """
    to, of = np.asarray(victim, dtype=float), np.asarray(aggressor, dtype=float)
    r, t = _ends(series, shunt, length, z_ref)
    return np.asarray(to @ r @ of), np.asarray(to @ t @ of)


def _ends(series: ArrayLike, shunt: ArrayLike, length: float, z_ref: ArrayLike) -> tuple[Complex, Complex]:
    """Reflection and transmission, (f, n, n) each."""
    z, y = np.asarray(series, dtype=complex), np.asarray(shunt, dtype=complex)
    if z.ndim != 3 or z.shape != y.shape or z.shape[1] != z.shape[2]:
        raise ValueError(f"expected two arrays of one shape (f, n, n), not {z.shape} and {y.shape}")
    n = z.shape[1]
    if not (np.isrealobj(z_ref) and np.all(np.asarray(z_ref) > 0) and np.all(np.isfinite(z_ref))):
        raise ValueError(f"the reference impedance must be real and positive, not {z_ref!r}")
    if not 0 <= length < np.inf:
        raise ValueError(f"the length must not be negative, not {length}")
    root = np.sqrt(np.broadcast_to(np.asarray(z_ref, dtype=float), (n,)))
    both = np.outer(root, root)
    return _solved(np.asarray(z * (length / both)), np.asarray(y * (length * both)))


def _solved(z: Complex, y: Complex) -> tuple[Complex, Complex]:
    """Reflection and transmission, of the whole line's impedance and admittance over the reference."""
    size = max((float(np.abs(part).sum(axis=-1).max()) for part in (z, y) if part.size), default=0.0)
    times = max(0, int(np.ceil(np.log2(size / PIECE)))) if size > 0 else 0
    less, sinhc = _functions(z / 2**times, y / 2**times)
    with np.errstate(all="ignore"):
        for _ in range(times):
            # sinh 2x = 2 sinh x cosh x, cosh 2x - 1 = 2 (cosh x - 1) (cosh x + 1): small ones lose no digit
            sinhc += sinhc @ less
            square = less @ less
            less *= 2
            less += square
            less *= 2
        grown = np.abs(less).max(initial=0.0)
    if grown < GROWN:
        return _closed(z, y, less, sinhc)
    z, y = z / 2**times, y / 2**times
    r, t = _closed(z, y, *_functions(z, y))
    one = np.eye(z.shape[1])
    for _ in range(times):
        u = np.linalg.solve(one - r @ r, t)
        r, t = r + t @ r @ u, t @ u
    return r, t


def _functions(z: Complex, y: Complex) -> tuple[Complex, Complex]:
    """cosh x - 1 and sinh x / x for x x = zy, of a short line, by their series to the sixth power of zy."""
    zy = z @ y
    second = zy @ zy
    third = second @ zy
    one = np.eye(z.shape[1])

    def series(first: int) -> Complex:
        constant, *terms = (1 / factorial(2 * k + first) for k in range(7))
        high = terms[2] * one + terms[3] * zy + terms[4] * second + terms[5] * third
        low = terms[0] * zy + terms[1] * second + third @ high
        return np.asarray(low + constant * one if first else low)

    return series(0), series(1)


def _closed(z: Complex, y: Complex, less: Complex, sinhc: Complex) -> tuple[Complex, Complex]:
    """Reflection and transmission from the chain matrix, all over the reference; z and y are symmetric."""
    a = less + np.eye(z.shape[1])
    b, c, d = sinhc @ z, y @ sinhc, np.swapaxes(a, 1, 2)
    # far ends closed by the reference: V2 = I2 = b2, so V1 = (A + B) b2 and I1 = (C + D) b2
    a = a + b
    c += d
    t = np.linalg.inv(a + c)
    t *= 2
    return np.asarray((a - c) @ t / 2), np.asarray(t)


def coupling(s: Complex, *, victim: ArrayLike, aggressor: ArrayLike) -> tuple[Complex, Complex]:
    """Near-end and far-end coupling between two modes of ``coupled_lines``.

    Parameters
    ----------
    s : ndarray of complex, shape (f, 2n, 2n)
        Scattering parameters; conductors of one mode have one reference impedance.
    victim, aggressor : array_like, shape (n,)
        Weights of the conductors in either mode, of which the root of the sum of squares is 1: a pair has
        ``1 / sqrt(2)`` and ``-1 / sqrt(2)``. [-]

    Returns
    -------
    (ndarray, ndarray) of complex, shape (f,)
        Wave out of the victim's near end and out of its far end, for one into the aggressor's near end. [-]
    """
    to, of = np.asarray(victim, dtype=float), np.asarray(aggressor, dtype=float)
    n = len(to)
    return np.asarray(to @ s[:, :n, :n] @ of), np.asarray(to @ s[:, n:, :n] @ of)
