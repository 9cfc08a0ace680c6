# SPDX-License-Identifier: MIT
"""A rail with a layout as a task of plain numbers: planes, groups of vias, loads, and the variants of the ladder."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import dist, exp, log, sqrt

from pcbrules.analysis.common.dielectrics import Ply, dielectric
from pcbrules.analysis.common.out_of_range import PLANES, in_file_words
from pcbrules.analysis.power.ladder import Bank, RailTask, regulator
from pcbrules.analysis.power.plane_rail import PlaneBoard, PlanePair, PlaneRail, ViaGroup, board_shape
from pcbrules.analysis.power.rail_task import BoundRail, LadderBank
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.model.rail_layout import PartPlaces, Point, RailLayout, least_distance
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper, Dielectric
from pcbrules.phrases import under
from pcbrules.physics.lines.copper import resistivity
from pcbrules.physics.power.inductance import chessboard_via_inductance, plane_inductance, via_pair_inductance
from pcbrules.physics.power.sheet_slits import Polygon, from_sides
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.results.place import Address
from pcbrules.units import show

MOST_BALLS = 600
"""Vias of a ball field that are followed one by one; of more, coarser ones of the same squares stand in."""
LATTICE = 1.3105329
"""Squares between a square lattice of vias and the mean of the sheet are (ln(pitch / radius) - this) / 2 pi a via."""
ROOM = 0.98
"""Largest diameter of rings over their distance. [-]"""
DK_AT = 100e6
"""Frequency [Hz] whose set of laminate data serves for planes."""


MOST_PAIRS = 16
"""Pairs of vias beside a phase of a regulator that are usual at most; where none are declared there are 1 to so many;
practice."""


@dataclass(frozen=True, slots=True)
class BoundLayout:
    """A rail on planes, and its variants in the order of those of the ladder."""

    rail: PlaneRail
    variants: tuple[PlaneRail, ...]
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]


def bind_layout(
    board: Board, name: str, rail: Rail, conditions: Conditions, bound: BoundRail
) -> BoundLayout | tuple[Missing, ...]:
    """Planes and places as numbers, with the loads of the bound ladder; else every input that is missing."""
    layout, stack, at = rail.layout, board.stack, f"rails{under(name)}.layout"
    if layout is None:
        return (Missing("places are not described", at),)
    if stack is None:
        return (Missing("planes need the stackup", "stackup"),)
    missing = [
        Missing(f"the bank {bank.name} has no place", f"{at}.banks.{bank.name}")
        for bank in bound.banks if bank.name not in layout.banks
    ]
    if not (rail.vrm and rail.vrm.phases) and layout.regulator.at is None:
        missing.append(Missing("the number of phases is not declared", f"rails{under(name)}.vrm.phases"))
    pairs = _pairs(board, layout, stack, f"{at}.pairs")
    if isinstance(pairs, Missing):
        missing.append(pairs)
    if missing or isinstance(pairs, Missing):
        return tuple(missing)
    copper = float(resistivity(temperature=conditions.plane_temperature))
    phases = len(layout.regulator.at) if layout.regulator.at else rail.vrm.phases if rail.vrm else None
    planes = PlaneBoard(
        length=layout.corners[1][0] - layout.corners[0][0],
        width=layout.corners[1][1] - layout.corners[0][1],
        pairs=pairs,
        resistivity=copper,
        package=_balls(layout, copper),
        regulator=_parts(layout, layout.regulator, phases or 1, copper),
        banks=tuple(_bank(layout, layout.banks[bank.name], bank, copper) for bank in bound.banks),
        shape=_shape(layout),
        cutouts=_cutouts(layout),
    )
    if planes.shape is not None:
        try:
            board_shape(planes)
        except ValueError as error:
            return (Missing(str(error), f"{at}.shape"),)
    scale = board.catalogue.defaults["esl-scale"].max
    nominal = bound.task
    boards = [planes]
    if layout.regulator.pairs is None:
        more = _parts(layout, layout.regulator, phases or 1, copper, pairs=MOST_PAIRS)
        boards.append(replace(planes, regulator=more))
    tasks = [(one, task) for one in boards for task in (nominal, *bound.variants)][1:]
    variants = tuple(_loaded(one, task, bound, scale if _higher(task, nominal) else 1.0) for one, task in tasks)
    reads: tuple[Address, ...] = (("rails", name, "layout"), *(
        ("stackup", ply.index, "thickness") for pair in layout.pairs for ply in stack.between(*pair)))
    return BoundLayout(_loaded(planes, nominal, bound, 1.0), variants, tuple(dict.fromkeys(reads)),
                       _assumed(name, layout, bound))


def bare_board(board: Board, name: str, layout: RailLayout, conditions: Conditions) -> PlaneBoard | Missing:
    """The planes of a layout with its balls, and the regulator at one place; no bank."""
    if board.stack is None:
        return Missing("planes need the stackup", "stackup")
    if layout.shape is not None:
        return Missing("modes are listed of rectangles alone", f"rails{under(name)}.layout.shape")
    pairs = _pairs(board, layout, board.stack, f"rails{under(name)}.layout.pairs")
    if isinstance(pairs, Missing):
        return pairs
    copper = float(resistivity(temperature=conditions.plane_temperature))
    count = len(layout.regulator.at) if layout.regulator.at else 1
    return PlaneBoard(
        length=layout.corners[1][0] - layout.corners[0][0],
        width=layout.corners[1][1] - layout.corners[0][1],
        pairs=pairs,
        resistivity=copper,
        package=_balls(layout, copper),
        regulator=_parts(layout, layout.regulator, count, copper),
        banks=(),
    )


def _loaded(planes: PlaneBoard, task: RailTask, bound: BoundRail, stretch: float) -> PlaneRail:
    banks = tuple(step for bank in bound.banks if isinstance(step := task.ladder[bank.index], Bank))
    return PlaneRail(
        board=planes,
        regulator=regulator(task),
        banks=banks,
        stretch=stretch,
        f_min=task.f_min,
        f_max=task.f_max,
        package_resistance=task.package_resistance,
        package_inductance=task.package_inductance,
        die_resistance=task.die_resistance,
        die_capacitance=task.die_capacitance,
    )


def _higher(task: RailTask, nominal: RailTask) -> bool:
    """True for a variant at the high end of its inductances."""
    return any(a.inductance > b.inductance for a, b in zip(task.ladder, nominal.ladder, strict=True))


def _pairs(board: Board, layout: RailLayout, stack: Stack, key: str) -> tuple[PlanePair, ...] | Missing:
    """Plane pairs in order of depth. A plane between two pairs gives each of them half its thickness."""
    uses = Counter(layer for pair in layout.pairs for layer in pair)
    down = stack.order(layout.pairs[0][0]) < stack.order(layout.pairs[0][1])
    before = 0.0 if down else stack.layers[-1].bottom
    found = []
    for near, far in layout.pairs:
        plies = []
        for placed in stack.between(near, far):
            if not isinstance(placed.spec, Dielectric):
                continue
            material = dielectric(board, placed.spec, DK_AT)
            if isinstance(material, Missing):
                return Missing(f"{near} to {far}: {material.reason}", material.key or key)
            plies.append(Ply(placed.spec.thickness.value, material))
        one, other = stack.copper(near), stack.copper(far)
        gap = (other.top - one.bottom) if down else (one.top - other.bottom)
        plies[-1] = Ply(plies[-1].thickness + gap - sum(ply.thickness for ply in plies), plies[-1].material)
        beyond = plane_inductance.card.outside(separation=gap)
        if beyond:
            return Missing(f"{near} to {far}: {in_file_words(beyond, PLANES)}", key)
        thick = [
            layer.spec.thickness.value / uses[layer.name] for layer in (one, other) if isinstance(layer.spec, Copper)
        ]
        level = one.bottom if down else one.top
        found.append(PlanePair(thick[0], thick[1], tuple(plies), abs(level - before)))
        before = level
    return tuple(found)


def _balls(layout: RailLayout, copper: float) -> ViaGroup:
    """The chessboard of the package, supply balls as places."""
    field = layout.package
    pitch, drill = field.pitch.value, (field.drill or layout.vias.drill).value
    places, diameter, apart = field.places, drill, sqrt(2) * pitch
    barrels = len(places)
    if barrels > MOST_BALLS:
        (x0, y0), (x1, y1) = field.corners
        share = barrels / MOST_BALLS
        coarse = apart * sqrt(share)
        across, along = max(2, round((x1 - x0) / coarse)), max(2, round((y1 - y0) / coarse))
        places = tuple(
            (x0 + (i + 0.5) / across * (x1 - x0), y0 + (k + 0.5) / along * (y1 - y0))
            for k in range(along) for i in range(across)
        )
        squares = (log(2 * apart / drill) - LATTICE) * len(places) / barrels
        diameter = 2 * sqrt((x1 - x0) * (y1 - y0) / len(places)) * exp(-LATTICE - squares)
    part = len(places) / barrels
    places = _shifted(places, layout)
    own = via_pair_inductance if field.at else chessboard_via_inductance
    shape = {"spacing" if field.at else "pitch": pitch}
    return ViaGroup(
        places=places,
        diameter=_fitting(diameter, places, layout),
        resistance=2 * part * _tube(copper, drill, layout),
        inductance=part * float(own(height=1.0, diameter=drill, **shape)),
    )


def _parts(
    layout: RailLayout,
    spots: PartPlaces,
    count: int,
    copper: float,
    drill: float | None = None,
    pitch: float | None = None,
    pairs: int | None = None,
) -> ViaGroup:
    drill, pitch = drill or layout.vias.drill.value, pitch or layout.vias.pitch.value
    pairs = pairs or spots.pairs or 1
    places = _shifted(spots.places(count, layout, pitch), layout)
    return ViaGroup(
        places=places,
        diameter=_fitting(_mean_diameter(pairs, drill, pitch), places, layout),
        resistance=2 * _tube(copper, drill, layout) / pairs,
        inductance=float(via_pair_inductance(height=1.0, spacing=pitch, diameter=drill)) / pairs,
        below=spots.side == "opposite",
    )


def _bank(layout: RailLayout, spots: PartPlaces, bank: LadderBank, copper: float) -> ViaGroup:
    own = bank.spec.mounting
    if own is None:
        return _parts(layout, spots, bank.spec.count, copper)
    return _parts(layout, spots, bank.spec.count, copper, own.via_drill.value, own.via_pitch.value, own.pairs)


def _tube(copper: float, drill: float, layout: RailLayout) -> float:
    """Resistance of a barrel over its length. [ohm/m]"""
    return float(tube_resistance(resistivity=copper, length=1.0, drill=drill, plating=layout.vias.plating.value))


def _mean_diameter(pairs: int, drill: float, pitch: float) -> float:
    """Twice the geometric mean distance of barrels of one kind in a square of a pitch, each from itself too. [m]"""
    if pairs == 1:
        return drill
    side = sqrt(pairs)
    spots = [(k % round(side + 0.499), k // round(side + 0.499)) for k in range(pairs)]
    logs = [log(dist(a, b) * pitch) if a != b else log(drill / 2) for a in spots for b in spots]
    return 2 * exp(sum(logs) / len(logs))


def _fitting(diameter: float, places: tuple[Point, ...], layout: RailLayout) -> float:
    """The diameter, or less where rings of several barrels would touch each other or the edge. [m]"""
    (x0, y0), (x1, y1) = layout.corners
    edge = min(min(x, y, x1 - x0 - x, y1 - y0 - y) for x, y in places)
    outline = _shape(layout)
    if outline is not None:
        sides = (outline, *_cutouts(layout))
        edge = min(from_sides(place, one) for place in places for one in sides)
    return min(diameter, ROOM * least_distance(places), 2 * edge)


def _shape(layout: RailLayout) -> Polygon | None:
    """The outline of planes that do not fill their rectangle, in its frame. [m]"""
    return _shifted(layout.shape.polygon, layout) if layout.shape else None


def _cutouts(layout: RailLayout) -> tuple[Polygon, ...]:
    """Voids of such planes. [m]"""
    return tuple(_shifted(one.polygon, layout) for one in layout.cutouts if layout.shape)


def _shifted(places: tuple[Point, ...], layout: RailLayout) -> tuple[Point, ...]:
    (x0, y0), _ = layout.corners
    return tuple((x - x0, y - y0) for x, y in places)


def _assumed(name: str, layout: RailLayout, bound: BoundRail) -> tuple[str, ...]:
    spread = [one for one, spots in layout.banks.items() if spots.at is None]
    texts = [f"rails{under(name)}.layout: planes without antipads; vias of every group meet every pair"]
    if layout.shape is not None:
        texts.append(f"rails{under(name)}.layout.shape: finite elements, right to 3 % of the squares between two vias")
    if spread:
        texts.append(f"rails{under(name)}.layout: parts evenly over their regions: {', '.join(spread)}")
    if layout.regulator.pairs is None:
        texts.append(f"rails{under(name)}.layout.regulator.pairs not declared: 1 to {MOST_PAIRS} pairs of vias "
                     "a phase, among the variants")
    free = [bank.name for bank in bound.banks if bank.spec.mounting is None and layout.banks[bank.name].pairs is None]
    if free and len(layout.pairs) > 1:
        shown = f"{show(layout.vias.drill.value, 'mm')} drills {show(layout.vias.pitch.value, 'mm')} apart"
        texts.append(f"rails{under(name)}.layout: one pair of vias a part, {shown}: {', '.join(free)}")
    return tuple(texts)
