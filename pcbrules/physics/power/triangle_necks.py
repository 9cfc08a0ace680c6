# SPDX-License-Identifier: MIT
"""Where a sheet of triangles is narrow: chords from one edge of its copper to the next, and the current of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pcbrules.arrays import Flags, Real, Whole
from pcbrules.physics.power.sheet_mesh import Mesh
from pcbrules.physics.power.sheet_necks import SQUARE, Necks
from pcbrules.physics.power.sheet_triangles import TriangleFlow, slopes

STEPS = 2000
"""Triangles that a chord crosses at most."""


class _Chords(NamedTuple):
    """Chords by number: true width, current, middle; and the triangles that each crosses, as pairs of numbers."""

    width: Real
    current: Real
    middle: Real
    crossed: tuple[Whole, Whole]


def triangle_necks(*, flow: TriangleFlow, layer: int, widest: float) -> Necks:
    """Chords of a layer, square to the edge of its copper, no wider than ``widest`` [m] and squarely to the current.

    Notes
    -----
    A chord begins in the middle of each side of a triangle that is an edge of the copper. Its current is that through
    each triangle, exact for potentials that are quadratic in it.
    """
    mesh, volts = flow.meshes[layer], flow.volts[layer]
    chords = _chords(mesh, volts, flow.square[layer], widest)
    drop = np.zeros(len(chords.width))
    most = widest
    while len(drop):
        narrow = np.zeros(len(mesh.corners), bool)
        own = chords.width[chords.crossed[0]] <= most
        narrow[chords.crossed[1][own]] = True
        if not narrow.any():
            break
        over = _differences(mesh, volts, narrow)
        mine = (chords.width <= most / 2) | ((most == widest) & (chords.width <= most))
        chord, triangle = chords.crossed
        most_of = np.zeros(len(drop))
        np.maximum.at(most_of, chord, over[triangle])
        drop[mine] = most_of[mine]
        most /= 2
    return Necks(chords.width, chords.current, chords.middle[:, 0], chords.middle[:, 1], drop)


def local_widths(*, flow: TriangleFlow, layer: int, some: Whole, widest: float) -> Real:
    """Width of the copper across the flow at the middle of some triangles [m]; ``widest`` where it is wider."""
    mesh, volts = flow.meshes[layer], flow.volts[layer]
    middle = mesh.points[mesh.corners[some]].mean(axis=1)
    slope = np.einsum("nk,nkd->nd", volts[some], slopes(mesh, some, middle))
    size = np.hypot(*slope.T)
    across = np.column_stack([-slope[:, 1], slope[:, 0]]) / np.where(size > 0, size, 1.0)[:, None]
    total = np.zeros(len(some))
    for normal in (across, -across):
        rays = _Rays(mesh, some, np.full(len(some), -1), middle, normal)
        for _ in rays.steps(widest):
            pass
        total += np.where(rays.done, rays.went, widest)
    return np.asarray(np.where(size > 0, np.minimum(total, widest), widest))


def _differences(mesh: Mesh, volts: Real, narrow: Flags) -> Real:
    """Largest difference within the triangles that are joined side by side; zero outside."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    here, side = np.nonzero((mesh.beside >= 0) & narrow[:, None] & narrow[mesh.beside])
    count = len(narrow)
    parts, mark = connected_components(
        coo_array((np.ones(len(here)), (here, mesh.beside[here, side])), shape=(count, count)), directed=False)
    top, bottom = np.full(parts, -np.inf), np.full(parts, np.inf)
    ends = volts[narrow][:, :3]
    np.maximum.at(top, np.repeat(mark[narrow], 3), ends.ravel())
    np.minimum.at(bottom, np.repeat(mark[narrow], 3), ends.ravel())
    found = np.zeros(count)
    found[narrow] = (top - bottom)[mark[narrow]]
    return np.nan_to_num(found)


def _chords(mesh: Mesh, volts: Real, square: float, widest: float) -> _Chords:
    """All chords, followed from triangle to triangle at once."""
    at, side = np.nonzero((mesh.beside < 0) & mesh.copper[:, None] & np.isfinite(volts[:, :1]))
    corners = mesh.points[mesh.corners]
    one, other = (corners[at, (side + n) % 3] for n in (1, 2))
    along = other - one
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(*along.T)[:, None]
    facing = corners[at, side]
    normal *= np.sign(((facing - one) * normal).sum(axis=1))[:, None]
    start = (one + other) / 2
    rays = _Rays(mesh, at, side, start, normal)
    through, beside = np.zeros(len(at)), np.zeros(len(at))
    crossed: list[tuple[Whole, Whole]] = [(at[:0], at[:0])]
    for live, here, place, step in rays.steps(widest / SQUARE):
        ray = normal[live]
        density = -np.einsum("nk,nkd->nd", volts[here], slopes(mesh, here, place + step[:, None] / 2 * ray)) / square
        beside[live] += (density * ray).sum(axis=1) * step
        through[live] += (density[:, 0] * ray[:, 1] - density[:, 1] * ray[:, 0]) * step
        crossed.append((live, here))
    went, done = rays.went, rays.done & np.isfinite(through)
    through = np.abs(through)
    cosine = through / np.maximum(np.hypot(through, beside), 1e-300)
    width = went * cosine
    good = done & (cosine >= SQUARE) & (width <= widest) & (through > 0)
    final = np.cumsum(good) - 1
    chord, triangle = (np.concatenate(some) for some in zip(*crossed, strict=True))
    kept = good[chord]
    return _Chords(width[good], through[good], (start + went[:, None] / 2 * normal)[good],
                   (final[chord[kept]], triangle[kept]))


class _Rays:
    """Rays that go from triangle to triangle, all at once: how far each went [m], and whether it met an edge.

    ``into`` is the side of its first triangle at which a ray begins, -1 within it.
    """

    def __init__(self, mesh: Mesh, at: Whole, into: Whole, start: Real, normal: Real) -> None:
        self.mesh, self.at, self.into = mesh, at.copy(), into.copy()
        self.start, self.normal = start, normal
        self.went, self.done = np.zeros(len(at)), np.zeros(len(at), bool)

    def steps(self, most: float) -> Iterator[tuple[Whole, Whole, Real, Real]]:
        """Of each step the rays that take it, their triangles, where they enter these, and how far they go in them."""
        live, corners, beside = np.arange(len(self.at)), self.mesh.points[self.mesh.corners], self.mesh.beside
        for _ in range(STEPS):
            if not len(live):
                break
            here = self.at[live]
            place = self.start[live] + self.went[live, None] * self.normal[live]
            step, out = _leaves(corners[here], place, self.normal[live], self.into[live])
            yield live, here, place, step
            self.went[live] += step
            after = beside[here, out]
            self.done[live[after < 0]] = True
            self.into[live] = (beside[after] == here[:, None]) @ np.arange(3)
            self.at[live] = np.where(after >= 0, after, here)
            live = live[(after >= 0) & (self.went[live] <= most)]


def _leaves(corners: Real, place: Real, normal: Real, into: Whole) -> tuple[Real, Whole]:
    """How far a ray from a place on one side of a triangle goes to another side, and the number of that side."""
    best, out = np.full(len(place), np.inf), np.zeros(len(place), np.int64)
    for k in range(3):
        one, other = corners[:, (k + 1) % 3], corners[:, (k + 2) % 3]
        along, away = other - one, one - place
        twice = normal[:, 0] * along[:, 1] - normal[:, 1] * along[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            step = (away[:, 0] * along[:, 1] - away[:, 1] * along[:, 0]) / twice
        # the ray leaves by the side whose outward normal it has a part of
        inward = corners[:, k] - one
        outwards = (along[:, 0] * inward[:, 1] - along[:, 1] * inward[:, 0]) * twice > 0
        use = (into != k) & outwards & (step < best)
        best[use], out[use] = step[use], k
    return np.maximum(np.where(np.isfinite(best), best, 0.0), 0.0), out
