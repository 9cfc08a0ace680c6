# SPDX-License-Identifier: MIT
"""Skew within pairs and between lanes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.line_tasks import NoSection, section
from pcbrules.analysis.lines import Unsupported, solve_line
from pcbrules.analysis.materials import touching
from pcbrules.analysis.no_links import link_gaps, not_a_pair
from pcbrules.analysis.plan import Item
from pcbrules.model.board import Board, BoardLink, Path, Step
from pcbrules.model.catalogue.select import NoReading, dk_at
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Connector, Package, Trace, Via
from pcbrules.model.stackup import Dielectric
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import LaneSkew, PairSkew
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (PairSkew, LaneSkew)

LIGHT = 299_792_458.0
INCH = 25.4e-3
WEAVE_SPREAD, WEAVE_OPEN = 0.35e-12, 1.5e-12
"""Standard deviation of the weave skew of one inch [s], spread and open glass: practice."""

TURNED = math.radians(10)
"""Routing angle from which the weave averages out [rad]."""

DETERMINISTIC_UI, TOTAL_UI = 0.05, 0.15
"""Skew in unit intervals where no standard gives a figure: practice."""


@dataclass(frozen=True, slots=True)
class Delay:
    """Delay per length [s/m] with its relative error, and how it was had."""

    value: float
    error: float
    model: str


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact of each kind per link."""
    yield from link_gaps(board, PairSkew, LaneSkew)
    for link in board.links or ():
        exempt = list(not_a_pair(board, link, PairSkew))
        yield from exempt
        if not exempt:
            yield _pair_skew(board, link, conditions)
        yield _lane_skew(board, link, conditions)


def _pair_skew(board: Board, link: BoardLink, conditions: Conditions) -> PairSkew | Gap:
    tags = board.link_tags(link)

    def gap(where: Path, reason: str, key: str) -> Gap:
        return Gap(fact=PairSkew, subject=link.subject, where=where, tags=tags, reason=reason, key=key)

    if not link.traces():
        return gap(link.path, "no trace of this link is described", f"links.{link.name}.path[].trace")
    running, worst, variance, error = 0.0, 0.0, 0.0, 0.0
    reads: list[Path] = []
    assumptions: list[str] = []
    models: list[str] = []
    for step in link.steps:
        body = step.body
        if isinstance(body, Trace):
            if body.length_p is None or body.length_n is None:
                return gap(step.path, "the lengths of the legs are not given",
                           f"links.{link.name}.path[].trace.length_p` and `links.{link.name}.path[].trace.length_n")
            delay = delay_of(board, link, step, body, conditions)
            if isinstance(delay, NoSection):
                return gap(step.path, delay.reason, delay.key)
            difference = body.length_p.value - body.length_n.value
            turns = abs(body.bends or 0) * math.pi / 2 * (body.width.value + (body.gap.value if body.gap else 0.0))
            added = difference * delay.value + math.copysign(turns * delay.value, difference or 1.0)
            if body.bends is None:
                assumptions.append(f"{step.name}: bends not given, taken as balanced")
            running += added
            error += abs(added) * delay.error
            sigma, note = _weave(board, body)
            variance += sigma**2 * body.length.value / INCH
            assumptions += [note] if note else []
            reads += [(*step.path, "length_p"), (*step.path, "length_n")]
            models.append(delay.model)
        elif isinstance(body, Via | Package | Connector):
            if body.skew is not None:
                running += body.skew.value
                reads.append((*step.path, "skew"))
            else:
                assumptions.append(f"{step.name}: legs taken as equal")
        worst = max(worst, abs(running))
    weave = 3 * math.sqrt(variance)
    nyquist = link.standard.nyquist
    phase = min(math.pi * nyquist * worst, math.pi / 2 * (1 - 1e-9))
    return PairSkew(
        subject=link.subject,
        where=reads[0],
        tags=tags,
        offers={
            "skew": _in_ui(DETERMINISTIC_UI, link.standard.symbol_rate),
            "total": _in_ui(TOTAL_UI, link.standard.symbol_rate),
        },
        skew=Measured(
            value=worst,
            lo=max(worst - error, 0.0),
            hi=worst + error + weave,
            error=error,
            model=f"leg lengths, {' and '.join(dict.fromkeys(models))}",
            reads=tuple(reads),
            assumptions=tuple(dict.fromkeys(assumptions)),
        ),
        weave=weave,
        loss_db=-20 * math.log10(math.cos(phase)),
    )


def _in_ui(share: float, symbol_rate: float) -> Offer:
    value = share / symbol_rate
    text = f"< {show(value, 'ps')} ({share:g} UI)"
    return Offer(Limit(None, value, "ps", text, high_strict=True), Source(f"{share:g} unit intervals", "practice"))


def delay_of(board: Board, link: BoardLink, step: Step, trace: Trace, conditions: Conditions) -> Delay | NoSection:
    """Delay per length of a trace: from the line model, else from the permittivities around it."""
    found = section(board, link, step, trace, conditions.cold)
    if not isinstance(found, NoSection):
        line = solve_line(found.task)
        if not isinstance(line, Unsupported):
            return Delay(line.delay, line.u_z, f"delay by {line.card}")
    return _delay_from_dk(board, trace, link.standard.nyquist)


def _delay_from_dk(board: Board, trace: Trace, frequency: float) -> Delay | NoSection:
    stack = board.stack
    if stack is None:
        return NoSection("the board file has no `stackup`", "stackup")
    values = []
    for ply in touching(stack, trace.layer):
        if isinstance(ply.spec, Dielectric):
            if ply.spec.dk is not None:
                values.append(ply.spec.dk.value)
                continue
            reading = dk_at(board.catalogue.laminates[ply.spec.material], frequency)
            if isinstance(reading, NoReading):
                return NoSection(reading.reason, f"materials.laminates.{ply.spec.material}.dk")
            values.append(reading.value)
    if not values:
        return NoSection(f"{trace.layer} touches no dielectric")
    low = (min(values) + 1) / 2 if stack.outer(trace.layer) else min(values)
    fast, slow = math.sqrt(low) / LIGHT, math.sqrt(max(values)) / LIGHT
    middle = (fast + slow) / 2
    return Delay(middle, (slow - fast) / 2 / middle + 0.02, "delay between the extremes of the permittivities")


def _weave(board: Board, trace: Trace) -> tuple[float, str]:
    """Standard deviation of the weave skew per root inch [s], and what was assumed."""
    if (trace.route_angle is not None and trace.route_angle.value >= TURNED * (1 - 1e-9)) or trace.zigzag:
        return WEAVE_SPREAD, ""
    if board.stack is None:
        return WEAVE_OPEN, ""
    for ply in touching(board.stack, trace.layer):
        spec = ply.spec
        if not isinstance(spec, Dielectric):
            continue
        styles = (spec.glass,) if isinstance(spec.glass, str) else spec.glass or ()
        if not styles:
            return WEAVE_OPEN, f"glass of {spec.name or spec.material} not given, taken as open weave"
        if any(board.catalogue.glass[style].weave != "spread" for style in styles):
            return WEAVE_OPEN, ""
    return WEAVE_SPREAD, ""


def _lane_skew(board: Board, link: BoardLink, conditions: Conditions) -> LaneSkew | Gap:
    tags = board.link_tags(link)

    def gap(where: Path, reason: str, key: str = "", applicable: bool = True) -> Gap:
        return Gap(fact=LaneSkew, subject=link.subject, where=where, tags=tags, reason=reason, key=key,
                   applicable=applicable)

    figures = link.standard.lane_skew
    if not figures and link.spec.lane_skew is None:
        return gap(link.path, f"{link.standard.name} has no public figure: its receivers deskew", applicable=False)
    if link.spec.lanes == 1:
        return gap((*link.path, "lanes"), "the link has one lane", applicable=False)
    offer = _lane_limit(board, link)
    if offer is None:
        places = ", ".join(figure.where for figure in figures)
        return gap(link.path, f"the standard's figure depends on the part of the channel ({places})",
                   f"links.{link.name}.segment")
    total, error = 0.0, 0.0
    reads: list[Path] = []
    for step, trace in link.traces():
        if trace.lane_lengths is None:
            return gap(step.path, "the lengths of the lanes are not given",
                       f"links.{link.name}.path[].trace.lane_lengths")
        delay = delay_of(board, link, step, trace, conditions)
        if isinstance(delay, NoSection):
            return gap(step.path, delay.reason, delay.key)
        part = (trace.lane_lengths.max.value - trace.lane_lengths.min.value) * delay.value
        total += part
        error += part * delay.error
        reads += [(*step.path, "lane_lengths", "max"), (*step.path, "lane_lengths", "min")]
    if not reads:
        return gap(link.path, "no trace of this link is described", f"links.{link.name}.path[].trace")
    return LaneSkew(
        subject=link.subject,
        where=reads[0],
        tags=tags,
        offers={"skew": offer},
        skew=Measured(value=total, lo=max(total - error, 0.0), hi=total + error, error=error,
                      model="lane lengths and delay", reads=tuple(reads)),
    )


def _lane_limit(board: Board, link: BoardLink) -> Offer | None:
    if link.spec.lane_skew is not None:
        value = link.spec.lane_skew.value
        return Offer(Limit(None, value, "ps", f"<= {show(value, 'ps')}"), Source("the board file", "declared"))
    wanted = {link.spec.segment, "any"}
    if link.spec.segment not in {figure.where for figure in link.standard.lane_skew}:
        wanted |= {"system-board"} if board.form_factor.kind == "baseboard" else set()
        wanted |= {"add-in-card"} if board.form_factor.kind == "card" else set()
        wanted |= {"system-board"} if board.form_factor.kind == "carrier" else set()
    if "baseboard" in wanted:
        wanted.add("system-board")
    for figure in link.standard.lane_skew:
        if figure.where in wanted:
            text = f"<= {show(figure.value, 'ps', 4)}"
            return Offer(Limit(None, figure.value, "ps", text), Source(figure.source, figure.provenance))
    return None
