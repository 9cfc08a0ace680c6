# SPDX-License-Identifier: MIT
"""The geometry of a golden entry as a `Section`: polygons decide, names are labels.

The golden domain is a box. Its sides stand for infinity, and so does an open top or bottom; a grounded one is a plane.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pcbrules.physics.lines.cross_section.section import Polygon, Section
from pcbrules.selftest.values import Unreadable, items, mapping, number, numbers, text

MICRON = 1e-6


@dataclass(frozen=True, slots=True)
class DrawnGeometry:
    """A section and the names of its regions: one a dielectric, in order, and each name of the air around."""

    section: Section
    names: tuple[str, ...]
    air: tuple[str, ...]


def drawn(geometry: Mapping[str, Any]) -> DrawnGeometry:
    """Read ``geometry_um`` of a cross-section. Raises Unreadable.

    Signals are the polygons in their order, then the strips of zero thickness. Regions of permittivity one that are
    painted before all others are the air that is there anyway; a later one is a hole and stays.
    """
    x0, x1, y0, y1 = numbers(geometry, "domain_x0_x1_y0_y1", (4,)).tolist()
    if not (x0 < x1 and y0 < y1):
        raise Unreadable("the domain is empty: expected x0 < x1 and y0 < y1")
    regions = items(geometry, "dielectrics_painter_order")
    air = 0
    while air < len(regions) and number(regions[air], "er") == 1:
        air += 1
    signals = [*outlines(geometry, "signal_conductors"), *outlines(geometry, "zero_thickness_strips", optional=True)]
    if not signals:
        raise Unreadable("signal_conductors is empty and there are no strips, expected one conductor at least")
    return DrawnGeometry(
        Section(
            signals=tuple(signals),
            grounds=outlines(geometry, "grounded_conductors", optional=True),
            dielectrics=tuple((_opened(outline(region), x0, x1), _permittivity(region)) for region in regions[air:]),
            lower=_plane(geometry, "bottom", y0),
            upper=_plane(geometry, "top", y1),
        ),
        names=tuple(_name(region) for region in regions[air:]),
        air=tuple(dict.fromkeys(_name(region) for region in regions[:air])),
    )


def outlines(geometry: Mapping[str, Any], key: str, *, optional: bool = False) -> tuple[Polygon, ...]:
    """Polygons of a list of conductors, in metres. Raises Unreadable."""
    return () if optional and key not in geometry else tuple(outline(item) for item in items(geometry, key))


def outline(item: Mapping[str, Any]) -> Polygon:
    """A ``polygon``, or the ``segment`` of a strip without thickness, in metres. Raises Unreadable."""
    key = "segment" if "segment" in item and "polygon" not in item else "polygon"
    corners = [(x * MICRON, y * MICRON) for x, y in numbers(item, key, (-1, 2)).tolist()]
    if len(corners) > 2 and corners[0] == corners[-1]:
        corners.pop()
    if len(set(corners)) < 2:
        raise Unreadable(f"{key} is a point, expected two corners at least")
    size = max(abs(x - u) + abs(y - v) for x, y in corners for u, v in corners)
    if len(corners) > 2 and area(corners) < 1e-12 * size**2:
        raise Unreadable(f"{key} has no area, expected a polygon, or a segment of two corners")
    return tuple(corners)


def area(corners: Sequence[tuple[float, float]]) -> float:
    """Area of a polygon. [m2]"""
    following = [*corners[1:], corners[0]]
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(corners, following, strict=True))) / 2


def _opened(polygon: Polygon, x0: float, x1: float) -> Polygon:
    """The polygon with its corners on the sides of the domain moved to infinity."""
    left, right, tolerance = x0 * MICRON, x1 * MICRON, 1e-9 * (x1 - x0) * MICRON
    return tuple(
        (-math.inf if x <= left + tolerance else math.inf if x >= right - tolerance else x, y) for x, y in polygon
    )


def _name(region: Mapping[str, Any]) -> str:
    return str(region.get("name", "a region without name"))


def _permittivity(region: Mapping[str, Any]) -> float:
    value = number(region, "er")
    if value < 1:
        raise Unreadable(f"er is {value:g}, expected 1 or more")
    return value


def _plane(geometry: Mapping[str, Any], side: str, y: float) -> float | None:
    boundary = mapping(geometry, "boundary")
    for wall in ("left", "right"):
        if boundary.get(wall, "open") != "open":
            raise Unreadable(f"a side wall that is not open ({wall}): the solver has none")
    kind = text(boundary, side)
    if kind not in ("ground", "open"):
        raise Unreadable(f"boundary {side} is {kind[:20]!r}, expected ground or open")
    return y * MICRON if kind == "ground" else None
