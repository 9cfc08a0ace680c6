# SPDX-License-Identifier: MIT
"""Filaments: graded cells of a conductor, in each of which the current is uniform."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Real

Moments = tuple[NDArray[np.complex128], ...]


@dataclass(frozen=True)
class Grid:
    """Cells between ``rows`` and slanted columns of one trapezoid.

    ``x`` (r + 1, c + 1) [m] are the columns' places on every row line, ``y`` (r + 1,) [m] the row lines, rising;
    ``conductor`` the index of the conductor, ``resistivity`` [ohm m], ``layers`` (k,) the steps [m] of the rows from
    a face to where the current ends or mirrors. Cells are numbered along the rows, m = r c of them.
    """

    x: Real
    y: Real
    conductor: int
    resistivity: float
    layers: Real

    @cached_property
    def area(self) -> Real:
        """Areas (m,) [m^2]."""
        width = np.diff(self.x, axis=1)
        return ((width[1:] + width[:-1]) / 2 * np.diff(self.y)[:, None]).ravel()

    @cached_property
    def upright(self) -> bool:
        """Whether every column is as wide and stands at the same place in all rows, and the cells lie flat."""
        return bool((self.x == self.x[0]).all()) and bool(np.diff(self.y).max() < np.diff(self.x[0]).min())

    @cached_property
    def isosceles(self) -> bool:
        """Whether the cells are their own mirror image in an upright line."""
        middle = self.x + self.x[:, ::-1]
        return bool(np.ptp(middle) < 1e-9 * np.ptp(self.x))

    def points(self, u: float, v: float) -> tuple[Real, Real, Real]:
        """Places x, y (m,) [m] at the parts ``u`` along and ``v`` across of every cell, and the cells' widths there."""
        line = self.x[:-1] * (1 - v) + self.x[1:] * v
        width = np.diff(line, axis=1)
        x = line[:, :-1] + u * width
        y = np.broadcast_to((self.y[:-1] + v * np.diff(self.y))[:, None], x.shape)
        return x.ravel(), y.ravel(), width.ravel()

    @cached_property
    def extent(self) -> Real:
        """Widths or heights (m,) [m] of the cells, whichever is more."""
        return np.maximum(np.diff(self.x, axis=1)[1:], np.diff(self.y)[:, None]).ravel()

    @cached_property
    def moments(self) -> Moments:
        """Centroids (m,) [m] as x + i y, and the mean second and fourth powers about them [m^2, m^4]."""
        at, weight = [], []
        for u, a in zip(*_GAUSS, strict=True):
            for v, b in zip(*_GAUSS, strict=True):
                x, y, width = self.points(u, v)
                at.append(x + 1j * y)
                weight.append(a * b * width)
        z, w = np.array(at), np.array(weight)
        w /= w.sum(axis=0)
        centre = (w * z).sum(axis=0)
        square = (z - centre) ** 2
        return centre, (w * square).sum(axis=0), (w * square**2).sum(axis=0)


_GAUSS = (np.array([0.5 - 0.15**0.5, 0.5, 0.5 + 0.15**0.5]), np.array([5.0, 8.0, 5.0]) / 18)
