# SPDX-License-Identifier: MIT
"""Steady current in a stack of copper sheets with thousands of contacts, on a grid of cells.

Grid lines follow the sides of shapes and cut-outs that run along x or y, so these are exact; slanted sides become
stairs, and no current passes from cell to cell over a slit between them, however thin (`sheet_slits.py`).
`sheet.py` solves a few contacts to 1e-5; this file solves a whole rail in a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pcbrules.arrays import Flags, Real, Whole
from pcbrules.physics.power.conductances import Conductances, potentials
from pcbrules.physics.power.sheet_slits import Polygon, between, inside, turned

_SAME = 1e-3  # of a step: grid lines that are one
_MOST = 600_000  # cells
_ROUND = np.exp(2j * np.pi * np.arange(12) / 12)  # points round a small contact
_OWN, _SIDE, _DIAGONAL = np.exp([-np.euler_gamma - 1.5 * np.log(2), np.pi / 2, 2.0]) * [
    1, *np.exp([-np.euler_gamma - 1.5 * np.log(2)] * 2)]
"""Radius round a cell, over its size, at which the potential is the cell's, its neighbour's, the one across the corner
if the cell feeds current into an endless square grid (Peaceman, SPE Journal 18 (1978) 183, and the grid's exact Green
function); of cells further away it is their distance, to 3 %. [-]"""
_FEW = 12  # cells under a round contact: one with fewer is a small one
_WHOLE = 0.999  # of a cell that counts as covered
_TIGHT = 1e-4  # of the sheet: resistance of cells under a wide contact; least one to a small contact [squares]


@dataclass(frozen=True, slots=True)
class Layer:
    """A sheet: copper in ``shapes`` and not in ``cutouts`` [m], its sheet resistance [ohm].

    ``holed`` are regions with a field of holes: polygon, and sheet resistance there over that of the full sheet.
    """

    shapes: tuple[Polygon, ...]
    square: float
    cutouts: tuple[Polygon, ...] = ()
    holed: tuple[tuple[Polygon, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Contact:
    """A place where current enters or leaves a layer: round (``size`` has one diameter) or a rectangle (two sides). [m]

    Without ``resistance`` it is one potential. With it [ohm], many barrels stand evenly on its area, which have that
    resistance together.
    """

    layer: int
    place: tuple[float, float]
    size: tuple[float, ...]
    resistance: float = 0.0


@dataclass(frozen=True, slots=True)
class GridFlow:
    """Solved flow; arrays of a layer have shape (rows, columns).

    Attributes
    ----------
    terminals : ndarray, shape (terminals,)
        Potentials. [V]
    entering : ndarray, shape (terminals,)
        Current that enters at each terminal from outside. [A]
    links : ndarray, shape (links,)
        Current of each link from its first to its second terminal. [A]
    loss, barrels : float
        Power lost in all, and in the links alone. [W]
    x, y : ndarray
        Grid lines. [m]
    potential : tuple of ndarray
        Of the cells of each layer, not a number outside of the copper. [V]
    across, along : tuple of ndarray
        Current from each cell to the next in x, shape (rows, columns - 1), and in y, (rows - 1, columns). [A]
    slit_across, slit_along : tuple of ndarray
        True where a slit lies between two cells, shapes as of ``across`` and ``along``.
    """

    terminals: Real
    entering: Real
    links: Real
    loss: float
    barrels: float
    x: Real
    y: Real
    potential: tuple[Real, ...]
    across: tuple[Real, ...]
    along: tuple[Real, ...]
    slit_across: tuple[Flags, ...]
    slit_along: tuple[Flags, ...]

    def density(self, layer: int) -> tuple[Real, Real]:
        """Current per width in the cells of a layer in x and in y, zero outside of the copper. [A/m]"""
        right, up = self.across[layer], self.along[layer]
        width, height = np.diff(self.x), np.diff(self.y)
        x = (np.pad(right, ((0, 0), (1, 0))) + np.pad(right, ((0, 0), (0, 1)))) / (2 * height[:, None])
        y = (np.pad(up, ((1, 0), (0, 0))) + np.pad(up, ((0, 1), (0, 0)))) / (2 * width[None, :])
        return x, y


    def at(self, layer: int, x: Real, y: Real) -> Real:
        """Potential of a layer at places, shape (n,), between the middles of its cells [V]; these are on its copper."""
        rows, share_y = _between((self.y[1:] + self.y[:-1]) / 2, y[:, None])
        columns, share_x = _between((self.x[1:] + self.x[:-1]) / 2, x[:, None])
        volts = self.potential[layer][rows[:, :, None], columns[:, None, :]]
        weights = np.where(np.isnan(volts), 0.0, share_y[:, 0, :, None] * share_x[:, 0, None, :])
        return np.asarray((np.nan_to_num(volts) * weights).sum(axis=(1, 2)) / weights.sum(axis=(1, 2)))


def solve_grid(
    *,
    layers: Sequence[Layer],
    terminals: Sequence[Contact | None],
    links: Sequence[tuple[int, int, float]] = (),
    held: Sequence[int] = (),
    entering: Mapping[int, float],
    step: float,
) -> GridFlow:
    r"""Flow in a stack of sheets: finite volumes for :math:`\nabla\cdot(\nabla V / R_\square) = 0`.

    Parameters
    ----------
    layers : sequence of Layer
        The sheets.
    terminals : sequence of Contact or None
        Contacts of layers, and nodes without a place (None).
    links : sequence of (int, int, float)
        Barrels between terminals, and their resistance. [ohm]
    held : sequence of int
        Terminals at 0 V.
    entering : mapping of int to float
        Current into other terminals from outside, negative where it leaves. [A]
    step : float
        Largest side of a cell. [m]

    Raises
    ------
    ValueError
        A contact lies outside of the copper, current has no way to or from a contact, or the grid is too large.

    Notes
    -----
    Source: definition (Kirchhoff's laws and Ohm's law in each cell). A contact smaller than a cell has the resistance
    that the cell does not show, ln(r'/r) / 2 pi squares, with r' from the Green function of the grid.

    Examples
    --------
    >>> strip = Layer((((0, 0), (0.06, 0), (0.06, 0.02), (0, 0.02)),), 1e-3)
    >>> ends = [Contact(0, (0.5e-3, 0.01), (1e-3, 0.02)), Contact(0, (0.0595, 0.01), (1e-3, 0.02))]
    >>> flow = solve_grid(layers=[strip], terminals=ends, held=[0], entering={1: -1.0}, step=1e-3)
    >>> f"{-flow.terminals[1] * 1e3:.2f} mV over 58 mm / 20 mm: each contact is one potential over its whole width"
    '2.90 mV over 58 mm / 20 mm: each contact is one potential over its whole width'
    """
    x, y = _lines(layers, terminals, 0, step), _lines(layers, terminals, 1, step)
    if len(x) * len(y) * len(layers) > _MOST:
        raise ValueError("the shapes have too many different edges, or are too large, for the grid")
    middle_x, middle_y = (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2
    width, height = np.diff(x), np.diff(y)
    copper, square = zip(*(_cells(layer, middle_x, middle_y) for layer in layers), strict=True)
    wide = [None if one is None else _under(one, copper[one.layer], x, y) for one in terminals]
    for one, under in zip(terminals, wide, strict=True):
        if one is not None and under is not None and not one.resistance:
            square[one.layer][...] *= np.maximum(1 - _cover(one, x, y), _TIGHT)
    number, count = [], 0
    for flags in copper:
        number.append(np.where(flags, count + np.cumsum(flags).reshape(flags.shape) - 1, -1))
        count += int(flags.sum())
    net = Conductances()
    slits = [(between(layer.shapes, layer.cutouts, x=middle_x, y=middle_y),
              between(*(turned(some) for some in (layer.shapes, layer.cutouts)), x=middle_y, y=middle_x).T)
             for layer in layers]
    passages = []
    for own, rho, slit in zip(number, square, slits, strict=True):
        right, up = _passages(own >= 0, rho, slit, width, height)
        passages.append((right, up))
        net.add(own[:, :-1][right > 0], own[:, 1:][right > 0], right[right > 0])
        net.add(own[:-1][up > 0], own[1:][up > 0], up[up > 0])
    for layer, (own, rho) in enumerate(zip(number, square, strict=True)):
        placed = [(at, one, wide[at]) for at, one in enumerate(terminals) if one is not None and one.layer == layer]
        small = [(at, one) for at, one, under in placed if under is None]
        if small:
            net.stars(np.array([count + at for at, _ in small]), *_small([one for _, one in small], own, rho, x, y))
        for at, one, under in placed:
            if under is not None:
                cells, ohms = _wide(one, under, rho, x, y)
                net.add(own.ravel()[cells], np.full(len(cells), count + at), 1 / ohms)
    ends = np.array([link[:2] for link in links], dtype=np.int64).reshape(-1, 2)
    barrels = np.array([link[2] for link in links])
    net.add(ends[:, 0] + count, ends[:, 1] + count, 1 / barrels)
    size = count + len(terminals)
    matrix = net.matrix(size)
    current = np.zeros(size)
    for at, amount in entering.items():
        current[count + at] += amount
    voltage, idle = potentials(matrix, current, np.array([count + at for at in held], dtype=np.int64))
    voltage[idle] = np.nan
    own_volts = np.append(voltage, np.nan)
    potential = tuple(own_volts[own] for own in number)
    nodes = voltage[count:]
    flows = (nodes[ends[:, 0]] - nodes[ends[:, 1]]) / barrels
    into = np.nan_to_num(matrix @ np.nan_to_num(voltage))[count:]
    return GridFlow(
        nodes, into, flows, float(np.nansum(nodes * into)), float(flows**2 @ barrels), x, y, potential,
        tuple(np.nan_to_num(g * (v[:, :-1] - v[:, 1:])) for v, (g, _) in zip(potential, passages, strict=True)),
        tuple(np.nan_to_num(g * (v[:-1] - v[1:])) for v, (_, g) in zip(potential, passages, strict=True)),
        tuple(one for one, _ in slits), tuple(one for _, one in slits),
    )


def _passages(
    copper: Flags, square: Real, slits: tuple[Flags, Flags], width: Real, height: Real
) -> tuple[Real, Real]:
    """Conductances from cell to cell to the right and upwards, zero beside what is no copper and across slits. [S]"""
    right = 2 * height[:, None] / (square[:, 1:] * width[1:] + square[:, :-1] * width[:-1])
    up = 2 * width / (square[1:] * height[1:, None] + square[:-1] * height[:-1, None])
    return (np.where(copper[:, 1:] & copper[:, :-1] & ~slits[0], right, 0.0),
            np.where(copper[1:] & copper[:-1] & ~slits[1], up, 0.0))


def _lines(layers: Sequence[Layer], terminals: Sequence[Contact | None], axis: int, step: float) -> Real:
    """Grid lines at the ends of every polygon, at its sides along the grid, at rectangular contacts; and between."""
    marks: list[float] = []
    for layer in layers:
        for polygon in (*layer.shapes, *layer.cutouts, *(one for one, _ in layer.holed)):
            places = [corner[axis] for corner in polygon]
            marks += [min(places), max(places)]
            marks += [a for a, b in zip(places, (*places[1:], places[0]), strict=True) if a == b]
    low, high = min(marks), max(marks)
    for one in terminals:
        if one is not None and len(one.size) == 2:
            half = one.size[axis] / 2
            marks += [edge for edge in (one.place[axis] - half, one.place[axis] + half) if low < edge < high]
    kept: list[float] = []
    for mark in sorted(marks):
        if not kept or mark - kept[-1] > _SAME * step:
            kept.append(mark)
    pieces = [np.linspace(a, b, int(np.ceil((b - a) / step * (1 - 1e-9))) + 1)[:-1]
              for a, b in pairwise(kept)]
    return np.concatenate([*pieces, kept[-1:]])


def _cells(layer: Layer, x: Real, y: Real) -> tuple[Flags, Real]:
    """Which cells are copper, and the sheet resistance of each [ohm]."""
    place_x, place_y = x[None, :], y[:, None]
    flags = np.zeros((len(y), len(x)), bool)
    for polygon in layer.shapes:
        flags |= inside(polygon=polygon, x=place_x, y=place_y)
    for polygon in layer.cutouts:
        flags &= ~inside(polygon=polygon, x=place_x, y=place_y)
    square = np.full(flags.shape, layer.square)
    for polygon, ratio in layer.holed:
        square = np.where(inside(polygon=polygon, x=place_x, y=place_y), layer.square * ratio, square)
    return flags, square


def _under(contact: Contact, copper: Flags, x: Real, y: Real) -> Flags | None:
    """Cells under a contact that is wider than a cell: one potential. None for a smaller one."""
    (at_x, at_y), size = contact.place, contact.size
    if not (x[0] <= at_x <= x[-1] and y[0] <= at_y <= y[-1]) or not copper[_cell(x, y, contact.place)]:
        raise ValueError("a contact lies outside of the copper")
    if len(size) == 1 and _steps(x, at_x, size[0]) * _steps(y, at_y, size[0]) <= _FEW:
        return None
    cover = np.where(copper, _cover(contact, x, y), 0.0)
    if np.count_nonzero(cover > 0.5) <= (_FEW if len(size) == 1 else 0):
        return None
    return cover > (0.5 if contact.resistance else _WHOLE)


def _steps(marks: Real, at: float, size: float) -> int:
    """Steps of the grid that a length about a place meets."""
    first, last = marks.searchsorted([at - size / 2, at + size / 2])
    return int(last - first) + 1


def _cover(contact: Contact, x: Real, y: Real) -> Real:
    """Share of each cell that a contact covers; the edge of a round one is straight within a cell. [-]"""
    away_x, away_y = np.abs((x[1:] + x[:-1]) / 2 - contact.place[0]), np.abs((y[1:] + y[:-1]) / 2 - contact.place[1])
    if len(contact.size) == 2:
        within: Flags = (away_x < contact.size[0] / 2) & (away_y < contact.size[1] / 2)[:, None]
        return within.astype(np.float64)
    away = np.maximum(np.hypot(away_x, away_y[:, None]), 1e-9 * contact.size[0])
    depth = (away_x * np.diff(x) + (away_y * np.diff(y))[:, None]) / away  # of a cell, across the edge
    return np.clip((contact.size[0] / 2 - away) / np.maximum(depth, 1e-9 * away) + 0.5, 0.0, 1.0)


def _cell(x: Real, y: Real, place: tuple[float, float]) -> tuple[int, int]:
    """Row and column of the cell at a place."""
    row, column = (int(marks.searchsorted(at, side="right")) - 1 for marks, at in ((y, place[1]), (x, place[0])))
    return min(max(row, 0), len(y) - 2), min(max(column, 0), len(x) - 2)


def _wide(contact: Contact, under: Flags, square: Real, x: Real, y: Real) -> tuple[Whole, Real]:
    """Cells under a wide contact, and the resistance to each [ohm]."""
    area = (np.diff(y)[:, None] * np.diff(x)[None, :]).ravel()
    cells = np.flatnonzero(under)
    spread = contact.resistance * area[cells].sum() / area[cells]
    return cells, spread if contact.resistance else square.ravel()[cells]


def _small(
    contacts: Sequence[Contact], number: Whole, square: Real, x: Real, y: Real
) -> tuple[Whole, Real, Real]:
    """Nodes about small contacts of a layer (-1: none), their weights, and the resistance to them [ohm]."""
    places = np.array([one.place for one in contacts])
    radius = np.array([one.size[0] / 2 if len(one.size) == 1 else np.sqrt(one.size[0] * one.size[1] / np.pi)
                       for one in contacts])
    middle_x, middle_y = (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2
    row, column = zip(*(_cell(x, y, one.place) for one in contacts), strict=True)
    cell = np.hypot(np.diff(x)[list(column)], np.diff(y)[list(row)]) / np.sqrt(2)
    columns, share_x = _between(middle_x, places[:, :1] + radius[:, None] * _ROUND.real)
    rows, share_y = _between(middle_y, places[:, 1:] + radius[:, None] * _ROUND.imag)
    shape = len(contacts), -1
    weights = np.einsum("nmr,nmc->nrc", share_y, share_x).reshape(shape)
    nodes = number[rows[:, :, None], columns[:, None, :]].reshape(shape)
    squares = square[rows[:, :, None], columns[:, None, :]].reshape(shape)
    good = (nodes >= 0) & (weights > 0)
    weights = np.where(good, weights, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    across, along = (
        np.broadcast_to(one, (*one.shape[:1], rows.shape[1], columns.shape[1])).reshape(shape) / cell[:, None]
        for one in (middle_x[columns][:, None, :], middle_y[rows][:, :, None]))
    far = np.hypot(across[:, :, None] - across[:, None, :], along[:, :, None] - along[:, None, :])
    beyond = np.where(far < 1.7, far * _DIAGONAL / np.sqrt(2), far)
    near = np.where(far < 0.5, _OWN, np.where(far < 1.2, far * _SIDE, beyond))
    seen = np.einsum("ni,nij,nj->n", weights, np.log(near * cell[:, None, None]), weights)
    spread = np.maximum((seen - np.log(radius)) / (2 * np.pi), _TIGHT)
    ohms = np.einsum("ni,ni->n", squares, weights) * spread + np.array([one.resistance for one in contacts])
    return np.where(good, nodes, -1), weights, ohms


def _between(middles: Real, place: Real) -> tuple[Whole, Real]:
    """Cells whose middles enclose places, shape (n, m), and the share of each in every place, shape (n, m, cells).

    At an edge the last cell has all. Where one contact has fewer cells than another, the rest have no share.
    """
    if len(middles) == 1:
        return np.zeros((len(place), 1), dtype=np.int64), np.ones((*place.shape, 1))
    k = np.clip(middles.searchsorted(place), 1, len(middles) - 1)
    share = np.clip((place - middles[k - 1]) / (middles[k] - middles[k - 1]), 0.0, 1.0)
    first = k.min(axis=1, keepdims=True) - 1
    shares = np.zeros((*place.shape, int((k - first).max()) + 1))
    np.put_along_axis(shares, (k - first)[..., None], share[..., None], axis=2)
    np.put_along_axis(shares, (k - 1 - first)[..., None], 1 - share[..., None], axis=2)
    return np.minimum(first + np.arange(shares.shape[2]), len(middles) - 1), shares
