# SPDX-License-Identifier: MIT
"""The board's part of every channel: its loss at Nyquist, and the stubs of its vias in band."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pcbrules.analysis.channel_budget import channel_budget
from pcbrules.analysis.channel_parts import Lost, Part, parts
from pcbrules.analysis.channel_solve import solve_channel
from pcbrules.analysis.channel_task import ChannelResult, ChannelTask, LineSpec, ViaCost
from pcbrules.analysis.no_links import link_gaps, not_a_pair
from pcbrules.analysis.plan import Item, Planned
from pcbrules.analysis.via_solve import ViaSpec
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Trace, Via
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import BoardLoss, StubNotch
from pcbrules.results.finding import Proposal
from pcbrules.results.measured import Measured, spread
from pcbrules.results.rule import Offer

PROVIDES = (BoardLoss, StubNotch)

LOT_SPREAD = 0.10
"""Spread of loss from lot to lot [-]: practice."""

DEFAULT_IMPEDANCE = 100.0
"""Reference impedance of a link without one [ohm]; the loss hardly depends on it."""


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
    budget, offers, offer_gaps = channel_budget(board, link)
    with_package = budget is not None and budget.with_package
    hot = list(parts(board, link, conditions.hot, with_package=with_package))
    cold = list(parts(board, link, conditions.cold, with_package=with_package))
    kept = [part for part in hot if isinstance(part, Part)]
    missing = [part for part in hot if isinstance(part, Lost)]
    if missing:
        lost = missing[0]
        yield Gap(fact=BoardLoss, subject=link.subject, where=lost.where, tags=tags, reason=lost.reason, key=lost.key)
    if not link.vias():
        yield Gap(fact=StubNotch, subject=link.subject, where=link.path, tags=tags, applicable=False,
                  reason="the link changes no layer")
    for lost in missing:
        if lost.step is not None and isinstance(lost.step.body, Via):
            yield Gap(fact=StubNotch, subject=f"{link.subject}.path.{lost.step.name}", where=lost.where, tags=tags,
                      reason=lost.reason, key=lost.key)
    if missing and not any(isinstance(part.element, ViaSpec) for part in kept):
        return
    tasks = PairTask(_task(link, kept), _task(link, [part for part in cold if isinstance(part, Part)]))

    def bind(results: tuple[ChannelResult, ChannelResult]) -> Iterator[BoardLoss | StubNotch | Gap]:
        if not missing:
            yield _loss(board, link, kept, results, offers, offer_gaps)
        yield from _notches(board, link, kept, results[0], missing)

    yield Planned(tasks, solve_pair, bind)


def _task(link: BoardLink, kept: list[Part]) -> ChannelTask:
    return ChannelTask(tuple(part.element for part in kept), _reference(link), link.standard.nyquist)


def _reference(link: BoardLink) -> float:
    if link.spec.impedance is not None:
        return float(link.spec.impedance.value)
    return float(link.standard.impedance.value.value) if link.standard.impedance else DEFAULT_IMPEDANCE


def _loss(
    board: Board, link: BoardLink, kept: list[Part], results: tuple[ChannelResult, ChannelResult],
    offers: dict[str, Offer], offer_gaps: dict[str, str],
) -> BoardLoss | Gap:
    hot, cold = results
    tags = board.link_tags(link)
    if hot.through is None or cold.through is None:
        place, reason = hot.unsupported[0]
        step = kept[place].step
        return Gap(fact=BoardLoss, subject=link.subject, where=step.path, tags=tags, reason=f"{step.name}: {reason}")
    value = hot.through.over_phase.value
    length = sum(p.element.length for p in kept if isinstance(p.element, LineSpec))
    ledger: dict[str, float] = {}
    for row in hot.through.ledger:
        ledger[row.part] = ledger.get(row.part, 0.0) + row.loss
    ledger["reflections"] += value - hot.through.loss
    reads = tuple(dict.fromkeys(path for part in kept for path in part.reads))
    assumptions = [text for part in kept for text in part.assumptions] + list(hot.assumptions)
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
        shorter=_shorter(kept, value, offers),
    )


def _shorter(kept: list[Part], value: float, offers: dict[str, Offer]) -> Proposal | None:
    """A length of the longest trace that should bring the loss, with its spread, inside the budget."""
    limit = offers["loss"].limit.high if "loss" in offers else None
    lines = [part for part in kept if isinstance(part.element, LineSpec)]
    if limit is None or not lines:
        return None
    longest = max(lines, key=lambda part: part.element.length if isinstance(part.element, LineSpec) else 0.0)
    if not isinstance(longest.element, LineSpec) or not isinstance(longest.step.body, Trace):
        return None
    length = longest.element.length * 0.85 * limit / value
    inches = int(length / 25.4e-3 * 10) / 10
    return Proposal(longest.reads[0], f"{inches:g} in") if inches > 0 else None


def _notches(
    board: Board, link: BoardLink, kept: list[Part], result: ChannelResult, missing: list[Lost]
) -> Iterator[StubNotch | Gap]:
    tags = board.link_tags(link)
    nyquist = link.standard.nyquist
    costs: dict[int, ViaCost] = {cost.element: cost for cost in result.vias}
    reasons = dict(result.unsupported)
    made: list[StubNotch] = []
    unknown = False
    for place, part in enumerate(kept):
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
    if made and (missing or unknown or result.through is None or result.excess is None):
        why = "; ".join(dict.fromkeys([lost.reason for lost in missing] or reasons.values()))
        yield Gap(fact=StubNotch, subject=f"{link.subject}.stubs", where=link.path, tags=tags,
                  reason=f"what all stubs add up to needs the whole channel: {why}",
                  key=missing[0].key if missing else "")
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
