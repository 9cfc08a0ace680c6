# SPDX-License-Identifier: MIT
"""Stub resonances and barrel constants: laws, textbook figures, and an independent full-wave reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from full_wave import VIAS, Via
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import c, mil, pi

from pcbrules.physics.vias.stub import (
    ideal_stub_resonance,
    loaded_stub_error,
    loaded_stub_resonance,
    open_line_admittance,
    shunt_return_loss,
    wave_stub_error,
)

NOTCHES = [
    pytest.param(via, stub, id=f"{via.id}-{stub['residual_stub_mil']:g}")
    for via in VIAS
    for stub in via.stubs
    if stub.get("notch_is_clean_stub_notch")
]
LOADING = {False: (1.43, 1.47, 1.51), True: (1.72, 1.80, 1.88)}

lengths = st.floats(5 * mil, 200 * mil)
gaps = st.floats(0.1e-3, 0.5e-3)
dks = st.floats(2.5, 10.0)


@pytest.mark.parametrize(("length", "dk", "ghz"), [(0.8e-3, 4.2, 45.7), (1.4e-3, 4.3, 25.8), (0.2286e-3, 3.31, 180)])
def test_ideal_resonance_is_the_textbook_one(length: float, dk: float, ghz: float) -> None:
    assert ideal_stub_resonance(length=length, dk=dk) / 1e9 == pytest.approx(ghz, rel=2e-3)


@pytest.mark.parametrize(
    ("millimetres", "ghz"),
    [(0.2286, 75.7), (2.97, 10.7), (2.67, 11.8), (2.37, 13.1), (2.07, 14.8), (1.18, 24.3), (0.58, 42.5), (0.28, 68.0)],
)
def test_loaded_resonance_of_a_thick_board(millimetres: float, ghz: float) -> None:
    f = loaded_stub_resonance(length=millimetres * 1e-3, gap=0.275e-3, dk=1.47 * 3.31)
    assert f / 1e9 == pytest.approx(ghz, abs=0.06)


@pytest.mark.parametrize(("via", "stub"), NOTCHES)
def test_interval_of_the_loaded_resonance_holds_the_full_wave_notch(via: Via, stub: dict[str, Any]) -> None:
    length, gap, notch = stub["residual_stub_mil"] * mil, via.width / 2 - via.radius, stub["first_stub_notch_GHz"]
    error = loaded_stub_error(length=length, gap=gap)
    low, nominal, high = (
        loaded_stub_resonance(length=length, gap=gap, dk=via.dk * loading) / 1e9
        for loading in reversed(LOADING[via.pitch is None])
    )
    assert low * (1 - error) < notch < high * (1 + error)
    assert nominal / notch - 1 == pytest.approx(0, abs=0.03 if length >= 40 * mil else 0.11)
    assert ideal_stub_resonance(length=length, dk=via.dk) / 1e9 > 1.29 * notch


@given(length=lengths, gap=gaps, dk=dks, more=st.floats(1.001, 2))
def test_longer_stubs_wider_gaps_and_higher_dk_resonate_lower(
    length: float, gap: float, dk: float, more: float
) -> None:
    f = loaded_stub_resonance(length=length, gap=gap, dk=dk)
    assert loaded_stub_resonance(length=more * length, gap=gap, dk=dk) < f
    assert loaded_stub_resonance(length=length, gap=more * gap, dk=dk) < f
    assert loaded_stub_resonance(length=length, gap=gap, dk=more * dk) == pytest.approx(f / more**0.5)
    assert f < ideal_stub_resonance(length=length, dk=dk)


@given(length=lengths, gap=gaps, shorter=st.floats(0.3, 0.999))
def test_the_lower_bound_of_a_shorter_stub_is_never_lower(length: float, gap: float, shorter: float) -> None:
    def bound(length: float) -> float:
        f = loaded_stub_resonance(length=length, gap=gap, dk=5.0)
        return float(f * (1 - loaded_stub_error(length=length, gap=gap)))

    assert bound(shorter * length) >= bound(length) * (1 - 1e-12)
    error = loaded_stub_error(length=length, gap=gap)
    assert 0 < error <= loaded_stub_error(length=shorter * length, gap=gap) < 1


def test_lower_bound_of_a_short_stub_follows_its_length() -> None:
    # gap 0.2 mm: open end 0.16 mm, turn at (0.508 + 0.16) / sqrt(1 / 0.24) = 0.3273 mm, uncertain by half of that
    length = np.array([1e-6, 1 * mil, 3 * mil, 5 * mil])
    bound = loaded_stub_resonance(length=length, gap=0.2e-3, dk=5.0) * (
        1 - loaded_stub_error(length=length, gap=0.2e-3)
    )
    assert bound == pytest.approx(c / (4 * (length + 0.16e-3 + 0.3273e-3 / 2) * 5**0.5), rel=1e-4)


def test_error_of_the_wave_for_a_short_stub() -> None:
    # the turn is where the lower bound of the envelope is highest, found here by a search over lengths
    one = {"extension": 0.14e-3, "shortest_known_stub": 20 * mil, "plane_pitch": 0.254e-3}
    lengths = np.linspace(0.0, 0.6e-3, 6001) + one["extension"]
    t, sparse = 0.648e-3 / lengths, 0.04 * (0.254 / 0.648) ** 2
    error = 0.015 + 0.03 * t**4 + sparse * t**2
    turn = np.argmax((1 - error) / lengths)
    uncertain = error[turn] / (1 - error[turn]) * lengths[turn]
    for mils in (0.1, 1.0, 4.0):
        own = wave_stub_error(length=mils * mil, **one)
        assert own == pytest.approx(uncertain / (mils * mil + 0.14e-3 + uncertain), rel=1e-3)


@given(
    length=lengths,
    extension=st.floats(0.02e-3, 0.4e-3),
    shortest_known_stub=st.floats(20 * mil, 60 * mil),
    pitch=st.floats(0.05e-3, 3e-3),
    shorter=st.floats(0.3, 0.999),
)
def test_the_wave_too_never_lowers_the_bound_of_a_shorter_stub(
    length: float, extension: float, shortest_known_stub: float, pitch: float, shorter: float
) -> None:
    def error(length: float) -> float:
        return float(wave_stub_error(
            length=length, extension=extension, shortest_known_stub=shortest_known_stub, plane_pitch=pitch))

    def bound(length: float) -> float:
        return (1 - error(length)) / (length + extension)

    assert bound(shorter * length) >= bound(length) * (1 - 1e-12)
    assert 0.015 < error(length) <= error(shorter * length) < 1


@given(
    f=st.floats(1e6, 110e9),
    length=st.just(0.0) | st.floats(1e-9, 5e-3),
    dk=st.floats(1, 12),
    df=st.floats(0, 0.05),
    end=st.just(0.0) | st.floats(1e-24, 50e-15),
)
def test_open_line_is_passive_and_capacitive_at_first(
    f: float, length: float, dk: float, df: float, end: float
) -> None:
    y = open_line_admittance(frequency=f, length=length, dk=dk, loss_tangent=df, impedance=50.0, end_capacitance=end)
    assert y.real >= -1e-12 * abs(y)
    low = open_line_admittance(
        frequency=1e3, length=length, dk=dk, loss_tangent=0.0, impedance=50.0, end_capacitance=end
    )
    assert low.imag == pytest.approx(2 * pi * 1e3 * (length * dk**0.5 / c / 50 + end), rel=1e-6)


def test_open_line_shorts_at_its_quarter_wave() -> None:
    f = ideal_stub_resonance(length=1e-3, dk=5.0)
    y = open_line_admittance(frequency=f, length=1e-3, dk=5.0, loss_tangent=0.0, impedance=50.0)
    assert abs(y) > 1e9
    assert shunt_return_loss(admittance=y, z_ref=50.0) == pytest.approx(0, abs=1e-9)


def test_stub_of_nine_mil_reflects_as_the_board_example_says() -> None:
    with_stub, without = (
        open_line_admittance(frequency=26.5625e9, length=length, dk=1.47 * 3.31, loss_tangent=0.0025, impedance=100.0)
        for length in (9 * mil + 0.22e-3, 0.22e-3)
    )
    assert 15 < shunt_return_loss(admittance=with_stub - without, z_ref=100.0) < 18
