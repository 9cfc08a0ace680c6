# SPDX-License-Identifier: MIT
"""The stubs of a link's vias: where they resonate and what they cost in band, as facts with names."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from pcbrules.analysis.channel.elements import Part, described, figures_of_class
from pcbrules.analysis.channel.stub_cure import LinkStubCure, StubCure
from pcbrules.analysis.channel.task import ChannelResult, ChannelTask, StubCost, StubLoss, ViaCost
from pcbrules.analysis.common.every_link import link_gap, missing_via
from pcbrules.analysis.vias.solve import FILL_ERROR, longest_known
from pcbrules.analysis.vias.task import ViaResult, ViaSpec
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Via
from pcbrules.phrases import parts_of, under
from pcbrules.physics.vias.barrel_wave import wave_stub_resonance
from pcbrules.physics.vias.stub import ideal_stub_resonance, loaded_stub_resonance
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import StubNotch
from pcbrules.results.measured import Measured, exact
from pcbrules.ties import least_of


def notches(
    board: Board, link: BoardLink, kept: list[Part], result: ChannelResult, missing: list[Missing], z_ref: float
) -> Iterator[StubNotch | Gap]:
    """One fact per via with a stub and one for all stubs together, or why there is none.

    ``kept`` are the elements of the solved task, whose reference impedance is ``z_ref`` [ohm]; ``missing`` those of the
    path that could not be made.
    """
    tags = board.link_tags(link)
    costs: dict[int, ViaCost] = {cost.element: cost for cost in result.vias}
    reasons = dict(result.unsupported)
    partial = "; ".join(dict.fromkeys([lost.reason for lost in missing] or reasons.values()))
    give = f", give `{missing[0].key}`" if missing and missing[0].key else ""
    made: list[StubNotch] = []
    beyond_model = False
    for place, part in enumerate(kept):
        subject = f"{link.subject}.path{under(part.step.name)}"
        if isinstance(part.step.body, Via) and part.step.body.table is not None:
            hidden = Missing("a file counts instead of its model, and a stub cannot be told from the rest of it: the "
                             "loss and the masks of the channel hold its cost", "", part.step.path)
            yield link_gap(board, link, StubNotch, hidden, subject=subject)
            continue
        if not isinstance(part.element, ViaSpec):
            continue
        if place not in costs:
            longest = longest_known(part.element)
            if longest is not None:
                yield replace(_longer(link, part, longest, reasons.get(place, "")), tags=tags)
                continue
            beyond_model = True
            beyond = Missing(reasons.get(place, "the via is outside the model's range"), "", part.step.path)
            yield link_gap(board, link, StubNotch, beyond, subject=subject)
            continue
        cure = StubCure(board, part, part.element, z_ref, link.standard.nyquist)
        fact = _notch(link, part, costs[place], result, f"{partial}{give}", cure)
        if fact is None:
            none = Missing("the barrel ends at the layers in use: no stub", "", part.step.path)
            yield link_gap(board, link, StubNotch, none, subject=subject, applicable=False)
        else:
            made.append(replace(fact, tags=tags))
    yield from made
    if partial and (made or beyond_model or missing_via(board, link)):
        whole = Missing(f"the sum of all stubs needs the whole channel: {partial}",
                        missing[0].key if missing else "", link.path)
        yield link_gap(board, link, StubNotch, whole, subject=f"{link.subject}.stubs")
    elif made and result.stub_loss is not None:
        task = ChannelTask(tuple(part.element for part in kept), z_ref, link.standard.nyquist)
        total = _all(link, made, result.stub_loss, figures_of_class(kept))
        yield replace(total, described=described(kept), shorter=LinkStubCure(board, kept, task))


def _longer(link: BoardLink, part: Part, longest: ViaResult, reason: str) -> StubNotch:
    """Return an upper bound of the resonance of a stub beyond the model: that of the longest stub of the model."""
    worst = least_of(longest.stubs, key=lambda stub: stub.loaded.value)
    reads = tuple(dict.fromkeys((*part.ends[worst.port - 1].reads, *part.reads)))
    nyquist = link.standard.nyquist
    ratio = exact(worst.loaded.value / nyquist, model="loaded resonance of the longest stub of the model: that of "
                  "this stub is lower", basis="computed", reads=reads)
    return StubNotch(
        subject=f"{link.subject}.path{under(part.step.name)}",
        where=reads[0],
        ratio=replace(ratio, assumptions=part.assumptions).resting_on(figures_of_class([part])),
        cost=None,
        ideal=worst.ideal,
        loaded=worst.loaded.value,
        lowest=worst.loaded.lo,
        nyquist=nyquist,
        return_loss_db=None,
        whole_link=False,
        beyond=reason,
    )


def _notch(
    link: BoardLink, part: Part, cost: ViaCost, result: ChannelResult, partial: str, cure: StubCure
) -> StubNotch | None:
    """What the stubs of one via do; None if it has none."""
    worst = least_of(cost.stubs, key=lambda c: c.stub.loaded.value, default=None)
    if worst is None or cost.alone is None:
        return None
    nyquist = link.standard.nyquist
    loss = cost.alone.loss
    meeting = max(loss.hi, cost.stub_loss.loss.hi if cost.stub_loss else 0.0)
    assumptions = tuple(dict.fromkeys((*result.assumptions, *part.assumptions)))
    reads = tuple(dict.fromkeys((*part.ends[worst.stub.port - 1].reads, *part.reads)))
    loaded = worst.stub.loaded
    steps = functools.partial(_steps, part, cost, worst, nyquist)
    return StubNotch(
        subject=f"{link.subject}.path{under(part.step.name)}",
        where=reads[0],
        ratio=Measured(value=loaded.value / nyquist, lo=loaded.lo / nyquist, hi=loaded.hi / nyquist,
                       model="loaded stub resonance", reads=reads, assumptions=assumptions, derivation=steps,
                       ).resting_on(figures_of_class([part])),
        cost=Measured(value=loss.value, lo=loss.lo, hi=meeting,
                      model="loaded open line across a matched line; the interval holds reflections with the barrel",
                      reads=reads, assumptions=assumptions, derivation=steps,
                      ).resting_on(figures_of_class([part])),
        ideal=worst.stub.ideal,
        loaded=loaded.value,
        lowest=loaded.lo,
        nyquist=nyquist,
        return_loss_db=worst.return_loss,
        whole_link=False,
        meeting=cost.stub_loss.loss.value if cost.stub_loss and not partial else None,
        shorter=cure,
        via=part.via_type,
        partial=partial,
    )


def _steps(part: Part, cost: ViaCost, worst: StubCost, nyquist: float) -> Derivation:
    spec, stub = part.element, worst.stub
    if not isinstance(spec, ViaSpec):
        raise TypeError(part.step.name)
    sides = ["upper" if end.side == "top" else "lower" for end in part.ends]
    steps = [
        *(Step(f"length of the {sides[one.stub.port - 1]} stub at the worst depth", one.stub.length, "mil",
               "layer heights")
          for one in cost.stubs),
        Step("antipad gap", spec.gap, "mil", "antipad radius less barrel radius"),
        Step("open end reaches past the stub by", cost.via.extension, "mil",
             "0.8 antipad gaps" if cost.via.wave is None else "its capacitance over that per metre"),
        Step("Dk of the laminate", spec.dk, "", "mean over the plies that the barrel crosses, by thickness"),
        Step("Dk along the barrel, lower bound", cost.via.dk.lo),
        Step("Dk along the barrel", cost.via.dk.value, "", cost.via.model),
        Step("Dk along the barrel, upper bound", cost.via.dk.hi),
        Step("impedance of one barrel", cost.via.impedance.value, "ohm", cost.via.model),
        Step(f"ideal notch of the {sides[stub.port - 1]} stub", stub.ideal, "GHz", "printed, not judged"),
        Step("loaded notch", stub.loaded.value, "GHz", "judged"),
        Step("loaded notch, lower bound", stub.loaded.lo, "GHz"),
        Step("loaded notch, upper bound", stub.loaded.hi, "GHz"),
        Step("Nyquist frequency", nyquist, "GHz", "the link's standard"),
        Step("loaded notch over Nyquist", stub.loaded.value / nyquist),
        Step("its lower bound", stub.loaded.lo / nyquist),
        Step("return loss at Nyquist", worst.return_loss, "dB", "of the stub alone on a matched line"),
    ]
    if not spec.hole_fill_known:
        steps.append(Step("wider bounds for an unknown fill of the drilled hole", FILL_ERROR, "%"))
    if cost.alone is not None:
        steps.append(Step("largest loss up to Nyquist, on a matched line", cost.alone.loss.value, "dB"))
        steps.append(Step("frequency of that loss", cost.alone.frequency, "GHz"))
    if cost.stub_loss is not None:
        steps.append(Step("largest loss up to Nyquist, in the channel", cost.stub_loss.loss.value, "dB"))
    model = loaded_stub_resonance if cost.via.wave is None else wave_stub_resonance
    cards = f"{model.card.source}; ideal: {ideal_stub_resonance.card.source}"
    loaded = "c / (4 (length + open end) sqrt(Dk along the barrel))"
    if cost.via.wave is not None:
        loaded += ", Dk along the barrel at that frequency, which ground vias at a distance raise"
    formulas = (f"loaded notch = {loaded}", "ideal notch = c / (4 length sqrt(Dk))")
    return Derivation(formulas, cards, tuple(steps))


def _sum(made: list[StubNotch], stub_loss: StubLoss) -> Derivation:
    costs = [(fact.subject, fact.cost) for fact in made if fact.cost is not None]
    steps = [
        *(Step(parts_of(subject)[-1], cost.value, "dB", "largest loss of its stubs up to Nyquist, on matched lines")
          for subject, cost in costs),
        Step("sum over the vias", sum(cost.value for _, cost in costs), "dB"),
        Step("all stubs in the channel", stub_loss.loss.value, "dB", "largest up to Nyquist, with what they send to "
             "each other and to the rest"),
        Step("all stubs in the channel, least", stub_loss.loss.lo, "dB"),
        Step("all stubs in the channel, largest", stub_loss.loss.hi, "dB"),
    ]
    formula = "cost = loss with the stubs less loss without them, largest up to Nyquist; at least the sum over the vias"
    return Derivation((formula,), "the same model for every via", tuple(steps))


def _all(link: BoardLink, made: list[StubNotch], stub_loss: StubLoss, of_class: tuple[str, ...]) -> StubNotch:
    """All stubs of a link together, in its channel; where their reflections help, no less than on matched lines."""
    costs = [fact.cost for fact in made if fact.cost is not None]
    total, loss = sum(cost.value for cost in costs), stub_loss.loss
    value = max(total, loss.value)
    least, most = loss.lo, max(loss.hi, value)
    lowest = least_of(made, key=lambda fact: fact.loaded)
    return replace(
        lowest,
        subject=f"{link.subject}.stubs",
        where=link.path,
        cost=Measured(value=value, lo=least, hi=most, error=max(value - loss.lo, most - value),
                      model="loss of the channel with and without its stubs; at least their sum on matched lines",
                      reads=tuple(dict.fromkeys(p for cost in costs for p in cost.reads)),
                      assumptions=lowest.ratio.assumptions, derivation=functools.partial(_sum, made, stub_loss),
                      ).resting_on(of_class),
        alone=total,
        whole_link=True,
        shorter=None,
    )
