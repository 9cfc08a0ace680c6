# SPDX-License-Identifier: MIT
"""Impedance of a power rail: a task of plain numbers in, curves with corners and named peaks out.

The impedance is the one that the load sees looking into the board from its balls: all supply balls tied together, all
ground balls tied together, die and package taken off, the regulator closed loop up to its sense point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pcbrules.analysis.power.ladder_peaks import Peak, describe_peak, peak_frequencies, with_sharp_places
from pcbrules.arrays import Complex, Real, distinct
from pcbrules.networks.pdn import Branch, DampedLoop, LimitedLoop, ladder_network, loaded_impedance, rail_impedance
from pcbrules.physics.common.extremes import first_greatest

if TYPE_CHECKING:
    from pcbrules.networks.measured_part import ImpedanceTable

POINTS_PER_DECADE = 60
F_MIN, F_MAX = 100.0, 100e6
"""Band of the curves of a rail. [Hz]"""


@dataclass(frozen=True, slots=True)
class Bank:
    """Equal capacitors in parallel: the numbers are those of one piece, at bias, temperature and age, mounted.

    Capacitance [F], esr [ohm], inductance [H] of part and mounting together. Where a ``table`` of the part's impedance
    is there, it counts, with ``vias`` [H] in series; the three are then those of the nearest circuit.
    """

    count: int
    capacitance: float
    esr: float
    inductance: float
    table: ImpedanceTable | None = None
    vias: float = 0.0

    def branch(self, corner: Corner, count: int | None = None) -> Branch:
        """All pieces, or ``count`` of them, across the rail."""
        circuit = Branch(
            resistance=self.esr * corner.esr,
            inductance=self.inductance * corner.inductance,
            capacitance=self.capacitance * corner.capacitance,
            count=self.count if count is None else count,
            shunt=True,
        )
        if self.table is None:
            return circuit
        from pcbrules.networks.measured_part import MeasuredBranch

        return MeasuredBranch(
            circuit.resistance, circuit.inductance, circuit.capacitance, circuit.count, shunt=True,
            table=self.table, added=self.vias * corner.inductance,
        )


@dataclass(frozen=True, slots=True)
class LadderPlane:
    """Plane between two steps of the ladder, there and back: resistance [ohm], inductance [H]."""

    resistance: float
    inductance: float


@dataclass(frozen=True, slots=True)
class Corner:
    """Factors on the toleranced inputs: ESR and effective capacitance of banks, inductance of banks and planes."""

    esr: float = 1.0
    inductance: float = 1.0
    capacitance: float = 1.0


NOMINAL = Corner()
CORNERS = (
    Corner(esr=0.6),
    Corner(esr=1.4),
    Corner(inductance=1.1),
    Corner(esr=0.6, inductance=1.1),
    Corner(esr=1.4, inductance=1.1),
)


@dataclass(frozen=True, slots=True)
class RailTask:
    """A rail as numbers; SI units.

    ``ladder`` runs from the regulator to the balls. ``f_min`` to ``f_max`` [Hz] is the band of the curves. Package and
    die are no part of the judged impedance; where both are given, the impedance at the die comes with the result.
    With ``vrm_coils`` [H] the regulator is its inductors alone from ``vrm_crossover`` [Hz] on: over frequency only.
    ``vrm_beside`` [ohm] lies beside the inductance of the regulator up to ``vrm_until`` [Hz]: its phase margin.
    """

    vrm_resistance: float
    vrm_inductance: float
    ladder: tuple[Bank | LadderPlane, ...]
    f_min: float = F_MIN
    f_max: float = F_MAX
    corners: tuple[Corner, ...] = CORNERS
    package_resistance: float = 0.0
    package_inductance: float | None = None
    die_resistance: float = 0.0
    die_capacitance: float | None = None
    vrm_table: ImpedanceTable | None = None
    vrm_coils: float | None = None
    vrm_crossover: float = float("inf")
    vrm_beside: float = float("inf")
    vrm_until: float = float("inf")


@dataclass(frozen=True, slots=True)
class Extreme:
    """Largest nominal |Z| in a band [ohm], where it is [Hz], and the smallest and largest of the corners' own."""

    frequency: float
    magnitude: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class RailResult:
    """What a rail does over frequency; arrays are read-only and hold every peak of every corner as a point.

    Attributes
    ----------
    frequency : ndarray, shape (n,)
        Rising frequencies from ``f_min`` to ``f_max``. [Hz]
    nominal, low, high : ndarray, shape (n,)
        |Z| nominal; its smallest and largest value over nominal and corners at each frequency. [ohm]
    corners : ndarray, shape (m, n)
        |Z| of each corner of the task, in order. [ohm]
    die : ndarray, shape (n,), or None
        |Z| seen by the die through the package; None without a model of both. [ohm]
    peaks : tuple of Peak
        Parallel resonances of the nominal rail inside the band, rising in frequency.
    dc_resistance : float
        Regulator and planes in series. [ohm]
    """

    task: RailTask
    frequency: Real
    nominal: Real
    low: Real
    high: Real
    corners: Real
    die: Real | None
    peaks: tuple[Peak, ...]
    dc_resistance: float

    def z_at(self, frequency: float, corner: Corner = NOMINAL) -> complex:
        """Impedance at one frequency [Hz], in or out of the band. [ohm]"""
        return impedance(self.task, np.array([frequency]), corner).item()

    def largest(self, f_max: float | None = None) -> Extreme:
        """Largest |Z| from ``f_min`` to ``f_max`` [Hz], at most that of the task, which None takes."""
        end = self.task.f_max if f_max is None else min(f_max, self.task.f_max)
        inside = self.frequency <= end
        edge = np.array([end])
        nominal = np.append(self.nominal[inside], abs(impedance(self.task, edge)))
        own = [
            max(row[inside].max(initial=0.0), abs(self.z_at(end, corner)))
            for row, corner in zip(self.corners, self.task.corners, strict=True)
        ]
        place = first_greatest(nominal)
        magnitude = float(nominal[place])
        return Extreme(
            frequency=float(np.append(self.frequency[inside], end)[place]),
            magnitude=magnitude,
            low=float(min([magnitude, *own])),
            high=float(max([magnitude, *own])),
        )


def impedance(task: RailTask, frequency: Real, corner: Corner = NOMINAL) -> Complex:
    """Impedance into the balls at ``frequency`` [Hz], same shape. [ohm]"""
    regulator, steps = _branches(task, corner)
    return rail_impedance(frequency=frequency, regulator=regulator, ladder=steps)


def curve_frequencies(task: RailTask, corner: Corner = NOMINAL) -> Real:
    """Return rising frequencies [Hz] that show a rail: a grid of ``POINTS_PER_DECADE``, and all of its peaks."""
    regulator, steps = _branches(task, corner)
    grid = with_sharp_places(regulator=regulator, ladder=steps, grid=_grid(task))
    return np.union1d(grid, peak_frequencies(regulator=regulator, ladder=steps, grid=grid))


def solve_rail(task: RailTask) -> RailResult:
    """Curves, corners and peaks of a rail, cascaded by scikit-rf.

    Parameters
    ----------
    task : RailTask
        The rail.

    Returns
    -------
    RailResult
        Curves on a grid of ``POINTS_PER_DECADE`` and all peaks.
    """
    grid = _grid(task)
    rails = [_branches(task, corner) for corner in (NOMINAL, *task.corners)]
    grids = [with_sharp_places(regulator=regulator, ladder=steps, grid=grid) for regulator, steps in rails]
    peaks = [peak_frequencies(regulator=regulator, ladder=steps, grid=own)
             for (regulator, steps), own in zip(rails, grids, strict=True)]
    frequency = distinct(np.concatenate([*grids, *peaks]))
    curves = [
        loaded_impedance(ladder_network(frequency=frequency, ladder=steps), load=regulator.impedance(frequency))
        for regulator, steps in rails
    ]
    magnitude = np.abs(np.array(curves))
    die = at_die(task, frequency, curves[0])
    low, high = magnitude.min(axis=0), magnitude.max(axis=0)
    for array in (frequency, magnitude, low, high, *([] if die is None else [die])):
        array.setflags(write=False)
    return RailResult(
        task=task,
        frequency=frequency,
        nominal=magnitude[0],
        low=low,
        high=high,
        corners=magnitude[1:],
        die=die,
        peaks=tuple(
            describe_peak(frequency=float(place), regulator=rails[0][0], ladder=rails[0][1]) for place in peaks[0]
        ),
        dc_resistance=task.vrm_resistance
        + sum(step.resistance for step in task.ladder if isinstance(step, LadderPlane)),
    )


def regulator(task: RailTask) -> Branch:
    """Output impedance of the closed loop."""
    if task.vrm_coils is not None:
        return LimitedLoop(task.vrm_resistance, task.vrm_inductance, beside=task.vrm_beside, until=task.vrm_until,
                           coils=task.vrm_coils, crossover=task.vrm_crossover)
    if task.vrm_table is None:
        return loop_circuit(task)
    from pcbrules.networks.measured_part import MeasuredBranch

    return MeasuredBranch(task.vrm_resistance, task.vrm_inductance, table=task.vrm_table)


def loop_circuit(task: RailTask) -> Branch:
    """The same as a circuit: of a measured one the nearest, never the inductors alone."""
    if task.vrm_beside == float("inf"):
        return Branch(resistance=task.vrm_resistance, inductance=task.vrm_inductance)
    return DampedLoop(task.vrm_resistance, task.vrm_inductance, beside=task.vrm_beside, until=task.vrm_until)


def ladder(task: RailTask, corner: Corner = NOMINAL) -> list[Branch]:
    """The steps between regulator and balls; one of no impedance where there is none."""
    steps = [
        step.branch(corner)
        if isinstance(step, Bank)
        else Branch(resistance=step.resistance, inductance=step.inductance * corner.inductance)
        for step in task.ladder
    ]
    return steps or [Branch(resistance=0.0, inductance=0.0)]


def _branches(task: RailTask, corner: Corner) -> tuple[Branch, list[Branch]]:
    return regulator(task), ladder(task, corner)


def _grid(task: RailTask) -> Real:
    count = int(np.ceil(POINTS_PER_DECADE * np.log10(task.f_max / task.f_min))) + 1
    return np.geomspace(task.f_min, task.f_max, count)


def at_die(task: RailTask, frequency: Real, board: Complex) -> Real | None:
    """Return |Z| at the die, shape (n,) [ohm], behind the ``board``'s impedance [ohm]; None without a model of both."""
    if task.package_inductance is None or task.die_capacitance is None:
        return None
    package = Branch(resistance=task.package_resistance, inductance=task.package_inductance).impedance(frequency)
    die = Branch(resistance=task.die_resistance, inductance=0.0, capacitance=task.die_capacitance)
    beside = die.impedance(frequency)
    return np.abs((board + package) * beside / (board + package + beside))
