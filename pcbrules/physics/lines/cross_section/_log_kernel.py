# SPDX-License-Identifier: MIT
"""Mean of ln r between the cells of conductors."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Index, Real
from pcbrules.physics.lines.cross_section._filaments import Grid, Moments

NEAR = 0.05
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
    if one is other and not mirrored:
        return _within(one)
    if one.upright:
        return mean_log(other, one, mirrored=mirrored).T
    mean, (i, j) = _far(one.moments, other.moments, mirrored)
    if len(i) and other.upright:
        mean[i, j] = _near(other, j, one, i, mirrored)
    elif len(i):
        mean[i, j] = _near(one, i, other, j, mirrored)
    return (mean + mean.T) / 2 if one is other and len(i) else mean


def _within(grid: Grid) -> Real:
    """Mean of ln r (m, m) between the cells of one trapezoid; an isosceles one's right half mirrors its left."""
    rows, columns = len(grid.y) - 1, grid.x.shape[1] - 1
    half = (columns + 1) // 2 if grid.isosceles else columns
    kept = np.arange(rows * columns).reshape(rows, columns)[:, :half].ravel()
    found, (i, j) = _far(grid.moments, tuple(moment[kept] for moment in grid.moments), False)
    # the larger of two cells is the exact one; the smaller one's row waits for its column
    larger = grid.extent[i] > (1 - 1e-6) * grid.extent[kept[j]]
    found[i[~larger], j[~larger]] = np.nan
    i, j = i[larger], j[larger]
    found[i, j] = _near(grid, i, grid, kept[j], False)
    mean = np.empty((rows, columns, rows, columns))
    mean[..., :half] = found.reshape(rows, columns, rows, half)
    mean[..., half:] = mean[:, ::-1, :, columns - half - 1 :: -1][..., : columns - half]
    mean = mean.reshape(rows * columns, rows * columns)
    mean = np.where(np.isnan(mean), mean.T, mean)
    return (mean + mean.T) / 2


def _far(one: Moments, other: Moments, mirrored: bool) -> tuple[Real, tuple[Index, ...]]:
    """Mean of ln r (m, m') by moments to the fourth power, and the places where these do not do."""
    z, second, fourth = one
    at, second_at, fourth_at = other
    if mirrored:
        at, second_at, fourth_at = -at.conj(), second_at.conj(), fourth_at.conj()
    x, y = z.real[:, None] - at.real, z.imag[:, None] - at.imag
    square = x * x
    square += y * y
    size = np.abs(second)[:, None] + np.abs(second_at)
    # a cell and itself, whose second moment is zero where it is a square
    size = np.divide(size, square, out=np.full_like(square, np.inf), where=square > 0)
    middling = np.flatnonzero(size > FAR)
    near = middling[size.ravel()[middling] > NEAR]
    square.ravel()[near] = 1.0
    # x + i y to the power of -2
    x /= square
    y /= -square
    both = 2 * x
    both *= y
    x *= x
    y *= y
    x -= y
    mean: Real = np.log(square, out=square)
    np.add(second.real[:, None], second_at.real, out=size)
    size *= x
    mean -= size
    np.add(second.imag[:, None], second_at.imag, out=size)
    size *= both
    mean += size
    if len(middling):
        i, j = np.divmod(middling, len(at))
        four = fourth[i] + fourth_at[j] + 6 * second[i] * second_at[j]
        mean.ravel()[middling] -= 0.5 * (four * (x.ravel()[middling] + 1j * both.ravel()[middling]) ** 2).real
    mean *= 0.5
    return mean, np.divmod(near, len(at))


def _near(source: Grid, cell: Index, field: Grid, other: Index, mirrored: bool) -> Real:
    """Mean of ln r (p,) of pairs: exact over cells of ``source``, by Gauss points over those of ``field``."""
    mean, total = np.zeros(len(cell)), np.zeros(len(cell))
    for u in GAUSS:
        for v in GAUSS:
            x, y, width = field.points(u, v)
            mean += width[other] * _potential(source, cell, (-x if mirrored else x)[other], y[other])
            total += width[other]
    return mean / total


def _potential(grid: Grid, cell: Index, x: Real, y: Real) -> Real:
    """Mean of ln r (p,) over each ``cell`` (p,) from its own point ``x``, ``y`` (p,), by the cells' edges."""
    row, column = np.divmod(cell, grid.x.shape[1] - 1)
    foot, top = grid.y[row] - y, grid.y[row + 1] - y
    corners = [grid.x[row + up, column + along] - x for up in (0, 1) for along in (0, 1)]
    low_left, low_right, high_left, high_right = corners
    log = [0.5 * np.log(dx * dx + dy * dy) for dx, dy in zip(corners, (foot, foot, top, top), strict=True)]
    total = _edge(top, high_left, high_right, log[2], log[3]) - _edge(foot, low_left, low_right, log[0], log[1])
    sides = (1, low_right, high_right, log[1], log[3]), (-1, low_left, high_left, log[0], log[2])
    for sign, low, high, log_low, log_high in sides:
        length = np.hypot(high - low, top - foot)
        cx, cy = (high - low) / length, (top - foot) / length
        start = low * cx + foot * cy
        total += sign * _edge(low * cy - foot * cx, start, start + length, log_low, log_high)
    return total / (2 * grid.area[cell])


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
