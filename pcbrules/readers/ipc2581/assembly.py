# SPDX-License-Identifier: MIT
"""The layout of what a file holds: its board, with every hole and pad where it belongs."""

from __future__ import annotations

from dataclasses import replace

from pcbrules.errors import quoted
from pcbrules.layout.copper import Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetClass
from pcbrules.layout.parts import LayoutPart, PartPad, is_left_out
from pcbrules.layout.rings import area
from pcbrules.readers.drawn.holes import SortedHoles, sort_holes
from pcbrules.readers.ipc2581.content import FileContent, StepContent
from pcbrules.readers.ipc2581.layers import NOT_STANDARD, without_thin
from pcbrules.readers.ipc2581.parts import BomLine, PackagePin, PlacedPart
from pcbrules.readers.ipc2581.pins import claim_pads, pads_of_package
from pcbrules.readers.layout_faults import Fault
from pcbrules.readers.layout_remarks import ALL, METAL, build_up_remarks
from pcbrules.readers.net_pairs import pairs

PIN_LIMIT = 2_000_000
"""Pins of all parts, by their packages."""

SHOWN = {1e-3: "mm", 1e-6: "um", 0.0254: "in"}
"""Units of drawings by their metres."""

REVISIONS = ("A", "B", "B1", "C")


def layout_of(content: FileContent) -> Layout:
    """The layout. Raises InputError."""
    return _Assembly(content).layout()


class _Assembly:
    """What becomes of the objects of a file."""

    def __init__(self, content: FileContent) -> None:
        self.content, self.given, self.told = content, content.given, content.given.told

    def step(self) -> StepContent:
        """The step that is the board: of those that repeat no other, the first that the content names."""
        boards = [one for one in self.content.steps if not one.repeats] or self.content.steps
        if not boards:
            self.told.remark("the file has no step: there is no drawing", "")
            return StepContent("")
        chosen = next((one for name in self.content.named for one in boards if one.name == name), boards[0])
        if len(boards) > 1:
            self.told.remark("the file has several boards: one is read",
                             quoted(f"{chosen.name} of {', '.join(one.name for one in boards)}"))
        return chosen

    def layout(self) -> Layout:
        """What was read."""
        given, step = self.given, self.step()
        if self.content.revision not in REVISIONS:
            self.told.remark("the revision is none of the standard", quoted(self.content.revision))
        sheets, order = self.sheets(step)
        drawing = step.drawing
        packages = {**self.content.packages, **step.packages}
        if sum(len(packages.get(one.package, ())) for one in step.parts) > PIN_LIMIT:
            self.told.fault(Fault(0, "the parts have too many pins", expected=f"at most {PIN_LIMIT}"))
            self.told.check()
        claim_pads(drawing, step.parts, packages, given)
        given.backdrills = {name: one.backdrill for name, one in given.layers.specs.items() if one.backdrill}
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
            self.content.file, "ipc2581", self.content.revision,
            sheets or tuple(LayoutLayer(name, "copper") for name in order),
            stack.thickness if stack else None, tuple(sorted(step.outline, key=lambda one: -abs(area(one)))), names,
            parts, tuple(one for one in drawing.tracks if one.layer in order), tuple(found.vias), zones,
            tuple(NetClass(name, nets=tuple(sorted(group))) for name, group in sorted(step.groups.items())),
            pairs(names), loose=tuple(found.loose), skipped=tuple(sorted(given.skipped.items())),
            lost=tuple(sorted(given.lost - {""})), unit=SHOWN.get(given.scale, "mm"))
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
        line = self.content.bom.get(one.reference, BomLine())
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
                          line.fitted and not is_left_out(line.fields.items()),
                          tuple((name, value) for name, value in line.fields.items()
                                if name.lower() != "value"))

    def with_net(self, part: PlacedPart, pad: PartPad, step: StepContent) -> PartPad:
        """A pad with the net that the netlist gives it; one that contradicts the drawing is told."""
        net = step.nets.get((part.reference, pad.pin), "")
        if net and pad.net and net != pad.net:
            self.told.odd(part.offset, "the netlist and the drawing give a pin different nets: the drawing counts",
                          quoted(f"{part.reference}.{pad.pin}: {net}, {pad.net}"))
        return replace(pad, net=net) if net and not pad.net else pad
