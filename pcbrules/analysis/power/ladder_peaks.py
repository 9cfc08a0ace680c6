# SPDX-License-Identifier: MIT
"""Parallel resonances of a power ladder: where they are, between which two steps, what would damp them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Real
from pcbrules.networks.pdn import Branch, DampedLoop, LimitedLoop, branch_currents, impedance_at, rail_impedance
from pcbrules.networks.pdn_poles import natural_frequencies
from pcbrules.physics.common.extremes import first_greatest, first_greatest_of_rows, first_least

_ZOOM = np.linspace(0, 1, 17)
_ROUNDS = 3
"""Each divides the step by 8: from a grid of 60 a decade to 8e-5 of the frequency.

There the heights still differ by more than their rounding, and a parabola finds the top between them. Points that lie
closer are all equally high, and the last bit would choose one of them.
"""
SHARP = 6.0
"""A grid of 60 points a decade shows every peak of a pole up to this quality. [-]"""
STEP_SIDES = (1 - 1e-9, 1.0)
"""Multiples of the crossover of a limited loop at which it still acts, and acts no more."""


@dataclass(frozen=True, slots=True)
class Peak:
    """A parallel resonance.

    ``inductive`` and ``capacitive`` are the places in the ladder of the two steps between which it rings: the one with
    the largest surplus of magnetic energy and the one with the largest surplus of electric energy; -1 is the
    regulator. ``quality`` is that of the stored energy, ``damping`` [ohm] the resistance sqrt(L/C) that the loop of
    the two would have to hold. Planes between the last bank and the balls add to ``magnitude`` [ohm] but do not ring.
    """

    frequency: float
    magnitude: float
    quality: float
    damping: float
    inductive: int
    capacitive: int


def with_sharp_places(*, regulator: Branch, ladder: Sequence[Branch], grid: Real) -> Real:
    """Return a grid that shows what lies between its points: peaks of sharp poles, the step of a limited loop.

    Parameters
    ----------
    regulator : Branch
        Output impedance of the closed loop.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls. Of a measured part the poles are those of its nearest circuit.
    grid : ndarray, shape (n,)
        Rising frequencies, 60 a decade or more. [Hz]

    Returns
    -------
    ndarray, shape (m,)
        The grid, with three points within the half width of each pole whose quality is above ``SHARP``. [Hz]
    """
    places = []
    circuits = [regulator]
    if isinstance(regulator, DampedLoop):
        circuits = [DampedLoop(regulator.resistance, regulator.inductance, beside=regulator.beside,
                               until=regulator.until)]
    if isinstance(regulator, LimitedLoop):
        places += [regulator.crossover * np.array(STEP_SIDES)]
        circuits.append(Branch(regulator.resistance, regulator.coils))
    for circuit in circuits if any(branch.shunt for branch in ladder) else ():
        try:
            poles = natural_frequencies(regulator=circuit, ladder=ladder)
        except ValueError:  # ideal capacitors side by side: what is between them does not ring
            continue
        width = np.abs(poles.real / poles)
        sharp = (poles.imag > 0) & (width * 2 * SHARP < 1)
        shares = 1 + np.outer([-1.0, 0.0, 1.0], np.maximum(width[sharp], 1e-9))
        places.append((np.abs(poles[sharp]) / (2 * np.pi) * shares).ravel())
    if not places:
        return grid
    added = np.concatenate(places)
    return np.union1d(grid, added[(added > grid[0]) & (added < grid[-1])])


def peak_frequencies(*, regulator: Branch, ladder: Sequence[Branch], grid: Real) -> Real:
    """Local maxima of |Z| inside the band of a grid, each looked at ever more closely.

    A maximum at the step of a limited loop is the point of the grid there: no parabola has its top.

    Parameters
    ----------
    regulator : Branch
        Output impedance of the closed loop.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls.
    grid : ndarray, shape (n,)
        Two or more rising frequencies, dense enough to show every maximum. [Hz]

    Returns
    -------
    ndarray, shape (m,)
        Rising frequencies, right to 1e-6. [Hz]
    """
    wide = np.concatenate([[grid[0] ** 2 / grid[1]], grid, [grid[-1] ** 2 / grid[-2]]])
    height = abs(rail_impedance(frequency=wide, regulator=regulator, ladder=ladder))
    top = 1 + np.flatnonzero((height[1:-1] > height[:-2]) & (height[1:-1] >= height[2:]))
    low, best, high = wide[top - 1], wide[top], wide[top + 1]
    step = regulator.crossover if isinstance(regulator, LimitedLoop) else np.inf
    at_step, point = (low < step) & (step <= high), best
    row = np.arange(len(top))
    for _ in range(_ROUNDS):
        near = low[:, None] * (high / low)[:, None] ** _ZOOM
        height = abs(rail_impedance(frequency=near, regulator=regulator, ladder=ladder))
        place = np.clip(first_greatest_of_rows(height), 1, len(_ZOOM) - 2)
        low, best, high = near[row, place - 1], near[row, place], near[row, place + 1]
        before, here, after = (height[row, place + step] for step in (-1, 0, 1))
    bend = before - 2 * here + after
    shift = np.clip((before - after) / (2 * np.where(bend < 0, bend, -np.inf)), -1, 1)
    best = best * (high / low) ** (shift / 2)
    best = np.where(at_step, point, best)
    inside: Real = best[(best >= grid[0]) & (best <= grid[-1])]
    return inside


def describe_peak(*, frequency: float, regulator: Branch, ladder: Sequence[Branch]) -> Peak:
    """What rings at a peak.

    Parameters
    ----------
    frequency : float
        Of the peak. [Hz]
    regulator : Branch
        Output impedance of the closed loop.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls; without a shunt among them the regulator alone can ring.

    Returns
    -------
    Peak
        The resonance.
    """
    seen = impedance_at(frequency, regulator=regulator, ladder=ladder)
    last_bank = max((place for place, branch in enumerate(ladder) if branch.shunt), default=-1)
    ringing = ladder[: last_bank + 1]
    currents = branch_currents(frequency=frequency, regulator=regulator, ladder=ringing)
    branches, omega = [regulator, *ringing], 2 * np.pi * frequency
    squares = [abs(current) ** 2 / branch.count for current, branch in zip(currents, branches, strict=True)]
    coils = [omega * branch.inductance * square for branch, square in zip(branches, squares, strict=True)]
    resistances = [branch.resistance for branch in branches]
    if isinstance(regulator, DampedLoop):  # part of its current flows beside the coil
        own = regulator.at(frequency)
        coils[0], resistances[0] = own.imag * squares[0], own.real
    plates = [square / (omega * branch.capacitance) for branch, square in zip(branches, squares, strict=True)]
    loss = sum(resistance * square for resistance, square in zip(resistances, squares, strict=True))
    surplus = np.subtract(coils, plates)
    capacitive = first_least(surplus)
    swing = float((sum(coils) * sum(plates)) ** 0.5)  # reactive power that goes to and fro [VA]
    return Peak(
        frequency=frequency,
        magnitude=abs(seen),
        quality=swing / loss if loss else float("inf"),
        damping=swing / abs(currents[capacitive]) ** 2,
        inductive=first_greatest(surplus) - 1,
        capacitive=capacitive - 1,
    )
