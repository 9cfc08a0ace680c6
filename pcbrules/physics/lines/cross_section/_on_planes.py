# SPDX-License-Identifier: MIT
"""Fields on the planes of a section, for what is lost there and for what a plane that moves makes of a capacitance."""

from __future__ import annotations

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.lines.cross_section._influence import Boundary, reflected
from pcbrules.physics.lines.cross_section._panels import arc, gauss

STEP = 0.7
"""Length of a panel on a plane over the distance of the nearest copper [-]."""

MANY = 150
"""Panels on a plane at most: under traces far wider than high the field is even anyway."""

BEYOND = 10.0
"""Plane spacings beyond the last copper where nothing is left between two planes [-]: e^-62 of the products."""

Planes = tuple[Real, Real]
"""Something of the lower and of the upper plane."""


def on_planes(made: Boundary, axis: float | None) -> list[Planes]:
    """Fields into the section [V/m] of unit charges at all nodes [C/m], times the root of the step of each point.

    Of two rows of products the sum is the integral of the product of the fields. Given an ``axis``, points are on its
    right; then the same of charges at the mirror images of the nodes.

    Returns
    -------
    list of (ndarray, ndarray)
        Lower and upper plane, (points, nodes); no points on a plane that is not there.
    """
    kernel, at = made.kernel, made.nodes.at
    metal = at[made.nodes.metal]
    sources = [at] if axis is None else [at, reflected(at, axis)]
    places = kernel.places(np.concatenate(sources))
    found: list[list[Real]] = []
    for level, height, up in (
        (kernel.lower, float(metal[:, 1].min()) - kernel.lower, 1.0),
        (kernel.upper, 0.0 if kernel.upper is None else kernel.upper - float(metal[:, 1].max()), -1.0),
    ):
        if level is None:
            found.append([np.empty((0, len(at)))] * len(sources))
            continue
        ends = (float(metal[:, 0].min()), float(metal[:, 0].max()))
        x, step = _points(*ends, height, axis)
        if kernel.upper is not None:
            reach = BEYOND * (kernel.upper - kernel.lower)
            close = (x > ends[0] - reach) & (x < ends[1] + reach)
            x, step = x[close], step[close]
        point = kernel.places(np.column_stack([x, np.full(len(x), level)]))
        field = kernel.flux(point.column(), places, np.array([0.0, up]))
        field *= np.sqrt(step)[:, None]
        found.append(np.split(field, len(sources), axis=1))
    return [(low, high) for low, high in zip(*found, strict=True)]


def _points(left: float, right: float, height: float, axis: float | None) -> tuple[Real, Real]:
    """Points on a plane ``height`` off copper between two x, and their steps [m]; on the right of an ``axis``."""
    low, high = left - 3 * height if axis is None else axis, right + 3 * height
    count = min(int(np.ceil((high - low) / (STEP * height))), MANY)
    t, weight = gauss(6)
    size = (high - low) / count
    x = (low + size * (np.arange(count)[:, None] + t)).ravel()
    step = np.tile(size * weight, count)
    far, far_step = 3 * height * arc(t)[2], 3 * height * weight / (1 - t) ** 2
    tails = [high + far] if axis is not None else [high + far, low - far]
    return np.concatenate([x, *tails]), np.concatenate([step, *[far_step] * len(tails)])
