# SPDX-License-Identifier: MIT
"""Steps reflected by networks: closed forms in time, and the lattice diagram of cascaded lossless lines."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.constants import pi
from scipy.special import log_ndtr, ndtr

from pcbrules.networks.cascade import cascade, reflection
from pcbrules.networks.line import line, matched_wave
from pcbrules.networks.lumped import series, shunt
from pcbrules.networks.step import LEAD, step_response, step_times
from pcbrules.networks.two_port import TwoPort
from pcbrules.physics.channel.tdr import FIFTHS, beyond_band

Real = NDArray[np.float64]

RISE = 10e-12
SIGMA = RISE / FIFTHS
SPACING = 0.25e9
POINTS = 321
GRID = np.arange(POINTS) * SPACING
"""To 80 GHz, 0.8 of the inverse rise; a record of 4 ns."""
TIME = step_times(spacing=SPACING, points=POINTS, rise_time=RISE)
LOST = float(beyond_band(highest=GRID[-1] * RISE))


def reflected(*networks: TwoPort) -> Real:
    return step_response(reflection([network.s for network in networks]), spacing=SPACING, rise_time=RISE)


def line_of_wave(frequency: Real, *, propagation: NDArray[np.complex128], impedance: float, z_ref: float) -> TwoPort:
    """A line of 1 m by its wave."""
    return line(frequency, series=propagation * impedance, shunt=propagation / impedance, length=1.0, z_ref=z_ref)


def lossless(z: float, delay: float) -> TwoPort:
    """A line of 1 m with that delay, matched to 100 ohm or not."""
    return line_of_wave(GRID, propagation=2j * pi * GRID * delay, impedance=z, z_ref=100.0)


def edge(t: Real) -> Real:
    """The step itself."""
    return np.asarray(ndtr(t / SIGMA))


def test_a_wave_that_meets_nothing_sends_nothing_back() -> None:
    assert np.abs(reflected(lossless(100.0, 0.5e-9))).max() < 1e-12


def test_a_step_between_two_impedances() -> None:
    """A line of 100, then an endless one of 80: 20 / 180 of the step comes back, after the way there and back."""
    endless = line_of_wave(GRID, propagation=2j * pi * GRID * 3e-9, impedance=80.0, z_ref=80.0)
    step = (80 - 100) / (80 + 100)
    end = np.zeros((POINTS, 2, 2), dtype=complex)  # the end of the 80 ohm line seen from 100 ohm, without echo
    end[:, 0, 0] = step
    assert np.abs(endless.s[:, 0, 0]).max() < 1e-12
    made = step_response(reflection([lossless(100.0, 0.5e-9).s, end]), spacing=SPACING, rise_time=RISE)
    np.testing.assert_allclose(made[TIME < 3e-9], step * edge(TIME - 1e-9)[TIME < 3e-9], atol=LOST * abs(step) + 1e-6)


@given(capacitance=st.floats(1e-15, 60e-15))
def test_a_short_capacitor_makes_a_dip(capacitance: float) -> None:
    """C across 100 ohm: an exponential of time constant t = 50 C meets the Gaussian step."""
    tau = 50 * capacitance
    made = reflected(shunt(GRID, admittance=2j * pi * GRID * capacitance, z_ref=100.0))
    t = TIME
    closed = -np.exp((SIGMA / tau) ** 2 / 2 - t / tau + log_ndtr(t / SIGMA - SIGMA / tau))
    np.testing.assert_allclose(made, closed, atol=LOST + 1e-5)
    # of a small one the depth is C Z / 2 times the steepest slope of the step
    if tau < 0.05 * RISE:
        depth = tau / (SIGMA * math.sqrt(2 * pi))
        assert -made.min() == pytest.approx(depth, rel=0.05)


def test_an_inductor_makes_the_opposite_of_the_capacitor_that_matches_it() -> None:
    up = reflected(series(GRID, impedance=2j * pi * GRID * 100e-12, z_ref=100.0))
    down = reflected(shunt(GRID, admittance=2j * pi * GRID * 10e-15, z_ref=100.0))
    np.testing.assert_allclose(up, -down, atol=1e-9)


@pytest.mark.parametrize("delay", [1e-12, 5e-12, 20e-12, 200e-12])
def test_a_section_of_another_impedance(delay: float) -> None:
    """Its echo is r (u(t) - u(t - 2T)) and smaller ones that went to and fro inside."""
    r = (85 - 100) / (85 + 100)
    made = reflected(lossless(85.0, delay))
    closed = r * edge(TIME) - (1 - r**2) * r * sum(r ** (2 * k) * edge(TIME - 2 * (k + 1) * delay) for k in range(6))
    np.testing.assert_allclose(made, closed, atol=LOST * 2 * abs(r) + 1e-6)
    if delay > RISE:
        assert made.min() == pytest.approx(r, rel=0.01)


def lattice(impedances: list[float], steps: int) -> list[float]:
    """Echoes of an impulse, one every two delays of a section, from a bounce diagram between ends of 100 ohm.

    ``right`` and ``left`` are the waves that leave each junction; none comes from the far end.
    """
    z = [100.0, *impedances, 100.0]
    r = [(after - before) / (after + before) for before, after in pairwise(z)]
    right, left = [0.0] * len(r), [0.0] * len(r)
    echoes = []
    for step in range(steps):
        from_left = [1.0 if step == 0 else 0.0, *right[:-1]]
        from_right = [*left[1:], 0.0]
        right = [(1 + k) * a - k * b for k, a, b in zip(r, from_left, from_right, strict=True)]
        left = [k * a + (1 - k) * b for k, a, b in zip(r, from_left, from_right, strict=True)]
        echoes.append(left[0])
    return echoes


@given(impedances=st.lists(st.floats(60, 150), min_size=1, max_size=8), delay=st.floats(2e-12, 60e-12))
def test_cascaded_lossless_lines_echo_as_the_lattice_diagram_says(impedances: list[float], delay: float) -> None:
    made = reflected(*(lossless(z, delay) for z in impedances))
    echoes = lattice(impedances, steps=int(3.6e-9 / delay))
    closed = sum(echo * edge(TIME - step * delay) for step, echo in enumerate(echoes) if abs(echo) > 1e-9)
    np.testing.assert_allclose(made, closed, atol=4 * LOST)


def test_nothing_comes_back_before_the_step_and_the_end_of_the_band_does_not_matter() -> None:
    z, delay = 85.0, 20e-12
    other = np.arange(2 * POINTS - 1) * SPACING
    wide = line_of_wave(other, propagation=2j * pi * other * delay, impedance=z, z_ref=100.0)
    fine = step_response(wide.s[:, 0, 0], spacing=SPACING, rise_time=RISE)
    coarse = reflected(lossless(z, delay))
    assert np.abs(coarse[TIME < -2 * RISE]).max() < 2 * LOST
    np.testing.assert_allclose(fine[::2], coarse, atol=2 * LOST)
    assert TIME[0] == pytest.approx(-LEAD * RISE)


def test_a_direct_current_that_is_reflected_stays() -> None:
    """10 ohm in series: a step of 10 / 210 that does not come down again."""
    made = reflected(series(GRID, impedance=10.0, z_ref=100.0))
    np.testing.assert_allclose(made[(TIME > 3 * RISE) & (TIME < 3.9e-9)], 10 / 210, atol=1e-3)


@given(z=st.floats(40, 200), loss=st.floats(0.0, 3.0), delay=st.floats(1e-12, 1e-9))
def test_a_line_of_real_impedance_is_the_line_of_its_wave(z: float, loss: float, delay: float) -> None:
    gamma = loss * np.sqrt(GRID / 1e10) + 2j * pi * GRID * delay
    wave = line_of_wave(GRID, propagation=gamma, impedance=z, z_ref=100.0)
    quick = matched_wave(turned=gamma, reflected=(z - 100) / (z + 100))
    np.testing.assert_allclose(quick, wave.s, atol=1e-12)
    joined = cascade([wave, lossless(90.0, 10e-12)])
    np.testing.assert_allclose(reflection([quick, lossless(90.0, 10e-12).s]), joined.s[:, 0, 0], atol=1e-12)
