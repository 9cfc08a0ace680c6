# SPDX-License-Identifier: MIT
"""The copper of a rail against the stackup and itself: layers that exist, places that lie on the drawn shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import cos, hypot, pi, sin

from pcbrules.document import Path, show_path
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import CopperSheet, CopperSide, CopperSource, Region
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper
from pcbrules.readers.names import Names
from pcbrules.units import show

Spot = tuple[float, float]
Outline = tuple[Spot, ...]

RIM = 0.999
"""Of the size of a source: where its rim is looked at. [-]"""


def check_copper(rail: Rail, stack: Stack | None, at: Path, names: Names) -> None:
    """Keep a problem for every unknown layer, and for every source, hole or sense point that is not on its copper.

    A layer that the stackup or the rail's ``planes`` give to another net is warned of.
    """
    copper = rail.copper
    if copper is None:
        return
    _side(copper, at, names)
    _sites(copper, at, names)
    roles = {one.name: one.spec.role for one in stack.coppers if isinstance(one.spec, Copper)} if stack else {}
    for i, sheet in enumerate(copper.sheets):
        place = (*at, "sheets", i, "layer")
        if names.document.measured(place):
            continue  # a layout: the copper is there, whatever most of its layer is
        if roles.get(sheet.layer) == "ground":
            names.warn(place, f"the stackup says that {sheet.layer} is ground, and supply copper is drawn on it")
        elif rail.planes and roles.get(sheet.layer) == "power" and sheet.layer not in rail.planes:
            names.warn(place, f"the power layer {sheet.layer} is none of the rail's `planes`, and its copper is drawn "
                              "on it")
    if copper.return_side is not None:
        _side(copper.return_side, (*at, "return"), names)
        _sites(copper.return_side, (*at, "return"), names)
        for i, sheet in enumerate(copper.return_side.sheets):
            place = (*at, "return", "sheets", i, "layer")
            if roles.get(sheet.layer) == "power" and not names.document.measured(place):
                names.warn(place,
                           f"the stackup says that {sheet.layer} is power, and return copper is drawn on it")


def _side(side: CopperSide, at: Path, names: Names) -> None:
    sheets = {sheet.layer: sheet for sheet in side.sheets}
    for i, sheet in enumerate(side.sheets):
        names.layer(sheet.layer, (*at, "sheets", i, "layer"))
    for i, field in enumerate(side.balls):
        names.layer(field.surface, (*at, "balls", i, "surface"))
        _placed(field.places, [sheets[layer] for layer in field.layers], (*at, "balls", i), "a ball", names)
    for i, barrels in enumerate(side.vias):
        _placed(barrels.places, [sheets[layer] for layer in barrels.layers], (*at, "vias", i), "a via", names)
    for i, source in enumerate(side.sources):
        own = [sheets[layer] for layer in source.layers]
        if _placed([source.place], own, (*at, "sources", i), "the source", names):
            _placed(_rim(source), own, (*at, "sources", i), "the rim of the source", names)
    _apart(side, at, names)
    _cut(side, at, names)
    if side.sense:
        x, y = side.sense.at
        _placed([(x.value, y.value)], [sheets[side.sense.layer]], (*at, "sense"), "the sense point", names)


def _apart(side: CopperSide, at: Path, names: Names) -> None:
    """Keep a problem for the first two sources that lie on one place of a layer: pads are apart."""
    for (i, one), (k, other) in combinations(enumerate(side.sources), 2):
        if set(one.layers) & set(other.layers) and _touch(one, other):
            x, y = (show(value, "mm", 5) for value in other.place)
            names.fault((*at, "sources", k), "two sources lie on one place", found=f"({x}, {y})",
                        expected=f"a place beside that of {show_path((*at, 'sources', i))}",
                        fix="give each pad or pin its own place, or both as one source")
            return


def _touch(one: CopperSource, other: CopperSource) -> bool:
    """True if the areas of two sources overlap: circles and rectangles."""
    x, y = (abs(a - b) for a, b in zip(one.place, other.place, strict=True))
    if len(one.size) == len(other.size) == 1:
        return hypot(x, y) < RIM * (one.size[0] + other.size[0]) / 2
    if len(one.size) == len(other.size):
        return all(d < RIM * (a + b) / 2 for d, a, b in zip((x, y), one.size, other.size, strict=True))
    round_, square = (one, other) if len(one.size) == 1 else (other, one)
    return hypot(*(max(d - side / 2, 0.0) for d, side in zip((x, y), square.size, strict=True))) < (
        RIM * round_.size[0] / 2)


def _cut(side: CopperSide, at: Path, names: Names) -> None:
    """Warn of what is cut out where a layer has no shape."""
    for i, sheet in enumerate(side.sheets):
        boxes = [_box(shape) for shape in sheet.shapes]
        for key, holes in (("cutouts", sheet.cutouts), ("perforated", sheet.perforated or ())):
            for k, hole in enumerate(holes):
                low, high = _box(hole)
                if not any(all(low[n] < end[n] and start[n] < high[n] for n in (0, 1)) for start, end in boxes):
                    names.warn((*at, "sheets", i, key, k), f"{sheet.layer} has no copper here: nothing is cut out")


def _box(region: Region) -> tuple[Spot, Spot]:
    return _bounds(region.polygon)


def _bounds(polygon: Outline) -> tuple[Spot, Spot]:
    xs, ys = zip(*polygon, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _sites(side: CopperSide, at: Path, names: Names) -> None:
    """Keep a problem where own balls and the antipads of others are more than a field has sites."""
    for i, sheet in enumerate(side.sheets):
        for k, field in enumerate(sheet.perforated or ()):
            outline = field.polygon
            sites = abs(_area(outline)) / field.pitch.value**2
            own = sum(_inside(outline, place) for ball in side.balls for place in ball.places)
            holes = field.share.value * sites
            xs, ys = zip(*outline, strict=True)
            edge = (max(xs) - min(xs) + max(ys) - min(ys)) / field.pitch.value + 1  # rows of sites on the rim
            if own + holes > sites + edge:
                names.fault((*at, "sheets", i, "perforated", k, "share"),
                            "antipads and own balls are more than the field has sites",
                            found=f"{holes:.0f} and {own}", expected=f"{sites:.0f} in all",
                            fix="`share` is that of the sites of other nets")


def _area(polygon: Outline) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True)) / 2


def _rim(source: CopperSource) -> list[Spot]:
    """Places just inside of the rim of a source: corners of a rectangle, eight on a circle."""
    x, y = source.place
    size = source.size
    if len(size) == 2:
        return [(x + a * RIM * size[0] / 2, y + b * RIM * size[1] / 2) for a in (-1, 1) for b in (-1, 1)]
    return [(x + RIM * size[0] / 2 * cos(k * pi / 4), y + RIM * size[0] / 2 * sin(k * pi / 4)) for k in range(8)]


def _placed(places: Iterable[Spot], sheets: Sequence[CopperSheet], at: Path, what: str, names: Names) -> bool:
    """True if all places lie on the copper of all sheets."""
    drawn = [(sheet, outlines(sheet)) for sheet in sheets]
    for x, y in places:
        for sheet, (shapes, cutouts) in drawn:
            if not on_copper(shapes, cutouts, (x, y)):
                names.fault(at, f"{what} lies beside the copper of {sheet.layer}",
                            found=f"({show(x, 'mm', 5)}, {show(y, 'mm', 5)})", expected="a place on its shapes")
                return False
    return True


class Boxed:
    """Polygons with the rectangles round them: most polygons are far from most places."""

    def __init__(self, polygons: Sequence[Outline]) -> None:
        self.polygons = [(*_bounds(one), one) for one in polygons]

    def hold(self, place: Spot) -> bool:
        """True where one of them holds a place."""
        x, y = place
        return any(low[0] <= x <= high[0] and low[1] <= y <= high[1] and _inside(polygon, place)
                   for low, high, polygon in self.polygons)


def outlines(sheet: CopperSheet) -> tuple[Boxed, Boxed]:
    """The corners of the shapes and of the cut-outs of a layer."""
    return Boxed([shape.polygon for shape in sheet.shapes]), Boxed([hole.polygon for hole in sheet.cutouts])


def on_copper(shapes: Boxed, cutouts: Boxed, place: Spot) -> bool:
    """True at a place in a shape and in no cut-out."""
    return shapes.hold(place) and not cutouts.hold(place)


def _inside(polygon: Outline, place: Spot) -> bool:
    x, y = place
    found = False
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            found = not found
    return found
