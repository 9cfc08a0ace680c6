# SPDX-License-Identifier: MIT
"""Inductance of a barrel whose current returns in ground vias, at rest and at frequency.

At rest the barrels are parallel wires. At frequency each cavity between two planes is a radial line: the current of a
barrel launches a wave in it that the ground vias send back. The further they stand, in wavelengths, the larger the
inductance, and what they let pass is lost between the planes. That loss is the imaginary part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.constants import LIGHT, MU_0
from pcbrules.physics.common.card import FormulaCard

UNKNOWNS = 400
"""Largest system of equations: many ground vias get fewer harmonics each."""

RADII, DISTANCES = {"radius": (0.05e-3, 0.3e-3)}, {"distance": (0.2e-3, 10e-3)}
APART = {("distance", "radius"): (2.3, float("inf"))}
"""Wires that nearly touch need more harmonics: at 2.1 radii the inductance of two is 4 % high, at 2.02 radii 58 %."""

NEAREST = {"distance": "from the first wire to the nearest other, axis to axis [m]"}
"""Meaning of ``distance`` in the cards."""


@FormulaCard(
    gives="H/m",
    valid=RADII | DISTANCES,
    ratios=APART,
    derived=NEAREST,
    source="Paul, Analysis of Multiconductor Transmission Lines, 2nd ed., sec. 5.2 (wires with harmonic charges)",
    accuracy="2e-4 against independent finite elements of an error of 1e-3; two wires: 1e-3 at 2.3 radii, 3e-6 at 3",
)
def return_inductance(*, axes: ArrayLike, radius: ArrayLike, drive: ArrayLike) -> Any:
    r"""Inductance per metre of the first of some parallel round wires that carry no current in all.

    Charges on every wire as a line and harmonics about its axis, fitted to the voltages around its surface:

    .. math:: \phi = \phi_0 - \sum_i q_i \ln|z - z_i| + \mathrm{Re} \sum_{i,m} c_{im} \Bigl(\frac{a_i}{z - z_i}\Bigr)^m,
              \qquad L' = \frac{\mu_0}{2\pi} \frac{V_1}{q_1}

    Parameters
    ----------
    axes : ndarray, shape (n, 2)
        Places of the wires. [m]
    radius : float or ndarray, broadcastable to shape (n,)
        Radius of each. [m]
    drive : ndarray, shape (n,)
        Voltage of each, 1 of the first; 0 of ground vias, -1 of the other barrel of a pair. [V]

    Returns
    -------
    float
        Inductance. [H/m]

    Raises
    ------
    ValueError
        Two wires touch or one stands alone.

    Examples
    --------
    >>> pair = return_inductance(axes=[[0, 0], [0, 1e-3]], radius=0.125e-3, drive=[1, -1])
    >>> f"{pair * 1e9:.1f} nH/m"
    '412.7 nH/m'
    """
    place, own, volt = _wires(axes, radius, drive)
    harmonics = int(np.clip(UNKNOWNS // (2 * len(place)), 1, 5))
    turns = np.exp(2j * np.pi * np.arange(4 * harmonics) / (4 * harmonics))
    offset = (place[:, None] + own[:, None] * turns).ravel()[:, None] - place
    powers = (own / offset)[:, :, None] ** np.arange(1, harmonics + 1)
    shape = len(offset), -1
    system = np.hstack(
        [-np.log(np.abs(offset)), powers.real.reshape(shape), powers.imag.reshape(shape), np.ones((len(offset), 1))]
    )
    neutral = np.zeros(system.shape[1])
    neutral[: len(place)] = len(offset)
    target = np.append(np.repeat(volt, len(turns)), 0.0)
    charge = np.linalg.lstsq(np.vstack([system, neutral]), target, rcond=None)[0][0]
    return float(MU_0 / (2 * np.pi) * volt[0] / charge)


@FormulaCard(
    gives="H/m",
    valid={"frequency": (1e6, 150e9), "dk": (1.0, 12.0), "loss_tangent": (0.0, 0.05)} | RADII | DISTANCES,
    ratios=APART,
    derived=NEAREST,
    source="Williamson, IEEE Trans. MTT 33 (1985), 210 (posts in a radial line); thin posts, between thin cavities",
    accuracy="0.1 % at 1 GHz and 1.4 % at 20 GHz of posts with all their harmonics, in a square fence of 0.7 mm; "
    "through barrel_wave_dk within 1.5 % of full-wave stub notches of 17 to 50 GHz, planes without an edge",
)
def cavity_inductance(
    *,
    frequency: ArrayLike,
    axes: ArrayLike,
    radius: ArrayLike,
    drive: ArrayLike,
    dk: ArrayLike,
    loss_tangent: ArrayLike,
) -> Any:
    r"""The same between wide parallel planes at frequency: with the wave between them, and what it carries away.

    .. math:: L'(f) = L' + \frac{V_1}{I_1} \frac{1}{j\omega} - \frac{V_1}{I_1}\frac{1}{j\omega}\Big|_{f \to 0},\qquad
              V_i = \frac{\omega\mu_0}{4} \sum_j I_j J_0(k a_i) J_0(k a_j) H_0^{(2)}(k d_{ij})

    with :math:`k = \omega\sqrt{D_k(1 - j\tan\delta)}/c` and, of a wire itself, :math:`J_0(k a) H_0^{(2)}(k a)`.

    Parameters
    ----------
    frequency : ndarray, shape (k,)
        Frequencies above zero. [Hz]
    axes : ndarray, shape (n, 2)
        Places of the wires. [m]
    radius : float or ndarray, broadcastable to shape (n,)
        Radius of each. [m]
    drive : ndarray, shape (n,)
        Voltage of each, as for ``return_inductance``. [V]
    dk : float or ndarray, broadcastable to ``frequency``
        Relative permittivity of the laminate. [-]
    loss_tangent : float or ndarray, broadcastable to ``frequency``
        Its loss tangent. [-]

    Returns
    -------
    complex ndarray, shape (k,)
        Inductance. [H/m]

    Raises
    ------
    ValueError
        Two wires touch or one stands alone.

    Examples
    --------
    >>> square = [[0, 0], [0.7e-3, 0.7e-3], [-0.7e-3, 0.7e-3], [0.7e-3, -0.7e-3], [-0.7e-3, -0.7e-3]]
    >>> f = [1e9, 20e9]
    >>> at = cavity_inductance(frequency=f, axes=square, radius=1e-4, drive=[1, 0, 0, 0, 0], dk=3.6, loss_tangent=0.0)
    >>> [f"{one * 1e9:.0f} nH/m" for one in at]
    ['498-1j nH/m', '548-12j nH/m']
    """
    from scipy.special import hankel2, jv

    place, own, volt = _wires(axes, radius, drive)
    distance = np.abs(place[:, None] - place)
    lossy = np.sqrt(np.asarray(dk) * (1 - 1j * np.asarray(loss_tangent)))
    k = np.broadcast_to(2 * np.pi * np.asarray(frequency, dtype=float) / LIGHT * lossy, np.shape(frequency))
    lengths, where = np.unique(np.round(distance + np.diag(own), 12), return_inverse=True)
    near = jv(0, k[:, None] * own)
    waves = hankel2(0, k[:, None] * lengths)[:, where.reshape(distance.shape)] * near[:, :, None]
    waves = waves * np.where(np.eye(len(place), dtype=bool), 1.0, near[:, None, :])
    current = np.linalg.solve(waves, np.broadcast_to(volt[:, None], (len(k), len(volt), 1)).astype(complex))[:, 0, 0]
    at_frequency = -1j * np.pi / 2 * volt[0] / current  # times mu_0 / (2 pi)
    logs = np.block(
        [[-np.log(distance + np.diag(own)), np.ones((len(place), 1))], [np.ones((1, len(place))), np.zeros((1, 1))]]
    )
    at_rest = volt[0] / np.linalg.solve(logs, np.append(volt, 0.0))[0]
    static = return_inductance(axes=axes, radius=radius, drive=drive)
    return static + MU_0 / (2 * np.pi) * (at_frequency - at_rest)


def _wires(
    axes: ArrayLike, radius: ArrayLike, drive: ArrayLike
) -> tuple[NDArray[np.complex128], NDArray[np.float64], NDArray[np.float64]]:
    at = np.asarray(axes, dtype=float)
    place = at[:, 0] + 1j * at[:, 1]
    own = np.broadcast_to(np.asarray(radius, dtype=float), place.shape)
    apart = np.abs(place[:, None] - place) + np.diag(np.full(len(place), np.inf))
    if len(place) < 2 or np.any(apart <= own[:, None] + own):
        raise ValueError("two or more wires that do not touch")
    return place, own, np.asarray(drive, dtype=float)
