# SPDX-License-Identifier: MIT
"""How near does the hottest part with thermal vias come to the Tg of the board?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import pi, sqrt

import numpy as np

from pcbrules.analysis.board.glass_transition import by_dsc
from pcbrules.analysis.board.laminates import Uses
from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.analysis.common.out_of_range import in_file_words
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.thermal.thermal_vias import LAMINATE, ViaTask, task_of, words
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import PLANE_ROLES, Stack
from pcbrules.model.stackup import Copper, Dielectric
from pcbrules.model.system import BoardAir, ViaArray
from pcbrules.phrases import show_path, under
from pcbrules.physics.thermal.thermal_vias import CONDUCTIVITY_COPPER, via_cell_parallel
from pcbrules.physics.thermal.via_zone import via_zone_rise
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.thermal import HotSpot
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address

PROVIDES = (HotSpot,)

IN_PLANE = 0.8
"""Thermal conductivity of glass and resin along the board [W/(m K)]: data sheets of laminates."""

PLACE_DOUBT = 0.15
"""How far the rise may be off since the part stands off the middle of the board; practice."""


@dataclass(frozen=True, slots=True)
class SpotTask:
    """A field in the middle of a round board of the same area. Layers top to bottom: [m], whether a plane. SI units."""

    cell: ViaTask
    source_radius: float
    board_radius: float
    layers: tuple[tuple[float, str], ...]
    film_top: Interval
    film_bottom: Interval


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Margin of every part with thermal vias whose power is given."""
    thermal = board.thermal
    for name, array in ((thermal.via_arrays if thermal else None) or {}).items():
        if array.power is not None:
            yield _spot(board, name, array)


def _spot(board: Board, name: str, array: ViaArray) -> Item:
    at: Address = ("thermal", "via_arrays", name)
    air = board.thermal.board_air if board.thermal else None
    size, stack = board.size, board.stack
    gap = partial(Gap, fact=HotSpot, subject=show_path(at), where=at, tags=board.tags)
    if air is None:
        return gap(reason=f"the air beside the board is not declared: the hot spot at {array.under} is not computed",
                   key="thermal.board_air")
    if size is None:
        return gap(reason="the size of the board is not declared", key="board.size")
    cell = task_of(board, array)
    if stack is None or cell is None:
        return gap(reason="the stackup is not described", key="stackup")
    lowest = _lowest(board)
    if lowest is None:
        return gap(reason="the glass-transition temperature of no laminate is known", key="materials.laminates")
    task = SpotTask(
        cell=cell,
        source_radius=sqrt(array.count / pi) * array.pitch.value,
        board_radius=sqrt(size.width.value * size.height.value / pi),
        layers=tuple((placed.spec.thickness.value, _kind(stack, i)) for i, placed in enumerate(stack.layers)),
        film_top=interval(air.top),
        film_bottom=interval(air.bottom),
    )
    beyond = via_cell_parallel.card.outside(
        drill=cell.drill.value, plating=cell.plating.value, pitch=cell.pitch.value, height=cell.height.value
    ) or via_zone_rise.card.outside(
        source_radius=task.source_radius, zone_radius=task.source_radius, board_radius=task.board_radius,
        thickness=[thickness for thickness, _ in task.layers], film_top=task.film_top.hi,
        film_bottom=task.film_bottom.hi,
    )  # fmt: skip
    if beyond:
        return gap(reason=f"beyond the model of a hot spot: {in_file_words(beyond, words(array))}",
                   key=f"thermal.via_arrays{under(name)}")
    if task.source_radius > task.board_radius:
        return gap(reason="the field of vias is larger than the board", key=f"thermal.via_arrays{under(name)}.count")
    return Planned(task=task, solve=solve, bind=partial(_bind, board, name, array, air, lowest, task))


def _kind(stack: Stack, place: int) -> str:
    spec = stack.layers[place].spec
    if isinstance(spec, Copper):
        return "plane" if spec.role in PLANE_ROLES else "traces"
    return "laminate"


def _lowest(board: Board) -> tuple[float, float, float, str] | None:
    """Least Tg with its interval, and the laminate [degC]; None where one is not known."""
    uses = Uses(board)
    for placed in board.stack.dielectrics if board.stack else ():
        if isinstance(placed.spec, Dielectric):
            uses.of(placed.spec.material)
    found = []
    for use in uses.found:
        if use.laminate.family != "ptfe":
            reading = by_dsc(use.laminate)
            if reading is None:
                return None
            found.append((reading.tg.value, reading.tg.lo, reading.tg.hi, use.laminate.name))
    return min(found) if found else None


def solve(task: SpotTask) -> tuple[float, float, float]:
    """Rise of the middle of the source for one watt [K/W]: nominal, and with the films at their ends."""
    return _rise(task, 0), _rise(task, 1), _rise(task, -1)


def _rise(task: SpotTask, level: int) -> float:
    cell = task.cell
    core = float(via_cell_parallel(
        drill=cell.drill.value, plating=cell.plating.value, pitch=cell.pitch.value, height=cell.height.value,
        foil_top=0.0, foil_bottom=0.0, k_fill=cell.k_fill.value, k_laminate=cell.k_laminate.value,
    ))  # fmt: skip
    zone: float = cell.height.value / (core * cell.pitch.value**2)
    copper, laminate = CONDUCTIVITY_COPPER, cell.k_laminate.value
    in_plane = {"plane": copper, "traces": IN_PLANE, "laminate": IN_PLANE}
    outside = {"plane": copper, "traces": laminate, "laminate": laminate}
    inside = {"plane": copper, "traces": copper, "laminate": zone}
    found = via_zone_rise(
        source_radius=task.source_radius,
        zone_radius=task.source_radius,
        board_radius=task.board_radius,
        thickness=np.array([thickness for thickness, _ in task.layers]),
        in_plane=[in_plane[kind] for _, kind in task.layers],
        through_zone=[inside[kind] for _, kind in task.layers],
        through_board=[outside[kind] for _, kind in task.layers],
        film_top=task.film_top.at(level),
        film_bottom=task.film_bottom.at(level),
    )
    return found.centre


def _bind(
    board: Board, name: str, array: ViaArray, air: BoardAir, lowest: tuple[float, float, float, str], task: SpotTask,
    rises: tuple[float, float, float],
) -> Iterator[HotSpot]:
    at: Address = ("thermal", "via_arrays", name)
    power, around = interval(array.power) if array.power else fixed(0.0), air.temperature
    others = _others(board, name, task)
    tg, tg_lo, tg_hi, laminate = lowest
    nominal, cooler, hotter = rises
    rise = nominal * power.value
    above = hotter * power.hi * (1 + PLACE_DOUBT) + others
    below = cooler * power.lo * (1 - PLACE_DOUBT)
    hot = around.value + rise + others
    yield HotSpot(
        subject=show_path(at),
        where=at,
        tags=board.tags,
        margin=Measured(
            value=tg - hot,
            lo=tg_lo - around.value - (around.plus or 0.0) - above,
            hi=tg_hi - around.value + (around.minus or 0.0) - below,
            model="lowest Tg less air, rise over a zone of vias in the layered board, "
                  "and the mean rise by the other parts",
            error=PLACE_DOUBT * rise,
            reads=((*at, "power"), ("thermal", "board_air", "temperature"), (*at, "count"), (*at, "pitch")),
            assumptions=(
                f"thermal.via_arrays{under(name)}: the part stands in the middle of a round board of the same area, "
                f"its rise may be off by {PLACE_DOUBT:.0%}",
                "layers of traces spread no heat; the other parts of thermal.via_arrays warm the board evenly",
                "what is not in thermal.via_arrays warms this board by its air only",
            ),
            derivation=partial(_steps, task, nominal, power.value, others, around.value, tg, laminate),
        ),
        under=array.under,
        temperature=hot,
        rise=rise,
        laminate=laminate,
        tg=tg,
    )


def _others(board: Board, name: str, task: SpotTask) -> float:
    """Mean rise of the board by the power of the other fields. [K]"""
    thermal = board.thermal
    arrays = (thermal.via_arrays if thermal else None) or {}
    power: float = sum(other.power.value for key, other in arrays.items() if key != name and other.power)
    films: float = task.film_top.value + task.film_bottom.value
    return power / (films * pi * task.board_radius**2)


def _steps(
    task: SpotTask, nominal: float, power: float, others: float, air: float, tg: float, laminate: str
) -> Derivation:
    return Derivation(
        ("hot spot = air + power x rise for one watt + rise by others", "margin = Tg - hot spot"),
        f"{via_zone_rise.card.source}; {via_zone_rise.card.accuracy}",
        (
            Step("radius of the field", task.source_radius, "mm"),
            Step("radius of a round board of the same area", task.board_radius, "mm"),
            Step("conductivity of the laminate through the board", task.cell.k_laminate.value, "W/(m K)",
                 f"{LAMINATE.lo} to {LAMINATE.hi} where none is given"),
            Step("rise for one watt", nominal, "K/W", "series of layers on one axis"),
            Step("rise by the part", nominal * power, "K"),
            Step("mean rise by the other parts", others, "K"),
            Step("hot spot", air + nominal * power + others, "degC"),
            Step(f"lowest Tg: {laminate}", tg, "degC"),
        ),
    )
