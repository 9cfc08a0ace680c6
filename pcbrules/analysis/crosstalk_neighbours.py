# SPDX-License-Identifier: MIT
"""What runs beside the traces of a link: from the board file's neighbours to pairs of lines as plain numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pcbrules.analysis.channel import reference_impedance
from pcbrules.analysis.crosstalk_solve import CouplingTask
from pcbrules.analysis.line_tasks import NoSection, Section, section
from pcbrules.analysis.line_tolerances import half_width, tolerances
from pcbrules.analysis.line_types import LineTask
from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink, Path, Step
from pcbrules.model.catalogue.systems import Link as Standard
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Neighbour, Trace
from pcbrules.model.stack import PLANE_ROLES
from pcbrules.model.stackup import Copper

NVLINK_FREQUENCY = 25e9
"""Frequency at which the crosstalk of an NVLink is judged beside Nyquist [Hz]."""

SINGLE_ENDED = 50.0
"""Reference impedance of a single-ended neighbour without one [ohm]; the coupling hardly depends on it."""

BAND = 1.5
"""End of the band over Nyquist [-]."""


@dataclass(frozen=True, slots=True)
class Coupled:
    """A neighbour that couples: its name, the end at which it counts, its task, and what was read and assumed."""

    name: str
    near_end: bool
    task: CouplingTask
    where: Path
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shielded:
    """A neighbour behind a plane, which does not couple; what says so."""

    assumption: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why the crosstalk of a trace cannot be told, the key that would help, and the place in the file."""

    reason: str
    key: str
    where: Path


def neighbours(board: Board, link: BoardLink, conditions: Conditions) -> Iterator[Coupled | Shielded | Unknown]:
    """Everything that the board file puts beside the traces of a link.

    The lines are taken at the cold corner: less loss, more crosstalk.
    """
    for step, trace in link.traces():
        if trace.neighbours is None:
            key = f"{show_path(step.path)}.neighbours"
            yield Unknown(f"what runs beside {step.name} is not given ([] if nothing does)", key, step.path)
            continue
        made = section(board, link, step, trace, conditions.cold) if trace.neighbours else None
        for index, near in enumerate(trace.neighbours):
            where = (*step.path, "neighbours", index)
            name = f"{step.name}.{near.name or index + 1}"
            if isinstance(made, NoSection):
                yield Unknown(f"{step.name}: {made.reason}", made.key, step.path)
            elif made is not None:
                yield _neighbour(board, link, step, trace, made, near, name, where)


def _neighbour(
    board: Board, link: BoardLink, step: Step, trace: Trace, made: Section, near: Neighbour, name: str, where: Path
) -> Coupled | Shielded | Unknown:
    if made.no_loss is not None:
        return Unknown(f"{step.name}: {made.no_loss.reason}", made.no_loss.key, step.path)
    if near.layer is not None and near.layer != trace.layer:
        plane = _plane_between(board, trace.layer, near.layer)
        if plane:
            return Shielded(f"{name}: {plane} shields it from {step.name}")
        reason = f"{name} runs on {near.layer}, in one cavity with {trace.layer}: no section of two layers is solved"
        return Unknown(reason, "", where)
    other = _other_line(board, trace, near, made.task, name)
    if isinstance(other, str):
        return Unknown(other, "", where)
    task, z_other, assumptions = other
    slack = tolerances(board, trace)
    centres = (NVLINK_FREQUENCY,) if link.standard.family == "nvlink" else ()
    centres = tuple(sorted({*centres, link.standard.nyquist}))
    z_victim = reference_impedance(link)
    run = near.coupled_length
    length = min(run.value, trace.length.value)
    if run.value > length * (1 + 1e-9):
        assumptions = (*assumptions, f"{name}: {run.text} is longer than {step.name}, taken as long as it")
    return Coupled(
        name=name,
        near_end=near.direction == "opposite",
        task=CouplingTask(
            victim=made.task,
            other=task,
            spacing=near.spacing.value,
            length=length,
            z_victim=z_victim,
            z_other=z_victim if z_other is None else z_other,
            centres=centres,
            highest=max(BAND * link.standard.nyquist, *centres),
            heights=slack["dielectric"],
            width=slack["width"],
            loose=half_width(near.spacing) or 0.0,
            slack=(half_width(run) or 0.0) / run.value,
        ),
        where=(*where, "spacing"),
        reads=((*where, "spacing"), (*where, "coupled_length"), (*where, "direction"), *made.reads),
        assumptions=(*assumptions, *made.assumptions),
    )


def _plane_between(board: Board, one: str, other: str) -> str:
    """A plane between two layers; empty if there is none."""
    stack = board.stack
    if stack is None or not stack.has(other):
        return ""
    low, high = sorted((stack.order(one), stack.order(other)))
    found = [placed for placed in stack.coppers[low + 1 : high]
             if isinstance(placed.spec, Copper) and placed.spec.role in PLANE_ROLES]
    return found[0].name if found else ""


_Other = tuple[LineTask, float | None, tuple[str, ...]]


def _other_line(board: Board, trace: Trace, near: Neighbour, victim: LineTask, name: str) -> _Other | str:
    """Section of the neighbour with its reference impedance, that of the victim where none is known, and what was
    assumed; or why there is none."""
    alike = f"{name}: taken as a line of the same geometry"
    link = next((link for link in board.links or () if link.name == near.link), None)
    if link is None:
        return victim, None, (alike,)
    kind = _kind(link.standard)
    if kind is None:
        return f"{name}: {link.standard.name} is {link.standard.signalling}: no model of such a neighbour"
    on_layer = [(step, body) for step, body in link.traces() if body.layer == trace.layer]
    if not on_layer:
        if kind == 1:
            return f"{name}: no trace of {near.link} is described on {trace.layer}"
        return victim, _reference(link, kind), (f"{alike}: {near.link} has no trace on {trace.layer}",)
    step, body = next(((s, b) for s, b in on_layer if not b.breakout), on_layer[0])
    if kind == 2 and body.gap is None:
        return f"{name}: the gap of {near.link}.{step.name} is not given"
    task = replace(
        victim,
        width_foot=body.width.value,
        width_top=(body.top_width or body.width).value,
        gap=body.gap.value if kind == 2 and body.gap else None,
    )
    several = len({(b.width.value, b.gap and b.gap.value) for _, b in on_layer}) > 1
    assumed = (f"{name}: of the traces of {near.link} on {trace.layer} it is {step.name}",) if several else ()
    return task, _reference(link, kind), assumed


def _reference(link: BoardLink, conductors: int) -> float:
    """Reference impedance of a neighbour's mode. [ohm]"""
    given = link.spec.impedance is not None or link.standard.impedance is not None
    return reference_impedance(link) if given or conductors == 2 else SINGLE_ENDED


def _kind(standard: Standard) -> int | None:
    """Conductors of a lane, None where there is no model."""
    return {"differential": 2, "single-ended": 1}.get(standard.signalling)
