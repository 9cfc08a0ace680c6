# SPDX-License-Identifier: MIT
r"""Impedance of a rectangular pair of planes with open edges, between rectangular ports.

A wave between the planes sees the series impedance of a square :math:`Z_s = j\omega\mu_0 d + 2 Z_c` and the shunt
admittance of an area :math:`Y = j\omega\varepsilon / d`. The impedance of copper of thickness t,

.. math:: Z_c = \frac{1+j}{\sigma\delta}\coth\frac{(1+j)\,t}{\delta},

tends to the sheet resistance below the skin regime. The textbook form, :math:`\tan\delta + \delta/d`, lets that
resistance fall with the square root of the frequency instead, and the capacitance at the port grow without bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.arrays import Complex
from pcbrules.constants import EPSILON_0, MU_0
from pcbrules.physics.common.card import FormulaCard

MODES = 40.0
"""Modes along the first side for each port width that fits into it."""
FEWEST, MOST = 400, 20_000


def cavity_series_impedance(
    *, frequency: ArrayLike, separation: float, conductivity: float, thickness: float
) -> Complex:
    """Impedance of a square of the plane pair to a current in one plane and back in the other.

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Above zero. [Hz]
    separation : float
        Dielectric thickness. [m]
    conductivity : float
        Of both planes; infinite for no loss. [S/m]
    thickness : float
        Of each plane. [m]

    Returns
    -------
    ndarray of complex, shape (...)
        Tends to twice the sheet resistance at low frequency. [ohm]
    """
    omega = 2 * np.pi * np.asarray(frequency, dtype=float)
    outer = 1j * omega * MU_0 * separation
    if np.isinf(conductivity):
        return np.asarray(outer)
    skin = np.sqrt(2 / (omega * MU_0 * conductivity))
    sheet = (1 + 1j) / (conductivity * skin) / np.tanh((1 + 1j) * thickness / skin)
    return np.asarray(outer + 2 * sheet)


def cavity_shunt_admittance(
    *, frequency: ArrayLike, separation: float, permittivity: ArrayLike, loss_tangent: ArrayLike
) -> Complex:
    """Admittance of a unit of area of the plane pair.

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Above zero. [Hz]
    separation : float
        Dielectric thickness. [m]
    permittivity, loss_tangent : float or ndarray, broadcastable to ``frequency``
        Relative permittivity (real part) and loss tangent. [-]

    Returns
    -------
    ndarray of complex, shape (...)
        [S/m2]
    """
    omega = 2 * np.pi * np.asarray(frequency, dtype=float)
    relative = np.asarray(permittivity) * (1 - 1j * np.asarray(loss_tangent))
    return np.asarray(1j * omega * EPSILON_0 * relative / separation)


@FormulaCard(
    gives="ohm",
    valid={"length": (1e-3, 2.0), "width": (1e-3, 2.0)},
    source="Okoshi, Planar Circuits for Microwaves and Lightwaves, ch. 2; one of the two sums in closed form",
    accuracy="2e-5 against a sum of 6000 x 6000 modes (CAV1), ports no shorter than 1/500 of the first side; open edges"
    " without fringing",
)
def cavity_impedance(
    *, series: ArrayLike, shunt: ArrayLike, length: float, width: float, ports: ArrayLike
) -> Any:
    r"""Impedance matrix of the ports of a rectangular plane pair.

    .. math:: Z_{ij} = \frac{Z_s}{a}\sum_m \chi_m \overline{\cos}_{mi}\,\overline{\cos}_{mj}\;\bar g_m(y_i, y_j),
        \qquad -g'' + \left[(m\pi/a)^2 + Z_s Y\right] g = \delta

    Cosines and the Green function are averages over the ports, whose current is uniform.

    Parameters
    ----------
    series : ndarray of complex, shape (n,)
        Impedance of a square, as `cavity_series_impedance` gives. [ohm]
    shunt : ndarray of complex, shape (n,)
        Admittance of an area, as `cavity_shunt_admittance` gives. [S/m2]
    length, width : float
        Sides along x and y. [m]
    ports : ndarray, shape (p, 4)
        Centre and extent along x and y, from a corner; extents above zero. [m]

    Returns
    -------
    ndarray of complex, shape (n, p, p)
        Symmetric. [ohm]

    Raises
    ------
    ValueError
        A port without extent, or beyond the edge.

    Examples
    --------
    >>> series = cavity_series_impedance(frequency=[1e6], separation=1e-4, conductivity=5.8e7, thickness=35e-6)
    >>> shunt = cavity_shunt_admittance(frequency=[1e6], separation=1e-4, permittivity=4.0, loss_tangent=0.0)
    >>> z = cavity_impedance(series=series, shunt=shunt, length=0.1, width=0.1, ports=[[0.05, 0.05, 1e-3, 1e-3]])
    >>> f"{-1 / (2 * np.pi * 1e6 * z[0, 0, 0].imag) * 1e9:.2f} nF; between plates {EPSILON_0 * 4.0 * 1e11:.2f} nF"
    '3.54 nF; between plates 3.54 nF'
    """
    z, y = np.atleast_1d(np.asarray(series, dtype=complex)), np.atleast_1d(np.asarray(shunt, dtype=complex))
    port = np.asarray(ports, dtype=float).reshape(-1, 4)
    _check_ports(port, length, width)
    count = int(np.clip(np.ceil(MODES * length / port[:, 2].min()), FEWEST, MOST))
    m = np.arange(count)
    wave = m * np.pi / length
    cosine = np.cos(wave * port[:, :1]) * np.sinc(wave * port[:, 2:3] / (2 * np.pi))
    weight = np.where(m == 0, 1.0, 2.0) / length
    result = np.empty((len(z), len(port), len(port)), dtype=complex)
    for at, (impedance, admittance) in enumerate(zip(z, y, strict=True)):
        gamma = np.sqrt(wave**2 + impedance * admittance)
        for i in range(len(port)):
            for j in range(i + 1):
                green = _averaged_green(gamma, width, port[i, 1], port[i, 3], port[j, 1], port[j, 3])
                total = impedance * np.sum(weight * cosine[i] * cosine[j] * green)
                result[at, i, j] = result[at, j, i] = total
    return result


@FormulaCard(
    gives="Hz",
    valid={"length": (1e-3, 2.0), "width": (1e-3, 2.0), "permittivity": (1.0, 12.0)},
    source="Okoshi, Planar Circuits for Microwaves and Lightwaves, ch. 2",
    accuracy="exact without loss and fringing; losses lower it by a part of 1 / (8 Q^2)",
)
def cavity_resonance(
    *, m: ArrayLike, n: ArrayLike, length: ArrayLike, width: ArrayLike, permittivity: ArrayLike
) -> Any:
    r"""Resonance of a rectangular plane pair with open edges.

    .. math:: f_{mn} = \frac{c}{2\sqrt{\varepsilon_r}}\sqrt{(m/a)^2 + (n/b)^2}

    Parameters
    ----------
    m, n : int or ndarray, shape (...)
        Half waves along length and width. [-]
    length, width : float or ndarray, broadcastable to ``m``
        Sides. [m]
    permittivity : float or ndarray, broadcastable to ``m``
        Relative permittivity. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Frequency. [Hz]

    Examples
    --------
    >>> f"{cavity_resonance(m=1, n=0, length=0.1, width=0.08, permittivity=3.6) / 1e6:.1f} MHz"
    '790.0 MHz'
    """
    order = np.hypot(np.asarray(m) / np.asarray(length), np.asarray(n) / np.asarray(width))
    return order / (2 * np.sqrt(MU_0 * EPSILON_0 * np.asarray(permittivity)))


def _check_ports(port: NDArray[np.float64], length: float, width: float) -> None:
    if not (len(port) and (port[:, 2:] > 0).all()):
        raise ValueError("a port has no extent: the impedance of a point is infinite")
    tolerance = 1e-9 * max(length, width)
    for centre, extent, side in ((port[:, 0], port[:, 2], length), (port[:, 1], port[:, 3], width)):
        if (centre - extent / 2 < -tolerance).any() or (centre + extent / 2 > side + tolerance).any():
            raise ValueError("a port lies beyond the edge of the planes")


def _averaged_green(gamma: Complex, side: float, y: float, w: float, v: float, u: float) -> Complex:
    """Mean of the Green function with open ends over two intervals (centre and extent)."""
    direct, mirrored = _mean(gamma, y - v, w, u, 0.0), _mean(gamma, y + v, w, u, 0.0)
    beyond = _mean(gamma, 2 * side - y - v, w, u, 0.0)
    around = _mean(-gamma, y - v, w, u, 2 * side)
    return (direct + mirrored + beyond + around) / (-2 * gamma * np.expm1(-2 * gamma * side))


def _mean(gamma: Complex, distance: float, w: float, u: float, offset: float) -> Complex:
    """Mean of exp(gamma (offset - |distance|)) over two intervals of extents w and u.

    Intervals that do not overlap have a product of two means; second differences would lose most of their digits where
    both are small beside their distance.
    """
    far, near = (w + u) / 2, (w - u) / 2
    if abs(distance) >= far:
        decay = np.asarray(np.where(gamma.real < 0, -gamma, gamma))
        nearest = np.exp(gamma * (offset - abs(distance)) + decay * far)
        return np.asarray(nearest * _falling(decay * w) * _falling(decay * u))
    ends = (distance + far, distance + near, distance - near, distance - far)
    signs = (1.0, -1.0, -1.0, 1.0)
    total = sum(
        (sign * _twice(gamma, abs(end), offset) for sign, end in zip(signs, ends, strict=True)),
        start=np.zeros_like(gamma),
    )
    return np.asarray(total / (w * u))


def _falling(z: NDArray[Any]) -> Complex:
    """Mean of exp(-t) from zero to z, one at zero."""
    none = z == 0
    return np.asarray(np.where(none, 1.0, -np.expm1(-z) / np.where(none, 1.0, z)))


def _twice(gamma: Complex, x: float, offset: float) -> Complex:
    """Second integral of exp(-gamma x) from zero, times exp(gamma offset), without overflow."""
    z = gamma * x
    scale = np.exp(gamma * offset)
    small = np.abs(z) < 1e-2
    safe = np.where(small, 1.0, gamma)
    closed = (np.exp(gamma * (offset - x)) - scale * (1 - z)) / safe**2
    series = scale * x**2 * (0.5 - z / 6 + z**2 / 24 - z**3 / 120 + z**4 / 720)
    return np.where(small, series, closed)
