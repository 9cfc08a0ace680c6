# SPDX-License-Identifier: MIT
"""Where a sheet of triangles is narrow: chords from one edge of its copper to the next, and the current of each."""

from __future__ import annotations

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
    went, through, beside = (np.zeros(len(at)) for _ in range(3))
    into, done, live = side.copy(), np.zeros(len(at), bool), np.arange(len(at))
    crossed: list[tuple[Whole, Whole]] = [(live[:0], live[:0])]
    for _ in range(STEPS):
        if not len(live):
            break
        here, ray = at[live], normal[live]
        place = start[live] + went[live, None] * ray
        step, out = _leaves(corners[here], place, ray, into[live])
        middle = place + step[:, None] / 2 * ray
        density = -np.einsum("nk,nkd->nd", volts[here], slopes(mesh, here, middle)) / square
        beside[live] += (density * ray).sum(axis=1) * step
        through[live] += (density[:, 0] * ray[:, 1] - density[:, 1] * ray[:, 0]) * step
        went[live] += step
        crossed.append((live, here))
        after = mesh.beside[here, out]
        done[live[after < 0]] = True
        go = (after >= 0) & (went[live] <= widest / SQUARE) & np.isfinite(through[live])
        into[live] = (mesh.beside[after] == here[:, None]) @ np.arange(3)
        at[live] = np.where(after >= 0, after, here)
        live = live[go]
    through = np.abs(through)
    cosine = through / np.maximum(np.hypot(through, beside), 1e-300)
    width = went * cosine
    good = done & (cosine >= SQUARE) & (width <= widest) & (through > 0)
    final = np.cumsum(good) - 1
    chord, triangle = (np.concatenate(some) for some in zip(*crossed, strict=True))
    kept = good[chord]
    return _Chords(width[good], through[good], (start + went[:, None] / 2 * normal)[good],
                   (final[chord[kept]], triangle[kept]))


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
