# SPDX-License-Identifier: MIT
"""Skew between the lanes of a link."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import itemgetter

from pcbrules.analysis.common.every_link import link_gap, no_trace, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.lines.delay import delay_of
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.conditions import Conditions
from pcbrules.phrases import under
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import LinkLaneSkew
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer
from pcbrules.ties import greatest_of, least_of
from pcbrules.units import show

PROVIDES = (LinkLaneSkew,)

PART_OF = {"baseboard": "system-board", "carrier": "system-board", "card": "add-in-card"}
"""Part of the channel for which a standard gives its figure, by kind of form factor."""

SAME_AS = {"baseboard": "system-board", "carrier-board": "system-board", "add-in-card-with-package": "add-in-card"}
"""Parts of a loss budget by the words of a figure of lane skew."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per link."""
    return per_link(board, PROVIDES, lambda link: [_lane_skew(board, link, conditions)])


def _lane_skew(board: Board, link: BoardLink, conditions: Conditions) -> LinkLaneSkew | Gap:

    def gap(where: Path, reason: str, key: str = "", applicable: bool = True) -> Gap:
        return link_gap(board, link, LinkLaneSkew, Missing(reason, key, where), applicable=applicable)

    figures = link.standard.lane_skew
    if not figures and link.spec.lane_skew is None:
        return gap(link.path, f"{link.standard.name} has no public figure: its receivers deskew", applicable=False)
    if link.spec.lanes == 1:
        return gap((*link.path, "lanes"), "the link has one lane", applicable=False)
    offer = _limit(board, link)
    if offer is None:
        places = ", ".join(figure.where for figure in figures)
        return gap(link.path, f"the standard's figure depends on the part of the channel ({places})",
                   f"links{under(link.name)}.segment")
    if not link.traces():
        return link_gap(board, link, LinkLaneSkew, no_trace(link))
    total, error, least, most = 0.0, 0.0, 0.0, 0.0
    steps: list[Step] = []
    reads: list[Path] = []
    shares: list[tuple[float, Path]] = []
    for step, trace in link.traces():
        lanes = trace.lane_lengths
        if lanes is None:
            return gap(step.path, "the lengths of the lanes are not declared",
                       f"links{under(link.name)}.path[].trace.lane_lengths")
        delay = delay_of(board, link, step, trace, conditions)
        if isinstance(delay, Missing):
            return link_gap(board, link, LinkLaneSkew, delay, where=step.path)
        apart = lanes.max.value - lanes.min.value
        part = apart * delay.value
        total += part
        steps += [Step(f"{step.name}: longest less shortest lane", apart, "mm"),
                  Step(f"{step.name}: delay", delay.value, "ps/in", delay.model),
                  Step(f"{step.name}: skew", part, "ps", "difference x delay")]
        error += part * delay.error
        least += ((lanes.max.minus or 0.0) + (lanes.min.plus or 0.0)) * delay.value
        most += ((lanes.max.plus or 0.0) + (lanes.min.minus or 0.0)) * delay.value
        reads += [(*step.path, "lane_lengths", "max"), (*step.path, "lane_lengths", "min")]
        shares.append((part, (*step.path, "lane_lengths", "max")))
    return LinkLaneSkew(
        subject=link.subject,
        where=greatest_of(shares, key=itemgetter(0))[1],
        tags=board.link_tags(link),
        offers={"skew": offer},
        skew=Measured(value=total, lo=max(total - error - least, 0.0), hi=total + error + most, error=error,
                      model="lane lengths and delay", reads=tuple(reads),
                      derivation=partial(_steps, tuple(steps), total, error, least, most)),
    )


def _steps(parts: tuple[Step, ...], total: float, error: float, least: float, most: float) -> Derivation:
    """The skew of every trace, their sum, and its interval. [s]"""
    steps = (
        *parts,
        Step("skew of all traces", total, "ps", "judged"),
        Step("model error (k = 2) of the delays", error, "ps"),
        Step("tolerances of the lengths, downwards", least, "ps"),
        Step("tolerances of the lengths, upwards", most, "ps"),
    )
    return Derivation(("skew = sum of (longest less shortest lane) x delay",), "lengths of the board file", steps)


def _limit(board: Board, link: BoardLink) -> Offer | None:
    """The smaller of the standard's figure for this part of the channel and the board's own, as far as there are."""
    offers: list[Offer] = []
    if link.spec.lane_skew is not None:
        value = float(link.spec.lane_skew.value)
        offers.append(Offer(Limit(None, value, "ps", f"<= {show(value, 'ps')}"), Source("the board file", "declared")))
    figures = {figure.where: figure for figure in link.standard.lane_skew}
    segment = SAME_AS.get(link.spec.segment or "", link.spec.segment or "")
    where = segment if segment in figures else PART_OF.get(board.form_kind, "")
    open_part = not segment and not board.form_kind and figures.keys() - {"any"}
    figure = None if open_part else figures.get(where) or figures.get("any")
    if figure is not None:
        text = f"<= {show(figure.value, 'ps', 4)}"
        offers.append(Offer(Limit(None, figure.value, "ps", text), Source(figure.source, figure.provenance)))
    return least_of(offers, key=lambda offer: offer.limit.high or 0.0, default=None)
