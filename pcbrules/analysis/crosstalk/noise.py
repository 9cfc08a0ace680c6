# SPDX-License-Identifier: MIT
"""Integrated crosstalk noise of every link whose standard says by which amplitudes and filters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from pcbrules.analysis.channel.facts import Prepared, board_loss, prepare, solve_pair
from pcbrules.analysis.channel.insertion_loss_deviation import filter_steps, filters_of
from pcbrules.analysis.channel.loss_budget import channel_budget
from pcbrules.analysis.channel.masks import is_whole
from pcbrules.analysis.channel.task import ChannelResult, Filters
from pcbrules.analysis.common.every_link import link_gap, no_trace, not_a_pair
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.crosstalk.derivation import VIAS, inputs, via_inputs
from pcbrules.analysis.crosstalk.neighbours import Coupled, Shielded, neighbours
from pcbrules.analysis.crosstalk.noise_limit import noise_limit, with_spread_of_limit
from pcbrules.analysis.crosstalk.noise_solve import Noise, NoiseResult, NoiseTask, solve_noise
from pcbrules.analysis.crosstalk.other_sources import OtherSources, other_sources
from pcbrules.analysis.crosstalk.power_sum import SHIELDED, power
from pcbrules.analysis.crosstalk.via_field import ViaCoupled
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.systems import NoiseTerms
from pcbrules.model.conditions import Conditions
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.channel import CrosstalkNoise
from pcbrules.results.measured import Measured
from pcbrules.ties import greatest_of, ordered
from pcbrules.units import show

PROVIDES = (CrosstalkNoise,)

NOT_ITS = {"margin": "", "fom_ild": ""}
"""Limits of the rule that are for the loss."""

_UPPER_BOUND = "the loss of the path outside the common run is left out"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Crosstalk noise of every differential link with amplitudes to compute it from."""
    for link in board.links or ():
        noise, filters = link.standard.noise, filters_of(link.standard)
        if noise is not None and filters is not None and not not_a_pair(board, link, PROVIDES):
            yield from _link(board, link, noise, filters, conditions)


def _link(board: Board, link: BoardLink, noise: NoiseTerms, filters: Filters, conditions: Conditions) -> Iterator[Item]:
    if not link.traces():
        yield _gap(board, link, no_trace(link))
        return
    found = list(neighbours(board, link, conditions.cold))
    unknown = next((one for one in found if isinstance(one, Missing)), None)
    if unknown is not None:
        yield _gap(board, link, unknown)
        return
    channel = prepare(board, link, cold=conditions.cold, hot=conditions.hot) if link.standard.noise_limit else None
    others = other_sources(board, link)
    sources = _NoiseSources(
        tuple(one for one in found if isinstance(one, Coupled)), () if others.covered else others.vias, others,
        tuple(one.assumption for one in found if isinstance(one, Shielded)))
    if not (sources.lines or sources.vias or others.bounds):
        yield _nothing(board, link, others)
        return
    task = NoiseTask(
        couplings=tuple(one.task for one in sources.lines),
        near=tuple(one.near_end for one in sources.lines),
        peaks=tuple(noise.near if one.near_end else noise.far for one in sources.lines),
        vias=tuple(beside.task for beside in sources.vias),
        via_peaks=tuple(noise.near if beside.near_end else noise.far for beside in sources.vias),
        amplitude=max(noise.near, noise.far),
        symbol_rate=link.standard.symbol_rate,
        filters=filters,
    )
    bind = partial(_bound, board, link, noise, sources)
    if channel is None or channel.missing:
        unknown_loss = channel.missing[0].reason if channel else ""
        yield Planned(task, solve_noise, partial(bind, None, unknown_loss))
    else:
        yield Planned(channel.task, solve_pair, partial(_with_loss, board, link, channel, task, bind))


def _nothing(board: Board, link: BoardLink, others: OtherSources) -> Gap:
    """The gap of a link without a neighbour that counts: not applicable where all is declared."""
    where = (*link.traces()[0][0].path, "neighbours")
    if others.rest:
        return _gap(board, link, Missing(f"no neighbour counts, and {others.rest}", others.key, where))
    none = _gap(board, link, Missing("no neighbour counts, of traces or of vias", "", where))
    return replace(none, applicable=False)


def _with_loss(
    board: Board, link: BoardLink, channel: Prepared, task: NoiseTask,
    bind: Callable[[Measured | None, str, NoiseResult], Iterator[Item]], results: tuple[ChannelResult, float | None],
) -> Iterator[Planned]:
    """Noise, with the loss of the signal's channel, of which its limit is made."""
    lost = board_loss(board, link, channel, results)
    known = (None, lost.reason) if isinstance(lost, Missing) else (lost.loss, "")
    yield Planned(task, solve_noise, partial(bind, *known))


@dataclass(frozen=True, slots=True)
class _NoiseSources:
    """What couples into a link: beside its traces, beside its vias, what is declared; what is behind a plane."""

    lines: tuple[Coupled, ...]
    vias: tuple[ViaCoupled, ...]
    others: OtherSources
    shields: tuple[str, ...]


def _gap(board: Board, link: BoardLink, unknown: Missing) -> Gap:
    gap = link_gap(board, link, CrosstalkNoise, unknown, subject=_subject(link))
    return replace(gap, exempt={**NOT_ITS, **_unpublished(link)})


def _subject(link: BoardLink) -> str:
    return f"{link.subject}.icn"


def _unpublished(link: BoardLink, found: str = "") -> dict[str, str]:
    """That nobody has published a limit, if so, with what was ``found`` instead."""
    if link.standard.noise_limit is not None:
        return {}
    return {"icn": f"{link.standard.name} has no public limit of integrated crosstalk noise{found}"}


@dataclass(frozen=True, slots=True)
class _Sum:
    """Squares of the noise [V^2]: of lines at either end, of vias, declared, of all; and half its model error [V]."""

    near: float
    far: float
    vias: float
    declared: float
    total: Interval
    error: float

    @property
    def loudest(self) -> str:
        """The larger part: ``lines``, ``vias`` or ``declared``."""
        parts = {"lines": self.near + self.far, "vias": self.vias, "declared": self.declared}
        return greatest_of(parts, key=parts.__getitem__)


@dataclass(frozen=True, slots=True)
class _Solved:
    """What was found with its noise, and that of crosstalk of 0 dB at all frequencies [V rms]."""

    lines: tuple[tuple[Coupled, Noise], ...]
    vias: tuple[tuple[ViaCoupled, Noise], ...]
    found: _NoiseSources
    flat: float
    rest: str


def _bound(
    board: Board, link: BoardLink, noise: NoiseTerms, found: _NoiseSources, loss: Measured | None, unknown: str,
    result: NoiseResult,
) -> Iterator[CrosstalkNoise | Gap]:
    lines: list[tuple[Coupled, Noise]] = []
    for one, part in zip(found.lines, result.parts, strict=True):
        if isinstance(part, Missing):
            yield _gap(board, link, Missing(f"{one.name}: {part.reason}", "", one.where))
            return
        lines.append((one, part))
    vias: list[tuple[ViaCoupled, Noise]] = []
    rest = found.others.rest
    for beside, noise_of in zip(found.vias, result.vias, strict=True):
        if isinstance(noise_of, Missing):
            rest = rest or f"that of the via field is not bounded: {beside.name}: {noise_of.reason}"
        else:
            vias.append((beside, noise_of))
    solved = _Solved(
        tuple(ordered(lines, key=lambda both: -both[1].voltage)),
        tuple(ordered(vias, key=lambda both: -both[1].voltage)),
        found, result.flat, rest,
    )
    total = _summed(solved)
    icn = _measured(link, noise, solved, total)
    offers, offer_gaps = noise_limit(link, loss, unknown)
    if loss is not None:
        icn = with_spread_of_limit(icn, link, loss)
    partly = ", what is known alone" if vias or found.others.bounds else ", lines alone"
    shown = f" ({show(icn.value, 'mV', 3)} rms{partly if rest else ''})"
    yield CrosstalkNoise(
        subject=_subject(link),
        where=icn.reads[0],
        tags=board.link_tags(link),
        offers=offers,
        offer_gaps=offer_gaps,
        exempt={**NOT_ITS, **_unpublished(link, shown)},
        icn=icn,
        near=math.sqrt(total.near),
        far=math.sqrt(total.far),
        neighbours=len(lines),
        vias=math.sqrt(total.vias),
        via_neighbours=len(vias),
        loudest=total.loudest,
        rest=rest,
        whole=is_whole(link, channel_budget(board, link)[0]),
        loss=None if loss is None else loss.value,
    )


def _summed(solved: _Solved) -> _Sum:
    bounds = solved.found.others.bounds
    least = solved.flat**2 * sum(power(one.level) for one in bounds)
    most = solved.flat**2 * sum(power(one.most) for one in bounds)
    near, far, beside, low, high, doubtful = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for one, part in solved.lines:
        square, off = part.voltage**2, math.hypot(part.error, part.spread)
        near += square if one.near_end else 0.0
        far += 0.0 if one.near_end else square
        low += square * power(-off)
        high += square * power(off)
        doubtful += square * power(part.error)
    for _, part in solved.vias:
        square = part.voltage**2
        beside += square
        low += square * power(-SHIELDED)
        high += square * power(math.hypot(part.error, part.spread))
        doubtful += square * power(part.error)
    value = near + far + beside + least
    error = math.sqrt(doubtful + least) - math.sqrt(value)
    return _Sum(near, far, beside, least, Interval(lo=low + least, value=value, hi=high + most), error)


def _measured(link: BoardLink, noise: NoiseTerms, solved: _Solved, total: _Sum) -> Measured:
    bounds = solved.found.others.bounds
    reads: dict[str, list[Path]] = {
        "lines": [path for one, _ in solved.lines for path in one.reads],
        "vias": [path for beside, _ in solved.vias for path in beside.reads],
        "declared": [bound.path for bound in bounds],
    }
    order = ordered(reads, key=lambda name: name != total.loudest)
    assumptions = [text for one, _ in solved.lines for text in one.assumptions]
    assumptions += [text for beside, _ in solved.vias for text in beside.assumptions]
    assumptions += [_UPPER_BOUND] if solved.lines else []
    assumptions += [
        f"{bound.name} {show(bound.level, 'dB')} at most over the whole band, as declared ({bound.source})"
        for bound in bounds
    ]
    if noise.rise is None:
        assumptions.append("no public rise time: the edges of the aggressors are taken as steps")
    models = {"coupled lines from the field solver": solved.lines, "bound of the waves between barrels": solved.vias,
              "declared bound": bounds}
    return Measured(
        value=math.sqrt(total.total.value),
        lo=math.sqrt(total.total.lo),
        hi=math.sqrt(total.total.hi),
        error=total.error,
        model="noise of " + " and ".join(name for name, some in models.items() if some),
        basis="declared" if total.loudest == "declared" else "computed",
        reads=tuple(dict.fromkeys(path for name in order for path in reads[name])),
        assumptions=tuple(dict.fromkeys([*assumptions, *solved.found.shields])),
        derivation=partial(_steps, link, noise, solved, total),
    )


def _steps(link: BoardLink, noise: NoiseTerms, solved: _Solved, total: _Sum) -> Derivation:
    steps = [
        *filter_steps(link.standard),
        Step("peak of a near-end aggressor", noise.near, "mV", noise.source),
        Step("peak of a far-end aggressor", noise.far, "mV", noise.source),
    ]
    for one, part in solved.lines:
        end = "near" if one.near_end else "far"
        steps += [
            *inputs(one.name, one.task),
            Step(f"{one.name}: noise at the {end} end", part.voltage, "mV", "coupled lines over the band"),
            Step(f"{one.name}: model error (k = 2)", part.error, "dB"),
            Step(f"{one.name}: spread by fabrication", part.spread, "dB", "tolerances of dielectrics, traces, spacing"),
        ]
    steps += [
        Step("near ends together", math.sqrt(total.near), "mV"),
        Step("far ends together", math.sqrt(total.far), "mV"),
    ]
    for beside, part in solved.vias:
        steps += [
            *via_inputs(beside.name, beside.task),
            Step(f"{beside.name}: noise of the vias, at most", part.voltage, "mV", "waves between barrels"),
            Step(f"{beside.name}: model error (k = 2)", part.error, "dB"),
        ]
    steps += [
        Step(f"{bound.name}, at most", solved.flat * math.sqrt(power(bound.level)), "mV",
             f"declared, not computed: {bound.source}")
        for bound in solved.found.others.bounds
    ]
    steps.append(Step("integrated crosstalk noise", math.sqrt(total.total.value), "mV", "judged where a limit is set"))
    formulas = (
        "ICN^2 = sum over the aggressors of 2 A^2 / fb times the integral of W(f) |S_dd(f)|^2 df, A the peak",
        "W(f) = sinc^2(f / fb) / ((1 + (f / ft)^4) (1 + (f / fr)^8)), 50 MHz to 1.5 times Nyquist",
        *((VIAS,) if solved.vias else ()),
    )
    return Derivation(formulas, "IEEE Std 802.3 eq. (92-46), (92-47), (93A-57)", tuple(steps))
