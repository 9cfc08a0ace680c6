# SPDX-License-Identifier: MIT
"""Tolerance stacks: independent closed-form references and laws."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.physics.common.tolerance_stack import (
    WEIGHTS,
    stack_nominal,
    stack_root_sum_square,
    stack_shares,
    stack_worst_case,
)

tolerances = st.lists(st.floats(-1, 1).filter(lambda t: t == 0 or abs(t) > 1e-6), min_size=1, max_size=12)

# independent reference TIM03: standoff, component, solder, board bow, plate flatness [um]
HEIGHTS, SIGNS = [3000.0, 1750.0, 150.0, 0.0, 0.0], [1, -1, -1, -1, -1]
TOLERANCES = [80.0, 100.0, 40.0, 120.0, 50.0]


def test_gap_stack_against_reference() -> None:
    gap = stack_nominal(heights=HEIGHTS, signs=SIGNS)
    worst, likely = stack_worst_case(tolerances=TOLERANCES), stack_root_sum_square(tolerances=TOLERANCES)
    assert gap == 1100.0
    assert (gap - worst, gap + worst) == (710.0, 1490.0)
    assert gap - likely == pytest.approx(913.1845831, rel=1e-9)
    assert gap + likely == pytest.approx(1286.815417, rel=1e-9)
    expected = [0.1833810888, 0.2865329513, 0.04584527221, 0.4126074499, 0.07163323782]
    assert stack_shares(tolerances=TOLERANCES) == pytest.approx(expected, rel=1e-9)


def test_interface_resistance_against_reference() -> None:
    # independent reference TIM02 [K/W]: thickness, conductivity and contact of pad, plate and grease
    effects = [
        0.09259259259, 0.03703703704, 0.005555555556, 0.0006654, 0.0009562, 0.0, 0.01481481481, 0.004938271605,
        0.001111111111,
    ]  # fmt: skip
    assert stack_worst_case(tolerances=effects) == pytest.approx(0.1576708902, rel=1e-6)
    assert stack_root_sum_square(tolerances=effects) == pytest.approx(0.1011061387, rel=1e-6)


def test_uniform_contribution_counts_for_its_standard_deviation() -> None:
    assert stack_root_sum_square(tolerances=[1.0], distributions=["uniform"]) == pytest.approx(math.sqrt(3))
    assert stack_root_sum_square(tolerances=[2.0], distributions=["triangular"]) == pytest.approx(3 * 2 / math.sqrt(6))
    assert set(WEIGHTS) == {"normal", "triangular", "uniform"}


def test_unknown_distribution_is_named() -> None:
    with pytest.raises(KeyError, match="gaussian"):
        stack_root_sum_square(tolerances=[1.0], distributions=["gaussian"])


def test_one_distribution_is_due_for_each_tolerance() -> None:
    with pytest.raises(ValueError, match="one distribution"):
        stack_root_sum_square(tolerances=[1.0, 2.0], distributions=["normal"])


@given(tolerances)
def test_root_of_squares_lies_between_largest_and_worst_case(values: list[float]) -> None:
    likely = stack_root_sum_square(tolerances=values)
    assert max(map(abs, values)) * (1 - 1e-12) <= likely <= stack_worst_case(tolerances=values) * (1 + 1e-12)


@given(tolerances)
def test_order_and_sign_do_not_matter(values: list[float]) -> None:
    other = [-value for value in reversed(values)]
    assert stack_root_sum_square(tolerances=other) == pytest.approx(stack_root_sum_square(tolerances=values))
    assert stack_worst_case(tolerances=other) == pytest.approx(stack_worst_case(tolerances=values))


@given(tolerances)
def test_shares_add_up(values: list[float]) -> None:
    total = sum(stack_shares(tolerances=values))
    assert total == pytest.approx(1.0 if any(values) else 0.0)
