# SPDX-License-Identifier: MIT
"""Roughness: worked figures, and the laws of any model of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hilbert import imaginary_part
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.physics.lines.conductor import skin_depth, surface_impedance
from pcbrules.physics.lines.gradient_roughness import gradient
from pcbrules.physics.lines.roughness import (
    SURFACE_RATIO,
    cannonball,
    cannonball_causal,
    groiss,
    hammerstad,
    huray,
)

FREQUENCY = np.array([1, 5, 10, 16, 25, 50]) * 1e9
DELTA = skin_depth(frequency=FREQUENCY, resistivity=1.724e-8)
depths = st.floats(0.1e-6, 100e-6)


def test_hammerstad_and_groiss_worked_figures() -> None:
    np.testing.assert_allclose(
        hammerstad(skin_depth=DELTA, rms=0.4e-6),
        [1.032626475, 1.159830345, 1.301725693, 1.437512412, 1.578361038, 1.763321221],
        rtol=1e-8,
    )
    np.testing.assert_allclose(
        groiss(skin_depth=DELTA, rms=1.1e-6),
        [1.398115571, 1.775575633, 1.864183012, 1.904635172, 1.932271128, 1.960520432],
        rtol=1e-8,
    )
    assert hammerstad(skin_depth=1.0, rms=1.0) == pytest.approx(1.605136913, rel=1e-9)


@pytest.mark.parametrize(
    ("rz", "expected"),
    [
        (1.5e-6, [1.024951647, 1.112262522, 1.207665588, 1.309919208, 1.446256074, 1.757664592]),
        (3e-6, [1.091629019, 1.372664792, 1.642431145, 1.903386564, 2.218165618, 2.837343632]),
        (10e-6, [1.694950112, 2.94407509, 3.707035337, 4.258247825, 4.780141093, 5.542152958]),
    ],
)
def test_cannonball_worked_figures(rz: float, expected: list[float]) -> None:
    np.testing.assert_allclose(cannonball(skin_depth=DELTA, rz=rz), expected, rtol=1e-8)


def test_huray_worked_figures_and_limits() -> None:
    np.testing.assert_allclose(
        huray(skin_depth=DELTA, radius=0.5e-6, surface_ratio=2.9),
        [1.312649757, 1.942398349, 2.361482918, 2.679063772, 2.990623734, 3.463555385],
        rtol=1e-8,
    )
    assert pytest.approx(4.886921906, rel=1e-9) == SURFACE_RATIO
    assert huray(skin_depth=1e-12, radius=1e-6, surface_ratio=SURFACE_RATIO) == pytest.approx(8.330382858, rel=1e-5)
    assert huray(skin_depth=1e-6, radius=1e-6, surface_ratio=SURFACE_RATIO) == pytest.approx(3.932153143, rel=1e-9)


def spheres(*, skin_depth: Any, radius: Any) -> Any:
    """Huray's factor for the usual number of spheres."""
    return huray(skin_depth=skin_depth, radius=radius, surface_ratio=SURFACE_RATIO)


MODELS: list[tuple[Callable[..., Any], str, float]] = [
    (hammerstad, "rms", 4e-6),
    (groiss, "rms", 4e-6),
    (spheres, "radius", 2e-6),
    (cannonball, "rz", 15e-6),
]


@pytest.mark.parametrize(("model", "height", "highest"), MODELS)
@given(depth=depths, part=st.floats(0, 1), more=st.floats(0, 1), thinner=st.floats(0.2, 1))
def test_at_least_one_and_growing_with_height_and_frequency(
    model: Callable[..., Any], height: str, highest: float, depth: float, part: float, more: float, thinner: float
) -> None:
    def at(share: float, delta: float) -> float:
        return float(model(**{"skin_depth": delta, height: share * highest}))

    assert at(part, depth) >= 1
    assert at(part + (1 - part) * more, depth) >= at(part, depth) - 1e-12
    assert at(part, depth * thinner) >= at(part, depth) - 1e-12
    assert at(0.0, depth) == pytest.approx(1)
    assert at(part, 1.0) == pytest.approx(1, abs=1e-4)


@given(depth=depths, rz=st.floats(0, 15e-6))
def test_causal_factor_has_the_resistance_of_the_real_one(depth: float, rz: float) -> None:
    surface = (1 + 1j) * cannonball_causal(skin_depth=depth, rz=rz)
    assert surface.real == pytest.approx(float(cannonball(skin_depth=depth, rz=rz)), rel=1e-12)
    assert surface.imag >= surface.real * (1 - 1e-12)


@given(frequency=st.floats(1e3, 85e9), rz=st.floats(0, 15e-6), resistivity=st.floats(1.4e-8, 4e-8))
def test_surface_resistance_is_positive_over_all_foils(frequency: float, rz: float, resistivity: float) -> None:
    assert surface_impedance(frequency=frequency, resistivity=resistivity, rz=rz).real > 0


@given(frequency=st.floats(1e3, 85e9), rms=st.floats(0, 4e-6), resistivity=st.floats(1.4e-8, 4e-8))
def test_surface_resistance_of_every_model_is_that_of_smooth_copper_or_more(
    frequency: float, rms: float, resistivity: float
) -> None:
    smooth = surface_impedance(frequency=frequency, resistivity=resistivity)
    depth = float(skin_depth(frequency=frequency, resistivity=resistivity))
    for factor in (
        hammerstad(skin_depth=depth, rms=rms),
        groiss(skin_depth=depth, rms=rms),
        cannonball(skin_depth=depth, rz=3.4 * rms),
        cannonball_causal(skin_depth=depth, rz=3.4 * rms),
        gradient(skin_depth=depth, rms=rms),
    ):
        assert complex(smooth * factor).real >= smooth.real * (1 - 1e-12) > 0


@pytest.mark.parametrize("frequency", [1e8, 2e9, 16e9, 60e9])
@pytest.mark.parametrize("rz", [0.8e-6, 3e-6, 8e-6])
def test_real_and_imaginary_part_of_the_causal_factor_belong_together(frequency: float, rz: float) -> None:
    def factor(f: Any) -> Any:
        return cannonball_causal(skin_depth=skin_depth(frequency=f, resistivity=1.724e-8), rz=rz)

    assert imaginary_part(lambda f: factor(f).real, frequency) == pytest.approx(factor(frequency).imag, rel=1e-4)


def test_a_real_factor_on_a_surface_impedance_is_not_causal() -> None:
    """Why there is a causal one: a factor that grows with frequency and stays real breaks Kramers and Kronig."""

    def factor(f: Any) -> Any:
        return cannonball(skin_depth=skin_depth(frequency=f, resistivity=1.724e-8), rz=3e-6)

    assert imaginary_part(factor, 16e9) > 0.3
