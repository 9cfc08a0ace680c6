# SPDX-License-Identifier: MIT
r"""Impedance of a rectangular pair of planes between groups of vias, many vias and many frequencies at once.

The current of a group is shared among its vias in given parts, so a group is one port. With the cosines of the open
rectangle averaged over each group, :math:`c_{tg}`,

.. math:: Z_{gh} = \frac{1}{Y\,ab} + \frac{Z_s}{ab}\sum_{t} \frac{c_{tg}\,c_{th}}{k_t^2 + Z_s Y}

The sum at :math:`Y = 0` is a number of squares and depends on the places alone. It is made once, after Ewald: slow
modes by their cosines, the rest of every mode by a few images near each via, and round each via its own logarithm
exactly.
What a frequency changes is done for the lowest modes one by one, and for all others by powers of :math:`Z_s Y / k^2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.arrays import Complex, Real
from pcbrules.physics.common.card import FormulaCard

SMOOTH = 50.0
"""Short side over the length that parts near from far in Ewald's sum."""
CUT = 12.0
"""Exponent at which both halves of Ewald's sum end: e^-12 is 6e-6."""
ONE_BY_ONE = 4.0
"""Modes up to this multiple of the largest |Zs Y| are summed one by one; powers serve above."""
POWERS = 4
SAME = 1e-6
"""Vias whose axes are nearer than this are one. [m]"""
APART = 1e-4
"""Squares that a group which uses the via of another has alone, so that the two are two: 0.06 pH between planes 0.5 mm
apart. [-]"""
ROUNDING = 1e-12
"""Part of the largest current below which a sum of currents is none. [-]"""


@dataclass(frozen=True, eq=False)
class PlaneGroups:
    """A rectangle with groups of vias, whatever lies between the planes.

    ``squares`` [-], shape (g, g), is the sum over all modes but the uniform one without shunt admittance; ``wave`` the
    squared wave numbers [1/m2] of the slow modes, rising, and ``share`` their normed cosines over each group [1/m],
    shape (t, g). ``rest`` [m2], shape (g, g), is what the slow modes leave of the sum of 1 / k^4, with the weights that
    ``spread`` [m2] gives them. ``total`` [-] is the whole current of each group, ``area`` [m2].
    """

    squares: Real
    rest: Real
    wave: Real
    share: Real
    spread: float
    total: Real
    area: float

    def combined(self, currents: Real) -> PlaneGroups:
        """The same rectangle with groups of groups: column by column, what each group carries of it, shape (g, h)."""
        squares, rest = (currents.T @ table @ currents for table in (self.squares, self.rest))
        total = currents.T @ self.total
        total[np.abs(total) < ROUNDING * np.abs(total).max()] = 0.0  # the uniform mode is stiff: no rounding into it
        return PlaneGroups(
            (squares + squares.T) / 2,
            (rest + rest.T) / 2,
            self.wave,
            self.share @ currents,
            self.spread,
            total,
            self.area,
        )


@FormulaCard(
    gives="squares",
    valid={"length": (1e-3, 2.0), "width": (1e-3, 2.0)},
    source="Okoshi, Planar Circuits for Microwaves and Lightwaves, ch. 2; Ewald's split of its sum; open edges",
    accuracy="1e-6 for rings small beside their distance; 3 % of a via's own squares where two vias nearly touch",
)
def plane_groups(*, length: float, width: float, groups: Sequence[ArrayLike]) -> PlaneGroups:
    """The part of the impedance of groups of vias that their places decide.

    Parameters
    ----------
    length, width : float
        Sides along x and y. [m]
    groups : sequence of ndarray, shape (n, 3) or (n, 4)
        x, y and diameter of every via, from a corner [m], and its part of the group's current, any scale; equal parts
        where there is no fourth column.

    Returns
    -------
    PlaneGroups
        To be used for every pair of planes of this outline.

    Raises
    ------
    ValueError
        No group, a group without a via, a via without diameter or beyond the edge, or two vias of a group that overlap.
        Overlapping vias of two groups are one via that both use; each of the two groups then has 1e-4 squares alone.

    Examples
    --------
    >>> pair = [[[0.045, 0.05, 0.25e-3]], [[0.055, 0.05, 0.25e-3]]]
    >>> n = plane_groups(length=0.1, width=0.1, groups=pair).squares
    >>> f"{n[0, 0] + n[1, 1] - 2 * n[0, 1]:.2f} squares, {np.log(0.01 / 0.125e-3) / np.pi:.2f} far from any edge"
    '1.40 squares, 1.39 far from any edge'
    """
    tables = [group_members(one) for one in groups]
    if not tables:
        raise ValueError("no group of vias")
    vias = np.concatenate(tables)
    owner = np.repeat(np.arange(len(tables)), [len(one) for one in tables])
    _check(vias, length, width)
    spread = (min(length, width) / SMOOTH) ** 2
    wave, share = _slow_modes(vias, owner, len(tables), length, width, spread)
    area = length * width
    near, rest = _near(vias, owner, len(tables), length, width, spread)
    far = (share * (np.exp(-spread * wave) / wave)[:, None]).T @ share
    squares = (far + far.T) / 2 + near - spread / area
    rest -= spread**2 / (2 * area)
    squares += np.diag(np.where(_sharing(vias, owner, len(tables)), APART, 0.0))
    return PlaneGroups(squares, rest, wave, share, spread, np.ones(len(tables)), area)


def grouped_impedance(groups: PlaneGroups, *, series: ArrayLike, shunt: ArrayLike) -> Complex:
    """Impedance matrix of the groups between one pair of planes.

    Parameters
    ----------
    groups : PlaneGroups
        From `plane_groups`.
    series : ndarray of complex, shape (n,)
        Impedance of a square, as `cavity_series_impedance` gives. [ohm]
    shunt : ndarray of complex, shape (n,)
        Admittance of an area, as `cavity_shunt_admittance` gives. [S/m2]

    Returns
    -------
    ndarray of complex, shape (n, g, g)
        Symmetric. [ohm]
    """
    z, y = np.atleast_1d(np.asarray(series, dtype=complex)), np.atleast_1d(np.asarray(shunt, dtype=complex))
    lag, wave, share = z * y, groups.wave, groups.share
    slow = int(np.searchsorted(wave, ONE_BY_ONE * np.abs(lag).max(), side="right"))
    low, high, above = share[:slow], share[slow:], wave[slow:, None]
    fixed = groups.squares - (low / wave[:slow, None]).T @ low
    weight = np.exp(-groups.spread * wave) * (1 + groups.spread * wave) / wave**2
    weight[:slow] -= 1 / wave[:slow] ** 2
    second = groups.rest + (share * weight[:, None]).T @ share
    sums = [fixed, second, *((high / above**power).T @ high for power in range(3, POWERS + 1))]
    sums = [(one + one.T) / 2 for one in sums]
    modes = low[:, :, None] * low[:, None, :]
    size = len(fixed)
    uniform = np.outer(groups.total, groups.total)[None] / groups.area
    basis = np.concatenate([uniform, sums, modes]).reshape(-1, size * size)
    factor = np.concatenate(
        [
            (1 / y)[:, None],
            z[:, None] * (-lag[:, None]) ** np.arange(POWERS),
            z[:, None] / (wave[:slow] + lag[:, None]),
        ],
        axis=1,
    )
    real = np.concatenate([factor.real, factor.imag]) @ basis
    return np.asarray((real[: len(z)] + 1j * real[len(z) :]).reshape(len(z), size, size))


def group_members(table: ArrayLike) -> Real:
    """The vias of a group, with parts of its current that add up to one."""
    rows = np.asarray(table, dtype=float)
    if rows.ndim != 2 or not len(rows) or rows.shape[1] not in (3, 4):
        raise ValueError("a group needs at least one via: x, y, diameter")
    part = rows[:, 3] if rows.shape[1] == 4 else np.ones(len(rows))
    return np.column_stack([rows[:, :3], part / part.sum()])


def _check(vias: Real, length: float, width: float) -> None:
    x, y, radius = vias[:, 0], vias[:, 1], vias[:, 2] / 2
    if not (radius > 0).all():
        raise ValueError("a via has no diameter: the impedance of a point is infinite")
    tolerance = 1e-9 * max(length, width)
    if (np.minimum(x, length - x) < radius - tolerance).any() or (np.minimum(y, width - y) < radius - tolerance).any():
        raise ValueError("a via lies beyond the edge of the planes")


def _sharing(vias: Real, owner: NDArray[np.intp], count: int) -> NDArray[np.bool_]:
    """Which groups have a via in one place with a via of another group."""
    _, own = np.unique(np.round(vias[:, :2] / SAME), axis=0, return_inverse=True)
    users = np.zeros((int(own.max()) + 1, count), dtype=bool)
    users[own.ravel(), owner] = True
    return np.asarray(users[users.sum(axis=1) > 1].any(axis=0))


def _slow_modes(
    vias: Real, owner: NDArray[np.intp], count: int, length: float, width: float, spread: float
) -> tuple[Real, Real]:
    """Squared wave numbers of the modes of Ewald's smooth half, rising, and their normed cosines over each group."""
    top = np.sqrt(CUT / spread)
    kx = np.pi / length * np.arange(int(top * length / np.pi) + 1)
    ky = np.pi / width * np.arange(int(top * width / np.pi) + 1)
    square = kx[:, None] ** 2 + ky**2
    along = np.cos(kx[:, None] * vias[:, 0]) * vias[:, 3]
    across = np.cos(ky[:, None] * vias[:, 1])
    table = np.stack([along[:, owner == g] @ across[:, owner == g].T for g in range(count)], axis=-1)
    norm = np.where(kx > 0, 2.0, 1.0)[:, None] * np.where(ky > 0, 2.0, 1.0) / (length * width)
    table *= np.sqrt(norm)[:, :, None]
    inside = np.flatnonzero((square.ravel() > 0) & (square.ravel() <= top**2))
    order = inside[np.argsort(square.ravel()[inside], kind="stable")]
    return square.ravel()[order], np.ascontiguousarray(table.reshape(-1, count)[order])


def _near(vias: Real, owner: NDArray[np.intp], count: int, length: float, width: float, spread: float) -> Real:
    """The rest of every mode: each via and its images round each other via; of both sums, shape (2, g, g)."""
    from scipy.special import exp1  # here and not above: it takes 0.05 s to load, and most boards do not need it

    reach = 2 * np.sqrt(CUT * spread)
    total = np.zeros((2, count * count))
    for mirror_x, edge_x in ((1, None), (-1, 0.0), (-1, length)):
        beside_x = np.abs(vias[:, 0] - edge_x) < reach if edge_x is not None else np.True_
        for mirror_y, edge_y in ((1, None), (-1, 0.0), (-1, width)):
            beside = beside_x & (np.abs(vias[:, 1] - edge_y) < reach if edge_y is not None else np.True_)
            some, whose = vias[beside | np.zeros(len(vias), bool)], owner[beside | np.zeros(len(vias), bool)]
            x, y, diameter, part = some.T
            across_x = x[:, None] - (x if edge_x is None else 2 * edge_x - x)
            across_y = y[:, None] - (y if edge_y is None else 2 * edge_y - y)
            square = across_x**2 + across_y**2
            i, j = np.nonzero(np.triu(square < reach**2))
            square, radius = square[i, j], (diameter[i] + diameter[j]) / 4
            direct = mirror_x == mirror_y == 1
            if direct and ((whose[i] == whose[j]) & (i != j) & (square < (2 * radius) ** 2 * (1 - 1e-9))).any():
                raise ValueError("two vias of a group overlap")
            ratio = np.maximum(square, radius**2) / (4 * spread)
            value = exp1(ratio)
            second = spread * (np.exp(-ratio) - ratio * value)
            if direct:  # a ring on itself, or on one that shares its place: its logarithm exactly
                own = square <= radius**2
                value[own] = -np.euler_gamma - np.log(ratio[own])
            weight, place = np.where(i == j, 0.5, 1.0) * part[i] * part[j], whose[i] * count + whose[j]
            total += [np.bincount(place, weight * one, count * count) for one in (value, second)]
    half = total.reshape(2, count, count) / (4 * np.pi)
    return np.asarray(half + half.transpose(0, 2, 1))
