# SPDX-License-Identifier: MIT
"""The wave along a barrel through many planes, and where a stub of it resonates.

Barrel and antipad edges are a coaxial line whose outer wall is a stack of cavities. The wave on it is slower than in
the laminate, so its field hugs the barrel; that makes up for a part of what the cavities add. Both grow with the square
of the frequency.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Complex
from pcbrules.constants import EPSILON_0, LIGHT, MU_0
from pcbrules.physics.common.card import FormulaCard


@FormulaCard(
    gives="-",
    valid={
        "frequency": (1e6, 150e9),
        "capacitance": (20e-12, 400e-12),
        "barrel_radius": (0.05e-3, 0.3e-3),
        "dk": (1.0, 12.0),
        "loss_tangent": (0.0, 0.05),
        "wall": (0.0, 1.0),
    },
    derived={"wall": "radius of the wall times the wave number in the laminate, B k [-]: beyond, there may be no wave "
             "that keeps its power along the barrel"},
    source="own: transverse-magnetic wave of a corrugated coaxial line, as Collin, Field Theory, 2nd ed., sec. 9.7",
    accuracy="stub notches within 0.6 % of an own modal full-wave solution at 40 mil, 2.5 % at 20 mil",
)
def barrel_wave_dk(
    *,
    frequency: ArrayLike,
    inductance: ArrayLike,
    capacitance: ArrayLike,
    barrel_radius: ArrayLike,
    dk: ArrayLike,
    loss_tangent: ArrayLike,
) -> Any:
    r"""Permittivity that the wave along a barrel sees; complex where power leaves between the planes.

    The field between barrel :math:`a` and wall :math:`B = a\,e^{2\pi\varepsilon/C'}` is
    :math:`R(r) = I_0(Tr) K_0(Ta) - I_0(Ta) K_0(Tr)`; at the wall it meets that of the cavities:

    .. math:: \frac{T^2 R(B)}{R'(B)} = -\frac{k^2 E(B)}{E'(B)},\qquad
              \bar K = \frac{c^2}{\omega^2}\frac{T^2 + k^2}{1 - j\tan\delta}

    where :math:`E` is the radial wave of wave number :math:`k` that the inductance belongs to,
    :math:`E(a)/E'(a) = -2\pi a L'(f)/\mu_0`. Towards low frequencies :math:`\bar K = c^2 L' C'`.

    Parameters
    ----------
    frequency : ndarray, shape (k,)
        Frequencies above zero. [Hz]
    inductance : ndarray, broadcastable to ``frequency``
        Inductance per metre at frequency, as from ``cavity_inductance``. [H/m]
    capacitance : float
        Capacitance per metre, without loss. [F/m]
    barrel_radius : float
        Outer radius of the barrel. [m]
    dk : float or ndarray, broadcastable to ``frequency``
        Relative permittivity of the laminate. [-]
    loss_tangent : float or ndarray, broadcastable to ``frequency``
        Its loss tangent. [-]

    Returns
    -------
    complex ndarray, shape (k,)
        Relative permittivity. [-]

    Examples
    --------
    >>> barrel = dict(inductance=387e-9, capacitance=144e-12, barrel_radius=0.125e-3)
    >>> k = barrel_wave_dk(frequency=[1e8, 20e9], dk=3.4, loss_tangent=0.0, **barrel)
    >>> [f"{one.real:.2f}" for one in k]
    ['5.01', '4.87']
    """
    from scipy.special import iv, jv, kv, yv

    f = np.asarray(frequency, dtype=float)
    a, loss = np.asarray(barrel_radius), 1 - 1j * np.asarray(loss_tangent)
    k = 2 * np.pi * f / LIGHT * np.sqrt(np.asarray(dk) * loss)
    wall = a * np.exp(2 * np.pi * EPSILON_0 * np.asarray(dk) / np.asarray(capacitance))
    start = -2 * np.pi * a * np.asarray(inductance) / MU_0  # E at the barrel where its slope is one
    first = np.pi * a / 2 * (-k * yv(1, k * a) * start - yv(0, k * a))
    second = np.pi * a / 2 * (jv(0, k * a) + k * jv(1, k * a) * start)
    field = first * jv(0, k * wall) + second * yv(0, k * wall)
    slope = -k * (first * jv(1, k * wall) + second * yv(1, k * wall))
    cavities = -(k**2) * field / slope

    def mismatch(t: Complex) -> Complex:
        i, j = iv(0, t * a), kv(0, t * a)
        inside = iv(0, t * wall) * j - i * kv(0, t * wall)
        return np.asarray(t**2 * inside / (t * (iv(1, t * wall) * j + i * kv(1, t * wall))) - cavities)

    t = np.sqrt(cavities / (wall * np.log(wall / a)))
    for _ in range(6):
        step = 1e-5 * t
        here = mismatch(t)
        t = t - here * step / (mismatch(t + step) - here)
    return (t**2 + k**2) * (LIGHT / (2 * np.pi * f)) ** 2 / loss


@FormulaCard(
    gives="Hz",
    valid={"length": (1e-6, 5.08e-3), "extension": (1e-6, 0.5e-3)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 2.3 (open-circuited line)",
    accuracy="within 1.1 % of full-wave notches at 40 and 60 mil, 1.3 % at 20 mil (one merged minimum 3 %)",
)
def wave_stub_resonance(*, length: ArrayLike, extension: ArrayLike, frequency: ArrayLike, dk: ArrayLike) -> Any:
    r"""First frequency at which a stub and its open end are a quarter of the wave along the barrel.

    .. math:: \frac{2\pi f}{c}\,\mathrm{Re}\sqrt{\bar K(f)}\,(\ell + \Delta\ell) = \frac{\pi}{2}

    A longer stub resonates lower whatever :math:`\bar K(f)` is.

    Parameters
    ----------
    length : float or ndarray, shape (...)
        Stub length. [m]
    extension : float or ndarray, broadcastable to ``length``
        Capacitance of the open end over that per metre. [m]
    frequency : ndarray, shape (k,)
        Frequencies of ``dk``, rising from above zero. [Hz]
    dk : complex ndarray, shape (k,)
        Permittivity that the wave along the barrel sees, as from ``barrel_wave_dk``. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Resonance; infinite if it lies above the last frequency. [Hz]

    Examples
    --------
    >>> f = wave_stub_resonance(length=1.016e-3, extension=0.149e-3, frequency=[1e9, 60e9], dk=[5.0, 5.0])
    >>> f"{f / 1e9:.1f} GHz"
    '28.8 GHz'
    """
    at = np.asarray(frequency, dtype=float)
    # waves per metre, made to rise where they fall: the first crossing counts
    waves = np.maximum.accumulate(at / LIGHT * np.sqrt(np.asarray(dk, dtype=complex)).real)
    wanted = 1 / (4 * (np.asarray(length) + np.asarray(extension)))
    low = wanted / waves[0] * at[0]
    found = np.where(wanted < waves[0], low, np.interp(wanted, waves, at, right=np.inf))
    return found[()]
