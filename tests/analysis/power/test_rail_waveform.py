# SPDX-License-Identifier: MIT
"""Waveforms of a load step: golden ladders, states of random ladders, laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from rail_by_states import System

from pcbrules.analysis.common.interval import fixed
from pcbrules.analysis.power.droop import DroopTask, ball_poles, release, solve_droop
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask
from pcbrules.analysis.power.waveform import load_step_waveform
from pcbrules.physics.power.pole_response import ramp_response
from pcbrules.selftest import golden

banks = st.builds(
    Bank,
    count=st.integers(1, 300),
    capacitance=st.floats(1e-7, 1e-3),
    esr=st.floats(2e-3, 5e-2),
    inductance=st.floats(2e-10, 5e-9),
)
planes = st.builds(LadderPlane, resistance=st.floats(1e-6, 1e-3), inductance=st.floats(5e-13, 5e-10))
steps = st.lists(banks | planes, max_size=5)
rails = st.builds(
    RailTask,
    vrm_resistance=st.floats(1e-5, 5e-3),
    vrm_inductance=st.floats(5e-11, 5e-8),
    ladder=st.tuples(banks, planes, steps).map(lambda parts: (parts[0], parts[1], *parts[2])),
)
sizes = st.floats(1.0, 500.0)
slews = st.floats(1e6, 1e9)


def some(times: np.ndarray, *kept: float, knots: tuple[float, ...]) -> np.ndarray:
    """Some of the times with these among them, and the knots, which none of the others comes near."""
    chosen = np.unique(np.concatenate([times[:: max(len(times) // 60, 1)], np.array(kept)]))
    apart = np.abs(chosen[:, None] - np.array(knots)).min(axis=1) > 1e-9 * times[-1]
    chosen = chosen[apart]
    return np.unique(np.concatenate([chosen[np.diff(chosen, append=np.inf) > 1e-9 * times[-1]], np.array(knots)]))


@examples(40)
@given(rail=rails, step=sizes, slew=slews)
def test_states_of_random_ladders_give_the_same(rail: RailTask, step: float, slew: float) -> None:
    task = DroopTask(rail, (), step, slew, voltage=1.0)
    wave = load_step_waveform(task)
    rise, hold = task.rise, wave.release_at
    low, high = wave.time[int(np.argmin(wave.balls))], wave.time[int(np.argmax(wave.balls))]
    knots = (0.0, rise, hold, hold + rise)
    times = some(wave.time, low, high, knots=knots)
    seen = System(rail).run(times, [(0, 0), (rise, step), (hold, step), (hold + rise, 0)])
    between = ~np.isin(times, knots)  # at a knot an inductance at infinite frequency jumps
    got = np.interp(times, wave.time, wave.balls)[between]
    assert got == pytest.approx(1 + seen[between], abs=1e-7 * np.ptp(wave.balls))


@examples(30)
@given(rail=rails, step=sizes, slew=slews)
def test_the_grid_holds_the_extremes(rail: RailTask, step: float, slew: float) -> None:
    task = DroopTask(rail, (), step, slew, voltage=1.0)
    wave, found = load_step_waveform(task), solve_droop(task)
    assert found is not None
    late = 1e-3 * found.droop.value  # what is left of the slowest mode
    settled = np.isinf(found.lowest_at)
    assert 1 - wave.balls.min() == pytest.approx(found.droop.value, rel=1e-9, abs=late if settled else 0)
    assert wave.balls.max() - 1 == pytest.approx(found.linear.value, abs=late)
    fine = np.linspace(0, 3 * task.rise, 4001)
    assert 1 - step * ramp_response(poles=ball_poles(rail), time=fine, rise=task.rise).max() >= wave.balls.min() - 1e-12
    assert (np.diff(wave.time) > 0).all()
    assert wave.time[0] == 0 and wave.balls[0] == 1
    assert wave.current.max() == pytest.approx(step) and wave.current[-1] == pytest.approx(0, abs=1e-6 * step)
    # settled before the release, and at the end: both edges are each other's mirror
    assert wave.balls[-1] == pytest.approx(1, abs=2e-3 * np.ptp(wave.balls))


@examples(30)
@given(rail=rails, step=sizes, coil=st.floats(2e-9, 1e-6))
def test_all_phases_off_by_states(rail: RailTask, step: float, coil: float) -> None:
    task = DroopTask(rail, (), step, 1e9, voltage=0.8, release_inductance=fixed(coil))
    seen = release(task, rail, coil)
    if seen is None:
        return
    open_loop = RailTask(vrm_resistance=0.0, vrm_inductance=coil, ladder=rail.ladder)
    knots = (0.0, *([task.rise] if task.rise < seen.time[-1] else []))
    times = some(seen.time, seen.largest[1], knots=knots)
    want = System(open_loop).run(times, [(0, 0), (task.rise, -step)], source=-0.8)
    between = ~np.isin(times, knots)
    got = np.interp(times, seen.time, seen.rise)
    assert got[between] == pytest.approx(want[between], abs=1e-6 * np.ptp(seen.rise))


def golden_ladders() -> list[Any]:
    return [entry for entry in golden.shipped() if "load_step" in entry.data and "network" in entry.data]


def rail_of(network: dict[str, Any]) -> RailTask:
    """A golden ladder: its last piece is the package, its last shunt the die."""
    ladder: list[Bank | LadderPlane] = []
    *nodes, die = network["nodes"]
    for node in nodes:
        for one in node["shunts"]:
            ladder.append(Bank(one["count"], one["C_F"], one["R_ohm"], one["L_H"]))
        ladder.append(LadderPlane(node["link_R_ohm"], node["link_L_H"]))
    package = ladder.pop()
    assert isinstance(package, LadderPlane)
    chip = die["shunts"][0]
    return RailTask(
        vrm_resistance=network["vrm_R_ohm"],
        vrm_inductance=network["vrm_L_H"],
        ladder=tuple(ladder),
        package_resistance=package.resistance,
        package_inductance=package.inductance,
        die_resistance=chip["R_ohm"],
        die_capacitance=chip["C_F"],
    )


@pytest.mark.parametrize("entry", golden_ladders(), ids=lambda entry: entry.id)
def test_golden_load_steps_at_the_die(entry: Any) -> None:
    step, network = entry.data["load_step"], entry.data["network"]
    rail = rail_of(network)
    task = DroopTask(rail, (), step["I0_A"], step["I0_A"] / step["rise_time_s"], network["Vnom_V"])
    wave, found = load_step_waveform(task), solve_droop(task)
    assert wave.die is not None and found is not None and found.die is not None
    drop = wave.die - network["Vnom_V"]
    # the first one falls on no sample: linear between samples is 1e-3 of the largest droop
    got = np.interp(step["time_s"], wave.time, drop)
    inside = np.array(step["time_s"]) < wave.release_at
    assert got[inside] == pytest.approx(np.array(step["dv_V"])[inside], abs=3e-3 * abs(drop).max())
    lowest = step["global_min"]
    assert drop[wave.time < wave.release_at].min() == pytest.approx(lowest["dv_V"], rel=1e-6)
    assert wave.time[int(np.argmin(drop))] == pytest.approx(lowest["time_s"], rel=1e-4)
    assert -found.die == pytest.approx(lowest["dv_V"], rel=1e-6)
    for one in step.get("first_minima", ()):
        assert np.interp(one["time_s"], wave.time, drop) == pytest.approx(one["dv_V"], rel=1e-3)


def test_there_is_a_golden_ladder() -> None:
    assert len(golden_ladders()) >= 2


def test_a_release_begins_at_the_loaded_voltage() -> None:
    rail = RailTask(20e-6, 6e-11, (Bank(48, 376e-6, 4.5e-3, 1.4e-9), LadderPlane(1e-5, 3e-12)))
    task = DroopTask(rail, (), 350.0, 1e9, 0.8, release_inductance=fixed(6.25e-9))
    wave = load_step_waveform(task)
    assert wave.limited is not None
    time, volts = wave.limited
    assert time[0] == wave.release_at and time[-1] == pytest.approx(wave.release_at + 6.25e-9 * 350 / 0.8)
    assert volts[0] == pytest.approx(0.8 - 350 * 30e-6)
    slower = DroopTask(rail, (), 350.0, 1e8, 0.8, release_inductance=fixed(6.25e-9))
    assert load_step_waveform(slower).limited is None
    assert wave.die is None
