# SPDX-License-Identifier: MIT
"""Stub resonances and barrel constants: laws, textbook figures, and an independent full-wave reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import c, epsilon_0, mil, mu_0, pi

from pcbrules.physics.barrel import (
    barrel_dk,
    barrel_impedance,
    cell_capacitance,
    oval_antipad_radius,
    pair_barrel_inductance,
    single_barrel_inductance,
)
from pcbrules.physics.via import (
    dispersive_stub_resonance,
    ideal_stub_resonance,
    loaded_stub_error,
    loaded_stub_resonance,
    open_line_admittance,
    shunt_return_loss,
)

REFERENCE = json.loads((Path(__file__).parent / "data" / "full_wave_vias.json").read_text())["structures"]
NAMES = [via["id"] for via in REFERENCE]
NOTCHES = [
    pytest.param(via, stub, id=f"{via['id']}-{stub['length']:g}")
    for via in REFERENCE
    for stub in via["stubs"]
    if stub["clean"]
]
LOADING = {False: (1.43, 1.47, 1.51), True: (1.72, 1.80, 1.88)}

lengths = st.floats(5 * mil, 200 * mil)
gaps = st.floats(0.1e-3, 0.5e-3)
dks = st.floats(2.5, 10.0)


def gap_of(via: dict[str, Any]) -> float:
    return float((via["antipad_width"] - via["barrel_diameter"]) / 2 * mil)


def computed(via: dict[str, Any]) -> dict[str, float]:
    """Barrel constants from the geometry alone."""
    radius, gap = via["barrel_diameter"] / 2 * mil, gap_of(via)
    if via["single_ended"]:
        leg = single_barrel_inductance(
            barrel_radius=radius, return_distance=via["return_distance"] * mil, returns=via["returns"]
        )
    else:
        leg = pair_barrel_inductance(
            barrel_radius=radius,
            pitch=via["pitch"] * mil,
            return_distance=via["return_distance"] * mil,
            returns_per_side=via["returns"],
        )
        gap = oval_antipad_radius(width=via["antipad_width"] * mil, pitch=via["pitch"] * mil) - radius
    pitch = via["plane_pitch"] * mil
    capacitance = cell_capacitance(barrel_radius=radius, gap=gap, plane_pitch=pitch, dk=via["dk"]) / pitch
    dk = barrel_dk(inductance=leg, capacitance=capacitance)
    return {
        "inductance": leg * 1e9,
        "capacitance": capacitance * 1e12,
        "impedance": barrel_impedance(inductance=leg, dk=dk),
        "dk": dk,
    }


@pytest.mark.parametrize(("length", "dk", "ghz"), [(0.8e-3, 4.2, 45.7), (1.4e-3, 4.3, 25.8), (0.2286e-3, 3.31, 180)])
def test_ideal_resonance_is_the_textbook_one(length: float, dk: float, ghz: float) -> None:
    assert ideal_stub_resonance(length=length, dk=dk) / 1e9 == pytest.approx(ghz, rel=2e-3)


@pytest.mark.parametrize(
    ("millimetres", "ghz"),
    [(0.2286, 75.7), (2.97, 10.7), (2.67, 11.8), (2.37, 13.1), (2.07, 14.8), (1.18, 24.3), (0.58, 42.5), (0.28, 68.0)],
)
def test_loaded_resonance_of_a_thick_board(millimetres: float, ghz: float) -> None:
    f = loaded_stub_resonance(length=millimetres * 1e-3, gap=0.275e-3, dk=1.47 * 3.31)
    assert f / 1e9 == pytest.approx(ghz, abs=0.06)


@pytest.mark.parametrize(("via", "stub"), NOTCHES)
def test_interval_of_the_loaded_resonance_holds_the_full_wave_notch(via: dict[str, Any], stub: dict[str, Any]) -> None:
    length, gap = stub["length"] * mil, gap_of(via)
    error = loaded_stub_error(length=length, gap=gap)
    low, nominal, high = (
        loaded_stub_resonance(length=length, gap=gap, dk=via["dk"] * loading) / 1e9
        for loading in reversed(LOADING[via["single_ended"]])
    )
    assert low * (1 - error) < stub["notch_GHz"] < high * (1 + error)
    assert nominal / stub["notch_GHz"] - 1 == pytest.approx(0, abs=0.03 if stub["length"] >= 40 else 0.11)
    assert ideal_stub_resonance(length=length, dk=via["dk"]) / 1e9 > 1.29 * stub["notch_GHz"]


@pytest.mark.parametrize(("via", "stub"), NOTCHES)
def test_dispersive_resonance_with_computed_barrel(via: dict[str, Any], stub: dict[str, Any]) -> None:
    f = dispersive_stub_resonance(
        length=stub["length"] * mil,
        gap=gap_of(via),
        antipad_width=via["antipad_width"] * mil,
        dk=via["dk"],
        loading=computed(via)["dk"] / via["dk"],
    )
    assert f / 1e9 == pytest.approx(stub["notch_GHz"], rel=0.011 if stub["length"] >= 40 else 0.045)


def test_the_rivals_agree_where_both_hold() -> None:
    length = np.linspace(30, 60, 7) * mil
    loaded = loaded_stub_resonance(length=length, gap=0.23e-3, dk=1.47 * 3.5)
    rival = dispersive_stub_resonance(length=length, gap=0.23e-3, antipad_width=0.7e-3, dk=3.5, loading=1.47)
    assert np.all(np.abs(rival / loaded - 1) < loaded_stub_error(length=length, gap=0.23e-3))


@given(length=lengths, gap=gaps, dk=dks, more=st.floats(1.001, 2))
def test_longer_stubs_wider_gaps_and_higher_dk_resonate_lower(
    length: float, gap: float, dk: float, more: float
) -> None:
    f = loaded_stub_resonance(length=length, gap=gap, dk=dk)
    assert loaded_stub_resonance(length=more * length, gap=gap, dk=dk) < f
    assert loaded_stub_resonance(length=length, gap=more * gap, dk=dk) < f
    assert loaded_stub_resonance(length=length, gap=gap, dk=more * dk) == pytest.approx(f / more**0.5)
    assert f < ideal_stub_resonance(length=length, dk=dk)


@given(length=lengths, gap=gaps, shorter=st.floats(0.3, 0.999))
def test_the_lower_bound_of_a_shorter_stub_is_never_lower(length: float, gap: float, shorter: float) -> None:
    def bound(length: float) -> float:
        f = loaded_stub_resonance(length=length, gap=gap, dk=5.0)
        return float(f * (1 - loaded_stub_error(length=length, gap=gap)))

    assert bound(shorter * length) >= bound(length) * (1 - 1e-12)
    error = loaded_stub_error(length=length, gap=gap)
    assert 0 < error <= loaded_stub_error(length=shorter * length, gap=gap) < 1


def test_lower_bound_of_a_vanishing_stub() -> None:
    length = np.array([1e-6, 1 * mil, 3 * mil, 5 * mil])
    bound = loaded_stub_resonance(length=length, gap=0.2e-3, dk=5.0) * (
        1 - loaded_stub_error(length=length, gap=0.2e-3)
    )
    assert bound == pytest.approx(np.full(4, bound[0]))


@pytest.mark.parametrize("via", REFERENCE, ids=NAMES)
def test_barrel_constants_against_finite_elements(via: dict[str, Any]) -> None:
    found = computed(via)
    assert found["inductance"] == pytest.approx(via["inductance_nH_per_m"], rel=0.012)
    assert found["capacitance"] == pytest.approx(via["capacitance_pF_per_m"], rel=0.008)
    assert found["impedance"] == pytest.approx(via["impedance"], rel=0.006)
    assert found["dk"] == pytest.approx(via["barrel_dk"], rel=0.014)


@pytest.mark.parametrize(
    ("name", "gain"),  # capacitance with planes of 0.6 and 1.2 mil over that with thin ones
    [("VD1", (1.015, 1.027)), ("VS1", (1.021, 1.037))],
)
def test_thick_planes_against_finite_elements(name: str, gain: tuple[float, float]) -> None:
    via = REFERENCE[NAMES.index(name)]
    thick = np.array([0.0, 0.6, 1.2]) * mil
    cell = cell_capacitance(
        barrel_radius=via["barrel_diameter"] / 2 * mil,
        gap=gap_of(via),
        plane_pitch=via["plane_pitch"] * mil,
        dk=via["dk"],
        plane_thickness=thick,
    )
    assert cell[1:] / cell[0] == pytest.approx(np.array(gain), rel=0.008)


def test_dense_planes_make_a_coaxial_line() -> None:
    a, gap, pitch = 0.125e-3, 0.25e-3, 0.05e-3
    coax = 2 * pi * epsilon_0 * 3.5 * pitch / np.log1p(gap / a)
    cell = cell_capacitance(barrel_radius=a, gap=gap, plane_pitch=pitch, dk=3.5)
    assert 0.97 * coax < cell < coax
    assert cell_capacitance(barrel_radius=a, gap=gap, plane_pitch=2 * pitch, dk=3.5) < 2 * cell


@given(
    radius=st.floats(0.05e-3, 0.2e-3),
    gap=st.floats(0.06e-3, 0.6e-3),
    pitch=st.floats(0.05e-3, 1e-3),
    scale=st.floats(0.8, 1.25),
)
def test_cell_capacitance_laws(radius: float, gap: float, pitch: float, scale: float) -> None:
    cell = cell_capacitance(barrel_radius=radius, gap=gap, plane_pitch=pitch, dk=4.0)
    similar = cell_capacitance(barrel_radius=scale * radius, gap=scale * gap, plane_pitch=scale * pitch, dk=4.0)
    assert similar == pytest.approx(scale * cell, rel=1e-9)
    assert cell_capacitance(barrel_radius=radius, gap=1.1 * gap, plane_pitch=pitch, dk=4.0) < cell
    assert cell_capacitance(barrel_radius=radius, gap=gap, plane_pitch=1.1 * pitch, dk=4.0) > cell
    assert cell_capacitance(barrel_radius=radius, gap=gap, plane_pitch=pitch, dk=2.0) == pytest.approx(cell / 2)


def test_oval_antipad_is_nearly_a_circle_and_never_less() -> None:
    assert oval_antipad_radius(width=0.6e-3, pitch=3e-3) / 0.3e-3 == pytest.approx(1.1184, abs=2e-4)
    # conformal radius of the half oval, by boundary collocation with 60 harmonics
    for ratio, radius in ((1.0, 1.0373), (1.2, 1.0745), (1.5, 1.1011), (2.0, 1.1148), (3.0, 1.1183)):
        assert oval_antipad_radius(width=1e-3, pitch=ratio * 1e-3) / 0.5e-3 == pytest.approx(radius, abs=7e-4)


def test_pair_without_ground_vias_is_the_two_wire_line() -> None:
    leg = pair_barrel_inductance(barrel_radius=0.125e-3, pitch=0.8e-3, return_distance=1e-3, returns_per_side=0)
    assert leg == pytest.approx(mu_0 / (2 * pi) * np.arccosh(0.8 / 0.25), rel=1e-12)


@given(pitch=st.floats(0.5e-3, 2e-3), distance=st.floats(0.5e-3, 4e-3))
def test_more_and_nearer_ground_vias_lower_the_inductance(pitch: float, distance: float) -> None:
    def leg(returns: int, distance: float) -> float:
        return float(
            pair_barrel_inductance(
                barrel_radius=0.1e-3, pitch=pitch, return_distance=distance, returns_per_side=returns
            )
        )

    assert 0 < leg(3, distance) < leg(1, distance) < leg(1, 1.1 * distance) < leg(0, distance)


def test_single_barrel_with_one_return_is_half_a_two_wire_line_twice() -> None:
    leg = single_barrel_inductance(barrel_radius=0.1e-3, return_distance=2e-3, returns=1)
    assert leg == pytest.approx(mu_0 / pi * np.log(20), rel=1e-12)


def test_impedance_is_the_root_of_l_over_c() -> None:
    inductance, capacitance = 387e-9, 144e-12
    dk = barrel_dk(inductance=inductance, capacitance=capacitance)
    assert c / dk**0.5 == pytest.approx((inductance * capacitance) ** -0.5)
    assert barrel_impedance(inductance=inductance, dk=dk) == pytest.approx((inductance / capacitance) ** 0.5)


@given(
    f=st.floats(1e6, 110e9),
    length=st.floats(0, 5e-3),
    dk=st.floats(1, 12),
    df=st.floats(0, 0.05),
    end=st.floats(0, 50e-15),
)
def test_open_line_is_passive_and_capacitive_at_first(
    f: float, length: float, dk: float, df: float, end: float
) -> None:
    y = open_line_admittance(frequency=f, length=length, dk=dk, loss_tangent=df, impedance=50.0, end_capacitance=end)
    assert y.real >= -1e-12 * abs(y)
    low = open_line_admittance(
        frequency=1e3, length=length, dk=dk, loss_tangent=0.0, impedance=50.0, end_capacitance=end
    )
    assert low.imag == pytest.approx(2 * pi * 1e3 * (length * dk**0.5 / c / 50 + end), rel=1e-6)


def test_open_line_shorts_at_its_quarter_wave() -> None:
    f = ideal_stub_resonance(length=1e-3, dk=5.0)
    y = open_line_admittance(frequency=f, length=1e-3, dk=5.0, loss_tangent=0.0, impedance=50.0)
    assert abs(y) > 1e9
    assert shunt_return_loss(admittance=y, z_ref=50.0) == pytest.approx(0, abs=1e-9)


def test_stub_of_nine_mil_reflects_as_the_board_example_says() -> None:
    with_stub, without = (
        open_line_admittance(frequency=26.5625e9, length=length, dk=1.47 * 3.31, loss_tangent=0.0025, impedance=100.0)
        for length in (9 * mil + 0.22e-3, 0.22e-3)
    )
    assert 15 < shunt_return_loss(admittance=with_stub - without, z_ref=100.0) < 18
