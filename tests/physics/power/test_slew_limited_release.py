# SPDX-License-Identifier: MIT
"""The release of a load that is faster than the inductors, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pcbrules.networks.pdn import Branch
from pcbrules.networks.pdn_poles import rail_poles, regulator_share
from pcbrules.physics.power.pole_response import ramp_response, step_response
from pcbrules.physics.power.release_overshoot import release_overshoot
from pcbrules.physics.power.slew_limited_release import Release, slew_limited_release

coils, steps, plates = st.floats(1e-9, 1e-6), st.floats(5.0, 500.0), st.floats(1e-3, 0.1)


def released(coil: float, bank: Branch, step: float, fall: float, voltage: float) -> Release:
    regulator, ladder = Branch(0.0, coil), [bank]
    return slew_limited_release(
        poles=rail_poles(regulator=regulator, ladder=ladder),
        share=regulator_share(regulator=regulator, ladder=ladder),
        step=step,
        fall=fall,
        voltage=voltage,
        inductance=coil,
    )


@given(coil=coils, step=steps, plate=plates, voltage=st.floats(0.5, 12.0))
def test_an_ideal_capacitor_by_its_energy(coil: float, step: float, plate: float, voltage: float) -> None:
    # all of L dI^2 / 2 goes into the capacitor: C ((V + dV)^2 - V^2) / 2
    assume(coil * step**2 / (2 * plate * voltage) > 1e-4)
    seen = released(coil, Branch(1e-9, 0.0, plate, shunt=True), step, 1e-6 * coil * step / voltage, voltage)
    by_energy = voltage * (np.sqrt(1 + coil * step**2 / plate / voltage**2) - 1)
    bound = release_overshoot(inductance=coil, step=step, capacitance=plate, voltage=voltage)
    assert seen.largest[0] == pytest.approx(by_energy, rel=1e-4)
    assert seen.largest[0] <= bound * (1 + 1e-6)


def test_resistance_of_the_capacitor_adds_by_hand() -> None:
    # v = r dI (1 - t/T) + dI (t - t^2 / 2 T) / C, largest at t = T - r C; output taken as fixed
    coil, step, plate, voltage, r = 6.25e-9, 350.0, 1.0, 0.8, 1e-6
    time = coil * step / voltage
    seen = released(coil, Branch(r, 0.0, plate, shunt=True), step, 1e-6 * time, voltage)
    by_hand = step * (time / 2 / plate + r**2 * plate / 2 / time)
    assert seen.largest[0] == pytest.approx(by_hand, rel=1e-3)
    assert seen.largest[1] == pytest.approx(time - r * plate, rel=2e-3)  # the top is flat


@pytest.mark.parametrize(("coil", "bank", "die", "fall"), [
    (2.07e-7, Branch(3.63e-4, 1.33e-9, 1.83e-4, shunt=True), Branch(5.5e-5, 0.0, 7.28e-8, shunt=True), 8.05e-8),
    (4.79e-8, Branch(1.08e-4, 8.0e-10, 1.21e-4, shunt=True), Branch(1.3e-5, 0.0, 6.68e-8, shunt=True), 7.88e-9),
    (2.0e-7, Branch(1.98e-3, 1.28e-10, 2.07e-3, shunt=True), Branch(2.0e-5, 0.0, 2.82e-8, shunt=True), 5.1e-8),
])
def test_no_instant_is_above_the_peak_where_a_fast_mode_rides_on_a_slow_one(
    coil: float, bank: Branch, die: Branch, fall: float
) -> None:
    regulator, ladder, step, voltage = Branch(0.0, coil), [bank, die], 100.0, 1.0
    poles, share = (made(regulator=regulator, ladder=ladder) for made in (rail_poles, regulator_share))
    seen = slew_limited_release(poles=poles, share=share, step=step, fall=fall, voltage=voltage, inductance=coil)
    time = np.linspace(0, min(coil * step / voltage, 8e-6), 20_001)[1:]
    every = step * ramp_response(poles=poles, time=time, rise=fall) - voltage * step_response(poles=share, time=time)
    assert every.max() <= seen.largest[0] * (1 + 1e-6)


def test_a_slow_fall_of_the_load_gives_less() -> None:
    # the inductors lose half of the charge while the load falls half as fast as they do
    coil, step, plate, voltage = 6.25e-9, 350.0, 0.1, 0.8
    time = coil * step / voltage
    bank = Branch(1e-9, 0.0, plate, shunt=True)
    whole = released(coil, bank, step, 1e-6 * time, voltage).largest[0]
    assert released(coil, bank, step, time / 2, voltage).largest[0] == pytest.approx(whole / 2, rel=1e-2)


@given(resistance=st.floats(1e-5, 1e-2), coil=coils, esr=st.floats(1e-5, 1e-2), plate=plates)
def test_the_share_of_the_regulator_is_the_current_division(
    resistance: float, coil: float, esr: float, plate: float
) -> None:
    regulator, bank = Branch(resistance, coil), Branch(esr, 1e-10, plate, shunt=True)
    grid = np.geomspace(10.0, 1e8, 60)
    own, other = bank.impedance(grid), regulator.impedance(grid)
    share = regulator_share(regulator=regulator, ladder=[bank])
    assert share.impedance(frequency=grid) == pytest.approx(own / (own + other), rel=1e-6, abs=1e-9)
    assert share.direct == pytest.approx(1)
