# SPDX-License-Identifier: MIT
"""Droop and overshoot of a power rail after a load step of limited slew: a task of plain numbers in, voltages out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.analysis.pdn_solve import Bank, RailTask
from pcbrules.networks.pdn import Branch
from pcbrules.networks.pdn_poles import rail_poles
from pcbrules.physics.pole_response import Pattern, step_extremes, worst_pattern
from pcbrules.physics.release_overshoot import release_overshoot


@dataclass(frozen=True, slots=True)
class DroopTask:
    """A rail, its variants, and the load step: size [A], slew [A/s] above zero, set voltage [V].

    ``load_line`` [ohm] is the resistance that the regulator imitates by design: its share is no droop.
    """

    rail: RailTask
    variants: tuple[RailTask, ...]
    step: float
    slew: float
    voltage: float
    load_line: float = 0.0


@dataclass(frozen=True, slots=True)
class Range:
    """Nominal value and its ends over the variants. [V]"""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Droop:
    """What a load step does at the balls.

    ``droop`` is below the voltage before the step, the load line's share taken off; ``overshoot`` above the voltage
    after the release, the larger of ``linear`` (the network) and ``released`` (the energy of the regulator's output
    inductance). ``lowest_at`` [s] counts from the start of the step, infinite where the end value is the lowest.
    ``die`` is the droop at the die, with package and die in the network, and ``pattern`` the bound of any pattern of
    currents there; None without a model of both.
    """

    droop: Range
    overshoot: Range
    linear: float
    released: float
    lowest_at: float
    die: float | None
    pattern: Pattern | None


def solve_droop(task: DroopTask) -> Droop | None:
    """Exact from the poles of the ladder.

    Parameters
    ----------
    task : DroopTask
        The rail and its step.

    Returns
    -------
    Droop or None
        None where a rail has no capacitors: then there is nothing but the regulator.
    """
    if not any(isinstance(step, Bank) for step in task.rail.ladder):
        return None
    seen = [_at_balls(task, rail) for rail in (task.rail, *task.variants)]
    droops, linears, released, places = zip(*seen, strict=True)
    over = [max(pair) for pair in zip(linears, released, strict=True)]
    die, pattern = _at_die(task)
    return Droop(_range(droops), _range(over), linears[0], released[0], places[0], die, pattern)


def _at_balls(task: DroopTask, rail: RailTask) -> tuple[float, float, float, float]:
    poles = rail_poles(regulator=_regulator(rail), ladder=_ladder(rail))
    found = step_extremes(poles=poles, rise=task.step / task.slew)
    stored = sum(step.count * step.capacitance for step in rail.ladder if isinstance(step, Bank))
    released = release_overshoot(
        inductance=rail.vrm_inductance, step=task.step, capacitance=stored, voltage=task.voltage
    )
    droop = max(task.step * (found.largest - task.load_line), 0.0)
    return droop, task.step * (found.largest - poles.direct), float(released), found.at_largest


def _at_die(task: DroopTask) -> tuple[float | None, Pattern | None]:
    rail = task.rail
    if rail.package_inductance is None or rail.die_capacitance is None:
        return None, None
    package = Branch(rail.package_resistance, rail.package_inductance)
    die = Branch(rail.die_resistance, 0.0, rail.die_capacitance, shunt=True)
    poles = rail_poles(regulator=_regulator(rail), ladder=[*_ladder(rail), package, die])
    return task.step * step_extremes(poles=poles, rise=task.step / task.slew).largest, worst_pattern(poles=poles)


def _regulator(rail: RailTask) -> Branch:
    return Branch(rail.vrm_resistance, rail.vrm_inductance)


def _ladder(rail: RailTask) -> list[Branch]:
    return [
        Branch(step.esr, step.inductance, step.capacitance, step.count, shunt=True)
        if isinstance(step, Bank)
        else Branch(step.resistance, step.inductance)
        for step in rail.ladder
    ]


def _range(values: Sequence[float]) -> Range:
    return Range(values[0], min(values), max(values))
