# SPDX-License-Identifier: MIT
"""Antipads under a ball field that the board file does not speak of."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

from pcbrules.model.rail_copper import BallField, CopperSheet, CopperSide
from pcbrules.physics.power.sheet_slits import Polygon

FRACTION = 0.6
"""Largest part of a plane that the antipads of a ball field take away, backdrilled or not: practice, 30 to 60 %. [-]"""
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Antipads:
    """A region with a square lattice of antipads: pitch, diameter [m], their area over that of the region [-]."""

    region: Polygon
    pitch: float
    antipad: float
    fraction: float


def undeclared_sheets(side: CopperSide) -> list[int]:
    """Numbers of the sheets under a ball field that do not say whether they are perforated."""
    return [i for i, sheet in enumerate(side.sheets) if sheet.perforated is None and _fields(sheet, side)]


def assumed_antipads(sheet: CopperSheet, side: CopperSide) -> list[Antipads]:
    """The most antipads that may pierce a sheet, under each ball field: one at every site of the field's pitch."""
    fields = _fields(sheet, side)
    pitch = max((field.pitch.value for field in fields), default=0.0)
    antipad = pitch * sqrt(4 * FRACTION / pi)
    return [Antipads(((x, y), (right, y), (right, top), (x, top)), pitch, antipad, FRACTION)
            for x, y, right, top in _joined([_box(field) for field in fields])]


def _fields(sheet: CopperSheet, side: CopperSide) -> list[BallField]:
    """Ball fields over a sheet; a single ball is none. All pierce it or end on it: a package has other nets too."""
    xs, ys = zip(*(corner for shape in sheet.shapes for corner in shape.polygon), strict=True)
    return [field for field in side.balls if field.columns * field.rows > 1
            and _meet(_box(field), (min(xs), min(ys), max(xs), max(ys)))]


def _box(field: BallField) -> Box:
    """A field with half a pitch around it: left, bottom, right, top. [m]"""
    xs, ys = zip(*field.places, strict=True)
    half = field.pitch.value / 2
    return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _joined(boxes: list[Box]) -> list[Box]:
    """Rectangles of which no two overlap: those that do become the one round them."""
    apart: list[Box] = []
    for box in boxes:
        while touching := [other for other in apart if _meet(box, other)]:
            apart = [other for other in apart if other not in touching]
            lows, highs = zip(*((one[:2], one[2:]) for one in (box, *touching)), strict=True)
            box = (min(x for x, _ in lows), min(y for _, y in lows), max(x for x, _ in highs),
                   max(y for _, y in highs))
        apart.append(box)
    return apart
