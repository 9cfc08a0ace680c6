# SPDX-License-Identifier: MIT
"""Parts: components with their places, packages with their pins, the bill of materials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pcbrules.layout.arcs import Point
from pcbrules.layout.parts import PadShape
from pcbrules.readers.drawn.placing import Placing
from pcbrules.readers.ipc2581.elements import XmlElement
from pcbrules.readers.ipc2581.features import Given
from pcbrules.readers.ipc2581.places import placing
from pcbrules.readers.ipc2581.values import text


@dataclass(frozen=True, slots=True)
class PackagePin:
    """A pin of a package in the package's axes; `shape` is None where the file draws none."""

    name: str
    at: Point
    shape: PadShape | None
    through: bool


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A component: its names, where it stands, and the layer it stands on."""

    reference: str
    package: str
    part: str
    layer: str
    place: Placing
    offset: int


@dataclass
class BomLine:
    """What the bill of materials says of a component."""

    fitted: bool = True
    package: str = ""
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def value(self) -> str:
        """The field of that name, in any case."""
        return next((one for name, one in self.fields.items() if name.lower() == "value"), "")


def package_pins(element: XmlElement, given: Given) -> list[PackagePin]:
    """The pins of a <Package>. Raises Fault."""
    found = []
    for pin in element.all("Pin"):
        place = placing(pin, given.scale)
        shape = given.shapes.within(pin, given.scale)
        found.append(PackagePin(text(pin, "number"), place.at, given.drawn(pin, shape, place) if shape else None,
                                pin.attrs.get("type", "").startswith("THR")))
    return found


def component(element: XmlElement, given: Given) -> PlacedPart:
    """A <Component>. Raises Fault."""
    attrs = element.attrs
    return PlacedPart(attrs.get("refDes", ""), attrs.get("packageRef", ""), attrs.get("part", ""),
                      attrs.get("layerRef", ""), placing(element, given.scale), element.offset)


def bom_lines(element: XmlElement) -> Iterator[tuple[str, BomLine]]:
    """Reference and line of each component of a <BomItem>."""
    fields = {}
    for group in element.all("Characteristics"):
        for one in group.children:
            name = _ending(one, "CharacteristicName")
            value = _ending(one, "CharacteristicValue")
            if name and value:
                fields[name] = value + one.attrs.get("engineeringUnitOfMeasure", "")
    for one in element.all("RefDes"):
        yield one.attrs.get("name", ""), BomLine(one.attrs.get("populate", "true").lower() not in ("false", "0"),
                                                 one.attrs.get("packageRef", ""), fields)


def _ending(element: XmlElement, end: str) -> str:
    """The attribute whose name ends so: ``textualCharacteristicName``, ``measuredCharacteristicValue``."""
    return next((value for name, value in element.attrs.items() if name.endswith(end)), "")
