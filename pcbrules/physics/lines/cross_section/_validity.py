# SPDX-License-Identifier: MIT
"""Which sections have no solution: conductors that touch, shapes that are none."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.lines.cross_section.section import Polygon, Section

TOUCH = 1e-6
"""Conductors closer than this part of the section's size touch [-]."""


def assert_valid(section: Section) -> None:
    """Refuse what is no section.

    Raises
    ------
    ValueError
        No plane, no signal, planes the wrong way round; a conductor that is a point, has no area or no finite corners,
        meets a plane or another conductor (grounds may meet planes and each other); a permittivity below 1.
    """
    low = -math.inf if section.lower is None else section.lower
    high = math.inf if section.upper is None else section.upper
    if section.lower is None and section.upper is None:
        raise ValueError("a section needs a plane")
    if not low < high:
        raise ValueError("the upper plane is not above the lower one")
    if not section.signals:
        raise ValueError("a section needs a signal conductor")
    conductors = [np.array(polygon, dtype=float) for polygon in (*section.signals, *section.grounds)]
    if not all(np.isfinite(made).all() for made in conductors):
        raise ValueError("a corner of a conductor is not finite")
    everything = np.concatenate(conductors)
    plane = high if low == -math.inf else low
    size = float(np.ptp(everything, axis=0).max() + np.abs(everything[:, 1] - plane).max())
    signals = len(section.signals)
    for k, made in enumerate(conductors):
        _assert_shape(made, size)
        into = TOUCH * size if k < signals else -TOUCH * size
        if made[:, 1].min() < low + into or made[:, 1].max() > high - into:
            raise ValueError("a conductor meets a plane")
    for (i, one), (_, other) in combinations(enumerate(conductors), 2):
        if i < signals and _meet(one, other, TOUCH * size):
            raise ValueError("conductors meet each other")
    for polygon, dk in section.dielectrics:
        if not (dk >= 1 and math.isfinite(dk)):
            raise ValueError(f"a permittivity of {dk:g}, expected 1 or more")
        _assert_dielectric(polygon)


def _assert_shape(made: Real, size: float) -> None:
    following = np.roll(made, -1, axis=0)
    if len(made) < 2 or np.ptp(made, axis=0).max() < TOUCH * size:
        raise ValueError("a conductor is a point")
    area = (made[:, 0] * following[:, 1] - following[:, 0] * made[:, 1]).sum() / 2
    if len(made) > 2 and abs(area) < (TOUCH * size) ** 2:
        raise ValueError("a conductor has no area: give two corners for a strip of no thickness")


def _assert_dielectric(polygon: Polygon) -> None:
    if any(math.isnan(x) or not math.isfinite(y) for x, y in polygon):
        raise ValueError("a corner of a dielectric is not a number, or at infinite height")


def _meet(one: Real, other: Real, close: float) -> bool:
    """True if two polygons or strips touch, cross, or hold one another."""
    if (one.min(axis=0) > other.max(axis=0) + close).any() or (other.min(axis=0) > one.max(axis=0) + close).any():
        return False
    first, second = _edges(one), _edges(other)
    near = min(_least(one, second), _least(other, first)) < close
    return near or _cross(first, second) or _holds(one, other[0]) or _holds(other, one[0])


def _edges(made: Real) -> Real:
    pairs = np.stack([made, np.roll(made, -1, axis=0)], axis=1)
    return pairs[:1] if len(made) == 2 else pairs[np.abs(pairs[:, 1] - pairs[:, 0]).max(axis=1) > 0]


def _least(points: Real, edges: Real) -> float:
    """Least distance of points from edges."""
    along = edges[:, 1] - edges[:, 0]
    gone = points[:, None] - edges[:, 0]
    share = np.clip((gone * along).sum(axis=-1) / (along * along).sum(axis=-1), 0, 1)
    off = gone - share[..., None] * along
    return float(np.hypot(off[..., 0], off[..., 1]).min())


def _cross(first: Real, second: Real) -> bool:
    def side(edges: Real, points: Real) -> Real:
        along = edges[:, 1] - edges[:, 0]
        gone = points[None] - edges[:, 0][:, None]
        return np.asarray(along[:, :1] * gone[..., 1] - along[:, 1:] * gone[..., 0])

    of_first = side(first, second[:, 0]) * side(first, second[:, 1]) < 0
    of_second = side(second, first[:, 0]) * side(second, first[:, 1]) < 0
    return bool((of_first & of_second.T).any())


def _holds(polygon: Real, point: Real) -> bool:
    """True if a polygon of three corners or more holds a point."""
    if len(polygon) < 3:
        return False
    (x0, y0), (x1, y1) = polygon.T, np.roll(polygon, -1, axis=0).T
    spans = (y0 > point[1]) != (y1 > point[1])
    rise = np.where(y1 == y0, 1.0, y1 - y0)
    return bool((spans & (point[0] < x0 + (x1 - x0) * (point[1] - y0) / rise)).sum() % 2)
