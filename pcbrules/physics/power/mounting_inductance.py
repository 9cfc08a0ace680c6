# SPDX-License-Identifier: MIT
r"""Loop inductance of a capacitor on two vias over a plane, by the magnetic scalar potential.

Round a loop of perfect conductors :math:`H = -\nabla\varphi`, with a jump of the loop current across the window between
the vias. A quarter is enough: on the plane of the vias the potential is one half inside the window and zero outside,
and every other face lets no flux through. So :math:`L = \mu_0 G` with G the conductance [m] between window and
outside of that quarter of space. It is solved in finite volumes with cut cells at the round vias.

The parts that a closed form adds up do not exist apart: the vias are short beside their distance, and the part shields
them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pcbrules.arrays import Real
from pcbrules.constants import MU_0
from pcbrules.physics.common.card import FormulaCard
from pcbrules.solver_cache import solved_once


class Cells(NamedTuple):
    """Grid of a loop.

    ``finest`` is the cell at an edge as a part of the smallest gap between two edges on an axis, ``growth`` the ratio
    of neighbouring cells, ``reach`` the distance of the outer faces as a multiple of the largest dimension of the loop.
    """

    finest: float
    growth: float
    reach: float


FINE = Cells(0.15, 1.4, 12.0)
COARSE = Cells(0.2, 1.6, 10.0)
"""A quarter of the time; from -0.5 to +0.4 % of the fine grid on parts from 0201 to 7343."""


@FormulaCard(
    gives="H",
    valid={
        "height": (50e-6, 3e-3),
        "spacing": (0.3e-3, 8e-3),
        "diameter": (0.1e-3, 0.6e-3),
        "length": (0.3e-3, 10e-3),
        "width": (0.1e-3, 6e-3),
        "thickness": (0.05e-3, 4e-3),
    },
    ratios={("spacing", "diameter"): (1.05, float("inf"))},
    source="Ampere's law with a magnetic scalar potential (Jackson, Classical Electrodynamics, sec. 5.9), solved anew",
    accuracy="0.8 % low at most against 3-D finite elements (ML01 to ML04); 0.4 % with cells of half the size",
)
def mounted_loop_inductance(
    *,
    height: float,
    spacing: float,
    diameter: float,
    length: float,
    width: float,
    thickness: float,
    arms: tuple[float, float, float] | None = None,
    cells: Cells = FINE,
) -> float:
    """External loop inductance of a bar on two round vias over a wide plane, perfect conductors.

    Parameters
    ----------
    height : float
        From the plane to the lower face of the bar: the length of the vias. [m]
    spacing : float
        Distance of the axes of the vias, larger than their diameter. [m]
    diameter : float
        Of the vias. [m]
    length, width, thickness : float
        Of the bar that carries the current, vias under its centre line. [m]
    arms : tuple of float, optional
        Length from end to end, width and thickness of a second bar at the same height and centre: the pads beside a
        body that is shorter than the vias are apart. [m]
    cells : Cells
        The grid; the accuracy of the card is that of ``FINE``.

    Returns
    -------
    float
        Inductance. [H]

    Raises
    ------
    ValueError
        A dimension is not above zero, the vias overlap, or they reach beyond the bar.

    Examples
    --------
    >>> loop = mounted_loop_inductance(height=0.5e-3, spacing=1e-3, diameter=0.25e-3, length=1.6e-3, width=0.8e-3,
    ...                                thickness=0.8e-3, cells=COARSE)
    >>> f"{loop * 1e9:.2f} nH"
    '0.49 nH'
    """
    return _solved(height, spacing, diameter, ((length, width, thickness), *((arms,) if arms else ())), cells)


@solved_once
def _solved(
    height: float, spacing: float, diameter: float, bars: tuple[tuple[float, float, float], ...], cells: Cells
) -> float:
    if not min(height, spacing, diameter, *(min(bar) for bar in bars)) > 0:
        raise ValueError("a dimension of the loop is not above zero")
    if spacing <= diameter:
        raise ValueError("the vias overlap")
    if not any(length >= spacing + diameter and width >= diameter for length, width, _ in bars):
        raise ValueError("the vias reach beyond the bar")
    radius = diameter / 2
    ends = [[one / 2 for one in bar[:2]] for bar in bars]
    tops = [height + bar[2] for bar in bars]
    far = cells.reach * max(*(max(end) for end in ends), *tops)
    x = _lines([0.0, spacing / 2 - radius, spacing / 2, spacing / 2 + radius, *(end[0] for end in ends)], far, cells)
    y = _lines([0.0, radius, *(end[1] for end in ends)], far, cells)
    z = _lines([0.0, height, *tops], far, cells)
    faces = (x, y, z)
    openings, cell = _openings(faces, height, spacing, radius, bars)
    return float(MU_0) * _conductance(faces, openings, cell, height, spacing / 2)


def _lines(edges: list[float], far: float, cells: Cells) -> Real:
    """Cell faces that meet all edges, fine there and growing away from them; no refinement at zero."""
    some = sorted({round(edge, 12) for edge in edges})
    some = [some[0], *(b for a, b in pairwise(some) if b - a > 1e-9)]
    gaps = np.diff(some)
    lines = [some[0]]
    for at in range(len(gaps)):
        least = cells.finest * min(gaps[max(at - 1, 0) : at + 2])
        lines += _between(lines[-1], some[at + 1], least, cells.growth, both=at > 0)
    step = cells.finest * gaps[-1]
    while lines[-1] < far:
        lines.append(lines[-1] + step)
        step *= cells.growth
    return np.array(lines)


def _between(start: float, end: float, least: float, growth: float, *, both: bool) -> list[float]:
    """Faces from start (left out) to end; fine at the end, and at the start too where it is an edge."""
    gap = end - start
    sizes: list[float] = []
    size = least
    span = gap / 2 if both else gap
    while sum(sizes) + size < span:
        sizes.append(size)
        size *= growth
    sizes = sizes or [span]
    sizes = [one * span / sum(sizes) for one in sizes]
    order = [*sizes, *sizes[::-1]] if both else sizes[::-1]
    faces = start + np.cumsum(order)
    faces[-1] = end
    return [float(one) for one in faces]


def _openings(
    faces: tuple[Real, Real, Real],
    height: float,
    spacing: float,
    radius: float,
    bars: tuple[tuple[float, float, float], ...],
) -> tuple[tuple[Real, Real, Real], Real]:
    """Open part of every face across x, y and z, and of every cell; inner faces only."""
    x, y, _ = faces
    cx, cy, cz = ((one[1:] + one[:-1]) / 2 for one in faces)
    cell = np.ones((len(cx), len(cy), len(cz)))
    for length, width, thickness in bars:
        above = (cz > height) & (cz < height + thickness)
        cell[np.ix_(cx < length / 2, cy < width / 2, above)] = 0.0
    low = (cz < height)[None, None, :]

    def chord(place: Real) -> Real:
        return np.sqrt(np.maximum(radius**2 - place**2, 0.0))

    # Across x: the via covers y up to its chord; across y: an interval of x
    reach = chord(x[1:-1] - spacing / 2)
    covered = np.clip(reach[:, None] - y[None, :-1], 0, np.diff(y)[None, :]) / np.diff(y)[None, :]
    across_x = np.minimum(cell[1:], cell[:-1]) * np.where(low, 1 - covered[:, :, None], 1.0)
    half = chord(y[1:-1])
    overlap = np.minimum(x[1:, None], spacing / 2 + half) - np.maximum(x[:-1, None], spacing / 2 - half)
    covered = np.clip(overlap, 0, None) / np.diff(x)[:, None]
    across_y = np.minimum(cell[:, 1:], cell[:, :-1]) * np.where(low, 1 - covered[:, :, None], 1.0)
    # Part of a cell's area inside the via: mean over chords
    fine = (np.arange(16) + 0.5) / 16
    places = x[:-1, None] + np.diff(x)[:, None] * fine
    inside = np.clip(chord(places - spacing / 2)[:, None, :] - y[None, :-1, None], 0, np.diff(y)[None, :, None])
    area = (inside / np.diff(y)[None, :, None]).mean(axis=-1)
    cell = cell * np.where(low, 1 - area[:, :, None], 1.0)
    across_z = np.minimum(cell[:, :, 1:], cell[:, :, :-1])
    return (across_x, across_y, across_z), cell


def _conductance(
    faces: tuple[Real, Real, Real], openings: tuple[Real, Real, Real], cell: Real, height: float, centre: float
) -> float:
    """Flux out of the window for a potential of one across. [m]"""
    x, _, z = faces
    size = [np.diff(one) for one in faces]
    shape = cell.shape
    index = np.arange(cell.size).reshape(shape)
    rows, columns, weights = [], [], []
    for axis, opening in enumerate(openings):
        steps = _along((size[axis][1:] + size[axis][:-1]) / 2, axis)
        first, second = (_along(size[other], other) for other in range(3) if other != axis)
        link: Real = np.asarray(opening * first * second / steps)
        before = np.take(index, range(shape[axis] - 1), axis=axis)
        after = np.take(index, range(1, shape[axis]), axis=axis)
        live = link > 0
        rows.append(before[live])
        columns.append(after[live])
        weights.append(link[live])
    row, column, weight = (np.concatenate(some) for some in (rows, columns, weights))
    face = cell[:, 0, :] * size[0][:, None] * size[2][None, :] / (size[1][0] / 2)
    cx, cz = (x[1:] + x[:-1]) / 2, (z[1:] + z[:-1]) / 2
    window = (cx < centre)[:, None] & (cz < height)[None, :]
    ground = np.zeros(shape)
    ground[:, 0, :] = face
    total = np.bincount(row, weight, cell.size) + np.bincount(column, weight, cell.size) + ground.ravel()
    diagonal = np.where(total > 0, total, 1.0)
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import LinearOperator, cg

    links = csr_array((weight, (row, column)), shape=(cell.size, cell.size))
    matrix = diags_array(diagonal) - links - links.T
    drive = np.zeros(shape)
    drive[:, 0, :] = face * window
    scale = LinearOperator(matrix.shape, matvec=lambda v: v / diagonal)
    potential, left = cg(matrix, drive.ravel(), rtol=1e-6, maxiter=20_000, M=scale)
    if left:
        raise ValueError("the field of the loop did not converge")
    inner = potential.reshape(shape)[:, 0, :]
    return float(np.sum((face * window) * (1 - inner)))


def _along(values: Real, axis: int) -> Real:
    """The values along one of three axes."""
    return values.reshape([-1 if k == axis else 1 for k in range(3)])
