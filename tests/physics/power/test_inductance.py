# SPDX-License-Identifier: MIT
"""Mounting and spreading inductance: reference values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import mu_0

from pcbrules.physics.power.inductance import (
    chessboard_via_inductance,
    plane_inductance,
    radial_inductance,
    via_pair_inductance,
)

lengths = st.floats(1e-5, 1e-1)


def test_two_vias_across_a_cavity_against_independent_finite_elements() -> None:
    # reference LS01: 200 x 200 mm planes 0.1 mm apart, vias of 0.25 mm 5 mm apart
    found = via_pair_inductance(height=100e-6, spacing=5e-3, diameter=0.25e-3)
    assert found == pytest.approx(1.475730131e-10, rel=5e-4)


def test_plane_of_two_squares() -> None:
    assert plane_inductance(separation=100e-6, length=4e-3, width=2e-3) == pytest.approx(8e-11 * math.pi, rel=1e-8)


def test_pair_per_metre_as_listed_with_the_mounting_references() -> None:
    # references ML01-ML03 and ML04 list the pair inductance per metre beside their 3-D values
    assert via_pair_inductance(height=1.0, spacing=1e-3, diameter=0.25e-3) == pytest.approx(8.253748276e-7, rel=1e-8)
    assert via_pair_inductance(height=1.0, spacing=0.6e-3, diameter=0.2e-3) == pytest.approx(7.050988696e-7, rel=1e-8)


@pytest.mark.parametrize(
    ("height", "spacing", "diameter", "solid"),
    [(0.1e-3, 1e-3, 0.25e-3, 1.448e-10), (0.8e-3, 1e-3, 0.25e-3, 7.946e-10), (0.15e-3, 0.6e-3, 0.2e-3, 1.578e-10)],
)
def test_posts_alone_stay_below_the_whole_mounted_loop(
    height: float, spacing: float, diameter: float, solid: float
) -> None:
    # references ML01, ML03, ML04 (3-D finite elements) hold the body of the capacitor as well
    assert via_pair_inductance(height=height, spacing=spacing, diameter=diameter) < solid


@given(separation=lengths, first=lengths, second=lengths, width=lengths)
def test_lengths_of_a_plane_add_and_widths_share(separation: float, first: float, second: float, width: float) -> None:
    whole = plane_inductance(separation=separation, length=first + second, width=width)
    parts = [plane_inductance(separation=separation, length=part, width=width) for part in (first, second)]
    assert whole == pytest.approx(sum(parts), rel=1e-9)
    assert plane_inductance(separation=separation, length=first, width=2 * width) == pytest.approx(parts[0] / 2)


@given(separation=lengths, inner=lengths, first=st.floats(1, 50), second=st.floats(1, 50))
def test_rings_add(separation: float, inner: float, first: float, second: float) -> None:
    middle, outer = inner * first, inner * first * second
    whole = radial_inductance(separation=separation, inner_radius=inner, outer_radius=outer)
    near = radial_inductance(separation=separation, inner_radius=inner, outer_radius=middle)
    far = radial_inductance(separation=separation, inner_radius=middle, outer_radius=outer)
    assert whole == pytest.approx(near + far, rel=1e-9, abs=1e-20)


def test_thin_ring_is_a_straight_strip() -> None:
    ring = radial_inductance(separation=1e-4, inner_radius=10e-3, outer_radius=10.01e-3)
    strip = plane_inductance(separation=1e-4, length=0.01e-3, width=2 * math.pi * 10.005e-3)
    assert ring == pytest.approx(strip, rel=1e-6)


def test_distant_pair_is_two_discs() -> None:
    pair = via_pair_inductance(height=1e-4, spacing=20e-3, diameter=0.2e-3)
    disc = radial_inductance(separation=1e-4, inner_radius=0.1e-3, outer_radius=20e-3)
    assert pair == pytest.approx(2 * disc, rel=1e-5)


@given(height=lengths, spacing=st.floats(0.5e-3, 20e-3), diameter=st.floats(0.05e-3, 0.45e-3))
def test_farther_or_thinner_vias_have_more(height: float, spacing: float, diameter: float) -> None:
    base = via_pair_inductance(height=height, spacing=spacing, diameter=diameter)
    assert via_pair_inductance(height=height, spacing=1.1 * spacing, diameter=diameter) > base > 0
    assert via_pair_inductance(height=height, spacing=spacing, diameter=0.9 * diameter) > base


@pytest.mark.parametrize("ratio", [2.5, 4.0, 8.0])
def test_a_chessboard_of_vias_line_by_line(ratio: float) -> None:
    # Line currents of both signs that fade out slowly: potential at the surface of one and of its neighbour
    pitch, half = 1e-3, 400
    i, j = np.meshgrid(np.arange(-half, half + 1), np.arange(-half, half + 1))
    sign = np.where((i + j) % 2, -1.0, 1.0)
    centre = (i - 0.5) ** 2 + j**2  # the middle between the two, so that the piece holds as many of each
    weight = np.exp(-centre / (half / 4) ** 2) * sign
    diameter = pitch / ratio

    def potential(x: int) -> float:
        square = np.where((i == x) & (j == 0), (diameter / 2) ** 2, ((i - x) ** 2 + j**2) * pitch**2)
        return float(-(weight * np.log(square)).sum() / (4 * np.pi))

    got = chessboard_via_inductance(height=1e-3, pitch=pitch, diameter=diameter)
    assert got == pytest.approx(mu_0 * 1e-3 * (potential(0) - potential(1)), rel=1e-3)
