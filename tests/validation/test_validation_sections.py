# SPDX-License-Identifier: MIT
"""The field solver against striplines, microstrips and layered sections of known impedance."""

from __future__ import annotations

import pytest
from sections import Solved, checks, section, sections, solved

from pcbrules.physics.lines.cross_section.electrostatic import solve


@pytest.mark.parametrize(("case", "quantity", "expected", "within"), checks("striplines"))
def test_stripline(case: str, quantity: str, expected: float, within: float) -> None:
    assert solved("striplines", case).figure(quantity) == pytest.approx(expected, rel=within)


@pytest.mark.parametrize(("case", "quantity", "expected", "within"), checks("microstrips"))
def test_microstrip(case: str, quantity: str, expected: float, within: float) -> None:
    assert solved("microstrips", case).figure(quantity) == pytest.approx(expected, rel=within)


@pytest.mark.parametrize(("case", "quantity", "expected", "within"), checks("layered"))
def test_layered_section(case: str, quantity: str, expected: float | list[float], within: float) -> None:
    found = solved("layered", case).figure(quantity)
    if quantity.startswith("shares"):
        assert found[:-1] == pytest.approx(expected, abs=within)
        assert sum(found) == pytest.approx(1, rel=1e-9)
    else:
        assert found == pytest.approx(expected, rel=within)


def test_a_simulated_microstrip_of_ten_segments_is_coarse() -> None:
    """I-mmtl-opal: finer panels move the capacitance by 1e-5, so that the printed one is what is 2.5 % low; and the
    permittivity of thick copper lies below the exact one without thickness by about what Hammerstad and Jensen say."""
    made = sections("microstrips")["I-mmtl-opal"]
    finest = Solved(solve(section(made), order=16, reach=3.0))
    found = solved("microstrips", "I-mmtl-opal")
    assert found.figure("c11_pf") == pytest.approx(finest.figure("c11_pf"), rel=1e-5)
    thin = solved("microstrips", "I-mmtl-opal without thickness").figure("eps_eff")
    dk, height = made["below"][0]
    less = (dk - 1) / 4.6 * made["thickness"] / height / (made["width"] / height) ** 0.5
    assert thin - found.figure("eps_eff") == pytest.approx(less, rel=0.6)
