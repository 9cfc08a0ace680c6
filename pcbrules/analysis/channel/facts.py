# SPDX-License-Identifier: MIT
"""The board's part of every channel: its loss at Nyquist, and the stubs of its vias in band."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from pcbrules.analysis.channel import copper_doubt
from pcbrules.analysis.channel.elements import Part, at_temperature, figures_of_class, parts
from pcbrules.analysis.channel.insertion_loss_deviation import filters_of
from pcbrules.analysis.channel.loss_budget import channel_budget, open_part
from pcbrules.analysis.channel.mask_margins import LOT_SPREAD
from pcbrules.analysis.channel.masks import (
    TO_MODULE,
    WHOLE,
    leaves_board,
    mask_specs,
    masked,
    no_masks,
    reaches_module,
    unknown_masks,
)
from pcbrules.analysis.channel.site import Site
from pcbrules.analysis.channel.solve import mean_loss, solve_channel
from pcbrules.analysis.channel.stub_loss import notches
from pcbrules.analysis.channel.task import ChannelResult, ChannelSolution, ChannelTask, LineSpec
from pcbrules.analysis.channel.tdr import impedance_profile
from pcbrules.analysis.common.every_link import link_gap, missing_via, no_trace, per_link
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.common.reference_impedance import no_reference, reference_impedance
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.brief import brief
from pcbrules.constants import INCH
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import LossBudget
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Stretch, Trace, Via
from pcbrules.phrases import under
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.edits import Proposal
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.channel import LossDeviation, LossMask, ReturnLoss
from pcbrules.results.facts.signal import BoardLoss, StubNotch
from pcbrules.results.facts.tdr import ImpedanceProfile
from pcbrules.results.measured import Measured, Undeclared, spread
from pcbrules.results.rule import Offer
from pcbrules.solver_cache import solved_once
from pcbrules.ties import greatest_of

PROVIDES = (BoardLoss, StubNotch, LossMask, LossDeviation, ReturnLoss, ImpedanceProfile)

_SOURCES = {
    "conductor": "skin effect in smooth copper",
    "roughness": "roughness of the copper faces",
    "dielectric": "loss tangents, weighted by the field",
    "barrel": "via without stubs",
    "stubs": "loaded open lines",
    "declared": "the board file, or the library's default",
    "table": "the Touchstone file, between matched lines",
    "steps": "steps of impedance at its ends, in its place",
    "skew": "what turns into the common mode, as the legs differ",
    "reflections": "what is left over",
}
"""Where each part of a channel's loss comes from."""


@dataclass(frozen=True, slots=True)
class PairTask:
    """A channel hot and cold."""

    hot: ChannelTask
    cold: ChannelTask

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Prepared:
    """The board's part of a link's channel, ready to be solved hot and cold.

    ``kept`` are its elements, ``missing`` those that could not be made; ``offers`` and ``offer_gaps`` are the limit of
    its loss or why there is none. ``site`` is the link with its elements, hot.
    """

    budget: LossBudget | None
    offers: dict[str, Offer]
    offer_gaps: dict[str, str]
    kept: list[Part]
    missing: list[Missing]
    task: PairTask
    site: Site

    __repr__ = brief


@once_a_board
def prepare(board: Board, link: BoardLink, *, cold: float, hot: float, probed: bool = False) -> Prepared:
    """The elements of a link between the planes of its budget, at two board temperatures [degC].

    ``probed``: a path that begins or ends on an inner layer is one that is measured there.
    """
    budget, offers, offer_gaps = channel_budget(board, link)
    found = list(parts(board, link, hot, budget, probed=probed))
    kept = [part for part in found if isinstance(part, Part)]
    colder = [at_temperature(board, link, part, cold) for part in kept]
    missing = [part for part in (*found, *colder) if isinstance(part, Missing)]
    task = PairTask(_task(link, kept), _task(link, [part for part in colder if isinstance(part, Part)]))
    return Prepared(budget, offers, offer_gaps, kept, missing, task, Site(link, tuple(kept), task.hot))


@solved_once
def solve_pair(task: PairTask) -> tuple[ChannelResult, float | None]:
    """Solve the channel hot, and its loss at Nyquist cold [dB]."""
    return solve_channel(task.hot), mean_loss(task.cold)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Loss of the board's part of every differential link, its masks, and the stubs of its vias."""
    return per_link(board, PROVIDES, partial(_link, board, conditions), pairs=True)


def _link(board: Board, conditions: Conditions, link: BoardLink) -> Iterator[Item]:
    yield from no_masks(board, link)
    if not link.described:
        yield link_gap(board, link, StubNotch, no_trace(link))
        yield from _lost(board, link, no_trace(link))
        return
    made = prepare(board, link, cold=conditions.cold, hot=conditions.hot)
    others = partial(_sites, board, link, cold=conditions.cold, hot=conditions.hot)
    if made.missing:
        yield from _lost(board, link, made.missing[0])
    yield from _lost_notches(board, link, made.missing)
    if not made.missing or any(isinstance(part.element, ViaSpec) for part in made.kept):
        yield Planned(made.task, solve_pair, partial(_bound, board, link, made, others))
    if not made.missing:
        yield impedance_profile(board, made.site, made.task.hot.z_ref, others)


def _sites(board: Board, link: BoardLink, *, cold: float, hot: float) -> Iterator[Site]:
    """The other links of a board that can be solved and have an impedance to be compared with."""
    for other in board.links or ():
        pair = other.standard.signalling != "single-ended"
        if other.name == link.name or not pair or no_reference(other) is not None or not other.traces():
            continue
        made = prepare(board, other, cold=cold, hot=hot)
        if not made.missing:
            yield made.site


def _lost(board: Board, link: BoardLink, missing: Missing) -> Iterator[Gap]:
    for fact in (BoardLoss, ImpedanceProfile):
        yield link_gap(board, link, fact, missing)
    yield from unknown_masks(board, link, missing)


def _lost_notches(board: Board, link: BoardLink, missing: list[Missing]) -> Iterator[Gap]:
    for name in (step.name for step in link.steps if isinstance(step.body, Stretch)):
        hidden = Missing(f"a stub inside {name} cannot be told from the rest of its file: the loss and the masks of "
                         "the channel hold its cost", "", link.path)
        yield link_gap(board, link, StubNotch, hidden, subject=f"{link.subject}.path{under(name)}")
    if not link.vias() and not any(isinstance(step.body, Stretch) for step in link.steps):
        cut_short = missing_via(board, link)
        none = Missing(cut_short or "the link changes no layer", f"links{under(link.name)}.path[].via", link.path)
        yield link_gap(board, link, StubNotch, none, applicable=cut_short is not None)
    lost_vias = [(step, lost) for lost in missing
                 if (step := link.step_at(lost.where)) is not None and isinstance(step.body, Via)]
    for step, lost in lost_vias:
        yield link_gap(board, link, StubNotch, lost, subject=f"{link.subject}.path{under(step.name)}")
    if lost_vias and len({step for step, _ in lost_vias}) == len(link.vias()):
        yield link_gap(board, link, StubNotch, lost_vias[0][1], subject=f"{link.subject}.stubs")


def _bound(
    board: Board, link: BoardLink, made: Prepared, others: Callable[[], Iterator[Site]],
    results: tuple[ChannelResult, float | None],
) -> Iterator[Item]:
    hot, nyquist = results[0], link.standard.nyquist
    if not made.missing:
        loss = board_loss(board, link, made, results)
        if isinstance(loss, Missing):
            yield link_gap(board, link, BoardLoss, loss)
            yield from unknown_masks(board, link, loss)
        else:
            yield loss
            if hot.through is not None and results[1] is not None:
                more = max(drifted(made, hot.through, results[1])) + copper_doubt.most(made.kept, hot.through, nyquist)
                yield from masked(board, made.site, made.budget, hot.through, hot.assumptions, others,
                                  more=more)
    yield from notches(board, link, made.kept, hot, made.missing, made.task.hot.z_ref)


def _task(link: BoardLink, kept: list[Part]) -> ChannelTask:
    elements = tuple(part.element for part in kept)
    standard = link.standard
    paired = standard.signalling == "differential"
    skews = tuple(replace(part.skew, element=place) for place, part in enumerate(kept) if part.skew and paired)
    z_ref, masks = reference_impedance(link), mask_specs(link)
    return ChannelTask(elements, z_ref, standard.nyquist, masks, filters_of(standard), skews)


def _routed(part: Part) -> float:
    """Length of a trace, by its model or its file; 0 of all else. [m]"""
    body = part.step.body
    if isinstance(part.element, LineSpec):
        return part.element.length
    return body.length.value if isinstance(body, Trace) else 0.0


def board_loss(
    board: Board, link: BoardLink, made: Prepared, results: tuple[ChannelResult, float | None]
) -> BoardLoss | Missing:
    """Loss of a solved channel with its limit, or which element has no model."""
    kept = made.kept
    hot, cold = results
    if hot.through is None or cold is None:
        place, reason = hot.unsupported[0]
        step = kept[place].step
        return Missing(f"{step.name}: {reason}", "", step.path)
    more = hot.through.stub_excess
    value = hot.through.over_phase.value + more.loss
    length = sum(map(_routed, kept))
    ledger: dict[str, float] = {}
    for row in hot.through.ledger:
        ledger[row.part] = ledger.get(row.part, 0.0) + row.loss
    if more.loss:
        part = "stubs" if more.frequency is None else "resonance"
        ledger[part] = ledger.get(part, 0.0) + more.loss
    reads = tuple(dict.fromkeys(path for part in kept for path in part.reads))
    assumptions = [text for part in kept for text in part.assumptions] + list(hot.assumptions)
    through = hot.through
    minus, plus = _spread(through, kept)
    down, up = through.via_error
    unsure = sum(row.loss * kept[row.element].u_df for row in through.ledger if row.part == "dielectric")
    warm, wet = drifted(made, through, cold)
    measured = spread(
        value, minus=math.hypot(through.line_error, unsure, down, minus),
        plus=math.hypot(through.line_error, unsure, up, plus), model="cascade of solved lines, via and lumped models",
        reads=reads, assumptions=tuple(dict.fromkeys(assumptions)), derivation=partial(_steps, made, through, cold),
    ).resting_on(figures_of_class(kept))
    copper = copper_doubt.most(kept, through, link.standard.nyquist)
    keys = dict.fromkeys([part.drift.key for part in kept if part.drift.key][:1] + copper_doubt.keys(kept))
    return BoardLoss(
        subject=link.subject,
        where=link.path,
        tags=board.link_tags(link),
        offers=made.offers,
        offer_gaps=made.offer_gaps,
        loss=replace(
            measured, hi=_grown(measured, max(warm, wet) + copper), error=math.hypot(through.error, unsure),
            undeclared=Undeclared(key="`, `".join(keys), lo=value, hi=value + warm + copper) if keys else None,
        ),
        cold=cold + more.loss,
        nyquist=link.standard.nyquist,
        resonance=more.frequency,
        length=length,
        ledger=tuple((name, loss) for name, loss in ledger.items() if abs(loss) >= 0.005),
        shorter=None if more.frequency else _shorter(kept, value + max(warm, wet) + copper, made.offers),
        partial=_partial(link, made),
        open_part=open_part(board, link),
    )


def _grown(loss: Measured, more: float) -> float:
    """The upper end of a loss that may be above its value by ``more`` [dB], with the spread of that. [dB]"""
    return loss.hi + more * (loss.hi / loss.value if loss.value > 0 else 1.0)


def _partial(link: BoardLink, made: Prepared) -> str:
    """What the budget holds beyond the board, where the path ends at a connector, or has none and needs one."""
    budget, limit = made.budget, made.offers["loss"].limit.high if "loss" in made.offers else None
    if budget is None or limit != budget.limit:
        return ""
    own = f"give `links{under(link.name)}.budget` for the board's part"
    if budget.name in WHOLE and leaves_board(link):
        return (f"the budget is that of the whole channel ({budget.planes}), and what lies beyond the connector is "
                f"unknown: {own}")
    if budget.name in TO_MODULE and not reaches_module(link):
        return f"the budget holds a connector and what follows it ({budget.planes}), which are not described: {own}"
    return ""


def drifted(made: Prepared, hot: ChannelSolution, cold: float) -> tuple[float, float]:
    """Most that the loss may be above its value hot [dB]: by temperature alone, and in humid air, cold or hot.

    ``cold`` is the loss of the cold board [dB], which holds more water than a warm one.
    """
    warm, humid, wet = 0.0, 0.0, cold - hot.over_phase.value
    for row in (row for row in hot.ledger if row.part == "dielectric"):
        spec, colder = (task.elements[row.element] for task in (made.task.hot, made.task.cold))
        if isinstance(spec, LineSpec) and isinstance(colder, LineSpec):
            drift = made.kept[row.element].drift
            warm += row.loss * drift.warm(spec.task.temperature)
            humid += row.loss * drift.more(spec.task.temperature)
            wet += row.loss * drift.more(colder.task.temperature)
    return warm, max(humid, wet)


def _steps(made: Prepared, hot: ChannelSolution, cold: float) -> Derivation:
    """Loss of every element by cause, and how they add up to the value that is judged."""
    kept = made.kept
    warm, wet = drifted(made, hot, cold)
    steps = []
    for row in hot.ledger:
        name = f"{kept[row.element].step.name}: {row.part}" if row.element >= 0 else row.part
        steps.append(Step(name, row.loss, "dB", _SOURCES[row.part]))
    minus, plus = _spread(hot, kept)
    narrow = copper_doubt.narrower(kept, hot)
    rough = copper_doubt.rougher(kept, made.task.hot.nyquist)
    steps += [Step("more in the copper of traces without `top_width`, upwards", narrow, "dB")] if narrow else []
    steps += [Step("more by the roughest foils of their classes where no roughness is given, upwards", rough, "dB",
                   "`rz_top`, `rz_bottom`")] if rough else []
    steps += [
        Step("mean over the phase of the reflections", hot.over_phase.value, "dB",
             "sum of these parts" if hot.stub_excess.loss else "sum of these parts; judged"),
        *_excess_steps(hot),
        Step("least over the phase of the reflections", hot.over_phase.lo, "dB"),
        Step("largest over the phase of the reflections", hot.over_phase.hi, "dB"),
        Step("at these lengths", hot.loss, "dB", "cascade of the elements"),
        Step("at these lengths, without stubs", hot.without_stubs, "dB"),
        Step("mean over phase, cold", cold, "dB"),
        Step("model error (k = 2) of the lines", hot.line_error, "dB", "cards of the models"),
        Step("model error (k = 2) of the vias, downwards", hot.via_error[0], "dB", "bounds of their stubs"),
        Step("model error (k = 2) of the vias, upwards", hot.via_error[1], "dB", "bounds of their stubs"),
        Step("spread of lot, phase and tolerances, downwards", minus, "dB", f"lot {LOT_SPREAD:.0%}: practice"),
        Step("spread of lot, phase and tolerances, upwards", plus, "dB"),
        Step("growth of Df with temperature that is not known, upwards", warm, "dB", "range of the resin: practice"),
        Step("the same with water in outer layers, upwards", max(warm, wet), "dB", "range of the resin: practice"),
    ]
    formulas = ("judged: the mean over the electrical lengths of the longest lines",
                "mean = matched losses of the lines + losses of what stands between them, each in its place")
    return Derivation(formulas, "networks cascaded by scikit-rf", tuple(steps))


def _excess_steps(hot: ChannelSolution) -> Iterator[Step]:
    """What stubs take beside the loss at Nyquist, if anything."""
    more = hot.stub_excess
    if more.frequency is not None:
        yield Step("frequency of the largest loss up to Nyquist", more.frequency, "GHz", "a stub resonates in band")
    if more.loss:
        why = "largest loss up to Nyquist less that at Nyquist" if more.frequency else "stubs that help count as none"
        yield Step("more by stubs", more.loss, "dB", why)
        yield Step("loss that is judged", hot.over_phase.value + more.loss, "dB", "judged")


def _spread(through: ChannelSolution, kept: list[Part]) -> tuple[float, float]:
    """Loss downwards and upwards [dB]: lot, phase of the reflections, stated tolerances; root of squares."""
    phase = through.over_phase
    minus = [LOT_SPREAD * phase.value, phase.value - phase.lo]
    plus = [LOT_SPREAD * phase.value, phase.hi - phase.value]
    for place, part in enumerate(kept):
        own = sum(row.loss for row in through.ledger if row.element == place)
        minus.append(own * part.tolerance[0])
        plus.append(own * part.tolerance[1])
    if through.conversion is not None:
        plus.append(through.conversion.tolerance)
    return math.hypot(*minus), math.hypot(*plus)


def _shorter(kept: list[Part], most: float, offers: dict[str, Offer]) -> Proposal | None:
    """A length of the longest trace that should bring the loss [dB], with its spread, inside the budget."""
    limit = offers["loss"].limit.high if "loss" in offers else None
    lines = [part for part in kept if isinstance(part.element, LineSpec)]
    if limit is None or not lines:
        return None
    longest = greatest_of(lines, key=lambda part: part.element.length if isinstance(part.element, LineSpec) else 0.0)
    if not isinstance(longest.element, LineSpec) or not isinstance(longest.step.body, Trace):
        return None
    length = longest.element.length * 0.85 * limit / most
    inches = int(length / INCH * 10) / 10
    return Proposal(longest.reads[0], f"{inches:g} in") if inches > 0 else None
