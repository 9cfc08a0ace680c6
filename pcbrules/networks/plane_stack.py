# SPDX-License-Identifier: MIT
"""Several plane pairs one above the other, joined by the vias of groups, as one network with a port for each group.

Every group of vias meets every pair. Its port is where it comes to the surface: above the first pair or below the last.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pcbrules.arrays import Complex, Flags, Real

AT_ONCE = 64
"""Frequencies in one go: their matrices stay in the processor's cache."""


def rotation(total: Real) -> Real:
    """Coordinates of which only the first holds any of a sum of currents.

    The capacitance of planes is a large impedance to their whole current at low frequency, and to nothing else. In
    these coordinates it stands in one element and takes no digits from the others.

    Parameters
    ----------
    total : ndarray, shape (g,)
        Whole current of every group. [-]

    Returns
    -------
    ndarray, shape (g, g)
        Orthogonal; columns are the new coordinates.
    """
    mirror = total.astype(float).copy()
    mirror[0] += np.copysign(np.linalg.norm(total), total[0])
    return np.asarray(np.eye(len(total)) - 2 * np.outer(mirror, mirror) / (mirror @ mirror))


def stacked_impedance(pairs: Sequence[Complex], between: Sequence[Complex], *, ends: Real, below: Flags) -> Complex:
    """Impedance matrix of the groups at their ports.

    Pair by pair from the last to the first, many frequencies at once.

    Parameters
    ----------
    pairs : sequence of ndarray of complex, shape (n, g, g)
        Impedance matrix of every pair alone, in order of depth, in any coordinates of the currents. [ohm]
    between : sequence of ndarray of complex, shape (n, g, g)
        Of the vias from each pair to the next, in the same coordinates, one less than there are pairs. [ohm]
    ends : ndarray, shape (g, g)
        Rows: the coordinates of one ampere in each group, such as `rotation` gives. [-]
    below : ndarray of bool, shape (g,)
        True for a group whose port is below the last pair.

    Returns
    -------
    ndarray of complex, shape (n, g, g)
        Of the groups themselves. [ohm]

    Raises
    ------
    ValueError
        No pair, or not one step less than there are pairs.
    """
    if not pairs or len(between) != len(pairs) - 1:
        raise ValueError("from each plane pair to the next there is one step")
    pieces = [slice(i, i + AT_ONCE) for i in range(0, len(pairs[0]), AT_ONCE)]
    return np.concatenate([_stacked([z[i] for z in pairs], [z[i] for z in between], ends, below) for i in pieces])


def _stacked(pairs: Sequence[Complex], between: Sequence[Complex], ends: Real, below: Flags) -> Complex:
    under, top = np.flatnonzero(below), np.flatnonzero(~below)
    seen = pairs[-1].copy()
    across = seen @ ends[under].T  # from the ports below to the pair at hand
    deep = ends[under] @ across
    for pair, step in zip(reversed(pairs[:-1]), reversed(between), strict=True):
        seen += pair
        seen += step
        inverse = np.linalg.inv(seen)
        through = pair @ inverse
        if len(under):
            deep -= across.transpose(0, 2, 1) @ inverse @ across
            across = through @ across
        seen = through @ pair
        np.subtract(pair, seen, out=seen)
    result = np.empty_like(seen)
    result[np.ix_(np.arange(len(seen)), top, top)] = ends[top] @ seen @ ends[top].T
    result[np.ix_(np.arange(len(seen)), top, under)] = ends[top] @ across
    result[np.ix_(np.arange(len(seen)), under, top)] = (ends[top] @ across).transpose(0, 2, 1)
    result[np.ix_(np.arange(len(seen)), under, under)] = deep
    return np.asarray((result + result.transpose(0, 2, 1)) / 2)


def loaded_port(network: Complex, *, loads: Complex, port: Real) -> Complex:
    """Impedance into some groups, tied together, while loads hang at others and the rest is open.

    Parameters
    ----------
    network : ndarray of complex, shape (n, g, g)
        From `stacked_impedance`. [ohm]
    loads : ndarray of complex, shape (n, g)
        In series with every group; a group with an infinite load is open. At the groups of the port it is what lies
        between them and the tie. [ohm]
    port : ndarray, shape (g,)
        Current of the port for one ampere in each group; zero at the groups that are none of it. [-]

    Returns
    -------
    ndarray of complex, shape (n,)
        [ohm]
    """
    return np.asarray(1 / (group_currents(network, loads=loads, port=port) @ port))


def group_currents(network: Complex, *, loads: Complex, port: Real) -> Complex:
    """Currents into the board at every group for 1 V at the port; parameters as `loaded_port`.

    Returns
    -------
    ndarray of complex, shape (n, g)
        Zero at open groups. [A]
    """
    live = np.flatnonzero(np.isfinite(loads).all(axis=0))
    matrix = network[:, live][:, :, live]
    place = np.arange(len(live))
    matrix[:, place, place] += loads[:, live]
    drive = np.broadcast_to(port[live, None].astype(complex), (len(matrix), len(live), 1))
    current = np.zeros(network.shape[:2], dtype=complex)
    current[:, live] = np.linalg.solve(matrix, drive)[:, :, 0]
    return current
