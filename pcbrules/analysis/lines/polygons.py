# SPDX-License-Identifier: MIT
"""The polygons of a line: copper as it is etched, plies without end, solder mask that follows the copper."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.task import LineTask, SecondLeg
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
    bars = tuple(TraceBar(x, task.width_foot, task.width_top) for x in centres)
    edge = centres[-1] + max(task.width_foot, task.width_top) / 2
    grounds = () if task.ground is None else _both_sides(task, edge + task.ground.gap, edge + task.ground.gap
                                                         + task.ground.width)
    drawn = _drawn(task, bars, grounds, permittivity)
    return drawn if task.second is None else _with_second(task, task.second, drawn)


def _with_second(task: LineTask, second: SecondLeg, drawn: DrawnSection) -> DrawnSection:
    leg = _second_leg(task, second, math.fsum(ply.thickness for ply in task.below), 0.0)
    return replace(drawn, section=replace(drawn.section, signals=(*drawn.section.signals, leg)))


def _second_leg(task: LineTask, second: SecondLeg, foot: float, centre: float) -> Polygon:
    """The second leg of a broadside pair, by foot and centre of its first one. [m]"""
    low = foot + second.height
    bar = TraceBar(centre + second.offset, task.width_foot, task.width_top)
    return trapezoid(bar, low, low + second.thickness, foot_up=second.foot_up)


def _both_sides(task: LineTask, start: float, end: float) -> tuple[TraceBar, ...]:
    """Ground on the right from one place to another, and its mirror image. [m]"""
    bar = _ground(task, start, end)
    return replace(bar, centre=-bar.centre), bar


def _ground(task: LineTask, start: float, end: float) -> TraceBar:
    """Ground between two edges of its wider face, whose sides lean as those of the trace. [m]"""
    foot_wider = task.width_foot - task.width_top
    wide = end - start
    return TraceBar((start + end) / 2, wide + min(foot_wider, 0.0), wide - max(foot_wider, 0.0))


def draw_coplanar(
    task: LineTask, other: LineTask, spacing: float, permittivity: Callable[[DielectricPoints], float]
) -> DrawnSection:
    """The section of two lines that run beside each other on one layer; either may be a broadside pair.

    Parameters
    ----------
    task : LineTask
        The line on the left, and the plies of both; its legs come first.
    other : LineTask
        Of which widths, gap, second leg and ground count; it has ground beside it if the line on the left has.
    spacing : float
        Between the nearest edges of the two, at their wider faces. [m]
    permittivity : callable
        Relative permittivity of a material. [-]
    """
    left = [TraceBar(-x, task.width_foot, task.width_top) for x in _from_edge(task, spacing / 2)]
    right = [TraceBar(x, other.width_foot, other.width_top) for x in _from_edge(other, spacing / 2)]
    drawn = _drawn(task, (*reversed(left), *right), _grounds_of_two(task, other, spacing), permittivity)
    if task.second is None and other.second is None:
        return drawn
    foot = math.fsum(ply.thickness for ply in task.below)
    signals = drawn.section.signals
    legs = [*signals[: len(left)]]
    if task.second is not None:
        legs.append(_second_leg(task, task.second, foot, left[0].centre))
    legs += signals[len(left):]
    if other.second is not None:
        legs.append(_second_leg(other, other.second, foot, right[0].centre))
    return replace(drawn, section=replace(drawn.section, signals=tuple(legs)))


def _grounds_of_two(task: LineTask, other: LineTask, spacing: float) -> tuple[TraceBar, ...]:
    """Ground outside of two lines, and between them: one strip where their grounds meet."""
    if task.ground is None or other.ground is None:
        return ()
    ends = [_from_edge(line, spacing / 2)[-1] + max(line.width_foot, line.width_top) / 2 for line in (task, other)]
    left, right = (end + line.ground.gap for end, line in zip(ends, (task, other), strict=True) if line.ground)
    found = [(-left - task.ground.width, -left), (right, right + other.ground.width)]
    low, high = task.ground.gap - spacing / 2, spacing / 2 - other.ground.gap
    inner = [(low, min(low + task.ground.width, high)), (max(high - other.ground.width, low), high)]
    found += inner if inner[0][1] < inner[1][0] else [(low, high)]
    return tuple(_ground(task, *one) for one in found)


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
    task: LineTask, bars: tuple[TraceBar, ...], grounds: tuple[TraceBar, ...],
    permittivity: Callable[[DielectricPoints], float],
) -> DrawnSection:
    """The section of traces, from left to right, and of grounds beside them in the plies of a task."""
    foot = math.fsum(ply.thickness for ply in task.below)
    top = foot + task.thickness
    layers = [*_layers(task.below, foot, -1.0), *_layers(task.above, foot, 1.0)]
    if task.cover is not None:
        layers.append((_mask(task, (*bars, *grounds), foot, top), task.cover.material))
    upper = foot + math.fsum(ply.thickness for ply in task.above) if task.above and task.closed else None
    section = Section(
        signals=tuple(trapezoid(bar, foot, top, foot_up=task.foot_up) for bar in bars),
        grounds=tuple(trapezoid(bar, foot, top, foot_up=task.foot_up) for bar in grounds),
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
        for left, right in sorted(bar.reach(beyond) for bar in bars):
            if bumps and bumps[-1][1] >= left:
                bumps[-1] = (bumps[-1][0], right)
            else:
                bumps.append((left, right))
        for left, right in reversed(bumps):
            outline += [(right, low), (right, high), (left, high), (left, low)]
    return (*outline, (-math.inf, low))
