# SPDX-License-Identifier: MIT
"""The copper of one side of a rail as a task of plain numbers."""

from __future__ import annotations

from itertools import pairwise
from math import pi

from pcbrules.analysis.ir_drop.solve import DIRECT, FlowTask, Lattice
from pcbrules.analysis.ir_drop.undrawn_antipads import Antipads, assumed_antipads
from pcbrules.model.rail_copper import BallField, BarrelGrid, CopperSheet, CopperSide, CopperSource, Perforation
from pcbrules.model.stack import Placed, Stack
from pcbrules.physics.lines.copper import resistivity, sheet_resistance
from pcbrules.physics.power.perforation import perforated_cell, perforated_sheet_ratio
from pcbrules.physics.power.sheet_grid import Contact, Layer
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.solver_cache import solved_once
from pcbrules.ties import ordered

REFERENCE = pi * (0.125e-3**2 - 0.1e-3**2)
"""Copper of a barrel of 0.25 mm with 25 um. [m2]"""
AMPACITY = 0.725
"""Power of the cross-section to which the current of one temperature rise goes, IPC-2221. [-]"""
FINE_POINT = 0.2e-3
"""Diameter of a sense point; it carries no current. [m]"""


def flow_task(
    side: CopperSide, stack: Stack, *, temperature: float, balanced: bool, assumed: bool = False
) -> FlowTask:
    """One side of a rail, all copper at one temperature [degC]; sources share their current, or have one potential.

    Sheets that do not say whether they are perforated are whole, or have the ``assumed`` fields of antipads.
    """
    net = _Net(side, stack, float(resistivity(temperature=temperature)))
    sources = [net.source(source) for source in side.sources]
    fields = [net.balls(ball) for ball in side.balls]
    for field in side.vias:
        net.holes(field, ordered(set(field.layers), key=stack.order))
    sense = None
    if side.sense:
        x, y = side.sense.at
        sense = net.contact(side.sense.layer, (x.value, y.value), (FINE_POINT,))
    thickness = tuple(stack.copper(sheet.layer).spec.thickness.value for sheet in side.sheets)
    antipads = [_antipads(sheet, side, assumed=assumed) for sheet in side.sheets]
    layers = tuple(
        Layer(
            tuple(shape.polygon for shape in sheet.shapes),
            float(sheet_resistance(thickness=own, temperature=temperature)),
            tuple(hole.polygon for hole in sheet.cutouts),
            tuple((field.region, hole_ratio(field.fraction)) for field in fields),
        )
        for sheet, own, fields in zip(side.sheets, thickness, antipads, strict=True)
    )
    lattices = tuple(Lattice(net.order[sheet.layer], field.region, field.pitch, field.antipad,
                             hole_ratio(pi / 4 * (field.antipad / field.pitch) ** 2))
                     for sheet, fields in zip(side.sheets, antipads, strict=True) for field in fields)
    return FlowTask(
        layers, thickness, lattices, tuple(net.terminals), tuple(net.links), tuple(net.barrels), tuple(sources),
        _shares(side) if balanced else (), tuple(number for one in fields for number in one),
        tuple(ball.share.value / len(one) for ball, one in zip(side.balls, fields, strict=True) if ball.share
              for _ in one), sense,
    )


class _Net:
    """Terminals of one side and the resistances between them, as they come; every method adds some."""

    def __init__(self, side: CopperSide, stack: Stack, rho: float) -> None:
        self.stack = stack
        self.rho = rho
        self.order = {sheet.layer: at for at, sheet in enumerate(side.sheets)}
        self.terminals: list[Contact | None] = []
        self.links: list[tuple[int, int, float]] = []
        self.barrels: list[tuple[int, float]] = []

    def contact(self, layer: str, place: tuple[float, float], size: tuple[float, ...], own: float = 0.0) -> int:
        """The number of a new terminal on a sheet, behind a resistance [ohm]."""
        self.terminals.append(Contact(self.order[layer], place, size, own))
        return len(self.terminals) - 1

    def source(self, source: CopperSource) -> int:
        """The number of a source, which feeds each of its layers."""
        self.terminals.append(None)
        first = len(self.terminals) - 1
        own = (source.resistance.value if source.resistance else 0.0) * len(set(source.layers))
        for name in dict.fromkeys(source.layers):
            self.links.append((first, self.contact(name, source.place, source.size, own), DIRECT))
        return first

    def balls(self, ball: BallField) -> list[int]:
        """The numbers of the terminals on the surface of a field of balls."""
        names = ordered(set(ball.layers) | {ball.surface}, key=self.stack.order)
        if names[-1] == ball.surface:
            names.reverse()
        return [first + names.index(ball.surface) for first in self.holes(ball, names)]

    def holes(self, field: BarrelGrid, names: list[str]) -> list[int]:
        """Equal holes through layers in the order given; the number of the first terminal of each."""
        scale = (REFERENCE / barrel_area(field)) ** AMPACITY
        pieces = [
            float(tube_resistance(resistivity=self.rho, length=_between(above, below), drill=field.drill.value,
                                  plating=field.plating.value))
            for above, below in pairwise(self.stack.copper(name) for name in names)
        ]
        found = []
        for place in field.places:
            first = len(self.terminals)
            found.append(first)
            for name in names:
                if name in field.layers:
                    self.contact(name, place, (field.drill.value,))
                else:
                    self.terminals.append(None)
            for k, resistance in enumerate(pieces):
                self.barrels.append((len(self.links), scale))
                self.links.append((first + k, first + k + 1, resistance))
        return found


def _shares(side: CopperSide) -> tuple[float, ...]:
    """Parts of the current that the sources give: those declared, else equal ones. [-]"""
    declared = [source.share.value for source in side.sources if source.share]
    shares = declared or [1 / len(side.sources)] * len(side.sources)
    return tuple(share / sum(shares) for share in shares)


def barrel_area(field: BarrelGrid) -> float:
    """Cross-section of the copper of a hole. [m2]"""
    outer = field.drill.value / 2
    return float(pi * (outer**2 - max(outer - field.plating.value, 0.0) ** 2))


def _antipads(sheet: CopperSheet, side: CopperSide, *, assumed: bool) -> list[Antipads]:
    """The fields of antipads of a sheet: those declared, else none or the ``assumed`` ones."""
    if sheet.perforated is not None:
        return [Antipads(one.polygon, one.pitch.value, one.antipad.value, hole_fraction(one))
                for one in sheet.perforated]
    return assumed_antipads(sheet, side) if assumed else []


def hole_fraction(field: Perforation) -> float:
    """Area of the antipads over area of the plane. [-]"""
    return float(field.share.value * pi / 4 * (field.antipad.value / field.pitch.value) ** 2)


@solved_once
def hole_ratio(fraction: float) -> float:
    """Sheet resistance with antipads over that without: Maxwell's in its range, else the cell solved. [-]"""
    if perforated_sheet_ratio.card.outside(fraction=fraction) is None:
        return float(perforated_sheet_ratio(fraction=fraction))
    return perforated_cell(fraction=fraction)[0]


def _between(one: Placed, other: Placed) -> float:
    """Length of a barrel between two copper layers, middle to middle. [m]"""
    return abs((one.top + one.bottom) / 2 - (other.top + other.bottom) / 2)
