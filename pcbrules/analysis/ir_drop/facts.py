# SPDX-License-Identifier: MIT
"""How much voltage and power does the copper of each rail take, what do its barrels carry, where is it narrow?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import hypot

from pcbrules.analysis.common.every_rail import per_rail, rail_gap, rail_tags
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.common.load_current import DrawnCurrent, peak_current, sustained_current
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.ir_drop.solve import NECK, Flow, Neck, NeckRises, neck_rises
from pcbrules.analysis.ir_drop.source_ways import MOST, PIN, PIN_MOST, Ways, undrawn_ways
from pcbrules.analysis.ir_drop.undeclared import (
    WaysSolved,
    between,
    drawn_sides,
    rail_tasks,
    solve_ways,
    undeclared_copper,
    whole_sides,
)
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import CopperSide, RailCopper
from pcbrules.model.stack import Stack
from pcbrules.phrases import under
from pcbrules.physics.lines.copper import TEMPERATURE_COEFFICIENT
from pcbrules.physics.power.ampacity import ipc2152_outer_rise, ipc2221_rise
from pcbrules.physics.power.neck_rise import neck_rise
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.plane_flow import BallSpread, NarrowCopper, PlaneFlow
from pcbrules.results.measured import Measured, Undeclared, spread
from pcbrules.results.place import Address
from pcbrules.ties import greatest_of
from pcbrules.units import show

PROVIDES = (PlaneFlow,)

MODEL = "direct current over the plane shapes on a grid"
ERROR, VIA_ERROR = 0.02, 0.03
"""Of the grid's contacts, beside what two grids show: 2 % of drop and loss, 3 % of a barrel's current. [-]"""
COOLER = 0.5
"""Planes beside a trace lower its rise to 0.6 (Brooks and Adam); a short neck is cooler still. [-]"""
FOIL = 0.05
"""By how much foil and plating may be worse than annealed copper, physics/lines/copper.py. [-]"""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Direct current over the copper of every rail, supply and, where it is drawn, return."""
    return per_rail(board, PROVIDES, lambda name, rail: [_flow(board, conditions, name, rail)])


def _flow(board: Board, conditions: Conditions, name: str, rail: Rail) -> Item:
    draw = sustained_current(name, rail, conditions)
    missing = [] if isinstance(draw, DrawnCurrent) else [draw]
    if rail.copper is None:
        missing.insert(0, Missing("the shapes of the planes are not drawn", f"rails{under(name)}.copper"))
    if board.stack is None:
        missing.append(Missing("the thickness of the planes needs the stackup", "stackup"))
    if isinstance(draw, Missing) or rail.copper is None or board.stack is None:
        return rail_gap(board, name, rail, PlaneFlow, missing)
    task = rail_tasks(rail.copper, board.stack, conditions)
    return Planned(task, solve_ways, partial(_bind, board, name, rail, draw, conditions))


def drawn_current(name: str, rail: Rail, conditions: Conditions) -> float | None:
    """Current at which loss and barrels of a rail are judged [A], None where it is not known."""
    draw = sustained_current(name, rail, conditions)
    return draw.current.value if isinstance(draw, DrawnCurrent) else None


def _bind(
    board: Board, name: str, rail: Rail, draw: DrawnCurrent, conditions: Conditions, solved: WaysSolved
) -> Iterator[PlaneFlow | Gap]:
    at: Address = ("rails", name, "copper")
    copper, stack = rail.copper, board.stack
    faults = [flow.fault for flow in solved.drawn if flow.fault]
    if faults or copper is None or stack is None:
        missing = [Missing(fault, f"rails{under(name)}.copper") for fault in faults]
        yield rail_gap(board, name, rail, PlaneFlow, missing)
        return
    lacks = undeclared_copper(copper, f"rails{under(name)}.copper")
    least, most = (
        _rail_flows(board, name, rail, copper, sides, stack, draw, conditions, flows, lacks)
        for sides, flows in ((drawn_sides(copper), solved.drawn), (whole_sides(copper, stack), solved.most)))
    peak = peak_current(name, rail)
    worst = greatest_of(solved.most, key=lambda one: one.drop)
    key = next(iter(lacks), "")
    yield PlaneFlow(
        subject=f"rails{under(name)}.copper", where=at, tags=rail_tags(board, rail),
        drop=between(least.drop(draw), most.drop(draw), key),
        peak_drop=between(least.drop(peak), most.drop(peak), key) if isinstance(peak, DrawnCurrent) else None,
        loss=between(least.loss(draw), most.loss(draw), key),
        via=_via(least.via(draw), most.via(draw), key),
        neck=_narrow(least.neck(draw), most.neck(draw), key),
        current=draw.current.value, peak=peak.current.value if isinstance(peak, DrawnCurrent) else None,
        voltage=rail.voltage.value, start="the sense point" if copper.sense else "the regulator",
        worst=worst.worst, shares=worst.shares, returned=copper.return_side is not None,
        balls=BallSpread(
            middle=tuple(one.balls.middle for one in solved.drawn), below=sum(one.balls.below for one in solved.most),
            above=sum(one.balls.above for one in solved.most), highest=sum(one.balls.highest for one in solved.most)),
        barrels=sum(one.barrels for one in solved.most) * draw.current.value**2,
        pads=sum(one.pads for one in solved.most) * draw.current.value**2,
        copper=tuple(float(stack.copper(sheet.layer).spec.thickness.value)
                     for side in whole_sides(copper, stack) for sheet in side.sheets),
        planes=tuple(_ordered(stack, sheet.layer) for side in whole_sides(copper, stack) for sheet in side.sheets),
    )


def _ordered(stack: Stack, layer: str) -> tuple[str, float]:
    """A layer with the foil that it is ordered in [m]."""
    spec = stack.copper(layer).spec
    return layer, float((spec.base_weight or spec.thickness).value)


def _via(least: Measured | None, most: Measured | None, key: str) -> Measured | None:
    """The busiest barrel; one that only the undeclared copper has carries nothing as drawn."""
    return between(least or replace(most, value=0.0, lo=0.0, hi=0.0), most, key) if most else least


def _narrow(least: NarrowCopper | None, most: NarrowCopper | None, key: str) -> NarrowCopper | None:
    """The hottest neck of the most that the copper may lack, down to what it is as drawn; none drawn is no rise."""
    if most is None:
        return least
    rise = between(least.rise if least else replace(most.rise, value=0.0, lo=0.0, hi=0.0), most.rise, key)
    return replace(most, rise=rise)


def _rail_flows(
    board: Board, name: str, rail: Rail, copper: RailCopper, sides: tuple[CopperSide, ...], stack: Stack,
    draw: DrawnCurrent, conditions: Conditions, flows: tuple[Flow, ...], lacks: Mapping[str, str],
) -> _RailFlows:
    drawn = f"rails{under(name)}.copper"
    ways = undrawn_ways(sides, stack, drawn, sensed=copper.sense is not None,
                        temperature=conditions.plane_temperature)
    assumptions = (
        f"{drawn}: all copper at {show(conditions.plane_temperature, 'degC')}; all balls draw the same",
        *lacks.values(),
        *(() if copper.sense else (
            f"{drawn}: the drop counts from the mean of the sources, as `sense` is not declared",)),
        *((f"{ways.key} not declared: assumed from none to that of pins of {show(PIN, 'mohm')} with at most "
           f"{show(PIN_MOST, 'A')} each and of vias with at most {show(MOST, 'A')} each",)
          if ways.key else ()),
    )
    off = max(_thickness_off(board, stack, sheet.layer) for side in sides for sheet in side.sheets)
    reads = (("rails", name, "copper"), *draw.reads, ("rails", name, "voltage"))
    return _RailFlows(rail, sides, flows, conditions, off, ways, reads, assumptions)


@dataclass(frozen=True, slots=True)
class _RailFlows:
    """The copper of a rail with its flows, how far its thickness may be off [-], and what its numbers assume."""

    rail: Rail
    sides: tuple[CopperSide, ...]
    flows: tuple[Flow, ...]
    conditions: Conditions
    off: float
    ways: Ways
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]

    def judged(
        self, value: float, error: float, minus: float, plus: float, what: str, own: DrawnCurrent,
        more: tuple[Step, ...] = (), at_least: float | None = None, over: tuple[float, float] = (0.0, 0.0),
    ) -> Measured:
        """A number of the flows with its interval, at a current.

        ``over`` is what sources without a resistance may add, at the current and at its upper end.
        """
        if over[0]:
            more = (*more, Step("sources without a `resistance` add at most", over[0], "%"))
        found = spread(
            value, error=abs(value) * error, minus=minus, plus=plus, model=f"{what}: {MODEL}",
            reads=(*own.reads, *self.reads), assumptions=(*self.assumptions, *own.assumptions),
            derivation=partial(
                _derivation, self.flows, own.current.value, self.rail, self.conditions, self.off, more),
        )
        less = value * own.least if at_least is None else at_least
        return _with_ways(own.judged(found, less, found.lo * (less / value if value else 1.0)), self.ways.key, over)

    def drop(self, own: DrawnCurrent) -> Measured:
        """Drop to the worst ball over the voltage. [-]"""
        flows, volts = self.flows, self.rail.voltage.value
        value, low, high = (
            total * own.current.value / volts for total in (
                sum(flow.drop for flow in flows), sum(flow.below for flow in flows), sum(flow.above for flow in flows)))
        minus, plus = _spreads(self.sides, flows, own, self.conditions, self.off)
        error = sum(flow.errors[0] * abs(flow.drop) for flow in flows) / sum(abs(flow.drop) for flow in flows)
        return self.judged(value, ERROR + error, abs(value) * minus + low,
                           abs(value) * plus + high, "drop over the voltage", own,
                           over=self._over(own, 0))

    def loss(self, own: DrawnCurrent) -> Measured:
        """Power lost over the rail's power. [-]"""
        volts = self.rail.voltage.value
        minus, plus = _spreads(self.sides, self.flows, own, self.conditions, self.off)
        value = sum(flow.loss for flow in self.flows) * own.current.value / volts
        return self.judged(value, ERROR + max(flow.errors[1] for flow in self.flows), value * minus, value * plus,
                           "power lost over the rail's power", own,
                           over=self._over(own, 1))

    def _over(self, own: DrawnCurrent, what: int) -> tuple[float, float]:
        """What the undeclared ways may add to drop (0) or loss (1) over the voltage, at a current and its upper end."""
        at, most = (self.ways.most(amps)[what] / (amps if what else 1.0) / self.rail.voltage.value
                    for amps in (own.current.value, own.current.hi))
        return at, max(at, most)

    def via(self, own: DrawnCurrent) -> Measured | None:
        """Largest current of a barrel [A]; None without barrels."""
        currents = [flow.via * own.current.value for flow in self.flows if flow.via is not None]
        if not currents:
            return None
        most, thin = max(currents), 0.725 * _plating_off(self.sides)
        plus, minus = hypot(_relative(own.current, 1), thin), hypot(_relative(own.current, -1), thin)
        step = Step("largest part of the load's current, so scaled", most / own.current.value, "%")
        return self.judged(most, VIA_ERROR + max(flow.errors[2] for flow in self.flows), most * minus, most * plus,
                           "largest current of a barrel, as in 0.25 mm with 25 um", own, (step,))

    def neck(self, own: DrawnCurrent) -> NarrowCopper | None:
        """Rise of the hottest neck; None without one."""
        layers = [[sheet.layer for sheet in side.sheets] for side in self.sides]
        return _neck(layers, self.flows, own, self.off, partial(self.judged, own=own))


def _with_ways(found: Measured, key: str, over: tuple[float, float]) -> Measured:
    """The number with the most that a way to the planes which is not declared may add to it."""
    if not key or not over[0]:
        return found
    held = found.undeclared or Undeclared(key=key, lo=found.value, hi=found.value)
    return replace(found, value=found.value + over[0], hi=found.hi + over[1], basis="assumed",
                   undeclared=replace(held, hi=held.hi + over[0]))


def _spreads(
    sides: tuple[CopperSide, ...], flows: tuple[Flow, ...], draw: DrawnCurrent, conditions: Conditions, off: float
) -> tuple[float, float]:
    """How far inputs lower and raise drop and loss, relative: copper, its temperature, plating, the load's current."""
    warmer = TEMPERATURE_COEFFICIENT * conditions.plane_temperature_spread / (
        1 + TEMPERATURE_COEFFICIENT * (conditions.plane_temperature - 20))
    barrels = sum(flow.barrels for flow in flows) / sum(flow.loss for flow in flows)
    thin = _plating_off(sides)
    own = barrels * thin, (1 - barrels) * off
    minus = hypot(own[1] / (1 + off), own[0] / (1 + thin), warmer, _relative(draw.current, -1))
    plus = hypot(own[1] / (1 - off), own[0] / (1 - min(thin, 0.9)), warmer, FOIL, _relative(draw.current, 1))
    return minus, plus


def _plating_off(sides: tuple[CopperSide, ...]) -> float:
    """Largest relative tolerance of a plating."""
    fields = [field for side in sides for field in (*side.balls, *side.vias)]
    return max(float((half_width(field.plating) or 0.0) / field.plating.value) for field in fields)


def _relative(one: Interval, level: int) -> float:
    return abs(one.at(level) - one.value) / one.value


def _thickness_off(board: Board, stack: Stack, layer: str) -> float:
    """Relative tolerance of a layer's copper: its own, the board's, that of the fabrication class."""
    quantity = stack.copper(layer).spec.thickness
    stated = half_width(quantity)
    if stated is not None:
        return float(stated / quantity.value)
    own = board.declared_fabrication.tolerances.copper if board.declared_fabrication else None
    return float(own.value if own is not None else board.fabrication.copper)


def _neck(
    layers: list[list[str]], flows: tuple[Flow, ...], draw: DrawnCurrent, off: float, judged: Callable[..., Measured]
) -> NarrowCopper | None:
    """Rise of the hottest neck as a fin: surfaces by the fit to IPC-2152, up to those of IPC-2221 with thin copper."""
    found: list[tuple[NeckRises, str, Neck]] = []
    for names, flow in zip(layers, flows, strict=True):
        for one in (flow.warm, flow.upper):
            if one is not None:
                found.append((neck_rises(one, draw.current.value), names[one.layer], one))
    if not found:
        return None
    nominal, upper = greatest_of(found, key=lambda one: one[0].warm), greatest_of(found, key=lambda one: one[0].upper)
    rises, layer, own = nominal
    thinner = replace(upper[2], thickness=upper[2].thickness * (1 - off))
    most = max(neck_rises(thinner, draw.current.hi).upper, rises.warm)
    warm = judged(
        rises.warm, 0.0, (1 - COOLER) * rises.warm, most - rises.warm,
        "rise of a fin between cool ends, surfaces by the fit to IPC-2152; at most warm ends, surfaces by IPC-2221",
        at_least=max(neck_rises(one, draw.lowest).warm for *_, one in found),
        more=(
            Step("current of the neck", own.current * draw.current.value, "A"), Step("its width", own.width, "mm"),
            Step("its thickness", own.thickness, "um"),
            Step("length of a strip of its resistance", own.length, "mm"),
            Step("rise of an endless trace, fit to IPC-2152: 215.3 I2 w^-1.15 / t in mil", rises.endless, "K",
                 ipc2152_outer_rise.card.source),
            Step("rise of the neck: heat leaves at both ends too", rises.warm, "K", neck_rise.card.source),
            Step("at most: warm ends, surfaces by IPC-2221", upper[0].upper, "K", ipc2221_rise.card.source),
        ))
    return NarrowCopper(
        rise=warm, upper=upper[0].upper, endless=rises.endless, current=own.current * draw.current.value,
        width=own.width, length=own.length, layer=layer, place=own.place, web=own.web, widest=NECK,
    )


def _derivation(
    flows: tuple[Flow, ...], current: float, rail: Rail, conditions: Conditions, off: float, more: tuple[Step, ...]
) -> Derivation:
    steps = [Step("load current", current, "A"), Step("voltage", rail.voltage.value, "V"),
             Step("temperature of the copper", conditions.plane_temperature, "degC", "condition of the profile"),
             Step("tolerance of its thickness", off, "%")]
    for side, flow in zip(("supply", "return"), flows, strict=False):
        steps += [
            Step(f"{side}: resistance to the worst ball", flow.drop, "mohm", MODEL),
            Step(f"{side}: resistance of the loss, P / I2", flow.loss, "mohm"),
            Step(f"{side}: of it barrels", flow.barrels, "mohm"),
            Step(f"{side}: of it the sources' own resistance", flow.pads, "mohm"),
            Step(f"{side}: change of the drop from a grid of twice the step", flow.errors[0], "%"),
        ]
    return Derivation(
        ("drop = (V(sense) - V(worst ball)) / V", "div(grad V / R_sq) = 0 in each sheet, barrels between sheets"),
        "Ohm's and Kirchhoff's laws on a grid; resistivity from IEC 60028; perforation by Maxwell, art. 314",
        (*steps, *more),
    )
