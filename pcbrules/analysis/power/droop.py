# SPDX-License-Identifier: MIT
"""Droop and overshoot of a power rail after a load step of limited slew: a task of plain numbers in, voltages out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.power.ladder import Bank, RailTask, loop_circuit
from pcbrules.analysis.power.plane_poles import rail_network
from pcbrules.analysis.power.plane_rail import PlaneRail
from pcbrules.networks.pdn import Branch
from pcbrules.networks.pdn_poles import rail_poles, regulator_share
from pcbrules.physics.power.pole_extremes import step_extremes
from pcbrules.physics.power.pole_response import Poles
from pcbrules.physics.power.release_overshoot import release_overshoot
from pcbrules.physics.power.slew_limited_release import Release, slew_limited_release
from pcbrules.physics.power.worst_pattern import Pattern, worst_pattern
from pcbrules.solver_cache import solved_once

SHARPEST = 200.0
"""A die that rings with a higher quality than this lacks its resistance; practice [-]."""


@dataclass(frozen=True, slots=True)
class DroopTask:
    """A rail, as a ladder or on planes, its variants, and the load step: size [A], slew [A/s] above zero, voltage [V].

    ``load_line`` [ohm] is the resistance that the regulator imitates by design: its share is no droop. It is part of
    the output resistance, and counts up to that.
    ``release_inductance`` [H] holds the current when the load lets go: the inductors of all phases in parallel, not the
    output inductance of the closed loop; None where it is not known. ``ends`` are further steps and slews, at the ends
    of what the load's tolerances span.
    """

    rail: RailTask | PlaneRail
    variants: tuple[RailTask, ...] | tuple[PlaneRail, ...]
    step: float
    slew: float
    voltage: float
    load_line: float = 0.0
    release_inductance: Interval | None = None
    ends: tuple[tuple[float, float], ...] = ()

    @property
    def rise(self) -> float:
        """Duration of the step. [s]"""
        return self.step / self.slew


@dataclass(frozen=True, slots=True)
class Limited:
    """A release that is faster than the inductors, nominal.

    ``bound`` is L dI^2 / (2 C V) [V], ``rise`` [V] that of the network above the voltage after the release, reached
    ``at`` [s] after its start, ``fall`` the time that the inductors take [s].
    """

    bound: float
    rise: float
    at: float
    fall: float


@dataclass(frozen=True, slots=True)
class Droop:
    """What a load step does at the balls. [V], [s]

    ``droop`` is below the voltage before the step, the load line's share taken off; ``linear`` above the voltage after
    the release, with the regulator's closed loop. ``overshoot`` is the larger one of ``linear`` and of ``limited``,
    where the load falls faster than the inductors; None without their inductance. ``direct`` is the drop over the
    resistances of regulator and planes. ``lowest_at`` counts from the
    start of the step, infinite where the end value is the lowest. ``die`` is the droop at the die, with package and die
    in the network, and ``pattern`` the bound of any pattern of currents there; None without a model of both.
    """

    droop: Interval
    direct: float
    lowest_at: float
    linear: Interval
    overshoot: Interval | None
    limited: Limited | None
    die: float | None
    pattern: Pattern | None


def solve_droop(task: DroopTask) -> Droop | None:
    """Exact from the poles of the network.

    Parameters
    ----------
    task : DroopTask
        The rail and its step.

    Returns
    -------
    Droop or None
        None where a rail has no capacitors: then there is nothing but the regulator.
    """
    if not _banks(task.rail):
        return None
    steps = [task, *(replace(task, step=step, slew=slew) for step, slew in task.ends)]
    cases = [(step, rail) for step in steps for rail in (task.rail, *task.variants)]
    seen = [_at_balls(step, rail) for step, rail in cases]
    droops, linears, places = zip(*seen, strict=True)
    coils = task.release_inductance
    over, limited = None, None
    if coils is not None:
        inductances = dict.fromkeys((coils.value, coils.lo, coils.hi))
        grid = [(linear, _limited(step, rail, one))
                for (step, rail), linear in zip(cases, linears, strict=True) for one in inductances]
        limited = grid[0][1]
        over = _range([max(linear, one.bound, one.rise) if one else linear for linear, one in grid])
    die = die_poles(task.rail)
    return Droop(
        droop=_range(droops),
        direct=task.step * ball_poles(task.rail).direct,
        lowest_at=places[0],
        linear=_range(linears),
        overshoot=over,
        limited=limited,
        die=task.step * step_extremes(poles=die, rise=task.rise).largest if die else None,
        pattern=worst_pattern(poles=die) if die else None,
    )


@solved_once
def ball_poles(rail: RailTask | PlaneRail) -> Poles:
    """Impedance at the balls of a rail with banks, its regulator's loop closed.

    Planes that resonate beyond the band are taken as inductance: how far they ring is a matter of the corners of the
    load's current, which no straight line has.
    """
    if isinstance(rail, PlaneRail):
        return rail_network(rail, rail.regulator).impedance().within(rail.f_max)
    return rail_poles(regulator=loop_circuit(rail), ladder=_ladder(rail))


def die_poles(rail: RailTask | PlaneRail) -> Poles | None:
    """Impedance at the die; None without a model of package and die, or where it rings without end."""
    if rail.package_inductance is None or rail.die_capacitance is None:
        return None
    if isinstance(rail, PlaneRail):
        poles = rail_network(rail, rail.regulator).behind(
            resistance=rail.package_resistance,
            inductance=rail.package_inductance,
            shunt_resistance=rail.die_resistance,
            shunt_capacitance=rail.die_capacitance,
        )
    else:
        package = Branch(rail.package_resistance, rail.package_inductance)
        die = Branch(rail.die_resistance, 0.0, rail.die_capacitance, shunt=True)
        poles = rail_poles(regulator=loop_circuit(rail), ladder=[*_ladder(rail), package, die])
    return poles if np.abs(poles.pole.imag / poles.pole.real).max() <= 2 * SHARPEST else None


def release(task: DroopTask, rail: RailTask | PlaneRail, inductance: float) -> Release | None:
    """The release of a load that falls faster than inductors of this inductance [H]; None if it does not."""
    if task.slew <= task.voltage / inductance:
        return None
    coils = Branch(0.0, inductance)
    if isinstance(rail, PlaneRail):
        network = rail_network(rail, coils)
        poles = network.impedance().within(rail.f_max)
        share = replace(network.share().within(rail.f_max), inductance=0.0)
    else:
        ladder = _ladder(rail)
        poles = rail_poles(regulator=coils, ladder=ladder)
        share = regulator_share(regulator=coils, ladder=ladder)
    return slew_limited_release(
        poles=poles,
        share=share,
        step=task.step,
        fall=task.rise,
        voltage=task.voltage,
        inductance=inductance,
    )


def stored(rail: RailTask | PlaneRail) -> float:
    """Capacitance of all banks. [F]"""
    return sum(bank.count * bank.capacitance for bank in _banks(rail))


def _output_resistance(rail: RailTask | PlaneRail) -> float:
    return rail.regulator.resistance if isinstance(rail, PlaneRail) else rail.vrm_resistance


def _banks(rail: RailTask | PlaneRail) -> list[Bank]:
    steps = rail.banks if isinstance(rail, PlaneRail) else rail.ladder
    return [step for step in steps if isinstance(step, Bank)]


def _at_balls(task: DroopTask, rail: RailTask | PlaneRail) -> tuple[float, float, float]:
    poles = ball_poles(rail)
    found = step_extremes(poles=poles, rise=task.rise)
    droop = max(task.step * (found.largest - min(task.load_line, _output_resistance(rail))), 0.0)
    return droop, task.step * (found.largest - poles.direct), found.at_largest


def _limited(task: DroopTask, rail: RailTask | PlaneRail, inductance: float) -> Limited | None:
    seen = release(task, rail, inductance)
    if seen is None:
        return None
    bound = release_overshoot(
        inductance=inductance, step=task.step, capacitance=stored(rail), voltage=task.voltage
    )
    rise, at = seen.largest
    return Limited(float(bound), rise - task.step * ball_poles(rail).direct, at, float(seen.time[-1]))


def _ladder(rail: RailTask) -> list[Branch]:
    return [
        Branch(step.esr, step.inductance, step.capacitance, step.count, shunt=True)
        if isinstance(step, Bank)
        else Branch(step.resistance, step.inductance)
        for step in rail.ladder
    ]


def _range(values: Sequence[float]) -> Interval:
    return Interval(value=values[0], lo=min(values), hi=max(values))
