# SPDX-License-Identifier: MIT
"""A network of conductances: its sparse matrix, and the potentials of its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # what solves is loaded where it is used: most boards have no copper drawn
    from scipy.sparse import csc_matrix

from pcbrules.arrays import Flags, Real, Whole


class Conductances:
    """Conductances between nodes [S], added one after the other."""

    def __init__(self) -> None:
        self.rows: list[Whole] = []
        self.columns: list[Whole] = []
        self.values: list[Real] = []

    def add(self, one: Whole, other: Whole, conductance: Real) -> None:
        """Add branches between nodes, all shape (n,)."""
        self.rows.extend((one, other, one, other))
        self.columns.extend((one, other, other, one))
        self.values.extend((conductance, conductance, -conductance, -conductance))

    def blocks(self, nodes: Whole, values: Real) -> None:
        """Add matrices, shape (n, k, k), each between its own nodes, shape (n, k)."""
        self.rows.append(np.broadcast_to(nodes[:, :, None], values.shape).ravel())
        self.columns.append(np.broadcast_to(nodes[:, None, :], values.shape).ravel())
        self.values.append(values.ravel())

    def stars(self, ends: Whole, nodes: Whole, weights: Real, resistance: Real) -> None:
        """Add resistances [ohm], shape (n,), from ends to the weighted mean of nodes, shape (n, k); -1 is no node."""
        nodes = np.concatenate((nodes, ends[:, None]), axis=1)
        weights = np.concatenate((-weights, np.ones((len(ends), 1))), axis=1)
        there = (nodes >= 0)[:, :, None] & (nodes >= 0)[:, None, :]
        self.rows.append(np.broadcast_to(nodes[:, :, None], there.shape)[there])
        self.columns.append(np.broadcast_to(nodes[:, None, :], there.shape)[there])
        self.values.append((weights[:, :, None] * weights[:, None, :] / resistance[:, None, None])[there])

    def matrix(self, size: int) -> csc_matrix:
        """Return the sparse matrix of all, shape (size, size)."""
        from scipy.sparse import coo_matrix

        places = np.concatenate(self.rows), np.concatenate(self.columns)
        return coo_matrix((np.concatenate(self.values), places), shape=(size, size)).tocsc()


def potentials(matrix: csc_matrix, current: Real, held: Whole) -> tuple[Real, Flags]:
    """Potentials of nodes into which some current flows [A], those ``held`` at 0 V, and where no current can flow.

    Raises
    ------
    ValueError
        Current has no way from where it enters to where it leaves.
    """
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import splu

    parts, part = connected_components(matrix, directed=False)
    fixed = np.zeros(len(current), bool)
    fixed[held] = True
    grounded = np.zeros(parts, bool)
    grounded[part[held]] = True
    largest = np.bincount(part, np.abs(current), parts)
    busy = largest > 0
    loose = busy & ~grounded
    if (np.abs(np.bincount(part, current, parts))[loose] > 1e-9 * largest[loose]).any() or np.count_nonzero(loose) > 1:
        raise ValueError("the copper between sources and loads falls into parts that do not touch")
    idle = ~(busy | grounded)[part]
    for one in np.flatnonzero(loose):
        fixed[np.flatnonzero(part == one)[0]] = True
    free = np.flatnonzero(~fixed & ~idle)
    voltage = np.zeros(len(current))
    factors = splu(matrix[free][:, free], permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                   options={"SymmetricMode": True})
    voltage[free] = factors.solve(current[free])
    return voltage, idle
