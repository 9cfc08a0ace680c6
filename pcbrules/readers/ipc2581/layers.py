# SPDX-License-Identifier: MIT
"""Layers, the build-up and the specifications of its sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pcbrules.errors import quoted
from pcbrules.layout.layers import LayerKind, LayoutLayer
from pcbrules.readers.drawn.pads import StatedBackdrill
from pcbrules.readers.ipc2581.elements import XmlElement
from pcbrules.readers.ipc2581.values import metres_of, number, text
from pcbrules.readers.layout_faults import Fault

COPPER = {"CONDUCTOR": "", "CONDFILM": "", "CONDFOIL": "", "SIGNAL": "signal", "PLANE": "power", "MIXED": "mixed"}
"""Functions of copper layers, and what such a layer is for."""

NOT_STANDARD = "MIXED_MATERIAL"
"""What one exporter calls every copper layer."""

KINDS: dict[str, tuple[LayerKind, str]] = {
    "DIELBASE": ("dielectric", "base"), "DIELCORE": ("dielectric", "core"), "DIELPREG": ("dielectric", "prepreg"),
    "DIELADHV": ("dielectric", "adhesive"), "DIELBONDPLY": ("dielectric", "bond ply"),
    "DIELCOVERLAY": ("dielectric", "coverlay"), "SOLDERMASK": ("mask", ""), "SILKSCREEN": ("silkscreen", ""),
    "LEGEND": ("silkscreen", ""), "SOLDERPASTE": ("paste", ""), "PASTEMASK": ("paste", ""),
}
"""Functions of other sheets: kind and role."""

DRILLED = ("DRILL", "ROUT")
"""Functions of layers that hold holes and slots."""


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A layer as the file declares it; `first` and `last` are the span of one that holds holes."""

    name: str
    function: str
    side: str
    negative: bool
    first: str
    last: str
    specs: tuple[str, ...]

    @property
    def copper(self) -> bool:
        """True for a layer of copper."""
        return self.function in COPPER or self.function == NOT_STANDARD


@dataclass
class SheetSpec:
    """What a specification says of a sheet or of a hole."""

    material: str = ""
    dk: float | None = None
    df: float | None = None
    at: float | None = None
    backdrill: StatedBackdrill | None = None


@dataclass(frozen=True, slots=True)
class StackRow:
    """A row of the build-up: a layer or a group of them. [m]"""

    name: str
    sequence: float | None
    thickness: float | None
    specs: tuple[str, ...]
    offset: int


@dataclass
class StatedBuildUp:
    """One build-up: its groups by name, each with its rows, and the thickness that it declares, and over what. [m]"""

    name: str
    thickness: float | None
    groups: dict[str, list[StackRow]] = field(default_factory=dict)
    offset: int = 0
    measured: str = ""

    def rows(self) -> Iterator[StackRow]:
        """Rows from top to bottom; a group that another one names stands where it is named."""
        named = {row.name for rows in self.groups.values() for row in rows} & set(self.groups)
        for name in self.groups:
            if name not in named:
                yield from self._rows(name, 0)

    def _rows(self, name: str, depth: int) -> Iterator[StackRow]:
        rows = self.groups[name]
        if all(row.sequence is not None for row in rows):
            rows = sorted(rows, key=lambda row: row.sequence or 0.0)
        for row in rows:
            if row.name not in self.groups:
                yield row
            elif depth < len(self.groups):
                yield from self._rows(row.name, depth + 1)


@dataclass
class LayerTables:
    """What a file says of layers.

    Attributes
    ----------
    rows : dict
        Layers by name, in the order of the file.
    specs : dict
        Specifications by name.
    stacks : list of StatedBuildUp
    """

    rows: dict[str, LayerRow] = field(default_factory=dict)
    specs: dict[str, SheetSpec] = field(default_factory=dict)
    stacks: list[StatedBuildUp] = field(default_factory=list)

    def declare(self, element: XmlElement) -> None:
        """Take a <Layer>. Raises Fault for a name that stands twice."""
        name, span, attrs = text(element, "name"), element.child("Span"), element.attrs
        if name in self.rows:
            raise Fault(element.offset, "a layer stands twice", found=quoted(name), expected="once")
        self.rows[name] = LayerRow(
            name, text(element, "layerFunction"), attrs.get("side", ""), attrs.get("polarity") == "NEGATIVE",
            span.attrs.get("fromLayer", "") if span else "", span.attrs.get("toLayer", "") if span else "",
            tuple(text(one, "id") for one in element.all("SpecRef")))

    @property
    def stack(self) -> StatedBuildUp | None:
        """The build-up that is used: the first."""
        return self.stacks[0] if self.stacks else None

    def order(self) -> tuple[str, ...]:
        """Copper layers from top to bottom: by the build-up where it holds them all, else as declared."""
        declared = [one.name for one in self.rows.values() if one.copper]
        stacked = [row.name for row in self.stack.rows() if row.name in self.rows] if self.stack else []
        stacked = [name for name in dict.fromkeys(stacked) if self.rows[name].copper]
        return tuple(stacked if set(stacked) == set(declared) else declared)

    def sheets(self, odd: Callable[[int, str, str], None]) -> tuple[LayoutLayer, ...]:
        """All sheets of the build-up; empty where there is none, or where it has other copper than the layers."""
        if self.stack is None:
            return ()
        rows = list(self.stack.rows())
        absent = [row for row in rows if row.name not in self.rows]
        for row in absent:
            odd(row.offset, "the build-up names a layer that the file does not have: it is left out", quoted(row.name))
        rows = [row for row in rows if row.name in self.rows]
        stacked = [row.name for row in rows if self.rows[row.name].copper]
        if sorted(stacked) != sorted(self.order()):
            odd(self.stack.offset, "the build-up has other copper layers than the file: it is not used",
                f"{', '.join(stacked) or 'none'} for {', '.join(self.order())}")
            return ()
        return tuple(self._sheet(row, odd) for row in rows)

    def _sheet(self, row: StackRow, odd: Callable[[int, str, str], None]) -> LayoutLayer:
        layer = self.rows[row.name]
        kind, role = KINDS.get(layer.function, ("other", ""))
        if layer.copper:
            kind, role = "copper", COPPER.get(layer.function, "")
        specs = []
        for name in dict.fromkeys((*row.specs, *layer.specs)):
            found = self._spec(name, row, odd)
            if found is None:
                odd(row.offset, "a sheet refers to a specification that the file does not have", quoted(name))
            else:
                specs.append(found)
        material = next((one.material for one in specs if one.material), "")
        if kind == "copper":
            return LayoutLayer(row.name, kind, "", role, row.thickness or None, material)
        return LayoutLayer(row.name, kind, "", role, row.thickness, material,
                           next((one.dk for one in specs if one.dk is not None), None),
                           next((one.df for one in specs if one.df is not None), None),
                           next((one.at for one in specs if one.at is not None), None))

    def _spec(self, name: str, row: StackRow, odd: Callable[[int, str, str], None]) -> SheetSpec | None:
        """The specification of a name; KiCad 9 refers to ``SPEC_x`` and declares ``x_1``."""
        if name in self.specs or name != f"SPEC_{row.name}":
            return self.specs.get(name)
        numbered = re.compile(re.escape(row.name) + r"_\d+")
        close = [one for one in self.specs if one == row.name or numbered.fullmatch(one)]
        if len(close) != 1:
            return None
        odd(row.offset, "sheets refer to specifications by other names than they have: they are taken by their layers",
            "SPEC_… for …_1")
        return self.specs[close[0]]


def spec(element: XmlElement) -> SheetSpec:
    """What a <Spec> says of a sheet or a hole. Raises Fault."""
    made = SheetSpec()
    for one in element.children:
        kind = one.attrs.get("type", "")
        properties = list(one.all("Property"))
        if one.tag == "Backdrill":
            made.backdrill = _backdrill(one, made.backdrill)
        elif not properties:
            continue
        elif one.tag == "General" and kind == "MATERIAL":
            made.material = made.material or properties[0].attrs.get("text", "")
        elif one.tag == "Dielectric" and kind == "DIELECTRIC_CONSTANT":
            made.dk = number(properties[0], "value", least=0, most=1000)
            if properties[0].attrs.get("refUnit") == "Hz":
                made.at = number(properties[0], "refValue", least=1, most=1e12)
        elif one.tag == "Dielectric" and kind == "LOSS_TANGENT":
            made.df = number(properties[0], "value", least=0, most=10)
    return made


def _backdrill(element: XmlElement, before: StatedBackdrill | None) -> StatedBackdrill:
    """By attributes, as KiCad writes it, or one property an element, as the standard has it."""
    first, last = (before.first, before.last) if before else ("", "")
    attrs, layer = element.attrs, element.child("Property")
    named = layer.attrs.get("layerOrGroupRef", "") if layer else ""
    kind = attrs.get("type", "")
    return StatedBackdrill(attrs.get("startLayerRef") or (named if kind == "START_LAYER" else first),
                     attrs.get("mustNotCutLayerRef") or (named if kind == "MUST_NOT_CUT_LAYER" else last))


def build_up(element: XmlElement, scale: float) -> StatedBuildUp:
    """A <Stackup> with its groups. Raises Fault. [m]"""
    overall = metres_of(element, "overallThickness", scale)
    made = StatedBuildUp(element.attrs.get("name", ""), overall, {}, element.offset,
                         element.attrs.get("whereMeasured", ""))
    groups = list(element.all("StackupGroup"))
    for place, group in enumerate(groups or [element]):
        made.groups[group.attrs.get("name", f"group {place}")] = [
            StackRow(text(one, "layerOrGroupRef"),
                     number(one, "sequence", least=-1e9, most=1e9) if "sequence" in one.attrs else None,
                     metres_of(one, "thickness", scale), tuple(text(ref, "id") for ref in one.all("SpecRef")),
                     one.offset)
            for one in group.all("StackupLayer")]
    return made


def without_thin(
    sheets: tuple[LayoutLayer, ...], used: set[str]
) -> tuple[tuple[LayoutLayer, ...], tuple[str, ...]]:
    """Copper without a thickness on which nothing is drawn, as exporters bring it for pads of drills, is no layer."""
    empty = tuple(one.name for one in sheets if one.kind == "copper" and not one.thickness and one.name not in used)
    return tuple(replace(one, kind="other", thickness=0.0) if one.name in empty else one for one in sheets), empty
