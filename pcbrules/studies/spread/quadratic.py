# SPDX-License-Identifier: MIT
"""Numbers of findings as functions of the factors: slopes, curvatures and the products that matter, of a few solves.

Along each axis the function is solved at the nodes of the Gauss-Hermite rule of three points, so that mean and variance
of a cubic come out exactly. Products are solved for the pairs of factors that move a number most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pcbrules.arrays import Real
from pcbrules.ties import ordered

NODE = 3**0.5
"""Standard deviations at which the function is solved along an axis."""


@dataclass(frozen=True, slots=True)
class SpreadSurface:
    """``nominal + z slope + z^2 curve / 2 + z_i z_j product`` of each number; ``pairs`` are the factors of products."""

    nominal: Real
    slope: Real
    curve: Real
    pairs: tuple[tuple[int, int], ...]
    product: Real

    def at(self, z: Real) -> Real:
        """Values at points, shape (points, factors) -> (points, numbers)."""
        found = self.nominal + z @ self.slope.T + (z * z) @ self.curve.T / 2
        for number, (one, other) in enumerate(self.pairs):
            found += (z[:, one] * z[:, other])[:, None] * self.product[:, number]
        return np.asarray(found)

    @property
    def variance(self) -> Real:
        """Of each number the variance by each factor alone, shape (numbers, factors)."""
        return np.asarray(self.slope**2 + self.curve**2 / 2)


def axis_points(factors: int) -> Real:
    """The points along the axes: of each factor the lower, then the upper node; shape (2 factors, factors)."""
    points = np.zeros((2 * factors, factors))
    points[0::2] = -NODE * np.eye(factors)
    points[1::2] = NODE * np.eye(factors)
    return points


def pair_points(pairs: Sequence[tuple[int, int]], factors: int) -> Real:
    """The points of products: both factors at the upper node."""
    points = np.zeros((len(pairs), factors))
    for number, pair in enumerate(pairs):
        points[number, list(pair)] = NODE
    return points


def pairs_that_matter(nominal: Real, along: Real, most: int) -> tuple[tuple[int, int], ...]:
    """The pairs of factors that together move a number most, of its spread; at most so many.

    Parameters
    ----------
    nominal : ndarray, shape (numbers,)
    along : ndarray, shape (2 factors, numbers)
        Values at ``axis_points``.
    most : int
    """
    moves = np.abs(along[1::2] - along[0::2]).T / 2
    total = np.sqrt((moves**2).sum(axis=1, keepdims=True))
    share = np.divide(moves, total, out=np.zeros_like(moves), where=total > 0)
    weight = {pair: float((share[:, pair[0]] * share[:, pair[1]]).sum()) for pair in
              combinations(range(moves.shape[1]), 2)}
    return tuple(ordered(weight, key=lambda pair: -weight[pair])[:most])


def surface(nominal: Real, along: Real, pairs: Sequence[tuple[int, int]], both: Real) -> SpreadSurface:
    """Fit the numbers.

    Parameters
    ----------
    nominal : ndarray, shape (numbers,)
    along : ndarray, shape (2 factors, numbers)
        Values at ``axis_points``.
    pairs : sequence of (int, int)
    both : ndarray, shape (pairs, numbers)
        Values at ``pair_points``.
    """
    low, high = along[0::2].T, along[1::2].T
    slope = (high - low) / (2 * NODE)
    curve = (high + low - 2 * nominal[:, None]) / NODE**2
    product = np.zeros((len(nominal), len(pairs)))
    for number, (one, other) in enumerate(pairs):
        product[:, number] = (both[number] - high[:, one] - high[:, other] + nominal) / NODE**2
    return SpreadSurface(nominal, slope, curve, tuple(pairs), product)
