# SPDX-License-Identifier: MIT
"""Does the copper of two nets lie on one place of a layer?"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from math import sqrt

from pcbrules.document import Path
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import CopperSheet, CopperSide, Region
from pcbrules.phrases import under
from pcbrules.readers.copper_check import Spot, on_copper, outlines
from pcbrules.readers.names import Names
from pcbrules.units import show

Sheets = list[tuple[str, str, Path, CopperSheet]]

RETURN = "return"
"""The net of all return planes: rails share them."""
TOUCH = 1e-7
"""Overlaps narrower than this are none. [m]"""
LOOKS = 400_000
"""Sides of polygons that are looked at for two sheets, about."""


def check_overlaps(rails: Mapping[str, Rail], names: Names) -> None:
    """Keep a problem for every two sheets of different nets that overlap."""
    drawn: Sheets = []
    for name, rail in rails.items():
        if rail.copper is not None:
            at: Path = ("rails", name, "copper")
            drawn += _sheets(name, f"rails{under(name)}.copper", at, rail.copper)
            if rail.copper.return_side is not None:
                drawn += _sheets(RETURN, f"rails{under(name)}.copper.return", (*at, "return"), rail.copper.return_side)
    for (net, text, _, one), (other_net, _, at, other) in combinations(drawn, 2):
        if one.layer != other.layer or net == other_net or names.document.measured(at):
            continue  # of a layout both are as drawn
        place = _common(one, other)
        if place is not None:
            x, y = (show(value, "mm", 5) for value in place)
            names.fault(at, f"the copper of two nets overlaps on {one.layer}", found=f"({x}, {y}), also in {text}",
                        expected="shapes that leave each other out",
                        fix="give `cutouts`, or the shape and the layer that each has")


def _sheets(net: str, text: str, at: Path, side: CopperSide) -> Sheets:
    return [(net, text, (*at, "sheets", i), sheet) for i, sheet in enumerate(side.sheets)]


def _common(one: CopperSheet, other: CopperSheet) -> Spot | None:
    """A place that has copper of both, if one was found: exact for sides along x and y."""
    pairs = [box for a in one.shapes for b in other.shapes if (box := _box(a, b))]
    regions = [*one.shapes, *one.cutouts, *other.shapes, *other.cutouts]
    corners = [corner for region in regions for corner in region.polygon]
    mine, theirs = outlines(one), outlines(other)
    looks = max(LOOKS // len(corners), 4)
    most = max(2, int(sqrt(looks / max(len(pairs), 1))))
    for low, high in pairs[: max(1, looks // most**2)]:
        xs, ys = (_middles([low[k], high[k], *(corner[k] for corner in corners if low[k] < corner[k] < high[k])], most)
                  for k in (0, 1))
        for x, y in ((x, y) for x in xs for y in ys):
            if on_copper(*mine, (x, y)) and on_copper(*theirs, (x, y)):
                return x, y
    return None


def _box(one: Region, other: Region) -> tuple[Spot, Spot] | None:
    """What the rectangles round two shapes have in common."""
    (ax, ay), (bx, by) = (zip(*region.polygon, strict=True) for region in (one, other))
    low, high = (max(min(ax), min(bx)), max(min(ay), min(by))), (min(max(ax), max(bx)), min(max(ay), max(by)))
    return (low, high) if high[0] - low[0] > TOUCH and high[1] - low[1] > TOUCH else None


def _middles(marks: list[float], most: int) -> list[float]:
    """Middles between marks, some of them if there are many."""
    found = [(a + b) / 2 for a, b in pairwise(sorted(marks)) if b - a > TOUCH]
    return found[:: max(1, -(-len(found) // most))]
