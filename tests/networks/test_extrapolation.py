# SPDX-License-Identifier: MIT
"""Reach of a table against need, zero frequency, and values between the points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules.missing import Missing
from pcbrules.networks.extrapolation import on_grid, reach, value_at_zero
from pcbrules.networks.line import line
from pcbrules.networks.lumped import ac_capacitor

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]

NEED = 40e9


def lossy(frequency: Real, z: float = 42.0, length: float = 0.02) -> Complex:
    omega = 2j * pi * frequency
    along = omega * z * 1.9 / c + 5 + 2e-4 * np.sqrt(1j * frequency)
    return line(frequency, series=along, shunt=omega * (1.9 / c / z) * (1 - 0.004j), length=length, z_ref=50.0).s


def points(first: float, step: float, last: float = NEED) -> Real:
    return np.arange(first, last + step / 2, step)


@pytest.mark.parametrize(("frequency", "reason", "extended"), [
    (points(0, 50e6), "", False),
    (points(10e6, 10e6), "", True),
    (points(50e6, 50e6), "", True),
    (points(0, 50e6, 39.9e9), "the data end at 39.9 GHz, and 40 GHz are needed", False),
    (points(3e9, 50e6), "the data begin at 3 GHz, too high", False),
    (points(2e9, 50e6), "where the phase has turned by", False),
    (points(10e6, 50e6), "too few points near the first frequency", False),
    (np.array([0.0, NEED]), "2 frequencies are no curve", False),
    (points(0, 2.2e9), "too coarse: from one to the next the phase turns by 100 degrees, more than 90", False),
])
def test_reach_and_its_reasons(frequency: Real, reason: str, extended: bool) -> None:
    last = frequency[-1] if frequency[-1] < NEED and "too coarse" in reason else NEED
    found = reach(frequency, lossy(frequency), f_max=last)
    assert found.reason.startswith(reason) if reason.startswith("the data end") else reason in found.reason
    assert bool(reason) == bool(found.reason) and found.enough == (not reason)
    assert bool(found.to_zero) == extended
    assert found.lowest == frequency[0] and found.highest == frequency[-1]


def test_a_need_that_begins_above_the_first_point_asks_for_no_zero() -> None:
    frequency = points(1.9e9, 50e6)
    assert reach(frequency, lossy(frequency), f_max=NEED, f_min=2e9).enough


def test_data_before_their_cause_do_not_serve() -> None:
    frequency = points(0, 50e6)
    early = lossy(frequency).conj()
    assert "phase rises" in reach(frequency, early, f_max=NEED).reason


@examples(40)
@given(z=st.floats(35, 70), length=st.floats(0.002, 0.03), first=st.floats(5e6, 60e6))
def test_zero_frequency_is_met_closely(z: float, length: float, first: float) -> None:
    frequency = points(first, first, 200 * first)
    found = value_at_zero(frequency, lossy(frequency, z, length), f_max=200 * first)
    assert not isinstance(found, Missing)
    assert np.abs(found - lossy(np.array([0.0]), z, length)[0]).max() < 2e-3 and not found.imag.any()


@given(first=st.floats(1e6, 1e8), a=st.floats(-0.5, 0.5), b=st.floats(-0.05, 0.05), d=st.floats(-0.01, 0.01))
def test_zero_frequency_of_the_assumed_form_is_met_exactly(first: float, a: float, b: float, d: float) -> None:
    frequency = first * np.arange(1.0, 50.0)
    x = frequency / frequency[-1]
    entry = a + b * x**2 + 1j * d * x**3
    s = np.zeros((len(frequency), 2, 2), dtype=complex)
    s[:, 0, 0], s[:, 1, 0] = entry, 0.9  # an entry without mean delay, below the size at which delays count
    s[:, 0, 1] = 0.9
    found = value_at_zero(frequency, s * 0.04, f_max=float(frequency[-1]))
    assert not isinstance(found, Missing)
    assert found[0, 0] == pytest.approx(0.04 * a, abs=1e-12) and found[1, 0] == pytest.approx(0.036, abs=1e-12)


def test_the_third_point_must_agree_with_the_first_two() -> None:
    frequency = 10e6 * np.arange(1.0, 50.0)
    s = np.full((len(frequency), 1, 1), 0.74 + 0j)
    s[:3, 0, 0] = 0.2 + 0.06 * np.arange(1.0, 4.0) ** 2
    found = value_at_zero(frequency, s, f_max=490e6)
    assert not isinstance(found, Missing) and found[0, 0] == pytest.approx(0.2, abs=1e-12)
    s[2, 0, 0] = 0.74 - 0.06
    assert isinstance(value_at_zero(frequency, s, f_max=490e6), Missing)


@pytest.mark.parametrize(("first", "through"), [(0.1e6, True), (5e6, False)])
def test_a_series_capacitor_is_followed_from_far_below_its_corner_only(first: float, through: bool) -> None:
    frequency = points(first, first, 1000 * first)  # corner 1 / (2 pi 100 ohm 100 pF) = 15.9 MHz
    part = ac_capacitor(frequency, capacitance=100e-12, resistance=0.0, inductance=0.0, legs=1, z_ref=50.0)
    found = value_at_zero(frequency, part.s, f_max=1000 * first)
    if through:
        assert not isinstance(found, Missing) and abs(found[1, 0]) < 1e-3
    else:
        assert isinstance(found, Missing) and "do not show how the data go on" in found.reason


@examples(40)
@given(z=st.floats(35, 70), length=st.floats(0.002, 0.1), step=st.sampled_from([10e6, 25e6, 50e6]))
def test_values_between_the_points(z: float, length: float, step: float) -> None:
    frequency, grid = points(step, step), np.linspace(0, NEED, 731)
    found = on_grid(frequency, lossy(frequency, z, length), grid, f_max=NEED)
    assert np.abs(found - lossy(grid, z, length)).max() < 3e-3
    at_points = on_grid(frequency, lossy(frequency, z, length), frequency, f_max=NEED)
    assert np.allclose(at_points, lossy(frequency, z, length), rtol=0, atol=1e-12)


def test_a_pure_delay_is_met_exactly_however_coarse() -> None:
    frequency, delay = points(0, 1e9), 0.24e-9
    s = np.zeros((len(frequency), 2, 2), dtype=complex)
    s[:, 1, 0] = s[:, 0, 1] = np.exp(-2j * pi * frequency * delay)
    grid = np.linspace(0, NEED, 333)
    assert np.abs(on_grid(frequency, s, grid, f_max=NEED)[:, 1, 0] - np.exp(-2j * pi * grid * delay)).max() < 1e-9


def test_a_grid_beyond_the_table_is_refused() -> None:
    frequency = points(0, 50e6)
    with pytest.raises(ValueError, match="the data end at 40 GHz"):
        on_grid(frequency, lossy(frequency), np.array([1e9, 41e9]), f_max=NEED)
    high = points(3e9, 50e6)
    with pytest.raises(ValueError, match="too high"):
        on_grid(high, lossy(high), np.array([1e9, 20e9]), f_max=NEED)
