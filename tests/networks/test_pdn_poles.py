# SPDX-License-Identifier: MIT
"""Poles of power ladders: the impedance that they sum to, and the laws of a passive network."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.networks.pdn import Branch, DampedLoop, rail_impedance
from pcbrules.networks.pdn_poles import rail_poles
from pcbrules.physics.power.pole_extremes import step_extremes
from pcbrules.physics.power.pole_response import impulse_response, ramp_response, step_response
from pcbrules.physics.power.worst_pattern import worst_pattern

GRID = np.geomspace(100.0, 1e9, 141)

shunts = st.builds(
    Branch,
    resistance=st.floats(1e-4, 0.1),
    inductance=st.floats(1e-11, 5e-9) | st.just(0.0),
    capacitance=st.floats(1e-9, 1e-2),
    count=st.integers(1, 200),
    shunt=st.just(True),
)
links = st.builds(Branch, resistance=st.floats(1e-6, 1e-3), inductance=st.floats(1e-13, 1e-10))
regulators = st.builds(Branch, resistance=st.floats(1e-5, 1e-2), inductance=st.floats(1e-10, 1e-7)) | st.builds(
    DampedLoop, resistance=st.floats(1e-5, 1e-2), inductance=st.floats(1e-10, 1e-7), beside=st.floats(1e-3, 1.0),
    until=st.floats(1e5, 1e7))
dies = st.builds(Branch, st.floats(1e-5, 1e-2), st.just(0.0), st.floats(1e-8, 1e-5), st.just(1), st.just(True))
ladders = st.lists(shunts | links, max_size=6).flatmap(lambda some: shunts.map(lambda one: [*some, one]))


@examples(60)
@given(regulator=regulators, ladder=ladders, last=st.none() | links)
def test_the_sum_over_the_poles_is_the_impedance(regulator: Branch, ladder: list[Branch], last: Branch | None) -> None:
    ladder = [*ladder, *([last] if last else [])]
    poles = rail_poles(regulator=regulator, ladder=ladder)
    want = rail_impedance(frequency=GRID, regulator=regulator, ladder=ladder)
    assert poles.impedance(frequency=GRID) == pytest.approx(want, rel=1e-5, abs=1e-9 * np.abs(want).max())
    assert (poles.pole.real < 0).all()  # passive, and causal
    series = sum(one.resistance / one.count for one in [regulator, *ladder] if not one.shunt)
    assert poles.direct == pytest.approx(series, rel=1e-5)


@examples(25)
@given(regulator=regulators, ladder=st.lists(shunts | links, max_size=3), die=dies)
def test_bounds_of_the_step_and_of_the_worst_pattern(regulator: Branch, ladder: list[Branch], die: Branch) -> None:
    poles = rail_poles(regulator=regulator, ladder=[*ladder, die])
    assert poles.inductance == 0 and 0 <= poles.resistance <= die.resistance * (1 + 1e-7)
    step, worst = step_extremes(poles=poles), worst_pattern(poles=poles)
    slow = step_extremes(poles=poles, rise=3e-8)
    assert worst.positive - worst.negative == pytest.approx(poles.direct, abs=1e-7 * worst.positive)
    assert poles.direct <= step.largest * (1 + 1e-9) <= worst.positive * (1 + 2e-9)
    assert slow.largest <= step.largest * (1 + 1e-9)  # a mean of step responses
    assert step.smallest >= -worst.negative * (1 + 1e-9)
    t = np.geomspace(1e-10, 1e-4, 3000)
    assert step_response(poles=poles, time=t).max() <= step.largest * (1 + 1e-9)
    assert ramp_response(poles=poles, time=t, rise=3e-8).max() <= slow.largest * (1 + 1e-9)


def test_what_is_left_of_a_fast_mode_rides_on_a_slow_turn() -> None:
    poles = rail_poles(
        regulator=Branch(0.0078125, 7.591105340989308e-08),
        ladder=[Branch(1e-4, 1.0567861565143085e-9, 1e-5, 88, shunt=True),
                Branch(1e-5, 0.0, 7.468100498683741e-7, shunt=True)],
    )
    t = np.linspace(15e-6, 21e-6, 200_001)
    for rise in (1e-9, 3e-8, 1e-7):
        found = step_extremes(poles=poles, rise=rise)
        assert ramp_response(poles=poles, time=t, rise=rise).max() == pytest.approx(found.largest, rel=1e-7)


def test_samples_lie_further_from_some_tops_than_these_differ() -> None:
    poles = rail_poles(
        regulator=Branch(3.62e-3, 4.73e-8),
        ladder=[Branch(5e-4, 1.86e-9, 1.26e-5, shunt=True), Branch(1.1e-4, 0.0, 4.4e-8, shunt=True)],
    )
    t = np.linspace(0.8e-6, 1.2e-6, 20_001)
    for rise in (1e-9, 2.08e-9, 3e-9):
        found = step_extremes(poles=poles, rise=rise)
        assert ramp_response(poles=poles, time=t, rise=rise).max() == pytest.approx(found.largest, rel=1e-6)


def test_fast_poles_are_a_resistance_and_an_inductance_far_below_their_own_frequency() -> None:
    poles = rail_poles(
        regulator=Branch(1e-3, 1e-8),
        ladder=[Branch(1e-3, 1e-9, 1e-4, shunt=True), Branch(1e-2, 0.0, 1e-8, shunt=True)],
    )
    slow, low = poles.within(5e6), np.geomspace(1e3, 2e5, 9)
    assert 0 < len(slow.pole) < len(poles.pole)
    assert slow.impedance(frequency=low) == pytest.approx(poles.impedance(frequency=low), rel=1e-4)
    assert slow.direct == pytest.approx(poles.direct, rel=1e-9)
    assert slow.inductance > poles.inductance


def test_nothing_comes_before_the_step() -> None:
    poles = rail_poles(regulator=Branch(1e-3, 1e-8), ladder=[Branch(1e-3, 0.0, 1e-5, shunt=True)])
    before = np.array([-1e-6, -1e-9])
    assert not step_response(poles=poles, time=before).any()
    assert not ramp_response(poles=poles, time=before, rise=1e-9).any()


def test_one_capacitor_beside_a_regulator_by_hand() -> None:
    # R 1 mohm, L 10 nH against C 100 uF without ESR: Z = (R + sL) / (1 + sRC + s^2 LC)
    r, inductance, c = 1e-3, 1e-8, 1e-4
    poles = rail_poles(regulator=Branch(r, inductance), ladder=[Branch(0.0, 0.0, c, shunt=True)])
    want = np.roots([inductance * c, r * c, 1])
    assert np.sort_complex(poles.pole) == pytest.approx(np.sort_complex(want), rel=1e-9)
    assert impulse_response(poles=poles, time=0.0) == pytest.approx(1 / c)
    damping = r / 2 / inductance
    omega = np.sqrt(1 / inductance / c - damping**2)
    t = 3e-6
    by_hand = r + np.exp(-damping * t) * (-r * np.cos(omega * t) + (1 / c - r * damping) / omega * np.sin(omega * t))
    assert step_response(poles=poles, time=t) == pytest.approx(by_hand, rel=1e-9)


def test_inductance_at_the_balls_has_no_answer_to_a_step() -> None:
    poles = rail_poles(regulator=Branch(1e-3, 1e-8), ladder=[Branch(1e-3, 1e-9, 1e-5, shunt=True)])
    assert poles.inductance == pytest.approx(1e-8 * 1e-9 / 1.1e-8)  # both in parallel
    with pytest.raises(ValueError, match="no bound"):
        worst_pattern(poles=poles)
    assert step_extremes(poles=poles, rise=1e-6).largest > 1e-3


@pytest.mark.parametrize(("ladder", "words"), [
    ([], "without shunt"),
    ([Branch(1e-3, 1e-9, 1e-6), Branch(1e-3, 0.0, 1e-6, shunt=True)], "along the rail"),
    ([Branch(0.0, 0.0, 1e-6, shunt=True), Branch(0.0, 0.0, 1e-5, shunt=True)], "two ideal capacitors"),
])
def test_what_is_no_ladder_is_refused(ladder: list[Branch], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        rail_poles(regulator=Branch(1e-3, 1e-8), ladder=ladder)
