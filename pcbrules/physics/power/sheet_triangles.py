# SPDX-License-Identifier: MIT
"""Steady current in a stack of copper sheets of any shape, on triangles: narrow traces, slanted sides, round cut-outs.

`sheet_grid.py` solves the same on a grid of cells, for wide shapes whose sides run along it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gamma, pi, sin, sqrt
from typing import Any

import numpy as np

from pcbrules.arrays import Real, Whole
from pcbrules.physics.power.conductances import Conductances, potentials
from pcbrules.physics.power.sheet_grid import Contact, Layer
from pcbrules.physics.power.sheet_mesh import Mesh, sheet_mesh
from pcbrules.physics.power.sheet_slits import Polygon
from pcbrules.solver_cache import solved_once
from pcbrules.ties import ordered

ROUND = 8
"""Corners of a round contact."""
PARTS = 30
"""Parts of the side of the square that has the area of the box round all sheets: no triangle is larger."""
DIRECT = 1e-9
"""Resistance from a contact without triangles of its own to the one that covers it. [ohm]"""
_THIRD = np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])
"""Middles of the sides of a triangle, of which each has a third of the area: exact for squares of linear functions."""
_PAIRS = ((1, 2), (2, 0), (0, 1))
_SQUARES = np.array([
    [6, -1, -1, -4, 0, 0], [-1, 6, -1, 0, -4, 0], [-1, -1, 6, 0, 0, -4],
    [-4, 0, 0, 32, 16, 16], [0, -4, 0, 16, 32, 16], [0, 0, -4, 16, 16, 32]]) / 180
"""Means over a triangle of the products of its six functions. [-]"""


@dataclass(frozen=True, slots=True)
class TriangleFlow:
    """Solved flow.

    Attributes
    ----------
    terminals, entering, links, loss, barrels
        As of `sheet_grid.GridFlow`.
    meshes : tuple of Mesh
        By layer.
    volts : tuple of ndarray, shape (triangles, 6)
        Potentials of corners, and of the middles of the sides that face them; not a number where none is known. [V]
    square : tuple of float
        Sheet resistance by layer. [ohm]
    """

    terminals: Real
    entering: Real
    links: Real
    loss: float
    barrels: float
    meshes: tuple[Mesh, ...]
    volts: tuple[Real, ...]
    square: tuple[float, ...]

    def at(self, layer: int, x: Real, y: Real) -> Real:
        """Potential of a layer at places, shape (n,) [V]; not a number outside of its copper."""
        mesh = self.meshes[layer]
        of = mesh.find(x, y)
        found = (self.volts[layer][of] * _shapes(_weights(mesh, of, np.column_stack([x, y])))).sum(axis=1)
        return np.where(of >= 0, found, np.nan)

    def density(self, layer: int, x: Real, y: Real) -> tuple[Real, Real]:
        """Current per width in x and in y at places of a layer, shape (n,); not a number outside of copper. [A/m]"""
        of = self.meshes[layer].find(x, y)
        there = slopes(self.meshes[layer], of, np.column_stack([x, y]))
        slope = -np.einsum("nk,nkd->nd", self.volts[layer][of], there)
        slope = np.where((of >= 0)[:, None], slope, np.nan) / self.square[layer]
        return slope[:, 0], slope[:, 1]


def solve_triangles(
    *,
    layers: Sequence[Layer],
    terminals: Sequence[Contact | None],
    links: Sequence[tuple[int, int, float]] = (),
    held: Sequence[int] = (),
    entering: Mapping[int, float],
    order: int = 2,
) -> TriangleFlow:
    r"""Flow in a stack of sheets: finite elements for :math:`\nabla\cdot(\nabla V / R_\square) = 0`.

    Parameters
    ----------
    layers, terminals, links, held, entering
        As of `sheet_grid.solve_grid`; a layer has no field of holes.
    order : int
        1 for potentials that are linear in each triangle, 2 for quadratic ones.

    Raises
    ------
    ValueError
        A contact lies outside of the copper, current has no way to or from a contact, or there are too many corners.

    Notes
    -----
    Source: O. C. Zienkiewicz, R. L. Taylor, *The Finite Element Method*, vol. 1, chapters 3 and 8. A round contact is a
    regular polygon with the logarithmic capacity of the circle (G. Pólya, G. Szegö, *Isoperimetric Inequalities*, 1951,
    table of regular polygons), so far from it the field is that of the circle.

    Examples
    --------
    >>> strip = Layer((((0, 0), (0.06, 0), (0.06, 0.02), (0, 0.02)),), 1e-3)
    >>> ends = [Contact(0, (0.5e-3, 0.01), (1e-3, 0.02)), Contact(0, (0.0595, 0.01), (1e-3, 0.02))]
    >>> flow = solve_triangles(layers=[strip], terminals=ends, held=[0], entering={1: -1.0})
    >>> f"{-flow.terminals[1] * 1e3:.2f} mV over 58 mm / 20 mm"
    '2.90 mV over 58 mm / 20 mm'
    """
    meshes = sheet_meshes(tuple(layers), tuple(terminals))
    net = Conductances()
    count, numbers, extra = len(terminals), [], []
    for layer, mesh in enumerate(meshes):
        own = [at for at, one in enumerate(terminals) if one is not None and one.layer == layer]
        nodes, count = _nodes(mesh, count, own, terminals, order)
        extra += _covered(mesh, nodes, own, terminals)
        net.blocks(nodes, _stiffness(mesh, order) / layers[layer].square)
        for at in own:
            spread = _spread(mesh, nodes, own.index(at), at, terminals)
            if spread is not None:
                net.add(*spread)
        numbers.append(nodes)
    for one, other, ohms in (*links, *extra):
        net.add(np.array([one]), np.array([other]), np.array([1 / ohms]))
    matrix = net.matrix(count)
    current = np.zeros(count)
    for at, amount in entering.items():
        current[at] += amount
    voltage, idle = potentials(matrix, current, np.array(held, dtype=np.int64))
    voltage[idle] = np.nan
    into = np.nan_to_num(matrix @ np.nan_to_num(voltage))[: len(terminals)]
    own_volts = voltage[: len(terminals)]
    ends = np.array([link[:2] for link in links], dtype=np.int64).reshape(-1, 2)
    barrels = np.array([link[2] for link in links])
    flows = (own_volts[ends[:, 0]] - own_volts[ends[:, 1]]) / barrels
    volts = []
    for mesh, nodes in zip(meshes, numbers, strict=True):
        six = np.full((len(mesh.corners), 6), np.nan)
        found = voltage[nodes]
        if order == 1:
            found = np.hstack([found, *((found[:, [a]] + found[:, [b]]) / 2 for a, b in _PAIRS)])
        six[mesh.copper] = found
        volts.append(six)
    return TriangleFlow(own_volts, into, flows, float(np.nansum(own_volts * into)), float(flows**2 @ barrels), meshes,
                        tuple(volts), tuple(layer.square for layer in layers))


def sheet_matrices(layer: Layer, contacts: Sequence[Contact]) -> tuple[Any, Any]:
    """Conductances of a sheet of one ohm a square [S], and integrals of the products of its quadratic functions [m2].

    Parameters
    ----------
    layer : Layer
    contacts : sequence of Contact
        Each of one potential; their numbers are the first of the rows.

    Returns
    -------
    tuple of two sparse matrices, shape (n, n)

    Raises
    ------
    ValueError
        A contact lies outside of the copper, or there are too many corners.
    """
    mesh, = sheet_meshes((layer,), tuple(contacts))
    nodes, count = _nodes(mesh, len(contacts), range(len(contacts)), contacts, 2)
    net, area = Conductances(), Conductances()
    net.blocks(nodes, _stiffness(mesh, 2))
    for one, other, ohms in _covered(mesh, nodes, range(len(contacts)), contacts):
        net.add(np.array([one]), np.array([other]), np.array([1 / ohms]))
    size = _areas(mesh.points[mesh.corners[mesh.copper]])
    area.blocks(nodes, _SQUARES * size[:, None, None])
    return net.matrix(count), area.matrix(count)


@solved_once
def sheet_meshes(layers: tuple[Layer, ...], terminals: tuple[Contact | None, ...]) -> tuple[Mesh, ...]:
    """The triangles of each layer."""
    corners = np.array([at for layer in layers for shape in layer.shapes for at in shape])
    largest = sqrt(float(np.prod(np.ptp(corners, axis=0)))) / PARTS
    return tuple(sheet_mesh(
        shapes=layer.shapes, cutouts=layer.cutouts, largest=largest,
        contacts=tuple(_outline(one) for one in terminals if one is not None and one.layer == number),
    ) for number, layer in enumerate(layers))


def _outline(contact: Contact) -> Polygon:
    x, y = contact.place
    if len(contact.size) == 2:
        wide, high = (side / 2 for side in contact.size)
        return (x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)
    side = gamma(1 / ROUND) / (2 ** (1 + 2 / ROUND) * sqrt(pi) * gamma(1 / 2 + 1 / ROUND)) * 2 * sin(pi / ROUND)
    turn = 2 * pi * (np.arange(ROUND) + 0.5) / ROUND
    radius = contact.size[0] / 2 / side
    return tuple(zip((x + radius * np.cos(turn)).tolist(), (y + radius * np.sin(turn)).tolist(), strict=True))


def _nodes(
    mesh: Mesh, count: int, own: Sequence[int], terminals: Sequence[Contact | None], order: int
) -> tuple[Whole, int]:
    """Numbers of the nodes of each triangle of copper, shape (n, 3 or 6), and the next free number.

    Nodes under a contact of one potential are its terminal.
    """
    corners = mesh.corners[mesh.copper]
    if order == 2:
        sides = np.stack([np.sort(corners[:, pair], axis=1) for pair in map(list, _PAIRS)], axis=1).reshape(-1, 2)
        _, number = np.unique(sides[:, 0] << 32 | sides[:, 1], return_inverse=True)
        corners = np.hstack([corners, number.reshape(-1, 3) + len(mesh.points)])
    used, nodes = np.unique(corners, return_inverse=True)
    nodes = nodes.reshape(corners.shape)
    final = np.full(len(used), -1)
    under = mesh.under[mesh.copper]
    sizes = [float(np.prod(one.size)) for at in own if (one := terminals[at]) is not None]
    for at in ordered(range(len(sizes)), key=lambda k: -sizes[k]):  # of contacts that share a node the smallest has it
        one = terminals[own[at]]
        if one is not None and not one.resistance:
            final[nodes[under == at]] = own[at]
    free = final < 0
    final[free] = count + np.arange(int(free.sum()))
    return final[nodes], count + int(free.sum())


def _covered(
    mesh: Mesh, nodes: Whole, own: Sequence[int], terminals: Sequence[Contact | None]
) -> list[tuple[int, int, float]]:
    """Links from contacts that have no node to what covers their middle."""
    found = []
    present = set(np.unique(nodes[nodes < len(terminals)]).tolist())
    place = np.cumsum(mesh.copper) - 1
    for at in own:
        one = terminals[at]
        if one is None or one.resistance or at in present:
            continue
        x, y = one.place
        of = int(mesh.find(np.array([x]), np.array([y]))[0])
        if of < 0:
            raise ValueError("a contact lies outside of the copper")
        found.append((at, int(nodes[place[of]][0]), DIRECT))
    return found


def _spread(
    mesh: Mesh, nodes: Whole, number: int, at: int, terminals: Sequence[Contact | None]
) -> tuple[Whole, Whole, Real] | None:
    """Branches from a terminal to the nodes under its contact, evenly over its area; None for one potential."""
    one = terminals[at]
    if one is None or not one.resistance:
        return None
    mine = mesh.under[mesh.copper] == number
    if not mine.any():
        raise ValueError("a contact lies outside of the copper")
    area = np.repeat(_areas(mesh.points[mesh.corners[mesh.copper][mine]])[:, None] / 3, 3, axis=1)
    share = area.ravel() / area.sum()
    ends = nodes[mine][:, -3:].ravel()
    return ends, np.full(len(ends), at), share / one.resistance


def middles(mesh: Mesh, some: Whole) -> tuple[Real, Real, Real]:
    """Middles x, y [m] and areas [m2] of some triangles."""
    corners = mesh.points[mesh.corners[some]]
    x, y = corners.mean(axis=1).T
    return x, y, _areas(corners)


def _areas(corners: Real) -> Real:
    """Areas of triangles, shape (n, 3, 2)."""
    (a, b), (c, d) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    return np.asarray(np.abs(a * d - b * c) / 2)


def _gradients(corners: Real) -> Real:
    """Gradients of the weights of corners, shape (n, 3, 2), of triangles, shape (n, 3, 2)."""
    sides = np.stack([corners[:, b] - corners[:, a] for a, b in _PAIRS], axis=1)
    (a, b), (c, d) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    twice = a * d - b * c
    return np.asarray(np.stack([-sides[..., 1], sides[..., 0]], axis=-1) / twice[:, None, None])


def _stiffness(mesh: Mesh, order: int) -> Real:
    """Conductances of the triangles of copper at one ohm a square, shape (n, 3 or 6, same). [S]"""
    corners = mesh.points[mesh.corners[mesh.copper]]
    area, own = _areas(corners), _gradients(corners)
    if order == 1:
        return np.asarray(np.einsum("nid,njd->nij", own, own) * area[:, None, None])
    total = np.zeros((len(corners), 6, 6))
    for share in _THIRD:
        slope = _six(own, np.broadcast_to(share, (len(corners), 3)))
        total += np.einsum("nid,njd->nij", slope, slope) * (area / 3)[:, None, None]
    return total


def _six(own: Real, share: Real) -> Real:
    """Slopes of the six functions, shape (n, 6, 2), where the corners have weights, shape (n, 3)."""
    ends = (4 * share - 1)[:, :, None] * own
    middles = [4 * (share[:, [a]] * own[:, b] + share[:, [b]] * own[:, a]) for a, b in _PAIRS]
    return np.concatenate([ends, np.stack(middles, axis=1)], axis=1)


def slopes(mesh: Mesh, of: Whole, places: Real) -> Real:
    """Slopes of the six functions of some triangles at places in them, shape (n, 6, 2). [1/m]"""
    return _six(_gradients(mesh.points[mesh.corners[of]]), _weights(mesh, of, places))


def _shapes(share: Real) -> Real:
    """The six functions, shape (n, 6), at weights of the corners."""
    return np.hstack([share * (2 * share - 1), *(4 * share[:, [a]] * share[:, [b]] for a, b in _PAIRS)])


def _weights(mesh: Mesh, of: Whole, places: Real) -> Real:
    """Weights of the corners of some triangles at places, shape (n, 3)."""
    corners = mesh.points[mesh.corners[of]]
    own = _gradients(corners)
    return np.asarray(1 / 3 + np.einsum("nkd,nd->nk", own, places - corners.mean(axis=1)))
