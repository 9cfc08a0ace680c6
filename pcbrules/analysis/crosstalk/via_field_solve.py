# SPDX-License-Identifier: MIT
"""Bound of the crosstalk between the vias of two pairs, as plain numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.common.out_of_range import BARREL, in_file_words
from pcbrules.analysis.vias.solve import solve_via
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.arrays import Real
from pcbrules.constants import DECIBEL
from pcbrules.missing import Missing
from pcbrules.physics.vias.via_coupling import barrel_current, largest_mutual_impedance
from pcbrules.solver_cache import solved_once

Depths = tuple[float, float]
"""Upper and lower end. [m]"""

LEAST_DEPTH = 1e-9
"""Depth that is none: layers are placed to a nanometre. [m]"""

POINTS = 64
"""Places along the common run: 256 change the bound by 0.01 dB at most."""

U_BOUND = 0.12
"""Error (k = 2) of the bound [-], 1 dB: thick barrels near each other 5 %, impedance and delay of both barrels 3 % each
where they count most, planes of unequal distance."""


@dataclass(frozen=True, slots=True)
class BarrelPlace:
    """A pair of barrels in the board, lengths and depths in metres.

    ``spec`` has its constants; ``depth`` is that of the upper layer in use, ``through`` the barrel from there to the
    lower one, ``upper`` and ``lower`` what is left beyond; ``z_ref`` the differential reference impedance [ohm].
    """

    spec: ViaSpec
    depth: float
    through: float
    upper: float
    lower: float
    pitch: float
    z_ref: float

    @property
    def ends(self) -> tuple[float, float]:
        """Depth of the upper and of the lower end. [m]"""
        return self.depth - self.upper, self.depth + self.through + self.lower


@dataclass(frozen=True, slots=True)
class ViaFieldTask:
    """Two pairs of barrels: where the second stands, seen from the first [m], and the frequencies in question [Hz].

    ``tolerance`` is by how much the distance may be smaller [m]; ``dk`` that of the laminate around both [-]; ``rooms``
    are the depths between planes, and outside the outermost [m].
    """

    victim: BarrelPlace
    other: BarrelPlace
    along: float
    across: float
    tolerance: float
    dk: float
    rooms: tuple[tuple[float, float], ...]
    centres: tuple[float, ...]

    @property
    def run(self) -> tuple[float, float]:
        """Depths between which both barrels stand; the first is the larger one where there is no such run. [m]"""
        mine, others = self.victim.ends, self.other.ends
        return max(mine[0], others[0]), min(mine[1], others[1])

    @property
    def rings(self) -> tuple[tuple[float, Depths, Depths], ...]:
        """Rooms in which the wave counts beyond a common run: by how much, and where either barrel stands there. [m]

        The voltage of a wave between two planes is the same all the way between them: barrels that stand over parts
        l_1 and l_2 of the height h couple as over l_1 l_2 / h, though neither reaches the other.
        """
        found = []
        for room in self.rooms:
            mine, other = _within(room, self.victim.ends), _within(room, self.other.ends)
            both = max(min(mine[1], other[1]) - max(mine[0], other[0]), 0.0)
            more = (mine[1] - mine[0]) * (other[1] - other[0]) / (room[1] - room[0]) - both
            if more > LEAST_DEPTH:
                found.append((more, mine, other))
        return tuple(found)

    @property
    def depth(self) -> float:
        """Depth in which both couple: the common run, and what the waves add; 0 where they do not. [m]"""
        return max(self.run[1] - self.run[0], 0.0) + sum(more for more, _, _ in self.rings)

    @property
    def nearest(self) -> float:
        """Distance of the nearest barrels of the two pairs, parallel or at right angles as is nearer. [m]"""
        middle, mine, other = complex(self.along, self.across), self.victim.pitch / 2, self.other.pitch / 2
        return min(abs(middle + one * other * turn - two * mine) for turn in (1, 1j) for one in (1, -1)
                   for two in (1, -1))


def _within(room: Depths, ends: Depths) -> Depths:
    """The part of a barrel that stands in a room, of no length where none does."""
    upper, lower = max(room[0], ends[0]), min(room[1], ends[1])
    return upper, max(upper, lower)


@dataclass(frozen=True, slots=True)
class ViaFieldResult:
    """Bound of |S|^2 at either end, by centre, and by how much a tolerance of the distance raises it [dB].

    ``mutual`` is the mutual impedance per metre [ohm/m], ``standing`` the mean product of both currents over those of
    matched lines [-], by centre.
    """

    power: tuple[float, ...]
    spread: float
    mutual: tuple[float, ...]
    standing: tuple[float, ...]


@solved_once
def solve_via_field(task: ViaFieldTask) -> ViaFieldResult | Missing:
    """Bound of the crosstalk of two pairs of barrels at the centres of the task, or why there is no model."""
    frequency = np.array(task.centres)
    made = _bound(task, frequency, task.along, task.across)
    if isinstance(made, Missing):
        return made
    size, mutual, standing = made
    spread = 0.0
    apart = math.hypot(task.along, task.across)
    if task.tolerance > 0:
        nearer = max(1 - task.tolerance / apart, 0.0)
        closer = _bound(task, frequency, task.along * nearer, task.across * nearer)
        if isinstance(closer, Missing):
            return closer
        spread = float(np.max(DECIBEL * np.log(closer[0] / size)))
    return ViaFieldResult(
        tuple((size**2).tolist()), max(spread, 0.0), tuple(mutual.tolist()), tuple(standing.tolist())
    )


def via_field_over(task: ViaFieldTask, frequency: Real) -> Real | Missing:
    """Bound of the coupling (f,) [-] at frequencies (f,) above zero [Hz]."""
    made = _bound(task, frequency, task.along, task.across)
    return made if isinstance(made, Missing) else made[0]


def _bound(
    task: ViaFieldTask, frequency: Real, along: float, across: float
) -> tuple[Real, Real, Real] | Missing:
    """|S|, mutual impedance per metre, and product of the currents.

    By reciprocity S = integral of z_m i_1 i_2 dx / (2 sqrt(Z_1 Z_2)), i over the current of a matched line. Phases are
    left out, so it bounds both ends.
    """
    first, second = task.victim, task.other
    rings, run = task.rings, task.run[1] - task.run[0]
    places = [(task.run, *(mine for _, mine, _ in rings)), (task.run, *(other for _, _, other in rings))]
    middles = (np.arange(POINTS) + 0.5) / POINTS
    currents = []
    for one, parts in zip((first, second), places, strict=True):
        depth = np.concatenate([upper + (lower - upper) * middles for upper, lower in parts])
        made = solve_via(one.spec)
        if isinstance(made, Missing):
            return made
        dk, leg = made.line(frequency)
        left = barrel_current.card.outside(impedance=2 * made.impedance.value, z_ref=one.z_ref)
        if left:
            return Missing(f"via field: {in_file_words(left, BARREL)}")
        currents.append(
            barrel_current(
                frequency=frequency,
                place=depth - one.depth,
                through=one.through,
                upper_end=one.upper + made.extension if one.upper else 0.0,
                lower_end=one.lower + made.extension if one.lower else 0.0,
                impedance=2 * np.asarray(leg),
                dk=dk,
                z_ref=one.z_ref,
            ).reshape(len(frequency), -1, POINTS)
        )
    left = largest_mutual_impedance.card.outside(
        frequency=frequency, pitch=first.pitch, other_pitch=second.pitch, dk=task.dk
    )
    if left:
        return Missing(f"via field: {in_file_words(left, BARREL)}")
    mutual = largest_mutual_impedance(
        frequency=frequency,
        along=along,
        across=across,
        pitch=first.pitch,
        other_pitch=second.pitch,
        dk=task.dk,
        closest=(first.spec.drill_diameter + second.spec.drill_diameter) / 2,
    )
    total = max(run, 0.0) * np.mean(currents[0][:, 0] * currents[1][:, 0], axis=1)
    for k, (more, _, _) in enumerate(rings, 1):
        total = total + more * np.mean(currents[0][:, k], axis=1) * np.mean(currents[1][:, k], axis=1)
    return mutual * total / (2 * math.sqrt(first.z_ref * second.z_ref)), mutual, total / task.depth
