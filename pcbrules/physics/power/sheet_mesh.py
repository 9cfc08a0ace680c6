# SPDX-License-Identifier: MIT
"""Triangles of a sheet of copper: all its sides are sides of triangles, which are small where the copper is narrow.

Points are added as Ruppert does (J. Algorithms 18 (1995) 548): a side with a point in the circle over it is halved,
and a triangle that is thin or large gets the centre of its circle, many in one round. Coordinates are in metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from pcbrules.arrays import Flags, Real, Whole
from pcbrules.physics.power.sheet_slits import Polygon
from pcbrules.solver_cache import solved_once
from pcbrules.ties import ordered

GRID = 0.1e-6
"""Points lie on multiples of it, so they are the same on every processor; nearer ones are one. [m]"""
THIN = 1.3
"""Radius of the circle of a triangle over its shortest side from which it is divided: angles below 22.6 degrees. [-]"""
FINEST = 5e-6
"""Sides shorter than this are not halved, and triangles in smaller circles not divided. [m]"""
ROUNDS = 40
"""Of added points. What is thin after them stays so: it costs accuracy, which a second solution shows."""
FEW = 0.02
"""Part of the points: where so few would be added, none are. [-]"""
MOST = 150_000
"""Points of one sheet at most."""
ROOM = 0.8
"""Of two centres that are added in one round: least distance over the radius of the larger circle. [-]"""
_CHUNK = 400


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of the smallest convex region round a sheet and its contacts.

    Attributes
    ----------
    whole : ndarray, shape (points, 2)
        Points in units of ``GRID``.
    corners : ndarray, shape (triangles, 3)
        Numbers of points.
    beside : ndarray, shape (triangles, 3)
        The triangle across the side that faces each corner; -1 where the copper ends, or there is none.
    copper : ndarray of bool, shape (triangles,)
    under : ndarray, shape (triangles,)
        Number of the contact that covers a triangle of copper; -1 without one.
    """

    whole: Real
    corners: Whole
    beside: Whole
    copper: Flags
    under: Whole

    @property
    def points(self) -> Real:
        """Places of the points, shape (points, 2). [m]"""
        return self.whole * GRID

    def find(self, x: Real, y: Real) -> Whole:
        """The triangle of copper at places, shape (n,); -1 where there is none."""
        found = np.asarray(self._search.find_simplex(np.column_stack([x, y]) / GRID), np.int64)
        return np.where((found >= 0) & self.copper[found], found, -1)

    @cached_property
    def _search(self) -> Any:
        """The triangulation, made once: many places are looked for one after the other."""
        from scipy.spatial import Delaunay

        return Delaunay(self.whole)

    def __reduce__(self) -> tuple[type[Mesh], tuple[Any, ...]]:
        return Mesh, tuple(getattr(self, one.name) for one in fields(self))


@solved_once
def sheet_mesh(
    *, shapes: tuple[Polygon, ...], cutouts: tuple[Polygon, ...], contacts: tuple[Polygon, ...], largest: float
) -> Mesh:
    """Triangles of the copper in ``shapes`` and not in ``cutouts``, whose sides may cross; with the sides of contacts.

    Parameters
    ----------
    shapes, cutouts, contacts : tuple of polygon
        [m]
    largest : float
        Radius of the circle round a triangle. [m]

    Raises
    ------
    ValueError
        The copper needs more than ``MOST`` points, or its sides are too close to each other.
    """
    return _Refined(shapes, cutouts, contacts, largest).mesh()


class _Refined:
    """A triangulation in work: points in units of ``GRID``, sides as pairs of their numbers."""

    def __init__(
        self, shapes: Sequence[Polygon], cutouts: Sequence[Polygon], contacts: Sequence[Polygon], largest: float
    ) -> None:
        self.shapes, self.cutouts, self.contacts = (
            [np.array(one) / GRID for one in some] for some in (shapes, cutouts, contacts))
        self.largest = largest / GRID
        self.points, self.sides = _graph([*self.shapes, *self.cutouts, *self.contacts])

    def mesh(self) -> Mesh:
        """The triangles once no more points are needed."""
        for number in range(2 * ROUNDS):
            self._triangulate()
            missing = self._missing()
            if len(missing):
                self._halve_free(missing)
                continue
            self._regions()
            if number >= ROUNDS or not self._refine():
                corners = np.asarray(self.found.simplices, np.int64)
                return Mesh(self.points, corners, self.beside, self.copper, self.under)
        raise ValueError("the sides of the copper lie too close to each other to be solved")

    def _triangulate(self) -> None:
        from scipy.spatial import Delaunay

        if len(self.points) > MOST:
            raise ValueError("the copper has too many corners to be solved")
        self.found = Delaunay(self.points)
        corners = np.asarray(self.found.simplices, np.int64)
        self.edges = np.stack([_keys(corners[:, (k + 1) % 3], corners[:, (k + 2) % 3]) for k in range(3)], axis=1)
        self.held = np.sort(_keys(*self.sides.T))
        self.fixed = _within(self.edges, self.held)

    def _missing(self) -> Whole:
        """Sides that are no side of a triangle."""
        return np.flatnonzero(~_within(_keys(*self.sides.T), np.unique(self.edges)) & self._long(self.sides))

    def _long(self, sides: Whole) -> Flags:
        return np.asarray(np.hypot(*(self.points[sides[:, 0]] - self.points[sides[:, 1]]).T) > FINEST / GRID)

    def _regions(self) -> None:
        """Which triangles are copper, and under which contact: the same all over a region between sides."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        near = np.asarray(self.found.neighbors, np.int64)
        count = len(near)
        here, side = np.nonzero((near >= 0) & ~self.fixed)
        _, region = connected_components(coo_array((np.ones(len(here)), (here, near[here, side])),
                                                   shape=(count, count)), directed=False)
        order = np.argsort(-self._areas(), kind="stable")  # a thin triangle's middle may be beside it by rounding
        _, first = np.unique(region[order], return_index=True)
        x, y = self.points[self.found.simplices[order[first]]].mean(axis=1).T
        copper, under = np.zeros(len(x), bool), np.full(len(x), -1)
        for polygon in self.shapes:
            copper |= _inside(polygon, x, y)
        for polygon in self.cutouts:
            copper &= ~_inside(polygon, x, y)
        sizes = [abs(_area(one)) for one in self.contacts]
        for at in ordered(range(len(sizes)), key=lambda k: -sizes[k]):
            under[_inside(self.contacts[at], x, y)] = at
        under[~copper] = -1
        self.copper, self.under = copper[region], under[region]
        self.beside = np.where((near >= 0) & self.copper[near] & self.copper[:, None], near, -1)

    def _areas(self) -> Real:
        a, b, c = (self.points[self.found.simplices[:, k]] for k in range(3))
        return np.asarray(np.abs(_cross(b - a, c - a)) / 2)

    def _refine(self) -> bool:
        """Add a round of points; False where few are needed."""
        corners = np.asarray(self.found.simplices, np.int64)
        work = self.copper & (self.under < 0)
        halved = []
        for k in range(3):
            at, one, other = (self.points[corners[:, (k + n) % 3]] for n in range(3))
            near = self.fixed[:, k] & work & (((one - at) * (other - at)).sum(axis=1) < 0)
            halved.append(self.edges[near, k])
        crowded = np.flatnonzero(_within(_keys(*self.sides.T), np.unique(np.concatenate(halved))))
        crowded = crowded[self._long(self.sides[crowded])]
        centre, radius, shortest = self._circles(corners)
        bad = work & ((radius > THIN * shortest) | (radius > self.largest)) & (radius > FINEST / GRID)
        bad &= (shortest > FINEST / GRID) | (radius > self.largest)
        some = np.flatnonzero(bad)
        chosen = some[_apart(centre[some], radius[some])] if len(some) else some
        spoiled, fresh = self._centres(centre[chosen], chosen)
        both = np.union1d(crowded, spoiled)
        if len(both) + len(fresh) <= FEW * len(self.points):
            return False
        self._halve(both)
        self.points = np.vstack([self.points, fresh])
        return True

    def _circles(self, corners: Whole) -> tuple[Real, Real, Real]:
        """Centres, shape (n, 2), and radii of the circles through corners, and shortest sides."""
        a, b, c = (self.points[corners[:, k]] for k in range(3))
        u, v = b - a, c - a
        twice = 2 * _cross(u, v)
        twice = np.where(np.abs(twice) < 1e-12, 1e-12, twice)
        uu, vv = (u * u).sum(axis=1), (v * v).sum(axis=1)
        off = np.column_stack([v[:, 1] * uu - u[:, 1] * vv, u[:, 0] * vv - v[:, 0] * uu]) / twice[:, None]
        shortest = np.minimum(np.minimum(np.sqrt(uu), np.sqrt(vv)), np.hypot(*(c - b).T))
        return a + off, np.hypot(*off.T), shortest

    def _centres(self, places: Real, of: Whole) -> tuple[Whole, Real]:
        """Sides in whose circle one of some places lies, and the other places."""
        into = self._walked(places, of)
        good = (into >= 0) & self.copper[into] & (self.under[into] < 0)
        look = np.where(good, into, of)  # for a place beyond the copper the sides of its own triangle
        corners = np.asarray(self.found.simplices, np.int64)[look]
        spoiled, near_sides = ~good, []
        for k in range(3):
            one, other = (self.points[corners[:, (k + n) % 3]] - places for n in (1, 2))
            near = self.fixed[look, k] & ((one * other).sum(axis=1) < 0)
            spoiled = spoiled | near
            near_sides.append(self.edges[look[near], k])
        sides = np.flatnonzero(_within(_keys(*self.sides.T), np.unique(np.concatenate(near_sides))))
        return sides[self._long(self.sides[sides])], np.unique(np.round(places[~spoiled]), axis=0)

    def _walked(self, places: Real, of: Whole) -> Whole:
        """The triangle of each place, by a walk from a triangle near it, shape (n,); -1 outside of all."""
        simplices, neighbours = self.found.simplices, self.found.neighbors
        at = np.array(of, np.int64)
        left = np.arange(len(at))
        while len(left):
            corners = self.points[simplices[at[left]]]
            turn = np.sign(_cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
            beyond = np.stack([turn * _cross(corners[:, (k + 2) % 3] - corners[:, (k + 1) % 3],
                                             places[left] - corners[:, (k + 1) % 3]) for k in range(3)], axis=1)
            side = np.where(beyond[:, 0] < 0, 0, np.where(beyond[:, 1] < 0, 1, 2))
            out = (beyond < 0).any(axis=1)
            at[left[out]] = neighbours[at[left[out]], side[out]]
            left = left[out & (at[left] >= 0)]
        return at

    def _halve_free(self, some: Whole) -> None:
        """Halve sides, and their parts until no point lies in the circle over one: then it is a side of a triangle."""
        from scipy.spatial import cKDTree

        for _ in range(ROUNDS):
            self._halve(some)
            parts = np.arange(len(self.sides) - 2 * len(some), len(self.sides))
            middle = self.points[self.sides[parts]].mean(axis=1)
            reach = np.hypot(*(self.points[self.sides[parts, 0]] - middle).T)
            near = cKDTree(self.points).query(middle)[0]
            some = parts[(near < reach * (1 - 1e-9)) & self._long(self.sides[parts])]
            if not len(some):
                return

    def _halve(self, some: Whole) -> None:
        one, other = self.sides[some].T
        new = len(self.points) + np.arange(len(some))
        self.points = np.vstack([self.points, np.round((self.points[one] + self.points[other]) / 2)])
        rest = np.delete(self.sides, some, axis=0)
        self.sides = np.vstack([rest, np.column_stack([one, new]), np.column_stack([new, other])])


def _apart(places: Real, radius: Real) -> Whole:
    """Numbers of places of which none lies within ``ROOM`` of the radius of a larger one."""
    from scipy.spatial import cKDTree

    order = np.argsort(-np.round(radius).astype(np.int64), kind="stable")
    near = cKDTree(places).query_ball_point(places[order], ROOM * radius[order])
    blocked = np.zeros(len(places), bool)
    kept = []
    for at, others in zip(order.tolist(), near, strict=True):
        if not blocked[at]:
            kept.append(at)
            blocked[others] = True
    return np.array(kept, np.int64)


def _graph(polygons: Sequence[Real]) -> tuple[Real, Whole]:
    """Corners, shape (n, 2), and sides, shape (m, 2), of polygons; a side is cut where another meets it."""
    starts = np.round(np.vstack(polygons))
    ends = np.round(np.vstack([np.roll(one, -1, axis=0) for one in polygons]))
    proper = (starts != ends).any(axis=1)
    starts, ends = starts[proper], ends[proper]
    cuts: list[tuple[Whole, Real]] = [(np.arange(len(starts)), np.zeros(len(starts))),
                                      (np.arange(len(starts)), np.ones(len(starts)))]
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    for first in range(0, len(starts), _CHUNK):
        own = slice(first, first + _CHUNK)
        meet = np.ones((len(low[own]), len(low)), bool)
        for k in (0, 1):
            meet &= low[own, k, None] <= high[:, k] + 1
            meet &= low[:, k] <= high[own, k, None] + 1
        one, other = np.nonzero(meet)
        cuts.append(_crossed(starts, ends, one + first, other))
    side, place = (np.concatenate(some) for some in zip(*cuts, strict=True))
    at = np.round(starts[side] + place[:, None] * (ends - starts)[side])
    order = np.lexsort((place, side))
    points, number = np.unique(at[order], axis=0, return_inverse=True)
    number, side = number.ravel(), side[order]
    same = side[1:] == side[:-1]
    pairs = np.column_stack([number[:-1], number[1:]])[same]
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    return points, np.asarray(pairs, np.int64)


def _crossed(starts: Real, ends: Real, one: Whole, other: Whole) -> tuple[Whole, Real]:
    """Where sides ``one`` are cut by the sides ``other``: number of the side, and place along it from 0 to 1."""
    along, far = (ends - starts)[one], (ends - starts)[other]
    twice = _cross(along, far)
    between = starts[other] - starts[one]
    with np.errstate(divide="ignore", invalid="ignore"):
        t, u = _cross(between, far) / twice, _cross(between, along) / twice
    cut = (twice != 0) & (t > 0) & (t < 1) & (u >= 0) & (u <= 1)
    found = [(one[cut], t[cut])]
    length = (along * along).sum(axis=1)
    for end in (starts[other], ends[other]):  # a corner that lies on a side
        away = end - starts[one]
        place = (away * along).sum(axis=1) / length
        on = (np.abs(_cross(along, away)) <= np.sqrt(length)) & (place > 0) & (place < 1)
        found.append((one[on], place[on]))
    side, place = (np.concatenate(some) for some in zip(*found, strict=True))
    return side, place


def _keys(one: Whole, other: Whole) -> Whole:
    """One number for a pair in any order."""
    return (np.minimum(one, other) << 32) + np.maximum(one, other)


def _within(some: Whole, ordered: Whole) -> Flags:
    """True for numbers that are among ordered ones."""
    if not len(ordered):
        return np.zeros(some.shape, bool)
    at = np.minimum(np.searchsorted(ordered, some), len(ordered) - 1)
    return np.asarray(ordered[at] == some)


def _inside(polygon: Real, x: Real, y: Real) -> Flags:
    """True for places in a polygon, shape (n,); most polygons are far from most places."""
    (left, low), (right, high) = polygon.min(axis=0), polygon.max(axis=0)
    near = np.flatnonzero((x > left) & (x < right) & (y > low) & (y < high))
    found = np.zeros(len(x), bool)
    if len(near):
        (xs, ys), (ends_x, ends_y) = polygon.T, np.vstack([polygon[1:], polygon[:1]]).T
        own_x, own_y = x[near, None], y[near, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            beyond = own_x < xs + (own_y - ys) * ((ends_x - xs) / (ends_y - ys))
        found[near] = (((ys > own_y) != (ends_y > own_y)) & beyond).sum(axis=1) % 2 == 1
    return found


def _area(polygon: Real) -> float:
    x, y = polygon.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _cross(one: Real, other: Real) -> Real:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
