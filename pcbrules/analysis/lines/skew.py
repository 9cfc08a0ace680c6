# SPDX-License-Identifier: MIT
"""Skew between the two legs of every pair."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.lines.delay import delay_of
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.leg_delays import unequal_delay
from pcbrules.analysis.lines.section import leg_pitch, section
from pcbrules.analysis.lines.weave import weave_of
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.catalogue.systems import LinkStandard
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Connector, Package, Trace, Via
from pcbrules.phrases import under
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import PairSkew, ShorterLeg
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer
from pcbrules.ties import greatest_of, least_of
from pcbrules.units import Quantity, show

PROVIDES = (PairSkew,)

DETERMINISTIC_UI, TOTAL_UI = 0.05, 0.15
"""Skew in unit intervals where no standard gives a figure: practice."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per differential link."""
    return per_link(board, PROVIDES, lambda link: [_pair_skew(board, link, conditions)], pairs=True, traced=True)


@dataclass(frozen=True, slots=True)
class _SkewShare:
    """What one step of a path adds to the skew: delay of P less N as drawn, that of the outer leg in its bends. [s]

    ``error`` is the model's, ``tolerance`` that of what is declared [s]; ``variance`` that of the weave at 3 sigma
    [s^2]; ``places`` are the keys with how much they add [s]. ``steps`` tell how it comes about. ``shorter`` is the leg
    of a trace that is behind by ``straight``, ``left_open`` that the legs of a package or a connector are not declared.
    """

    straight: float = 0.0
    turned: float = 0.0
    error: float = 0.0
    tolerance: float = 0.0
    variance: float = 0.0
    places: tuple[tuple[float, Path], ...] = ()
    reads: tuple[Path, ...] = ()
    assumption: str = ""
    model: str = ""
    steps: tuple[Step, ...] = ()
    shorter: ShorterLeg | None = None
    left_open: bool = False


def _pair_skew(board: Board, link: BoardLink, conditions: Conditions) -> PairSkew | Gap:
    shares: list[_SkewShare] = []
    for step in link.steps:
        share = _of_step(board, link, step, conditions)
        if isinstance(share, Missing):
            return link_gap(board, link, PairSkew, share, where=step.path)
        shares.append(share)
    worst = _largest(shares)
    error, tolerance = sum(one.error for one in shares), sum(one.tolerance for one in shares)
    woven = math.sqrt(sum(one.variance for one in shares))
    models = dict.fromkeys(one.model for one in shares if one.model)
    return PairSkew(
        subject=link.subject,
        where=greatest_of([place for one in shares for place in one.places], key=itemgetter(0))[1],
        tags=board.link_tags(link),
        offers={
            "skew": _in_ui(DETERMINISTIC_UI, link.standard.symbol_rate),
            "total": _in_ui(TOTAL_UI, link.standard.symbol_rate),
        },
        skew=Measured(
            value=worst,
            lo=max(worst - error - tolerance, 0.0),
            hi=worst + error + tolerance + woven,
            error=error,
            basis="assumed" if any(one.left_open for one in shares) else "computed",
            model=f"leg lengths, {' and '.join(models)}",
            reads=tuple(path for one in shares for path in one.reads),
            assumptions=tuple(dict.fromkeys(one.assumption for one in shares if one.assumption)),
            derivation=partial(_steps, tuple(shares), link.standard),
        ),
        weave=woven,
        tolerance=tolerance,
        unit_interval=1 / link.standard.symbol_rate,
        loss_db=_cost(link.standard.nyquist * worst),
        shorter=_shorter(shares, worst),
    )


def _steps(shares: tuple[_SkewShare, ...], standard: LinkStandard) -> Derivation:
    """What every element adds, the largest skew on the way, and what stands beside it."""
    worst, woven = _largest(shares), math.sqrt(sum(one.variance for one in shares))
    cost = _cost(standard.nyquist * worst)
    steps = [
        *(step for one in shares for step in one.steps),
        Step("largest skew on the way", worst, "ps", "the outer leg of the bends on its worse side; judged"),
        Step("model error (k = 2) of the delays", sum(one.error for one in shares), "ps"),
        Step("tolerances of lengths, of Dk beside layers", sum(one.tolerance for one in shares), "ps"),
        Step("glass weave at 3 sigma", woven, "ps", "root of squares over the traces; in the interval"),
        Step("unit interval", 1 / standard.symbol_rate, "ps", "1 / symbol rate"),
        Step("skew over the unit interval", worst * standard.symbol_rate, "%"),
        *([Step("cost at Nyquist", cost, "dB", "-20 log10 cos(pi f skew)")] if cost is not None else []),
    ]
    formulas = ("skew of a trace = (length of P - length of N) x delay",
                "skew of a bend = quarter turns x pi / 2 x (width + gap) x delay")
    return Derivation(formulas, "lengths of the board file", tuple(steps))


def _shorter(shares: Sequence[_SkewShare], worst: float) -> ShorterLeg | None:
    """The leg of the trace without whose difference the largest skew on the way is least, if that is less at all."""
    without = [(_largest([replace(one, straight=0.0) if one is other else one for one in shares]), other)
               for other in shares if other.shorter is not None]
    least, best = least_of(without, key=itemgetter(0), default=(worst, None))
    return best.shorter if best is not None and least < worst * (1 - 1e-9) else None


def _largest(shares: Sequence[_SkewShare]) -> float:
    """Largest skew on the way. [s]

    A bend lengthens the outer leg. The file does not say which leg is outside, so both cases are tracked.
    """
    running, worst = dict.fromkeys((1, -1), 0.0), 0.0
    for one in shares:
        running = {side: total + one.straight + side * one.turned for side, total in running.items()}
        worst = max(worst, *(abs(total) for total in running.values()))
    return worst


def _of_step(board: Board, link: BoardLink, step: PathStep, conditions: Conditions) -> _SkewShare | Missing:
    body = step.body
    if isinstance(body, Trace):
        return _of_trace(board, link, step, body, conditions)
    if not isinstance(body, Via | Package | Connector):
        return _SkewShare()
    if body.skew is None:
        return _SkewShare(assumption=f"{step.name}: legs assumed equal in length", left_open=not isinstance(body, Via))
    path = (*step.path, "skew")
    return _SkewShare(body.skew.value, tolerance=_wider(body.skew), places=((abs(body.skew.value), path),),
                      reads=(path,), steps=(Step(f"{step.name}: skew", body.skew.value, "ps", "declared"),))


def _of_trace(
    board: Board, link: BoardLink, step: PathStep, trace: Trace, conditions: Conditions
) -> _SkewShare | Missing:
    if trace.length_p is None or trace.length_n is None:
        key = f"{link.subject}.path[].trace.length_p` and `{link.subject}.path[].trace.length_n"
        return Missing("the lengths of the legs are not declared", key)
    if trace.bends is None:
        reason = "the net quarter turns are not declared (0 if the lengths of the legs hold them)"
        return Missing(reason, f"links{under(link.name)}.path[].trace.bends")
    delay = delay_of(board, link, step, trace, conditions)
    if isinstance(delay, Missing):
        return delay
    apart = _of_layers(board, link, step, trace, conditions)
    if isinstance(apart, Missing):
        return apart
    pitch = leg_pitch(trace)
    whole = trace.length.value * delay.value
    layers, lots = whole * apart.value, whole * max(apart.hi - apart.value, apart.value - apart.lo)
    straight = (trace.length_p.value - trace.length_n.value) * delay.value + layers
    turned = trace.bends * math.pi / 2 * pitch * delay.value
    weave = weave_of(board, step, trace)
    own, bends = (*step.path, "length_p"), (*step.path, "bends")
    return _SkewShare(
        straight, turned,
        error=(abs(straight) + abs(turned)) * delay.error,
        tolerance=(_wider(trace.length_p) + _wider(trace.length_n)) * delay.value + lots,
        variance=weave.skew(trace.length.value) ** 2,
        places=((abs(straight), own), (abs(turned), bends)),
        reads=(own, (*step.path, "length_n"), bends),
        assumption=f"glass of {weave.unknown[1]} not declared, assumed open weave" if weave.unknown else "",
        model=delay.model,
        shorter=ShorterLeg(step.name, "N" if straight > 0 else "P", abs(straight) / delay.value) if straight else None,
        steps=(
            Step(f"{step.name}: delay", delay.value, "ps/in", delay.model),
            Step(f"{step.name}: length of P less that of N", trace.length_p.value - trace.length_n.value, "mm"),
            Step(f"{step.name}: skew of the lengths", straight - layers, "ps", "difference x delay"),
            *([Step(f"{step.name}: skew of the layers", layers, "ps", "by the charge of each leg")]
              if trace.broadside else []),
            Step(f"{step.name}: net quarter turns", trace.bends, ""),
            Step(f"{step.name}: skew of the bends", turned, "ps", f"at a pitch of {show(pitch, 'mm')}"),
            Step(f"{step.name}: glass weave at 3 sigma", weave.skew(trace.length.value), "ps", weave.cause),
        ),
    )


def _of_layers(
    board: Board, link: BoardLink, step: PathStep, trace: Trace, conditions: Conditions
) -> Interval | Missing:
    """Delay of P less that of N over the delay [-] by what surrounds legs on two layers."""
    if trace.broadside is None:
        return fixed(0.0)
    found = section(board, link, step, conditions.cold)
    return found if isinstance(found, Missing) else unequal_delay(
        found.task, dk=tolerances(board, trace)["dk"])


def _wider(quantity: Quantity) -> float:
    """The larger tolerance of a quantity, in its unit; zero without one."""
    return max(quantity.plus or 0.0, quantity.minus or 0.0)


def _cost(turns: float) -> float | None:
    """Loss of the differential mode by legs that differ by this part of a period [dB]; None from half of one on."""
    return 20 * math.log10(1 / math.cos(math.pi * turns)) if turns < 0.5 * (1 - 1e-9) else None


def _in_ui(share: float, symbol_rate: float) -> Offer:
    value = share / symbol_rate
    text = f"< {show(value, 'ps')} ({share:g} UI)"
    return Offer(Limit(None, value, "ps", text, high_strict=True), Source(f"{share:g} unit intervals", "practice"))
