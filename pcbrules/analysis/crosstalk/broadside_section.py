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

    ``rise`` is the height of its lower face over that of the other one, negative where it is below; ``shift`` the
    distance of their centre lines; ``between`` the dielectric between the faces that look at each other. ``foot_up``
    is that of its traces.
    """

    rise: float
    shift: float
    between: float
    foot_up: bool

    def nearer(self, share: float) -> Broadside:
        """With a dielectric between that is thinner by a share [-]."""
        less = share * self.between
        rise = self.rise - less if self.rise > 0 else self.rise + less
        return replace(self, rise=rise, between=self.between - less)

    def moved(self, distance: float) -> Broadside:
        """Moved aside [m]."""
        return replace(self, shift=self.shift + distance)


Place = tuple[LineTask, LineTask, float, Broadside | None]
"""Two lines, their spacing on one layer [m], and where the second one is if it is on another."""


def draw_broadside(
    task: LineTask, other: LineTask, over: Broadside, permittivity: Callable[[DielectricPoints], float]
) -> DrawnSection:
    """The section of a line with another one on another layer, whose legs come last.

    Parameters
    ----------
    task : LineTask
        The line whose plies are those of both, with a plane above and below.
    other : LineTask
        Of which widths, gap and thickness count.
    over : Over
        Where it is.
    permittivity : callable
        Relative permittivity of a material. [-]
    """
    drawn = draw(task, permittivity)
    foot = sum(ply.thickness for ply in task.below) + over.rise
    wide = max(other.width_foot, other.width_top)
    pitch = 0.0 if other.gap is None else other.gap + wide
    centres = (over.shift,) if other.gap is None else (over.shift - pitch / 2, over.shift + pitch / 2)
    traces = tuple(
        trapezoid(TraceBar(x, other.width_foot, other.width_top), foot, foot + other.thickness, foot_up=over.foot_up)
        for x in centres
    )
    return replace(drawn, section=replace(drawn.section, signals=(*drawn.section.signals, *traces)))


def moves(
    victim: LineTask, other: LineTask, over: Broadside, *, heights: float, width: float, loose: float
) -> dict[str, tuple[float, Place]]:
    """What each tolerance makes of the section: planes further away, layers nearer, traces wider, centres moved.

    Over traces that overlap the coupling of pairs has nulls, so that either way aside may be the louder one.
    """
    return {
        "dielectrics": (heights, (with_heights(victim, heights), other, 0.0, over)),
        "dielectric between": (heights, (victim, other, 0.0, over.nearer(heights))),
        "traces": (width, (with_width(victim, width), with_width(other, width), 0.0, over)),
        "offset": (loose, (victim, other, 0.0, over.moved(-loose))),
        "offset the other way": (loose, (victim, other, 0.0, over.moved(loose))),
    }
