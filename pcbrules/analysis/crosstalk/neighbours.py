# SPDX-License-Identifier: MIT
"""What runs beside the traces of a link: from the board file's neighbours to pairs of lines as plain numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pcbrules.analysis.common.reference_impedance import reference_impedance
from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.crosstalk.aggressor_line import broadside_aggressor, coplanar_aggressor
from pcbrules.analysis.crosstalk.reciprocal_neighbours import contradiction, reciprocal_traces
from pcbrules.analysis.crosstalk.solve import CouplingTask
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.section import LEFT_OUT, TraceSection, section
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.link import Neighbour, Trace
from pcbrules.model.stack import PLANE_ROLES
from pcbrules.model.stackup import Copper

NVLINK_FREQUENCY = 25e9
"""Frequency at which the crosstalk of an NVLink is judged beside Nyquist [Hz]."""

BAND = 1.5
"""End of the band over Nyquist [-]."""


@dataclass(frozen=True, slots=True)
class Coupled:
    """A neighbour that couples: its name, the end at which it counts, its task, what was read and assumed, and its
    entry in the board file.

    One of unknown direction counts at ``either`` end, but once where both ends add up. What it couples is an upper end
    where ground beside one of the two is left out (``at_most``).
    """

    name: str
    near_end: bool
    task: CouplingTask
    where: Path
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]
    near: Neighbour
    either: bool = False
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Shielded:
    """A neighbour behind a plane, which does not couple; what says so."""

    assumption: str


def centres_of(link: BoardLink) -> tuple[float, ...]:
    """Frequencies around which the crosstalk of a link is judged. [Hz]"""
    also = (NVLINK_FREQUENCY,) if link.standard.family == "nvlink" else ()
    return tuple(sorted({*also, link.standard.nyquist}))


def neighbours(board: Board, link: BoardLink, temperature: float) -> Iterator[Coupled | Shielded | Missing]:
    """Everything that the board file puts beside the traces of a link.

    The lines are taken at one board temperature [degC]: the cold one has less loss, and more crosstalk.
    """
    silent = [step for step, trace in link.traces() if trace.neighbours is None]
    if silent:  # all at once: a designer who writes one key would be asked for the next
        *names, last = (step.name for step in silent)
        keys = "`, `".join(f"{show_path(step.path)}.neighbours" for step in silent)
        whose = f"{', '.join(names)} and {last}" if names else last
        yield Missing(f"the neighbours of {whose} are not declared ([] if there are none)", keys, silent[0].path)
    for step, trace in link.traces():
        if trace.neighbours is None:
            continue
        for where, other, near in () if trace.neighbours else reciprocal_traces(board, link, trace.layer):
            if near.layer is None or not _plane_between(board, other.layer, trace.layer):
                yield Missing(contradiction(step, where), f"{show_path(step.path)}.neighbours", step.path)
        made = section(board, link, step, temperature) if trace.neighbours else None
        for index, near in enumerate(trace.neighbours):
            where = (*step.path, "neighbours", index)
            name = f"{step.name}.{near.name or index + 1}"
            if isinstance(made, Missing):
                yield Missing(f"{step.name}: {made.reason}", made.key, step.path)
            elif made is not None:
                yield from _at_ends(near, _neighbour(board, link, step, trace, made, near, name, where, temperature))


def _at_ends(near: Neighbour, found: Coupled | Shielded | Missing) -> Iterator[Coupled | Shielded | Missing]:
    """A neighbour at the end where it counts; one of unknown direction counts at both."""
    if isinstance(found, Coupled) and near.direction == "unknown":
        assumed = f"{found.name}: its direction is not known, so it counts at both ends"
        found = replace(found, assumptions=(*found.assumptions, assumed), either=True)
        yield replace(found, near_end=True)
    yield found


def _neighbour(
    board: Board, link: BoardLink, step: PathStep, trace: Trace, made: TraceSection, near: Neighbour, name: str,
    where: Path, temperature: float,
) -> Coupled | Shielded | Missing:
    if made.no_loss is not None:
        return Missing(f"{step.name}: {made.no_loss.reason}", made.no_loss.key, step.path)
    if near.layer is None or near.layer == trace.layer:
        other = coplanar_aggressor(board, step, trace, near, made.task, name)
    elif trace.broadside is not None:
        return Missing(f"{step.name}: no model of the crosstalk of a broadside pair to what runs beside it on another "
                       f"layer than {trace.layer}: what a field solver finds decides "
                       f"(`{link.subject}.crosstalk_elsewhere`)", "", step.path)
    else:
        plane = _plane_between(board, trace.layer, near.layer)
        if plane:
            return Shielded(f"{name}: {plane} shields it from {step.name}")
        other = broadside_aggressor(board, link, step, trace, near, near.layer, name, temperature)
    if isinstance(other, Missing):
        return Missing(other.reason, "", where)
    half = tolerances(board, trace)
    centres = centres_of(link)
    z_victim = reference_impedance(link)
    alike = z_victim / 2 if near.single_ended and trace.paired else z_victim
    run = near.coupled_length
    length = min(run.value, trace.length.value)
    assumptions = other.assumptions
    if run.value > length * (1 + 1e-9):
        assumptions = (*assumptions, f"{name}: {run.text} is longer than {step.name}, taken as long as it")
    # layers whose traces are not left out
    counted = {LEFT_OUT.format(layer) for layer in (trace.layer, *(one.layer for one in trace.neighbours or ()))}
    keys = ("offset" if near.offset is not None else "spacing", "coupled_length", "direction")
    return Coupled(
        name=name,
        near_end=near.direction == "opposite",
        task=CouplingTask(
            victim=replace(made.task, ground=None) if other.at_most else made.task,
            other=other.task,
            spacing=other.spacing,
            length=length,
            z_victim=z_victim,
            z_other=alike if other.z_ref is None else other.z_ref,
            centres=centres,
            highest=max(BAND * link.standard.nyquist, *centres),
            heights=half["dielectric"],
            width=half["width"],
            tolerance=other.tolerance,
            length_tolerance=(half_width(run) or 0.0) / run.value,
            broadside=other.broadside,
        ),
        where=(*where, keys[0]),
        reads=(*((*where, key) for key in keys), *made.reads, *other.reads),
        assumptions=tuple(text for text in (*assumptions, *made.assumptions) if text not in counted),
        near=near,
        at_most=other.at_most,
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
