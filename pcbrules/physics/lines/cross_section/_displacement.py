# SPDX-License-Identifier: MIT
"""What moves from one section to another: conductors and planes, while every interface of dielectrics stays."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_least_of_rows
from pcbrules.physics.lines.cross_section._influence import Nodes
from pcbrules.physics.lines.cross_section.section import Polygon, Section

ON_EDGE = 1e-9
"""Distance from an edge over the longest edge, below which a node lies on it [-]."""

CLOSE = 1e-12
"""Ways shorter than this part of the section are none [-]: what sums of thicknesses are rounded by."""


@dataclass(frozen=True, slots=True)
class Displacement:
    """How far the metal goes outwards at every node (m,), and each plane upwards [m]; permittivity beside either."""

    outwards: Real
    lower: float
    upper: float
    dk: tuple[float, float]


def displacement(section: Section, moved: Section, nodes: Nodes) -> Displacement | None:
    """From a section to another, or None if an interface of dielectrics moves or a strip without thickness does.

    The first signal's lowest corner stays: the rest of the section moves against it.

    Raises
    ------
    ValueError
        If the two do not have the same polygons with as many corners.
    """
    metal, there = (*section.signals, *section.grounds), (*moved.signals, *moved.grounds)
    plies, after = (tuple(made for made, _ in one.dielectrics) for one in (section, moved))
    if [*map(len, (*metal, *plies))] != [*map(len, (*there, *after))] or section.lower is None or moved.lower is None:
        raise ValueError("the moved section has other corners")
    up = min(y for _, y in section.signals[0]) - min(y for _, y in moved.signals[0])
    size = max(abs(value) for made in metal for corner in made for value in corner)
    lower = moved.lower + up - section.lower
    upper = 0.0 if section.upper is None or moved.upper is None else moved.upper + up - section.upper
    close = CLOSE * size
    ways = [np.subtract(other, made) + np.array([0.0, up]) for made, other in zip(metal, there, strict=True)]
    moves = [bool(np.abs(way).max() > close) for way in ways]
    if any(goes and len(made) == 2 for goes, made in zip(moves, metal, strict=True)):
        return None
    planes = [(section.lower, lower), *([] if section.upper is None else [(section.upper, upper)])]
    dks = [_beside(section, level, inward, close) for level, inward in ((section.lower, 1.0), (section.upper, -1.0))]
    stays = all(_stays(made, other, up, planes, close) for made, other in zip(plies, after, strict=True))
    if not stays or None in dks:
        return None
    low, high = (1.0 if dk is None else dk for dk in dks)
    outwards = _outwards(metal, ways, nodes) if any(moves) else np.zeros(len(nodes.arc))
    return Displacement(outwards, lower, upper, (low, high))


def _stays(made: Polygon, other: Polygon, up: float, planes: list[tuple[float, float]], close: float) -> bool:
    """True if no part of the boundary of a dielectric moves inside the section; what ends at a plane goes with it."""

    def way(x: float, y: float) -> float:
        return sum(way for level, way in planes if math.isinf(x) and abs(y - level) <= close)

    return all(
        (x == x_new or abs(x - x_new) <= close) and abs(y_new + up - y - way(x, y)) <= close
        for (x, y), (x_new, y_new) in zip(made, other, strict=True)
    )


def _beside(section: Section, level: float | None, inward: float, close: float) -> float | None:
    """Permittivity all along a plane, 1 if there is no plane; None if it is not one."""
    if level is None:
        return 1.0
    for made, dk in reversed(section.dielectrics):
        depths = [inward * (y - level) for _, y in made]
        if min(depths) <= close < max(depths):
            return dk if all(math.isinf(x) for x, _ in made) else None
    return 1.0


def _outwards(metal: tuple[Polygon, ...], ways: list[Real], nodes: Nodes) -> Real:
    """Way along the normal at every node of metal: in proportion between those of the ends of its edge. [m]"""
    at, normal = nodes.at, nodes.normal
    found = np.zeros(len(at))
    for k, (made, way) in enumerate(zip(metal, ways, strict=True)):
        mine = np.nonzero(nodes.conductor == k)[0]
        corners = np.array(made)
        along = np.roll(corners, -1, axis=0) - corners
        length = np.hypot(along[:, 0], along[:, 1])
        real = length > 0
        start, unit, length = corners[real], along[real] / length[real, None], length[real]
        first, last = way[real], np.roll(way, -1, axis=0)[real]
        gone = at[mine, None] - start
        ahead = np.clip((gone * unit).sum(axis=2), 0.0, length)
        off = np.square(gone - ahead[:, :, None] * unit).sum(axis=2)
        edge = first_least_of_rows(off, floor=(ON_EDGE * float(length.max())) ** 2)
        share = (ahead[np.arange(len(mine)), edge] / length[edge])[:, None]
        found[mine] = ((first[edge] + share * (last - first)[edge]) * normal[mine]).sum(axis=1)
    return found
