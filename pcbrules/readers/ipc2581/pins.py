# SPDX-License-Identifier: MIT
"""Pads that the file does not assign to pins, or does not draw: by the pins of the packages."""

from __future__ import annotations

from pcbrules.layout.parts import PadShape, PartPad
from pcbrules.readers.drawn.holes import VIA, Cell, cell, cells
from pcbrules.readers.drawn.pads import PadFlash
from pcbrules.readers.drawn.placing import placed
from pcbrules.readers.ipc2581.features import Given, StepDrawing
from pcbrules.readers.ipc2581.parts import PackagePin, PlacedPart


def claim_pads(drawing: StepDrawing, parts: list[PlacedPart], packages: dict[str, list[PackagePin]],
               given: Given) -> None:
    """Assign copper without a pin to the pin of a package that lies at its place, for parts that have no pads."""
    flashes = drawing.flashes
    drawn = {one.part for one in flashes if one.pin}
    of_vias = {one.stack for one in drawing.openings if one.plating in VIA} - {""}
    free: dict[Cell, list[PadFlash]] = {}
    for one in flashes:
        if not one.pin and one.stack not in of_vias:
            free.setdefault(cell(one.at), []).append(one)
    claimed = 0
    for part in parts if free else ():
        if part.reference in drawn:
            continue
        row = given.layers.rows.get(part.layer)
        for pin in packages.get(part.package, ()):
            for where in cells(part.place.of(pin.at)):
                for one in free.get(where, ()):
                    if not one.pin and (pin.through or row is None or not row.copper or one.layer == part.layer):
                        one.part, one.pin = part.reference, pin.name
                        claimed += 1
    if claimed:
        given.told.remark("pads that name no pin are taken as the pin of the package at their place", f"{claimed}")


def pads_of_package(part: PlacedPart, pins: list[PackagePin], nets: dict[tuple[str, str], str],
                    order: tuple[str, ...], layer: str, given: Given) -> list[PartPad]:
    """Pads of a part as its package has them, with the nets of the netlist; a pin through the board on all layers."""
    found = []
    for pin in pins:
        at = part.place.of(pin.at)
        shape = PadShape(at, 0.0, 0.0)
        if pin.shape is not None and given.affords(pin.shape):
            shape = placed(pin.shape, part.place)
        found.append(PartPad(pin.name, nets.get((part.reference, pin.name), ""), at,
                             order if pin.through else (layer,), (("", shape),)))
    return found
