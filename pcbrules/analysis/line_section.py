# SPDX-License-Identifier: MIT
"""The polygons of a line: copper as it is etched, plies without end, solder mask that follows the copper."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from pcbrules.analysis.line_types import Dielectric, LineTask, Ply
from pcbrules.physics.cross_section.section import Polygon, Section


@dataclass(frozen=True, slots=True)
class Drawn:
    """A section, and the material of each of its dielectrics."""

    section: Section
    materials: tuple[Dielectric, ...]


def draw(task: LineTask, permittivity: Callable[[Dielectric], float]) -> Drawn:
    """The section of a task; its lower plane is at y = 0.

    Parameters
    ----------
    task : LineTask
        Lengths in metres; they must be positive.
    permittivity : callable
        Relative permittivity of a material. [-]
    """
    foot = math.fsum(ply.thickness for ply in task.below)
    top = foot + task.thickness
    pitch = 0.0 if task.gap is None else task.gap + max(task.width_foot, task.width_top)
    centres = (0.0,) if task.gap is None else (-pitch / 2, pitch / 2)
    low, high = (task.width_top, task.width_foot) if task.foot_up else (task.width_foot, task.width_top)
    layers = [*_layers(task.below, foot, -1.0), *_layers(task.above, foot, 1.0)]
    if task.cover is not None:
        layers.append((_mask(task, centres, foot, top), task.cover.material))
    upper = foot + math.fsum(ply.thickness for ply in task.above) if task.above and task.closed else None
    section = Section(
        signals=tuple(_trapezoid(x, low, high, foot, top) for x in centres),
        dielectrics=tuple((polygon, permittivity(material)) for polygon, material in layers),
        lower=0.0,
        upper=upper,
    )
    return Drawn(section, tuple(material for _, material in layers))


def _trapezoid(x: float, low: float, high: float, foot: float, top: float) -> Polygon:
    return ((x - low / 2, foot), (x + low / 2, foot), (x + high / 2, top), (x - high / 2, top))


def _layers(plies: tuple[Ply, ...], start: float, up: float) -> list[tuple[Polygon, Dielectric]]:
    """Plies from the trace outwards; neighbours of one material are one."""
    found: list[tuple[Polygon, Dielectric]] = []
    for material, run in groupby(plies, key=lambda ply: ply.material):
        end = start + up * math.fsum(ply.thickness for ply in run)
        found.append((((-math.inf, start), (math.inf, start), (math.inf, end), (-math.inf, end)), material))
        start = end
    return found


def _mask(task: LineTask, centres: tuple[float, ...], foot: float, top: float) -> Polygon:
    """Solder mask: flat on the laminate, round each trace as thick as over it; a gap too narrow for that is full."""
    if task.cover is None:
        raise ValueError("the line has no solder mask")
    beyond = task.cover.thickness if task.cover_over_trace is None else task.cover_over_trace
    base = foot + math.fsum(ply.thickness for ply in task.above)
    low, high = base + task.cover.thickness, top + beyond
    wide = max(task.width_foot, task.width_top) / 2 + beyond
    outline = [(-math.inf, base), (math.inf, base), (math.inf, low)]
    if low < high:
        bumps = [(x - wide, x + wide) for x in centres]
        if len(bumps) == 2 and bumps[0][1] >= bumps[1][0]:
            bumps = [(bumps[0][0], bumps[1][1])]
        for left, right in reversed(bumps):
            outline += [(right, low), (right, high), (left, high), (left, low)]
    return (*outline, (-math.inf, low))
