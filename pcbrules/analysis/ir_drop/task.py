# SPDX-License-Identifier: MIT
"""The copper of one side of a rail as a task of plain numbers."""

from __future__ import annotations

from itertools import pairwise
from math import pi

from pcbrules.analysis.ir_drop.solve import DIRECT, FlowTask, Lattice
from pcbrules.model.rail_copper import BarrelGrid, CopperSide, Perforation
from pcbrules.model.stack import Placed, Stack
from pcbrules.physics.lines.copper import resistivity, sheet_resistance
from pcbrules.physics.power.perforation import perforated_cell, perforated_sheet_ratio
from pcbrules.physics.power.sheet_grid import Contact, Layer
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.ties import ordered

REFERENCE = pi * (0.125e-3**2 - 0.1e-3**2)
"""Copper of a barrel of 0.25 mm with 25 um. [m2]"""
AMPACITY = 0.725
"""Power of the cross-section to which the current of one temperature rise goes, IPC-2221. [-]"""
FINE_POINT = 0.2e-3
"""Diameter of a sense point; it carries no current. [m]"""


def flow_task(side: CopperSide, stack: Stack, *, temperature: float, balanced: bool) -> FlowTask:
    """One side of a rail, all copper at one temperature [degC]; sources share their current, or have one potential."""
    order = {sheet.layer: at for at, sheet in enumerate(side.sheets)}
    thickness = tuple(stack.copper(sheet.layer).spec.thickness.value for sheet in side.sheets)
    layers = tuple(
        Layer(
            tuple(shape.polygon for shape in sheet.shapes),
            float(sheet_resistance(thickness=own, temperature=temperature)),
            tuple(hole.polygon for hole in sheet.cutouts),
            tuple((field.polygon, hole_ratio(field)) for field in sheet.perforated),
        )
        for sheet, own in zip(side.sheets, thickness, strict=True)
    )
    terminals: list[Contact | None] = []
    links: list[tuple[int, int, float]] = []
    barrels: list[tuple[int, float]] = []
    rho = float(resistivity(temperature=temperature))

    def chain(field: BarrelGrid, names: list[str], place: tuple[float, float]) -> int:
        """A hole through layers in the order given; the number of its first terminal."""
        first = len(terminals)
        terminals.extend(
            Contact(order[name], place, (field.drill.value,)) if name in field.layers else None for name in names)
        scale = (REFERENCE / barrel_area(field)) ** AMPACITY
        for k, (above, below) in enumerate(pairwise(stack.copper(name) for name in names)):
            resistance = float(tube_resistance(resistivity=rho, length=_between(above, below), drill=field.drill.value,
                                               plating=field.plating.value))
            barrels.append((len(links), scale))
            links.append((first + k, first + k + 1, resistance))
        return first

    sources = []
    for source in side.sources:
        sources.append(len(terminals))
        terminals.append(None)
        own = (source.resistance.value if source.resistance else 0.0) * len(set(source.layers))
        for name in dict.fromkeys(source.layers):
            links.append((sources[-1], len(terminals), DIRECT))
            terminals.append(Contact(order[name], source.place, source.size, own))
    balls = []
    for ball in side.balls:
        names = ordered(set(ball.layers) | {ball.surface}, key=stack.order)
        if names[-1] == ball.surface:
            names.reverse()
        balls += [chain(ball, names, place) + names.index(ball.surface) for place in ball.places]
    for field in side.vias:
        for place in field.places:
            chain(field, ordered(set(field.layers), key=stack.order), place)
    sense = None
    if side.sense:
        sense = len(terminals)
        x, y = side.sense.at
        terminals.append(Contact(order[side.sense.layer], (x.value, y.value), (FINE_POINT,)))
    declared = [source.share.value for source in side.sources if source.share]
    shares = declared or [1 / len(side.sources)] * len(side.sources)
    return FlowTask(
        layers, thickness,
        tuple(Lattice(order[sheet.layer], field.polygon, field.pitch.value, field.antipad.value)
              for sheet in side.sheets for field in sheet.perforated),
        tuple(terminals), tuple(links), tuple(barrels), tuple(sources),
        tuple(share / sum(shares) for share in shares) if balanced else (), tuple(balls), sense,
    )


def barrel_area(field: BarrelGrid) -> float:
    """Cross-section of the copper of a hole. [m2]"""
    outer = field.drill.value / 2
    return float(pi * (outer**2 - max(outer - field.plating.value, 0.0) ** 2))


def hole_fraction(field: Perforation) -> float:
    """Area of the antipads over area of the plane. [-]"""
    return float(field.share.value * pi / 4 * (field.antipad.value / field.pitch.value) ** 2)


def hole_ratio(field: Perforation) -> float:
    """Sheet resistance with the antipads over that without: Maxwell's in its range, else the cell solved. [-]"""
    fraction = hole_fraction(field)
    if perforated_sheet_ratio.card.outside(fraction=fraction) is None:
        return float(perforated_sheet_ratio(fraction=fraction))
    return perforated_cell(fraction=fraction)[0]


def _between(one: Placed, other: Placed) -> float:
    """Length of a barrel between two copper layers, middle to middle. [m]"""
    return abs((one.top + one.bottom) / 2 - (other.top + other.bottom) / 2)
