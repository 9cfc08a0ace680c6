# SPDX-License-Identifier: MIT
"""Two lines on two layers of one cavity: their section, and what fabrication may move in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.lines.polygons import DrawnSection, TraceBar, draw, trapezoid
from pcbrules.analysis.lines.process_variation import with_heights, with_width
from pcbrules.analysis.lines.task import LineTask


@dataclass(frozen=True, slots=True)
class Broadside:
    """Where a line on another layer is, seen from the line whose section it stands in. Lengths in metres.

    ``height`` is the height of its lower face over that of the other one, negative where it is below; ``offset`` the
    distance of their centre lines; ``spacing`` the dielectric between the faces that look at each other. ``foot_up``
    is that of its traces.
    """

    height: float
    offset: float
    spacing: float
    foot_up: bool

    def nearer(self, share: float) -> Broadside:
        """With a dielectric between that is thinner by a share [-]."""
        less = share * self.spacing
        height = self.height - less if self.height > 0 else self.height + less
        return replace(self, height=height, spacing=self.spacing - less)

    def moved(self, distance: float) -> Broadside:
        """Moved aside [m]."""
        return replace(self, offset=self.offset + distance)


Place = tuple[LineTask, LineTask, float, Broadside | None]
"""Two lines, their spacing on one layer [m], and where the second one is if it is on another."""


def draw_broadside(
    task: LineTask, other: LineTask, broadside: Broadside, permittivity: Callable[[DielectricPoints], float]
) -> DrawnSection:
    """The section of a line with another one on another layer, whose legs come last.

    Parameters
    ----------
    task : LineTask
        The line whose plies are those of both, with a plane above and below.
    other : LineTask
        Of which widths, gap and thickness count.
    broadside : Broadside
        Where it is.
    permittivity : callable
        Relative permittivity of a material. [-]
    """
    drawn = draw(task, permittivity)
    foot = sum(ply.thickness for ply in task.below) + broadside.height
    wide = max(other.width_foot, other.width_top)
    pitch = 0.0 if other.gap is None else other.gap + wide
    centres = (broadside.offset,) if other.gap is None else (broadside.offset - pitch / 2, broadside.offset + pitch / 2)
    traces = tuple(
        trapezoid(TraceBar(x, other.width_foot, other.width_top), foot, foot + other.thickness,
                  foot_up=broadside.foot_up)
        for x in centres
    )
    return replace(drawn, section=replace(drawn.section, signals=(*drawn.section.signals, *traces)))


def moves(
    victim: LineTask, other: LineTask, broadside: Broadside, *, heights: float, width: float, tolerance: float
) -> dict[str, tuple[float, Place]]:
    """What each tolerance makes of the section: planes further away, layers nearer, traces wider, centres moved.

    Over traces that overlap the coupling of pairs has nulls, so that either way aside may be the louder one.
    """
    return {
        "dielectrics": (heights, (with_heights(victim, heights), other, 0.0, broadside)),
        "dielectric between": (heights, (victim, other, 0.0, broadside.nearer(heights))),
        "traces": (width, (with_width(victim, width), with_width(other, width), 0.0, broadside)),
        "offset": (tolerance, (victim, other, 0.0, broadside.moved(-tolerance))),
        "offset the other way": (tolerance, (victim, other, 0.0, broadside.moved(tolerance))),
    }
