# SPDX-License-Identifier: MIT
"""Mean of ln r between the cells of conductors."""

from __future__ import annotations

import numpy as np

from pcbrules.physics.cross_section._filaments import Grid, Real

NEAR = 0.03
"""Mean square size of two cells, as a part of their squared distance, above which moments do not do [-]."""

FAR = 0.004
"""The same, below which the second moments do [-]."""

GAUSS = (0.5 - 12**-0.5, 0.5 + 12**-0.5)
"""Two-point Gauss rule on 0 to 1 [-]."""

SELF = (((4 - 6**0.5) / 10, 0.5 + 6**0.5 / 18), ((4 + 6**0.5) / 10, 0.5 - 6**0.5 / 18))
"""Places and weights on 0 to 1 of the two-point Gauss rule of the density 2 (1 - t) [-]."""


def mean_log(one: Grid, other: Grid, *, mirrored: bool) -> Real:
    """Mean of ln r (m, m') between the cells of two grids, or those of one and the mirror images of the other in x = 0.

    Parameters
    ----------
    one, other : Grid
        The same grid, or two that do not overlap.
    mirrored : bool
        The second grid's mirror image takes its place.

    Returns
    -------
    ndarray, shape (m, m')
        r in metres. [-]
    """
    if one.upright and other.upright:
        return _between_planes(one, other, mirrored)
    if one is other and (not mirrored or one.x.min() <= 0):
        mean = _averaged_within(one) if one.isosceles and not mirrored else _averaged(one, one, mirrored)
        return (mean + mean.T) / 2
    return _apart(one, other, mirrored)


def _apart(one: Grid, other: Grid, mirrored: bool) -> Real:
    """Mean of ln r (m, m') between two conductors, by moments to the fourth power where these do."""
    z, second, fourth = one.moments
    at, second_at, fourth_at = other.moments
    if mirrored:
        at, second_at, fourth_at = -at.conj(), second_at.conj(), fourth_at.conj()
    x, y = z.real[:, None] - at.real, z.imag[:, None] - at.imag
    square = x * x + y * y
    size = (np.abs(second)[:, None] + np.abs(second_at)) / square
    if size.max() > NEAR:
        return _averaged(other, one, mirrored).T if other.upright else _averaged(one, other, mirrored)
    # the powers of 1 / (x + i y)
    x /= square
    y /= -square
    x, y = x * x - y * y, 2 * x * y
    mean = np.log(square)
    mean -= (second.real[:, None] + second_at.real) * x - (second.imag[:, None] + second_at.imag) * y
    if size.max() > FAR:
        four = fourth[:, None] + fourth_at + 6 * second[:, None] * second_at
        mean -= 0.5 * (four.real * (x * x - y * y) - 2 * four.imag * x * y)
    mean *= 0.5
    return mean


def _averaged(source: Grid, field: Grid, mirrored: bool) -> Real:
    """Mean of ln r (m, m') from cells, exact over those of ``source`` and by Gauss points over those of ``field``."""
    mean, total = np.zeros((len(source.area), len(field.area))), np.zeros(len(field.area))
    for u in GAUSS:
        for v in GAUSS:
            x, y, width = field.points(u, v)
            mean += width * potential(source, -x if mirrored else x, y)
            total += width
    mean /= total
    return mean


def _averaged_within(grid: Grid) -> Real:
    """`_averaged` of an isosceles trapezoid with itself: its right half is the mirror image of its left."""
    rows, columns = len(grid.y) - 1, grid.x.shape[1] - 1
    half = (columns + 1) // 2
    left = Grid(grid.x[:, : half + 1], grid.y, grid.conductor, grid.resistivity, grid.layers)
    found = _averaged(grid, left, False).reshape(rows, columns, rows, half)
    mean = np.empty((rows, columns, rows, columns))
    mean[..., :half] = found
    mean[..., half:] = found[:, ::-1, :, columns - half - 1 :: -1]
    return mean.reshape(rows * columns, rows * columns)


def potential(grid: Grid, x: Real, y: Real) -> Real:
    """Mean of ln r over every cell from points, by the cells' edges in closed form.

    Parameters
    ----------
    grid : Grid
        m cells.
    x, y : ndarray, shape (p,)
        Points, on no corner of a cell. [m]

    Returns
    -------
    ndarray, shape (m, p)
        r in metres. [-]
    """
    dx, dy = grid.x[:, :, None] - x, grid.y[:, None] - y
    log = 0.5 * np.log(dx * dx + (dy * dy)[:, None])
    height = dy[:, None]
    flat = _edge(height, dx[:, :-1], dx[:, 1:], log[:, :-1], log[:, 1:])
    along_x, along_y = np.diff(grid.x, axis=0), np.diff(grid.y)[:, None]
    length = np.hypot(along_x, along_y)
    cx, cy = (along_x / length)[:, :, None], (along_y / length)[:, :, None]
    start = dx[:-1] * cx + dy[:-1, None] * cy
    steep = _edge(dx[:-1] * cy - dy[:-1, None] * cx, start, start + length[:, :, None], log[:-1], log[1:])
    total = flat[1:] - flat[:-1] + steep[:, 1:] - steep[:, :-1]
    return total.reshape(-1, len(x)) / (2 * grid.area[:, None])


def _edge(height: Real, start: Real, end: Real, log_start: Real, log_end: Real) -> Real:
    """Twice an edge's share in the integral of ln r over a polygon: div (r/2 (ln r - 1/2)) = ln r."""
    length = end - start
    turn = np.arctan2(height * length, height * height + start * end)
    return height * (end * log_end - start * log_start - 1.5 * length + height * turn)


def _between_planes(one: Grid, other: Grid, mirrored: bool) -> Real:
    """Mean of ln r (m, m') between cells of upright columns: exact along x, to the third power of the distance along y.

    Two layers d and d' at the distance c are as two lines at c +- sqrt((d^2 + d'^2) / 12); a layer and itself as lines
    at the Gauss points of the distances' density 2 (1 - t / d) / d.
    """
    level, level_at = (one.y[1:] + one.y[:-1]) / 2, (other.y[1:] + other.y[:-1]) / 2
    depth, depth_at = np.diff(one.y), np.diff(other.y)
    centre = np.abs(level[:, None] - level_at)
    half = np.sqrt((depth[:, None] ** 2 + depth_at**2) / 12)
    distance = np.array([centre - half, centre + half])
    weight = np.full(distance.shape, 0.5)
    if one is other:
        layers = np.arange(len(depth))
        for k, (part, share) in enumerate(SELF):
            distance[k, layers, layers] = part * depth
            weight[k, layers, layers] = share
    x, at = one.x[0], other.x[0]
    apart = x[:, None] + at if mirrored else x[:, None] - at
    square, y = apart**2, distance[..., None, None]
    twice = 0.25 * (square - y * y) * np.log(square + y * y) - 0.75 * square + apart * y * np.arctan(apart / y)
    twice = (weight[..., None, None] * twice).sum(axis=0)
    total = np.diff(np.diff(twice, axis=2), axis=3)
    total *= (1 if mirrored else -1) / (np.diff(x)[:, None] * np.diff(at))
    mean: Real = total.transpose(0, 2, 1, 3).reshape(len(one.area), len(other.area))
    return mean
