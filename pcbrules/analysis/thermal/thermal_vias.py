# SPDX-License-Identifier: MIT
"""How well do thermal vias lead the heat of a part through the board?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from math import hypot

from pcbrules.analysis.common.interval import Interval, around, fixed, interval
from pcbrules.analysis.common.out_of_range import Word, Words, in_file_words, key_word
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.system import ViaArray
from pcbrules.phrases import show_path, under
from pcbrules.physics.thermal.thermal_vias import CONDUCTIVITY_COPPER, via_cell_parallel, via_cell_resistance
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.thermal import ThermalViaFields, ThermalVias
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, exact, spread
from pcbrules.results.place import Address
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (ThermalVias, ThermalViaFields)

FILLS = {
    "air": Interval(lo=0.026, value=0.026, hi=0.03), "resin": Interval(lo=0.2, value=0.3, hi=1.0),
    "copper": fixed(CONDUCTIVITY_COPPER),
}
"""Thermal conductivity of what fills a via [W/(m K)]; resins from plain to filled with mineral: practice."""

LAMINATE = Interval(lo=0.25, value=0.35, hi=0.6)
"""Thermal conductivity of glass and resin through the board [W/(m K)]: data sheets of laminates."""


@dataclass(frozen=True, slots=True)
class ViaTask:
    """One cell of a field, each number with its range. [m, W/(m K)]"""

    drill: Interval
    plating: Interval
    pitch: Interval
    height: Interval
    foil_top: Interval
    foil_bottom: Interval
    k_fill: Interval
    k_laminate: Interval


@dataclass(frozen=True, slots=True)
class CellResistance:
    """Resistance of a cell over the ranges of its inputs, and its parallel formula [K/W]."""

    resistance: Interval
    parallel: float


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Geometry and resistance of every field of thermal vias, and how many there are."""
    arrays = board.thermal.via_arrays if board.thermal else None
    regulators = any(rail.vrm is not None for rail in (board.rails or {}).values())
    subject = "thermal.via_arrays"
    if arrays is None or not (arrays or regulators):
        none = arrays is not None or board.rails == {}
        yield Gap(fact=ThermalViaFields, subject=subject, where=() if arrays is None else ("thermal", "via_arrays"),
                  reason="the board has no regulator" if none else "the thermal vias are not described",
                  key="" if none else subject, applicable=not none, tags=board.tags)
        return
    where: Address = ("thermal", "via_arrays")
    number = exact(float(len(arrays)), model="counted in the board file", basis="declared", reads=(where,))
    yield ThermalViaFields(subject=subject, where=where, tags=board.tags, exempt={"rise": ""}, number=number)
    for name, array in arrays.items():
        yield from _array(board, name, array)


def _array(board: Board, name: str, array: ViaArray) -> Iterator[Item]:
    bind = partial(_bind, board, name, array)
    task = task_of(board, array)
    if task is None:
        yield from bind(None)
    else:
        yield Planned(task=task, solve=solve, bind=bind)


def task_of(board: Board, array: ViaArray) -> ViaTask | None:
    """The cell of a field between the outer copper layers, or None without a stackup."""
    stack = board.stack
    if stack is None or len(stack.coppers) < 2:
        return None
    top, bottom = stack.coppers[0], stack.coppers[-1]
    foils = [interval(array.foil_thickness or placed.spec.thickness) for placed in (top, bottom)]
    own = array.laminate_conductivity
    return ViaTask(
        drill=interval(array.drill),
        plating=fixed(array.drill.value / 2) if array.fill == "copper" else interval(array.plating),
        pitch=interval(array.pitch),
        height=fixed(bottom.top - top.bottom),
        foil_top=foils[0],
        foil_bottom=foils[1],
        k_fill=FILLS[array.fill],
        k_laminate=interval(own) if own else LAMINATE,
    )


def words(array: ViaArray) -> Words:
    """Return the keys of the file for the arguments of the formulas, in the units of the file."""
    board = Word("the height of the board between its outer layers", "mm")
    foil = key_word("foil_thickness", array.foil_thickness, "um") if array.foil_thickness else Word(
        "the `thickness` of an outer layer", "um")
    return {
        "drill": key_word("drill", array.drill, "mm"), "plating": key_word("plating", array.plating, "um"),
        "pitch": key_word("pitch", array.pitch, "mm"), "height": board, "foil_top": foil, "foil_bottom": foil,
        "k_laminate": key_word("laminate_conductivity", array.laminate_conductivity, "W/(m K)"),
        "source_radius": Word("the radius of the field of vias", "mm"),
        "board_radius": Word("the radius of a round board of this size", "mm"),
        "thickness": Word("the thickness of a layer", "um"),
        "film_top": Word("`thermal.board_air.top`", "W/(m2 K)"),
        "film_bottom": Word("`thermal.board_air.bottom`", "W/(m2 K)"),
    }


def solve(task: ViaTask) -> CellResistance | Missing:
    """Resistance of the cell, and what each input's range does to it, added as root of squares."""
    nominal = {field.name: getattr(task, field.name).value for field in fields(task)}
    beyond = via_cell_resistance.card.outside(**nominal)
    if beyond:
        return Missing(beyond)
    value = float(via_cell_resistance(**nominal))
    minus = plus = 0.0
    for name in nominal:
        span: Interval = getattr(task, name)
        ends = [float(via_cell_resistance(**nominal | {name: end})) for end in {span.lo, span.hi} - {span.value}]
        minus = hypot(minus, value - min(value, *ends, value))
        plus = hypot(plus, max(value, *ends, value) - value)
    return CellResistance(around(value, minus=minus, plus=plus), float(via_cell_parallel(**nominal)))


def _bind(board: Board, name: str, array: ViaArray, answer: CellResistance | Missing | None) -> Iterator[ThermalVias]:
    at: Address = ("thermal", "via_arrays", name)
    unsolved, resistance, rise, parallel = "the stackup is not described", None, None, 0.0
    if isinstance(answer, Missing):
        unsolved = f"beyond the model of a via: {in_file_words(answer.reason, words(array))}"
    elif answer is not None:
        unsolved, nominal = "", answer.resistance.value
        cell = spread(
            nominal,
            error=nominal * (via_cell_resistance.card.u or 0.0),
            minus=answer.resistance.minus,
            plus=answer.resistance.plus,
            model=f"cell of a square field with the spreading in its foils, {via_cell_resistance.card.accuracy}",
            reads=tuple((*at, key) for key in ("count", "pitch", "drill", "plating", "fill")),
            assumptions=tuple(_assumptions(name, array)),
            derivation=partial(_steps, board, array, answer),
        )
        resistance, parallel = cell.scaled(1 / array.count), answer.parallel / array.count
        if array.power:
            rise = replace(_times(resistance, interval(array.power)), reads=((*at, "power"), *resistance.reads))
    allowed = array.allowed_rise
    offers = {}
    if allowed and rise:
        bound = allowed.value - (allowed.minus or 0.0)
        offers["rise"] = Offer(Limit(None, bound, "K", f"<= {show(bound, 'K')}"), Source("the board file", "declared"))
    left_out = {"rise": ""} if not array.power else {} if allowed else {"rise": "no `allowed_rise` is given"}
    pitch, drill = interval(array.pitch), interval(array.drill)
    yield ThermalVias(
        subject=show_path(at),
        where=at,
        tags=board.tags,
        offers=offers,
        exempt=left_out,
        offer_gaps={"rise": unsolved} if unsolved else {},
        pitch=pitch.measured("declared in the board file", basis="declared",
                       reads=((*at, "pitch"),)),
        web=Measured(value=pitch.value - drill.value, lo=pitch.lo - drill.hi, hi=pitch.hi - drill.lo,
                     model="pitch less drill",
                     reads=((*at, "pitch"), (*at, "drill"))),
        under=array.under,
        count=array.count,
        resistance=resistance,
        parallel=parallel,
        rise=rise,
        unsolved=unsolved,
    )


def _times(resistance: Measured, power: Interval) -> Measured:
    return replace(resistance, value=resistance.value * power.value, lo=resistance.lo * power.lo,
                   hi=resistance.hi * power.hi, error=resistance.error * power.value)


def _assumptions(name: str, array: ViaArray) -> Iterator[str]:
    at = f"thermal.via_arrays{under(name)}"
    yield f"{at}: the far face is at one temperature, the pad covers the whole field, foils close over the vias"
    if array.laminate_conductivity is None:
        yield f"{at}: laminate conducts {LAMINATE.value} W/(m K), {LAMINATE.lo} to {LAMINATE.hi}"
    if array.fill == "resin":
        resin = FILLS["resin"]
        yield f"{at}: the resin in the vias conducts {resin.value} W/(m K), {resin.lo} to {resin.hi}"
    if array.foil_thickness is None:
        yield f"{at}: the foils are as thick as the outer copper layers"


def _steps(board: Board, array: ViaArray, answer: CellResistance) -> Derivation:
    task = task_of(board, array)
    if task is None:
        raise ValueError("without a stackup there is no resistance")
    return Derivation(
        ("R = R of a cell / count", "rise = R x power"),
        f"{via_cell_resistance.card.source}; {via_cell_resistance.card.accuracy}",
        (
            Step("height between the foils", task.height.value, "mm", "stackup"),
            Step("foil above", task.foil_top.value, "um"),
            Step("conductivity of the fill", task.k_fill.value, "W/(m K)"),
            Step("conductivity of the laminate", task.k_laminate.value, "W/(m K)"),
            Step("one cell by barrel, fill and laminate in parallel", answer.parallel, "K/W", "lower bound"),
            Step("one cell with the spreading in its foils", answer.resistance.value, "K/W"),
            Step("the field", answer.resistance.value / array.count, "K/W", f"{array.count} vias"),
        ),
    )
