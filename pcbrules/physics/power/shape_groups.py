# SPDX-License-Identifier: MIT
"""Impedance of a pair of planes of any outline between groups of vias: finite elements in place of cosines.

What `plane_groups` gives for a rectangle. The sum over all modes without shunt admittance is one solution of steady
current for each via; what a frequency adds is in the lowest modes and in the mean square of those solutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.physics.common.extremes import rising
from pcbrules.physics.power.plane_groups import APART, SAME, PlaneGroups, group_members
from pcbrules.physics.power.sheet_grid import Contact, Layer
from pcbrules.physics.power.sheet_slits import Polygon
from pcbrules.physics.power.sheet_triangles import sheet_matrices

MODES = 24
"""Modes that are taken one by one. The first of planes of 100 mm is at 0.7 GHz, these reach about five times as far."""
SHIFT = 0.1
"""Of the squared wave number of the box of the planes: modes are sought from below zero on. [-]"""


def shape_groups(
    *, shapes: Sequence[Polygon], cutouts: Sequence[Polygon] = (), groups: Sequence[ArrayLike]
) -> PlaneGroups:
    """The part of the impedance of groups of vias that outline and places decide.

    Parameters
    ----------
    shapes, cutouts : sequence of polygon
        The planes lie in the shapes and not in the cut-outs, in one piece. [m]
    groups : sequence of ndarray, shape (n, 3) or (n, 4)
        As of `plane_groups`.

    Returns
    -------
    PlaneGroups
        As of `plane_groups`.

    Raises
    ------
    ValueError
        No group, a group without a via, a via beyond the edge, or planes of several pieces or of too many corners.

    Notes
    -----
    Source: O. C. Zienkiewicz, R. L. Taylor, *The Finite Element Method*, vol. 1, chapters 3 and 8; quadratic triangles.

    Examples
    --------
    >>> square = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
    >>> pair = [[[0.045, 0.05, 0.25e-3]], [[0.055, 0.05, 0.25e-3]]]
    >>> n = shape_groups(shapes=[square], groups=pair).squares
    >>> f"{n[0, 0] + n[1, 1] - 2 * n[0, 1]:.1f} squares"
    '1.4 squares'
    """
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import eigsh, splu

    tables = [group_members(one) for one in groups]
    if not tables:
        raise ValueError("no group of vias")
    vias = np.concatenate(tables)
    _, first, own = np.unique(np.round(vias[:, :2] / SAME), axis=0, return_index=True, return_inverse=True)
    own = own.ravel()
    contacts = [Contact(0, (x, y), (size,)) for x, y, size in vias[first, :3].tolist()]
    stiff, mass = sheet_matrices(Layer(tuple(shapes), 1.0, tuple(cutouts)), contacts)
    if connected_components(stiff, directed=False)[0] > 1:
        raise ValueError("the planes fall into parts that do not touch")
    weight = np.asarray(mass.sum(axis=1)).ravel()
    area, count = float(weight.sum()), len(contacts)
    drive = np.repeat(-weight[:, None] / area, count, axis=1)
    drive[np.arange(count), np.arange(count)] += 1.0
    volts = np.zeros_like(drive)
    volts[1:] = splu(stiff[1:, 1:].tocsc()).solve(drive[1:])
    volts -= weight @ volts / area
    side = float(np.ptp(np.array([at for shape in shapes for at in shape]), axis=0).max())
    wave, modes = eigsh(stiff, MODES + 1, mass, sigma=-SHIFT * (pi / side) ** 2, v0=np.ones(len(weight)))
    order = rising(wave)[1:]  # the first is the uniform one
    wave, modes = wave[order], modes[:count, order].T

    part = np.zeros((count, len(tables)))
    np.add.at(part, (own, np.repeat(np.arange(len(tables)), [len(one) for one in tables])), vias[:, 3])
    share = modes @ part
    squares = part.T @ volts[:count] @ part
    second = part.T @ (volts.T @ (mass @ volts)) @ part
    rest = second - (share / wave[:, None] ** 2).T @ share
    squares += APART * np.eye(len(tables))
    squares, rest = ((one + one.T) / 2 for one in (squares, rest))
    return PlaneGroups(squares, rest, wave, share, 0.0, np.ones(len(tables)), area)
