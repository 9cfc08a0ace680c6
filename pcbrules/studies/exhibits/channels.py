# SPDX-License-Identifier: MIT
"""Of every link: its losses over frequency against budget and masks, where every dB goes, what a reflectometer sees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.analysis.channel.facts import Prepared, solve_pair
from pcbrules.analysis.channel.mask_margins import mask_limit
from pcbrules.analysis.channel.site import tdr_task
from pcbrules.analysis.channel.task import ChannelResult, ChannelSolution, LineSpec
from pcbrules.analysis.channel.tdr_solve import TdrProfile, profile, rise_time
from pcbrules.analysis.common.every_link import missing_via
from pcbrules.missing import Missing
from pcbrules.model.board import BoardLink
from pcbrules.results.exhibit import Axis, Bar, Bars, CurveMark, Exhibit, ExhibitCurve, NotShown, Series, ShadedSpread
from pcbrules.studies.channels import prepared
from pcbrules.studies.exhibits import Scene
from pcbrules.studies.exhibits._points import Points, round_up, thinned
from pcbrules.studies.names import reason
from pcbrules.units import show

LOSS_RULES = ("CHN001", "CHN002", "CHN003", "CHN005", "SIG003")
ECHO_RULES = ("CHN004",)
LEDGER_RULES = ("CHN001", "MAT001", "MAT002")
TDR_RULES = ("CHN007", "SIG001")

KINDS = ("conductor", "roughness", "dielectric", "barrel", "stubs", "declared", "table", "steps", "skew",
         "reflections")
"""Parts of a loss in the order in which they are stacked."""

LEAST = 0.005
"""Parts of a loss below this are left out of the bars [dB]."""

DEEPEST, HIGHEST = 40.0, 60.0
"""Largest return loss and insertion loss that are drawn [dB]."""

SAME = 0.02
"""Return losses of both ends that differ by less are one curve [dB]."""

STILL, BESIDE, MUCH = 0.01, 4.0, 0.3
"""A curve is level where it moves by less than this part of the picture's height within a rise time; rise times that
stay on either side of a change; part of the axis that a level part has at least to be drawn short."""

GRAIN = 50.0
"""Steps in which an axis of time begins; it ends at a multiple of four of them, and so does a part that is drawn short:
links of about one length share the grid of their pictures [ps]."""

FINE, COARSE, MANY = 1 / 250, 1 / 90, 100
"""Distance by which a drawn curve may be off, over the height of its picture: less than a pixel, or two where there are
pictures of so many links."""


def exhibits(scene: Scene) -> Iterator[Exhibit]:
    """Pictures of every differential link, or why there are none."""
    conditions = scene.conditions
    fine = scene.fine or (FINE if len(scene.board.links or ()) <= MANY else COARSE)
    for link in scene.board.links_asked:
        if link.standard.signalling != "differential":
            continue
        made = prepared(scene.board, link, cold=conditions.cold, hot=conditions.hot)
        cut_short = missing_via(scene.board, link)
        if isinstance(made, Missing) or cut_short:
            yield _not_shown(link, reason(made) if isinstance(made, Missing) else cut_short or "")
            continue
        result = solve_pair(made.task)[0]
        if result.through is None:
            place, why = result.unsupported[0]
            yield _not_shown(link, f"{made.kept[place].step.name}: {why}")
            continue
        limit = scene.limit("CHN001", link.subject)
        budget = None if limit is None or limit.high is None else limit.high
        yield _loss(link, made, result, result.through, budget, conditions.hot, fine)
        if any(mask.quantity == "return-loss" for mask in made.task.hot.masks):
            yield _echo(link, made, result.through, fine)
        yield _ledger(link, made, result.through, budget)
        yield _tdr(link, made, fine)


def _not_shown(link: BoardLink, why: str) -> NotShown:
    return NotShown(key=f"{link.subject}:loss", subject=link.subject, title="Insertion loss", rules=LOSS_RULES,
                    reason=why)


def _loss(
    link: BoardLink, made: Prepared, result: ChannelResult, through: ChannelSolution, budget: float | None, hot: float,
    fine: float,
) -> Series:
    curves = through.curves
    x = [f / 1e9 for f in curves.frequency]
    nyquist = link.standard.nyquist / 1e9
    top = round_up(1.08 * max(min(HIGHEST, max(curves.loss)), budget or 0.0, 1.0))
    drawn = [ExhibitCurve("loss" if result.worst is None else "with stubs", *_line(x, curves.loss, top, fine))]
    marks = [CurveMark("Nyquist", nyquist)]
    worst = result.worst
    if worst is not None:
        bare = _line(x, curves.loss_without_stubs, top, fine)
        drawn.append(ExhibitCurve("without stubs", *bare, "bare"))
        via = next(made.kept[cost.element].step.name for cost in result.vias if worst in cost.stubs)
        notch = worst.stub.loaded
        marks.append(CurveMark(f"stub notch of {via} at {show(notch.value, 'GHz')}, not below {show(notch.lo, 'GHz')}",
                               notch.value / 1e9, kind="notch"))
    edge, forbidden = _mask(made, "insertion-loss", curves.frequency, top, fine)
    drawn += edge
    if budget is not None:
        marks.append(CurveMark(f"budget {show(budget, 'dB')}", nyquist, budget, "limit"))
    return Series(
        key=f"{link.subject}:loss", subject=link.subject, title=f"Insertion loss at {show(hot, 'degC')}",
        rules=LOSS_RULES, x=Axis("frequency", "GHz", 0.0, round(x[-1], 6)), y=Axis("loss", "dB", 0.0, top),
        curves=tuple(drawn), spreads=forbidden, marks=tuple(marks),
    )


def _echo(link: BoardLink, made: Prepared, through: ChannelSolution, fine: float) -> Series:
    curves = through.curves
    x = [f / 1e9 for f in curves.frequency]
    front, back = (_least(x, losses) for losses in (curves.return_loss_1, curves.return_loss_2))
    alike = np.allclose(curves.return_loss_1, curves.return_loss_2, rtol=0, atol=SAME)
    drawn = [ExhibitCurve("at both ends" if alike else "at the beginning", *_line(*front, DEEPEST, fine))]
    drawn += [] if alike else [ExhibitCurve("at the end", *_line(*back, DEEPEST, fine), "second")]
    edge, forbidden = _mask(made, "return-loss", curves.frequency, DEEPEST, fine)
    return Series(
        key=f"{link.subject}:echo", subject=link.subject, title="Return loss", rules=ECHO_RULES,
        x=Axis("frequency", "GHz", 0.0, round(x[-1], 6)), y=Axis("return loss", "dB", 0.0, DEEPEST),
        curves=(*drawn, *edge), spreads=forbidden, marks=(CurveMark("Nyquist", link.standard.nyquist / 1e9),),
        note="the least of it: where it ripples, a line through the lowest points",
    )


def _least(x: list[float], losses: tuple[float, ...]) -> tuple[list[float], list[float]]:
    """Both ends and every point that none beside it is below."""
    last = len(x) - 1
    kept = [i for i in range(last + 1)
            if i in (0, last) or (losses[i] <= losses[i - 1] and losses[i] <= losses[i + 1])]
    return [x[i] for i in kept], [losses[i] for i in kept]


def _mask(
    made: Prepared, quantity: str, frequency: tuple[float, ...], top: float, fine: float
) -> tuple[tuple[ExhibitCurve, ...], tuple[ShadedSpread, ...]]:
    """The mask of a quantity and what it forbids: more insertion loss than it has, or less return loss."""
    for mask in made.task.hot.masks:
        if mask.quantity == quantity:
            inside, limit = mask_limit(mask, np.array(frequency))
            x = (np.array(frequency)[inside] / 1e9).tolist()
            if not x:
                break
            places, edge = _line(x, limit, top, fine)
            ends = ((top if quantity == "insertion-loss" else 0.0),) * len(places)
            low, high = (edge, ends) if quantity == "insertion-loss" else (ends, edge)
            return ((ExhibitCurve("mask", places, edge, "limit"),),
                    (ShadedSpread("forbidden by the mask", places, low, high, "forbidden"),))
    return (), ()


def _line(x: list[float], y: ArrayLike, top: float, fine: float) -> Points:
    return thinned(x, np.minimum(y, top), tolerance=fine * top)


def _ledger(link: BoardLink, made: Prepared, through: ChannelSolution, budget: float | None) -> Bars:
    found: dict[str, dict[str, float]] = {}
    for row in through.ledger:
        name = made.kept[row.element].step.name if row.element >= 0 else "whole path"
        parts = found.setdefault(name, {})
        parts[row.part] = parts.get(row.part, 0.0) + row.loss
    beside = found.setdefault("whole path", {})  # what stubs cost beside their loss at Nyquist
    beside["stubs"] = beside.get("stubs", 0.0) + through.stub_excess.loss
    total: dict[str, float] = {}
    for parts in found.values():
        for kind, loss in parts.items():
            total[kind] = total.get(kind, 0.0) + loss
    bars = [Bar(name, _parts(parts)) for name, parts in found.items()]
    bars = [Bar("sum", _parts(total), whole=True), *(bar for bar in bars if bar.parts)]
    judged = show(through.over_phase.value + through.stub_excess.loss, "dB")
    curves, nyquist = through.curves, link.standard.nyquist
    drawn = show(float(np.interp(nyquist, curves.frequency, curves.loss)), "dB")
    excess = through.stub_excess.loss
    below = f", and {show(excess, 'dB')} that stubs cost below Nyquist" if excess >= LEAST else ""
    beside_it = "" if drawn == judged else f"; the curve has {drawn}"
    return Bars(
        key=f"{link.subject}:ledger", subject=link.subject, rules=LEDGER_RULES, unit="dB",
        title=f"Where {judged} go at {show(nyquist, 'GHz')}",
        note=f"CHN001 judges the mean over the phase of the reflections{below}{beside_it}",
        kinds=KINDS, bars=tuple(bars), limit=budget, limit_name="budget",
    )


def _parts(parts: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple((kind, parts[kind]) for kind in KINDS if abs(parts.get(kind, 0.0)) >= LEAST)


def _tdr(link: BoardLink, made: Prepared, fine: float) -> Exhibit:
    mine, task = tdr_task(made.kept, made.task.hot.z_ref, link.standard.nyquist)
    key, title = f"{link.subject}:tdr", f"Impedance over time, rise {show(rise_time(task.nyquist), 'ps')}"
    seen = profile(task)
    if seen is None:
        return NotShown(key=key, subject=link.subject, title=title, rules=TDR_RULES,
                        reason="the table of a connector ends too low for this step")
    whole = seen.whole * 1e12
    limits = _height(seen, task.z_ref)
    near = _wave([t * 1e12 for t in seen.time], seen.from_1, limits, fine)
    far = _wave([whole - t * 1e12 for t in reversed(seen.time)], tuple(reversed(seen.from_2)), limits, fine)
    marks = [
        CurveMark(f"{mine[one.element].step.name} {one.impedance:.1f} ohm",
                  one.time * 1e12 if one.port == 1 else whole - one.time * 1e12, one.impedance)
        for one in seen.readings if not isinstance(task.elements[one.element], LineSpec)
    ]
    ends = (GRAIN * math.floor(near[0][0] / GRAIN), 4 * GRAIN * math.ceil((whole - seen.time[0] * 1e12) / 4 / GRAIN))
    level = _level((([t * 1e12 for t in seen.time], seen.from_1),
                    ([whole - t * 1e12 for t in reversed(seen.time)], tuple(reversed(seen.from_2)))),
                   ends, rise_time(task.nyquist) * 1e12, limits[1] - limits[0])
    return Series(
        key=key, subject=link.subject, title=title, rules=TDR_RULES,
        x=Axis("round-trip time from the beginning", "ps", *ends, squeezed=level), y=Axis("impedance", "ohm", *limits),
        curves=(ExhibitCurve("from the beginning", *near), ExhibitCurve("from the end", *far, "second"),
                ExhibitCurve("reference", ends, (task.z_ref, task.z_ref), "reference")),
        marks=tuple(marks),
    )


def _height(seen: TdrProfile, reference: float) -> tuple[float, float]:
    values = [*seen.from_1, *seen.from_2, *(one.impedance for one in seen.readings), reference]
    return 5.0 * math.floor(min(values) / 5 - 0.2), 5.0 * math.ceil(max(values) / 5 + 0.2)


def _level(
    curves: Iterable[tuple[ArrayLike, ArrayLike]], ends: tuple[float, float], rise: float, height: float
) -> tuple[tuple[float, float], ...]:
    """The parts of an axis of time in which no curve changes, where they are much of it: they are drawn short.

    ``rise`` is that of the step, in the unit of the axis.
    """
    busy = []
    for x, y in curves:
        time, level = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        step = max(1, math.ceil(rise / float(time[1] - time[0])))
        for i in np.flatnonzero(np.abs(level[step:] - level[:-step]) > STILL * height):
            busy.append((float(time[i]) - BESIDE * rise, float(time[i + step]) + BESIDE * rise))
    found, start = [], ends[0]
    for low, high in [*sorted(busy), (ends[1], ends[1])]:
        short = GRAIN * math.ceil(start / GRAIN), 4 * GRAIN * math.floor(low / 4 / GRAIN)
        if short[1] - short[0] > MUCH * (ends[1] - ends[0]):
            found.append(short)
        start = max(start, high)
    return tuple(found)


def _wave(x: list[float], y: tuple[float, ...], limits: tuple[float, float], fine: float) -> Points:
    return thinned(x, y, tolerance=fine * (limits[1] - limits[0]))
