# SPDX-License-Identifier: MIT
"""How fabrication moves the cross-section of a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pcbrules.analysis.common.dielectrics import Ply, cut
from pcbrules.analysis.lines.task import LineTask, SideGround


def with_width(task: LineTask, moved: float) -> LineTask:
    """The task with traces and the ground beside them wider by a length [m], their pitch as it was."""
    gap = None if task.gap is None else task.gap - moved
    ground = task.ground and SideGround(task.ground.gap - moved, task.ground.width + moved)
    return replace(task, width_foot=task.width_foot + moved, width_top=task.width_top + moved, gap=gap, ground=ground)


def with_heights(task: LineTask, moved: float) -> LineTask:
    """The task with its dielectrics thicker by a share [-] on both sides; what is beside the copper stays."""
    beside, over = cut(task.above, task.thickness)
    second = task.second
    if second is not None:
        further = moved * second.between(task.thickness)
        second = replace(second, height=second.height + (further if second.height > 0 else -further))
    return replace(task, below=_scaled(task.below, moved), above=(*beside, *_scaled(over, moved)), second=second)


def with_thickness(task: LineTask, moved: float) -> LineTask:
    """The task with copper thicker by a share [-], at constant distance from its faces to the planes."""
    beside, over = cut(task.above, task.thickness)
    second = task.second
    if second is not None and second.height > 0:
        second = replace(second, height=second.height + moved * task.thickness)
    return replace(task, thickness=task.thickness * (1 + moved), above=(*_scaled(beside, moved), *over), second=second)


def _scaled(plies: tuple[Ply, ...], moved: float) -> tuple[Ply, ...]:
    return tuple(replace(ply, thickness=ply.thickness * (1 + moved)) for ply in plies)


MOVES: dict[str, Callable[[LineTask, float], LineTask]] = {
    "width": with_width,
    "height": with_heights,
    "thickness": with_thickness,
}
"""What moves the section: the width [m], and heights and thickness [-]."""
