# SPDX-License-Identifier: MIT
"""Skin depth and surface impedance."""

from __future__ import annotations

import numpy as np

from pcbrules.physics.lines.conductor import skin_depth, surface_impedance

um = 1e-6


def test_skin_depth_and_surface_resistance_worked_figures() -> None:
    f = np.array([1e6, 1e9, 8e9, 16e9, 25e9, 50e9])
    depth = [66.08284963, 2.089723191, 0.7388287196, 0.5224307977, 0.4179446382, 0.2955314878]
    square = [0.0002608846334, 0.008249896481, 0.02333423098, 0.03299958592, 0.04124948241, 0.05833557746]
    np.testing.assert_allclose(skin_depth(frequency=f, resistivity=1.724e-8) / um, depth, rtol=1e-9)
    made = surface_impedance(frequency=f, resistivity=1.724e-8)
    np.testing.assert_allclose(made.real, square, rtol=1e-9)
    np.testing.assert_allclose(made.imag, square, rtol=1e-9)


def test_direct_current_has_no_surface_impedance() -> None:
    assert surface_impedance(frequency=0.0, resistivity=1.7e-8, rz=3e-6) == 0
