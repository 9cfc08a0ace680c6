# SPDX-License-Identifier: MIT
"""Thermal resistance of a field of plated through vias under a heat source.

The field is a square lattice. One cell of it is a column of two foils with the core between them; the via, closed by
both foils, stands in its middle. Heat enters the outer face of the top foil evenly and leaves through the outer face
of the bottom foil, which is at one temperature; the spreading beyond the field is not part of it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.physics.card import Card

Array = NDArray[np.float64]

CONDUCTIVITY_COPPER = 385.0
"""Thermal conductivity of plated and rolled copper near 60 degC [W/(m K)]; pure annealed copper has up to 400."""

_CELLS_PER_RING = 20  # 60 rings: 0.05 % from the limit of many
_RANGES = {
    "drill": (0.1e-3, 0.35e-3),
    "plating": (10e-6, 200e-6),
    "pitch": (0.4e-3, 2e-3),
    "height": (0.1e-3, 6e-3),
    "foil_top": (10e-6, 210e-6),
    "foil_bottom": (10e-6, 210e-6),
    "k_fill": (0.02, 400.0),
    "k_laminate": (0.1, 3.0),
}


@Card(
    gives="K/W",
    valid=_RANGES,
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


@Card(
    gives="K/W",
    valid=_RANGES,
    source=(
        "steady conduction in the circular cell of equal area, solved exactly along the axis and by finite volumes "
        "along the radius (method of lines: Schiesser, The Numerical Method of Lines, 1991)"
    ),
    accuracy="0.2 % against independent 3-D finite elements of the square cell (TV01-TV03: -0.04, -0.13, +0.01 %)",
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

    Every slab (foil, core, foil) obeys :math:`M\,T'' = L\,T` along the axis, with the conductances :math:`M` of the
    rings and :math:`L` between them; its eigenvectors carry an admittance from one face to the other.

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
    '186.9 K/W'
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
    edge = _ring_edges([radius for radius in (inner, outer) if radius > 0], pitch / np.sqrt(np.pi))
    centre = np.sqrt((edge[1:] ** 2 + edge[:-1] ** 2) / 2)
    foil = np.full_like(centre, k_copper)
    core = np.where(centre < inner, k_fill, np.where(centre < outer, k_copper, k_laminate))

    face = _slab(None, edge=edge, conductivity=foil, thickness=foil_bottom)
    face = _slab(face, edge=edge, conductivity=core, thickness=height)
    face = _slab(face, edge=edge, conductivity=foil, thickness=foil_top)
    share = np.diff(edge**2) / edge[-1] ** 2
    return float(share @ np.linalg.solve(face, share))


def _ring_edges(radii: list[float], end: float) -> Array:
    """Radii from the axis to ``end`` [m], refined towards every one at which the material changes."""
    step = np.linspace(0, 1, _CELLS_PER_RING + 1)[1:]
    towards_end, towards_start = 1 - (1 - step) ** 2, step**2
    towards_both = np.where(step < 0.5, 2 * step**2, 1 - 2 * (1 - step) ** 2)
    edges = [np.zeros(1)]
    for number, (start, stop) in enumerate(pairwise([0.0, *radii, end])):
        grading = towards_end if number == 0 else towards_start if stop == end else towards_both
        edges.append(start + (stop - start) * grading)
    return np.concatenate(edges)


def _slab(below: Array | None, *, edge: Array, conductivity: Array, thickness: float) -> Array:
    """Admittance matrix [W/K] of the rings of a slab's upper face; below it ``below``, or None: one temperature."""
    area = np.pi * np.diff(edge**2)
    centre, wall = np.sqrt((edge[1:] ** 2 + edge[:-1] ** 2) / 2), edge[1:-1]
    inner_half = np.log(wall / centre[:-1]) / conductivity[:-1]
    outer_half = np.log(centre[1:] / wall) / conductivity[1:]
    link = 2 * np.pi / (inner_half + outer_half)
    lateral = np.diag(np.append(link, 0) + np.append(0, link)) - np.diag(link, 1) - np.diag(link, -1)

    weight = np.sqrt(conductivity * area)
    squared, mode = np.linalg.eigh(lateral / np.outer(weight, weight))
    squared[0] = 1e-6  # the even mode does not decay, but the formulas below divide by its rate: 1 per km
    decay = np.sqrt(squared)
    depth = decay * thickness
    own = np.diag(decay / np.tanh(depth))
    shape = weight[:, None] * mode
    if below is not None:
        across = np.diag(decay / np.sinh(np.minimum(depth, 500.0)))
        back = np.linalg.inv(shape)
        own = own - across @ np.linalg.solve(back @ below @ back.T + own, across)
    admittance: Array = shape @ own @ shape.T
    return admittance
