# SPDX-License-Identifier: MIT
"""What a solver of cross-sections finds: per mode the capacitance, where the field is, where the current crowds.

The field solver and the closed forms beside it give the same shape.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from scipy.constants import c, epsilon_0

from pcbrules.analysis.line_types import Dielectric, LineTask, ModeName, Ply
from pcbrules.physics.dielectric import permittivity

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]

REFERENCE = 5e9
"""Frequency of the permittivity in an impedance [Hz]: about that of a TDR step on a coupon."""

PLY_CONTRAST, PLY_DECAY, PLY_ERROR = 1.2, 1.5, 0.06
"""Plies on one side of a trace: largest ratio of their permittivities; beyond a part x of the distance to the plane
lies (1 - x) to this power of the field; error (k = 2) of the impedance over that ratio less 1. Boundary elements, 60
striplines and 60 microstrips of two plies."""


@dataclass(frozen=True, slots=True)
class Region:
    """Dielectric on one side of a trace: materials with their parts of the field, in series."""

    parts: tuple[tuple[float, Dielectric], ...]

    def permittivity(self, frequency: Real | float) -> Complex:
        """Relative permittivity. [-]"""
        if len(self.parts) == 1:
            return permittivity(frequency=frequency, points=self.parts[0][1].points)
        series = sum(part / permittivity(frequency=frequency, points=made.points) for part, made in self.parts)
        return np.asarray(1 / series)

    def dk(self) -> float:
        """Relative permittivity at the reference. [-]"""
        return float(self.permittivity(REFERENCE).real)


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode, per leg.

    ``name``: ``odd``, ``even`` or ``single``. ``air``: capacitance of the empty section over epsilon_0 [-]. ``empty``
    and ``filling``: weights of air and of the dielectrics in the effective permittivity [-]. ``crowding``: resistance
    over surface resistance of lower face, upper face, sides, plane below, plane above [1/m]; closed forms have none.
    """

    name: ModeName
    air: float
    empty: float
    filling: tuple[tuple[float, Region], ...]
    crowding: tuple[float, ...]

    def permittivity(self, frequency: Real | float) -> Complex:
        """Effective permittivity. [-]"""
        parts = [weight * region.permittivity(frequency) for weight, region in self.filling]
        return np.asarray(self.empty + np.sum(parts, axis=0))

    def impedance(self) -> float:
        """Lossless impedance of one leg at the reference. [ohm]"""
        return float(1 / (c * epsilon_0 * self.air * math.sqrt(float(self.permittivity(REFERENCE).real))))


@dataclass(frozen=True, slots=True)
class Modes:
    """Even and odd mode of a pair, or twice the one mode of a trace; name and errors (k = 2) of the model.

    ``u_z`` is that of the impedance, ``u_filling`` that of the dielectric loss for given materials. [-]
    """

    even: Mode
    odd: Mode
    card: str
    u_z: float
    u_filling: float


@dataclass(frozen=True, slots=True)
class Copper:
    """Mean width, mean gap and thickness of a trace [m], and its taper: lower less upper width over thickness [-]."""

    width: float
    gap: float | None
    thickness: float
    taper: float


def copper(task: LineTask) -> Copper:
    """Copper of a task, with widths and gap at half its thickness."""
    lean = (task.width_foot - task.width_top) / 2
    return Copper(
        width=(task.width_foot + task.width_top) / 2,
        gap=None if task.gap is None else task.gap + lean,
        thickness=task.thickness,
        taper=(-2 if task.foot_up else 2) * lean / task.thickness,
    )


def crowded(made: Copper, *distances: float) -> str | None:
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


def cut(plies: tuple[Ply, ...], depth: float) -> tuple[tuple[Ply, ...], tuple[Ply, ...]]:
    """The plies up to a depth [m] and those beyond it; one of them may be cut in two."""
    before: list[Ply] = []
    beyond: list[Ply] = []
    left = depth
    for ply in plies:
        inside = min(max(left, 0.0), ply.thickness)
        if inside > 0:
            before.append(Ply(inside, ply.material))
        if ply.thickness - inside > 1e-9 * depth:
            beyond.append(Ply(ply.thickness - inside, ply.material))
        left -= ply.thickness
    return tuple(before), tuple(beyond)


def region(plies: tuple[Ply, ...], *, decay: float = PLY_DECAY) -> Region:
    """Plies from the trace outwards as one region; neighbours of one material count as one."""
    total = height(plies)
    edges = [0.0, *accumulate(ply.thickness / total for ply in plies)]
    beyond = [max(1 - edge, 0.0) ** decay for edge in edges]
    parts: dict[Dielectric, float] = {}
    for ply, near, far in zip(plies, beyond, beyond[1:], strict=False):
        parts[ply.material] = parts.get(ply.material, 0.0) + near - far
    if len(parts) == 1:
        return Region(((1.0, plies[0].material),))
    return Region(tuple((part, material) for material, part in parts.items()))


def contrast(regions: Iterable[Region]) -> float:
    """Largest ratio of the permittivities of materials within one region. [-]"""
    worst = 1.0
    for made in regions:
        values = [Region(((1.0, material),)).dk() for _, material in made.parts]
        worst = max(worst, max(values) / min(values))
    return worst


def mixed(regions: Iterable[Region]) -> str | None:
    """Why the plies on one side of a trace differ too much to count as one; None if they do not."""
    found = contrast(regions)
    if found > PLY_CONTRAST:
        return f"permittivities of the plies on one side differ by {100 * (found - 1):.0f} %, at most 20 %"
    return None
