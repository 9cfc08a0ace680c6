# SPDX-License-Identifier: MIT
"""Coupling of two pairs of barrels that run through the same planes.

Between two planes the current of a barrel launches a wave that has no field along the barrel's height but its voltage;
near the barrel it is the field of a straight wire. What a pair induces in another pair is the sum of four such waves.
Planes keep their electric fields apart, so barrels share no capacitance: the mutual impedance is all of the coupling.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.constants import LIGHT, MU_0
from pcbrules.physics.common.card import FormulaCard

TURNS = 48
"""Angles of the other pair that are tried, evenly over half a turn: 240 change the bound by 0.3 dB at most."""


@FormulaCard(
    gives="ohm/m",
    valid={"frequency": (1e7, 150e9), "pitch": (0.2e-3, 3e-3), "other_pitch": (0.2e-3, 3e-3), "dk": (1.0, 12.0)},
    source="Williamson, IEEE Trans. MTT 33 (1985), 210 (posts in a radial line); thin posts, no ground vias",
    accuracy="barrels as thick as half the distance couple 25 % less to 2.5 % more (of largest_mutual_impedance), "
    "harmonic charges on every surface; 0.5 % of the modes of a closed cavity at 16 GHz",
)
def pair_mutual_impedance(
    *,
    frequency: ArrayLike,
    along: ArrayLike,
    across: ArrayLike,
    pitch: ArrayLike,
    other_pitch: ArrayLike,
    turn: ArrayLike,
    dk: ArrayLike,
    closest: ArrayLike = 1e-6,
) -> Any:
    r"""Voltage per metre and ampere that one pair of barrels induces in another, between wide planes.

    .. math:: Z_m = \frac{\omega\mu_0}{4} \sum_{i,j} s_i s_j\, H_0^{(2)}(k d_{ij}), \qquad
              k = \frac{\omega}{c}\sqrt{D_k}, \qquad s = \pm 1

    Well below :math:`k d = 1` that is
    :math:`j\omega\frac{\mu_0}{2\pi} \ln\frac{d_{14} d_{23}}{d_{13} d_{24}}`, barrels 1 and 2 of one pair, 3 and 4 of
    the other.

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency above zero. [Hz]
    along, across : float or ndarray, broadcastable to ``frequency``
        From middle to middle of the pairs: on the line through the barrels of the first pair, and across it. [m]
    pitch, other_pitch : float or ndarray, broadcastable to ``frequency``
        Distance of the two barrels of the first and of the second pair, axis to axis. [m]
    turn : float or ndarray, broadcastable to ``frequency``
        Angle from the first pair to the second. [rad]
    dk : float or ndarray, broadcastable to ``frequency``
        Relative permittivity of the laminate. [-]
    closest : float or ndarray, broadcastable to ``frequency``
        Distance below which no two barrels are taken to be. [m]

    Returns
    -------
    complex ndarray, shape (...)
        Mutual impedance. [ohm/m]

    Examples
    --------
    >>> side_by_side = {"along": 0.0, "across": 1e-3, "pitch": 1e-3, "other_pitch": 1e-3, "turn": 0.0}
    >>> z = pair_mutual_impedance(frequency=1e8, dk=3.6, **side_by_side)
    >>> f"{z.imag / (2 * np.pi * 1e8) * 1e9:.1f} nH/m"  # 0.2 ln 2
    '138.6 nH/m'
    """
    from scipy.special import hankel2

    omega = 2 * np.pi * np.asarray(frequency, dtype=float)
    k = omega / LIGHT * np.sqrt(dk)
    middle = np.asarray(along) + 1j * np.asarray(across)
    mine, other = np.asarray(pitch) / 2, np.asarray(other_pitch) / 2 * np.exp(1j * np.asarray(turn))
    total: NDArray[np.complex128] = np.zeros(1, dtype=complex)
    for one in (1, -1):
        for two in (1, -1):
            apart = np.maximum(np.abs(middle + two * other - one * mine), closest)
            total = total + one * two * hankel2(0, k * apart)
    return np.squeeze(omega * MU_0 / 4 * total) if np.ndim(frequency) == 0 else omega * MU_0 / 4 * total


@FormulaCard(
    gives="ohm/m",
    valid=dict(pair_mutual_impedance.card.valid),
    source="pair_mutual_impedance of the pair and of the same pair turned, the largest and the root of squares",
    accuracy="no thick barrel exceeds it, however the other pair is turned; above 95 % of 20 000 places of ground vias "
    "within a quarter wavelength of every barrel, 8 to 53 GHz, by the same waves: 1 % exceed it by 3 dB, half are 10 "
    "dB and more below",
)
def largest_mutual_impedance(
    *,
    frequency: ArrayLike,
    along: ArrayLike,
    across: ArrayLike,
    pitch: ArrayLike,
    other_pitch: ArrayLike,
    dk: ArrayLike,
    closest: ArrayLike,
) -> Any:
    r"""Bound of the magnitude of ``pair_mutual_impedance`` that takes no credit for symmetry and ground vias.

    .. math:: |Z_m| \le \max\Bigl(\sqrt{|Z_m(0)|^2 + |Z_m(\pi/2)|^2},\ \max_\varphi |Z_m(\varphi)|\Bigr)

    Two pairs at right angles, or diagonal to each other, may induce nothing in one another. A ground via on one side
    undoes that, while it lowers the coupling of pairs that do couple. The larger axis of the field counts instead. A
    pair that stands near and is turned between the two brings a barrel nearer than either.

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency above zero. [Hz]
    along, across, pitch, other_pitch, closest : float or ndarray, broadcastable to ``frequency``
        As in ``pair_mutual_impedance``. [m]
    dk : float or ndarray, broadcastable to ``frequency``
        Relative permittivity of the laminate. [-]

    Returns
    -------
    ndarray, shape (...)
        Magnitude. [ohm/m]

    Examples
    --------
    >>> place = {"along": 0.0, "across": 1e-3, "pitch": 1e-3, "other_pitch": 1e-3, "closest": 2.5e-4}
    >>> f"{largest_mutual_impedance(frequency=16e9, dk=3.6, **place) / 1e3:.2f} kohm/m"
    '18.02 kohm/m'
    """
    parts = [
        np.abs(
            pair_mutual_impedance(frequency=frequency, along=along, across=across, pitch=pitch,
                                  other_pitch=other_pitch, turn=turn, dk=dk, closest=closest)
        )
        for turn in np.pi * np.arange(TURNS) / TURNS
    ]
    return np.maximum(np.hypot(parts[0], parts[TURNS // 2]), np.max(parts, axis=0))


@FormulaCard(
    gives="-",
    valid={"impedance": (10.0, 500.0), "z_ref": (10.0, 250.0)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 2.3 (lines with a load), open lines at both ends",
    accuracy="exact for a uniform line without loss",
)
def barrel_current(
    *,
    frequency: ArrayLike,
    place: ArrayLike,
    through: float,
    upper_end: float,
    lower_end: float,
    impedance: ArrayLike,
    dk: ArrayLike,
    z_ref: float,
) -> Any:
    r"""Largest current along a barrel for a wave into either port, over that of a matched line.

    Beyond the layer where the signal leaves, the current falls to zero at the open end. For a wave into port 1

    .. math:: I(x) = V_2\Bigl(Y_2 \cos\beta(h-x) + \frac{j}{Z}\sin\beta(h-x)\Bigr), \qquad
              V_1 + Z_0 (I(0) + Y_1 V_1) = 2 V^+

    with :math:`Y_1` the open line at port 1 and :math:`Y_2` that at port 2 beside :math:`1/Z_0`.

    Parameters
    ----------
    frequency : ndarray, shape (f,)
        Frequencies. [Hz]
    place : ndarray, shape (n,)
        From the upper layer in use downwards; negative in the upper stub. Beyond the ends there is no current. [m]
    through : float
        Barrel between the layers in use. [m]
    upper_end, lower_end : float
        Length of the open lines beyond them. [m]
    impedance : complex or ndarray, broadcastable to ``frequency``
        Of the barrels as a line; of a pair differential. [ohm]
    dk : complex or ndarray, broadcastable to ``frequency``
        Relative permittivity that a wave along the barrel sees. [-]
    z_ref : float
        Reference impedance of both ports. [ohm]

    Returns
    -------
    ndarray, shape (f, n)
        Magnitude over that of the incident wave, the larger one of both ports. [-]

    Examples
    --------
    >>> line = {"through": 1e-3, "upper_end": 0.0, "lower_end": 0.0, "dk": 5.0, "z_ref": 100.0}
    >>> barrel_current(frequency=[10e9], place=[5e-4], impedance=100.0, **line).round(9).tolist()
    [[1.0]]
    """
    at = np.asarray(place, dtype=float)
    f = np.asarray(frequency, dtype=float)
    z = np.broadcast_to(np.asarray(impedance, dtype=complex), f.shape)[:, None]
    gamma = (2j * np.pi * f / LIGHT * np.sqrt(np.asarray(dk, dtype=complex)))[:, None]
    downwards = _driven(at, gamma, z, through, (upper_end, lower_end), z_ref)
    upwards = _driven(through - at, gamma, z, through, (lower_end, upper_end), z_ref)
    return np.maximum(downwards, upwards)


def _driven(
    at: NDArray[np.float64], gamma: NDArray[np.complex128], z: NDArray[np.complex128], through: float,
    ends: tuple[float, float], z_ref: float,
) -> NDArray[np.float64]:
    """Current (f, n) for a wave into the port at zero, over that of the wave."""
    first, second = ends
    load = 1 / z_ref + np.tanh(gamma * second) / z
    rest = through - np.clip(at, 0.0, through)
    inside = load * np.cosh(gamma * rest) + np.sinh(gamma * rest) / z
    head, into = np.cosh(gamma * through) + z * load * np.sinh(gamma * through), (
        load * np.cosh(gamma * through) + np.sinh(gamma * through) / z
    )
    far = 2 / (head + z_ref * (into + head * np.tanh(gamma * first) / z))
    before = head * np.sinh(gamma * np.clip(at + first, 0.0, first)) / np.cosh(gamma * first) / z
    beyond = np.sinh(gamma * np.clip(through + second - at, 0.0, second)) / np.cosh(gamma * second) / z
    current = np.where(at < 0, before, np.where(at > through, beyond, inside))
    return np.asarray(np.abs(far * current) * z_ref)
