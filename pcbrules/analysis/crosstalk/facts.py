# SPDX-License-Identifier: MIT
"""Crosstalk of every pair: power sum of what runs beside it, of its via field, and of what is declared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from pcbrules.analysis.channel.end_connectors import missing_text, with_connectors
from pcbrules.analysis.channel.facts import board_loss, prepare, solve_pair
from pcbrules.analysis.channel.task import ChannelResult
from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item, Planned, here_and_now
from pcbrules.analysis.crosstalk.derivation import derivation, ratio_steps
from pcbrules.analysis.crosstalk.limit import beyond_board, least_ratio
from pcbrules.analysis.crosstalk.neighbours import Coupled, Shielded, neighbours
from pcbrules.analysis.crosstalk.other_sources import OtherSources, ViaAggressor, other_sources, solved
from pcbrules.analysis.crosstalk.power_sum import Aggressor, PowerSum, Sources, centres, coupled, power_sum
from pcbrules.analysis.crosstalk.solve import CouplingResult, CouplingTask, solve_coupling
from pcbrules.analysis.crosstalk.spacing_cure import SpacingCure
from pcbrules.analysis.crosstalk.via_field_solve import ViaFieldResult, ViaFieldTask, solve_via_field
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.conditions import Conditions
from pcbrules.results.derivation import Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import BoardLoss, FarEndCrosstalk, NearEndCrosstalk, OpenLoss, PairCrosstalk
from pcbrules.results.measured import Basis, Measured, Undeclared
from pcbrules.ties import greatest_of, ordered
from pcbrules.units import show

PROVIDES = (NearEndCrosstalk, FarEndCrosstalk)

_UPPER_BOUND = "the loss of the path outside the common run is left out; the loss is that of the cold board"


@dataclass(frozen=True, slots=True)
class LinkTask:
    """All couplings of a link, of its traces and of its vias."""

    couplings: tuple[CouplingTask, ...]
    vias: tuple[ViaFieldTask, ...]


@dataclass(frozen=True, slots=True)
class LinkResult:
    """Results of a link, in the order of its task."""

    couplings: tuple[CouplingResult | Missing, ...]
    vias: tuple[ViaFieldResult | Missing, ...]


def solve_link(task: LinkTask) -> LinkResult:
    """Solve all couplings of a link."""
    vias = tuple(solve_via_field(one) for one in task.vias)
    return LinkResult(tuple(solve_coupling(one) for one in task.couplings), vias)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Near-end and far-end crosstalk of every differential link."""
    return per_link(
        board, PROVIDES, lambda link: _link(board, link, conditions.cold, conditions.hot), pairs=True, traced=True)


def of_link(board: Board, link: BoardLink, *, cold: float, hot: float) -> Iterator[PairCrosstalk | Gap]:
    """Crosstalk of one differential link at two board temperatures [degC], solved here and now."""
    yield from (one for one in here_and_now(_link(board, link, cold, hot)) if isinstance(one, PairCrosstalk | Gap))


def _link(board: Board, link: BoardLink, cold: float, hot: float) -> Iterator[Item]:
    found = list(neighbours(board, link, cold))
    unknown = next((one for one in found if isinstance(one, Missing)), None)
    if unknown is not None:
        yield from _gaps(board, link, unknown)
        return
    beside = [one for one in found if isinstance(one, Coupled)]
    shields = tuple(one.assumption for one in found if isinstance(one, Shielded))
    others = other_sources(board, link)
    channel = prepare(board, link, cold=cold, hot=hot)
    task = LinkTask(tuple(one.task for one in beside), tuple(one.task for one in others.vias))

    def with_loss(results: tuple[ChannelResult, float | None]) -> Iterator[Planned]:
        yield Planned(task, solve_link, partial(bind, board_loss(board, link, channel, results)))

    def bind(loss: BoardLoss | Missing, result: LinkResult) -> Iterator[PairCrosstalk | Gap]:
        aggressors = []
        for one, made in zip(beside, result.couplings, strict=True):
            if isinstance(made, Missing):
                yield from _gaps(board, link, Missing(f"{one.name}: {made.reason}", "", one.where))
                return
            aggressors.append(Aggressor(one, made))
        vias, unsolved = solved(others, result.vias)
        yield from _ends(board, link, _SolvedSources(tuple(aggressors), vias, others, unsolved, shields), loss)

    if channel.missing:
        yield Planned(task, solve_link, partial(bind, channel.missing[0]))
    else:
        yield Planned(channel.task, solve_pair, with_loss)


def _gaps(board: Board, link: BoardLink, unknown: Missing) -> Iterator[Gap]:
    return (link_gap(board, link, fact, unknown) for fact in PROVIDES)


@dataclass(frozen=True, slots=True)
class _SolvedSources:
    """What couples into a link, solved; why a pair beside its vias has no model; what is behind a plane."""

    lines: tuple[Aggressor, ...]
    vias: tuple[ViaAggressor, ...]
    others: OtherSources
    unsolved: str
    shields: tuple[str, ...]

    @property
    def rest(self) -> str:
        """What is neither computed nor bounded, empty if nothing."""
        return self.others.rest or ("" if self.others.covered else self.unsolved)

    @property
    def counted(self) -> Sources:
        """What adds up: a declared bound of the whole via field stands for its vias."""
        return Sources(self.lines, () if self.others.covered else self.vias, self.others.bounds)

    def louder(self, link: BoardLink, *, near: bool) -> str:
        """That vias and connectors one by one could couple more than is declared for both, if so."""
        if not self.others.covered:
            return ""
        total = power_sum(link, Sources((), self.vias, self.others.apart).at(near=near))
        if total is None or total.total.value <= self.others.bounds[0].level:
            return ""
        parts = [one.name for one in self.others.apart]
        parts += ["the via field without shielding by ground vias"] if total.vias is not None else []
        return f"{' and '.join(parts)} would couple {total.total.value:.1f} dB, more than is declared"


def _ends(
    board: Board, link: BoardLink, found: _SolvedSources, loss: BoardLoss | Missing
) -> Iterator[PairCrosstalk | Gap]:
    open_loss: OpenLoss | None = None
    if isinstance(loss, BoardLoss):
        loss, open_loss = with_connectors(board, link, loss)
    every = found.counted
    ends = {end: every.at(near=end == "near") for end in ("near", "far")}
    sums = {end: power_sum(link, mine) for end, mine in ends.items()}
    loud = greatest_of(ends, key=lambda end: coupled(sums[end]))
    once = tuple(one for one in every.lines if one in ends[loud].lines or not one.coupled.either)
    every = replace(every, lines=once)
    whole = power_sum(link, every)
    for fact, end in ((NearEndCrosstalk, "near"), (FarEndCrosstalk, "far")):
        mine, total = ends[end], sums[end]
        if total is None:
            yield _silent(board, link, fact, found, end)
            continue
        both = end == loud and len(mine.lines) + len(mine.vias) < len(every.lines) + len(every.vias)
        louder = found.louder(link, near=end == "near")
        remarks = *found.shields, louder
        ratio: Measured | None = None
        after: tuple[Step, ...] = ()
        counted, level = (every, whole) if both and whole is not None else (mine, total)
        if isinstance(loss, BoardLoss):
            ratio, after = _ratio(link, counted, level, loss, open_loss, remarks, both_ends=both)
        crosstalk = _measured(link, mine, total, remarks, judged=True, ratio=after)
        declared = found.others.bounds
        yield fact(
            subject=link.subject,
            where=crosstalk.reads[0],
            tags=board.link_tags(link),
            offers={"ratio": least_ratio(link.standard)},
            end=end,
            crosstalk=crosstalk,
            lines=total.lines,
            neighbours=len(mine.lines),
            vias=total.vias,
            via_neighbours=len(mine.vias),
            bound=total.declared,
            bound_of=" and ".join(one.name for one in declared),
            rest=found.rest,
            louder=louder,
            loudest=total.loudest,
            frequency=centres(link, mine)[total.centre],
            ratio=ratio,
            ratio_gap=f"the loss of the signal is not known: {missing_text(loss)}" if isinstance(loss, Missing) else "",
            ratio_rest=beyond_board(link),
            both_ends=both,
            loss=loss.loss.value if isinstance(loss, BoardLoss) else None,
            resonance=loss.resonance if isinstance(loss, BoardLoss) else None,
            connectors=open_loss,
            at_most=_at_most(counted),
            rest_key=found.others.key if found.rest else "",
            spacing=SpacingCure(link, mine, total, partial(_measured, link, remarks=remarks, judged=True, ratio=())),
            ratio_spacing=SpacingCure(link, counted, level, partial(
                _ratio_alone, link, loss, open_loss, remarks)) if isinstance(loss, BoardLoss) else None,
        )


def _at_most(sources: Sources) -> str:
    """Why what some sources couple is an upper end; empty if it is none."""
    names = [one.coupled.name for one in sources.lines if one.coupled.at_most]
    if not names:
        return ""
    return (f"ground that lies beside one of the two traces only is left out ({', '.join(names)}): with it they couple "
            "less, give `coplanar` of both")


def _silent(board: Board, link: BoardLink, fact: type, found: _SolvedSources, end: str) -> Gap:
    """An end at which nothing counts: not evaluated unless all was looked at."""
    way = "opposite" if end == "near" else "same"
    where = (*link.traces()[0][0].path, "neighbours")
    if found.rest:
        rest = Missing(f"no neighbour in the {way} direction; {found.rest}", found.others.key, where)
        return link_gap(board, link, fact, rest)
    none = Missing(f"no neighbour in the {way} direction, of traces or of vias", "", where)
    return link_gap(board, link, fact, none, applicable=False)


def _measured(
    link: BoardLink, sources: Sources, total: PowerSum, remarks: tuple[str, ...],
    *, judged: bool, ratio: tuple[Step, ...],
) -> Measured:
    """The power sum as a number; its derivation goes on to the ratio, which is judged where the sum is not."""
    ranked = Sources(
        tuple(ordered(sources.lines, key=lambda one: -one.peaks[total.centre].power)),
        tuple(ordered(sources.vias, key=lambda one: -one.result.power[total.centre])),
        tuple(ordered(sources.bounds, key=lambda one: -one.level)),
    )
    reads: dict[str, list[Path]] = {
        "lines": [path for one in ranked.lines for path in one.coupled.reads],
        "vias": [path for beside in ranked.vias for path in beside.coupled.reads],
        "declared": [bound.path for bound in ranked.bounds],
    }
    order = ordered(reads, key=lambda name: name != total.loudest)
    assumptions = [text for one in ranked.lines for text in one.coupled.assumptions]
    assumptions += [text for beside in ranked.vias for text in beside.coupled.assumptions]
    if ranked.lines:
        assumptions.append(_UPPER_BOUND)
    for bound in ranked.bounds:
        assumptions.append(f"{bound.name} at most {show(bound.level, 'dB')}, declared ({bound.source})")
    basis: Basis = "declared" if total.loudest == "declared" else "computed"
    models = {"coupled lines from the field solver": ranked.lines, "bound of the waves between barrels": ranked.vias,
              "declared bound": ranked.bounds}
    return Measured(
        value=total.total.value,
        lo=total.total.lo,
        hi=total.total.hi,
        error=total.error,
        model="power sum of " + " and ".join(name for name, some in models.items() if some),
        basis=basis,
        reads=tuple(dict.fromkeys(path for name in order for path in reads[name])),
        assumptions=tuple(dict.fromkeys(text for text in (*assumptions, *remarks) if text)),
        derivation=partial(derivation, ranked, total, judged=judged, ratio=ratio),
    )


def _ratio(
    link: BoardLink, sources: Sources, total: PowerSum, loss: BoardLoss, open_loss: OpenLoss | None,
    remarks: tuple[str, ...], *, both_ends: bool
) -> tuple[Measured, tuple[Step, ...]]:
    """Signal over the crosstalk of some sources [dB]; its steps where the sum is judged.

    Connectors of unknown loss take between nothing and the most that they may: the ratio is the lower end.
    """
    most = open_loss.most if open_loss else 0.0
    assumed = [f"{open_loss.names}: 0 to {most:.1f} dB at Nyquist ({open_loss.share})"] if open_loss else []
    steps = ratio_steps(total, loss, most, both_ends=both_ends, judged=True)
    crosstalk = _measured(link, sources, total, remarks, judged=False, ratio=steps)
    best = -crosstalk.value - loss.loss.value
    value = best - most
    lacks = loss.loss.undeclared
    keys = (*(open_loss.keys[:1] if open_loss else ()), *((lacks.key,) if lacks else ()))
    grown = lacks.hi - loss.loss.value if lacks else 0.0
    return Measured(
        value=value,
        lo=value - math.hypot(crosstalk.hi - crosstalk.value, loss.loss.hi - loss.loss.value),
        hi=best + math.hypot(crosstalk.value - crosstalk.lo, loss.loss.value - loss.loss.lo),
        error=math.hypot(crosstalk.error, loss.loss.error),
        model=f"loss by {loss.loss.model}; {crosstalk.model}",
        basis="assumed" if open_loss else crosstalk.basis,
        reads=tuple(dict.fromkeys((*crosstalk.reads, *loss.loss.reads))),
        assumptions=tuple(dict.fromkeys((*crosstalk.assumptions, *loss.loss.assumptions, *assumed))),
        derivation=crosstalk.derivation,
        undeclared=Undeclared(key="`, `".join(keys), lo=value - grown, hi=best) if keys else None,
    ), ratio_steps(total, loss, most, both_ends=both_ends, judged=False)


def _ratio_alone(
    link: BoardLink, loss: BoardLoss, open_loss: OpenLoss | None, remarks: tuple[str, ...], sources: Sources,
    total: PowerSum,
) -> Measured:
    """Signal over the crosstalk of other sources, without its steps. [dB]"""
    return _ratio(link, sources, total, loss, open_loss, remarks, both_ends=False)[0]
