# SPDX-License-Identifier: MIT
"""The bandwidth of a regulator's loop, the output inductance that goes with it, and where the inductors take over."""

from __future__ import annotations

from cmath import rect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, pi, radians

import numpy as np

from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.analysis.power.ladder import F_MAX, F_MIN, POINTS_PER_DECADE, Bank, RailTask, ladder, regulator
from pcbrules.arrays import Real
from pcbrules.model.board import Board
from pcbrules.model.rail import FASTEST_REGULATOR, Rail, Vrm
from pcbrules.networks.pdn import Branch
from pcbrules.phrases import under
from pcbrules.physics.power.regulator_loop import loop_inductance
from pcbrules.results.measured import Measured
from pcbrules.units import show, show_hz

MARGIN = Interval(lo=30.0, value=45.0, hi=60.0)
"""Phase margin of the voltage loop of a regulator that somebody ships; practice. [deg]"""
BEYOND = 10.0
"""Multiples of the crossover up to which a loop keeps its phase; practice. [-]"""
NOTHING = Interval(lo=inf, value=inf, hi=inf)
"""No resistance beside the inductance of a regulator. [ohm]"""
LOOP_SPREAD = 2.0
"""Factor by which the output inductance may differ from that of a loop of one pole; practice."""
CONTRADICTS = 3.0
"""Factor between two statements of one bandwidth from which they contradict each other; practice."""
LARGEST_INDUCTOR = 10e-6
"""Largest inductor of one phase beside a load [H]: of a core 50 to 300 nH, of a small buck up to this; practice."""


def regulator_band(board: Board, name: str, rail: Rail) -> Measured:
    """Loop bandwidth: given, else the customary one of its kind, with its range."""
    if rail.crossover is not None:
        given = _crossover(rail)
        return given.measured("crossover of the board file", basis="declared",
                        reads=(("rails", name, "crossover"),))
    kind = "single-phase" if rail.vrm and rail.vrm.phases == 1 else "multiphase"
    usual = board.catalogue.defaults[f"vrm-bandwidth-{kind}"]
    text = f"rails{under(name)}: crossover of a {kind} regulator taken as {usual.typical / 1e3:g} kHz"
    return Measured(value=usual.typical, lo=usual.min, hi=usual.max, model=usual.use, basis="table",
                    assumptions=(text,))


@dataclass(frozen=True, slots=True)
class OutputLoop:
    """Output inductance [H] of a regulator, what is to be said of it, and the resistance beside it [ohm], up to a
    frequency [Hz].
    """

    inductance: Interval
    text: str = ""
    beside: Interval = NOTHING
    until: float = inf


def output_loop(rail: Rail, task: RailTask, resistance: Interval, name: str) -> OutputLoop:
    """A regulator of a loop that crosses over where the board file says, with a phase margin.

    ``task`` is the rail with its banks and planes; its own inductance of the regulator does not count. Capacitors that
    have more than the resistance of the regulator there leave a coil no margin: what else is in its impedance lies
    beside the coil, so that it carries no direct current.
    """
    band = _crossover(rail)
    banks = any(isinstance(step, Bank) for step in task.ladder)
    low, value, high = (
        _loop(r, _beside(task, np.array([f])).item() if banks else 0.0, f, margin) for r, f, margin in (
            (resistance.lo, band.hi, MARGIN.hi), (resistance.value, band.value, MARGIN.value),
            (resistance.hi, band.lo, MARGIN.lo)))
    if value[1] == inf:
        return OutputLoop(*output_inductance(rail, task, resistance, name))
    text = (f"rails{under(name)}.vrm: output inductance taken as {show(value[0], 'nH')} beside "
            f"{show(value[1], 'mohm')}, of a loop that crosses over at {_said(rail, band)} with a phase margin of "
            f"{MARGIN.value:g} deg ({MARGIN.lo:g} to {MARGIN.hi:g})")
    return OutputLoop(Interval(lo=low[0] / LOOP_SPREAD, value=value[0], hi=high[0] * LOOP_SPREAD), text,
                      Interval(lo=low[1], value=value[1], hi=high[1]), BEYOND * band.value)


def _loop(resistance: float, beside: float, crossover: float, margin: float) -> tuple[float, float]:
    """Inductance [H] and the resistance beside it [ohm] of a loop with at least a phase margin [deg]."""
    wanted = rect(beside, radians(90 - margin)) - resistance
    if wanted.real <= 0 or wanted.imag <= 0:
        return float(loop_inductance(resistance=resistance, beside=beside, crossover=crossover)), inf
    admittance = 1 / wanted
    return -1 / (2 * pi * crossover * admittance.imag), 1 / admittance.real


def output_inductance(rail: Rail, task: RailTask, resistance: Interval, name: str) -> tuple[Interval, str]:
    """Output inductance [H] of a loop that crosses over where the board file says, and what that assumes.

    ``task`` is the rail with its banks and planes; its own inductance of the regulator does not count.
    """
    band = _crossover(rail)
    banks = any(isinstance(step, Bank) for step in task.ladder)
    low, value, high = (
        float(loop_inductance(
            resistance=r, beside=_beside(task, np.array([f])).item() if banks else 0.0, crossover=f))
        for r, f in ((resistance.lo, band.hi), (resistance.value, band.value), (resistance.hi, band.lo))
    )
    text = (f"rails{under(name)}.vrm: output inductance taken as {show(value, 'nH')}, of a loop that crosses over at "
            f"{_said(rail, band)}")
    return Interval(lo=low / LOOP_SPREAD, value=value, hi=high * LOOP_SPREAD), text


def implied_crossover(task: RailTask) -> float | None:
    """First frequency [Hz] at which the regulator has the impedance of what lies behind it; None without any."""
    grid = np.geomspace(F_MIN, F_MAX, int(np.ceil(POINTS_PER_DECADE * np.log10(F_MAX / F_MIN))) + 1)
    gain = np.log(_beside(task, grid) / np.abs(regulator(task).impedance(grid)))
    below = np.flatnonzero(gain <= 0)
    if not len(below):
        return None
    at = int(below[0])
    if at == 0:
        return float(grid[0])
    share = gain[at - 1] / (gain[at - 1] - gain[at])
    return float(grid[at - 1] * (grid[at] / grid[at - 1]) ** share)


def contradiction(rail: Rail, task: RailTask, name: str) -> str:
    """What two statements of the loop's bandwidth say that are far apart; empty where they agree, or one is missing."""
    if rail.crossover is None:
        return ""
    band, stands = _crossover(rail), implied_crossover(task)
    if stands is None or band.lo / CONTRADICTS <= stands <= band.hi * CONTRADICTS:
        return ""
    what = "inductance" if task.vrm_table is None else "touchstone"
    return (f"rails{under(name)}.vrm.{what}: {show(task.vrm_inductance, 'nH')} counts, and stands for a loop that "
            f"crosses over at {show_hz(stands)}; `rails{under(name)}.crossover` says {show_hz(band.value)}")


def with_inductors(vrm: Vrm, rail: Rail, tasks: Sequence[RailTask], name: str) -> tuple[tuple[RailTask, ...], str]:
    """The same rails where above the crossover nothing but the inductors of the phases is left, and what that says.

    None where no stiffer loop is claimed for them. Inductors that are not declared are the largest of their kind.
    """
    nominal = tasks[0]
    if nominal.vrm_table is not None:
        return (), ""
    own, phases = vrm.phase_inductance, vrm.phases or 1
    coils = (own.value if own is not None else LARGEST_INDUCTOR) / phases
    begins = _crossover(rail).lo if rail.crossover is not None else implied_crossover(nominal)
    if begins is None or coils <= nominal.vrm_inductance:
        return (), ""
    text = (f"rails{under(name)}.vrm: the variants include the regulator as a bare inductor of "
            f"{show(coils, 'nH')} above its loop bandwidth of {show_hz(begins)}")
    keys = [key for key, given in (("phase_inductance", own), ("phases", vrm.phases)) if given is None]
    if keys:
        missing = " and ".join(f"`{key}`" for key in keys)
        text += f" ({missing} not declared: one phase, or at most {show(LARGEST_INDUCTOR, 'uH')}, assumed)"
    return tuple(replace(task, vrm_coils=coils, vrm_crossover=begins) for task in tasks), text


def _beside(task: RailTask, frequency: Real) -> Real:
    """Magnitude of the impedance that the regulator sees, balls open. [ohm]"""
    steps: list[Branch] = ladder(task)
    admittance = np.zeros(frequency.shape, dtype=complex)
    for branch in reversed(steps):
        own = branch.impedance(frequency)
        if branch.shunt:
            admittance = admittance + 1 / own
        else:
            admittance = admittance / (1 + own * admittance)
    size = np.abs(admittance)
    return np.where(size > 0, 1 / np.where(size > 0, size, 1.0), np.inf)


def _said(rail: Rail, band: Interval) -> str:
    """The crossover that counts, and that of the board file where it is another one."""
    stated = "" if rail.crossover is None or rail.crossover.value == band.value else (
        f" ({show_hz(rail.crossover.value)} in the board file)")
    return f"{show_hz(band.value)}{stated}"


def _crossover(rail: Rail) -> Interval:
    if rail.crossover is None:
        return fixed(FASTEST_REGULATOR)
    given = interval(rail.crossover)
    low, value, high = (max(F_MIN, min(one, FASTEST_REGULATOR)) for one in (given.lo, given.value, given.hi))
    return Interval(lo=low, value=value, hi=high)

