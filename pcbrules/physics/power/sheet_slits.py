# SPDX-License-Identifier: MIT
"""Where a sheet has copper, and where a slit thinner than a cell lies between two cells of a grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Flags, Real

Polygon = tuple[tuple[float, float], ...]

_TOUCH = 1e-9
"""Sides that are nearer than this are one. [m]"""


def inside(*, polygon: Polygon, x: Real, y: Real) -> Flags:
    """True where places lie in a polygon of any sense; ``x`` and ``y`` are broadcast. [m]"""
    found = np.zeros(np.broadcast_shapes(x.shape, y.shape), bool)
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if y0 != y1:
            found ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * ((x1 - x0) / (y1 - y0)))
    return found


def from_sides(place: tuple[float, float], polygon: Polygon) -> float:
    """Distance of a place from the nearest side of a polygon. [m]"""
    begin = np.array(polygon)
    along = np.roll(begin, -1, axis=0) - begin
    to = np.array(place) - begin
    share = np.clip((to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-30), 0, 1)
    return float(np.hypot(*(to - share[:, None] * along).T).min())


def turned(polygons: Sequence[Polygon]) -> tuple[Polygon, ...]:
    """The same polygons with x and y exchanged."""
    return tuple(tuple((y, x) for x, y in polygon) for polygon in polygons)


def between(shapes: Sequence[Polygon], cutouts: Sequence[Polygon], *, x: Real, y: Real) -> Flags:
    """True where the line from the middle of a cell to that of the next in x crosses a place without copper.

    Parameters
    ----------
    shapes, cutouts : sequence of polygon
        Copper in the shapes and not in the cut-outs. [m]
    x, y : ndarray
        Middles of columns and rows, rising. [m]

    Returns
    -------
    ndarray of bool, shape (rows, columns - 1)
        Cells without copper count as well where two sides lie between them.

    Notes
    -----
    Exact: the sides that cross a line cut it into pieces, and the middle of every piece is looked at. A piece of less
    than 1 nm is none.
    """
    rows: list[NDArray[np.int64]] = []
    places: list[Real] = []
    for polygon in (*shapes, *cutouts):
        for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            first, last = np.searchsorted(y, sorted((y0, y1)))
            if y0 != y1 and first < last:
                rows.append(np.arange(first, last))
                places.append(x0 + (y[first:last] - y0) * ((x1 - x0) / (y1 - y0)))
    found = np.zeros((len(y), max(len(x) - 1, 0)), bool)
    if not rows:
        return found
    row, place = np.concatenate(rows), np.concatenate(places)
    column = np.searchsorted(x, place) - 1
    order = np.lexsort((place, column, row))
    row, place, column = row[order], place[order], column[order]
    pair = np.flatnonzero((row[1:] == row[:-1]) & (column[1:] == column[:-1]) & (np.diff(place) > _TOUCH)
                          & (column[1:] >= 0) & (column[1:] < len(x) - 1))
    at_x, at_y = (place[pair] + place[pair + 1]) / 2, y[row[pair]]
    copper = np.zeros(len(pair), bool)
    for polygon in shapes if len(pair) else ():
        copper |= inside(polygon=polygon, x=at_x, y=at_y)
    for polygon in cutouts if len(pair) else ():
        copper &= ~inside(polygon=polygon, x=at_x, y=at_y)
    found[row[pair][~copper], column[pair][~copper]] = True
    return found
