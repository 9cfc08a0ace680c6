# SPDX-License-Identifier: MIT
"""The board's part of every channel: its loss at Nyquist, and the stubs of its vias in band."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pcbrules.analysis.barrels import Barrel, barrel
from pcbrules.analysis.channel_solve import solve_channel
from pcbrules.analysis.channel_task import (
    ChannelResult,
    ChannelTask,
    Element,
    LineSpec,
    LossSpec,
    SeriesCap,
    ViaCost,
)
from pcbrules.analysis.line_tasks import NoSection, dielectric, section
from pcbrules.analysis.lines import Dielectric
from pcbrules.analysis.no_links import link_gaps, not_a_pair
from pcbrules.analysis.plan import Item, Planned
from pcbrules.analysis.via_solve import ViaSpec
from pcbrules.model.board import Board, BoardLink, Path, Step
from pcbrules.model.catalogue.select import NoReading, dk_at
from pcbrules.model.catalogue.systems import LossBudget
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import AcCapacitor, Connector, Package, Trace, Via
from pcbrules.model.stackup import Dielectric as DielectricLayer
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import BoardLoss, StubNotch
from pcbrules.results.finding import Proposal, Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, spread
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (BoardLoss, StubNotch)

LOT_SPREAD = 0.10
"""Spread of loss from lot to lot [-]: practice."""

DEFAULT_IMPEDANCE = 100.0
"""Reference impedance of a link without one [ohm]; the loss hardly depends on it."""

DEFAULT_BUDGET = {"baseboard": "baseboard", "card": "add-in-card", "carrier": "carrier-board"}


@dataclass(frozen=True, slots=True)
class Part:
    """One element of the board's part with its step in the path; a missing one says why."""

    step: Step
    element: Element | None
    reads: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()
    gap: NoSection | None = None


@dataclass(frozen=True, slots=True)
class PairTask:
    """A channel hot and cold."""

    hot: ChannelTask
    cold: ChannelTask


def solve_pair(task: PairTask) -> tuple[ChannelResult, ChannelResult]:
    """Solve both corners."""
    return solve_channel(task.hot), solve_channel(task.cold)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Loss of the board's part of every differential link, and the stubs of its vias."""
    yield from link_gaps(board, BoardLoss, StubNotch)
    for link in board.links or ():
        exempt = list(not_a_pair(board, link, BoardLoss, StubNotch))
        yield from exempt
        if not exempt:
            yield from _link(board, link, conditions)


def _link(board: Board, link: BoardLink, conditions: Conditions) -> Iterator[Item]:
    tags = board.link_tags(link)
    if not link.traces():
        for fact in (BoardLoss, StubNotch):
            yield Gap(fact=fact, subject=link.subject, where=link.path, tags=tags,
                      reason="no trace of this link is described", key=f"links.{link.name}.path[].trace")
        return
    budget, offers, offer_gaps = _budget(board, link)
    with_package = budget is not None and budget.with_package
    hot = list(_parts(board, link, conditions.hot, with_package))
    cold = list(_parts(board, link, conditions.cold, with_package))
    whole = all(part.gap is None for part in hot)
    if not whole:
        lost = next(part for part in hot if part.gap is not None)
        yield Gap(fact=BoardLoss, subject=link.subject, where=lost.step.path, tags=tags,
                  reason=lost.gap.reason if lost.gap else "", key=lost.gap.key if lost.gap else "")
    if not link.vias():
        yield Gap(fact=StubNotch, subject=link.subject, where=link.path, tags=tags, applicable=False,
                  reason="the link changes no layer")
    for part in hot:
        if isinstance(part.step.body, Via) and part.gap is not None:
            yield Gap(fact=StubNotch, subject=f"{link.subject}.path.{part.step.name}", where=part.step.path, tags=tags,
                      reason=part.gap.reason, key=part.gap.key)
    if not whole and not any(isinstance(part.element, ViaSpec) for part in hot):
        return
    z_ref = _reference(link)
    kept = [part for part in hot if part.element is not None]
    tasks = PairTask(
        ChannelTask(tuple(p.element for p in kept if p.element is not None), z_ref, link.standard.nyquist),
        ChannelTask(tuple(p.element for p in cold if p.element is not None), z_ref, link.standard.nyquist),
    )

    def bind(results: tuple[ChannelResult, ChannelResult]) -> Iterator[BoardLoss | StubNotch | Gap]:
        if whole:
            yield _loss(board, link, kept, results, offers, offer_gaps)
        yield from _notches(board, link, kept, results[0], whole=whole)

    yield Planned(tasks, solve_pair, bind)


def _parts(board: Board, link: BoardLink, temperature: float, with_package: bool) -> Iterator[Part]:
    """The elements between the planes of the budget: end connectors stay out, packages unless the budget counts them."""
    last = len(link.steps) - 1
    for index, step in enumerate(link.steps):
        body = step.body
        if isinstance(body, Trace):
            yield _trace(board, link, step, body, temperature)
        elif isinstance(body, Via):
            yield _via(board, link, step, body)
        elif isinstance(body, AcCapacitor):
            yield _capacitor(board, step, body)
        elif isinstance(body, Package) and with_package:
            yield _declared(step, body, f"links.{link.name}.path[].package.loss")
        elif isinstance(body, Connector) and 0 < index < last:
            yield _declared(step, body, f"links.{link.name}.path[].connector.loss")
    if with_package and not any(isinstance(step.body, Package) for step in link.steps):
        key = f"links.{link.name}.path[].package.loss"
        yield Part(link.steps[0], None, gap=NoSection("the budget runs from the die: the package's loss is missing", key))


def _trace(board: Board, link: BoardLink, step: Step, trace: Trace, temperature: float) -> Part:
    found = section(board, link, step, trace, temperature)
    if isinstance(found, NoSection):
        return Part(step, None, gap=found)
    if not found.rough:
        layer = board.stack.copper(trace.layer).index if board.stack else 0
        return Part(step, None, gap=NoSection(f"the foil of {trace.layer} is not given", f"stackup[{layer}].foil"))
    return Part(step, LineSpec(found.task, trace.length.value), ((*step.path, "length"), *found.reads), found.assumptions)


def _via(board: Board, link: BoardLink, step: Step, via: Via) -> Part:
    made = barrel(board, step, via)
    kind = made.kind
    stack = board.stack
    if stack is None or kind.antipad is None:
        return Part(step, None, gap=NoSection("the antipad is not given", f"via_types.{via.type}.antipad"))
    for end in made.ends:
        if end.gap:
            return Part(step, None, gap=NoSection(*end.gap))
    dk = _barrel_dk(board, made, link.standard.nyquist)
    if isinstance(dk, NoSection):
        return Part(step, None, gap=dk)
    value, points = dk
    top, bottom = made.ends
    spec = ViaSpec(
        through_length=made.through,
        upper_stub=top.worst,
        lower_stub=bottom.worst,
        drill_diameter=kind.drill.value,
        antipad_diameter=kind.antipad.width.value,
        dk=value,
        df_points=points,
        hole_fill_known=kind.fill != "unknown" or not kind.backdrills,
    )
    reads = (*top.reads, *bottom.reads, ("via_types", via.type, "drill"), ("via_types", via.type, "antipad", "width"))
    return Part(step, spec, tuple(dict.fromkeys(reads)))


def _barrel_dk(board: Board, made: Barrel, frequency: float) -> tuple[float, Dielectric] | NoSection:
    """Dk along the barrel, weighted by thickness, and the dielectric of the thickest layer."""
    if board.stack is None:
        return NoSection("the board file has no `stackup`", "stackup")
    plies = board.stack.between(*made.kind.span)
    total, height = 0.0, 0.0
    for ply in plies:
        spec = ply.spec
        if not isinstance(spec, DielectricLayer):
            continue
        dk = spec.dk.value if spec.dk is not None else None
        if dk is None:
            reading = dk_at(board.catalogue.laminates[spec.material], frequency)
            if isinstance(reading, NoReading):
                return NoSection(reading.reason, f"materials.laminates.{spec.material}.dk")
            dk = reading.value
        total += dk * spec.thickness.value
        height += spec.thickness.value
    thickest = max(plies, key=lambda ply: ply.spec.thickness.value).spec
    if not isinstance(thickest, DielectricLayer):
        raise TypeError(made.step.name)
    points = dielectric(board, thickest, frequency)
    return points if isinstance(points, NoSection) else (total / height, points)


def _capacitor(board: Board, step: Step, body: AcCapacitor) -> Part:
    assumed: tuple[str, ...] = ()
    if body.loss is not None and body.at is not None:
        loss, at = body.loss.value, body.at.value
    else:
        default = board.catalogue.defaults["ac-capacitor-loss"]
        loss, at = default.typical, default.at or 16e9
        assumed = (f"{step.name}: {loss:g} dB at {show(at, 'GHz')} for capacitor and pads ({default.source})",)
    esr = body.esr.value if body.esr else 0.0
    inductance = body.inductance.value if body.inductance else 0.0
    part = SeriesCap(body.capacitance.value, esr, inductance, loss=loss, frequency=at)
    return Part(step, part, ((*step.path, "capacitance"),), assumed)


def _declared(step: Step, body: Package | Connector, key: str) -> Part:
    if body.loss is None or body.at is None:
        return Part(step, None, gap=NoSection(f"the loss of {step.name} and its frequency are not given", key))
    return Part(step, LossSpec(body.loss.value, body.at.value), ((*step.path, "loss"),))


def _reference(link: BoardLink) -> float:
    if link.spec.impedance is not None:
        return float(link.spec.impedance.value)
    return float(link.standard.impedance.value.value) if link.standard.impedance else DEFAULT_IMPEDANCE


def _budget(board: Board, link: BoardLink) -> tuple[LossBudget | None, dict[str, Offer], dict[str, str]]:
    """The standard's budget for this part of the channel, and the smaller of it and the board's own as the limit."""
    name = link.spec.segment or DEFAULT_BUDGET.get(board.form_factor.kind, "")
    standard: LossBudget | None = link.standard.budget(name)
    if standard is not None and abs(standard.at / link.standard.nyquist - 1) > 0.06:
        standard = None
    own = link.spec.budget
    offers = []
    if standard is not None:
        text = f"<= {standard.limit:g} dB ({standard.name}, {standard.planes}"
        text += f"; {standard.loss:g} less {standard.reserve:g} in reserve)" if standard.reserve else ")"
        offers.append(Offer(Limit(None, standard.limit, "dB", text), Source(standard.source, standard.provenance)))
    if own is not None and (own.at is None or abs(own.at.value / link.standard.nyquist - 1) <= 0.06):
        text = f"<= {own.loss.value:g} dB (the board's own budget)"
        offers.append(Offer(Limit(None, own.loss.value, "dB", text), Source(own.source, "declared")))
    if offers:
        return standard, {"loss": min(offers, key=lambda o: o.limit.high or 0.0)}, {}
    known = ", ".join(b.name for b in link.standard.budgets)
    reason = f"no public loss budget of {link.standard.name} for this board: give `links.{link.name}.budget`"
    if known:
        reason += f", or `links.{link.name}.segment`, one of {known}"
    return None, {}, {"loss": reason}


def _loss(
    board: Board, link: BoardLink, parts: list[Part], results: tuple[ChannelResult, ChannelResult],
    offers: dict[str, Offer], offer_gaps: dict[str, str],
) -> BoardLoss | Gap:
    hot, cold = results
    tags = board.link_tags(link)
    if hot.through is None or cold.through is None:
        place, reason = hot.unsupported[0]
        step = parts[place].step
        return Gap(fact=BoardLoss, subject=link.subject, where=step.path, tags=tags, reason=f"{step.name}: {reason}")
    value = hot.through.over_phase.value
    length = sum(p.element.length for p in parts if isinstance(p.element, LineSpec))
    ledger: dict[str, float] = {}
    for row in hot.through.ledger:
        ledger[row.part] = ledger.get(row.part, 0.0) + row.loss
    ledger["reflections"] += value - hot.through.loss
    reads = tuple(dict.fromkeys(path for part in parts for path in part.reads))
    assumptions = [text for part in parts for text in part.assumptions] + list(hot.assumptions)
    return BoardLoss(
        subject=link.subject,
        where=link.path,
        tags=tags,
        offers=offers,
        offer_gaps=offer_gaps,
        loss=spread(value, error=hot.through.error,
                    minus=math.hypot(LOT_SPREAD * value, value - hot.through.over_phase.lo),
                    plus=math.hypot(LOT_SPREAD * value, hot.through.over_phase.hi - value),
                    model="cascade of closed-form lines, via and lumped models", reads=reads,
                    assumptions=tuple(dict.fromkeys(assumptions))),
        cold=cold.through.over_phase.value,
        nyquist=link.standard.nyquist,
        length=length,
        ledger=tuple((name, loss) for name, loss in ledger.items() if abs(loss) >= 0.005),
        shorter=_shorter(parts, value, offers),
    )


def _shorter(parts: list[Part], value: float, offers: dict[str, Offer]) -> Proposal | None:
    """A length of the longest trace that should bring the loss, with its spread, inside the budget."""
    limit = offers["loss"].limit.high if "loss" in offers else None
    lines = [part for part in parts if isinstance(part.element, LineSpec)]
    if limit is None or not lines:
        return None
    longest = max(lines, key=lambda part: part.element.length if isinstance(part.element, LineSpec) else 0.0)
    if not isinstance(longest.element, LineSpec) or not isinstance(longest.step.body, Trace):
        return None
    length = longest.element.length * 0.85 * limit / value
    inches = int(length / 25.4e-3 * 10) / 10
    return Proposal(longest.reads[0], f"{inches:g} in") if inches > 0 else None


def _notches(
    board: Board, link: BoardLink, parts: list[Part], result: ChannelResult, *, whole: bool
) -> Iterator[StubNotch | Gap]:
    tags = board.link_tags(link)
    nyquist = link.standard.nyquist
    costs: dict[int, ViaCost] = {cost.element: cost for cost in result.vias}
    reasons = dict(result.unsupported)
    made: list[StubNotch] = []
    unknown = False
    for place, part in enumerate(parts):
        if not isinstance(part.element, ViaSpec):
            continue
        subject = f"{link.subject}.path.{part.step.name}"
        if place not in costs:
            unknown = True
            yield Gap(fact=StubNotch, subject=subject, where=part.step.path, tags=tags,
                      reason=reasons.get(place, "the via is outside the model's range"))
            continue
        cost = costs[place]
        worst = min(cost.stubs, key=lambda c: c.stub.loaded.lo, default=None)
        if worst is None or cost.alone is None:
            yield Gap(fact=StubNotch, subject=subject, where=part.step.path, tags=tags, applicable=False,
                      reason="the barrel ends at the layers in use: no stub")
            continue
        loss = cost.alone.loss
        meeting = max(loss.hi, cost.excess.loss.hi if cost.excess else 0.0)
        assumptions = tuple(dict.fromkeys((*result.assumptions, *part.assumptions)))
        made.append(StubNotch(
            subject=subject,
            where=part.reads[0] if part.reads else part.step.path,
            tags=tags,
            ratio=Measured(value=worst.stub.loaded.lo / nyquist, lo=worst.stub.loaded.lo / nyquist,
                           hi=worst.stub.loaded.lo / nyquist, model="lower bound of the loaded stub resonance",
                           reads=part.reads, assumptions=assumptions),
            cost=Measured(value=loss.value, lo=loss.lo, hi=meeting,
                          model="loaded open line across a matched line; the interval holds how it meets the barrel",
                          reads=part.reads, assumptions=assumptions),
            ideal=worst.stub.ideal,
            loaded=worst.stub.loaded.value,
            lowest=worst.stub.loaded.lo,
            nyquist=nyquist,
            return_loss_db=worst.return_loss,
            whole_link=False,
        ))
    yield from made
    if made and (not whole or unknown or result.through is None or result.excess is None):
        yield Gap(fact=StubNotch, subject=f"{link.subject}.stubs", where=link.path, tags=tags,
                  reason="what all stubs add up to needs the whole channel; see CHN001 for what is missing")
    elif made and result.excess is not None:
        total = sum(fact.cost.value for fact in made)
        least = min(sum(fact.cost.lo for fact in made), result.excess.loss.lo, total)
        most = max(sum(fact.cost.hi for fact in made), result.excess.loss.hi, total)
        lowest = min(made, key=lambda fact: fact.lowest)
        yield replace(
            lowest,
            subject=f"{link.subject}.stubs",
            where=link.path,
            cost=Measured(value=total, lo=least, hi=most,
                          model="sum over the vias; the interval holds how their reflections meet in the channel",
                          reads=tuple(dict.fromkeys(p for fact in made for p in fact.cost.reads)),
                          assumptions=lowest.cost.assumptions),
            whole_link=True,
        )
