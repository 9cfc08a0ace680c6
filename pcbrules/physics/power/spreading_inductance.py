# SPDX-License-Identifier: MIT
r"""Inductance between vias that cross a rectangular plane pair, as a matrix of ports.

Between two planes a small distance d apart the field is two-dimensional: :math:`L = \mu_0 d\,N` with N the squares of
a sheet of the same outline between contacts. A single layer of charge on the rim of every via and antipad gives N; the
edges of the planes are images, summed without end along the shorter side and as far as they count along the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.arrays import Complex, Real
from pcbrules.constants import MU_0
from pcbrules.physics.common.card import FormulaCard

ON_CONTACT, ON_HOLE = 8, 8
"""Points on the rim of a via and of an antipad."""
SHELLS = range(-2, 3)
"""Images along the longer side; the next ones count 1e-5 of a square."""


@dataclass(frozen=True, slots=True)
class PortInductance:
    """Port matrix [H], shape (p, p), and the share of every reference via in the current of a port, shape (p, r)."""

    inductance: Real
    share: Real

    @property
    def alone(self) -> Real:
        """Inductance of every port with the others open. [H]"""
        return np.diag(self.inductance).copy()

    @property
    def others_shorted(self) -> Real:
        """Inductance of every port with the others shorted. [H]"""
        return np.asarray(1 / np.diag(np.linalg.inv(self.inductance)))

    @property
    def parallel(self) -> float:
        """Inductance of all ports in parallel. [H]"""
        return float(1 / np.linalg.inv(self.inductance).sum())


@FormulaCard(
    gives="H",
    valid={"separation": (5e-6, 2e-3)},
    source="potential theory: single layer with Nystroem points on circles, Neumann images of a rectangle",
    accuracy="2e-4 against hp finite elements on LS01 to LS04, 100 antipads among them; no fringing at the edges",
)
def spreading_inductance(
    *,
    length: float,
    width: float,
    separation: float,
    ports: ArrayLike,
    reference: ArrayLike,
    holes: ArrayLike = (),
) -> PortInductance:
    """Inductance from each port via to all reference vias together, which are one node.

    Parameters
    ----------
    length, width : float
        Sides of the planes along x and y. [m]
    separation : float
        Dielectric thickness between the facing copper surfaces. [m]
    ports, reference : ndarray, shape (n, 3)
        Centre and diameter of the vias that cross the pair, from a corner of the planes. [m]
    holes : ndarray, shape (h, 3)
        Centre and diameter of antipads that are cut in both planes. [m]

    Returns
    -------
    PortInductance
        Symmetric matrix, and the shares of the reference vias.

    Raises
    ------
    ValueError
        No port or no reference; a circle without diameter, beyond the edge, or in another one.

    Examples
    --------
    >>> pair = {"ports": [[0.045, 0.05, 0.25e-3]], "reference": [[0.055, 0.05, 0.25e-3]]}
    >>> spread = spreading_inductance(length=0.1, width=0.1, separation=1e-4, **pair)
    >>> wide = MU_0 * 1e-4 / np.pi * np.arccosh(0.01 / 0.25e-3)
    >>> f"{spread.parallel * 1e12:.0f} pH, in wide planes {wide * 1e12:.0f} pH"
    '176 pH, in wide planes 175 pH'
    """
    port, back = _circles(ports), _circles(reference)
    circles = np.concatenate([port, back, _circles(holes)])
    contacts = len(port) + len(back)
    if not len(port) or not len(back):
        raise ValueError("a port and a reference via are needed")
    _check(circles, length, width)
    if length > width:  # images without end run along the shorter side
        circles, length, width = circles[:, [1, 0, 2]], width, length
    conductance = _conductance(circles, contacts, length, width)
    return from_conductance(conductance, ports=len(port), separation=separation)


def from_conductance(conductance: Real, *, ports: int, separation: float) -> PortInductance:
    """Return what the conductances of a sheet of one ohm per square say of a plane pair of its shape.

    Parameters
    ----------
    conductance : ndarray, shape (p + r, p + r)
        Currents into the contacts, ports first, reference vias after them, for 1 V at each in turn. [S]
    ports : int
        Number p of the ports.
    separation : float
        Dielectric thickness between the facing copper surfaces. [m]

    Returns
    -------
    PortInductance
        All reference vias are one node.
    """
    block = conductance[:ports, :ports]
    squares = np.linalg.inv((block + block.T) / 2)
    share = -squares @ conductance[ports:, :ports].T
    return PortInductance(MU_0 * separation * (squares + squares.T) / 2, share)


def _circles(values: ArrayLike) -> Real:
    return np.asarray(values, dtype=float).reshape(-1, 3)


def _check(circles: Real, length: float, width: float) -> None:
    x, y, r = circles[:, 0], circles[:, 1], circles[:, 2] / 2
    if not (r > 0).all():
        raise ValueError("a via or antipad has no diameter: the inductance of a point is infinite")
    if (np.minimum(x, length - x) <= r).any() or (np.minimum(y, width - y) <= r).any():
        raise ValueError("a via or antipad lies beyond the edge of the planes")
    gap = np.hypot(x[:, None] - x, y[:, None] - y) - r[:, None] - r
    np.fill_diagonal(gap, 1.0)
    if (gap <= 0).any():
        raise ValueError("two vias or antipads overlap")


def _conductance(circles: Real, contacts: int, a: float, b: float) -> Real:
    """Currents into the contacts [sheet conductances] for 1 V at each in turn."""
    from scipy.linalg import lu_factor, lu_solve  # here and not above: 0.1 s, which not every board needs

    counts = np.where(np.arange(len(circles)) < contacts, ON_CONTACT, ON_HOLE)
    owner = np.repeat(np.arange(len(circles)), counts)
    angle = np.concatenate([2 * np.pi * np.arange(n) / n for n in counts])
    radius = circles[owner, 2] / 2
    normal = np.exp(1j * angle)
    z = circles[owner, 0] + 1j * circles[owner, 1] + radius * normal
    rows = owner < contacts
    n = len(z)
    matrix = np.zeros((n + 1, n + 1))
    top, low = np.flatnonzero(rows), np.flatnonzero(~rows)
    matrix[top, :n] = _potential(z[top], z, owner[top][:, None] == owner, a, b)
    if len(low):
        matrix[low, :n] = _field(z[low], normal[low], z, owner[low][:, None] == owner, a, b)
    for one, size in enumerate(circles[:, 2] / 2):
        some = np.flatnonzero(owner == one)
        matrix[np.ix_(some, some)] += _own_potential(len(some), size) if one < contacts else _own_field(len(some), size)
    matrix[top, n] = 1  # the potential of the whole
    matrix[n, :n] = 1  # as much in as out
    drive = np.zeros((n + 1, contacts))
    drive[top, owner[top]] = 1
    charge = lu_solve(lu_factor(matrix), drive)
    total = np.zeros((contacts, contacts))
    np.add.at(total, owner[top], charge[top])
    return total


def _own_potential(n: int, radius: float) -> Real:
    """Potential of the charges of a circle on itself: exact for every harmonic that its points hold."""
    order = np.abs(np.fft.fftfreq(n, 1 / n))
    values = np.where(order == 0, -np.log(radius), 0.5 / np.maximum(order, 1)) * n / (2 * np.pi)
    return np.asarray(np.fft.ifft(values).real[(np.arange(n)[:, None] - np.arange(n)) % n])


def _own_field(n: int, radius: float) -> Real:
    """Outward field of the charges of a circle just outside it."""
    return np.asarray((n * np.eye(n) + 1) / (4 * np.pi * radius))


def _images(at: Complex, source: Complex, b: float) -> Iterator[tuple[Complex, bool]]:
    """Vectors from every image to every point; the first is from the source itself."""
    for image in (source, -source.conjugate(), source.conjugate(), -source):
        for shell in SHELLS:
            yield at[:, None] - image + 2j * b * shell, image is source and shell == 0


def _potential(at: Complex, source: Complex, same: NDArray[np.bool_], a: float, b: float) -> Real:
    """Green function of the rectangle with insulated edges; on one circle without its own logarithm."""
    y, v = at.imag[:, None], source.imag
    product = np.ones((len(at), len(source)), dtype=complex)
    own = np.zeros(product.shape)
    for delta, direct in _images(at, source, b):
        factor = 1 - np.exp(1j * np.pi / a * np.where(delta.imag >= 0, 1, -1) * delta)
        if direct:
            none = delta == 0
            factor[none] = np.pi / a
            own = np.where(same & ~none, np.log(np.abs(np.where(none, 1, delta))), 0.0)
        product *= factor
    even = ((y**2 + v**2) / (2 * b) - np.maximum(y, v)) / a
    return np.asarray(even - (np.log(np.abs(product)) - own) / (2 * np.pi))


def _field(
    at: Complex, normal: Complex, source: Complex, same: NDArray[np.bool_], a: float, b: float
) -> Real:
    """Field along the normals, of the same function."""
    wave = np.pi / a
    total = np.zeros((len(at), len(source)), dtype=complex)
    for delta, direct in _images(at, source, b):
        sign = np.where(delta.imag >= 0, 1, -1)
        none = delta == 0
        lag = np.exp(1j * wave * sign * np.where(none, 1, delta))
        slope = -1j * sign * wave * lag / (1 - lag)
        if direct:
            slope = np.where(none, 0.5j * wave * sign, slope)
            slope -= np.where(same & ~none, 1 / np.where(none, 1, delta), 0)
        total += slope
    y, v = at.imag[:, None], source.imag
    even = (y / b - (y - v >= 0)) / a * normal.imag[:, None]
    return np.asarray((total * normal[:, None]).real / (2 * np.pi) - even)
