# SPDX-License-Identifier: MIT
"""An IPC-2581 file: bytes → layout; every fault with its line."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field, replace

from pcbrules.document.textfile import read_bytes
from pcbrules.errors import clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetClass
from pcbrules.layout.parts import LayoutPart, PartPad
from pcbrules.layout.rings import area
from pcbrules.readers.ipc2581.contours import rings
from pcbrules.readers.ipc2581.elements import XmlElement, read_elements
from pcbrules.readers.ipc2581.features import (
    Given,
    SetOf,
    StepDrawing,
    set_of,
    take_feature,
    take_old_padstack,
)
from pcbrules.readers.ipc2581.holes import SortedHoles, sort_holes
from pcbrules.readers.ipc2581.layers import DRILLED, NOT_STANDARD, build_up, spec, without_thin
from pcbrules.readers.ipc2581.padstacks import padstack
from pcbrules.readers.ipc2581.parts import BomLine, PackagePin, PlacedPart, bom_lines, component, package_pins
from pcbrules.readers.ipc2581.pins import claim_pads, pads_of_package
from pcbrules.readers.ipc2581.places import AS_IS
from pcbrules.readers.ipc2581.values import UNITS, unit
from pcbrules.readers.layout_faults import Fault, Told
from pcbrules.readers.layout_remarks import ALL, METAL, build_up_remarks
from pcbrules.readers.net_pairs import pairs

SIZE_LIMIT = 128_000_000
"""Bytes of a file."""

PIN_LIMIT = 2_000_000
"""Pins of all parts, by their packages."""

MOST_KINDS = 100
"""Kinds of unknown objects that are counted by their names."""

REVISIONS = ("A", "B", "B1", "C")

SILENT = {
    "": (), "IPC-2581": ("LogisticHeader", "HistoryRecord", "Avl"),
    "Content": ("FunctionMode", "LayerRef", "BomRef", "AvlRef", "DictionaryColor", "DictionaryFillDesc",
                "DictionaryFont", "DictionaryFirmware"),
    "Bom": ("BomHeader",), "CadHeader": ("ChangeRec", "SurfaceFinish"), "CadData": (),
    "Step": ("NonstandardAttribute", "Datum", "PhyNetGroup", "DfxMeasurementList", "StackupRef"),
    "Set": ("NonstandardAttribute", "ColorRef", "SpecRef", "LineDescRef", "PinRef"),
}
"""Objects that hold no copper, by the element in which they stand."""


@dataclass
class StepContent:
    """What one step of the file holds.

    Attributes
    ----------
    name : str
    drawing : StepDrawing
    parts : list of PlacedPart
    packages : dict
        Pins of packages by their names.
    nets : dict
        Net of each pin that the netlist names, by part and pin.
    names : set of str
        Nets of the netlist, also those without a pin.
    groups : dict
        Nets by the class that the netlist gives them.
    outline : list of rings
    repeats : bool
        True for a panel: a step that repeats others.
    """

    name: str
    drawing: StepDrawing = field(default_factory=StepDrawing)
    parts: list[PlacedPart] = field(default_factory=list)
    packages: dict[str, list[PackagePin]] = field(default_factory=dict)
    nets: dict[tuple[str, str], str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    groups: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    outline: list[tuple[Point, ...]] = field(default_factory=list)
    repeats: bool = False


def read_ipc2581(path: str | os.PathLike[str], name: str | None = None) -> Layout:
    """Read a file. Raises InputError with every fault.

    Parameters
    ----------
    path : path
    name : str, optional
        What messages call the file.
    """
    file = name or os.fspath(path)
    return parse_ipc2581(read_bytes(path, file, SIZE_LIMIT), file)


def parse_ipc2581(data: bytes, file: str) -> Layout:
    """Read `data`, the bytes of `file`. Raises InputError with every fault."""
    return _FileReading(data, file).run()


class _FileReading:
    """One pass over the objects of a file."""

    def __init__(self, data: bytes, file: str) -> None:
        self.data, self.file = data, file
        self.told = Told(file, data)
        self.given = Given(self.told)
        self.revision = ""
        self.named: list[str] = []
        self.dictionary = 0.0
        self.units: list[float] = []
        self.bom: dict[str, BomLine] = {}
        self.packages: dict[str, list[PackagePin]] = {}
        self.steps: list[StepContent] = []
        self.sets: list[SetOf] = []
        self.layer: SetOf | None = None

    def run(self) -> Layout:
        """Read all objects. Raises InputError."""
        try:
            read_elements(self.data, self, self.told)
        except Fault as fault:
            self.told.fault(fault)
        else:
            if not self.told.problems.wrong and not any(one.copper for one in self.given.layers.rows.values()):
                self.told.fault(Fault(0, "the file has no copper layer", expected='layerFunction="SIGNAL"'))
        self.told.check()
        return self.layout()

    def enter(self, element: XmlElement) -> bool:
        """Begin an element that holds objects."""
        tag = element.tag
        if tag == "IPC-2581":
            self.revision = element.attrs.get("revision", "")
        elif tag.startswith("Dictionary"):
            self.dictionary = unit(element)
            self.units.append(self.dictionary)
        elif tag == "CadHeader":
            self.given.scale = unit(element)
        elif tag == "CadData":
            self.need_unit(element)
        elif tag == "Step":
            self.steps.append(StepContent(element.attrs.get("name", "")))
        elif tag == "LayerFeature":
            return self.enter_layer(element)
        elif tag == "Set":
            return self.enter_set(element)
        return True

    def need_unit(self, element: XmlElement) -> None:
        """Take the unit of the dictionaries, with a remark, where the drawing has none. Raises Fault without any."""
        if self.given.scale:
            return
        if not self.units or len(set(self.units)) > 1:
            raise Fault(element.offset, "the unit of the drawing is not stated",
                        expected='<CadHeader units="MILLIMETER">')
        self.given.scale = self.units[0]
        self.told.odd(element.offset, "the unit of the drawing is not stated: that of the dictionaries is taken",
                      next(name for name, size in UNITS.items() if size == self.units[0]))

    def enter_layer(self, element: XmlElement) -> bool:
        """Begin the features of a layer; those of layers without copper and holes are not needed."""
        name = element.attrs.get("layerRef", "")
        row = self.given.layers.rows.get(name)
        if row is None:
            raise Fault(element.offset, "features lie on a layer that the file does not have",
                        found=quoted(clip(name, 40)), expected="a <Layer> of that name")
        self.layer = SetOf(row)
        return row.copper or row.function in DRILLED

    def enter_set(self, element: XmlElement) -> bool:
        """Begin a set of features."""
        assert self.layer is not None
        made = set_of(element, self.layer.layer, self.sets[-1] if self.sets else None, self.given)
        if made is not None:
            self.sets.append(made)
        return made is not None

    def leave(self, tag: str) -> None:
        """End an element that held objects."""
        if tag == "Set":
            self.sets.pop()

    def miss(self, parent: str, element: XmlElement) -> None:
        """Count an object of an unknown kind."""
        if element.tag in SILENT.get(parent, ()):
            return
        name = f"{clip(element.tag, 40)} in {parent or 'the file'}"
        skipped = self.given.skipped
        skipped[name if name in skipped or len(skipped) < MOST_KINDS else "other elements"] += 1

    def take(self, parent: str, element: XmlElement) -> None:
        """Read one object. Raises Fault."""
        given = self.given
        if parent == "Set":
            take_feature(element, self.sets[-1], given, self.steps[-1].drawing)
        elif parent == "Step":
            self.take_of_step(element, self.steps[-1])
        elif parent.startswith("Dictionary"):
            given.shapes.keep(element, self.dictionary)
        elif parent == "Bom":
            self.bom.update(bom_lines(element))
        elif parent == "CadHeader":
            given.layers.specs[element.attrs.get("name", "")] = spec(element)
        elif parent == "Content":
            self.named.append(element.attrs.get("name", ""))
        elif element.tag == "Layer":
            given.layers.declare(element)
        elif element.tag == "Stackup":
            given.layers.stacks.append(build_up(element, given.scale))
        else:
            self.packages[element.attrs.get("name", "")] = package_pins(element, given)

    def take_of_step(self, element: XmlElement, step: StepContent) -> None:
        """Read an object of a step."""
        tag, given = element.tag, self.given
        if tag == "PadStackDef":
            made = padstack(element, given.shapes, given.scale)
            given.stacks[made.name] = made
        elif tag == "PadStack":
            take_old_padstack(element, given, step.drawing)
        elif tag == "Component":
            step.parts.append(component(element, given))
        elif tag == "Package":
            step.packages[element.attrs.get("name", "")] = package_pins(element, given)
        elif tag == "LogicalNet":
            self.take_net(element, step)
        elif tag == "Profile":
            for one in element.all("Polygon", "Cutout"):
                step.outline += rings(one, given.scale, AS_IS)
        else:
            step.repeats = True

    def take_net(self, element: XmlElement, step: StepContent) -> None:
        """Read a net of the netlist."""
        name = element.attrs.get("name", "")
        step.names.add(name)
        group = element.attrs.get("netClass", "")
        if group:
            step.groups[group].append(name)
        for one in element.all("PinRef"):
            pin = one.attrs.get("componentRef", ""), one.attrs.get("pin", "")
            before = step.nets.setdefault(pin, name)
            if before != name:
                self.told.odd(one.offset, "the netlist gives a pin two nets",
                              quoted(f"{'.'.join(pin)}: {before}, {name}"))

    def step(self) -> StepContent:
        """The step that is the board: of those that repeat no other, the first that the content names."""
        boards = [one for one in self.steps if not one.repeats] or self.steps
        if not boards:
            self.told.remark("the file has no step: there is no drawing", "")
            return StepContent("")
        chosen = next((one for name in self.named for one in boards if one.name == name), boards[0])
        if len(boards) > 1:
            self.told.remark("the file has several boards: one is read",
                             quoted(f"{chosen.name} of {', '.join(one.name for one in boards)}"))
        return chosen

    def layout(self) -> Layout:
        """What was read."""
        given, step = self.given, self.step()
        if self.revision not in REVISIONS:
            self.told.remark("the revision is none of the standard", quoted(self.revision))
        sheets, order = self.sheets(step)
        drawing = step.drawing
        packages = {**self.packages, **step.packages}
        if sum(len(packages.get(one.package, ())) for one in step.parts) > PIN_LIMIT:
            self.told.fault(Fault(0, "the parts have too many pins", expected=f"at most {PIN_LIMIT}"))
            self.told.check()
        claim_pads(drawing, step.parts, packages, given)
        found = sort_holes(drawing.flashes, drawing.openings, order, given)
        parts = tuple(self.part(one, found, packages, step, order) for one in step.parts)
        zones = tuple(
            Zone(net, "", "teardrop" if tear else "copper", (layer,), (), tuple(fills))
            for (net, layer, tear), fills in drawing.fills.items() if layer in order)
        if given.strange:
            self.told.remark("elements that the standard does not have are read by what is in them",
                             ", ".join(f"{count} <{name}>" for name, count in given.strange.items()))
        nets = {one.net for group in (drawing.tracks, found.vias, found.loose, zones) for one in group}
        nets |= {pad.net for part in parts for pad in part.pads} | step.names
        names = tuple(sorted(nets - {""}))
        stack = given.layers.stack
        layout = Layout(
            self.file, "ipc2581", self.revision, sheets or tuple(LayoutLayer(name, "copper") for name in order),
            stack.thickness if stack else None, tuple(sorted(step.outline, key=lambda one: -abs(area(one)))), names,
            parts, tuple(one for one in drawing.tracks if one.layer in order), tuple(found.vias), zones,
            tuple(NetClass(name, nets=tuple(sorted(group))) for name, group in sorted(step.groups.items())),
            pairs(names), loose=tuple(found.loose), skipped=tuple(sorted(given.skipped.items())))
        measured = METAL if stack and stack.measured == "METAL" else ALL
        for message, said in build_up_remarks(layout, built=bool(sheets), measured=measured):
            self.told.remark(message, said)
        if not layout.outline:
            self.told.remark("the file has no profile: the outline of the board is unknown", "")
        return replace(layout, told=self.told.all())

    def sheets(self, step: StepContent) -> tuple[tuple[LayoutLayer, ...], tuple[str, ...]]:
        """Sheets of the build-up, and copper layers from top to bottom."""
        layers, told = self.given.layers, self.told
        if len(layers.stacks) > 1:
            told.remark("the file has several build-ups: the first is used",
                        quoted(", ".join(one.name for one in layers.stacks)))
        strange = [one.name for one in layers.rows.values() if one.function == NOT_STANDARD]
        if strange:
            told.remark(f"layers of the function {NOT_STANDARD}, which the standard does not have, are taken as copper",
                        f"{len(strange)}")
        drawing = step.drawing
        used = {one.layer for one in drawing.tracks} | {layer for _, layer, _ in drawing.fills}
        used |= {one.layer for one in drawing.flashes if one.pin}
        sheets, thin = without_thin(layers.sheets(told.odd), used)
        for name in thin:
            told.remark("a copper layer without thickness, on which only pads of vias lie, is left out", quoted(name))
        return sheets, tuple(name for name in layers.order() if name not in thin)

    def part(self, one: PlacedPart, found: SortedHoles, packages: dict[str, list[PackagePin]], step: StepContent,
             order: tuple[str, ...]) -> LayoutPart:
        """A part with its pads: as they are drawn, or, where none is drawn, as its package has them."""
        line = self.bom.get(one.reference, BomLine())
        row = self.given.layers.rows.get(one.layer)
        if row is None:
            self.told.odd(one.offset, "a part stands on a layer that the file does not have", quoted(one.layer))
        bottom = row.side == "BOTTOM" if row and row.side in ("TOP", "BOTTOM") else one.place.mirrored
        pads = found.pads.pop(one.reference, [])
        if not pads and packages.get(one.package) and order:
            pads = pads_of_package(one, packages[one.package], step.nets, order, order[-1] if bottom else order[0],
                                   self.given)
            self.told.odd(one.offset, "pads of parts are not drawn: they are taken from their packages", "")
        return LayoutPart(one.reference, line.value, line.package or one.package, one.place.at, one.place.degrees,
                          "bottom" if bottom else "top", tuple(self.with_net(one, pad, step) for pad in pads),
                          line.fitted, tuple((name, value) for name, value in line.fields.items()
                                             if name.lower() != "value"))

    def with_net(self, part: PlacedPart, pad: PartPad, step: StepContent) -> PartPad:
        """A pad with the net that the netlist gives it; one that contradicts the drawing is told."""
        net = step.nets.get((part.reference, pad.pin), "")
        if net and pad.net and net != pad.net:
            self.told.odd(part.offset, "the netlist and the drawing give a pin different nets: the drawing counts",
                          quoted(f"{part.reference}.{pad.pin}: {net}, {pad.net}"))
        return replace(pad, net=net) if net and not pad.net else pad
