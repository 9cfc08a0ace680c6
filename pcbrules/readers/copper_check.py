# SPDX-License-Identifier: MIT
"""The copper of a rail against the stackup and itself: layers that exist, places that lie on the drawn shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pcbrules.document import Path
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import CopperSheet, CopperSide
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper
from pcbrules.readers.names import Names
from pcbrules.units import show

Spot = tuple[float, float]


def check_copper(rail: Rail, stack: Stack | None, at: Path, names: Names) -> None:
    """Keep a problem for every unknown layer, and for every source, hole or sense point that is not on its copper.

    A layer that the stackup or the rail's ``planes`` give to another net is warned of.
    """
    copper, known = rail.copper, [placed.name for placed in stack.coppers] if stack else []
    if copper is None:
        return
    _side(copper, known, at, names)
    roles = {one.name: one.spec.role for one in stack.coppers if isinstance(one.spec, Copper)} if stack else {}
    for i, sheet in enumerate(copper.sheets):
        place = (*at, "sheets", i, "layer")
        if roles.get(sheet.layer) == "ground":
            names.warn(place, f"the stackup says that {sheet.layer} is ground, and supply copper is drawn on it")
        elif rail.planes and sheet.layer in known and sheet.layer not in rail.planes:
            names.warn(place, f"{sheet.layer} is none of the rail's `planes`, and its copper is drawn on it")
    if copper.return_side is not None:
        _side(copper.return_side, known, (*at, "return"), names)
        for i, sheet in enumerate(copper.return_side.sheets):
            if roles.get(sheet.layer) == "power":
                names.warn((*at, "return", "sheets", i, "layer"),
                           f"the stackup says that {sheet.layer} is power, and return copper is drawn on it")


def _side(side: CopperSide, known: Sequence[str], at: Path, names: Names) -> None:
    sheets = {sheet.layer: sheet for sheet in side.sheets}
    for i, sheet in enumerate(side.sheets):
        names.known(sheet.layer, known, (*at, "sheets", i, "layer"), "copper layer")
    for i, field in enumerate(side.balls):
        names.known(field.surface, known, (*at, "balls", i, "surface"), "copper layer")
        _placed(field.places, [sheets[layer] for layer in field.layers], (*at, "balls", i), "a ball", names)
    for i, barrels in enumerate(side.vias):
        _placed(barrels.places, [sheets[layer] for layer in barrels.layers], (*at, "vias", i), "a via", names)
    for i, source in enumerate(side.sources):
        own = [sheets[layer] for layer in source.layers]
        _placed([source.place], own, (*at, "sources", i), "the source", names)
    if side.sense:
        x, y = side.sense.at
        _placed([(x.value, y.value)], [sheets[side.sense.layer]], (*at, "sense"), "the sense point", names)


def _placed(places: Iterable[Spot], sheets: Sequence[CopperSheet], at: Path, what: str, names: Names) -> None:
    for x, y in places:
        for sheet in sheets:
            if not on_sheet(sheet, (x, y)):
                names.fault(at, f"{what} lies beside the copper of {sheet.layer}",
                            found=f"({show(x, 'mm', 5)}, {show(y, 'mm', 5)})", expected="a place on its shapes")
                return


def on_sheet(sheet: CopperSheet, place: Spot) -> bool:
    """True where a layer has copper."""
    if any(_inside(hole.polygon, place) for hole in sheet.cutouts):
        return False
    return any(_inside(shape.polygon, place) for shape in sheet.shapes)


def _inside(polygon: tuple[Spot, ...], place: Spot) -> bool:
    x, y = place
    found = False
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            found = not found
    return found
