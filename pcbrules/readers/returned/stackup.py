# SPDX-License-Identifier: MIT
"""The stackup of an IPC-2581 file: layers with their specifications, and the impedances that these ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pcbrules.readers.ipc2581.elements import XmlElement, read_elements
from pcbrules.readers.ipc2581.layers import LayerTables, build_up, spec
from pcbrules.readers.ipc2581.values import number, unit
from pcbrules.readers.layout_faults import SIZE_LIMIT, Fault, Told
from pcbrules.readers.returned.records import ReturnedFile, ReturnedLine, ReturnedSheet
from pcbrules.units import to_si

__all__ = ["SIZE_LIMIT", "read_stackup"]

LENGTH_UNITS = {"MM": "mm", "INCH": "in", "MICRON": "um", "MILS": "mil"}
"""Units of properties, in the words of the schema."""

WEIGHTS = ("OZ", "OZ/SQ-FT")
LEFT_OUT = frozenset({"Step", "Bom", "DictionaryStandard", "DictionaryUser", "DictionaryLineDesc"})


@dataclass
class _SpecBeside:
    """What a specification says beside material, Dk and Df."""

    weight: float | None = None
    foil: str = ""
    rz_top: float | None = None
    rz_bottom: float | None = None
    glass: list[str] = field(default_factory=list)
    lines: list[XmlElement] = field(default_factory=list)


def read_stackup(data: bytes, file: str) -> ReturnedFile:
    """Read the stackup. Raises InputError with every fault."""
    told = Told(file, data)
    reading = _StackupReading(told)
    found: tuple[tuple[ReturnedSheet, ...], tuple[ReturnedLine, ...]] = ((), ())
    try:
        read_elements(data, reading, told)
        if not told.problems.wrong:
            found = reading.found()
    except Fault as fault:
        told.fault(fault)
    told.check()
    return ReturnedFile(file, *found, told.all())


class _StackupReading:
    """One pass over the objects of a file; drawings are left out."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.tables = LayerTables()
        self.beside: dict[str, _SpecBeside] = {}
        self.scale = 0.0

    def enter(self, element: XmlElement) -> bool:
        """Begin an element that holds objects."""
        if element.tag == "CadHeader":
            self.scale = unit(element)
        return element.tag not in LEFT_OUT

    def leave(self, tag: str) -> None:
        """End it."""

    def miss(self, parent: str, element: XmlElement) -> None:
        """Meet an object that is no part of a stackup."""

    def take(self, parent: str, element: XmlElement) -> None:
        """Read one object. Raises Fault."""
        if element.tag == "Spec":
            name = element.attrs.get("name", "")
            self.tables.specs[name] = spec(element)
            self.beside[name] = self._beside(element)
        elif element.tag == "Layer":
            self.tables.declare(element)
        elif element.tag == "Stackup":
            if not self.scale:
                raise Fault(element.offset, "the unit is not stated", expected='<CadHeader units="MILLIMETER">')
            self.tables.stacks.append(build_up(element, self.scale))

    def found(self) -> tuple[tuple[ReturnedSheet, ...], tuple[ReturnedLine, ...]]:
        """Layers and impedances. Raises Fault where there is no stackup."""
        tables, sheets, lines = self.tables, [], []
        layers = tables.sheets(self.told.odd)
        if tables.stack is None or not layers:
            raise Fault(0, "the file has no stackup", expected="<Stackup> with all copper layers")
        rows = [row for row in tables.stack.rows() if row.name in tables.rows]
        for layer, row in zip(layers, rows, strict=True):
            names = dict.fromkeys((*row.specs, *tables.rows[row.name].specs))
            beside = [self.beside[name] for name in names if name in self.beside]
            place = self.told.lines.at(row.offset)
            for name in names:
                own = self.beside.get(name, _SpecBeside())
                lines += [_line(one, name, layer.name, self.told.lines.at(one.offset), self.scale) for one in own.lines]
            if layer.kind not in ("copper", "dielectric", "mask") or (layer.kind != "copper" and not layer.thickness):
                continue
            if not layer.thickness:
                raise Fault(row.offset, f"the layer {layer.name} has no thickness", expected="a positive number")
            sheets.append(ReturnedSheet(
                layer.name, layer.kind, layer.thickness, place, "" if layer.kind == "copper" else layer.material,
                layer.dk, layer.df, layer.at, _first(one.weight for one in beside),
                next((one.foil for one in beside if one.foil), ""), _first(one.rz_top for one in beside),
                _first(one.rz_bottom for one in beside), tuple(text for one in beside for text in one.glass)))
        return tuple(sheets), tuple(lines)

    def _beside(self, element: XmlElement) -> _SpecBeside:
        made = _SpecBeside()
        for one in element.children:
            kind = one.attrs.get("type", "")
            first = one.child("Property")
            if one.tag == "Impedance":
                made.lines.append(one)
            elif first is None:
                continue
            elif one.tag == "Dielectric" and kind == "GLASS_STYLE" and first.attrs.get("text"):
                made.glass += [each.attrs["text"] for each in one.all("Property") if each.attrs.get("text")]
            elif one.tag == "Conductor" and kind == "WEIGHT" and first.attrs.get("unit") in WEIGHTS:
                made.weight = to_si(number(first, "value", least=0, most=100), "oz")
            elif one.tag == "Conductor" and first.attrs.get("name") == "foil":
                made.foil = first.attrs.get("text", "")
            elif one.tag == "Conductor" and kind == "SURFACE_ROUGHNESS_UPFACING":
                made.rz_top = _length(first, self.scale)
            elif one.tag == "Conductor" and kind == "SURFACE_ROUGHNESS_DOWNFACING":
                made.rz_bottom = _length(first, self.scale)
        return made


def _line(element: XmlElement, name: str, layer: str, place: tuple[int, int], scale: float) -> ReturnedLine:
    """An <Impedance> with the trace in it."""
    trace = next(iter(element.children), None)
    sizes = {one.tag: _length(one, scale) for one in (trace.children if trace else ()) if "value" in one.attrs}
    target = number(element, "value", least=1e-3, most=1e4)
    return ReturnedLine(name, layer, place, target, sizes.get("LineWidth"), None, sizes.get("Spacing"),
                        sizes.get("CoplanarGroundSpacing"))


def _length(element: XmlElement, scale: float) -> float:
    """The value of a property that is a length; without a unit in that of the file. [m]"""
    value = number(element, "value", least=0, most=1e5)
    word = element.attrs.get("unit", "")
    return to_si(value, LENGTH_UNITS[word]) if word in LENGTH_UNITS else value * scale


def _first(values: Iterable[float | None]) -> float | None:
    return next((one for one in values if one is not None), None)
