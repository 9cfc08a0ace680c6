# SPDX-License-Identifier: MIT
"""Interface stacks: independent closed-form references and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.physics.thermal.interface_stack import Interface, gap_fill, stack_resistance

MICRO = 1e-6
# independent reference TIM02: gap pad on a plate with grease, 900 mm^2
PAD = [
    Interface(1000e-6, 3.0, 15e-6, 250e-6, 0.3, 5e-6),
    Interface(3000e-6, 167.0, 0.0, 100e-6, 8.0, 0.0),
    Interface(50e-6, 1.5, 4e-6, 20e-6, 0.2, 1e-6),
]

layers = st.lists(
    st.builds(
        Interface,
        thickness=st.floats(1e-5, 5e-3),
        conductivity=st.floats(0.5, 400),
        contact=st.floats(1e-7, 2e-5),
        thickness_tolerance=st.floats(0, 1e-5),
        conductivity_tolerance=st.floats(0, 0.4),
        contact_tolerance=st.floats(0, 1e-7),
    ),
    min_size=1,
    max_size=6,
)


def test_gap_pad_against_reference() -> None:
    found = stack_resistance(layers=PAD, area=900e-6)
    assert found.nominal == pytest.approx(0.4484785984, rel=1e-9)
    assert found.linear == pytest.approx(0.1576708902, rel=1e-9)
    assert found.root_sum_square == pytest.approx(0.1011061387, rel=1e-9)
    assert (found.least, found.most) == pytest.approx((0.3049902385, 0.6236733024), rel=1e-9)
    assert found.layers[0].shares == pytest.approx((0.8386822267, 0.1341891563, 0.003019256016), rel=1e-9)
    assert found.layers[2].most == pytest.approx(0.06538461538, rel=1e-9)


def test_gap_against_reference() -> None:
    # independent reference TIM03
    found = gap_fill(
        heights=[3e-3, 1.75e-3, 0.15e-3, 0, 0], signs=[1, -1, -1, -1, -1],
        tolerances=[80e-6, 100e-6, 40e-6, 120e-6, 50e-6], conductivity=4.0, area=625e-6,
    )  # fmt: skip
    assert found.worst == pytest.approx((710e-6, 1490e-6))
    assert found.likely == pytest.approx((913.1845831e-6, 1286.815417e-6), rel=1e-9)
    assert (found.resistance, found.resistance_worst) == pytest.approx((0.44, 0.596))
    assert found.resistance_likely == pytest.approx(0.5147261668, rel=1e-9)
    assert not found.interference


def test_the_worst_case_may_touch_where_the_root_of_squares_does_not() -> None:
    found = gap_fill(heights=[1e-4], signs=[1], tolerances=[0], conductivity=1.0, area=1e-4)
    assert not found.interference
    found = gap_fill(heights=[1.1e-4, 0], signs=[1, -1], tolerances=[8e-5, 6e-5], conductivity=1.0, area=1e-4)
    assert found.interference
    assert not found.interference_likely  # 140 um of tolerances added up, 100 um by squares


def test_a_conductivity_that_may_vanish_has_no_worst_case() -> None:
    with pytest.raises(ValueError, match="not above its tolerance"):
        stack_resistance(layers=[Interface(1e-3, 1.0, conductivity_tolerance=1.0)], area=1e-4)


@given(layers, st.floats(1e-5, 1e-2))
def test_root_of_squares_below_linear_below_exact(given_layers: list[Interface], area: float) -> None:
    found = stack_resistance(layers=given_layers, area=area)
    slack = 1e-12 * found.nominal
    assert found.root_sum_square <= found.linear + slack
    assert found.nominal + found.linear <= found.most + slack  # t / k is convex in k and bilinear
    assert found.least <= found.nominal <= found.most
    total = sum(share for one in found.layers for share in one.shares)
    assert total == pytest.approx(1.0) or total == 0


@given(layers, st.floats(1e-5, 1e-2), st.integers(2, 10))
def test_resistance_goes_with_one_over_the_area(given_layers: list[Interface], area: float, times: int) -> None:
    one, many = (stack_resistance(layers=given_layers, area=a) for a in (area, times * area))
    assert one.most == pytest.approx(times * many.most)
    assert one.root_sum_square == pytest.approx(times * many.root_sum_square)
