# SPDX-License-Identifier: MIT
"""The stubs of a link's vias: where they resonate and what they cost in band, as facts with names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pcbrules.analysis.channel_parts import Lost, Part
from pcbrules.analysis.channel_task import ChannelResult, ViaCost
from pcbrules.analysis.no_links import missing_via
from pcbrules.analysis.via_solve import ViaSpec
from pcbrules.model.board import Board, BoardLink
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import StubNotch
from pcbrules.results.measured import Measured, exact


def notches(
    board: Board, link: BoardLink, kept: list[Part], result: ChannelResult, missing: list[Lost]
) -> Iterator[StubNotch | Gap]:
    """One fact per via with a stub and one for all stubs together, or why there is none.

    ``kept`` are the elements of the solved task; ``missing`` those of the path that could not be made.
    """
    tags = board.link_tags(link)
    costs: dict[int, ViaCost] = {cost.element: cost for cost in result.vias}
    reasons = dict(result.unsupported)
    partial = "; ".join(dict.fromkeys([lost.reason for lost in missing] or reasons.values()))
    made: list[StubNotch] = []
    for place, part in enumerate(kept):
        if not isinstance(part.element, ViaSpec):
            continue
        subject = f"{link.subject}.path.{part.step.name}"
        if place not in costs:
            yield Gap(fact=StubNotch, subject=subject, where=part.step.path, tags=tags,
                      reason=reasons.get(place, "the via is outside the model's range"))
            continue
        fact = _notch(link, part, costs[place], result, partial)
        if fact is None:
            yield Gap(fact=StubNotch, subject=subject, where=part.step.path, tags=tags, applicable=False,
                      reason="the barrel ends at the layers in use: no stub")
        else:
            made.append(replace(fact, tags=tags))
    yield from made
    if partial and (made or missing_via(board, link)):
        yield Gap(fact=StubNotch, subject=f"{link.subject}.stubs", where=link.path, tags=tags,
                  reason=f"what all stubs add up to needs the whole channel: {partial}",
                  key=missing[0].key if missing else "")
    elif made and result.excess is not None:
        yield _all(link, made, result)


def _notch(link: BoardLink, part: Part, cost: ViaCost, result: ChannelResult, partial: str) -> StubNotch | None:
    """What the stubs of one via do; None if it has none."""
    worst = min(cost.stubs, key=lambda c: c.stub.loaded.lo, default=None)
    if worst is None or cost.alone is None:
        return None
    nyquist = link.standard.nyquist
    loss = cost.alone.loss
    meeting = max(loss.hi, cost.excess.loss.hi if cost.excess else 0.0)
    assumptions = tuple(dict.fromkeys((*result.assumptions, *part.assumptions)))
    end = part.ends[0 if worst.stub.end == "upper" else 1]
    reads = tuple(dict.fromkeys((*end, *part.reads)))
    ratio = exact(worst.stub.loaded.lo / nyquist, model="lower bound of the loaded stub resonance", basis="computed",
                  reads=reads)
    return StubNotch(
        subject=f"{link.subject}.path.{part.step.name}",
        where=reads[0],
        ratio=replace(ratio, assumptions=assumptions),
        cost=Measured(value=loss.value, lo=loss.lo, hi=meeting,
                      model="loaded open line across a matched line; the interval holds how it meets the barrel",
                      reads=reads, assumptions=assumptions),
        ideal=worst.stub.ideal,
        loaded=worst.stub.loaded.value,
        lowest=worst.stub.loaded.lo,
        nyquist=nyquist,
        return_loss_db=worst.return_loss,
        whole_link=False,
        partial=partial,
    )


def _all(link: BoardLink, made: list[StubNotch], result: ChannelResult) -> StubNotch:
    """All stubs of a link together."""
    if result.excess is None:
        raise AssertionError("stubs without a cost")
    total = sum(fact.cost.value for fact in made)
    least = min(sum(fact.cost.lo for fact in made), result.excess.loss.lo, total)
    most = max(sum(fact.cost.hi for fact in made), result.excess.loss.hi, total)
    lowest = min(made, key=lambda fact: fact.lowest)
    return replace(
        lowest,
        subject=f"{link.subject}.stubs",
        where=link.path,
        cost=Measured(value=total, lo=least, hi=most,
                      model="sum over the vias; the interval holds how their reflections meet in the channel",
                      reads=tuple(dict.fromkeys(p for fact in made for p in fact.cost.reads)),
                      assumptions=lowest.cost.assumptions),
        whole_link=True,
    )
