# SPDX-License-Identifier: MIT
"""Copper and plies of a cross-section as the closed forms take them: means, and one dielectric a side."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.mode_fields import reference_dk
from pcbrules.analysis.lines.task import LineTask

PLY_CONTRAST, PLY_DECAY, PLY_ERROR = 1.2, 1.5, 0.06
"""Plies on one side of a trace: largest ratio of their permittivities; beyond a part x of the distance to the plane
lies (1 - x) to this power of the field; error (k = 2) of the impedance over that ratio less 1. Boundary elements, 60
striplines and 60 microstrips of two plies."""


@dataclass(frozen=True, slots=True)
class PlyRegion:
    """Dielectric on one side of a trace: materials with their parts of the field, in series."""

    parts: tuple[tuple[float, DielectricPoints], ...]

    def dk(self) -> float:
        """Relative permittivity at the reference. [-]"""
        return 1 / math.fsum(part / reference_dk(material) for part, material in self.parts)


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """Lossless impedance of one leg in the odd mode, or of a trace [ohm]; name and error (k = 2) of the model [-]."""

    impedance: float
    card: str
    u_z: float


@dataclass(frozen=True, slots=True)
class TraceCopper:
    """Mean width, mean gap and thickness of a trace [m], and its taper: lower less upper width over thickness [-]."""

    width: float
    gap: float | None
    thickness: float
    taper: float


def copper(task: LineTask) -> TraceCopper:
    """Copper of a task, with widths and gap at half its thickness."""
    lean = (task.width_foot - task.width_top) / 2
    return TraceCopper(
        width=(task.width_foot + task.width_top) / 2,
        gap=None if task.gap is None else task.gap + lean,
        thickness=task.thickness,
        taper=(-2 if task.foot_up else 2) * lean / task.thickness,
    )


def crowded(made: TraceCopper, *distances: float) -> str | None:
    """Why the copper is too thick for its gap or its distances to planes [m]; None if it is not.

    No section that a formula was fitted to has a narrower gap or a closer plane than its copper is thick.
    """
    if made.gap is not None and made.gap - abs(made.taper) * made.thickness / 2 < made.thickness:
        return "the gap is narrower than the copper is thick"
    if min(distances) < made.thickness:
        return "a plane is closer than the copper is thick"
    return None


def height(plies: Iterable[Ply]) -> float:
    """Total thickness. [m]"""
    return math.fsum(ply.thickness for ply in plies)


def region(plies: tuple[Ply, ...], *, decay: float = PLY_DECAY) -> PlyRegion:
    """Plies from the trace outwards as one region; neighbours of one material count as one."""
    total = height(plies)
    edges = [0.0, *accumulate(ply.thickness / total for ply in plies)]
    beyond = [max(1 - edge, 0.0) ** decay for edge in edges]
    parts: dict[DielectricPoints, float] = {}
    for ply, near, far in zip(plies, beyond, beyond[1:], strict=False):
        parts[ply.material] = parts.get(ply.material, 0.0) + near - far
    if len(parts) == 1:
        return PlyRegion(((1.0, plies[0].material),))
    return PlyRegion(tuple((part, material) for material, part in parts.items()))


def contrast(regions: Iterable[PlyRegion]) -> float:
    """Largest ratio of the permittivities of materials within one region. [-]"""
    worst = 1.0
    for made in regions:
        values = [reference_dk(material) for _, material in made.parts]
        worst = max(worst, max(values) / min(values))
    return worst


def mixed(regions: Iterable[PlyRegion]) -> str | None:
    """Why the plies on one side of a trace differ too much to count as one; None if they do not."""
    found = contrast(regions)
    if found > PLY_CONTRAST:
        return f"permittivities of the plies on one side differ by {100 * (found - 1):.0f} %, at most 20 %"
    return None
