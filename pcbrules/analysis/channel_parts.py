# SPDX-License-Identifier: MIT
"""The elements of the board's part of a channel, from a link's path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.barrels import Barrel, barrel
from pcbrules.analysis.channel_task import Element, LineSpec, LossSpec, SeriesCap
from pcbrules.analysis.line_tasks import NoSection, dielectric, section
from pcbrules.analysis.lines import Dielectric
from pcbrules.analysis.via_solve import ViaSpec
from pcbrules.model.board import Board, BoardLink, Path, Step
from pcbrules.model.catalogue.select import NoReading, dk_at
from pcbrules.model.link import AcCapacitor, Connector, Package, Trace, Via
from pcbrules.model.stackup import Dielectric as DielectricLayer
from pcbrules.units import show


@dataclass(frozen=True, slots=True)
class Part:
    """One element of the board's part, with its step in the path and what it was read from."""

    step: Step
    element: Element
    reads: tuple[Path, ...] = ()
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """An element that could not be made: why, which key would make it, and the step if there is one."""

    reason: str
    key: str
    where: Path
    step: Step | None = None


def parts(board: Board, link: BoardLink, temperature: float, *, with_package: bool) -> Iterator[Part | Lost]:
    """The elements between the planes of the budget, at a board temperature [degC].

    Connectors at the ends of the path stay out, and packages unless the budget counts them.
    """
    last = len(link.steps) - 1
    for index, step in enumerate(link.steps):
        body = step.body
        if isinstance(body, Trace):
            yield _trace(board, link, step, body, temperature)
        elif isinstance(body, Via):
            yield _via(board, link, step, body)
        elif isinstance(body, AcCapacitor):
            yield _capacitor(board, step, body)
        elif isinstance(body, Package) and with_package:
            yield _declared(step, body, f"links.{link.name}.path[].package.loss")
        elif isinstance(body, Connector) and 0 < index < last:
            yield _declared(step, body, f"links.{link.name}.path[].connector.loss")
    if with_package and not any(isinstance(step.body, Package) for step in link.steps):
        key = f"links.{link.name}.path[].package.loss"
        yield Lost("the budget runs from the die: the package's loss is missing", key, link.path)


def _lost(step: Step, gap: NoSection) -> Lost:
    return Lost(gap.reason, gap.key, step.path, step)


def _trace(board: Board, link: BoardLink, step: Step, trace: Trace, temperature: float) -> Part | Lost:
    found = section(board, link, step, trace, temperature)
    if isinstance(found, NoSection):
        return _lost(step, found)
    if not found.rough:
        layer = board.stack.copper(trace.layer).index if board.stack else 0
        return Lost(f"the foil of {trace.layer} is not given", f"stackup[{layer}].foil", step.path, step)
    reads = ((*step.path, "length"), *found.reads)
    return Part(step, LineSpec(found.task, trace.length.value), reads, found.assumptions)


def _via(board: Board, link: BoardLink, step: Step, via: Via) -> Part | Lost:
    made = barrel(board, step, via)
    kind = made.kind
    stack = board.stack
    if stack is None or kind.antipad is None:
        return Lost("the antipad is not given", f"via_types.{via.type}.antipad", step.path, step)
    for end in made.ends:
        if end.gap:
            reason, key = end.gap
            return Lost(reason, key, step.path, step)
    dk = _barrel_dk(board, made, link.standard.nyquist)
    if isinstance(dk, NoSection):
        return _lost(step, dk)
    value, points = dk
    top, bottom = made.ends
    spec = ViaSpec(
        through_length=made.through,
        upper_stub=top.worst,
        lower_stub=bottom.worst,
        drill_diameter=kind.drill.value,
        antipad_diameter=kind.antipad.width.value,
        dk=value,
        df_points=points,
        hole_fill_known=kind.fill != "unknown" or not kind.backdrills,
    )
    reads = (*top.reads, *bottom.reads, ("via_types", via.type, "drill"), ("via_types", via.type, "antipad", "width"))
    return Part(step, spec, tuple(dict.fromkeys(reads)))


def _barrel_dk(board: Board, made: Barrel, frequency: float) -> tuple[float, Dielectric] | NoSection:
    """Dk along the barrel, weighted by thickness, and the dielectric of the thickest layer."""
    if board.stack is None:
        return NoSection("the board file has no `stackup`", "stackup")
    plies = board.stack.between(*made.kind.span)
    total, height = 0.0, 0.0
    for ply in plies:
        spec = ply.spec
        if not isinstance(spec, DielectricLayer):
            continue
        dk = spec.dk.value if spec.dk is not None else None
        if dk is None:
            reading = dk_at(board.catalogue.laminates[spec.material], frequency)
            if isinstance(reading, NoReading):
                return NoSection(reading.reason, f"materials.laminates.{spec.material}.dk")
            dk = reading.value
        total += dk * spec.thickness.value
        height += spec.thickness.value
    thickest = max(plies, key=lambda ply: ply.spec.thickness.value).spec
    if not isinstance(thickest, DielectricLayer):
        raise TypeError(made.step.name)
    points = dielectric(board, thickest, frequency)
    return points if isinstance(points, NoSection) else (total / height, points)


def _capacitor(board: Board, step: Step, body: AcCapacitor) -> Part:
    assumed: tuple[str, ...] = ()
    if body.loss is not None and body.at is not None:
        loss, at = body.loss.value, body.at.value
    else:
        default = board.catalogue.defaults["ac-capacitor-loss"]
        loss, at = default.typical, default.at or 16e9
        assumed = (f"{step.name}: {loss:g} dB at {show(at, 'GHz')} for capacitor and pads ({default.source})",)
    esr = body.esr.value if body.esr else 0.0
    inductance = body.inductance.value if body.inductance else 0.0
    part = SeriesCap(body.capacitance.value, esr, inductance, loss=loss, frequency=at)
    return Part(step, part, ((*step.path, "capacitance"),), assumed)


def _declared(step: Step, body: Package | Connector, key: str) -> Part | Lost:
    if body.loss is None or body.at is None:
        return Lost(f"the loss of {step.name} and its frequency are not given", key, step.path, step)
    return Part(step, LossSpec(body.loss.value, body.at.value), ((*step.path, "loss"),))
