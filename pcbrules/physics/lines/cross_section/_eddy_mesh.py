# SPDX-License-Identifier: MIT
"""Filaments of a line: fine at the faces, where current crowds, and under the traces."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.lines.cross_section._filaments import Grid
from pcbrules.physics.lines.cross_section.section import Polygon

Shape = tuple[Real, Real]
"""Places x (2, 2) [m] of the left and right side at the foot and at the top, and the levels y (2,) [m] of these."""

THINNEST = 0.18e-6
"""First step from a face of a trace or a ground [m]: 0.6 of the skin depth of copper at 50 GHz."""

RATIO = 1.65
"""Each step from a face of a trace inward is this many times the last at most [-]."""

ROW = 0.12
"""Thickest row of a trace, as a part of its height [-]."""

COLUMN = 0.13
"""Widest column of a trace, as a part of its width [-]."""

PLANE_THINNEST = 0.9e-6
"""First step into a plane [m]."""

PLANE_RATIO = 3.4
"""Each step into a plane is this many times the last at most [-]: only the field of a slab is put right."""

LAYER = 0.4
"""Thickest layer of a plane, as a part of its thickness [-]."""

SPREAD = 0.22
"""Widest column of a plane under the edge of a trace, as a part of the distance between them [-]."""

GROWTH = 1.25
"""Each column away from the edges of the traces is this many times the last at most, at first [-]."""

DISTANT = 20.0
"""At this many heights away the columns grow twice as fast as at first [-]."""

NEWTON = 4
"""Steps of Newton's method for the ratio of a grading; what is left is shared out."""


def steps(length: float, first: float, ratio: float, knee: float, most: float) -> Real:
    """Steps (k,) [m] from a face inward that sum to ``length``.

    Each is ``ratio`` times the last until they reach ``knee``, then `GROWTH` times, but none above ``most``; all ratios
    are a little less for the sum to come out.
    """
    if length <= 2 * first:
        return np.array([length])
    sizes, total = [first], first
    while total < length:
        last = sizes[-1]
        grown = min(last * ratio, max(knee, last * GROWTH))
        sizes.append(max(last, min(grown, most)))
        total += sizes[-1]
    made = np.array(sizes)
    power = np.linspace(0, 1, len(made))
    shrink = 1.0
    for _ in range(NEWTON):
        trial = made * shrink**power
        shrink *= 1 - (trial.sum() - length) / (trial * power).sum()
    made *= shrink**power
    made *= length / made.sum()
    return made


def both(length: float, knee: float, most: float) -> Real:
    """Places (k,) [-], 0 to 1, of an interval fine at both ends."""
    half = steps(length / 2, THINNEST, RATIO, knee, most)
    return np.concatenate([[0.0], np.cumsum(np.concatenate([half, half[::-1]]))]) / length


def one(length: float, knee: float, most: float) -> Real:
    """Places (k,) [-], 0 to 1, of an interval fine at its beginning."""
    return np.concatenate([[0.0], np.cumsum(steps(length, THINNEST, RATIO, knee, most))]) / length


def trapezoid(polygon: Polygon) -> Shape:
    """Shape of a polygon.

    Raises
    ------
    ValueError
        Another shape.
    """
    corners = np.array(polygon, dtype=float)
    y = np.unique(corners[:, 1])
    if corners.shape != (4, 2) or len(y) != 2 or (corners[:, 1] == y[0]).sum() != 2:
        raise ValueError("a conductor's cross-section has to be a trapezoid with a level foot and top")
    x = np.array([np.sort(corners[corners[:, 1] == level, 0]) for level in y])
    return x, y


def meet(one: Shape, other: Shape) -> bool:
    """Whether two trapezoids meet: at the ends or in the middle of the heights they share."""
    low, high = max(one[1][0], other[1][0]), min(one[1][1], other[1][1])
    if low > high:
        return False
    share = np.linspace(low, high, 3)
    (a, b), (c, d) = ([np.interp(share, y, side) for side in x.T] for x, y in (one, other))
    return bool((np.minimum(b, d) >= np.maximum(a, c)).any())


def bar(x: Real, y: Real, columns: Real, conductor: int, resistivity: float) -> Grid:
    """Cells of a trapezoid between ``x`` (2, 2) at the levels ``y`` (2,), its ``columns`` as parts of the width."""
    height = float(y[1] - y[0])
    rows = both(height, ROW * height, ROW * height)
    edge = x[0] + rows[:, None] * (x[1] - x[0])
    layers = steps(height / 2, THINNEST, RATIO, ROW * height, ROW * height)
    return Grid(edge[:, :1] + columns * np.diff(edge, axis=1), y[0] + rows * height, conductor, resistivity, layers)


def plane(level: float, upward: bool, thickness: float, columns: Real, conductor: int, resistivity: float) -> Grid:
    """Cells of a plane whose face at ``level`` [m] looks upward or downward, with ``columns`` at x [m]."""
    layers = steps(thickness, PLANE_THINNEST, PLANE_RATIO, LAYER * thickness, LAYER * thickness)
    depth = np.concatenate([[0.0], np.cumsum(layers)])
    y = level - depth[::-1] if upward else level + depth
    return Grid(np.tile(columns, (len(y), 1)), y, conductor, resistivity, layers)


def under(begin: float, end: float, spans: Real, height: float) -> Real:
    """Columns [m] from ``begin`` to ``end`` of a plane, finest below the edges of traces over ``spans`` (k, 2) [m]."""
    at = np.linspace(begin, end, 2001)
    away = np.abs(at - spans.reshape(-1, 1)).min(axis=0)
    density = 1 / (SPREAD * height + np.log(GROWTH) * away * (1 + away / (DISTANT * height)))
    count = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)]) * (at[1] - at[0])
    return np.interp(np.linspace(0, count[-1], int(np.ceil(count[-1])) + 1), count, at)
