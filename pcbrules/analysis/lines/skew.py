# SPDX-License-Identifier: MIT
"""Skew between the two legs of every pair."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from operator import itemgetter

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.lines.delay import delay_of
from pcbrules.analysis.lines.weave import weave_of, weave_skew
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Connector, Package, Trace, Via
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import PairSkew
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer
from pcbrules.ties import greatest_of
from pcbrules.units import show

PROVIDES = (PairSkew,)

DETERMINISTIC_UI, TOTAL_UI = 0.05, 0.15
"""Skew in unit intervals where no standard gives a figure: practice."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per differential link."""
    return per_link(board, PROVIDES, lambda link: [_pair_skew(board, link, conditions)], pairs=True, traced=True)


def _pair_skew(board: Board, link: BoardLink, conditions: Conditions) -> PairSkew | Gap:
    gap = partial(link_gap, board, link, PairSkew)
    # bends lengthen the outer leg; which of the legs that is on a left turn nobody says, so both are followed
    running = dict.fromkeys((1, -1), 0.0)
    worst, variance, error, tolerance = 0.0, 0.0, 0.0, 0.0
    reads: list[Path] = []
    shares: list[tuple[float, Path]] = []
    assumptions: list[str] = []
    models: list[str] = []
    for step in link.steps:
        body = step.body
        if isinstance(body, Trace):
            if body.length_p is None or body.length_n is None:
                key = f"{link.subject}.path[].trace.length_p` and `{link.subject}.path[].trace.length_n"
                return gap(Missing("the lengths of the legs are not given", key, step.path))
            if body.bends is None:
                reason = "the net quarter turns are not given (0 if the lengths of the legs hold them)"
                return gap(Missing(reason, f"links{under(link.name)}.path[].trace.bends", step.path))
            delay = delay_of(board, link, step, body, conditions)
            if isinstance(delay, Missing):
                return gap(delay, where=step.path)
            pitch = body.width.value + (body.gap.value if body.gap else 0.0)
            straight = (body.length_p.value - body.length_n.value) * delay.value
            turned = body.bends * math.pi / 2 * pitch * delay.value
            running = {side: sum_ + straight + side * turned for side, sum_ in running.items()}
            error += (abs(straight) + abs(turned)) * delay.error
            tolerance += (max(body.length_p.plus or 0.0, body.length_p.minus or 0.0)
                      + max(body.length_n.plus or 0.0, body.length_n.minus or 0.0)) * delay.value
            weave = weave_of(board, step, body)
            variance += weave_skew(weave.sigma, body.length.value) ** 2
            if weave.unknown is not None:
                assumptions.append(f"glass of {weave.unknown[1]} not given, taken as open weave")
            reads += [(*step.path, "length_p"), (*step.path, "length_n"), (*step.path, "bends")]
            shares += [(abs(straight), (*step.path, "length_p")), (abs(turned), (*step.path, "bends"))]
            models.append(delay.model)
        elif isinstance(body, Via | Package | Connector):
            if body.skew is not None:
                running = {side: sum_ + body.skew.value for side, sum_ in running.items()}
                tolerance += max(body.skew.plus or 0.0, body.skew.minus or 0.0)
                reads.append((*step.path, "skew"))
                shares.append((abs(body.skew.value), (*step.path, "skew")))
            else:
                assumptions.append(f"{step.name}: legs taken as equal")
        worst = max(worst, *(abs(sum_) for sum_ in running.values()))
    woven = math.sqrt(variance)
    nyquist = link.standard.nyquist
    return PairSkew(
        subject=link.subject,
        where=greatest_of(shares, key=itemgetter(0))[1],
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
            model=f"leg lengths, {' and '.join(dict.fromkeys(models))}",
            reads=tuple(reads),
            assumptions=tuple(dict.fromkeys(assumptions)),
        ),
        weave=woven,
        tolerance=tolerance,
        loss_db=_cost(nyquist * worst),
    )


def _cost(turns: float) -> float | None:
    """Loss of the differential mode by legs that differ by this part of a period [dB]; None from half of one on."""
    return -20 * math.log10(math.cos(math.pi * turns)) if turns < 0.5 * (1 - 1e-9) else None


def _in_ui(share: float, symbol_rate: float) -> Offer:
    value = share / symbol_rate
    text = f"< {show(value, 'ps')} ({share:g} UI)"
    return Offer(Limit(None, value, "ps", text, high_strict=True), Source(f"{share:g} unit intervals", "practice"))
