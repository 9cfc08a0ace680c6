# SPDX-License-Identifier: MIT
"""Integrated crosstalk and the merit of a loss deviation: hand values, random symbols in time, laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.physics.channel.crosstalk_noise import (
    deviation_merit,
    integrated_crosstalk,
    noise_weight,
    transmitter_bandwidth,
)

BAUD = 25.78125e9
RECEIVER = 0.75 * BAUD
GRID = np.arange(5, 2579) * 10e6


@pytest.mark.long
def test_the_filter_of_a_transmitter_has_the_rise_time() -> None:
    from scipy import signal  # takes a second to load, in every process that collects the tests

    bandwidth = transmitter_bandwidth(rise_time=9.6e-12)
    filters = signal.butter(2, 2 * math.pi * bandwidth, analog=True)
    time = np.linspace(0, 6 / bandwidth, 20_001)
    _, edge = signal.step(filters, T=time)
    rise = np.interp(0.8, edge[: np.argmax(edge)], time[: np.argmax(edge)]) - np.interp(
        0.2, edge[: np.argmax(edge)], time[: np.argmax(edge)])
    assert rise == pytest.approx(9.6e-12, rel=5e-4)
    # the square of its magnitude is the factor of the weight
    _, response = signal.freqs(*filters, worN=2 * math.pi * np.array([1e9, 20e9, 40e9]))
    with_edges = noise_weight(frequency=[1e9, 20e9, 40e9], symbol_rate=BAUD, receiver=RECEIVER, transmitter=bandwidth)
    without = noise_weight(frequency=[1e9, 20e9, 40e9], symbol_rate=BAUD, receiver=RECEIVER)
    np.testing.assert_allclose(with_edges / without, np.abs(response) ** 2, rtol=1e-9)


def test_weights_by_hand() -> None:
    def weight(f: float, **filters: float) -> float:
        return float(noise_weight(frequency=f, symbol_rate=BAUD, **({"receiver": 1e12} | filters)))

    assert weight(0.0) == 1
    assert weight(BAUD / 2) == pytest.approx((2 / math.pi) ** 2, rel=1e-9)
    assert weight(BAUD) == pytest.approx(0, abs=1e-30)
    assert weight(BAUD / 2, receiver=BAUD / 2) == pytest.approx((2 / math.pi) ** 2 / 2, rel=1e-9)
    assert weight(BAUD / 2, transmitter=BAUD / 2) == pytest.approx((2 / math.pi) ** 2 / 2, rel=1e-9)


def test_flat_crosstalk_without_filters_is_its_part_of_the_swing() -> None:
    """A random sequence of +-A has the root mean square A."""
    f = np.linspace(0, 4000 * BAUD, 400_001)
    w = noise_weight(frequency=f, symbol_rate=BAUD, receiver=1e20)
    found = integrated_crosstalk(frequency=f, power=0 * f + 1e-4, weight=w, amplitude=0.6, symbol_rate=BAUD)
    assert found == pytest.approx(0.6 * 1e-2, rel=1e-3)


def test_random_symbols_in_time_behind_the_filters() -> None:
    """No spectrum: symbols, edges, a crosstalk that rises with frequency and falls again, the receiver; their rms."""
    from scipy import signal

    per, count = 64, 60_000
    draw = np.random.default_rng(5)
    symbols = np.repeat(draw.choice([-0.6, 0.6], count), per)
    step = 1 / (BAUD * per)

    def through(wave: np.ndarray, order: int, corner: float, kind: str) -> np.ndarray:
        sos = signal.butter(order, corner, kind, fs=1 / step, output="sos")
        return np.asarray(signal.sosfilt(sos, wave))

    bandwidth = float(transmitter_bandwidth(rise_time=12e-12))
    wave = through(through(symbols, 2, bandwidth, "low"), 4, RECEIVER, "low")
    wave = 0.01 * through(wave, 1, 10e9, "high")
    f = np.linspace(0, 3 * BAUD, 30_001)
    w = noise_weight(frequency=f, symbol_rate=BAUD, receiver=RECEIVER, transmitter=bandwidth)
    power = 1e-4 * (f / 10e9) ** 2 / (1 + (f / 10e9) ** 2)
    want = integrated_crosstalk(frequency=f, power=power, weight=w, amplitude=0.6, symbol_rate=BAUD)
    assert float(np.sqrt(np.mean(wave[1000:] ** 2))) == pytest.approx(want, rel=0.01)


def test_the_sum_of_the_public_program() -> None:
    """sqrt(2 df / f_b sum(A^2 PWF |PSXT|^2)); of the standard: W = A^2 / (4 f_b) for A from peak to peak."""
    power = 1e-5 * (1 - np.cos(2 * math.pi * GRID / 0.37e9))
    w = noise_weight(frequency=GRID, symbol_rate=BAUD, receiver=RECEIVER, transmitter=24.6e9)
    found = integrated_crosstalk(frequency=GRID, power=power, weight=w, amplitude=0.6, symbol_rate=BAUD)
    angle = math.pi * GRID / BAUD
    pwf = (np.sin(angle) / angle) ** 2 / (1 + (GRID / 24.6e9) ** 4) / (1 + (GRID / RECEIVER) ** 8)
    assert found == pytest.approx(math.sqrt(2 * 10e6 / BAUD * np.sum(0.6**2 * pwf * power)), rel=1e-3)
    loss = -10 * np.log10(np.maximum(power, 1e-30))
    weights = 1.2**2 / (4 * BAUD) * pwf
    assert found == pytest.approx(math.sqrt(2 * 10e6 * np.sum(weights * 10 ** (-loss / 10))), rel=1e-3)


def test_what_lies_beyond_one_and_a_half_nyquist_is_next_to_nothing() -> None:
    f = np.linspace(0, BAUD, 10_001)
    w = noise_weight(frequency=f, symbol_rate=BAUD, receiver=RECEIVER)
    inside = f <= 0.75 * BAUD
    parts = [integrated_crosstalk(frequency=f[part], power=f[part] / BAUD, weight=w[part], amplitude=1.0,
                                  symbol_rate=BAUD) for part in (inside, f >= 0)]
    assert parts[0] == pytest.approx(parts[1], rel=0.01)


@given(amplitude=st.floats(0.01, 2), scale=st.floats(1e-8, 1e-2), seed=st.integers(0, 99))
def test_noise_goes_with_amplitude_and_adds_in_power(amplitude: float, scale: float, seed: int) -> None:
    draw = np.random.default_rng(seed)
    one, other = scale * draw.uniform(0, 1, (2, len(GRID)))
    w = noise_weight(frequency=GRID, symbol_rate=BAUD, receiver=RECEIVER)
    first, second, both, loud = (
        integrated_crosstalk(frequency=GRID, power=power, weight=w, amplitude=a, symbol_rate=BAUD)
        for power, a in ((one, amplitude), (other, amplitude), (one + other, amplitude), (one, 3 * amplitude))
    )
    assert both == pytest.approx(math.hypot(first, second), rel=1e-9)
    assert loud == pytest.approx(3 * first, rel=1e-9)


@given(ripple=st.floats(0.01, 3), period=st.floats(0.05e9, 2e9))
def test_merit_of_a_ripple_is_its_amplitude_over_root_two_where_all_counts(ripple: float, period: float) -> None:
    deviation = ripple * np.cos(2 * math.pi * GRID / period)
    assert deviation_merit(deviation=deviation, weight=np.ones(len(GRID))) == pytest.approx(
        ripple / math.sqrt(2), rel=0.03)
    assert deviation_merit(deviation=deviation, weight=noise_weight(
        frequency=GRID, symbol_rate=BAUD, receiver=RECEIVER)) < ripple / math.sqrt(2)


def test_merit_by_hand() -> None:
    assert deviation_merit(deviation=[0.3, -0.4], weight=[1.0, 0.25]) == pytest.approx(
        math.sqrt((0.09 + 0.25 * 0.16) / 2), rel=1e-12)
