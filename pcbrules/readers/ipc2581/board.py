# SPDX-License-Identifier: MIT
"""An IPC-2581 file: bytes → layout; every fault with its line."""

from __future__ import annotations

import os

from pcbrules.document.textfile import read_bytes
from pcbrules.errors import clip, quoted
from pcbrules.layout.layout import Layout
from pcbrules.readers.drawn.placing import AS_IS
from pcbrules.readers.ipc2581.assembly import layout_of
from pcbrules.readers.ipc2581.content import FileContent, StepContent
from pcbrules.readers.ipc2581.contours import rings
from pcbrules.readers.ipc2581.elements import XmlElement, read_elements
from pcbrules.readers.ipc2581.features import (
    Given,
    SetOf,
    set_of,
    take_feature,
    take_old_padstack,
)
from pcbrules.readers.ipc2581.layers import DRILLED, build_up, spec
from pcbrules.readers.ipc2581.padstacks import padstack
from pcbrules.readers.ipc2581.parts import bom_lines, component, package_pins
from pcbrules.readers.ipc2581.values import UNITS, unit
from pcbrules.readers.layout_faults import SIZE_LIMIT, Fault, Told

MOST_KINDS = 100
"""Kinds of unknown objects that are counted by their names."""

SILENT = {
    "": (), "IPC-2581": ("LogisticHeader", "HistoryRecord", "Avl"),
    "Content": ("FunctionMode", "LayerRef", "BomRef", "AvlRef", "DictionaryColor", "DictionaryFillDesc",
                "DictionaryFont", "DictionaryFirmware"),
    "Bom": ("BomHeader",), "CadHeader": ("ChangeRec", "SurfaceFinish"), "CadData": (),
    "Step": ("NonstandardAttribute", "Datum", "PhyNetGroup", "DfxMeasurementList", "StackupRef"),
    "Set": ("NonstandardAttribute", "ColorRef", "SpecRef", "LineDescRef", "PinRef"),
}
"""Objects that hold no copper, by the element in which they stand."""


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
        self.data = data
        self.told = Told(file, data)
        self.given = Given(self.told)
        self.content = FileContent(file, self.given)
        self.dictionary = 0.0
        self.units: list[float] = []
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
        return layout_of(self.content)

    def enter(self, element: XmlElement) -> bool:
        """Begin an element that holds objects."""
        tag = element.tag
        if tag == "IPC-2581":
            self.content.revision = element.attrs.get("revision", "")
        elif tag.startswith("Dictionary"):
            self.dictionary = unit(element)
            self.units.append(self.dictionary)
        elif tag == "CadHeader":
            self.given.scale = unit(element)
        elif tag == "CadData":
            self.need_unit(element)
        elif tag == "Step":
            self.content.steps.append(StepContent(element.attrs.get("name", "")))
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
            take_feature(element, self.sets[-1], given, self.content.steps[-1].drawing)
        elif parent == "Step":
            self.take_of_step(element, self.content.steps[-1])
        elif parent.startswith("Dictionary"):
            given.shapes.keep(element, self.dictionary)
        elif parent == "Bom":
            self.content.bom.update(bom_lines(element))
        elif parent == "CadHeader":
            given.layers.specs[element.attrs.get("name", "")] = spec(element)
        elif parent == "Content":
            self.content.named.append(element.attrs.get("name", ""))
        elif element.tag == "Layer":
            given.layers.declare(element)
        elif element.tag == "Stackup":
            given.layers.stacks.append(build_up(element, given.scale))
        else:
            self.content.packages[element.attrs.get("name", "")] = package_pins(element, given)

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
