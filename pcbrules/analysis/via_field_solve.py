# SPDX-License-Identifier: MIT
"""Bound of the crosstalk between the vias of two pairs, as plain numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.line_types import Unsupported
from pcbrules.analysis.via_solve import solve_via
from pcbrules.analysis.via_task import ViaSpec
from pcbrules.physics.via_coupling import barrel_current, largest_mutual_impedance

Real = NDArray[np.float64]

POINTS = 64
"""Places along the common run: 256 change the bound by 0.01 dB at most."""

U_BOUND = 0.12
"""Error (k = 2) of the bound [-], 1 dB: thick barrels near each other 5 %, impedance and delay of both barrels 3 % each
where they count most, planes of unequal distance."""

DECIBEL = 20 / math.log(10)
"""Decibels of a neper."""


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

    ``loose`` is by how much the distance may be smaller [m]; ``dk`` that of the laminate around both [-].
    """

    victim: BarrelPlace
    other: BarrelPlace
    along: float
    across: float
    loose: float
    dk: float
    centres: tuple[float, ...]

    @property
    def run(self) -> tuple[float, float]:
        """Depths between which both barrels stand; the first is the larger one where there is no such run. [m]"""
        mine, others = self.victim.ends, self.other.ends
        return max(mine[0], others[0]), min(mine[1], others[1])

    @property
    def nearest(self) -> float:
        """Distance of the nearest barrels of the two pairs, parallel or at right angles as is nearer. [m]"""
        middle, mine, other = complex(self.along, self.across), self.victim.pitch / 2, self.other.pitch / 2
        return min(abs(middle + one * other * turn - two * mine) for turn in (1, 1j) for one in (1, -1)
                   for two in (1, -1))


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


@lru_cache(maxsize=4096)
def solve_via_field(task: ViaFieldTask) -> ViaFieldResult | Unsupported:
    """Bound of the crosstalk of two pairs of barrels at the centres of the task, or why there is no model."""
    frequency = np.array(task.centres)
    made = _bound(task, frequency, task.along, task.across)
    if isinstance(made, Unsupported):
        return made
    size, mutual, standing = made
    spread = 0.0
    apart = math.hypot(task.along, task.across)
    if task.loose > 0:
        nearer = max(1 - task.loose / apart, 0.0)
        closer = _bound(task, frequency, task.along * nearer, task.across * nearer)
        if isinstance(closer, Unsupported):
            return closer
        spread = float(np.max(DECIBEL * np.log(closer[0] / size)))
    return ViaFieldResult(
        tuple((size**2).tolist()), max(spread, 0.0), tuple(mutual.tolist()), tuple(standing.tolist())
    )


def via_field_over(task: ViaFieldTask, frequency: Real) -> Real | Unsupported:
    """Bound of the coupling (f,) [-] at frequencies (f,) above zero [Hz]."""
    made = _bound(task, frequency, task.along, task.across)
    return made if isinstance(made, Unsupported) else made[0]


def _bound(
    task: ViaFieldTask, frequency: Real, along: float, across: float
) -> tuple[Real, Real, Real] | Unsupported:
    """|S|, mutual impedance per metre, and product of the currents.

    By reciprocity S = integral of z_m i_1 i_2 dx / (2 sqrt(Z_1 Z_2)), i over the current of a matched line. Phases are
    left out, so it bounds both ends.
    """
    first, second = task.victim, task.other
    upper, lower = task.run
    step = (lower - upper) / POINTS
    depth = upper + step * (np.arange(POINTS) + 0.5)
    currents = []
    for one in (first, second):
        made = solve_via(one.spec)
        if isinstance(made, Unsupported):
            return made
        dk, leg = made.line(frequency)
        left = barrel_current.card.outside(impedance=2 * made.impedance.value, z_ref=one.z_ref)
        if left:
            return Unsupported(f"via field: {left}")
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
            )
        )
    left = largest_mutual_impedance.card.outside(
        frequency=frequency, pitch=first.pitch, other_pitch=second.pitch, dk=task.dk
    )
    if left:
        return Unsupported(f"via field: {left}")
    mutual = largest_mutual_impedance(
        frequency=frequency,
        along=along,
        across=across,
        pitch=first.pitch,
        other_pitch=second.pitch,
        dk=task.dk,
        closest=(first.spec.drill_diameter + second.spec.drill_diameter) / 2,
    )
    standing = np.mean(currents[0] * currents[1], axis=1)
    return mutual * (lower - upper) * standing / (2 * math.sqrt(first.z_ref * second.z_ref)), mutual, standing
