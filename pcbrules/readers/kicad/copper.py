# SPDX-License-Identifier: MIT
"""Tracks, vias and zones of a KiCad board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pcbrules.errors import quoted
from pcbrules.layout.copper import DrilledAway, Fill, LayoutVia, Track, ViaKind, Zone
from pcbrules.readers.kicad.layers import LayerTable
from pcbrules.readers.kicad.nets import NetTable
from pcbrules.readers.kicad.shapes import ring, three_points
from pcbrules.readers.kicad.tokens import Node
from pcbrules.readers.kicad.values import (
    child,
    children,
    flagged,
    length,
    length_of,
    needed,
    number,
    point_of,
    word,
    words,
)
from pcbrules.readers.layout_faults import Fault

VIA_KINDS: tuple[ViaKind, ...] = ("blind", "buried", "micro")

KNOWN_IN_VIA = {
    "at", "size", "drill", "layers", "net", "uuid", "tstamp", "status", "locked", "free", "remove_unused_layers",
    "keep_end_layers", "start_end_only", "zone_layer_connections", "tenting", "teardrops", "padstack", "backdrill",
    "tertiary_drill", "covering", "plugging", "filling", "capping", "solder_mask_margin", "blind", "buried", "micro",
}


@dataclass
class Tables:
    """What objects refer to, and where remarks on them go.

    Attributes
    ----------
    layers, nets : LayerTable, NetTable
    skipped : Counter
        Objects that are not read, by the file's word for them.
    lost : set of str
        Nets of copper that is not read.
    tell : function
        Takes an offset, a message and what was found.
    """

    layers: LayerTable
    nets: NetTable
    skipped: Counter[str]
    tell: Callable[[int, str, str], None]
    lost: set[str] = field(default_factory=set)


def track(node: Node, tables: Tables) -> Track:
    """A segment or an arc."""
    layers = child(node, "layer") or needed(node, "layers")
    start, end, mid = point_of(node, "start"), None, None
    if node[1] == "arc":
        start, mid, end = three_points(node)
    else:
        end = point_of(node, "end")
    return Track(tables.nets.of(node), tables.layers.one(layers), length(needed(node, "width")), start, end, mid)


def via(node: Node, tables: Tables) -> LayoutVia:
    """A via with its span, pads and backdrills."""
    layers = tables.layers
    first, last = layers.span(needed(node, "layers"))
    kind: ViaKind = next((one for one in VIA_KINDS if flagged(node, one)), "through")
    whole = (first, last) == (layers.names[0], layers.names[-1])
    if whole != (kind == "through"):
        reach = "reaches" if whole else "does not reach"
        tables.tell(node[0], f"a {kind} via {reach} from the top to the bottom layer", f"{first} to {last}")
    size = length(needed(node, "size"))
    drill = length_of(node, "drill")
    if drill is not None and not 0 < drill <= size:
        tables.tell(node[0], "the drill of a via is not smaller than its pad", f"{drill * 1e3:g} of {size * 1e3:g} mm")
    for one in node[2:]:
        if one.__class__ is list and one[1] not in KNOWN_IN_VIA:
            tables.skipped[f"{one[1]} of a via"] += 1
    return LayoutVia(
        tables.nets.of(node), kind, point_of(node, "at"), drill, size, first, last,
        _pads(child(node, "padstack"), layers), flagged(node, "remove_unused_layers"),
        tuple(drilled_away(one, layers) for one in children(node, "backdrill", "tertiary_drill")),
    )


def _pads(stack: Node | None, layers: LayerTable) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for layer in children(stack, "layer") if stack else ():
        size = length(needed(layer, "size"))
        found.update(dict.fromkeys(stack_layers(layer, layers), size))
    return tuple(found.items())


def stack_layers(layer: Node, layers: LayerTable) -> tuple[str, ...]:
    """Copper layers that an entry of a padstack is for."""
    name = word(layer)
    if name == "Inner":
        return layers.names[1:-1]
    if name not in layers.places:
        raise Fault(layer[0], "a padstack has an entry for a layer that the board does not have", found=quoted(name),
                    expected="Inner, " + ", ".join(layers.names))
    return (name,)


def drilled_away(node: Node, layers: LayerTable) -> DrilledAway:
    """A backdrill: its diameter and the layers from which and to which it goes."""
    names = words(needed(node, "layers"))
    unknown = [name for name in names if name not in layers.places]
    if len(names) != 2 or unknown:
        raise Fault(node[0], "a backdrill goes from one copper layer to another", found=", ".join(names),
                    expected=f"two of {', '.join(layers.names)}")
    return DrilledAway(names[0], names[1], length(needed(node, "size")))


def zone(node: Node, tables: Tables, part: str = "") -> Zone:
    """A zone, a teardrop or a rule area with what the file holds of its fill."""
    layers = tables.layers.copper(child(node, "layers") or child(node, "layer") or [node[0], "layer"])
    keepout, attributes = child(node, "keepout"), child(node, "attr")
    priority = child(node, "priority")
    named = child(node, "name")
    fills = []
    for one in children(node, "filled_polygon"):
        on = child(one, "layer")
        where = tables.layers.copper(on) if on else layers[:1]
        if where:
            fills.append(Fill(where[0], ring(one)))
    segments = sum(1 for _ in children(node, "fill_segments"))
    if segments:
        tables.skipped["fill_segments of a zone"] += segments
    return Zone(
        tables.nets.of(node), word(named) if named else "",
        "keep-out" if keepout else "teardrop" if attributes and child(attributes, "teardrop") else "copper",
        layers, tuple(ring(one) for one in children(node, "polygon")), tuple(fills),
        int(number(priority, most=1e9)) if priority else 0,
        tuple(one[1] for one in keepout[2:] if one.__class__ is list and "not_allowed" in one) if keepout else (),
        part,
    )
