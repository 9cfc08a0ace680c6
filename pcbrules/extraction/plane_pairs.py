# SPDX-License-Identifier: MIT
"""Planes of supplies that face a ground plane on the next layer: the cavities of rails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import shapely

from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.plane_sheet import PlaneSheet
from pcbrules.extraction.reference import height_between
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.ties import ordered

SMALLEST = 25e-6
"""Area that faces a ground plane below which it is no plane; practice. [m^2]"""


@dataclass(frozen=True, slots=True)
class FacingPlanes:
    """A supply and a ground plane on neighbouring copper layers: nets and layers, the distance between their facing
    surfaces [m] (None where a thickness is open), the area that faces [m^2], and the corners of its box [m].
    """

    net: str
    layer: str
    ground: str
    ground_layer: str
    height: float | None
    area: float
    low: Point
    high: Point


def facing_planes(layout: Layout, sheets: dict[str, PlaneSheet]) -> tuple[FacingPlanes, ...]:
    """Every pair, the largest area of each net first; nets are told apart by the names of ground."""
    names = [one.name for one in layout.copper]
    copper = [sheets[name].by_net() for name in names]
    found = []
    for upper, lower in pairwise(range(len(names))):
        for one, other in ((upper, lower), (lower, upper)):
            height = height_between(layout.layers, upper, lower)
            found += list(_facing(names[one], copper[one], names[other], copper[other], height))
    return tuple(ordered(found, key=lambda pair: (pair.net, -pair.area, pair.layer, pair.ground_layer)))


def _facing(
    layer: str, supplies: dict[str, Any], ground_layer: str, grounds: dict[str, Any], height: float | None
) -> Iterator[FacingPlanes]:
    for net, area in supplies.items():
        for ground, below in grounds.items():
            if net and not is_ground(net) and is_ground(ground):
                both = shapely.intersection(area, below)
                if both.area >= SMALLEST:
                    x, y, u, v = both.bounds
                    yield FacingPlanes(net, layer, ground, ground_layer, height, float(both.area), (x, y), (u, v))
