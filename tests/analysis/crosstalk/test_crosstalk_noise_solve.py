# SPDX-License-Identifier: MIT
"""Crosstalk noise of lines and the merit of a deviation: sums as the public program makes them, laws, real channels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from sample_lines import NVLINK
from test_crosstalk import UM, coupling_task

from pcbrules.analysis.channel.loss_fit import deviation
from pcbrules.analysis.channel.solve import solve_channel
from pcbrules.analysis.channel.task import ChannelTask, Filters, LineSpec, LossSpec
from pcbrules.analysis.crosstalk.noise_solve import Noise, NoiseTask, noise_of, solve_noise
from pcbrules.analysis.crosstalk.solve import coupling_over
from pcbrules.missing import Missing

BAUD = 32e9
FILTERS = Filters(math.inf, 0.75 * BAUD)


def noise(peak: float = 0.6, *, near: bool = True, filters: Filters = FILTERS, **extra: Any) -> float:
    found = noise_of(coupling_task(**extra), near=near, peak=peak, symbol_rate=BAUD, filters=filters)
    assert isinstance(found, Noise), found
    return found.voltage


@pytest.mark.parametrize("near", [True, False])
@pytest.mark.parametrize("length", [0.004, 0.1, 0.35])
def test_a_few_points_a_lobe_are_the_sum_at_steps_of_10_mhz(near: bool, length: float) -> None:
    filters = Filters(31.5e9, 0.75 * BAUD)
    f = np.arange(5, 2401) * 10e6
    over = coupling_over(coupling_task(length=length), f)
    assert not isinstance(over, Missing)
    x = f / BAUD
    pwf = (np.sin(np.pi * x) / (np.pi * x)) ** 2 / (1 + (f / 31.5e9) ** 4) / (1 + (f / (0.75 * BAUD)) ** 8)
    power = np.abs(over[0 if near else 1]) ** 2
    want = math.sqrt(2 * 10e6 / BAUD * np.sum(0.6**2 * pwf * power))
    assert noise(near=near, length=length, filters=filters) == pytest.approx(want, rel=0.003)


def test_noise_falls_with_spacing_and_with_slower_edges() -> None:
    assert noise(spacing=200 * UM) > 2 * noise(spacing=300 * UM)
    assert noise(filters=Filters(10e9, 0.75 * BAUD)) < 0.9 * noise()


def test_aggressors_and_ends_are_kept_apart_and_what_is_declared_is_flat() -> None:
    task = NoiseTask(
        couplings=(coupling_task(), coupling_task(), coupling_task(spacing=10 * UM)), near=(True, False, True),
        peaks=(0.6, 0.4, 0.6), vias=(), via_peaks=(), amplitude=0.6, symbol_rate=BAUD, filters=FILTERS,
    )
    made = solve_noise(task)
    one, other, lost = made.parts
    assert isinstance(one, Noise) and isinstance(other, Noise)
    assert one.voltage == noise() and other.voltage == noise(0.4, near=False)
    assert isinstance(lost, Missing) and "tolerance of the traces" in lost.reason
    assert made.flat == pytest.approx(0.6 * 0.9295, rel=1e-3)


def test_noise_has_the_errors_of_the_coupling() -> None:
    found = noise_of(coupling_task(tolerance=12 * UM), near=True, peak=0.6, symbol_rate=BAUD, filters=FILTERS)
    assert isinstance(found, Noise)
    higher = noise(spacing=188 * UM)
    assert 20 * math.log10(higher / found.voltage) < found.spread < 4 * 20 * math.log10(higher / found.voltage)


# The deviation


@given(st.tuples(*[st.floats(0, 10)] * 4))
def test_a_smooth_loss_has_no_deviation(fit: tuple[float, ...]) -> None:
    x = np.arange(1, 481) / 320
    loss = fit[0] + fit[1] * np.sqrt(x) + fit[2] * x + fit[3] * x**2
    assert np.abs(deviation(x * 16e9, loss)).max() <= 1e-6


@examples(20)
@given(loss=st.floats(1, 30), ripple=st.floats(0.01, 2), period=st.floats(0.05, 0.5))
def test_the_fit_is_that_of_the_normal_equations(loss: float, ripple: float, period: float) -> None:
    """IEEE 802.3 annex 93A.3: a = (F' F)^-1 F' L, both with every row times |S21|."""
    x = np.arange(1, 481) / 320
    curve = loss * np.sqrt(x) + ripple * np.cos(2 * np.pi * x / period)
    size = 10 ** (-curve / 20)
    rows = np.stack([size, size * np.sqrt(x), size * x, size * x**2], axis=1)
    a = np.linalg.solve(rows.T @ rows, rows.T @ (curve * size))
    want = curve - (a[0] + a[1] * np.sqrt(x) + a[2] * x + a[3] * x**2)
    np.testing.assert_allclose(deviation(x * 16e9, curve), want, atol=1e-5)


def merit(*elements: Any, filters: Filters | None = None) -> float:
    through = solve_channel(ChannelTask(elements, 100.0, 16e9, filters=filters)).through
    assert through is not None
    assert through.fom_ild.lo <= through.fom_ild.value <= through.fom_ild.hi
    return through.fom_ild.value


def test_merit_of_channels() -> None:
    assert merit(LossSpec(8.0, 13e9)) == pytest.approx(0, abs=1e-9)
    matched, other = LineSpec(NVLINK, 0.1), LineSpec(replace(NVLINK, width_foot=2 * NVLINK.width_foot,
                                                             width_top=2 * NVLINK.width_top), 0.03)
    rippled = merit(matched, other, matched)
    assert merit(matched) < 0.02 < rippled < 0.5
    assert merit(matched, other, matched, filters=Filters(math.inf, 8e9)) < rippled
    assert merit(matched, other, matched, filters=Filters(math.inf, 24e9)) == rippled
