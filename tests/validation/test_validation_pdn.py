# SPDX-License-Identifier: MIT
"""Peaks and droops of small power networks against published and exact values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sections import read

from pcbrules.analysis.power.ladder_peaks import describe_peak, peak_frequencies
from pcbrules.networks.pdn import Branch
from pcbrules.networks.pdn_poles import rail_poles
from pcbrules.physics.power.pole_response import step_response

PDN = read("pdn")
FAR = Branch(1e3, 1.0)
"""A regulator that carries no current."""


def capacitor(values: dict[str, float]) -> Branch:
    return Branch(values["R"], values["L"], values["C"], shunt=True)


@pytest.mark.parametrize("case", PDN["anti_resonances"], ids=lambda case: case["case"])
def test_anti_resonance_of_two_capacitors(case: dict[str, Any]) -> None:
    ladder = [capacitor(case["first"]), capacitor(case["second"])]
    found = peak_frequencies(regulator=FAR, ladder=ladder, grid=np.geomspace(1e5, 1e9, 400))
    assert len(found) == 1
    peak = describe_peak(frequency=float(found[0]), regulator=FAR, ladder=ladder)
    assert peak.frequency == pytest.approx(case["frequency"], rel=case["within"])
    if "magnitude" in case:
        assert peak.magnitude == pytest.approx(case["magnitude"], rel=case["within"])
    assert (peak.inductive, peak.capacitive) == (0, 1)  # the larger one is inductive there
    # a loop of two: both inductances and both capacitances in series, within what they are damped
    one, two = case["first"], case["second"]
    exact = np.sqrt((one["L"] + two["L"]) * (one["C"] + two["C"]) / one["C"] / two["C"])
    assert peak.damping == pytest.approx(exact, rel=0.2)
    if peak.quality > 4:
        assert peak.quality == pytest.approx(exact / (one["R"] + two["R"]), rel=0.02)


def test_droop_of_a_squared_current() -> None:
    case = PDN["droop_of_a_squared_current"]
    path, bank = case["path"], case["bank"]
    poles = rail_poles(regulator=Branch(path["R"], path["L"]), ladder=[capacitor(bank)])
    node, weight = np.polynomial.legendre.leggauss(60)
    for time, want in zip(case["times"], case["voltages"], strict=True):
        past = (node + 1) * time / 2  # the slope of the current, 2 t, folded with the response to a step
        folded = np.sum(weight * 2 * (time - past) * step_response(poles=poles, time=past)) * time / 2
        assert -(folded + poles.inductance * 2 * time) == pytest.approx(want, abs=case["within"])
