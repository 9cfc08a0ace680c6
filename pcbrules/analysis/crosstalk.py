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
from pcbrules.analysis.crosstalk_solve import CouplingResult, CouplingTask, Peak, solve_coupling
from pcbrules.analysis.line_types import Unsupported
from pcbrules.analysis.no_links import link_gaps, not_a_pair
from pcbrules.analysis.plan import Item, Planned
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.systems import Link as Standard
from pcbrules.model.conditions import Conditions
from pcbrules.results.derivation import Derivation, Step
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
            yield from _link(board, link, conditions)


def _link(board: Board, link: BoardLink, conditions: Conditions) -> Iterator[Item]:
    if not link.traces():
        nothing = Unknown("no trace of this link is described", f"links.{link.name}.path[].trace", link.path)
        yield from _gaps(board, link, nothing)
        return
    found = list(neighbours(board, link, conditions))
    unknown = next((one for one in found if isinstance(one, Unknown)), None)
    if unknown is not None:
        yield from _gaps(board, link, unknown)
        return
    coupled = [one for one in found if isinstance(one, Coupled)]
    shields = tuple(one.assumption for one in found if isinstance(one, Shielded))
    channel = prepare(board, link, cold=conditions.cold, hot=conditions.hot)
    task = LinkTask(tuple(one.task for one in coupled), None if channel.missing else channel.task)

    def bind(result: LinkResult) -> Iterator[PairCrosstalk | Gap]:
        loss: BoardLoss | str = channel.missing[0].reason if channel.missing else ""
        if result.channel is not None:
            bound = board_loss(board, link, channel, result.channel)
            loss = bound.reason if isinstance(bound, Gap) else bound
        aggressors = []
        for one, made in zip(coupled, result.couplings, strict=True):
            if isinstance(made, Unsupported):
                yield from _gaps(board, link, Unknown(f"{one.name}: {made.reason}", "", one.where))
                return
            aggressors.append(_Aggressor(one, made))
        yield from _ends(board, link, aggressors, shields, loss)

    yield Planned(task, solve_link, bind)


def _gaps(board: Board, link: BoardLink, unknown: Unknown) -> Iterator[Gap]:
    for fact in PROVIDES:
        yield Gap(fact=fact, subject=link.subject, where=unknown.where, tags=board.link_tags(link),
                  reason=unknown.reason, key=unknown.key)


@dataclass(frozen=True, slots=True)
class _Aggressor:
    """A neighbour and its coupling."""

    coupled: Coupled
    result: CouplingResult

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """At the end where it counts, by centre."""
        return self.result.near if self.coupled.near_end else self.result.far


@dataclass(frozen=True, slots=True)
class _Sum:
    """A power sum [dB] with its interval and model error, those of the lines alone, and the centre of the largest."""

    value: float
    lo: float
    hi: float
    error: float
    lines: float | None
    centre: int


def _ends(
    board: Board, link: BoardLink, aggressors: list[_Aggressor], shields: tuple[str, ...], loss: BoardLoss | str
) -> Iterator[PairCrosstalk | Gap]:
    declared = link.spec.crosstalk_elsewhere
    key = f"links.{link.name}.crosstalk_elsewhere"
    ends = {end: [one for one in aggressors if one.coupled.near_end == (end == "near")] for end in ("near", "far")}
    sums = {end: _power_sum(link, mine) for end, mine in ends.items()}
    loud = max(ends, key=lambda end: _lines(sums[end]))
    for fact, end in ((NearEndCrosstalk, "near"), (FarEndCrosstalk, "far")):
        mine, total = ends[end], sums[end]
        if total is None:
            way = "opposite" if end == "near" else "same"
            places = [(*step.path, "neighbours") for step, _ in link.traces()]
            reason = f"no neighbour of {way} direction; that of via field and connector is neither computed nor bounded"
            yield Gap(fact=fact, subject=link.subject, where=places[0], tags=board.link_tags(link), reason=reason,
                      key=key)
            continue
        crosstalk = _measured(link, mine, total, shields)
        both = end == loud and len(mine) < len(aggressors)
        ratio = None if isinstance(loss, str) else _ratio(link, aggressors if both else mine, loss, shields)
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
            frequency=_centres(link, mine)[total.centre],
            ratio=ratio,
            ratio_gap=f"the loss of the signal is not known: {loss}" if isinstance(loss, str) else "",
            both_ends=both,
            loss=None if isinstance(loss, str) else loss.loss.value,
        )


def _lines(total: _Sum | None) -> float:
    """Crosstalk of the lines alone; none is infinitely low. [dB]"""
    return -math.inf if total is None or total.lines is None else total.lines


def _centres(link: BoardLink, aggressors: Sequence[_Aggressor]) -> tuple[float, ...]:
    return aggressors[0].coupled.task.centres if aggressors else (link.standard.nyquist,)


def _power_sum(link: BoardLink, aggressors: Sequence[_Aggressor]) -> _Sum | None:
    """Sum of aggressors and of the declared bound, at the centre where it is largest; None where there is neither.

    Every aggressor counts with the largest value of its own window: where the nulls of two fall depends on lengths
    that nobody knows to a millimetre.
    """
    declared = link.spec.crosstalk_elsewhere
    least = _power(-declared.bound.value) if declared else 0.0
    most = _power(-declared.bound.value + (declared.bound.minus or 0.0)) if declared else 0.0
    if not aggressors and not declared:
        return None

    def at(centre: int) -> tuple[float, float, float, float, float]:
        value, low, high, doubtful = 0.0, 0.0, 0.0, 0.0
        for one in aggressors:
            peak = one.peaks[centre]
            off = math.hypot(peak.error, peak.spread)
            value += peak.power
            low += peak.power * _power(-off)
            high += peak.power * _power(off)
            doubtful += peak.power * _power(peak.error)
        return value, value + least, low + least, high + most, doubtful + least

    sums = [at(centre) for centre in range(len(_centres(link, aggressors)))]
    centre = max(range(len(sums)), key=lambda k: sums[k][0])
    lines, value, low, high, doubtful = sums[centre]
    return _Sum(
        value=_level(value),
        lo=_level(low),
        hi=_level(high),
        error=_level(doubtful) - _level(value),
        lines=_level(lines) if aggressors else None,
        centre=centre,
    )


def _power(level: float) -> float:
    """Power ratio of a level [dB]."""
    return float(10 ** (level / 10))


def _level(power: float) -> float:
    """Level of a power ratio [dB]."""
    return 10 * math.log10(power)


def _measured(
    link: BoardLink, aggressors: Sequence[_Aggressor], total: _Sum, shields: tuple[str, ...]
) -> Measured:
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
        derivation=partial(_steps, link, ranked, total),
    )


def _steps(link: BoardLink, aggressors: Sequence[_Aggressor], total: _Sum) -> Derivation:
    """The coupling of every neighbour, and how they add up."""
    declared = link.spec.crosstalk_elsewhere
    steps = []
    for one in aggressors:
        task, peak, name = one.coupled.task, one.peaks[total.centre], one.coupled.name
        at = show(task.centres[total.centre], "GHz", 4)
        steps += [
            Step(f"{name}: spacing", task.spacing, "mil", "the board file"),
            Step(f"{name}: coupled length", task.length, "in", "the board file"),
            Step(f"{name}: largest coupling around {at}", _level(peak.power), "dB", "coupled lines"),
            Step(f"{name}: model error (k = 2)", peak.error, "dB"),
            Step(f"{name}: spread by fabrication", peak.spread, "dB", "tolerances of dielectrics, traces, spacing"),
        ]
    if total.lines is not None:
        steps.append(Step("power sum of the lines", total.lines, "dB"))
    if declared:
        steps.append(Step("via field and connector, at most", -declared.bound.value, "dB", declared.source))
    steps.append(Step("power sum", total.value, "dB", "judged"))
    formulas = (
        "coupling = largest |S_dd| over f0 - v / (4 L) to f0 + v / (4 L), L the coupled length",
        "power sum = 10 log10 of the sum of |S|^2, each neighbour by the largest of its own window",
    )
    return Derivation(formulas, "multiconductor lines, matrices of the field solver", tuple(steps))


def _ratio(link: BoardLink, aggressors: Sequence[_Aggressor], loss: BoardLoss, shields: tuple[str, ...]) -> Measured:
    """Signal over the crosstalk of some aggressors and of the declared rest. [dB]"""
    total = _power_sum(link, aggressors)
    if total is None:
        raise AssertionError("there is a sum of some of them")
    crosstalk = _measured(link, aggressors, total, shields)
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
    )


def _offer(standard: Standard) -> Offer:
    """Smallest ratio of signal to crosstalk: the standard's at Nyquist, else that of its modulation."""
    for mask in standard.masks:
        for piece in mask.pieces if mask.quantity == "crosstalk-ratio" else ():
            if piece.start <= standard.nyquist <= piece.stop * (1 + 1e-9):
                x = standard.nyquist / 1e9
                least = (piece.constant + piece.root * math.sqrt(x) + piece.linear * x + piece.square * x**2
                         + piece.cube * x**3 + piece.decade * math.log10(x))
                return _at_least(least, standard.name, Source(mask.source, mask.provenance))
    source = Source("20 dB for NRZ, 30 dB for PAM4", "practice")
    return _at_least(RATIO.get(standard.modulation, max(RATIO.values())), standard.modulation, source)


def _at_least(least: float, whose: str, source: Source) -> Offer:
    return Offer(Limit(least, None, "dB", f">= {least:g} dB ({whose})"), source)
