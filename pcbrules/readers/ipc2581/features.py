# SPDX-License-Identifier: MIT
"""What is drawn on copper layers, and the holes of drill layers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pcbrules.errors import clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, Track
from pcbrules.layout.keyholes import keyholed
from pcbrules.layout.parts import PadShape
from pcbrules.readers.drawn.outlines import outline
from pcbrules.readers.drawn.pads import DrawnTables, Opening, PadFlash
from pcbrules.readers.drawn.placing import Placing, placed
from pcbrules.readers.ipc2581.contours import contour, filled, rings
from pcbrules.readers.ipc2581.elements import XmlElement
from pcbrules.readers.ipc2581.layers import LayerRow, LayerTables
from pcbrules.readers.ipc2581.places import placing
from pcbrules.readers.ipc2581.shapes import AREAS, GROUPS, PRIMITIVES, Shapes, path
from pcbrules.readers.ipc2581.values import metres, point, text
from pcbrules.readers.layout_faults import Fault, Told

FREE = ("TEXT", "GRAPHIC", "THIEVING")
"""Uses of copper that belongs to no net."""

REFERENCES = ("StandardPrimitiveRef", "UserPrimitiveRef")


@dataclass(frozen=True, slots=True)
class SetOf:
    """What the objects of a <Set> have in common."""

    layer: LayerRow
    net: str = ""
    part: str = ""
    stack: str = ""
    use: str = ""


@dataclass
class StepDrawing:
    """What one step draws."""

    tracks: list[Track] = field(default_factory=list)
    fills: dict[tuple[str, str, bool], list[Fill]] = field(default_factory=dict)
    flashes: list[PadFlash] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)


@dataclass
class Given(DrawnTables):
    """What objects refer to, and where remarks on them go.

    `scale` are metres of the file's unit.
    """

    shapes: Shapes = field(default_factory=Shapes)
    layers: LayerTables = field(default_factory=LayerTables)
    strange: Counter[str] = field(default_factory=Counter)
    scale: float = 0.0

    def drawn(self, element: XmlElement, shape: PadShape, place: Placing) -> PadShape:
        """A shape in the drawing. Raises Fault beyond what a board has."""
        if not self.affords(shape):
            raise Fault(element.offset, "pads of free shapes have too many corners",
                        expected=f"at most {self.corner_limit}")
        return placed(shape, place)


def set_of(element: XmlElement, layer: LayerRow, outer: SetOf | None, given: Given) -> SetOf | None:
    """A <Set> of a layer; None for one that takes copper away, which is counted."""
    attrs = element.attrs
    if attrs.get("polarity", "NEGATIVE" if layer.negative else "POSITIVE") == "NEGATIVE" and layer.copper:
        given.skipped["Set of negative copper"] += 1
        return None
    return SetOf(layer, attrs.get("net", outer.net if outer else ""), attrs.get("componentRef", ""),
                 attrs.get("geometry", ""), attrs.get("geometryUsage", ""))


def take_feature(element: XmlElement, on: SetOf, given: Given, made: StepDrawing) -> None:
    """Read an object of a set. Raises Fault."""
    if element.tag == "Hole":
        made.openings.append(_hole(element, on, given))
    elif element.tag == "SlotCavity":
        made.openings.append(_slot(element, on, given))
    elif not on.layer.copper:
        return
    elif element.tag == "Pad":
        take_pad(element, on, given, made)
    elif on.use in FREE:
        for one in element.children:
            if one.tag not in ("Location", "Xform"):
                given.skipped[f"{clip(one.tag, 40)} on copper, {on.use}"] += 1
                given.lost.add(on.net)
    else:
        _features(element, on, given, made)


def take_pad(element: XmlElement, on: SetOf, given: Given, made: StepDrawing) -> None:
    """A <Pad>, or a <LayerPad> of revision A: its own shape, or that of its padstack on the layer. Raises Fault."""
    place = placing(element, given.scale)
    name = element.attrs.get("padstackDefRef", on.stack)
    shape = given.shapes.within(element, given.scale)
    if shape is None:
        stack = given.stacks.get(name)
        shape = stack.shapes.get(on.layer.name) if stack else None
    if shape is None:
        _without_shape(element, given, name)
        return
    copper = given.drawn(element, shape, place)
    pins = [(one.attrs.get("componentRef", ""), text(one, "pin")) for one in element.all("PinRef")] or [("", "")]
    made.flashes += [PadFlash(on.layer.name, place.at, copper, on.net, name, *pin) for pin in pins]


def _without_shape(element: XmlElement, given: Given, name: str) -> None:
    reference = next((one.attrs.get("id", "") for one in element.all(*REFERENCES)), name)
    given.told.odd(element.offset, "a pad has no shape that can be read: it is left out", quoted(clip(reference, 40)))
    given.skipped["Pad without a shape"] += 1


def _features(element: XmlElement, on: SetOf, given: Given, made: StepDrawing) -> None:
    """<Features>: shapes at one location or at several."""
    shapes = [one for one in element.children if one.tag not in ("Location", "Xform")]
    locations = [point(one, given.scale) for one in element.all("Location")]
    place = placing(element, given.scale)
    places = [place] if len(locations) < 2 else [
        Placing(at, place.degrees, place.mirrored, place.offset, place.scale) for at in locations]
    for where in places:
        if not shapes and locations and on.stack:
            _flash(element, on.stack, where, on, given, made)
        for one in shapes:
            draw(one, where, on, given, made)


def draw(element: XmlElement, place: Placing, on: SetOf, given: Given, made: StepDrawing) -> None:
    """Read one shape on copper: tracks, filled copper, or the copper of a pad. Raises Fault."""
    tag = element.tag
    if tag in ("Line", "Arc", "Polyline"):
        width = given.shapes.width(element, given.scale)
        if not width:
            given.skipped[f"{tag} without a width"] += 1
            given.lost.add(on.net)
            return
        made.tracks += [Track(on.net, on.layer.name, width * place.scale, start, end, mid)
                        for start, mid, end in path(element, given.scale, place)]
    elif tag in AREAS:
        _area(element, place, on, given, made)
    elif tag in GROUPS:
        if tag != GROUPS[0]:
            given.strange[tag] += 1
        for one in element.children:
            draw(one, place, on, given, made)
    elif tag in PRIMITIVES or tag in REFERENCES:
        _flash(element, "", place, on, given, made)
    elif tag not in ("LineDesc", "LineDescRef", "FillDesc", "FillDescRef", "ColorRef", "Location", "Xform"):
        given.skipped[f"{clip(tag, 40)} on copper"] += 1
        given.lost.add(on.net)


def _flash(element: XmlElement, name: str, place: Placing, on: SetOf, given: Given, made: StepDrawing) -> None:
    """A single shape on copper is a pad: of the dictionary, of a padstack, or drawn here."""
    hollow = not filled(element)
    if name or element.tag in REFERENCES:
        name = name or text(element, "id")
        hollow = name in given.shapes.hollow
        stack = given.stacks.get(name)
        shape = given.shapes.shapes.get(name) or (stack.shapes.get(on.layer.name) if stack else None)
    else:
        shape = given.shapes.of(element, given.scale)
    if hollow:
        given.skipped[f"hollow {element.tag} on copper"] += 1
        given.lost.add(on.net)
        return
    if shape is None:
        _without_shape(element, given, name)
        return
    made.flashes.append(PadFlash(on.layer.name, place.at, given.drawn(element, shape, place), on.net, on.stack))


def _area(element: XmlElement, place: Placing, on: SetOf, given: Given, made: StepDrawing) -> None:
    if element.tag != AREAS[0]:
        given.strange[element.tag] += 1
    found = contour(element, given.scale, place)
    if found is None:
        given.skipped[f"hollow {element.tag} on copper"] += 1
        given.lost.add(on.net)
        return
    made.fills.setdefault((on.net, on.layer.name, on.use == "TEARDROP"), []).append(
        Fill(on.layer.name, _closed(element, found, given.told)))


def _closed(element: XmlElement, found: tuple[tuple[Point, ...], tuple[tuple[Point, ...], ...]],
           told: Told) -> tuple[Point, ...]:
    """One ring of a contour and its cut-outs. [m]"""
    ring, lost = keyholed(*found)
    if lost:
        told.odd(element.offset, "cut-outs lie outside their contour: they are left out", str(lost))
    return ring


def _hole(element: XmlElement, on: SetOf, given: Given) -> Opening:
    size = metres(element, "diameter", given.scale)
    return _opening(element, on, given, point(element, given.scale), (size, size))


def _slot(element: XmlElement, on: SetOf, given: Given) -> Opening:
    """A slot drawn as a contour or as a shape; the sides of a contour are those of its box. Raises Fault."""
    place = placing(element, given.scale)
    drawn = element.child("Outline")
    polygon = drawn.child("Polygon") if drawn else None
    if polygon is not None:
        corners = [at for ring in rings(polygon, given.scale, place) for at in ring]
    else:
        shape = given.shapes.within(element, given.scale)
        if shape is None:
            raise Fault(element.offset, "a slot has no shape that can be read", expected="<Outline> or <Oval>")
        if shape.width:
            copper = placed(shape, place)
            return _opening(element, on, given, copper.centre, (copper.width, copper.height), copper.angle)
        corners = [at for ring in outline(placed(shape, place)) for at in ring]
    if not corners:
        raise Fault(element.offset, "a slot has no corners", expected="<PolyBegin>")
    xs, ys = zip(*corners, strict=True)
    box = min(xs), min(ys), max(xs), max(ys)
    return _opening(element, on, given, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2),
                    (box[2] - box[0], box[3] - box[1]))


def _opening(element: XmlElement, on: SetOf, given: Given, at: Point, sides: tuple[float, float],
             angle: float = 0.0) -> Opening:
    span = element.child("Span")
    attrs = span.attrs if span else {}
    return Opening(at, sides, element.attrs.get("platingStatus", ""), on.net, on.stack,
                   attrs.get("fromLayer", on.layer.first), attrs.get("toLayer", on.layer.last),
                   tuple(text(one, "id") for one in element.all("SpecRef")), element.offset, angle)


def take_old_padstack(element: XmlElement, given: Given, made: StepDrawing) -> None:
    """A <PadStack> of revision A: the pads and the hole of one place, with its net. Raises Fault."""
    net = element.attrs.get("net", "")
    for one in element.all("LayerPad"):
        name = text(one, "layerRef")
        layer = given.layers.rows.get(name)
        if layer is None:
            raise Fault(one.offset, "a pad lies on a layer that the file does not have", found=quoted(name))
        if layer.copper:
            take_pad(one, SetOf(layer, net), given, made)
    for one in element.all("LayerHole"):
        nowhere = LayerRow("", "DRILL", "", False, "", "", ())
        made.openings.append(_hole(one, SetOf(nowhere, net), given))
