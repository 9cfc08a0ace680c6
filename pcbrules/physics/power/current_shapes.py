# SPDX-License-Identifier: MIT
r"""How the current of a group of vias divides among them: a few distributions that hold what matters.

The vias of a group are gathered into cells of equal currents, narrow at the rim of the group where the current crowds.
Between planes without loss the division is that of least magnetic energy. It is found on the cells for several cases:
all groups beside the port at once, then each of them alone. Of these distributions each group keeps the ones that
differ, orthogonal in the energy of equal series elements. A network solved in their span has, by Thomson's theorem, an
inductance from above, with an error of second order in what the span leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_greatest, first_least, rising
from pcbrules.physics.power.plane_groups import PlaneGroups

KEPT = 0.15
"""Root mean square of a difference, over an equal division, from which a distribution is kept. [-]"""


def via_cells(vias: Real, *, most: int) -> list[NDArray[np.intp]]:
    """Neighbouring vias together: bands along x, each cut along y, with fewer vias towards the rim.

    Parameters
    ----------
    vias : ndarray, shape (n, 2 or more)
        x and y first. [m]
    most : int
        About how many cells; no more than there are vias. [-]

    Returns
    -------
    list of ndarray of int
        Places of the vias of every cell, none empty, each via once.
    """
    if len(vias) <= most:
        return [np.array([i]) for i in range(len(vias))]
    spread = np.ptp(vias[:, :2], axis=0)
    if spread.min() < 1e-9 * spread.max():  # a row
        return _bands(rising(vias[:, first_greatest(spread)]), most)
    first = first_least(spread)
    count = max(1, round(np.sqrt(most * spread.min() / spread.max())))
    cells: list[NDArray[np.intp]] = []
    for band in _bands(rising(vias[:, first]), count):
        cells += _bands(band[rising(vias[band, 1 - first])], most // count)
    return cells


def current_shapes(
    groups: PlaneGroups, *, owner: NDArray[np.intp], count: NDArray[np.intp], series: Sequence[Real]
) -> list[Real]:
    """Distributions of every group over its cells.

    Parameters
    ----------
    groups : PlaneGroups
        With the cells as its groups, those of group 0, the port, first.
    owner : ndarray of int, shape (c,)
        Group of every cell.
    count : ndarray of int, shape (c,)
        Vias in every cell.
    series : sequence of ndarray, shape (g,)
        Inductance in series with one via of every group over that of a square of the planes. All groups beside the port
        together are taken with each of these, and each of them alone with the first. [-]

    Returns
    -------
    list of ndarray, shape (c, k)
        One table for each group: columns with zeros outside of the group, the first an equal division; orthonormal with
        the weight 1 / count, so that n equal elements in series with n vias are one such element in series with each.
    """
    number = int(owner.max()) + 1
    everyone = list(range(1, number))
    cases = [(everyone, each) for each in series]
    cases += [([one], series[0]) for one in everyone] if len(everyone) > 1 else []
    currents = [_division(groups.squares, owner, count, live, each) for live, each in cases]
    return [_kept(np.flatnonzero(owner == one), count, currents) for one in range(number)]


def _bands(order: NDArray[np.intp], count: int) -> list[NDArray[np.intp]]:
    """An ordered row in pieces, as long as the steps of a cosine: short at both ends."""
    count = min(count, len(order))
    cuts = np.round((1 - np.cos(np.pi * np.arange(count + 1) / count)) / 2 * len(order)).astype(int)
    for k in range(1, count):  # no piece is empty
        cuts[k] = min(max(cuts[k], cuts[k - 1] + 1), len(order) - (count - k))
    return [order[a:b] for a, b in pairwise(cuts)]


def _division(
    squares: Real, owner: NDArray[np.intp], count: NDArray[np.intp], live: list[int], series: Real
) -> Real:
    """Currents of the cells for one ampere from the tied port to some groups, least energy."""
    some = np.flatnonzero(np.isin(owner, [0, *live]))
    size, tied = len(some), owner[some] == 0
    matrix = np.zeros((size + 2, size + 2))
    matrix[:size, :size] = squares[np.ix_(some, some)]
    matrix[range(size), range(size)] += series[owner[some]] / count[some]
    for row, member in ((size, tied), (size + 1, ~tied)):
        matrix[:size, row] = matrix[row, :size] = member
    drive = np.zeros(size + 2)
    drive[size:] = 1.0, -1.0
    current = np.zeros(len(owner))
    current[some] = np.linalg.solve(matrix, drive)[:size]
    return current


def _kept(cells: NDArray[np.intp], count: NDArray[np.intp], currents: list[Real]) -> Real:
    root = np.sqrt(count[cells])
    equal = root / np.sqrt(root @ root)
    columns = [equal]
    found = [each[cells] / each[cells].sum() for each in currents if abs(each[cells].sum()) > 1e-9]
    if found and len(cells) > 1:
        differing = np.array(found).T / root[:, None] * np.sqrt(root @ root)
        differing -= np.outer(equal, equal @ differing)
        shapes, size, _ = np.linalg.svd(differing, full_matrices=False)
        columns += list(shapes.T[size > KEPT])
    table = np.zeros((len(count), len(columns)))
    table[cells] = np.array(columns).T * root[:, None]
    return table
