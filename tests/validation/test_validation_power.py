# SPDX-License-Identifier: MIT
"""Rails, planes, copper and vias against published and exact figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.constants import mil
from sections import read

from pcbrules.analysis.power.ladder_peaks import peak_frequencies
from pcbrules.analysis.power.rail_task import rail_target
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.networks.pdn import Branch, ladder_network, loaded_impedance, rail_impedance
from pcbrules.networks.via import via
from pcbrules.physics.lines.copper import sheet_resistance
from pcbrules.physics.power.cavity import (
    cavity_impedance,
    cavity_resonance,
    cavity_series_impedance,
    cavity_shunt_admittance,
)
from pcbrules.physics.power.inductance import plane_inductance, radial_inductance, via_pair_inductance
from pcbrules.physics.vias.barrel import barrel_impedance
from pcbrules.physics.vias.stub import ideal_stub_resonance

CASES = read("power")
PLANES, COPPER, VIAS = CASES["planes"], CASES["copper"], CASES["vias"]
EXACT = 1e-9


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["case"]) for case in cases]


@pytest.mark.parametrize("case", named(CASES["targets"]))
def test_target_impedance(case: dict[str, Any]) -> None:
    rail = Rail.model_validate({
        "role": "core", "load": "accelerator", "voltage": f"{case['voltage']} V",
        "tolerance": {"ac": f"{100 * case['ripple']:g} %"}, "current": {"step": f"{case['step']} A"},
    })
    conditions = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
    assert rail_target(rail, "core", conditions).formula == pytest.approx(case["impedance"], rel=EXACT)


def test_series_resonance_of_a_capacitor() -> None:
    case = CASES["resonance"]
    branch = Branch(0.0, case["inductance"], case["capacitance"])
    around = case["frequency"] * np.array([1 - case["within"], 1 + case["within"]])
    low, high = branch.impedance(around).imag
    assert low < 0 < high


@pytest.mark.parametrize("case", named(CASES["pairs"]))
def test_the_peak_between_two_capacitors(case: dict[str, Any]) -> None:
    first, second = (Branch(r, inductance, c, shunt=True) for c, inductance, r in (case["first"], case["second"]))
    grid = np.geomspace(case["frequency"] / 30, case["frequency"] * 30, 300)
    open_end = Branch(1e12, 0.0)
    places = peak_frequencies(regulator=open_end, ladder=[first, second], grid=grid)
    assert places == pytest.approx([case["frequency"]], rel=case["within"])
    if "peak" in case:
        z = abs(rail_impedance(frequency=places, regulator=open_end, ladder=[first, second]))
        assert z == pytest.approx([case["peak"]], rel=case["within"])


def test_a_rail_of_three_banks_and_a_plane() -> None:
    case = CASES["ladder"]
    steps = [
        Branch(one[2], one[1], one[0], one[3], shunt=True) if len(one) == 4 else Branch(one[0], one[1])
        for one in case["steps"]
    ]
    frequency = np.array(case["frequency"])
    seen = loaded_impedance(ladder_network(frequency=frequency, ladder=steps),
                            load=Branch(*case["vrm"]).impedance(frequency))
    plane = 2j * np.pi * frequency * case["plane"]["capacitance"] * (1 - 1j * case["plane"]["df"])
    found = seen / (1 + seen * plane)
    assert abs(found) == pytest.approx(np.array(case["magnitude"]), rel=case["within"])
    assert np.degrees(np.angle(found)) == pytest.approx(np.array(case["phase_deg"]), rel=case["within"])


def test_inductance_of_planes() -> None:
    sheet, disc, vias = PLANES["sheet"], PLANES["disc"], PLANES["vias"]
    found = plane_inductance(separation=np.array(sheet["mil"]) * mil, length=0.01, width=0.01)
    assert found * 1e12 == pytest.approx(np.array(sheet["picohenry"]), rel=EXACT)
    assert radial_inductance(separation=disc["separation"], inner_radius=disc["inner"], outer_radius=disc["outer"]) \
        == pytest.approx(disc["inductance"], rel=EXACT)
    height, radius, spacing = (value * mil for value in vias["mil"])
    # the field between two planes is that of two wires
    assert via_pair_inductance(height=height, spacing=spacing, diameter=2 * radius) == pytest.approx(
        vias["inductance"], rel=EXACT)


@pytest.mark.parametrize("case", named(PLANES["capacitance"]))
def test_capacitance_of_planes(case: dict[str, Any]) -> None:
    area = cavity_shunt_admittance(frequency=1e6, separation=case["separation"], permittivity=case["dk"],
                                   loss_tangent=0.0)
    assert area.imag / (2 * np.pi * 1e6) * case["area"] == pytest.approx(case["value"], rel=case["within"])


def test_resonances_of_planes() -> None:
    case = PLANES["modes"]
    m, n = np.array(case["mode"]).T
    found = cavity_resonance(m=m, n=n, length=case["length"], width=case["width"], permittivity=case["dk"])
    assert found == pytest.approx(np.array(case["frequency"]), rel=EXACT)


def test_transfer_impedance_of_planes() -> None:
    case = PLANES["transfer"]
    frequency = np.array(case["frequency"])
    z = cavity_impedance(
        series=cavity_series_impedance(frequency=frequency, separation=case["separation"], conductivity=np.inf,
                                       thickness=35e-6),
        shunt=cavity_shunt_admittance(frequency=frequency, separation=case["separation"], permittivity=case["dk"],
                                      loss_tangent=case["df"]),
        length=case["length"], width=case["width"], ports=case["ports"],
    )
    assert abs(z[:, 1, 0]) == pytest.approx(np.array(case["magnitude"]), rel=case["within"])
    assert np.degrees(np.angle(z[:, 1, 0])) == pytest.approx(np.array(case["phase_deg"]), abs=0.1)
    for place, value in case["own"].items():
        at = int(np.flatnonzero(frequency == float(place))[0])
        assert abs(z[at, 0, 0]) == pytest.approx(value, rel=case["within"])


def test_resistance_of_copper() -> None:
    sheet, trace, plane = COPPER["sheet"], COPPER["trace"], COPPER["plane"]
    for temperature, key in ((20, "at_20"), (85, "at_85")):
        found = sheet_resistance(thickness=np.array(sheet["thickness"]), temperature=temperature,
                                 at_20=sheet["resistivity"])
        assert found == pytest.approx(np.array(sheet[key]), rel=EXACT)
    square = sheet_resistance(thickness=trace["thickness"], temperature=20, at_20=sheet["resistivity"])
    assert square * trace["length"] / trace["width"] == pytest.approx(trace["resistance"], rel=EXACT)
    square = sheet_resistance(thickness=plane["thickness"], temperature=20, at_20=sheet["resistivity"])
    resistance = square * plane["length"] / plane["width"]
    assert resistance == pytest.approx(plane["resistance"], rel=EXACT)
    assert resistance * plane["current"] == pytest.approx(plane["drop"], rel=EXACT)
    assert resistance * plane["current"] ** 2 == pytest.approx(plane["power"], rel=EXACT)


def test_radial_resistance_of_a_disc() -> None:
    case = COPPER["disc"]
    square = sheet_resistance(thickness=case["thickness"], temperature=20, at_20=COPPER["sheet"]["resistivity"])
    radial = radial_inductance(separation=1.0, inner_radius=case["inner"], outer_radius=case["outer"])
    one = plane_inductance(separation=1.0, length=1.0, width=1.0)
    assert square * radial / one == pytest.approx(case["resistance"], rel=EXACT)


@pytest.mark.parametrize("case", named(VIAS["stubs"]))
def test_ideal_stubs(case: dict[str, Any]) -> None:
    assert ideal_stub_resonance(length=case["length"], dk=case["dk"]) == pytest.approx(case["notch"], rel=EXACT)


def test_an_open_stub_across_a_matched_line() -> None:
    case = VIAS["transfer"]
    frequency = np.array(case["part"]) * ideal_stub_resonance(length=1e-3, dk=4.0)
    network = via(frequency, through_length=0.0, port1_end=1e-3, port2_end=0.0, impedance=50.0, dk=4.0,
                  loss_tangent=0.0, z_ref=50.0)
    assert 20 * np.log10(abs(network.s[:, 1, 0])) == pytest.approx(np.array(case["decibel"]), rel=1e-8)


@pytest.mark.parametrize("case", named(VIAS["coaxial"]))
def test_a_barrel_through_closely_stacked_planes(case: dict[str, Any]) -> None:
    inductance = radial_inductance(separation=1e-3, inner_radius=case["barrel"] * mil / 2,
                                   outer_radius=case["antipad"] * mil / 2)
    assert inductance * 1e9 == pytest.approx(case["nanohenry_per_mm"], rel=EXACT)
    assert barrel_impedance(inductance=inductance / 1e-3, dk=case["dk"]) == pytest.approx(case["impedance"], rel=EXACT)


@pytest.mark.parametrize("case", named(VIAS["rods"]))
def test_two_rods(case: dict[str, Any]) -> None:
    inductance = via_pair_inductance(height=1e-3, spacing=case["pitch"] * mil, diameter=2 * case["radius"] * mil)
    assert inductance * 1e9 == pytest.approx(case["nanohenry_per_mm"], rel=EXACT)
    assert barrel_impedance(inductance=inductance / 1e-3, dk=case["dk"]) == pytest.approx(case["impedance"], rel=EXACT)
