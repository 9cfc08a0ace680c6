# SPDX-License-Identifier: MIT
"""The cubic surface through a few solves, and its distribution."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pcbrules.physics.common.response_surface import Surface, distribution, response_surface

MATRIX = np.array([[0.4, 0.1, -0.2], [0.1, -0.3, 0.05], [-0.2, 0.05, 0.2]])
GRADIENT, CUBIC = np.array([3.0, -2.0, 1.0]), np.array([0.05, 0.0, -0.02])
TAILS = (0.0013, 0.5, 0.9987)


def cubic(x: NDArray[np.float64]) -> float:
    """A surface of the kind that is fitted."""
    return float(100 + GRADIENT @ x + x @ MATRIX @ x / 2 + CUBIC @ x**3)


def test_a_cubic_is_met_exactly() -> None:
    found = response_surface(function=cubic, inputs=3)
    assert found.nominal == 100
    np.testing.assert_allclose(found.gradient, GRADIENT, rtol=1e-10)
    np.testing.assert_allclose(found.curvature, MATRIX, atol=1e-10)
    np.testing.assert_allclose(found.cubic, CUBIC, atol=1e-10)
    points = np.array([[0.3, -1.0, 2.0], [-3.0, 0.1, 0.0]])
    np.testing.assert_allclose(found.at(points), [cubic(x) for x in points], rtol=1e-12)


def test_the_number_of_solves() -> None:
    count = 0

    def counted(x: NDArray[np.float64]) -> float:
        nonlocal count
        count += 1
        return cubic(x)

    response_surface(function=counted, inputs=3)
    assert count == 1 + 6 * 3 + 3 * 2


@pytest.mark.parametrize("inputs", [1, 2, 5, 8])
def test_a_linear_surface_is_normal(inputs: int) -> None:
    surface = Surface(50.0, np.full(inputs, 2 / np.sqrt(inputs)), np.zeros((inputs, inputs)), np.zeros(inputs))
    found = distribution(surface=surface, quantiles=TAILS)
    assert found.mean == pytest.approx(50, abs=2e-3) and found.sigma == pytest.approx(2, rel=2e-3)
    assert found.quantiles == pytest.approx((50 - 2 * 3.0115, 50, 50 + 2 * 3.0115), abs=0.06)


def test_curvature_moves_the_mean_and_bends_the_tails() -> None:
    surface = Surface(0.0, np.array([1.0]), np.array([[0.1]]), np.zeros(1))
    found = distribution(surface=surface, quantiles=TAILS)
    assert found.mean == pytest.approx(0.05, abs=1e-3) and found.sigma == pytest.approx(np.sqrt(1.005), rel=1e-3)
    assert found.quantiles == pytest.approx([x + 0.05 * x**2 for x in (-3.0115, 0, 3.0115)], abs=0.03)


def test_a_smooth_function_against_random_draws() -> None:
    def impedance(x: NDArray[np.float64]) -> float:
        width, height, dk = 0.1 * (1 + 0.05 * x[0]), 0.1 * (1 + 0.06 * x[1]), 3.6 * (1 + 0.02 * x[2])
        return float(60 / np.sqrt(dk) * np.log(6 * height / width))

    found = distribution(surface=response_surface(function=impedance, inputs=3), quantiles=TAILS)
    draws = np.random.default_rng(1).standard_normal((200_000, 3)).T
    exact = 60 / np.sqrt(3.6 * (1 + 0.02 * draws[2])) * np.log(6 * (1 + 0.06 * draws[1]) / (1 + 0.05 * draws[0]))
    assert found.mean == pytest.approx(np.mean(exact), rel=2e-4)
    assert found.sigma == pytest.approx(np.std(exact), rel=5e-3)
    assert found.quantiles == pytest.approx(tuple(np.quantile(exact, TAILS)), rel=2e-3)
