# SPDX-License-Identifier: MIT
"""Capacitance of a cross-section by finite elements: another method than the product's, for tests alone.

Quadrilaterals of order ``p`` (scikit-fem) on a grid that follows every side and shrinks towards every corner; unknowns
inside a cell are eliminated cell by cell. An open domain ends far away, with no field across its border. The energy is
right to the square of the field's error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from grid import Grading, grid
from numpy.typing import NDArray
from scipy.constants import epsilon_0
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu
from skfem import Basis, ElementQuadP, MeshQuad

from pcbrules.physics.lines.cross_section.section import Polygon, Section

Real = NDArray[np.float64]
Index = NDArray[np.intp]
Truth = NDArray[np.bool_]

ORDER = 5
"""Order of the polynomials: C is right to 1e-5, to 3e-5 with strips of no thickness; 4: to 1e-4; 6: to 2e-6."""

GRADING = Grading()


@dataclass(frozen=True, slots=True)
class Solution:
    """``c``, ``c0`` [F/m] of n signals; of each dielectric, and last of the air, its part of ``c`` [F/m]."""

    c: Real
    c0: Real
    parts: tuple[Real, ...]


def solve(section: Section, *, order: int = ORDER, grading: Grading = GRADING) -> Solution:
    """Capacitance matrices of a section by finite elements."""
    section = _snapped(section)
    mesh = grid(section, grading)
    centres = mesh.p[:, mesh.t].mean(axis=1)
    metal = np.full(mesh.nelements, -1)
    conductors = (*section.signals, *section.grounds)
    for k, polygon in enumerate(conductors):
        metal[_inside(polygon, centres)] = k
    region = np.full(mesh.nelements, len(section.dielectrics))
    for k, (polygon, _) in enumerate(section.dielectrics):
        region[_inside(polygon, centres)] = k
    permittivity = np.array([*(dk for _, dk in section.dielectrics), 1.0])[region]

    empty = np.nonzero(metal < 0)[0]
    basis = Basis(mesh, ElementQuadP(order), elements=empty, intorder=2 * order)
    rim = 4 * order
    stiffness = _condensed(basis, rim)
    unknowns = basis.element_dofs[:rim]
    permittivity, region = permittivity[empty], region[empty]

    volts, fixed = _potentials(section, mesh, basis, metal)
    free = np.setdiff1d(np.unique(unknowns), np.nonzero(fixed)[0])

    def potential(weight: Real) -> Real:
        rows = np.repeat(unknowns.T, rim, axis=1).ravel()
        columns = np.tile(unknowns.T, (1, rim)).ravel()
        values = (weight[:, None, None] * stiffness).ravel()
        matrix = coo_array((values, (rows, columns)), shape=(basis.N, basis.N)).tocsr()
        factors = splu(
            matrix[free][:, free].tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
        found = volts.copy()
        found[free] = factors.solve(-(matrix[free] @ volts))
        return found

    def energies(weight: Real, found: Real) -> Real:
        local = found[unknowns]  # (rim, cells, n)
        return epsilon_0 * np.einsum("icm,cij,jcn,c->cmn", local, stiffness, local, weight, optimize=True)

    unit = np.ones(len(empty))
    energy, air = energies(permittivity, potential(permittivity)), energies(unit, potential(unit))
    parts = tuple(energy[region == k].sum(axis=0) for k in range(len(section.dielectrics) + 1))
    return Solution(energy.sum(axis=0), air.sum(axis=0), parts)


def _condensed(basis: Basis, rim: int) -> Real:
    """Stiffness of each cell (cells, rim, rim) for unit permittivity, unknowns inside the cell eliminated."""
    slopes = np.stack([field[0].grad for field in basis.basis])  # (dofs, 2, cells, points)
    slopes = slopes * np.sqrt(basis.dx)
    flat = slopes.transpose(2, 0, 1, 3).reshape(slopes.shape[2], slopes.shape[0], -1)
    full = flat @ flat.transpose(0, 2, 1)
    inner = np.linalg.solve(full[:, rim:, rim:], full[:, rim:, :rim])
    return full[:, :rim, :rim] - full[:, :rim, rim:] @ inner


def _potentials(section: Section, mesh: MeshQuad, basis: Basis, metal: Index) -> tuple[Real, Truth]:
    """Volts (unknowns, n) with each signal at one volt in turn, and which unknowns are given."""
    n = len(section.signals)
    volts, fixed = np.zeros((basis.N, n)), np.zeros(basis.N, dtype=bool)

    def hold(facets: Index, conductor: int) -> None:
        nodes = basis.nodal_dofs[0, np.unique(mesh.facets[:, facets])]
        fixed[nodes] = True
        fixed[basis.facet_dofs[:, facets].ravel()] = True
        if conductor < n:
            volts[nodes, conductor] = 1.0

    y = mesh.p[1][mesh.facets]
    for plane in (section.lower, section.upper):
        if plane is not None:
            hold(np.nonzero((y == plane).all(axis=0))[0], n)
    conductors = (*section.signals, *section.grounds)
    for k, polygon in enumerate(conductors):
        if len(polygon) == 2:
            (x0, level), (x1, _) = sorted(polygon)
            middle = mesh.p[0][mesh.facets].mean(axis=0)
            hold(np.nonzero((y == level).all(axis=0) & (x0 < middle) & (middle < x1))[0], k)
        else:
            hold(np.unique(mesh.t2f[:, metal == k]), k)
    return volts, fixed


def _inside(polygon: Polygon, at: Real) -> Truth:
    """Which points ``at`` (2, k) are inside."""
    x, y = at
    odd = np.zeros(len(x), dtype=bool)
    if len(polygon) < 3:
        return odd
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if y0 == y1:
            continue
        across = (y0 <= y) != (y1 <= y)
        side = x0 if x0 == x1 else x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        odd ^= across & (x < side)
    return odd


def _snapped(section: Section) -> Section:
    """The section on a grid of a part in 10^9 of its size: levels that differ by rounding alone become one."""
    sizes = [abs(value) for polygon in section.signals for point in polygon for value in point]
    step = 1e-9 * 10.0 ** math.ceil(math.log10(max(sizes)))

    def on_grid(value: float) -> float:
        return round(value / step) * step if math.isfinite(value) else value

    def snapped(polygon: Polygon) -> Polygon:
        return tuple((on_grid(x), on_grid(y)) for x, y in polygon)

    return Section(
        signals=tuple(map(snapped, section.signals)),
        grounds=tuple(map(snapped, section.grounds)),
        dielectrics=tuple((snapped(polygon), dk) for polygon, dk in section.dielectrics),
        lower=None if section.lower is None else on_grid(section.lower),
        upper=None if section.upper is None else on_grid(section.upper),
    )
