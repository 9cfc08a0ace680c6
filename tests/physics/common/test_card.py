# SPDX-License-Identifier: MIT
"""The card of a formula: what it takes, and what it says of the rest."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from pcbrules.physics.common.card import FormulaCard


@FormulaCard(gives="m", valid={"length": (1.0, 2.0)}, source="none", accuracy="none", u=0.1)
def doubled(*, length: float) -> float:
    """Twice a length."""
    return 2 * length


def test_a_function_carries_its_card() -> None:
    assert doubled.card.name == "doubled"
    assert doubled.card.valid == {"length": (1.0, 2.0)}
    assert doubled(length=1.5) == 3.0
    with pytest.raises(FrozenInstanceError):
        doubled.card.gives = "s"  # type: ignore[misc]
    with pytest.raises(TypeError):
        doubled.card.valid["length"] = (0.0, 9.0)  # type: ignore[index]


@pytest.mark.parametrize(
    ("length", "reason"),
    [
        (1.0, None),
        (2.0, None),
        (2.0 * (1 + 1e-12), None),
        (0.5, "length 0.5 is below 1"),
        (2.5, "length 2.5 is above 2"),
        (np.array([1.5, 3.0]), "length 3 is above 2"),
        (float("nan"), "length nan is below 1"),
    ],
)
def test_what_is_outside_is_said(length: Any, reason: str | None) -> None:
    assert doubled.card.outside(length=length) == reason
    assert doubled.card.outside(length=1.5, other=99.0) is None


@FormulaCard(gives="m", valid={"gap": (1.0, 9.0)}, ratios={("gap", "width"): (2.0, float("inf"))}, source="none",
             accuracy="none", derived={"far": "twice the gap"})
def apart(*, gap: float, width: float) -> float:
    """A gap less a width."""
    return gap - width


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"gap": 2.0, "width": 1.0}, None),
        ({"gap": 9.0, "width": 1e-9}, None),
        ({"gap": 2.0, "width": 1.5}, "gap / width 1.333 is below 2"),
        ({"gap": 0.5, "width": 1.0}, "gap 0.5 is below 1"),
        ({"gap": 2.0}, None),
        ({"width": 5.0}, None),
        ({"gap": np.array([4.0, 3.0]), "width": np.array([1.0, 2.0])}, "gap / width 1.5 is below 2"),
    ],
)
def test_a_ratio_of_two_arguments_has_bounds(values: dict[str, Any], reason: str | None) -> None:
    assert apart.card.outside(**values) == reason


def test_of_a_complex_number_the_magnitude_counts() -> None:
    assert doubled.card.outside(length=1.2 + 0.9j) is None
    assert doubled.card.outside(length=2.0 + 2.0j) == "length 2.828 is above 2"
