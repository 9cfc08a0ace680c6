# SPDX-License-Identifier: MIT
"""Heat in round slabs on one axis: exact along the axis, finite volumes along the radius.

The method of lines: every slab obeys ``M T'' = L T`` along the axis, with the axial conductances ``M`` of its rings
and the radial ones ``L`` between them. Its eigenvectors carry an admittance from one face of the slab to the other.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pcbrules.arrays import Real

CELLS_PER_ZONE = 20
"""Rings between two radii at which something changes: 0.05 % from the limit of many."""
NEAREST = 1e-4
"""Least width of a zone over the outer radius: narrower rings lose the digits of the others."""


class Slab(NamedTuple):
    """Admittances [W/K] of a slab: of the rings of one face, and to the rings of the other."""

    own: Real
    across: Real


def ring_edges(*, radii: list[float], end: float) -> Real:
    """Radii of the rings, refined towards every radius at which something changes.

    Parameters
    ----------
    radii : list of float
        Radii at which material or load changes, rising, above zero and not above ``end``. One that lies within
        ``NEAREST`` of ``end`` beside the last one, the axis or ``end`` gets no rings of its own. [m]
    end : float
        Outer radius. [m]

    Returns
    -------
    ndarray, shape (1 + CELLS_PER_ZONE * zones,)
        Edges from the axis to ``end``. [m]
    """
    step = np.linspace(0, 1, CELLS_PER_ZONE + 1)[1:]
    towards_end, towards_start = 1 - (1 - step) ** 2, step**2
    towards_both = np.where(step < 0.5, 2 * step**2, 1 - 2 * (1 - step) ** 2)
    kept = [0.0]
    for radius in radii:
        if radius - kept[-1] > NEAREST * end and end - radius > NEAREST * end:
            kept.append(radius)
    edges = [np.zeros(1)]
    for number, (start, stop) in enumerate(pairwise([*kept, end])):
        grading = towards_end if number == 0 else towards_start if stop == end else towards_both
        edges.append(start + (stop - start) * grading)
    return np.concatenate(edges)


def ring_areas(*, edge: Real) -> Real:
    """Area of each ring [m^2] between the radii ``edge`` [m]."""
    areas: Real = np.pi * np.diff(edge**2)
    return areas


def ring_centres(*, edge: Real) -> Real:
    """Radius that halves the area of each ring [m], for the radii ``edge`` [m]."""
    centres: Real = np.sqrt((edge[1:] ** 2 + edge[:-1] ** 2) / 2)
    return centres


def slab(*, edge: Real, radial: Real, axial: Real, thickness: float) -> Slab:
    """Admittances of one slab whose rim passes no heat.

    Parameters
    ----------
    edge : ndarray, shape (n + 1,)
        Radii of the rings. [m]
    radial, axial : ndarray, shape (n,)
        Thermal conductivity of the rings along the radius and along the axis. [W/(m K)]
    thickness : float
        [m]

    Returns
    -------
    Slab
        Two symmetric matrices of shape (n, n): the heat into one face is ``own @ T_here - across @ T_there``. [W/K]
    """
    centre, wall = ring_centres(edge=edge), edge[1:-1]
    inner_half = np.log(wall / centre[:-1]) / radial[:-1]
    outer_half = np.log(centre[1:] / wall) / radial[1:]
    link = 2 * np.pi / (inner_half + outer_half)
    lateral = np.diag(np.append(link, 0) + np.append(0, link)) - np.diag(link, 1) - np.diag(link, -1)

    weight = np.sqrt(axial * ring_areas(edge=edge))
    squared, mode = np.linalg.eigh(lateral / np.outer(weight, weight))
    squared[0] = 1e-6  # the even mode does not decay, but the formulas below divide by its rate: 1 per km
    decay = np.sqrt(squared)
    depth = decay * thickness
    shape = weight[:, None] * mode
    own: Real = (shape * (decay / np.tanh(depth))) @ shape.T
    across: Real = (shape * (decay / np.sinh(np.minimum(depth, 500.0)))) @ shape.T
    return Slab(own, across)
