# SPDX-License-Identifier: MIT
"""Where a solved sheet is narrow: cuts from one edge of the copper to the next, with the current through them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Flags, Real
from pcbrules.physics.power.sheet_grid import GridFlow

SQUARE = 0.7
"""Least cosine between flow and normal of a cut: of two cuts along the grid one is squarer than 45 degrees. [-]"""


class Necks(NamedTuple):
    """Cuts across the flow: width across the flow [m], current [A], middle [m]; arrays of shape (cuts,).

    ``drop`` is the voltage over the narrow copper to which a cut belongs: as far as it is connected and its cuts are no
    wider than two to four times this one. [V]
    """

    width: Real
    current: Real
    x: Real
    y: Real
    drop: Real


class _Cuts(NamedTuple):
    """Cuts between columns: true width, current, and the line and rows that they cross; arrays of shape (cuts,)."""

    width: Real
    current: Real
    line: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]


def necks(*, flow: GridFlow, layer: int, widest: float) -> Necks:
    """All cuts of a layer along the grid that are no wider than ``widest`` [m] and that the current crosses squarely.

    Parameters
    ----------
    flow : GridFlow
        Solved flow.
    layer : int
        Number of the layer.
    widest : float
        Copper wider than this is no neck. [m]

    Notes
    -----
    A neck that lies aslant is cut at an angle: the cut is longer than the neck is wide by the cosine of the angle
    between its normal and the flow, which the currents give.
    """
    copper = ~np.isnan(flow.potential[layer])
    along_x, along_y = flow.density(layer)
    middle_x, middle_y = (flow.x[1:] + flow.x[:-1]) / 2, (flow.y[1:] + flow.y[:-1]) / 2
    slit_x, slit_y = flow.slit_across[layer], flow.slit_along[layer]
    first = _cuts(copper, (slit_x, slit_y), flow.across[layer], along_y, flow.y, widest)
    other = _cuts(copper.T, (slit_y.T, slit_x.T), flow.along[layer].T, along_x.T, flow.x, widest)
    middle = [(flow.x[1:-1], middle_y), (flow.y[1:-1], middle_x)]
    drops = _drops(flow.potential[layer], first, other, widest)
    parts = []
    for number, cuts in enumerate((first, other)):
        place = (cuts.start + cuts.end - 1) / 2
        at, along = middle[number][0][cuts.line], np.interp(place, np.arange(len(middle[number][1])), middle[number][1])
        parts.append((cuts.width, cuts.current, *((at, along) if number == 0 else (along, at)), drops[number]))
    return Necks(*(np.concatenate(one) for one in zip(*parts, strict=True)))


def _drops(potential: Real, first: _Cuts, other: _Cuts, widest: float) -> tuple[Real, Real]:
    """Voltage over the narrow copper round each cut between columns, and between rows."""
    found = np.zeros(len(first.width)), np.zeros(len(other.width))
    most = widest
    while any(len(cuts.width) for cuts in (first, other)):
        narrow = _cells(first, potential.shape, most) | _cells(other, potential.T.shape, most).T
        if not narrow.any():
            break
        drop = _differences(potential, narrow)
        for cuts, into, turned in ((first, found[0], drop), (other, found[1], drop.T)):
            mine = (cuts.width <= most / 2) | ((most == widest) & (cuts.width <= most))
            into[mine] = turned[(cuts.start[mine] + cuts.end[mine] - 1) // 2, cuts.line[mine]]
        most /= 2
    return found


def _differences(potential: Real, inside: Flags) -> Real:
    """Largest difference within the cells that are connected with each one side by side; zero outside."""
    from scipy.sparse import coo_array  # here and not above: 0.1 s, which not every board needs
    from scipy.sparse.csgraph import connected_components

    count = int(inside.sum())
    number = np.where(inside, np.cumsum(inside).reshape(inside.shape) - 1, 0)
    pairs = [(number[:, :-1], number[:, 1:], inside[:, :-1] & inside[:, 1:]),
             (number[:-1], number[1:], inside[:-1] & inside[1:])]
    here, there = (np.concatenate([pair[at][pair[2]] for pair in pairs]) for at in (0, 1))
    parts, mark = connected_components(coo_array((np.ones(len(here)), (here, there)), shape=(count, count)),
                                       directed=False)
    top, bottom = np.full(parts, -np.inf), np.full(parts, np.inf)
    np.maximum.at(top, mark, potential[inside])
    np.minimum.at(bottom, mark, potential[inside])
    found = np.zeros(inside.shape)
    found[inside] = (top - bottom)[mark]
    return found


def _cells(cuts: _Cuts, shape: tuple[int, ...], most: float) -> Flags:
    """The cells on either side of cuts that are no wider than ``most`` [m]."""
    mine = cuts.width <= most
    steps = np.zeros((shape[0] + 1, shape[1] - 1), np.int64)
    np.add.at(steps, (cuts.start[mine], cuts.line[mine]), 1)
    np.add.at(steps, (cuts.end[mine], cuts.line[mine]), -1)
    crossed = np.cumsum(steps, axis=0)[:-1] > 0
    return np.asarray(np.pad(crossed, ((0, 0), (0, 1))) | np.pad(crossed, ((0, 0), (1, 0))))


def _cuts(
    copper: Flags, slits: tuple[Flags, Flags], through: Real, aside: Real, marks: Real, widest: float
) -> _Cuts:
    """The cuts between columns; a slit across the line ends a cut."""
    both = copper[:, 1:] & copper[:, :-1] & ~slits[0]
    whole = both[1:] & both[:-1] & ~(slits[1][:, 1:] | slits[1][:, :-1])
    runs = np.zeros((2 * len(both) - 1, both.shape[1]), bool)  # cells, and the joints between them
    runs[::2], runs[1::2] = both, whole
    edge = np.diff(np.pad(runs, ((1, 1), (0, 0))).astype(np.int8), axis=0).T
    line, start = np.nonzero(edge == 1)
    _, end = np.nonzero(edge == -1)
    start, end = start // 2, (end + 1) // 2
    width = marks[end] - marks[start]
    height = np.diff(marks)[:, None]
    summed = np.vstack([np.zeros(through.shape[1]), np.cumsum(np.where(both, through, 0.0), axis=0)])
    beside = np.where(both, (aside[:, 1:] + aside[:, :-1]) / 2 * height, 0.0)
    sideways = np.vstack([np.zeros(through.shape[1]), np.cumsum(beside, axis=0)])
    current = np.abs(summed[end, line] - summed[start, line])
    slip = np.abs(sideways[end, line] - sideways[start, line])
    cosine = current / np.maximum(np.hypot(current, slip), 1e-300)
    true = width * cosine
    good = (cosine >= SQUARE) & (true <= widest) & (current > 0)
    return _Cuts(true[good], current[good], line[good], start[good], end[good])
