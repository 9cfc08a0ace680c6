# SPDX-License-Identifier: MIT
"""Quasi-static constants of a plated barrel that crosses many planes: inductance, capacitance, impedance, loading.

A barrel between planes is a slow line. Its return current flows in the ground vias (in a pair also in the other
barrel), so the inductance per metre is that of parallel wires. Its capacitance ends on the nearest planes, so the
capacitance per metre is that of one cavity over the plane pitch. The permittivity that the wave sees,
``c**2 L' C'``, is therefore larger than that of the laminate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.constants import c, epsilon_0, mu_0

from pcbrules.physics.card import Card

MODES = 40
"""Terms on either side of the antipad edge; twice as many change the capacitance by less than 5e-4."""

FENCE = np.pi / 6
"""Ground vias of one side stand within this angle of the pair's axis, seen from their barrel [rad]: an assumption,
which moves the inductance of three a side by 3 % between 30 and 60 degrees."""


@Card(
    gives="H/m",
    valid={
        "barrel_radius": (0.05e-3, 0.225e-3),
        "pitch": (0.5e-3, 3e-3),
        "return_distance": (0.5e-3, 5e-3),
    },
    source="Paul, Analysis of Multiconductor Transmission Lines, 2nd ed., sec. 5.2 (widely separated wires)",
    accuracy="0.2 % low against independent finite elements with one return a side, 0.7 % low with three",
)
def pair_barrel_inductance(
    *, barrel_radius: ArrayLike, pitch: ArrayLike, return_distance: ArrayLike, returns_per_side: int = 1
) -> Any:
    r"""Odd-mode inductance of one barrel of a differential via with ground vias beside both barrels.

    Line charges :math:`q_i` on the axes, with the barrels at :math:`\pm 1` and every ground via at zero:

    .. math:: L' = \frac{\mu_0}{2\pi q_1},\qquad -\sum_j q_j \ln d_{ij} = V_i

    with :math:`d_{ii} = a` for a ground via and :math:`d_{ii} = s\,e^{-\operatorname{arcosh}(s/2a)}` for a barrel,
    which makes the value exact for a pair without ground vias.

    Parameters
    ----------
    barrel_radius : float or ndarray, shape (...)
        Outer radius of all barrels, half the drill. [m]
    pitch : float or ndarray, broadcastable to ``barrel_radius``
        Distance of the two signal axes. [m]
    return_distance : float or ndarray, broadcastable to ``barrel_radius``
        From a signal axis to the axes of its ground vias, away from the other barrel. [m]
    returns_per_side : int
        Ground vias beside each barrel: one on the axis of the pair, more on an arc of 60 degrees around it. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance of each leg; the differential one is twice as large. [H/m]

    Examples
    --------
    >>> f"{pair_barrel_inductance(barrel_radius=0.125e-3, pitch=1e-3, return_distance=1e-3) * 1e9:.1f} nH/m"
    '382.5 nH/m'
    """

    def one(radius: float, pitch: float, distance: float) -> float:
        angle = np.linspace(-FENCE, FENCE, returns_per_side) if returns_per_side > 1 else np.zeros(returns_per_side)
        fence = pitch / 2 + distance * np.exp(1j * angle)
        axes = np.concatenate([[pitch / 2, -pitch / 2], fence, -fence])
        own = np.full(len(axes), radius)
        own[:2] = pitch * np.exp(-np.arccosh(pitch / (2 * radius)))
        potential = -np.log(np.abs(axes[:, None] - axes[None, :]) + np.diag(own))
        drive = np.zeros(len(axes))
        drive[:2] = 1.0, -1.0
        return float(mu_0 / (2 * np.pi * np.linalg.solve(potential, drive)[0]))

    return np.vectorize(one, otypes=[float])(barrel_radius, pitch, return_distance)[()]


@Card(
    gives="H/m",
    valid={"barrel_radius": (0.05e-3, 0.225e-3), "return_distance": (0.5e-3, 5e-3)},
    source="Paul, Analysis of Multiconductor Transmission Lines, 2nd ed., sec. 5.2 (widely separated wires)",
    accuracy="1.1 % high against an independent finite-element reference with four returns on a square",
)
def single_barrel_inductance(*, barrel_radius: ArrayLike, return_distance: ArrayLike, returns: int = 4) -> Any:
    r"""Inductance of a single-ended barrel with ground vias spread evenly on a circle around it.

    .. math:: L' = \frac{\mu_0}{2\pi}\Bigl[\ln\frac{d}{a} + \frac{1}{n}\ln\frac{d}{n a}\Bigr]

    Parameters
    ----------
    barrel_radius : float or ndarray, shape (...)
        Outer radius :math:`a` of all barrels, half the drill. [m]
    return_distance : float or ndarray, broadcastable to ``barrel_radius``
        Distance :math:`d` of the ground vias' axes from the signal axis. [m]
    returns : int
        Number :math:`n` of ground vias, at least one. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Inductance. [H/m]

    Examples
    --------
    >>> f"{single_barrel_inductance(barrel_radius=0.125e-3, return_distance=1e-3) * 1e9:.1f} nH/m"
    '450.5 nH/m'
    """
    a, d = np.asarray(barrel_radius), np.asarray(return_distance)
    return mu_0 / (2 * np.pi) * (np.log(d / a) + np.log(d / (returns * a)) / returns)


@Card(
    gives="m",
    valid={"width": (0.2e-3, 2e-3), "pitch": (0.5e-3, 3e-3)},
    source="own conformal radius of half an oval, computed by boundary collocation to 1e-5 and fitted",
    accuracy="fit 0.1 % for pitch from 1 to 4 widths; as an antipad radius it makes cell_capacitance 0.3 to 0.8 % low",
)
def oval_antipad_radius(*, width: ArrayLike, pitch: ArrayLike) -> Any:
    r"""Radius of the round antipad that stands for an oval one common to both barrels of a pair, in the odd mode.

    Half of the oval, cut at the plane of symmetry between the barrels, is mapped on a circle:

    .. math:: \frac{b}{w/2} = 1.1184 - 0.0811\,e^{-\pi\,(s/w - 1)}

    An oval narrower than the pitch is assumed; from ``pitch < width`` on the value at ``pitch = width`` is used.

    Parameters
    ----------
    width : float or ndarray, shape (...)
        Narrow dimension :math:`w` of the oval, whose long one is ``width + pitch``. [m]
    pitch : float or ndarray, broadcastable to ``width``
        Distance :math:`s` of the two barrels. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Radius. [m]

    Examples
    --------
    >>> f"{oval_antipad_radius(width=0.8e-3, pitch=0.8e-3) * 1e3:.4f} mm"
    '0.4149 mm'
    """
    w = np.asarray(width)
    return w / 2 * (1.1184 - 0.0811 * np.exp(-np.pi * np.maximum(np.asarray(pitch) / w - 1, 0)))


def _cell(barrel_radius: float, gap: float, plane_pitch: float) -> float:
    """Capacitance over ``2 pi epsilon`` [m] of one cavity around a barrel, by mode matching at the antipad edge."""
    from scipy.special import i0e, i1e, k0e, k1e

    b = barrel_radius + gap
    inner = 2 * np.pi * np.arange(MODES) / plane_pitch  # cos(inner z) between barrel and antipad edge
    outer = np.pi * (2 * np.arange(MODES) + 1) / plane_pitch  # cos(outer z) between the planes, zero on them

    def mean(q: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.sinc(q * plane_pitch / (2 * np.pi)))

    overlap = (mean(inner[:, None] - outer) + mean(inner[:, None] + outer)) / 2
    k = inner[1:]
    falls = np.exp(-2 * k * gap)
    slope = k * (i1e(k * b) * k0e(k * barrel_radius) + k1e(k * b) * i0e(k * barrel_radius) * falls)
    slope /= i0e(k * b) * k0e(k * barrel_radius) - k0e(k * b) * i0e(k * barrel_radius) * falls
    uniform = 1 / (b * np.log(b / barrel_radius))
    admittance = np.concatenate([[uniform], 2 * slope])  # 2: mean square of a cosine is one half
    outward = outer * k1e(outer * b) / k0e(outer * b) / 2
    edge = np.linalg.solve(overlap.T @ (admittance[:, None] * overlap) + np.diag(outward), uniform * overlap[0])
    return float((1 - overlap[0] @ edge) / np.log(b / barrel_radius) * plane_pitch)


@Card(
    gives="F",
    valid={
        "barrel_radius": (0.05e-3, 0.3e-3),
        "gap": (0.05e-3, 0.8e-3),
        "plane_pitch": (0.05e-3, 3e-3),
        "dk": (1.0, 12.0),
    },
    source="own mode matching: coaxial modes inside the antipad, parallel-plate modes between thin planes",
    accuracy="0.3 % round antipad, 0.8 % low for an oval by oval_antipad_radius (independent finite-element reference)",
)
def cell_capacitance(
    *,
    barrel_radius: ArrayLike,
    gap: ArrayLike,
    plane_pitch: ArrayLike,
    dk: ArrayLike,
    plane_thickness: ArrayLike = 0.0,
) -> Any:
    r"""Capacitance between a barrel and the planes, of one cavity: from mid-plane to mid-plane.

    Planes are equally spaced and reach far beyond the antipad. The cavity is solved between thin planes; a plane of
    thickness :math:`t` adds a piece of coaxial line, :math:`2\pi\varepsilon t / \ln(b/a)` (0.4 to 0.8 % low for 15 and
    30 um, by the same reference).

    Parameters
    ----------
    barrel_radius : float or ndarray, shape (...)
        Outer radius :math:`a` of the barrel. [m]
    gap : float or ndarray, broadcastable to ``barrel_radius``
        Antipad radius :math:`b` less barrel radius. [m]
    plane_pitch : float or ndarray, broadcastable to ``barrel_radius``
        Distance of neighbouring planes, middle to middle. [m]
    dk : float or ndarray, broadcastable to ``barrel_radius``
        Relative permittivity of the laminate. [-]
    plane_thickness : float or ndarray, broadcastable to ``barrel_radius``
        Thickness of one plane, less than ``plane_pitch``. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance. [F]

    Examples
    --------
    >>> f"{cell_capacitance(barrel_radius=0.125e-3, gap=0.25e-3, plane_pitch=0.25e-3, dk=4.0) * 1e15:.1f} fF"
    '45.0 fF'
    """
    thickness = np.asarray(plane_thickness)
    cavity = np.vectorize(_cell, otypes=[float])(barrel_radius, gap, np.asarray(plane_pitch) - thickness)[()]
    coaxial = thickness / np.log1p(np.asarray(gap) / np.asarray(barrel_radius))
    return 2 * np.pi * epsilon_0 * np.asarray(dk) * (cavity + coaxial)


@Card(
    gives="-",
    valid={"inductance": (150e-9, 700e-9), "capacitance": (50e-12, 400e-12)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 2.1 (phase velocity of a lossless line)",
    accuracy="exact; both inputs carry their own error",
)
def barrel_dk(*, inductance: ArrayLike, capacitance: ArrayLike) -> Any:
    r"""Permittivity that a wave along the barrel sees, :math:`\bar K = c^2 L' C'`.

    Parameters
    ----------
    inductance : float or ndarray, shape (...)
        Inductance per metre of one leg. [H/m]
    capacitance : float or ndarray, broadcastable to ``inductance``
        Capacitance per metre of one leg. [F/m]

    Returns
    -------
    float or ndarray, shape (...)
        Relative permittivity. [-]

    Examples
    --------
    >>> f"{barrel_dk(inductance=387e-9, capacitance=144e-12):.2f}"
    '5.01'
    """
    return c**2 * np.asarray(inductance) * np.asarray(capacitance)


@Card(
    gives="ohm",
    valid={"inductance": (150e-9, 700e-9), "dk": (1.0, 20.0)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 2.1 (characteristic impedance of a lossless line)",
    accuracy="exact; both inputs carry their own error",
)
def barrel_impedance(*, inductance: ArrayLike, dk: ArrayLike) -> Any:
    r"""Impedance of one leg between planes, :math:`Z = c L' / \sqrt{\bar K}`.

    Parameters
    ----------
    inductance : float or ndarray, shape (...)
        Inductance per metre of one leg. [H/m]
    dk : float or ndarray, broadcastable to ``inductance``
        Permittivity that a wave along the barrel sees, as from ``barrel_dk``. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Impedance of one leg. [ohm]

    Examples
    --------
    >>> f"{barrel_impedance(inductance=386.7e-9, dk=5.0):.1f} ohm"
    '51.8 ohm'
    """
    return c * np.asarray(inductance) / np.sqrt(dk)
