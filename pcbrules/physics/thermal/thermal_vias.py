# SPDX-License-Identifier: MIT
"""Thermal resistance of a field of plated through vias under a heat source.

The field is a square lattice. One cell of it is a column of two foils with the core between them; the via, closed by
both foils, stands in its middle. Heat enters the outer face of the top foil evenly and leaves through the outer face
of the bottom foil, which is at one temperature; the spreading beyond the field is not part of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.arrays import Real
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.thermal.rings import ring_centres, ring_edges, slab

CONDUCTIVITY_COPPER = 385.0
"""Thermal conductivity of plated and rolled copper near 60 degC [W/(m K)]; pure annealed copper has up to 400."""

_RANGES = {
    "drill": (0.1e-3, 0.6e-3),
    "plating": (10e-6, 200e-6),
    "pitch": (0.4e-3, 2e-3),
    "height": (0.1e-3, 6e-3),
    "foil_top": (10e-6, 210e-6),
    "foil_bottom": (10e-6, 210e-6),
    "k_fill": (0.02, 400.0),
    "k_laminate": (0.1, 3.0),
}
_APART = {("pitch", "drill"): (1.0, float("inf"))}


@FormulaCard(
    gives="K/W",
    valid=_RANGES,
    ratios=_APART,
    source="definition: barrel, fill and laminate in parallel, between two foils in series",
    accuracy="lower bound: 4 to 16 % low against independent 3-D finite elements (TV01-TV03), without foil spreading",
)
def via_cell_parallel(
    *,
    drill: ArrayLike,
    plating: ArrayLike,
    pitch: ArrayLike,
    height: ArrayLike,
    foil_top: ArrayLike,
    foil_bottom: ArrayLike,
    k_fill: ArrayLike,
    k_laminate: ArrayLike,
    k_copper: ArrayLike = CONDUCTIVITY_COPPER,
) -> Any:
    r"""Resistance of one cell when its three materials conduct side by side.

    .. math:: R = \frac{h}{k_c A_c + k_f A_f + k_l A_l} + \frac{t_1 + t_2}{k_c\,p^2}

    Parameters
    ----------
    drill : float or ndarray, shape (...)
        Drilled diameter: the outer diameter of the barrel. [m]
    plating : float or ndarray, broadcastable to ``drill``
        Plating thickness, inwards; half the drill or more is a via of solid copper. [m]
    pitch : float or ndarray, broadcastable to ``drill``
        Pitch of the square lattice, not below ``drill``. [m]
    height : float or ndarray, broadcastable to ``drill``
        Distance between the inner faces of the two foils. [m]
    foil_top, foil_bottom : float or ndarray, broadcastable to ``drill``
        Thickness of the foils, which close over the via. [m]
    k_fill, k_laminate, k_copper : float or ndarray, broadcastable to ``drill``
        Thermal conductivity of the fill, of the laminate through its thickness, of copper. [W/(m K)]

    Returns
    -------
    float or ndarray, shape (...)
        Thermal resistance of one cell; a field of ``n`` vias has ``1 / n`` of it. [K/W]

    Examples
    --------
    >>> r = via_cell_parallel(drill=0.3e-3, plating=25e-6, pitch=1e-3, height=1.53e-3, foil_top=35e-6,
    ...                       foil_bottom=35e-6, k_fill=0.3, k_laminate=0.35)
    >>> f"{r:.2f} K/W"
    '176.95 K/W'
    """
    outer = np.asarray(drill) / 2
    inner = np.maximum(outer - np.asarray(plating), 0)
    cell = np.asarray(pitch) ** 2
    fill, barrel, laminate = np.pi * inner**2, np.pi * (outer**2 - inner**2), cell - np.pi * outer**2
    core = np.asarray(k_copper) * barrel + np.asarray(k_fill) * fill + np.asarray(k_laminate) * laminate
    foils = (np.asarray(foil_top) + np.asarray(foil_bottom)) / (np.asarray(k_copper) * cell)
    return np.asarray(height) / core + foils


@FormulaCard(
    gives="K/W",
    valid=_RANGES,
    ratios=_APART,
    source=(
        "steady conduction in the circular cell of equal area, solved exactly along the axis and by finite volumes "
        "along the radius (method of lines: Schiesser, The Numerical Method of Lines, 1991); the corners of the square "
        "after Drummond and Tahir, Int. J. Multiphase Flow 10 (1984) 515"
    ),
    accuracy="0.1 % against independent 3-D finite elements of the square cell (TV01-TV03: +0.03, +0.07, +0.05 %)",
    u=0.005,
)
def via_cell_resistance(
    *,
    drill: ArrayLike,
    plating: ArrayLike,
    pitch: ArrayLike,
    height: ArrayLike,
    foil_top: ArrayLike,
    foil_bottom: ArrayLike,
    k_fill: ArrayLike,
    k_laminate: ArrayLike,
    k_copper: ArrayLike = CONDUCTIVITY_COPPER,
) -> Any:
    r"""Resistance of one cell with the spreading in its foils: mean rise of the top face per watt.

    Three slabs of `rings` in series: foil, core, foil.

    Parameters
    ----------
    drill : float or ndarray, shape (...)
        Drilled diameter: the outer diameter of the barrel. [m]
    plating : float or ndarray, broadcastable to ``drill``
        Plating thickness, inwards; half the drill or more is a via of solid copper. [m]
    pitch : float or ndarray, broadcastable to ``drill``
        Pitch of the square lattice, not below ``drill``. [m]
    height : float or ndarray, broadcastable to ``drill``
        Distance between the inner faces of the two foils. [m]
    foil_top, foil_bottom : float or ndarray, broadcastable to ``drill``
        Thickness of the foils, which close over the via. [m]
    k_fill, k_laminate, k_copper : float or ndarray, broadcastable to ``drill``
        Thermal conductivity of the fill, of the laminate, of copper. [W/(m K)]

    Returns
    -------
    float or ndarray, shape (...)
        Thermal resistance of one cell; a field of ``n`` vias has ``1 / n`` of it. [K/W]

    Examples
    --------
    >>> r = via_cell_resistance(drill=0.3e-3, plating=25e-6, pitch=1e-3, height=1.53e-3, foil_top=35e-6,
    ...                         foil_bottom=35e-6, k_fill=0.3, k_laminate=0.35)
    >>> f"{r:.1f} K/W"
    '187.0 K/W'
    """
    given = (drill, plating, pitch, height, foil_top, foil_bottom, k_fill, k_laminate, k_copper)
    solved = np.vectorize(_solve_cell, otypes=[float])(*given)
    return solved if solved.ndim else solved[()]


def _solve_cell(
    drill: float,
    plating: float,
    pitch: float,
    height: float,
    foil_top: float,
    foil_bottom: float,
    k_fill: float,
    k_laminate: float,
    k_copper: float,
) -> float:
    outer = drill / 2
    inner = max(outer - plating, 0.0)
    edge = ring_edges(radii=[inner, outer], end=pitch / np.sqrt(np.pi))
    centre = ring_centres(edge=edge)
    foil = np.full_like(centre, k_copper)
    core = np.where(centre < inner, k_fill, np.where(centre < outer, k_copper, k_laminate))

    foils = [slab(edge=edge, radial=foil, axial=foil, thickness=t) for t in (foil_bottom, foil_top)]
    middle = slab(edge=edge, radial=core, axial=core, thickness=height)
    face = foils[0].own
    for one in (middle, foils[1]):
        face = one.own - one.across @ np.linalg.solve(face + one.own, one.across)
    share = np.diff(edge**2) / edge[-1] ** 2
    corners = _corners(share, core, centre < outer)
    return float(share @ np.linalg.solve(face, share)) + corners / (2 * np.pi * k_copper * foil_top)


def _corners(share: Real, core: Real, in_via: NDArray[np.bool_]) -> float:
    """What the corners of a square cell add to the spreading in a foil of unit ``2 pi k t``. [-]

    Mean rise over a square cell less that over the round one, with all heat into a disc that takes the part ``phi`` of
    the cell: 0.01183 - 0.0255 phi^4 (Drummond and Tahir 1984, flow along a square array of rods: the same equation).
    It goes with the square of what the via carries beyond its part of the area.
    """
    part = float(share[in_via].sum())
    if part >= 1:
        return 0.0
    carried = float(share[in_via] @ core[in_via]) / float(share @ core)
    return max(0.01183 - 0.0255 * part**4, 0.0) * ((carried - part) / (1 - part)) ** 2
