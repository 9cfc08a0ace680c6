# SPDX-License-Identifier: MIT
"""The field solver against coaxial lines: round, eccentric, of two dielectrics.

Circles are regular polygons that stand for them in the field: the inner conductor has the same potential far outside,
the outer one the same far inside, the border of the core the same area. The outer conductor is a ring with a narrow
slit at its top, because a polygon has no hole.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy.constants import c
from scipy.special import beta, gamma
from sections import read

from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.cross_section.section import Polygon, Section

COAX = read("coax")
SLIT = 1e-3
"""Half the width of the slit over the diameter."""


def polygon(radius: float, sides: int, x: float = 0.0, first: float | None = None) -> Polygon:
    """Regular polygon by its circumradius; ``first``: angle of its first corner."""
    start = math.pi / sides if first is None else first
    angles = [start + 2 * math.pi * k / sides for k in range(sides)]
    return tuple((x + radius * math.cos(a), radius * math.sin(a)) for a in angles)


def outer_radius(sides: int) -> float:
    """Radius of the circle with the same field outside as the polygon of circumradius one."""
    side = 2 * math.sin(math.pi / sides)
    scale = 2 ** (1 + 2 / sides) * math.sqrt(math.pi) * gamma(0.5 + 1 / sides)
    return float(side * gamma(1 / sides) / scale)


def inner_radius(sides: int) -> float:
    """Radius of the circle with the same field inside."""
    return float(sides / beta(1 / sides, 1 - 2 / sides))


def area_radius(sides: int) -> float:
    """Radius of the circle with the same area."""
    return math.sqrt(sides * math.sin(2 * math.pi / sides) / (2 * math.pi))


def ring(radius: float, sides: int, slit: float) -> Polygon:
    """Outer conductor, open at its topmost corner."""
    inside = polygon(radius, sides, first=math.pi / 2)
    outside = polygon(1.1 * radius, sides, first=math.pi / 2)
    low, high = inside[0][1], outside[0][1]
    return ((-slit, low), *inside[1:], (slit, low), (slit, high), *reversed(outside[1:]), (-slit, high))


def coax(case: dict[str, Any]) -> Section:
    sides, radius = case["sides"], case["outer"] / 2 / inner_radius(case["sides"])
    far = 2 * case["outer"]
    inf = math.inf
    filling: list[tuple[Polygon, float]] = [(((-inf, -far), (inf, -far), (inf, far), (-inf, far)), float(case["dk"]))]
    if "core" in case:
        filling.append((polygon(case["core"] / 2 / area_radius(sides), sides), float(case["core_dk"])))
    return Section(
        signals=(polygon(case["inner"] / 2 / outer_radius(sides), sides, case["offset"]),),
        grounds=(ring(radius, sides, SLIT * case["outer"]),),
        dielectrics=tuple(filling),
        lower=-far,
    )


@pytest.mark.long
@pytest.mark.parametrize("case", [
    pytest.param(case, id=case["case"], marks=[pytest.mark.long] if place % 3 else [])
    for place, case in enumerate(COAX["cases"])])
def test_coaxial_line(case: dict[str, Any]) -> None:
    fields = solve(coax(case))
    impedance = 1 / (c * math.sqrt(fields.c[0, 0] * fields.c0[0, 0]))
    for check in case["checks"]:
        assert impedance == pytest.approx(check["z0"], rel=check["within"]), check["source"]
