# SPDX-License-Identifier: MIT
"""The line of a neighbour: its geometry on the victim's layer, or on another layer of the same cavity."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pcbrules.analysis.common.reference_impedance import reference_impedance
from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.crosstalk.broadside_section import Broadside
from pcbrules.analysis.lines.section import second_leg, section_at, turned_over
from pcbrules.analysis.lines.side_ground import side_ground
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.catalogue.systems import LinkStandard as Standard
from pcbrules.model.link import Neighbour, Trace
from pcbrules.model.stack import Stack


@dataclass(frozen=True, slots=True)
class AggressorLine:
    """A neighbour as plain numbers.

    ``task`` is its section; ``z_ref`` the reference of its mode [ohm], None where that of the victim is taken.
    ``spacing`` from edge to edge [m], or ``broadside``: where it is on another layer. ``tolerance`` is that of either
    beyond that of the widths [m]. ``at_most``: ground beside one of the two is left out, of both.
    """

    task: LineTask
    z_ref: float | None
    spacing: float
    broadside: Broadside | None
    tolerance: float
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class _Body:
    """The trace that stands for a neighbour, its place, its link if that is known, conductors, and what was assumed."""

    trace: Trace
    path: Path
    link: BoardLink | None
    conductors: int
    assumptions: tuple[str, ...]


def coplanar_aggressor(
    board: Board, step: PathStep, trace: Trace, near: Neighbour, victim: LineTask, name: str
) -> AggressorLine | Missing:
    """A neighbour on the layer of the victim, or why there is no model of it."""
    body = _body(board, step, trace, near, trace.layer, name)
    if isinstance(body, Missing):
        return body
    if near.spacing is None:
        return Missing(f"{name}: its spacing is not declared")
    task = victim
    if body.trace is not trace:
        second = None
        if body.conductors == 2 and body.trace.broadside is not None and board.stack is not None:
            second = second_leg(board.stack, body.trace, flip=turned_over(board.stack, trace.layer, trace.planes))
        task = replace(
            victim,
            second=second,
            width_foot=body.trace.width.value,
            width_top=(body.trace.top_width or body.trace.width).value,
            gap=body.trace.gap.value if body.conductors == 2 and body.trace.gap else None,
            ground=side_ground(body.trace, body.path, math.fsum(ply.thickness for ply in victim.below), 1.0).ground,
        )
    if task is not victim and any(line.second and line.second.offset for line in (task, victim)):
        return Missing(f"{name}: no model of the crosstalk between a broadside pair with an `offset` and another kind "
                       "of line: the side of the pair decides")
    one_sided = (task.ground is None) != (victim.ground is None)
    assumptions = body.assumptions
    if one_sided:
        task = replace(task, ground=None)
        assumptions = (*assumptions, f"{name}: ground lies beside one of the two traces only (`coplanar`) and is left "
                                     "out: with it they couple less")
    return AggressorLine(task, _reference(body), near.spacing.value, None, half_width(near.spacing) or 0.0, (),
                         assumptions, at_most=one_sided)


def broadside_aggressor(
    board: Board, link: BoardLink, step: PathStep, trace: Trace, near: Neighbour, layer: str, name: str,
    temperature: float,
) -> AggressorLine | Missing:
    """A neighbour on another layer of the victim's cavity, or why there is no model of it.

    The layers may be off each other by the registration of the fabrication.
    """
    stack = board.stack
    if stack is None or stack.reference(layer, up=True) is None or stack.reference(layer, up=False) is None:
        return Missing(f"{name} runs on {layer}, and no plane closes its cavity with {trace.layer} on both sides: no "
                       "model")
    body = _body(board, step, trace, near, layer, name)
    if isinstance(body, Missing):
        return body
    frequency = (body.link or link).standard.nyquist
    single = body.trace if body.conductors == 2 else body.trace.model_copy(update={"gap": None})
    made = section_at(board, single, body.path, frequency, temperature)
    if isinstance(made, Missing):
        return Missing(f"{name}: {made.reason}")
    if made.no_loss is not None:
        return Missing(f"{name}: {made.no_loss.reason}")
    own = board.declared_fabrication.tolerances if board.declared_fabrication else None
    stated = own.registration if own else None
    registration = board.fabrication.registration if stated is None else float(stated.value)
    given = near.offset if near.offset is not None else near.spacing
    tolerance = max(registration, (half_width(given) or 0.0) if given is not None else 0.0)
    if trace.coplanar is not None or made.task.ground is not None:
        return Missing(f"{name} runs on {layer}: no model of traces on two layers with ground beside them")
    place = _broadside(stack, trace, near, layer, made.task)
    return AggressorLine(made.task, _reference(body), 0.0, place, tolerance, made.reads,
                         (*body.assumptions, *made.assumptions))


def _broadside(stack: Stack, trace: Trace, near: Neighbour, layer: str, task: LineTask) -> Broadside:
    """Where the neighbour is in the section of the victim, which may stand upside down."""
    here, there = stack.copper(trace.layer), stack.copper(layer)
    flip = turned_over(stack, trace.layer, trace.planes)
    height = there.top - here.top if flip else here.bottom - there.bottom
    offset = near.offset.value if near.offset is not None else 0.0
    if near.spacing is not None:
        offset = near.spacing.value + _half(trace) + _half_of(task)
    return Broadside(
        height=height,
        offset=offset,
        spacing=height - here.spec.thickness.value if height > 0 else -height - there.spec.thickness.value,
        foot_up=task.foot_up != (flip != turned_over(stack, layer)),
    )


def _half(trace: Trace) -> float:
    """From the centre line to the outer edge of a trace or a pair. [m]"""
    width = float(trace.width.value)
    return width / 2 if trace.gap is None else width + float(trace.gap.value) / 2


def _half_of(task: LineTask) -> float:
    wide = max(task.width_foot, task.width_top)
    return wide / 2 if task.gap is None else wide + task.gap / 2


def _body(board: Board, step: PathStep, trace: Trace, near: Neighbour, layer: str, name: str) -> _Body | Missing:
    """The trace of a neighbour on a layer: of the link that it belongs to, else one like the victim's."""
    alike = f"{name}: assumed a line of the same geometry"
    link = next((link for link in board.links or () if link.name == near.link), None)
    like = trace if layer == trace.layer else trace.model_copy(update={"layer": layer})
    of_victim = 2 if trace.paired else 1
    if link is None and near.single_ended:
        one = like.model_copy(update={"gap": None, "broadside": None})
        return _Body(one, step.path, None, 1, (f"{name}: assumed one trace as wide as a leg, with signals as fast",))
    if link is None:
        return _Body(like, step.path, None, of_victim, (alike,))
    kind = _kind(link.standard)
    if kind is None:
        return Missing(f"{name}: {link.standard.name} is {link.standard.signalling}: no model of such a neighbour")
    on_layer = [(step, body) for step, body in link.traces() if body.layer == layer]
    if not on_layer:
        if kind == 1:
            return Missing(f"{name}: no trace of {near.link} is described on {layer}")
        return _Body(like, step.path, link, of_victim, (f"{alike}: {near.link} has no trace on {layer}",))
    found, body = next(((s, b) for s, b in on_layer if not b.breakout), on_layer[0])
    if body.broadside is not None and layer != trace.layer:
        return Missing(f"{name}: no model of the crosstalk of a broadside pair on another layer, "
                       f"{near.link}.{found.name}")
    if kind == 2 and not body.paired:
        return Missing(f"{name}: the gap of {near.link}.{found.name} is not declared")
    several = len({(b.width.value, b.gap and b.gap.value, b.broadside) for _, b in on_layer}) > 1
    assumed = (f"{name}: of the traces of {near.link} on {layer} it is {found.name}",) if several else ()
    return _Body(body, found.path, link, kind, assumed)


def _reference(body: _Body) -> float | None:
    """Reference impedance of a neighbour's mode [ohm]; None where that of the victim is to be taken."""
    if body.link is None:
        return None
    return reference_impedance(body.link)


def _kind(standard: Standard) -> int | None:
    """Conductors of a lane, None where there is no model."""
    return {"differential": 2, "single-ended": 1}.get(standard.signalling)
