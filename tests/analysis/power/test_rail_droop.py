# SPDX-License-Identifier: MIT
"""Droop and overshoot of a rail: by hand, against time steps, laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.power.droop import Droop, DroopTask, release, solve_droop
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask

RAIL = RailTask(
    vrm_resistance=20e-6,
    vrm_inductance=0.06e-9,
    ladder=(
        Bank(48, 376e-6, 4.5e-3, 1.4e-9),
        LadderPlane(8e-6, 3e-12),
        Bank(240, 35.25e-6, 2.5e-3, 0.6e-9),
        LadderPlane(2e-6, 1e-12),
        Bank(300, 3.525e-6, 5e-3, 0.4e-9),
        LadderPlane(2e-6, 1.5e-12),
    ),
)
TASK = DroopTask(RAIL, (), step=350.0, slew=1e9, voltage=0.8)


def solved(task: DroopTask) -> Droop:
    found = solve_droop(task)
    assert found is not None
    return found


def stepped(task: DroopTask, end: float, steps: int) -> np.ndarray:
    """Droop at the balls by the trapezoidal rule: nodes n, currents of all branches, voltages of all capacitors."""
    nodes = 0
    branches = [(task.rail.vrm_resistance, task.rail.vrm_inductance, np.inf, -1, 0)]
    for one in task.rail.ladder:
        if isinstance(one, Bank):
            branches.append((one.esr / one.count, one.inductance / one.count, one.capacitance * one.count, nodes, -1))
        else:
            branches.append((one.resistance, one.inductance, np.inf, nodes, nodes + 1))
            nodes += 1
    count, n = nodes + 1, len(branches)
    e, a = np.zeros((count + 2 * n,) * 2), np.zeros((count + 2 * n,) * 2)
    for k, (r, ind, c, start, stop) in enumerate(branches):
        i, u = count + k, count + n + k
        e[i, i], a[i, i], a[i, u] = ind, -r, -1
        e[u, u] = 1
        a[u, i] = 0 if np.isinf(c) else 1 / c
        for node, sign in ((start, 1), (stop, -1)):
            if node >= 0:
                a[i, node], a[node, i] = sign, -sign
    h = end / steps
    left, right = e - h / 2 * a, e + h / 2 * a
    left[:count], right[:count] = a[:count], 0  # the currents of a node add up at every instant
    inverse = np.linalg.inv(left)
    x, droop = np.zeros(count + 2 * n), []
    for k in range(1, steps + 1):
        drive = np.zeros(count + 2 * n)
        drive[nodes] = min(k * h * task.slew, task.step)
        x = inverse @ (right @ x + drive)
        droop.append(-x[nodes])
    return np.array(droop)


def test_time_steps_give_the_same() -> None:
    want = stepped(TASK, 40e-6, 40_000)
    assert solved(TASK).droop.value == pytest.approx(want.max(), rel=2e-3)
    assert solved(TASK).lowest_at == pytest.approx((1 + int(want.argmax())) * 1e-9, rel=0.02)


def test_a_regulator_and_one_large_bank_by_hand() -> None:
    # Slow step: nothing but the resistances is left
    ladder = (Bank(1, 1e-3, 2e-3, 1e-10), LadderPlane(5e-4, 1e-12))
    rail = RailTask(vrm_resistance=1e-3, vrm_inductance=1e-9, ladder=ladder)
    found = solved(DroopTask(rail, (), step=10.0, slew=10.0, voltage=1.0, load_line=4e-4))
    assert found.droop.value == pytest.approx(10 * (1.5e-3 - 4e-4), rel=1e-4)
    assert found.linear.value == pytest.approx(0, abs=1e-5)
    assert found.overshoot is None and found.limited is None  # the inductors are not known
    assert found.die is None and found.pattern is None


def test_a_load_line_takes_off_no_more_than_the_regulator_of_each_variant_has() -> None:
    # slow step: 20 + 12 uohm, of which the load line is all 20; of the stiffer regulator 5 + 12 uohm, of which it is 5
    stiff = replace(RAIL, vrm_resistance=5e-6)
    found = solved(replace(TASK, slew=1e3, variants=(stiff,), load_line=40e-6))
    assert found.droop.value == pytest.approx(350 * 12e-6, rel=1e-4)
    assert found.droop.lo == pytest.approx(350 * 12e-6, rel=1e-4)
    part = solved(replace(TASK, slew=1e3, variants=(stiff,), load_line=10e-6)).droop
    assert part.value == pytest.approx(350 * 22e-6, rel=1e-4)
    assert part.lo == pytest.approx(350 * 12e-6, rel=1e-4)


def test_a_release_is_bounded_by_the_inductors_of_the_phases_not_by_the_closed_loop() -> None:
    found = solved(replace(TASK, release_inductance=fixed(6.25e-9)))
    stored = 48 * 376e-6 + 240 * 35.25e-6 + 300 * 3.525e-6
    by_hand = 6.25e-9 * 350**2 / (2 * stored * 0.8)
    assert found.limited is not None and found.overshoot is not None
    assert found.limited.bound == pytest.approx(by_hand)
    assert found.overshoot.value == pytest.approx(max(by_hand, found.limited.rise, found.linear.value))
    assert found.limited.fall == pytest.approx(6.25e-9 * 350 / 0.8)
    off = release(TASK, RAIL, 6.25e-9)
    assert off is not None  # it begins at the loaded voltage, 32 uohm below
    assert found.limited.rise == pytest.approx(off.largest[0] - 350 * 32e-6)
    assert found.limited.at == off.largest[1]
    # 0.06 nH of the closed loop would make a hundredth of it
    assert found.overshoot.value > 50 * 0.06e-9 * 350**2 / (2 * stored * 0.8)


def test_few_capacitors_with_much_resistance_rise_more_than_the_bound() -> None:
    rail = RailTask(1e-6, 6e-11, (Bank(10, 1e-3, 4e-3, 1e-12), LadderPlane(1e-6, 1e-13)))
    found = solved(DroopTask(rail, (), 100.0, 1e9, 0.8, release_inductance=fixed(6.25e-9)))
    assert found.limited is not None and found.overshoot is not None
    assert found.overshoot.value == found.limited.rise > found.limited.bound > found.linear.value * 0.05
    assert found.limited.rise > found.linear.value


def test_inductors_that_fall_faster_than_the_load_bound_nothing() -> None:
    slow = replace(TASK, slew=127e6, release_inductance=fixed(6.25e-9))  # 0.8 V / 6.25 nH = 128 A/us
    found = solved(slow)
    assert found.limited is None and found.overshoot == found.linear
    assert solved(replace(slow, slew=129e6)).limited is not None


def test_the_tolerance_of_the_inductors_spans_the_overshoot() -> None:
    found = solved(replace(TASK, release_inductance=Interval(lo=5e-9, value=6.25e-9, hi=7.5e-9)))
    assert found.limited is not None and found.overshoot is not None
    assert found.overshoot.hi == pytest.approx(1.2 * found.limited.bound)
    assert found.overshoot.lo == pytest.approx(0.8 * found.limited.bound)


def test_no_capacitor_is_no_rail() -> None:
    assert solve_droop(replace(TASK, rail=replace(RAIL, ladder=(LadderPlane(1e-6, 1e-12),)))) is None


def test_the_die_droops_more_than_the_balls_and_its_worst_pattern_more_than_a_step() -> None:
    rail = replace(RAIL, package_inductance=5e-12, package_resistance=1e-5, die_capacitance=2e-6, die_resistance=1e-4)
    found = solved(replace(TASK, rail=rail))
    assert found.die is not None and found.pattern is not None
    assert found.droop.value < found.die <= found.pattern.droop(least=0, most=350.0)


def test_a_die_without_resistance_is_no_model_of_one() -> None:
    rail = replace(RAIL, package_inductance=5e-12, die_capacitance=1e-12, die_resistance=0.0)
    found = solved(replace(TASK, rail=rail))
    assert found.die is None and found.pattern is None
    assert found.droop == solved(TASK).droop


@examples(15)
@given(step=st.floats(10, 500), slew=st.floats(1e7, 1e9), more=st.floats(1.1, 3))
def test_a_droop_grows_with_step_and_slew(step: float, slew: float, more: float) -> None:
    one = solved(replace(TASK, step=step, slew=slew))
    assert solved(replace(TASK, step=step * more, slew=slew)).droop.value > one.droop.value
    assert solved(replace(TASK, step=step, slew=slew * more)).droop.value >= one.droop.value * (1 - 1e-9)
    both = solved(replace(TASK, step=step * more, slew=slew * more))  # a linear network
    assert both.droop.value == pytest.approx(more * one.droop.value, rel=1e-9)
    assert both.linear.value == pytest.approx(more * one.linear.value, rel=1e-9)


def test_variants_span_the_range() -> None:
    weak = replace(RAIL, ladder=(replace(RAIL.ladder[0], esr=7e-3), *RAIL.ladder[1:]))
    found = solved(replace(TASK, variants=(weak,)))
    assert found.droop.lo <= found.droop.value < found.droop.hi
