# SPDX-License-Identifier: MIT
"""The board's part of a channel solved: losses at Nyquist, their parts, and the cost of every stub."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from pcbrules.analysis.channel.element_chain import CORNERS, ChannelLine, Corner, ElementChain, evenly, grid
from pcbrules.analysis.channel.fine_grid import fine_row
from pcbrules.analysis.channel.loss_breakdown import WHOLE, echoes, parts
from pcbrules.analysis.channel.loss_fit import fitted_loss, fitted_value
from pcbrules.analysis.channel.mask_margins import least_return, line_doubt, margins
from pcbrules.analysis.channel.mean_over_phase import loss_over_phase
from pcbrules.analysis.channel.mode_conversion import SINGLE_VIAS, conversion, losses, pair_network, through_loss
from pcbrules.analysis.channel.ripple import highest_between
from pcbrules.analysis.channel.stub_excess import excess, none_better
from pcbrules.analysis.channel.task import (
    ChannelCurves,
    ChannelResult,
    ChannelSolution,
    ChannelTask,
    LeastMargin,
    LedgerLine,
    LineSpec,
    SeriesCap,
    StubCost,
    StubLoss,
    ViaCost,
)
from pcbrules.analysis.channel.via_ends import ripple, worse_margin
from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.lines.solve import solve_lossy
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.vias.solve import solve_via
from pcbrules.analysis.vias.task import ViaResult, ViaSpec
from pcbrules.arrays import Complex, Real
from pcbrules.constants import DECIBEL, LOWEST_FITTED
from pcbrules.missing import Missing
from pcbrules.networks.cascade import cascade
from pcbrules.networks.two_port import TwoPort
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.physics.vias.stub import shunt_return_loss
from pcbrules.solver_cache import solved_once

Solver = Callable[[LineTask], "ChannelLine | Missing"]

REST = 1e-3
"""What stands for zero frequency where the charge between two capacitors is anybody's guess [Hz]."""

COARSE = 300
"""Points of the grid on which a changed via is looked at: six in a ripple of a 5 inch link of 106 Gb/s."""

FENCE_MATTERS = 35e9
"""Above it a sparse fence of ground vias costs more than a stub [Hz]: independent full-wave reference."""


def solve_channel(task: ChannelTask, *, solver: Solver = solve_lossy) -> ChannelResult:
    """Solve a channel.

    Parameters
    ----------
    task : ChannelTask
        Elements as plain numbers.
    solver : callable
        What solves a cross-section.

    Returns
    -------
    ChannelResult
        With ``through`` None, and the reasons, where an element is out of the range of its model.
    """
    lines, vias, unsupported = solve_elements(task, solver)
    row = ElementChain(task, lines, vias, grid(task.nyquist, vias.values(), task.edges))
    row = row if unsupported else fine_row(task, row)
    alone = _worst(task, row, _added_alone)
    together = alone if unsupported else _worst_with_doubt(task, row)
    return ChannelResult(
        through=None if unsupported else _through(task, row, lines, vias),
        vias=tuple(
            ViaCost(
                element=place,
                via=via,
                stubs=tuple(_stub_costs(row, place, via)),
                stub_loss=together.get(place),
                alone=alone.get(place),
            )
            for place, via in vias.items()
        ),
        stub_loss=together.get(WHOLE),
        unsupported=unsupported,
        assumptions=tuple(_assumptions(task, vias, alone=bool(unsupported))),
    )


def mean_loss(task: ChannelTask, *, solver: Solver = solve_lossy) -> float | None:
    """Insertion loss at Nyquist [dB], the mean over the phase of the reflections; None if an element has no model."""
    lines, vias, unsupported = solve_elements(task, solver)
    if unsupported:
        return None
    row = ElementChain(task, lines, vias, np.array([task.nyquist]))
    return loss_over_phase(task, row, 0).value + _converted(row, 0)


def channel_network(task: ChannelTask, frequency: Real, *, solver: Solver = solve_lossy) -> TwoPort:
    """The channel as one two-port on a grid of the caller's choice [Hz]: that of equal legs, where they differ too.

    Raises
    ------
    ValueError
        If an element is out of the range of its model.
    """
    return cascade(_row(task, frequency, solver).elements())


def channel_pair(task: ChannelTask, frequency: Real, *, solver: Solver = solve_lossy) -> Complex:
    """The channel of a pair in its two modes on a grid of the caller's choice [Hz], shape (n, 4, 4).

    Ports: near end differential and common, far end differential and common.

    Raises
    ------
    ValueError
        If an element is out of the range of its model.
    """
    return pair_network(_row(task, frequency, solver))


def channel_curves(task: ChannelTask, frequency: Real, *, solver: Solver = solve_lossy) -> ChannelCurves:
    """The losses of a channel on a grid of the caller's choice [Hz].

    Raises
    ------
    ValueError
        If an element is out of the range of its model.
    """
    row = _row(task, frequency, solver)
    return _curves(frequency, losses(row), through_loss(row, row.with_stubs))


@solved_once
def solve_return(task: ChannelTask, *, bounds: bool) -> LeastMargin | None:
    """Least return loss from 50 MHz to Nyquist [dB], or least margin to the mask of a task that has one.

    On a coarse even grid: within 0.05 dB of ``solve_channel`` at a tenth of its time. None where an element has no
    model. Without ``bounds`` the interval lacks those of the vias. With the heaviest or the lightest vias,
    whichever is worse.
    """
    if task.lightest is not task:
        heavy, light = (solve_return(one, bounds=bounds) for one in (task.heaviest, task.lightest))
        return heavy if heavy is None or light is None else worse_margin(heavy, light)
    end = max((piece[1] for mask in task.masks for piece in mask.pieces), default=task.nyquist)
    try:
        row = _row(task, np.linspace(LOWEST_FITTED, end, COARSE), solve_lossy)
    except ValueError:
        return None
    if task.masks:
        return margins(task, row, 0.0)[0]
    return least_return(task, row, CORNERS if bounds else CORNERS[:1])


def _row(task: ChannelTask, frequency: Real, solver: Solver) -> ElementChain:
    lines, vias, unsupported = solve_elements(task, solver)
    if unsupported:
        raise ValueError("; ".join(f"element {place}: {reason}" for place, reason in unsupported))
    capacitors = sum(isinstance(element, SeriesCap) for element in task.elements)
    return ElementChain(task, lines, vias, np.where(frequency == 0, REST, frequency) if capacitors > 1 else frequency)


def solve_elements(
    task: ChannelTask, solver: Solver
) -> tuple[dict[int, ChannelLine], dict[int, ViaResult], tuple[tuple[int, str], ...]]:
    lines: dict[int, ChannelLine] = {}
    vias: dict[int, ViaResult] = {}
    unsupported = []
    for place, element in enumerate(task.elements):
        if isinstance(element, LineSpec):
            line = solver(element.task)
            if isinstance(line, Missing):
                unsupported.append((place, line.reason))
            else:
                lines[place] = line
        elif isinstance(element, ViaSpec):
            via = solve_via(element)
            if isinstance(via, Missing):
                unsupported.append((place, via.reason))
            else:
                vias[place] = via
    return lines, vias, tuple(unsupported)


def _added(row: ElementChain, corner: Corner) -> dict[int, Real]:
    """Loss that the stubs of each via, and of all, add to the channel. [dB]"""
    without_stubs = {place: (place,) for place in row.with_stubs} | {WHOLE: row.with_stubs}
    return {place: row.loss(corner) - row.loss(corner, without) for place, without in without_stubs.items()}


def _added_alone(row: ElementChain, corner: Corner) -> dict[int, Real]:
    """The same with the stubs of each via alone across a matched line, and the sum for all. [dB]

    What a stub adds to the open end that remains without it; the barrel that the signal travels stays out, so that a
    via answers for its stubs and not for how they meet its other steps.
    """
    added = {}
    for place in row.with_stubs:
        shunt = row.stub_admittance(place, corner)
        added[place] = DECIBEL * np.log(np.abs(1 + shunt * row.task.z_ref / 2))
    return added | {WHOLE: np.sum(list(added.values()), axis=0)}


def _worst(
    task: ChannelTask, row: ElementChain, added_by: Callable[[ElementChain, Corner], dict[int, Real]]
) -> dict[int, StubLoss]:
    """Largest loss that stubs add up to Nyquist; empty if no via has a stub."""
    if not row.with_stubs:
        return {}
    band = row.frequency <= task.nyquist
    frequency = row.frequency[band]
    curves = {corner: added_by(row, corner) for corner in CORNERS}
    found = {}
    for place, nominal in curves["value"].items():
        peaks = [float(np.max(curves[corner][place][band])) for corner in CORNERS]
        most = max(highest_between(frequency, curves[corner][place][band]) for corner in CORNERS)
        at = float(frequency[first_greatest(nominal[band])])
        found[place] = StubLoss(loss=Interval(lo=min(peaks), value=peaks[0], hi=max(*peaks, most)), frequency=at)
    return found


def stubs_together(task: ChannelTask, *, solver: Solver = solve_lossy) -> float | None:
    """Largest loss that all stubs add up to Nyquist, in the channel or on matched lines [dB]; None without a model."""
    lines, vias, unsupported = solve_elements(task, solver)
    if unsupported:
        return None
    row = ElementChain(task, lines, vias, grid(task.nyquist, vias.values()))
    found = [_worst(task, row, added).get(WHOLE) for added in (_added, _added_alone)]
    return max((one.loss.value for one in found if one is not None), default=0.0)


def _worst_with_doubt(task: ChannelTask, row: ElementChain) -> dict[int, StubLoss]:
    """The same in the channel; the interval holds lines of the highest and lowest impedance that missing inputs allow.
    """
    found = _worst(task, row, _added)
    lines = {place: line for place, line in enumerate(task.elements) if isinstance(line, LineSpec)}
    doubts = {place: line_doubt(line) for place, line in lines.items()}
    if not found or not any(doubts.values()):
        return found
    for way in (1, -1):
        other = _worst(task, row.with_lines({place: way * doubt for place, doubt in doubts.items()}), _added)
        found = {place: replace(cost, loss=_holding(cost.loss, other[place].loss)) for place, cost in found.items()}
    return found


def _holding(one: Interval, other: Interval) -> Interval:
    return Interval(lo=min(one.lo, other.lo), value=one.value, hi=max(one.hi, other.hi))


def _stub_costs(row: ElementChain, place: int, via: ViaResult) -> Iterator[StubCost]:
    at = int(np.searchsorted(row.frequency, row.task.nyquist))
    for stub in via.stubs:
        admittance = row.stub_admittance(place, "value", stub.port)[at]
        reflected = shunt_return_loss(admittance=admittance, z_ref=row.task.z_ref)
        yield StubCost(stub=stub, return_loss=float(reflected))


def _through(
    task: ChannelTask, row: ElementChain, lines: Mapping[int, ChannelLine], vias: Mapping[int, ViaResult]
) -> ChannelSolution:
    equal, without_stubs = row.loss(), through_loss(row, row.with_stubs)
    loss, front, back = losses(row)
    at = int(np.searchsorted(row.frequency, task.nyquist))
    even = evenly(row.key, task.nyquist)
    fit = fitted_loss(row.frequency[even], loss[even], f_min=LOWEST_FITTED, f_max=task.nyquist)
    total, converted = float(loss[at]), float(loss[at] - equal[at])
    found = [*parts(task, row, at)]
    line_error = sum(part.loss * lines[part.element].u_loss for part in found
                     if part.element in lines and part.part != "steps")
    bounds = [float(row.loss(corner)[at] - equal[at]) for corner in CORNERS]
    error = float(np.hypot(line_error, max(map(abs, bounds))))
    more = [excess(row, vias.values(), corner) for corner in CORNERS]
    judged = [bound + one.loss - more[0].loss for bound, one in zip(bounds, more, strict=True)]
    via_error = (max(-min(judged), 0.0), max(max(judged), 0.0))
    mean = loss_over_phase(task, row, at)
    rest = mean.value - sum(part.loss for part in found)
    spent = none_better(more[0], found)
    if task.unequal:
        found.append(LedgerLine(WHOLE, "skew", converted))
    shown = ripple(task, row, error / total if total > 0 else 0.0, partial(_on_its_grid, task.lightest, lines))
    return ChannelSolution(
        loss=total,
        fitted=fitted_value(fit, task.nyquist),
        without_stubs=float(without_stubs[at]),
        over_phase=mean + fixed(converted),
        line_error=line_error,
        via_error=via_error,
        fit=fit,
        fom_ild=shown.fom_ild,
        ledger=(*found, LedgerLine(WHOLE, "reflections", rest)),
        margins=shown.margins,
        least_return=shown.least_return,
        curves=_curves(row.frequency, (loss, front, back), without_stubs),
        conversion=conversion(row, at, converted) if task.unequal else None,
        echoes=tuple(echoes(task, row, at)),
        stub_excess=spent,
    )


def _on_its_grid(task: ChannelTask, lines: Mapping[int, ChannelLine]) -> ElementChain | None:
    """A channel on the grid of its own stubs, its lines solved; None where a via has no model."""
    vias = {place: solve_via(element) for place, element in enumerate(task.elements) if isinstance(element, ViaSpec)}
    made = {place: via for place, via in vias.items() if not isinstance(via, Missing)}
    if len(made) < len(vias):
        return None
    return fine_row(task, ElementChain(task, lines, made, grid(task.nyquist, made.values(), task.edges)))


def _converted(row: ElementChain, at: int) -> float:
    """What the difference of the legs costs the differential mode. [dB]"""
    return float(through_loss(row)[at] - row.loss()[at]) if row.task.unequal else 0.0


def _curves(frequency: Real, found: tuple[Real, Real, Real], without_stubs: Real) -> ChannelCurves:
    loss, front, back = found
    return ChannelCurves(
        frequency=tuple(frequency.tolist()),
        loss=tuple(loss.tolist()),
        loss_without_stubs=tuple(without_stubs.tolist()),
        return_loss_1=tuple(front.tolist()),
        return_loss_2=tuple(back.tolist()),
    )


def _assumptions(task: ChannelTask, vias: Mapping[int, ViaResult], *, alone: bool) -> Iterator[str]:
    """What the numbers take for granted."""
    yield from dict.fromkeys(via.model for via in vias.values())
    specs = [element for element in task.elements if isinstance(element, ViaSpec)]
    if any(not spec.hole_fill_known for spec in specs):
        yield "fill of the backdrill holes unknown: 6 % wider bounds of the stub resonance"
    if task.nyquist > FENCE_MATTERS and any(via.wave is None for via in vias.values()):
        yield "above 35 GHz the loss of a via depends on its fence of ground vias, which the stub model leaves out"
    if task.unequal and vias:
        yield SINGLE_VIAS
    if alone and vias:
        yield "cost of the stubs on a matched line, without interference between vias"
