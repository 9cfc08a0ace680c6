# SPDX-License-Identifier: MIT
"""Copper from direct current to the skin effect, and the crowding of its current."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import pi

from pcbrules.physics.conductor import direct_resistance, series_impedance, skin_depth, surface_impedance
from pcbrules.physics.crowding import CORNERS, microstrip_crowding, stripline_crowding

um = 1e-6


def test_skin_depth_and_surface_resistance_worked_figures() -> None:
    f = np.array([1e6, 1e9, 8e9, 16e9, 25e9, 50e9])
    depth = [66.08284963, 2.089723191, 0.7388287196, 0.5224307977, 0.4179446382, 0.2955314878]
    square = [0.0002608846334, 0.008249896481, 0.02333423098, 0.03299958592, 0.04124948241, 0.05833557746]
    np.testing.assert_allclose(skin_depth(frequency=f, resistivity=1.724e-8) / um, depth, rtol=1e-9)
    made = surface_impedance(frequency=f, resistivity=1.724e-8)
    np.testing.assert_allclose(made.real, square, rtol=1e-9)
    np.testing.assert_allclose(made.imag, square, rtol=1e-9)


def test_direct_current_has_no_surface_impedance_and_the_resistance_of_the_section() -> None:
    assert surface_impedance(frequency=0.0, resistivity=1.7e-8, rz=3e-6) == 0
    direct = direct_resistance(width=100 * um, thickness=15 * um, resistivity=1.8e-8)
    assert direct == pytest.approx(12.0, rel=1e-12)
    assert series_impedance(direct=direct, skin=0j) == pytest.approx(12.0, rel=1e-15)


@given(direct=st.floats(0.1, 200), skin=st.floats(0, 1e5), rough=st.floats(0, 0.99))
def test_series_impedance_is_passive_and_meets_both_limits(direct: float, skin: float, rough: float) -> None:
    made = series_impedance(direct=direct, skin=skin * (1 + 1j * (1 + rough)))
    assert made.real > 0
    assert made.imag >= 0
    assert made.real >= direct * 0.5
    if skin > 100 * direct:
        assert made.real == pytest.approx(skin, rel=1e-2)


def test_series_impedance_is_causal() -> None:
    """Resistance from the reactance by Hilbert's integral with one subtraction (at direct current)."""
    x = np.logspace(-1, 18, 60001)

    def at(f: float | np.ndarray) -> np.ndarray:
        skin = 9e3 * surface_impedance(frequency=f, resistivity=1.8e-8, rz=3e-6)
        return series_impedance(direct=10.0, skin=skin)

    reactance = at(x).imag
    for f in (1e8, 5e9):
        z = at(f)
        part = (reactance / x - z.imag / f) / (x**2 - f**2 + 1e-30)
        integral = np.trapezoid(np.where(np.abs(x / f - 1) < 1e-6, 0, part) * x, np.log(x))
        assert 10.0 - 2 * f**2 / pi * integral == pytest.approx(z.real, rel=1e-2)


def test_wide_strip_carries_its_current_on_both_faces_and_half_on_each_plane() -> None:
    made = stripline_crowding(width=2e-3, thickness=10 * um, below=100 * um, above=100 * um)
    flat = 1 / 4 / 2e-3
    assert made.shape == (1, 5)
    assert made[0, :2] == pytest.approx(CORNERS * flat * np.ones(2), rel=0.12)
    assert made[0, 3:] == pytest.approx(CORNERS * flat * np.ones(2), rel=0.12)
    assert made[0, 2] < 0.2 * made.sum()


def test_crowding_scales_and_mirrors() -> None:
    a = stripline_crowding(width=120 * um, gap=150 * um, thickness=15 * um, below=100 * um, above=180 * um, taper=0.5)
    half = stripline_crowding(width=60 * um, gap=75 * um, thickness=7.5 * um, below=50 * um, above=90 * um, taper=0.5)
    turned = stripline_crowding(
        width=120 * um, gap=150 * um, thickness=15 * um, below=180 * um, above=100 * um, taper=-0.5
    )
    np.testing.assert_allclose(half, 2 * a, rtol=1e-6)
    np.testing.assert_allclose(turned[:, [1, 0, 2, 4, 3]], a, rtol=1e-6)


def test_wide_microstrip_carries_its_current_below() -> None:
    made = microstrip_crowding(width=600 * um, thickness=10 * um, below=100 * um)
    assert made.sum() == pytest.approx(2 / 600e-6, rel=0.35)
    assert made[0, 0] > 3 * made[0, 1]
