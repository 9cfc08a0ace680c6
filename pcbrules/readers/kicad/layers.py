# SPDX-License-Identifier: MIT
"""The layer table and the build-up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from pcbrules.layout.layers import LayerKind, LayoutLayer
from pcbrules.readers.kicad.tokens import Node, text_of
from pcbrules.readers.kicad.values import MM, number, word, words
from pcbrules.readers.layout_faults import Fault

CANONICAL = 20200000
"""Formats from which objects name copper layers as KiCad does; before, as the designer does."""

COPPER = re.compile(r"F\.Cu|B\.Cu|In([1-9]|[12][0-9]|30)\.Cu")
LAST_COPPER = 31
"""Ordinal of the bottom layer before KiCad 9 numbered layers anew."""


@dataclass
class LayerTable:
    """Copper layers by the names that objects use, from top to bottom.

    Attributes
    ----------
    names : tuple of str
    labels, roles : dict
        Name that the designer gave; what the layer is for.
    absent : dict
        Copper layers that objects name and the board does not have, with the offset of the first such object.
    """

    names: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    absent: dict[str, int] = field(default_factory=dict)

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Copper layers of each name that stands for several."""
        outer = tuple(dict.fromkeys((self.names[0], self.names[-1]))) if self.names else ()
        return {"*.Cu": self.names, "F&B.Cu": outer, "*In.Cu": self.names[1:-1]}

    @cached_property
    def places(self) -> dict[str, int]:
        """Place of each copper layer from the top."""
        return {name: place for place, name in enumerate(self.names)}

    def copper(self, node: Node) -> tuple[str, ...]:
        """Copper layers that a ``(layer`` or ``(layers`` names, from top to bottom; the rest is left out.

        A copper layer that the board does not have, as parts of a library bring them, is kept in mind.
        """
        found: set[str] = set()
        for name in words(node):
            if name in self.places:
                found.add(name)
            elif name in self.groups:
                found.update(self.groups[name])
            elif COPPER.fullmatch(name) and name not in self.labels.values():
                self.absent.setdefault(name, node[0])
        return tuple(name for name in self.names if name in found)

    def one(self, node: Node) -> str:
        """The copper layer of a track. Raises Fault where there is not one."""
        found = self.copper(node)
        if len(found) != 1:
            raise Fault(node[0], "a track lies on one copper layer", found=", ".join(words(node)) or "nothing",
                        expected=f"one of {', '.join(self.names)}")
        return found[0]

    def span(self, node: Node) -> tuple[str, str]:
        """First and last layer of a via. Raises Fault for anything but two copper layers."""
        found = self.copper(node)
        if len(found) < 2:
            raise Fault(node[0], "a via joins two copper layers", found=", ".join(words(node)) or "nothing",
                        expected=f"two of {', '.join(self.names)}")
        return found[0], found[-1]

    def rows(self) -> tuple[LayoutLayer, ...]:
        """The copper layers alone, without thickness."""
        return tuple(self.row(name) for name in self.names)

    def row(self, name: str, thickness: float | None = None) -> LayoutLayer:
        """A copper layer of the build-up. [m]"""
        return LayoutLayer(name, "copper", self.labels.get(name, ""), self.roles.get(name, ""), thickness)


def read_layers(node: Node, version: int) -> LayerTable:
    """The table of copper layers, from top to bottom."""
    found: list[tuple[int, str]] = []
    table = LayerTable()
    for row in node[2:]:
        if row.__class__ is not list or not row[1].isdecimal() or len(row) < 4:
            raise Fault(node[0], "a row of the layer table has number, name and kind",
                        expected='(0 "F.Cu" signal)')
        name = word(row, 2)
        canonical = COPPER.fullmatch(name)
        if not (canonical if version >= CANONICAL else int(row[1][:9]) <= LAST_COPPER):
            continue
        if name in table.roles:
            raise Fault(row[0], "a layer stands twice in the table", found=f"'{name}'", expected="once")
        place = _place(name) if canonical else int(row[1][:9])
        found.append((place if version >= CANONICAL else int(row[1][:9]), name))
        table.roles[name] = word(row, 3)
        label = next((text_of(one) for one in row[4:] if one.__class__ is str and one != "hide"), "")
        if label:
            table.labels[name] = label
    if len(found) < 1:
        raise Fault(node[0], "the board has no copper layer", expected='(0 "F.Cu" signal)')
    table.names = tuple(name for _, name in sorted(found))
    return table


def _place(name: str) -> int:
    return 0 if name == "F.Cu" else 31 if name == "B.Cu" else int(name[2:-3])


KINDS: tuple[tuple[str, LayerKind], ...] = (
    ("copper", "copper"), ("core", "dielectric"), ("prepreg", "dielectric"), ("dielectric", "dielectric"),
    ("solder mask", "mask"), ("silk screen", "silkscreen"), ("solder paste", "paste"),
)


def read_stackup(node: Node, table: LayerTable) -> tuple[LayoutLayer, ...]:
    """All sheets of the build-up from top to bottom; sheets of one dielectric one by one."""
    found: list[LayoutLayer] = []
    for layer in node[2:]:
        if layer.__class__ is list and layer[1] == "layer":
            name = word(layer)
            sheets: list[dict[str, Node]] = [{}]
            for one in layer[3:]:
                if one.__class__ is list:
                    sheets[-1][one[1]] = one
                elif one == "addsublayer":
                    sheets.append({})
            kind_node = sheets[0].get("type")
            stated = word(kind_node) if kind_node else ""
            found += [_sheet(name, stated, sheet, table) for sheet in sheets]
    return tuple(found)


def _sheet(name: str, stated: str, sheet: dict[str, Node], table: LayerTable) -> LayoutLayer:
    kind: LayerKind = next((kind for text, kind in KINDS if text in stated.lower()), "other")
    if name.startswith("dielectric") and kind == "other":
        kind = "dielectric"
    given = sheet.get("thickness")
    thickness = number(given, least=0, most=50) * MM if given else None
    if kind == "copper":
        if thickness is not None and thickness <= 0:
            thickness = None
        return table.row(name, thickness)
    material = word(sheet["material"]) if "material" in sheet else ""
    return LayoutLayer(
        name, kind, table.labels.get(name, ""), stated if kind == "dielectric" else "", thickness, material,
        number(sheet["epsilon_r"], least=0, most=1000) if "epsilon_r" in sheet else None,
        number(sheet["loss_tangent"], least=0, most=10) if "loss_tangent" in sheet else None,
    )
