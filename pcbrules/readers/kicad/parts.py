# SPDX-License-Identifier: MIT
"""Footprints of a KiCad board: parts, pads, and what else lies inside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Zone
from pcbrules.layout.parts import LayoutPart, is_left_out
from pcbrules.readers.kicad.copper import Tables, zone
from pcbrules.readers.kicad.pads import Place, pad
from pcbrules.readers.kicad.shapes import DRAWN, drawn
from pcbrules.readers.kicad.tokens import Node
from pcbrules.readers.kicad.values import child, children, needed, number, point, turned, word, words
from pcbrules.readers.layout_faults import Fault

EDGE = "Edge.Cuts"

WRITTEN = ("text", "text_box", "table", "barcode", "image", "dimension")

KNOWN_IN_PART = {
    "layer", "uuid", "tstamp", "tedit", "at", "descr", "tags", "path", "property", "sheetname", "sheetfile", "attr",
    "model", "solder_mask_margin", "solder_paste_ratio", "solder_paste_margin", "solder_paste_margin_ratio",
    "clearance", "zone_connect", "embedded_fonts", "embedded_files", "locked", "placed", "group", "component_classes",
    "net_tie_pad_groups", "autoplace_cost90", "autoplace_cost180", "thermal_width", "thermal_gap", "private_layers",
    "units", "variant", "variants", "jumper_pad_groups", "duplicate_pad_numbers_are_jumpers", "stackup", "point",
    "fp_text_private", "version", "generator", "generator_version",
}
COMMON_FIELDS = {"Reference", "Value", "Footprint", "Datasheet", "Description"}
"""Fields that every part has."""


@dataclass
class Footprint:
    """What one footprint gives."""

    part: LayoutPart
    zones: list[Zone] = field(default_factory=list)
    edges: list[tuple[Point, ...]] = field(default_factory=list)


def footprint(node: Node, tables: Tables) -> Footprint:
    """A part with its pads, the zones inside it, and lines that it adds to the board edge."""
    where = needed(node, "at")
    at = point(where)
    angle = number(where, 4, least=-3600, most=3600) if len(where) > 4 and where[4].__class__ is str and (
        where[4] != "unlocked") else 0.0
    fields = dict(_fields(node))
    reference = fields.get("Reference", "")
    kinds = [one for attr in children(node, "attr") for one in words(attr)]
    found = Footprint(LayoutPart(
        reference, fields.get("Value", ""), word(node), at, angle,
        "bottom" if word(needed(node, "layer")) == tables.layers.names[-1] else "top",
        tuple(pad(one, Place(at, angle), tables) for one in children(node, "pad")),
        "dnp" not in kinds and not is_left_out(fields.items()),
        tuple((name, text) for name, text in fields.items() if name not in COMMON_FIELDS and text),
    ))
    for one in node[2:]:
        if one.__class__ is not list or one[1] in KNOWN_IN_PART or one[1] == "pad":
            continue
        if one[1] == "zone":
            found.zones.append(zone(one, tables, reference))
        elif one[1].startswith("fp_") and one[1][3:] in DRAWN:
            found.edges += [tuple(turned(at, p, angle) for p in line) for line in edge(one, tables)]
        elif one[1].removeprefix("fp_") in WRITTEN:
            skip_on_copper(one, tables)
        else:
            tables.skipped[f"{one[1]} of a footprint"] += 1
    return found


def _fields(node: Node) -> Iterator[tuple[str, str]]:
    for one in children(node, "property", "fp_text"):
        if len(one) < 4 or one[2].__class__ is not str or one[3].__class__ is not str:
            continue
        name, text = word(one, 2), word(one, 3)
        if one[1] == "property":
            if not name.startswith(("ki_", "Sheet")):
                yield name, text
        elif name in ("reference", "value"):
            yield name.capitalize(), text


def edge(node: Node, tables: Tables) -> list[tuple[Point, ...]]:
    """The line that a drawing adds to the board edge; one on copper is counted as skipped. [m]"""
    layer = child(node, "layer")
    if layer is not None and EDGE in words(layer):
        return [drawn(node)]
    skip_on_copper(node, tables)
    return []


def skip_on_copper(node: Node, tables: Tables) -> None:
    """Count a drawing or text that lies on copper and is no track, pad or zone."""
    layers = child(node, "layer") or child(node, "layers")
    if layers is not None and any(name in tables.layers.places or name in tables.layers.groups
                                  for name in words(layers)):
        tables.skipped[f"{node[1]} on copper"] += 1
        lose(node, tables)


def lose(node: Node, tables: Tables) -> None:
    """Keep the net of an object that is not read; one whose net cannot be read has none."""
    with suppress(Fault):
        tables.lost.add(tables.nets.of(node))
