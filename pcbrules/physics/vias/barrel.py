# SPDX-License-Identifier: MIT
"""Quasi-static constants of a plated barrel that crosses many planes: capacitance, impedance, loading.

A barrel between planes is a slow line. Its return current flows in the ground vias (in a pair also in the other
barrel), so the inductance per metre is that of parallel wires (``barrel_returns``). Its capacitance ends on the
nearest planes, so the capacitance per metre is that of one cavity over the plane pitch. The permittivity that the
wave sees, ``c**2 L' C'``, is therefore larger than that of the laminate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.constants import EPSILON_0, LIGHT
from pcbrules.physics.common.card import FormulaCard
from pcbrules.solver_cache import solved_once

MODES = 40
"""Terms on either side of the antipad edge; twice as many change the capacitance by less than 5e-4."""


@FormulaCard(
    gives="m",
    valid={"width": (0.2e-3, 2e-3), "pitch": (0.5e-3, 3e-3)},
    source="own conformal radius of half an oval, computed by boundary collocation to 1e-5 and fitted",
    accuracy="fit 0.1 % for pitch from 1 to 4 widths, of two coaxial conductors; between planes see equivalent_gap",
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


@FormulaCard(
    gives="m",
    valid={
        "barrel_radius": (0.05e-3, 0.3e-3),
        "width": (0.2e-3, 2e-3),
        "pitch": (0.5e-3, 3e-3),
        "plane_pitch": (0.05e-3, 3e-3),
    },
    ratios={("width", "barrel_radius"): (2.2, float("inf"))},
    source="own: the oval widened by how far the field sees past the edges of the planes, then oval_antipad_radius",
    accuracy="makes cell_capacitance of three oval antipads right within 0.5 % (independent finite-element reference)",
)
def equivalent_gap(*, barrel_radius: ArrayLike, width: ArrayLike, pitch: ArrayLike, plane_pitch: ArrayLike) -> Any:
    r"""Gap of the round antipad that loads a barrel as much as an oval one common to both barrels, in the odd mode.

    Planes that end at a straight edge act as a wall :math:`\frac{\ln 2}{\pi}p` behind it; behind a round one at radius
    :math:`B = a\,e^{2\pi\varepsilon p/C}` for a cell of capacitance :math:`C`. The oval is widened by as much, and the
    circle that stands for it narrowed again.

    Parameters
    ----------
    barrel_radius : float or ndarray, shape (...)
        Outer radius of the barrel. [m]
    width : float or ndarray, broadcastable to ``barrel_radius``
        Narrow dimension of the oval, whose long one is ``width + pitch``. [m]
    pitch : float or ndarray, broadcastable to ``barrel_radius``
        Distance of the two barrels. [m]
    plane_pitch : float or ndarray, broadcastable to ``barrel_radius``
        Distance of neighbouring planes. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Antipad radius less barrel radius. [m]

    Examples
    --------
    >>> gap = equivalent_gap(barrel_radius=0.125e-3, width=0.76e-3, pitch=1.016e-3, plane_pitch=0.254e-3)
    >>> f"{gap * 1e3:.3f} mm"
    '0.286 mm'
    """
    radius, half = np.asarray(barrel_radius), np.asarray(width) / 2
    cell = np.vectorize(round_cell, otypes=[float])(radius, half - radius, plane_pitch)[()]
    wall = radius * np.exp(np.asarray(plane_pitch) / cell)
    return oval_antipad_radius(width=2 * wall, pitch=pitch) - (wall - half) - radius


@solved_once
def round_cell(barrel_radius: float, gap: float, plane_pitch: float) -> float:
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


@FormulaCard(
    gives="F",
    valid={
        "barrel_radius": (0.05e-3, 0.3e-3),
        "gap": (0.05e-3, 0.8e-3),
        "plane_pitch": (0.05e-3, 3e-3),
        "dk": (1.0, 12.0),
    },
    source="own mode matching: coaxial modes inside the antipad, parallel-plate modes between thin planes",
    accuracy="0.3 % round antipad, 0.5 % an oval one by equivalent_gap (independent finite-element reference)",
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
    cavity = np.vectorize(round_cell, otypes=[float])(barrel_radius, gap, np.asarray(plane_pitch) - thickness)[()]
    coaxial = thickness / np.log1p(np.asarray(gap) / np.asarray(barrel_radius))
    return 2 * np.pi * EPSILON_0 * np.asarray(dk) * (cavity + coaxial)


@FormulaCard(
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
    return LIGHT**2 * np.asarray(inductance) * np.asarray(capacitance)


@FormulaCard(
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
    return LIGHT * np.asarray(inductance) / np.sqrt(dk)
