# SPDX-License-Identifier: MIT
"""Differential impedance of every segment, and what fabrication makes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.lines.closed_forms import closed_forms
from pcbrules.analysis.lines.closed_plies import ClosedForm
from pcbrules.analysis.lines.fabrication_tolerances import class_tolerances, tolerances
from pcbrules.analysis.lines.impedance_derivation import impedance_steps, spread_steps
from pcbrules.analysis.lines.impedance_tolerance import foot_doubt, impedance_doubt, impedance_spread, mask_doubt
from pcbrules.analysis.lines.mode_fields import REFERENCE
from pcbrules.analysis.lines.section import TraceSection, section
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.lines.width_cure import WidthCure
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.catalogue.systems import ImpedanceTarget
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Trace
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import PairImpedance
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit, nearly_equal
from pcbrules.results.measured import Measured, Undeclared, exact, spread
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (PairImpedance,)

RISE_SHARE = 0.4
"""Rise time (20 to 80 %) over the unit interval [-]."""

NECK_SHARE = 6
"""A segment that takes less than the rise over this is seen as part of its neighbours."""


@dataclass(frozen=True, slots=True)
class ImpedanceTask:
    """A cross-section and the half widths of its tolerances."""

    line: LineTask
    width: float
    dielectric: float
    copper: float
    dk: float
    registration: float = 0.0


@dataclass(frozen=True, slots=True)
class ImpedanceResult:
    """The solved line, its relative spread and the parts of it, and the closed form beside it if there is one."""

    line: LineResult | Missing
    spread: float
    parts: tuple[tuple[str, float], ...]
    closed: ClosedForm | None = None


def solve_impedance(task: ImpedanceTask) -> ImpedanceResult:
    """Impedance of a section and its spread over the fabrication tolerances."""
    line = solve_line(task.line)
    if isinstance(line, Missing):
        return ImpedanceResult(line, 0.0, ())
    widths = {"width": task.width, "dielectric": task.dielectric, "copper": task.copper, "dk": task.dk,
              "registration": task.registration}
    found = impedance_spread(task.line, widths)
    if isinstance(found, Missing):
        return ImpedanceResult(found, 0.0, ())
    total, parts = found
    closed = closed_forms(task.line)
    return ImpedanceResult(
        line, total, tuple(parts.items()), None if isinstance(closed, Missing) else closed
    )


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per trace of every differential link."""
    return per_link(board, PROVIDES, partial(_link, board, conditions), pairs=True, traced=True)


def _link(board: Board, conditions: Conditions, link: BoardLink) -> Iterator[Item]:
    for step, trace in link.traces():
        yield _segment(board, link, step, trace, conditions)


def _segment(board: Board, link: BoardLink, step: PathStep, trace: Trace, conditions: Conditions) -> Item:
    subject = f"{link.subject}.path{under(step.name)}"
    gap = partial(link_gap, board, link, PairImpedance, subject=subject, where=step.path)
    found = section(board, link, step, conditions.cold)
    if isinstance(found, Missing):
        return gap(found)
    half = tolerances(board, trace)
    task = ImpedanceTask(found.task, half["width"], half["dielectric"], half["copper"], half["dk"],
                         half["registration"])

    def bind(result: ImpedanceResult) -> Iterator[PairImpedance | Gap]:
        if isinstance(result.line, Missing):
            yield gap(result.line)
            return
        yield _fact(board, link, step, trace, found, result, result.line, conditions)

    return Planned(task, solve_impedance, bind)


def _thin_mask(board: Board, trace: Trace, thick: float, thin: float) -> Undeclared:
    """What a mask of unknown thickness over the trace may make of an impedance. [ohm]"""
    last = len(board.layers or ()) - 1
    top = board.stack is not None and board.stack.copper(trace.layer) is board.stack.coppers[0]
    return Undeclared(key=f"stackup[{0 if top else last}].over_trace", lo=thick, hi=thin)


def _fact(
    board: Board, link: BoardLink, step: PathStep, trace: Trace, found: TraceSection, result: ImpedanceResult,
    line: LineResult, conditions: Conditions,
) -> PairImpedance:
    z = line.z_diff
    tapered = impedance_doubt(found.task, 0.0, found.taper, found.thin_mask, foot_open=found.foot_open)
    thinner = mask_doubt(found.task, found.thin_mask)
    turned = foot_doubt(found.task) if found.foot_open else 0.0
    error = math.hypot(line.u_z, found.u_dk / 2)
    neck = is_neck(link, step, line.delay)
    data = " and data of Dk" if found.u_dk / 2 > line.u_z else ""
    model = f"{line.card}{data}, +-{show(error, '%', 2)}"
    offers, gaps = _target(link)
    control = board.declared_fabrication.impedance_control if board.declared_fabrication else None
    ordered = None
    if control is not None and control.coupon and not conditions.require_computed:
        ordered = exact(control.tolerance.value, model="impedance class ordered with a coupon", basis="declared",
                        reads=(("fabrication", "impedance_control", "tolerance"),))
    return PairImpedance(
        subject=f"{link.subject}.path{under(step.name)}",
        where=(*step.path, "width"),
        tags=board.link_tags(link),
        offers=offers,
        offer_gaps=gaps,
        at=REFERENCE,
        impedance=replace(
            spread(z, error=z * error, minus=z * turned, plus=z * tapered, model=model, reads=found.reads,
                   assumptions=found.assumptions,
                   derivation=partial(impedance_steps, board, link, trace, line, result.parts)),
            basis="assumed" if found.thin_mask else "computed",
            undeclared=_thin_mask(board, trace, z, z * (1 + thinner)) if found.thin_mask else None,
        ),
        spread=Measured(value=result.spread, lo=result.spread,
                        hi=result.spread * (1 + found.taper / 2 / found.task.width_foot + thinner),
                        model=f"root of squares, {line.card}", reads=found.reads,
                        assumptions=found.assumptions if tapered else (),
                        derivation=partial(spread_steps, board, trace, result.parts),
                        ).resting_on(class_tolerances(board, trace)),
        ordered_class=ordered,
        parts=result.parts,
        neck=neck,
        replaced=_replaced(link),
        declared=link.spec.impedance.value if link.spec.impedance else None,
        width=WidthCure(step.path, trace, found.task, _narrowest(board, trace)),
        doubts=_doubts(line, result.closed),
    )


def _narrowest(board: Board, trace: Trace) -> float:
    """The narrowest trace that the fabrication class holds on a layer. [m]"""
    outer = board.stack is not None and board.stack.outer(trace.layer)
    return board.fabrication.outer_width if outer else board.fabrication.inner_width


def _doubts(line: LineResult, closed: ClosedForm | None) -> tuple[str, ...]:
    if closed is None:
        return ()
    other = closed.impedance
    if abs(line.z0 / other - 1) <= line.u_z + closed.u_z:
        return ()
    pair = 2 if line.task.pair else 1
    return (
        f"{show(pair * line.z0, 'ohm', 4)} by the {line.card}, {show(pair * other, 'ohm', 4)} by {closed.card} "
        f"+-{show(closed.u_z, '%', 2)}",
    )


def is_neck(link: BoardLink, step: PathStep, delay: float) -> bool:
    """True if a trace with a delay [s/m], with the short ones that touch it, is shorter than a share of the rise."""
    short = RISE_SHARE / link.standard.symbol_rate / NECK_SHARE / delay

    def brief(one: PathStep) -> bool:
        return isinstance(one.body, Trace) and bool(one.body.length.value < short)

    for is_brief, run in groupby(link.steps, key=brief):
        members = list(run)
        if is_brief and step in members:
            return bool(sum(one.body.length.value for one in members if isinstance(one.body, Trace)) < short)
    return False


def _target(link: BoardLink) -> tuple[dict[str, Offer], dict[str, str]]:
    """The link's own impedance, else the standard's; or why there is none."""
    public: ImpedanceTarget | None = link.standard.impedance
    own = link.spec.impedance
    if own is not None and (public is None or not nearly_equal(own.value, public.value.value)):
        value = own.value
        return {"target": Offer(_exactly(value), Source("the board file", "declared"))}, {}
    if public is None:
        return {}, {"target": f"{link.standard.name} has no public impedance: give `links{under(link.name)}.impedance`"}
    return {"target": Offer(_exactly(public.value.value), Source(public.source, public.provenance))}, {}


def _replaced(link: BoardLink) -> float | None:
    own, public = link.spec.impedance, link.standard.impedance
    other = own is not None and public is not None and not nearly_equal(own.value, public.value.value)
    return public.value.value if other and public is not None else None


def _exactly(value: float) -> Limit:
    return Limit(value, value, "ohm", show(value, "ohm", 4))
