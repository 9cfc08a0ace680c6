# SPDX-License-Identifier: MIT
"""Crosstalk of every pair: power sum of what runs beside it, and of what is declared for via field and connector."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pcbrules.analysis.channel import PairTask, board_loss, prepare, solve_pair
from pcbrules.analysis.channel_task import ChannelResult
from pcbrules.analysis.crosstalk_neighbours import Coupled, Shielded, Unknown, neighbours
from pcbrules.analysis.crosstalk_solve import CouplingResult, CouplingTask, solve_coupling
from pcbrules.analysis.crosstalk_steps import derivation, ratio_steps
from pcbrules.analysis.crosstalk_sum import Aggressor, PowerSum, centres, of_lines, power_sum
from pcbrules.analysis.end_connectors import with_connectors
from pcbrules.analysis.line_types import Unsupported
from pcbrules.analysis.no_links import link_gaps, not_a_pair
from pcbrules.analysis.plan import Item, Planned
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.systems import Link as Standard
from pcbrules.model.conditions import Conditions
from pcbrules.results.derivation import Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import BoardLoss, FarEndCrosstalk, NearEndCrosstalk, PairCrosstalk
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Basis, Measured
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (NearEndCrosstalk, FarEndCrosstalk)

RATIO = {"NRZ": 20.0, "PAM4": 30.0}
"""Signal over crosstalk where the standard gives no figure, by modulation [dB]: practice."""

_UPPER_BOUND = "what the path loses before and after the common run is left out, and the loss is that of a cold board"


@dataclass(frozen=True, slots=True)
class LinkTask:
    """All couplings of a link, and the channel whose loss the signal has."""

    couplings: tuple[CouplingTask, ...]
    channel: PairTask | None


@dataclass(frozen=True, slots=True)
class LinkResult:
    """Results of a link, in the order of its task."""

    couplings: tuple[CouplingResult | Unsupported, ...]
    channel: tuple[ChannelResult, float | None] | None


def solve_link(task: LinkTask) -> LinkResult:
    """Solve all couplings of a link, and its channel."""
    channel = None if task.channel is None else solve_pair(task.channel)
    return LinkResult(tuple(solve_coupling(one) for one in task.couplings), channel)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Near-end and far-end crosstalk of every differential link."""
    yield from link_gaps(board, *PROVIDES)
    for link in board.links or ():
        exempt = list(not_a_pair(board, link, *PROVIDES))
        yield from exempt
        if not exempt:
            yield from _link(board, link, conditions.cold, conditions.hot)


def of_link(board: Board, link: BoardLink, *, cold: float, hot: float) -> Iterator[PairCrosstalk | Gap]:
    """Crosstalk of one differential link at two board temperatures [degC], solved here and now."""
    for item in _link(board, link, cold, hot):
        if isinstance(item, Planned):
            yield from (one for one in item.bind(item.solve(item.task)) if isinstance(one, PairCrosstalk | Gap))
        elif isinstance(item, PairCrosstalk | Gap):
            yield item


def _link(board: Board, link: BoardLink, cold: float, hot: float) -> Iterator[Item]:
    if not link.traces():
        nothing = Unknown("no trace of this link is described", f"links.{link.name}.path[].trace", link.path)
        yield from _gaps(board, link, nothing)
        return
    found = list(neighbours(board, link, cold))
    unknown = next((one for one in found if isinstance(one, Unknown)), None)
    if unknown is not None:
        yield from _gaps(board, link, unknown)
        return
    coupled = [one for one in found if isinstance(one, Coupled)]
    shields = tuple(one.assumption for one in found if isinstance(one, Shielded))
    channel = prepare(board, link, cold=cold, hot=hot)
    task = LinkTask(tuple(one.task for one in coupled), None if channel.missing else channel.task)

    def bind(result: LinkResult) -> Iterator[PairCrosstalk | Gap]:
        loss: BoardLoss | str = channel.missing[0].reason if channel.missing else ""
        if result.channel is not None:
            bound = board_loss(board, link, channel, result.channel)
            loss = bound.reason if isinstance(bound, Gap) else with_connectors(board, link, bound)
        aggressors = []
        for one, made in zip(coupled, result.couplings, strict=True):
            if isinstance(made, Unsupported):
                yield from _gaps(board, link, Unknown(f"{one.name}: {made.reason}", "", one.where))
                return
            aggressors.append(Aggressor(one, made))
        yield from _ends(board, link, aggressors, shields, loss)

    yield Planned(task, solve_link, bind)


def _gaps(board: Board, link: BoardLink, unknown: Unknown) -> Iterator[Gap]:
    for fact in PROVIDES:
        yield Gap(fact=fact, subject=link.subject, where=unknown.where, tags=board.link_tags(link),
                  reason=unknown.reason, key=unknown.key)


def _ends(
    board: Board, link: BoardLink, aggressors: list[Aggressor], shields: tuple[str, ...], loss: BoardLoss | str
) -> Iterator[PairCrosstalk | Gap]:
    declared = link.spec.crosstalk_elsewhere
    key = f"links.{link.name}.crosstalk_elsewhere"
    ends = {end: [one for one in aggressors if one.coupled.near_end == (end == "near")] for end in ("near", "far")}
    sums = {end: power_sum(link, mine) for end, mine in ends.items()}
    loud = max(ends, key=lambda end: of_lines(sums[end]))
    for fact, end in ((NearEndCrosstalk, "near"), (FarEndCrosstalk, "far")):
        mine, total = ends[end], sums[end]
        if total is None:
            way = "opposite" if end == "near" else "same"
            places = [(*step.path, "neighbours") for step, _ in link.traces()]
            reason = f"no neighbour of {way} direction; that of via field and connector is neither computed nor bounded"
            yield Gap(fact=fact, subject=link.subject, where=places[0], tags=board.link_tags(link), reason=reason,
                      key=key)
            continue
        both = end == loud and len(mine) < len(aggressors)
        ratio: Measured | None = None
        after: tuple[Step, ...] = ()
        if not isinstance(loss, str):
            ratio, after = _ratio(link, aggressors if both else mine, loss, shields, both_ends=both)
        crosstalk = _measured(link, mine, total, shields, judged=True, ratio=after)
        yield fact(
            subject=link.subject,
            where=crosstalk.reads[0],
            tags=board.link_tags(link),
            offers={"ratio": _offer(link.standard)},
            end=end,
            crosstalk=crosstalk,
            lines=total.lines,
            neighbours=len(mine),
            bound=None if declared is None else -float(declared.bound.value),
            rest="" if declared else f"that of via field and connector is neither computed nor bounded: give `{key}`",
            frequency=centres(link, mine)[total.centre],
            ratio=ratio,
            ratio_gap=f"the loss of the signal is not known: {loss}" if isinstance(loss, str) else "",
            both_ends=both,
            loss=None if isinstance(loss, str) else loss.loss.value,
        )


def _measured(
    link: BoardLink, aggressors: Sequence[Aggressor], total: PowerSum, shields: tuple[str, ...],
    *, judged: bool, ratio: tuple[Step, ...],
) -> Measured:
    """The power sum as a number; its derivation goes on to the ratio, which is judged where the sum is not."""
    declared = link.spec.crosstalk_elsewhere
    ranked = sorted(aggressors, key=lambda one: -one.peaks[total.centre].power)
    of_lines = [path for one in ranked for path in one.coupled.reads]
    of_rest: list[Path] = [(*link.path, "crosstalk_elsewhere", "bound")] if declared else []
    decides = declared is not None and (total.lines is None or -declared.bound.value > total.lines)
    reads = of_rest + of_lines if decides else of_lines + of_rest
    assumptions = [text for one in ranked for text in one.coupled.assumptions]
    if ranked:
        assumptions.append(_UPPER_BOUND)
    if declared:
        bound = show(-declared.bound.value, "dB")
        assumptions.append(f"via field and connector {bound} at most, as declared ({declared.source})")
    basis: Basis = "declared" if decides else "computed"
    models = (["coupled lines from the field solver"] if ranked else []) + (["declared bound"] if declared else [])
    return Measured(
        value=total.value,
        lo=total.lo,
        hi=total.hi,
        error=total.error,
        model="power sum of " + " and ".join(models),
        basis=basis,
        reads=tuple(dict.fromkeys(reads)),
        assumptions=tuple(dict.fromkeys([*assumptions, *shields])),
        derivation=partial(derivation, link, ranked, total, judged=judged, ratio=ratio),
    )


def _ratio(
    link: BoardLink, aggressors: Sequence[Aggressor], loss: BoardLoss, shields: tuple[str, ...], *, both_ends: bool
) -> tuple[Measured, tuple[Step, ...]]:
    """Signal over the crosstalk of some aggressors and of the declared rest [dB]; its steps where the sum is judged."""
    total = power_sum(link, aggressors)
    if total is None:
        raise AssertionError("there is a sum of some of them")
    steps = ratio_steps(total, loss, both_ends=both_ends, judged=True)
    crosstalk = _measured(link, aggressors, total, shields, judged=False, ratio=steps)
    value = -crosstalk.value - loss.loss.value
    return Measured(
        value=value,
        lo=value - math.hypot(crosstalk.hi - crosstalk.value, loss.loss.hi - loss.loss.value),
        hi=value + math.hypot(crosstalk.value - crosstalk.lo, loss.loss.value - loss.loss.lo),
        error=math.hypot(crosstalk.error, loss.loss.error),
        model=f"loss by {loss.loss.model}; {crosstalk.model}",
        basis=crosstalk.basis,
        reads=tuple(dict.fromkeys((*crosstalk.reads, *loss.loss.reads))),
        assumptions=tuple(dict.fromkeys((*crosstalk.assumptions, *loss.loss.assumptions))),
        derivation=crosstalk.derivation,
    ), ratio_steps(total, loss, both_ends=both_ends, judged=False)


def _offer(standard: Standard) -> Offer:
    """Smallest ratio of signal to crosstalk: the standard's at Nyquist, else that of its modulation."""
    for mask in standard.masks:
        for piece in mask.pieces if mask.quantity == "crosstalk-ratio" else ():
            if piece.start <= standard.nyquist <= piece.stop * (1 + 1e-9):
                x = standard.nyquist / 1e9
                least = (piece.constant + piece.root * math.sqrt(x) + piece.linear * x + piece.square * x**2
                         + piece.cube * x**3 + piece.decade * math.log10(x))
                whose = f"{standard.name}, {'normative' if mask.normative else 'informative'}"
                return _at_least(least, whose, Source(mask.source, mask.provenance))
    source = Source("20 dB for NRZ, 30 dB for PAM4", "practice")
    least = RATIO.get(standard.modulation, max(RATIO.values()))
    return _at_least(least, f"{standard.modulation}, informative", source)


def _at_least(least: float, whose: str, source: Source) -> Offer:
    return Offer(Limit(least, None, "dB", f">= {least:g} dB ({whose})"), source)
