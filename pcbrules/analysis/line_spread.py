# SPDX-License-Identifier: MIT
"""What fabrication tolerances make of the impedance of a line: slopes by differences, root of squares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from pcbrules.analysis.line_fields import REFERENCE
from pcbrules.analysis.line_modes import modes
from pcbrules.analysis.line_types import LineTask, Ply, Unsupported, cut

PROBE = 0.05
"""Part of a tolerance by which an input is moved to find the slope of the impedance [-]."""


def impedance_spread(task: LineTask, tolerances: Mapping[str, float]) -> tuple[float, dict[str, float]] | Unsupported:
    """Relative spread of the differential impedance (of one trace: of its own) over fabrication tolerances.

    Slopes are one-sided: the curvature over the small step makes 0.3 % of them.

    Parameters
    ----------
    task : LineTask
        Nominal cross-section.
    tolerances : mapping of str to float
        Half widths: ``width`` [m] at constant pitch; relative [-] ``dielectric`` (heights on both sides together,
        the cautious choice), ``copper`` (at constant distance from its faces to the planes) and ``dk`` (all plies
        together).

    Returns
    -------
    (float, dict of str to float) or Unsupported
        Root of the sum of squares, and its parts. [-]
    """
    nominal = modes(task)
    if isinstance(nominal, Unsupported):
        return nominal
    z = nominal.odd.impedance()
    parts = {}
    for name, (tolerance, move) in _MOVES.items():
        step = PROBE * tolerances[tolerance]
        moved = modes(move(task, step), odd_only=True)
        if isinstance(moved, Unsupported):
            return Unsupported(f"the tolerance of {name} is larger than its value")
        parts[name] = abs(moved.odd.impedance() - z) / PROBE / z
    # the impedance goes with the root of the permittivity, of which the air keeps its part
    air = nominal.odd.empty / float(nominal.odd.permittivity(REFERENCE).real)
    parts["dk"] = tolerances["dk"] * (1 - air) / 2
    return math.hypot(*parts.values()), parts


def with_width(task: LineTask, moved: float) -> LineTask:
    """The task with traces wider by a length [m], their pitch as it was."""
    gap = None if task.gap is None else task.gap - moved
    return replace(task, width_foot=task.width_foot + moved, width_top=task.width_top + moved, gap=gap)


def _scaled(plies: tuple[Ply, ...], moved: float) -> tuple[Ply, ...]:
    return tuple(replace(ply, thickness=ply.thickness * (1 + moved)) for ply in plies)


def with_heights(task: LineTask, moved: float) -> LineTask:
    """The task with its dielectrics thicker by a share [-] on both sides; what is beside the copper stays."""
    beside, over = cut(task.above, task.thickness)
    return replace(task, below=_scaled(task.below, moved), above=(*beside, *_scaled(over, moved)))


def _thickness(task: LineTask, moved: float) -> LineTask:
    beside, over = cut(task.above, task.thickness)
    return replace(task, thickness=task.thickness * (1 + moved), above=(*_scaled(beside, moved), *over))


_MOVES: dict[str, tuple[str, Callable[[LineTask, float], LineTask]]] = {
    "width": ("width", with_width),
    "height": ("dielectric", with_heights),
    "thickness": ("copper", _thickness),
}
"""Part of the spread: the tolerance that it takes and what it moves."""
