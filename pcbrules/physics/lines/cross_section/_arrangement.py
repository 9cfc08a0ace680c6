# SPDX-License-Identifier: MIT
"""From polygons to boundary segments: what lies on either side of every piece of every edge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Index, Real
from pcbrules.physics.common.extremes import first_greatest_of_rows
from pcbrules.physics.lines.cross_section.section import Polygon, Section

MERGE = 1e-7
"""Corners closer than this part of the structure's size are one [-]."""

ASIDE = 3e-6
"""Distance from an edge at which its two sides are looked up, as a part of the structure's size [-]."""

REACH = 5.0
"""Between two planes an interface without end is cut this many plane spacings beyond the last corner: e^-15 is left."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Straight pieces of boundary, m of them.

    ``start``, ``end`` (m, 2) [m]; ``endless`` (m,): the piece goes on from ``start`` in the direction of ``end`` for
    ever; ``smooth`` (m,): its ``end`` is no corner, but where the other half of a section begins. ``conductor`` (m,):
    index among signals and grounds, -1 for an interface of dielectrics. ``left``, ``right`` (m,): index of the
    dielectric on either side of start to end, or of end to start where the piece is ``turned`` (m,); -1 where there is
    metal, which is on the right. The normal points left.
    """

    start: Real
    end: Real
    endless: NDArray[np.bool_]
    smooth: NDArray[np.bool_]
    turned: NDArray[np.bool_]
    conductor: Index
    left: Index
    right: Index


def arrange(section: Section, axis: float | None = None) -> Segments:
    """Boundary segments of a section whose plane, if it has one only, is the lower one.

    Given an ``axis`` x [m] about which the section is its own mirror image, those on its right half only.

    The section is valid (``assert_valid``); its plane, or one of its planes, is the lower one.
    """
    conductors = (*section.signals, *section.grounds)
    polygons = [np.array(polygon, dtype=float) for polygon in (*conductors, *(made for made, _ in section.dielectrics))]
    low, high = section.base, math.inf if section.upper is None else section.upper
    corners = np.concatenate(polygons)
    finite = corners[np.isfinite(corners[:, 0]), 0]
    middle = (finite.min() + finite.max()) / 2 if axis is None else axis
    scale = float(max(2 * (finite.max() - middle), np.max(np.concatenate(polygons[: len(conductors)])[:, 1]) - low))
    far = finite.max() - middle + (REACH * (high - low) if high < math.inf else 4 * scale)
    polygons = [np.column_stack([np.clip(made[:, 0], middle - far, middle + far), made[:, 1]]) for made in polygons]
    edges, owner = _edges(polygons)
    pieces = _halved(_split(edges, scale), middle, far)
    if axis is not None:
        pieces = _right_of(pieces, axis, MERGE * scale)
    inside = (pieces[:, :, 1] > low + MERGE * scale).any(axis=1) & (pieces[:, :, 1] < high - MERGE * scale).any(axis=1)
    inside &= ~(np.abs(np.abs(pieces[:, :, 0] - middle) - far) < MERGE * scale).all(axis=1)
    pieces = pieces[inside]
    along = pieces[:, 1] - pieces[:, 0]
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(along[:, 0], along[:, 1])[:, None]
    centre = pieces.mean(axis=1)
    aside = ASIDE * scale
    within = _within(np.concatenate([centre + aside * normal, centre - aside * normal]), edges, owner, len(polygons))
    thick = np.array([len(made) > 2 for made in conductors])
    metal = within[: len(conductors)] & thick[:, None]
    owned = np.where(metal.any(axis=0), first_greatest_of_rows(metal.T.astype(float)), -1)
    painted = within[len(conductors) :]
    ranks = np.arange(1, len(section.dielectrics) + 1)[:, None]
    region = (painted * ranks).max(axis=0) - 1 if len(ranks) else np.full(len(owned), -1)
    region = np.where(region < 0, len(ranks), region)
    m = len(pieces)
    on_left, on_right = owned[:m], owned[m:]
    left, right = region[:m], region[m:]
    strip = _strips(conductors, centre, scale)
    keep = ((on_left < 0) != (on_right < 0)) | ((on_left < 0) & (on_right < 0) & ((strip >= 0) | (left != right)))
    # metal is on the right of a conductor's boundary
    flip = (on_left >= 0)[:, None, None]
    pieces = np.where(flip, pieces[:, ::-1], pieces)
    conductor = np.maximum(np.maximum(on_left, on_right), strip)
    outside = np.where(on_left >= 0, right, left)
    solid = (on_left >= 0) | (on_right >= 0)
    left, right = np.where(solid, outside, left), np.where(solid, -1, right)
    start, end = pieces[keep, 0], pieces[keep, 1]
    both = np.stack([start[:, 0], end[:, 0]])
    far_ends = (np.abs(np.abs(both - middle) - far) < MERGE * scale) & (high == math.inf)
    inner_ends = np.zeros_like(far_ends) if axis is None else np.abs(both - axis) < MERGE * scale
    # what is no corner comes last
    back = far_ends[0] | (inner_ends[0] & ~far_ends[1])
    start[back], end[back] = end[back].copy(), start[back].copy()
    endless = far_ends.any(axis=0)
    return Segments(start, end, endless, inner_ends.any(axis=0) & ~endless, back, conductor[keep], left[keep],
                    right[keep])


def _edges(polygons: list[Real]) -> tuple[Real, Index]:
    """Edges (k, 2, 2) of closed polygons, and the polygon of each; of a strip its one edge."""
    edges, owner = [], []
    for i, made in enumerate(polygons):
        following = np.roll(made, -1, axis=0)
        pairs = np.stack([made, following], axis=1)[: 1 if len(made) == 2 else None]
        edges.append(pairs)
        owner.append(np.full(len(pairs), i))
    return np.concatenate(edges), np.concatenate(owner)


def _split(edges: Real, scale: float) -> Real:
    """Edges cut at all corners and crossings of others, each piece once."""
    tolerance = MERGE * scale
    start, along = edges[:, 0], edges[:, 1] - edges[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])
    real = length > tolerance
    edges, start, along, length = edges[real], start[real], along[real], length[real]
    unit = along / length[:, None]
    points = edges.reshape(-1, 2)
    gone = points[None] - start[:, None]
    ahead = np.einsum("epk,ek->ep", gone, unit)
    off = np.abs(gone[:, :, 0] * unit[:, None, 1] - gone[:, :, 1] * unit[:, None, 0])
    which, point = np.nonzero((off < 2 * tolerance) & (ahead > tolerance) & (ahead < length[:, None] - tolerance))
    cuts = [(which, ahead[which, point])]
    cross = unit[:, None, 0] * unit[None, :, 1] - unit[:, None, 1] * unit[None, :, 0]
    apart = start[None] - start[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        mine = (apart[:, :, 0] * unit[None, :, 1] - apart[:, :, 1] * unit[None, :, 0]) / cross
        yours = (apart[:, :, 0] * unit[:, None, 1] - apart[:, :, 1] * unit[:, None, 0]) / cross
        crossing = (np.abs(cross) > 1e-9) & (mine > tolerance) & (mine < length[:, None] - tolerance)
        crossing &= (yours > tolerance) & (yours < length[None] - tolerance)
    which, other = np.nonzero(crossing)
    cuts.append((which, mine[which, other]))
    count = len(edges)
    index = np.concatenate([np.arange(count), np.arange(count), *(which for which, _ in cuts)])
    place = np.concatenate([np.zeros(count), length, *(where for _, where in cuts)])
    order = np.lexsort((place, index))
    index, place = index[order], place[order]
    same = index[1:] == index[:-1]
    grown = place[1:] - place[:-1] > tolerance
    first, last = place[:-1][same & grown], place[1:][same & grown]
    of = index[:-1][same & grown]
    pieces = start[of][:, None] + unit[of][:, None] * np.stack([first, last], axis=1)[:, :, None]
    x, y = (_labels(pieces[:, :, axis].ravel(), tolerance).reshape(-1, 2) for axis in (0, 1))
    keys = np.column_stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1]])
    swap = (keys[:, 0] > keys[:, 2]) | ((keys[:, 0] == keys[:, 2]) & (keys[:, 1] > keys[:, 3]))
    keys[swap] = keys[swap][:, [2, 3, 0, 1]]
    _, once = np.unique(keys, axis=0, return_index=True)
    return np.asarray(pieces[np.sort(once)])


def _halved(pieces: Real, middle: float, far: float) -> Real:
    """Pieces that go on for ever both ways, cut in the middle."""
    whole = np.abs(pieces[:, 1, 0] - pieces[:, 0, 0]) > 1.9 * far
    here = pieces[whole].mean(axis=1)
    first, last = pieces[whole].copy(), pieces[whole].copy()
    first[:, 1], last[:, 0] = here, here
    return np.concatenate([pieces[~whole], first, last])


def _right_of(pieces: Real, axis: float, close: float) -> Real:
    """The parts of pieces on the right of an axis."""
    x = pieces[:, :, 0] - axis
    crossing = (x.min(axis=1) < -close) & (x.max(axis=1) > close)
    whole = pieces[(x.min(axis=1) >= -close) & (x.max(axis=1) > close)]
    parts, at = pieces[crossing], x[crossing]
    rise = (at[:, 0] / (at[:, 0] - at[:, 1]))[:, None]
    meet = parts[:, 0] + rise * (parts[:, 1] - parts[:, 0])
    meet[:, 0] = axis
    outer = np.where((at[:, 0] > 0)[:, None], parts[:, 0], parts[:, 1])
    return np.concatenate([whole, np.stack([outer, meet], axis=1)])


def _labels(values: Real, tolerance: float) -> Index:
    """Numbers that are equal for values closer than a tolerance to each other."""
    order = np.argsort(values)
    steps = np.concatenate([[0], np.cumsum(np.diff(values[order]) > tolerance)])
    found = np.empty(len(values), dtype=np.intp)
    found[order] = steps
    return found


def _within(points: Real, edges: Real, owner: Index, count: int) -> NDArray[np.bool_]:
    """Which of ``count`` polygons (rows) hold which points (columns), by the parity of crossings."""
    x, y = points[:, 0], points[:, 1]
    (x0, y0), (x1, y1) = edges[:, 0].T[:, :, None], edges[:, 1].T[:, :, None]
    spans = (y0 > y) != (y1 > y)
    rise = np.where(y1 == y0, 1.0, y1 - y0)
    crossed = spans & (x < x0 + (x1 - x0) * (y - y0) / rise)
    inside = np.zeros((count, len(points)), dtype=np.intp)
    np.add.at(inside, owner, crossed.astype(np.intp))
    return np.asarray(inside % 2 == 1)


def _strips(conductors: tuple[Polygon, ...], centre: Real, scale: float) -> Index:
    """Index of the strip of zero thickness that a point lies on, else -1."""
    found = np.full(len(centre), -1)
    for i, made in enumerate(conductors):
        if len(made) == 2:
            a, b = np.array(made[0]), np.array(made[1])
            length = float(np.hypot(*(b - a)))
            unit = (b - a) / length
            gone = centre - a
            ahead = gone @ unit
            off = np.abs(gone[:, 0] * unit[1] - gone[:, 1] * unit[0])
            found[(off < 2 * MERGE * scale) & (ahead > 0) & (ahead < length)] = i
    return found
