# SPDX-License-Identifier: MIT
"""The usual spellings of a foil are one foil; what is sold as another foil is another one."""

from __future__ import annotations

import pytest

from pcbrules.model.foil_weights import OUNCE, SOLD, sold_weight
from pcbrules.units import parse


@pytest.mark.parametrize(("ounces", "spellings"), [
    (0.25, "0.25 oz, 8.5 um, 9 um, 0.35 mil, 0.34 mil"),
    (1 / 3, "12 um, 11.4 um"),
    (0.5, "0.5 oz, 17 um, 17.1 um, 17.5 um, 18 um, 0.7 mil, 0.69 mil, 0.67 mil"),
    (1.0, "1 oz, 34 um, 34.3 um, 35 um, 36 um, 1.4 mil, 1.37 mil, 1.35 mil"),
    (2.0, "2 oz, 68.6 um, 70 um, 2.8 mil, 2.7 mil"),
    (3.0, "3 oz, 103 um, 105 um, 4.2 mil, 4.1 mil"),
])
def test_the_usual_spellings_of_a_foil_are_one_weight(ounces: float, spellings: str) -> None:
    assert {sold_weight(parse(one, "copper_weight").value) for one in spellings.split(", ")} == {OUNCE * ounces}


@pytest.mark.parametrize("text", ["0.55 oz", "1.1 oz", "30 um", "1.2 mil", "60 um", "8 oz"])
def test_another_weight_stays(text: str) -> None:
    value = parse(text, "copper_weight").value
    assert sold_weight(value) == value


def test_no_foil_is_taken_for_another() -> None:
    assert [sold_weight(foil) for foil in SOLD] == list(SOLD)
