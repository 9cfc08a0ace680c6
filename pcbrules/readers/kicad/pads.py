# SPDX-License-Identifier: MIT
"""Pads of a KiCad footprint, their shapes by layer and their holes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pcbrules.errors import quoted
from pcbrules.layout.arcs import Point, flattened
from pcbrules.layout.parts import PadShape, PartPad
from pcbrules.readers.kicad.copper import Tables, drilled_away, stack_layers
from pcbrules.readers.kicad.shapes import DRAWN, copper_rings
from pcbrules.readers.kicad.tokens import Node
from pcbrules.readers.kicad.values import (
    MM,
    child,
    children,
    flagged,
    length,
    length_of,
    needed,
    number,
    point,
    turned,
    word,
    words,
)
from pcbrules.readers.layout_faults import Fault

KNOWN_IN_PAD = {
    "at", "size", "drill", "layers", "net", "uuid", "tstamp", "property", "remove_unused_layers", "keep_end_layers",
    "zone_layer_connections", "pinfunction", "pintype", "die_length", "die_delay", "solder_mask_margin",
    "solder_paste_margin", "solder_paste_margin_ratio", "clearance", "zone_connect", "thermal_bridge_angle",
    "thermal_bridge_width", "thermal_width", "thermal_gap", "roundrect_rratio", "chamfer_ratio", "chamfer", "options",
    "primitives", "teardrops", "padstack", "rect_delta", "tenting", "locked", "backdrill", "tertiary_drill",
}


@dataclass(frozen=True)
class Place:
    """Where a part or a pad stands, and how it is turned. [m], [deg]"""

    at: Point
    angle: float


def pad(node: Node, part: Place, tables: Tables) -> PartPad:
    """A pad of a part; the file states its angle in the drawing, but its place in the part's axes."""
    where = needed(node, "at")
    at = turned(part.at, point(where), part.angle)
    angle = number(where, 4, least=-3600, most=3600) if len(where) > 4 else 0.0
    layers = tables.layers.copper(needed(node, "layers"))
    drill = child(node, "drill")
    place = Place(at, angle)
    shapes = {"": _shape(node, word(node, 4), place, tables)}
    stack = child(node, "padstack")
    for layer in children(stack, "layer") if stack else ():
        shape = child(layer, "shape")
        made = _shape(layer, word(shape) if shape else "circle", place, tables)
        shapes.update(dict.fromkeys(stack_layers(layer, tables.layers), made))
    for one in node[5:]:
        if one.__class__ is list and one[1] not in KNOWN_IN_PAD:
            tables.skipped[f"{one[1]} of a pad"] += 1
    function = child(node, "pinfunction")
    return PartPad(
        word(node), tables.nets.of(node), at, layers, tuple(shapes.items()), _drill(drill) if drill else (),
        word(node, 3) != "np_thru_hole", word(function) if function else "", length_of(node, "die_length") or 0.0,
        flagged(node, "remove_unused_layers"),
        tuple(drilled_away(one, tables.layers) for one in children(node, "backdrill", "tertiary_drill")),
    )


def _drill(drill: Node) -> tuple[float, ...]:
    """Sides of a hole; of a round one its diameter twice. [m]"""
    sizes = [length([drill[0], "drill", one]) for one in drill[2:] if one.__class__ is str and one != "oval"]
    return (sizes[0], sizes[-1]) if sizes and min(sizes) > 0 else ()


def _shape(node: Node, kind: str, place: Place, tables: Tables) -> PadShape:
    """The copper of a pad on a layer: `node` holds its size."""
    size = needed(node, "size")
    width, height = length(size), length(size, 3)
    drill = child(node, "drill")
    offset = child(drill, "offset") if drill else child(node, "offset")
    centre = turned(place.at, point(offset), place.angle) if offset else place.at
    angle = -math.radians(place.angle)
    if kind == "custom":
        return _free(node, place, tables)
    if kind == "trapezoid" or (kind == "roundrect" and child(node, "chamfer") is not None):
        corners = _trapezoid(node, width, height) if kind == "trapezoid" else _chamfered(node, width, height)
        return PadShape(centre, 0.0, 0.0, 0.0, angle, (tuple(turned(centre, one, place.angle) for one in corners),))
    if kind not in ROUNDING:
        raise Fault(node[0], "a pad of unknown shape", found=quoted(kind), expected=", ".join(ROUNDING))
    radius = ROUNDING[kind] * min(width, height)
    if kind == "roundrect":
        radius = _ratio(node, "roundrect_rratio") * min(width, height)
    return PadShape(centre, width, width if kind == "circle" else height, radius, angle)


ROUNDING = {"circle": 0.5, "rect": 0.0, "oval": 0.5, "roundrect": 0.25, "trapezoid": 0.0, "custom": 0.0}
"""Radius of the corners over the smaller side; of a rounded rectangle what holds where the file gives none."""


def _ratio(node: Node, head: str) -> float:
    given = child(node, head)
    return number(given, least=0, most=0.5) if given else ROUNDING["roundrect"]


def _trapezoid(node: Node, width: float, height: float) -> list[Point]:
    delta = child(node, "rect_delta")
    dy, dx = (number(delta, 2) * MM / 2, number(delta, 3) * MM / 2) if delta else (0.0, 0.0)
    x, y = width / 2, height / 2
    return [(-x - dy, y + dx), (x + dy, y - dx), (x - dy, -y + dx), (-x + dy, -y - dx)]


CORNERS = (("bottom_right", 1, 1), ("bottom_left", -1, 1), ("top_left", -1, -1), ("top_right", 1, -1))


def _chamfered(node: Node, width: float, height: float) -> list[Point]:
    """Corners of a rectangle that are cut off or rounded."""
    cut = _ratio(node, "chamfer_ratio") * min(width, height)
    radius = _ratio(node, "roundrect_rratio") * min(width, height)
    chamfers = words(needed(node, "chamfer"))
    found: list[Point] = []
    for name, sx, sy in CORNERS:
        x, y = sx * width / 2, sy * height / 2
        size = cut if name in chamfers else radius
        ends = [(x, y - sy * size), (x - sx * size, y)]
        if sx * sy < 0:
            ends.reverse()
        if name not in chamfers and radius > 0:
            bow = radius * (1 - math.sqrt(0.5))
            found += flattened(ends[0], (x - sx * bow, y - sy * bow), ends[1])
        else:
            found += ends
    return found


def _free(node: Node, place: Place, tables: Tables) -> PadShape:
    """A pad of primitives beside its anchor, a circle or a rectangle."""
    options = child(node, "options")
    anchor = child(options, "anchor") if options else None
    size = needed(node, "size")
    width, height = length(size), length(size, 3)
    round_anchor = anchor is None or word(anchor) == "circle"
    rings = []
    primitives = child(node, "primitives")
    for one in primitives[2:] if primitives else ():
        if one.__class__ is list and one[1].startswith("gr_") and one[1][3:] in DRAWN:
            rings += [tuple(turned(place.at, p, place.angle) for p in made) for made in copper_rings(one)]
        elif one.__class__ is list and one[1] not in ("width", "fill"):
            tables.skipped[f"{one[1]} of a pad"] += 1
    return PadShape(place.at, width, width if round_anchor else height, width / 2 if round_anchor else 0.0,
                    -math.radians(place.angle), tuple(rings))
