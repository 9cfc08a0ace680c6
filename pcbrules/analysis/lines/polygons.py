# SPDX-License-Identifier: MIT
"""The polygons of a line: copper as it is etched, plies without end, solder mask that follows the copper."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.task import LineTask
from pcbrules.physics.lines.cross_section.section import Polygon, Section


@dataclass(frozen=True, slots=True)
class DrawnSection:
    """A section, and the material of each of its dielectrics."""

    section: Section
    materials: tuple[DielectricPoints, ...]


def draw(task: LineTask, permittivity: Callable[[DielectricPoints], float]) -> DrawnSection:
    """The section of a task; its lower plane is at y = 0.

    Parameters
    ----------
    task : LineTask
        Lengths in metres; they must be positive.
    permittivity : callable
        Relative permittivity of a material. [-]
    """
    pitch = 0.0 if task.gap is None else task.gap + max(task.width_foot, task.width_top)
    centres = (0.0,) if task.gap is None else (-pitch / 2, pitch / 2)
    return _drawn(task, tuple(TraceBar(x, task.width_foot, task.width_top) for x in centres), permittivity)


def draw_coplanar(
    task: LineTask, other: LineTask, spacing: float, permittivity: Callable[[DielectricPoints], float]
) -> DrawnSection:
    """The section of two lines that run beside each other on one layer.

    Parameters
    ----------
    task : LineTask
        The line on the left, and the plies of both; its legs come first.
    other : LineTask
        Of which widths and gap count.
    spacing : float
        Between the nearest edges of the two, at their wider faces. [m]
    permittivity : callable
        Relative permittivity of a material. [-]
    """
    left = [TraceBar(-x, task.width_foot, task.width_top) for x in _from_edge(task, spacing / 2)]
    right = [TraceBar(x, other.width_foot, other.width_top) for x in _from_edge(other, spacing / 2)]
    return _drawn(task, (*reversed(left), *right), permittivity)


def _from_edge(task: LineTask, edge: float) -> tuple[float, ...]:
    """Centres of the legs of a line that begins at an edge. [m]"""
    wide = max(task.width_foot, task.width_top)
    first = edge + wide / 2
    return (first,) if task.gap is None else (first, first + task.gap + wide)


@dataclass(frozen=True, slots=True)
class TraceBar:
    """Centre of a trace and its widths. [m]"""

    centre: float
    width_foot: float
    width_top: float

    def reach(self, beyond: float) -> tuple[float, float]:
        """From where to where its wider face goes, and so much further. [m]"""
        half = max(self.width_foot, self.width_top) / 2 + beyond
        return self.centre - half, self.centre + half


def _drawn(
    task: LineTask, bars: tuple[TraceBar, ...], permittivity: Callable[[DielectricPoints], float]
) -> DrawnSection:
    """The section of traces, from left to right, in the plies of a task."""
    foot = math.fsum(ply.thickness for ply in task.below)
    top = foot + task.thickness
    layers = [*_layers(task.below, foot, -1.0), *_layers(task.above, foot, 1.0)]
    if task.cover is not None:
        layers.append((_mask(task, bars, foot, top), task.cover.material))
    upper = foot + math.fsum(ply.thickness for ply in task.above) if task.above and task.closed else None
    section = Section(
        signals=tuple(trapezoid(bar, foot, top, foot_up=task.foot_up) for bar in bars),
        dielectrics=tuple((polygon, permittivity(material)) for polygon, material in layers),
        lower=0.0,
        upper=upper,
    )
    return DrawnSection(section, tuple(material for _, material in layers))


def trapezoid(bar: TraceBar, foot: float, top: float, *, foot_up: bool) -> Polygon:
    """A trace between two heights [m]."""
    x = bar.centre
    low, high = (bar.width_top, bar.width_foot) if foot_up else (bar.width_foot, bar.width_top)
    return ((x - low / 2, foot), (x + low / 2, foot), (x + high / 2, top), (x - high / 2, top))


def _layers(plies: tuple[Ply, ...], start: float, up: float) -> list[tuple[Polygon, DielectricPoints]]:
    """Plies from the trace outwards; neighbours of one material are one."""
    found: list[tuple[Polygon, DielectricPoints]] = []
    for material, run in groupby(plies, key=lambda ply: ply.material):
        end = start + up * math.fsum(ply.thickness for ply in run)
        found.append((((-math.inf, start), (math.inf, start), (math.inf, end), (-math.inf, end)), material))
        start = end
    return found


def _mask(task: LineTask, bars: tuple[TraceBar, ...], foot: float, top: float) -> Polygon:
    """Solder mask: flat on the laminate, round each trace as thick as over it; a gap too narrow for that is full."""
    if task.cover is None:
        raise ValueError("the line has no solder mask")
    beyond = task.cover.thickness if task.cover_over_trace is None else task.cover_over_trace
    base = foot + math.fsum(ply.thickness for ply in task.above)
    low, high = base + task.cover.thickness, top + beyond
    outline = [(-math.inf, base), (math.inf, base), (math.inf, low)]
    if low < high:
        bumps: list[tuple[float, float]] = []
        for left, right in (bar.reach(beyond) for bar in bars):
            if bumps and bumps[-1][1] >= left:
                bumps[-1] = (bumps[-1][0], right)
            else:
                bumps.append((left, right))
        for left, right in reversed(bumps):
            outline += [(right, low), (right, high), (left, high), (left, low)]
    return (*outline, (-math.inf, low))
