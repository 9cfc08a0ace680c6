# SPDX-License-Identifier: MIT
"""Copper at direct current: the standard's value, a reference sheet, laws."""

from __future__ import annotations

import numpy as np
import pytest

from pcbrules.physics.lines.copper import resistivity, sheet_resistance


def test_resistivity_at_twenty_degrees_is_that_of_the_standard() -> None:
    assert resistivity(temperature=20.0) == pytest.approx(1 / 58e6, rel=1e-4)


@pytest.mark.parametrize(
    ("temperature", "expected"),
    [(20.0, 0.0004926), (60.0, 0.00057003672), (85.0, 0.00061843467)],
)
def test_one_ounce_sheet_against_independent_reference(temperature: float, expected: float) -> None:
    assert sheet_resistance(thickness=35e-6, temperature=temperature) == pytest.approx(expected, rel=1e-9)


def test_two_ounce_is_a_quarter_milliohm_per_square() -> None:
    assert sheet_resistance(thickness=70e-6, temperature=20.0) == pytest.approx(0.246e-3, rel=2e-3)


def test_plated_foil_starts_from_its_own_resistivity() -> None:
    assert resistivity(temperature=45.0, at_20=1.8e-8) == pytest.approx(1.8e-8 * (1 + 0.00393 * 25), rel=1e-12)


def test_arrays_equal_scalars() -> None:
    thickness, temperature = np.array([18e-6, 35e-6, 70e-6]), np.array([-40.0, 20.0, 125.0])
    together = sheet_resistance(thickness=thickness, temperature=temperature)
    one_by_one = [sheet_resistance(thickness=t, temperature=c) for t, c in zip(thickness, temperature, strict=True)]
    assert list(together) == one_by_one
