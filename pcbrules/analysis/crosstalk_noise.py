# SPDX-License-Identifier: MIT
"""Integrated crosstalk noise of every link whose standard says by which amplitudes and filters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pcbrules.analysis.channel import Prepared, board_loss, prepare
from pcbrules.analysis.channel_budget import channel_budget
from pcbrules.analysis.channel_deviation import filter_steps, filters_of
from pcbrules.analysis.channel_masks import is_whole
from pcbrules.analysis.crosstalk_neighbours import Coupled, Shielded, Unknown, neighbours
from pcbrules.analysis.crosstalk_noise_solve import Noise, NoiseResult, NoiseTask, solve_noise
from pcbrules.analysis.crosstalk_steps import inputs
from pcbrules.analysis.crosstalk_sum import power
from pcbrules.analysis.line_types import Unsupported
from pcbrules.analysis.no_links import not_a_pair
from pcbrules.analysis.plan import Item, Planned
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.systems import NoiseTerms
from pcbrules.model.conditions import Conditions
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.channel import CrosstalkNoise
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (CrosstalkNoise,)

NOT_ITS = {"margin": "", "fom_ild": ""}
"""Limits of the rule that are for the loss."""

_UPPER_BOUND = "what the path loses before and after the common run is left out"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Crosstalk noise of every differential link with amplitudes to compute it from."""
    for link in board.links or ():
        noise = link.standard.noise
        if noise is not None and not list(not_a_pair(board, link, *PROVIDES)):
            yield from _link(board, link, noise, conditions)


def _link(board: Board, link: BoardLink, noise: NoiseTerms, conditions: Conditions) -> Iterator[Item]:
    filters = filters_of(link.standard)
    if filters is None:
        raise AssertionError("amplitudes come with filters")
    if not link.traces():
        nothing = Unknown("no trace of this link is described", f"links.{link.name}.path[].trace", link.path)
        yield _gap(board, link, nothing)
        return
    found = list(neighbours(board, link, conditions.cold))
    unknown = next((one for one in found if isinstance(one, Unknown)), None)
    if unknown is not None:
        yield _gap(board, link, unknown)
        return
    coupled = [one for one in found if isinstance(one, Coupled)]
    shields = tuple(one.assumption for one in found if isinstance(one, Shielded))
    channel = prepare(board, link, cold=conditions.cold, hot=conditions.hot) if link.standard.noise_limit else None
    task = NoiseTask(
        couplings=tuple(one.task for one in coupled),
        near=tuple(one.near_end for one in coupled),
        peaks=tuple(noise.near if one.near_end else noise.far for one in coupled),
        amplitude=max(noise.near, noise.far),
        symbol_rate=link.standard.symbol_rate,
        filters=filters,
        channel=None if channel is None or channel.missing else channel.task,
    )
    if not coupled and link.spec.crosstalk_elsewhere is None:
        reason = "no neighbour counts, and the crosstalk of via field and connector is neither computed nor bounded"
        where = (*link.traces()[0][0].path, "neighbours")
        yield _gap(board, link, Unknown(reason, f"links.{link.name}.crosstalk_elsewhere", where))
        return
    yield Planned(task, solve_noise, partial(_bound, board, link, noise, coupled, shields, channel))


def _gap(board: Board, link: BoardLink, unknown: Unknown) -> Gap:
    return Gap(fact=CrosstalkNoise, subject=_subject(link), where=unknown.where, tags=board.link_tags(link),
               reason=unknown.reason, key=unknown.key, exempt={**NOT_ITS, **_unpublished(link)})


def _subject(link: BoardLink) -> str:
    return f"{link.subject}.icn"


def _unpublished(link: BoardLink, found: str = "") -> dict[str, str]:
    """That nobody has published a limit, if so, with what was ``found`` instead."""
    if link.standard.noise_limit is not None:
        return {}
    return {"icn": f"{link.standard.name} has no public limit of integrated crosstalk noise{found}"}


@dataclass(frozen=True, slots=True)
class _Sum:
    """Squares of the noise [V^2]: of either end, of all with its interval, and half its model error [V]."""

    near: float
    far: float
    value: float
    lo: float
    hi: float
    error: float


def _bound(
    board: Board, link: BoardLink, noise: NoiseTerms, coupled: Sequence[Coupled], shields: tuple[str, ...],
    channel: Prepared | None, result: NoiseResult,
) -> Iterator[CrosstalkNoise | Gap]:
    parts: list[Noise] = []
    for one, part in zip(coupled, result.parts, strict=True):
        if isinstance(part, Unsupported):
            yield _gap(board, link, Unknown(f"{one.name}: {part.reason}", "", one.where))
            return
        parts.append(part)
    total = _summed(link, coupled, parts, result.flat)
    icn = _measured(link, noise, coupled, parts, total, result.flat, shields)
    loss: float | None = None
    unknown = ""
    if channel is not None:
        unknown = channel.missing[0].reason if channel.missing else ""
        if result.channel is not None:
            lost = board_loss(board, link, channel, result.channel)
            loss, unknown = (None, lost.reason) if isinstance(lost, Gap) else (lost.loss.value, "")
    offers, offer_gaps = _offers(link, loss, unknown)
    elsewhere = f"links.{link.name}.crosstalk_elsewhere"
    declared = link.spec.crosstalk_elsewhere is not None
    found = f" ({show(icn.value, 'mV', 3)} rms{'' if declared else ', lines alone'})"
    yield CrosstalkNoise(
        subject=_subject(link),
        where=icn.reads[0],
        tags=board.link_tags(link),
        offers=offers,
        offer_gaps=offer_gaps,
        exempt={**NOT_ITS, **_unpublished(link, found)},
        icn=icn,
        near=math.sqrt(total.near),
        far=math.sqrt(total.far),
        neighbours=len(coupled),
        rest="" if declared else f"that of via field and connector is neither computed nor bounded: give `{elsewhere}`",
        whole=is_whole(link, channel_budget(board, link)[0]),
        loss=loss,
    )


def _summed(link: BoardLink, coupled: Sequence[Coupled], parts: Sequence[Noise], flat: float) -> _Sum:
    declared = link.spec.crosstalk_elsewhere
    least = flat**2 * power(-declared.bound.value) if declared else 0.0
    most = flat**2 * power(-declared.bound.value + (declared.bound.minus or 0.0)) if declared else 0.0
    near, far, low, high, doubtful = 0.0, 0.0, 0.0, 0.0, 0.0
    for one, part in zip(coupled, parts, strict=True):
        square, off = part.voltage**2, math.hypot(part.error, part.spread)
        near += square if one.near_end else 0.0
        far += 0.0 if one.near_end else square
        low += square * power(-off)
        high += square * power(off)
        doubtful += square * power(part.error)
    value = near + far + least
    error = math.sqrt(doubtful + least) - math.sqrt(value)
    return _Sum(near, far, value, low + least, high + most, error)


def _measured(
    link: BoardLink, noise: NoiseTerms, coupled: Sequence[Coupled], parts: Sequence[Noise], total: _Sum, flat: float,
    shields: tuple[str, ...],
) -> Measured:
    declared = link.spec.crosstalk_elsewhere
    ranked = sorted(zip(coupled, parts, strict=True), key=lambda both: -both[1].voltage)
    of_lines = [path for one, _ in ranked for path in one.reads]
    of_rest: list[Path] = [(*link.path, "crosstalk_elsewhere", "bound")] if declared else []
    decides = total.near + total.far < total.value / 2
    assumptions = [text for one, _ in ranked for text in one.assumptions]
    assumptions += [_UPPER_BOUND] if ranked else []
    if declared:
        bound = show(-declared.bound.value, "dB")
        assumptions.append(f"via field and connector {bound} at most over the whole band, as declared "
                           f"({declared.source})")
    if noise.rise is None:
        assumptions.append("no public rise time: the edges of the aggressors are taken as steps")
    models = (["coupled lines from the field solver"] if ranked else []) + (["declared bound"] if declared else [])
    return Measured(
        value=math.sqrt(total.value),
        lo=math.sqrt(total.lo),
        hi=math.sqrt(total.hi),
        error=total.error,
        model="noise of " + " and ".join(models),
        basis="declared" if decides else "computed",
        reads=tuple(dict.fromkeys(of_rest + of_lines if decides else of_lines + of_rest)),
        assumptions=tuple(dict.fromkeys([*assumptions, *shields])),
        derivation=partial(_steps, link, noise, ranked, total, flat),
    )


def _steps(
    link: BoardLink, noise: NoiseTerms, ranked: Sequence[tuple[Coupled, Noise]], total: _Sum, flat: float
) -> Derivation:
    declared = link.spec.crosstalk_elsewhere
    steps = [
        *filter_steps(link.standard),
        Step("peak of a near-end aggressor", noise.near, "mV", noise.source),
        Step("peak of a far-end aggressor", noise.far, "mV", noise.source),
    ]
    for one, part in ranked:
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
    if declared:
        steps.append(Step("via field and connector, at most", flat * math.sqrt(power(-declared.bound.value)), "mV",
                          f"declared, not computed: {declared.source}"))
    steps.append(Step("integrated crosstalk noise", math.sqrt(total.value), "mV", "judged where a limit is set"))
    formulas = (
        "ICN^2 = sum over the aggressors of 2 A^2 / fb times the integral of W(f) |S_dd(f)|^2 df, A the peak",
        "W(f) = sinc^2(f / fb) / ((1 + (f / ft)^4) (1 + (f / fr)^8)), 50 MHz to 1.5 times Nyquist",
    )
    return Derivation(formulas, "IEEE Std 802.3 eq. (92-46), (92-47), (93A-57)", tuple(steps))


def _offers(link: BoardLink, loss: float | None, unknown: str) -> tuple[dict[str, Offer], dict[str, str]]:
    """The limit for a loss of the signal [dB], or why there is none."""
    limit = link.standard.noise_limit
    if limit is None:
        return {}, {}
    if loss is None:
        return {}, {"icn": f"the limit goes by the loss of the signal, which is not known: {unknown}"}
    piece = next((one for one in limit.pieces if one.start <= loss <= one.stop), None)
    if piece is None:
        ends = f"{min(one.start for one in limit.pieces):g} to {max(one.stop for one in limit.pieces):g} dB"
        return {}, {"icn": f"the limit is set for {ends} of loss; the signal loses {loss:.1f} dB"}
    most = piece.constant + piece.slope * loss
    standing = "normative" if limit.normative else "informative"
    text = f"<= {1e3 * most:.3g} mV ({limit.planes}, {standing})"
    return {"icn": Offer(Limit(None, most, "mV", text), Source(limit.source, limit.provenance))}, {}
