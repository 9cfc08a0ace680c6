# SPDX-License-Identifier: MIT
"""Vias as numbers: barrel constants, stub intervals, the cost of a stub against an independent full-wave reference."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import mil

from pcbrules.analysis.channel_row import CORNERS, end_length, legs, loss_tangent, via_network
from pcbrules.analysis.lines import Dielectric, Unsupported
from pcbrules.analysis.via_solve import Surroundings, ViaResult, ViaSpec, solve_via
from pcbrules.networks.cascade import insertion_loss
from pcbrules.networks.via import via as via_of_numbers

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "physics" / "data" / "full_wave_vias.json").read_text(encoding="utf-8")
)["structures"]
FREQUENCY = np.arange(2e9, 31e9, 2e9)
GRID = FREQUENCY.tobytes()
MEGTRON = Dielectric(((1e9, 3.31, 0.0015), (26e9, 3.31, 0.0025)))
PLAIN = ViaSpec(
    through_length=0.58e-3,
    upper_stub=0.0,
    lower_stub=9 * mil,
    drill_diameter=0.25e-3,
    antipad_diameter=0.8e-3,
    dk=3.31,
    df_points=MEGTRON,
)
STUBS = [pytest.param(via, stub, id=f"{via['id']}-{stub['length']:g}") for via in REFERENCE for stub in via["stubs"]]


def spec_of(via: dict[str, Any], length: float, *, computed: bool) -> ViaSpec:
    """The reference's via with one of its stubs [mil]; its loss tangent falls as 1/f."""
    points = tuple((f, via["dk"], via["loss_tangent_at_16_GHz"] * 16e9 / f) for f in np.geomspace(1e9, 64e9, 25))
    around = Surroundings(
        plane_pitch=via["plane_pitch"] * mil,
        plane_thickness=0.0,
        returns=via["returns"],
        return_distance=via["return_distance"] * mil,
        pitch=None if via["single_ended"] else via["pitch"] * mil,
        oval=not via["single_ended"],
    )
    return ViaSpec(
        through_length=via["through_length"] * mil,
        upper_stub=via["upper_stub"] * mil,
        lower_stub=length * mil,
        drill_diameter=via["barrel_diameter"] * mil,
        antipad_diameter=via["antipad_width"] * mil,
        dk=via["dk"],
        df_points=Dielectric(points),
        single_ended=via["single_ended"],
        surroundings=around if computed else None,
    )


def solved(spec: ViaSpec) -> ViaResult:
    made = solve_via(spec)
    assert isinstance(made, ViaResult)
    return made


@pytest.mark.parametrize("computed", [True, False], ids=["computed", "table"])
@pytest.mark.parametrize("via", REFERENCE, ids=[via["id"] for via in REFERENCE])
def test_barrel_constants_hold_the_reference(via: dict[str, Any], computed: bool) -> None:
    made = solved(spec_of(via, 20, computed=computed))
    assert made.dk.lo < via["barrel_dk"] < made.dk.hi
    assert made.impedance.lo < via["impedance"] < made.impedance.hi


@pytest.mark.parametrize("computed", [True, False], ids=["computed", "table"])
@pytest.mark.parametrize(("via", "stub"), STUBS)
def test_notch_lies_in_its_interval(via: dict[str, Any], stub: dict[str, Any], computed: bool) -> None:
    lower = [one for one in solved(spec_of(via, stub["length"], computed=computed)).stubs if one.end == "lower"]
    assert bool(lower) == (stub["length"] > 0)
    if stub["notch_GHz"]:
        assert lower[0].loaded.lo < stub["notch_GHz"] * 1e9 < lower[0].loaded.hi


@pytest.mark.parametrize(("via", "stub"), STUBS)
def test_via_loss_against_full_wave(via: dict[str, Any], stub: dict[str, Any]) -> None:
    """Below 0.7 of the notch and up to 30 GHz within 0.25 dB; the cost of the stub within its interval."""
    band = min(30e9, 0.7e9 * (stub["notch_GHz"] or 60)) >= FREQUENCY
    reference = np.array(stub["loss_dB"])
    added = (reference - np.array(via["stubs"][0]["loss_dB"]))[band]
    for computed, tolerance in ((True, 0.25), (False, 0.48)):
        spec = spec_of(via, stub["length"], computed=computed)
        made = solved(spec)
        z_ref = legs(spec) * float(np.sqrt(np.prod(stub["port_impedance"])))
        cost = {}
        for corner in CORNERS:
            full = insertion_loss(via_network(GRID, spec, made, corner=corner, bare=False, z_ref=z_ref))
            if corner == "value":
                assert np.max(np.abs(full - reference)[band]) < tolerance
            # the reference without a stub still has the upper one, if any
            bare = via_of_numbers(
                FREQUENCY,
                through_length=spec.through_length,
                upper_end=end_length(spec, made, "upper", corner)[0],
                lower_end=end_length(spec, made, "lower", corner)[1],
                impedance=legs(spec)
                * {"value": made.impedance.value, "hi": made.impedance.lo, "lo": made.impedance.hi}[corner],
                dk=made.dk.value,
                loss_tangent=loss_tangent(spec.df_points, GRID),
                z_ref=z_ref,
            )
            cost[corner] = float(np.max((full - insertion_loss(bare))[band]))
        if stub["length"] > 0:
            assert min(cost.values()) - 0.01 <= np.max(added) <= max(cost.values()) + 0.01


def test_known_stub_of_a_board() -> None:
    (stub,) = solved(PLAIN).stubs
    assert stub.end == "lower"
    assert stub.ideal / 1e9 == pytest.approx(180, abs=0.5)
    assert stub.loaded.value / 1e9 == pytest.approx(75.7, abs=0.1)
    assert stub.loaded.lo > 1.5 * 26.5625e9


def test_unknown_fill_of_the_hole_widens_the_interval_by_six_percent() -> None:
    known, unknown = (solved(replace(PLAIN, hole_fill_known=known)).stubs[0].loaded for known in (True, False))
    assert unknown.value == known.value
    assert unknown.lo == pytest.approx(0.94 * known.lo)
    assert unknown.hi == pytest.approx(1.06 * known.hi)


def test_single_ended_vias_are_slower() -> None:
    pair, single = (solved(replace(PLAIN, single_ended=one)) for one in (False, True))
    assert single.dk.value > pair.dk.value
    assert single.stubs[0].loaded.value < pair.stubs[0].loaded.value


def test_well_below_its_resonance_a_short_stub_is_as_certain_as_one_of_20_mil() -> None:
    short, known = (solved(replace(PLAIN, lower_stub=n * mil)).stubs[0] for n in (5, 20))
    for stub in (short, known):
        assert stub.reach.value == pytest.approx(stub.length + 0.22e-3)
    assert short.reach.hi / short.reach.value == pytest.approx(known.reach.hi / known.reach.value)
    assert short.loaded.lo / short.loaded.value < 0.8 < known.loaded.lo / known.loaded.value


def test_pair_is_two_legs_in_series() -> None:
    single = replace(PLAIN, single_ended=True)
    made = solved(single)
    alone, pair = (
        via_network(GRID, spec, made, corner="value", bare=False, z_ref=legs(spec) * 50.0)
        for spec in (single, PLAIN)
    )
    assert legs(PLAIN) == 2
    assert np.max(np.abs(alone.s - pair.s)) < 1e-12
    other = via_network(GRID, single, made, corner="value", bare=False, z_ref=100.0)
    assert np.max(np.abs(alone.s - other.s)) > 0.01


def test_barrel_that_ends_at_its_layers_has_no_stub() -> None:
    made = solved(replace(PLAIN, lower_stub=0.0))
    assert made.stubs == ()
    assert made.worst is None


def test_worst_stub_is_the_one_with_the_lowest_bound() -> None:
    worst = solved(replace(PLAIN, upper_stub=0.3e-3, lower_stub=0.1e-3)).worst
    assert worst is not None
    assert worst.end == "upper"


@given(length=st.floats(1e-5, 4e-3), more=st.floats(1.001, 1.2), computed=st.booleans())
def test_longer_stub_lowers_all_of_its_resonance(length: float, more: float, computed: bool) -> None:
    around = Surroundings(
        plane_pitch=0.3e-3, plane_thickness=30e-6, returns=1, return_distance=0.8e-3, pitch=0.8e-3, oval=True
    )
    spec = replace(PLAIN, lower_stub=length, surroundings=around if computed else None)
    (short,), (long,) = solved(spec).stubs, solved(replace(spec, lower_stub=more * length)).stubs
    assert long.loaded.value < short.loaded.value < short.ideal
    assert long.loaded.lo <= short.loaded.lo * (1 + 1e-12)
    assert short.loaded.lo < short.loaded.value < short.loaded.hi
    assert short.reach.lo < short.reach.value < short.reach.hi


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"antipad_diameter": 0.4e-3}, "gap 7.5e-05 is below 0.0001"),
        ({"lower_stub": 5.2e-3}, "lower_stub 0.0052 is above 0.00508"),
        ({"upper_stub": -0.1e-3}, "upper_stub -0.0001 is below 0"),
        ({"dk": 1.2}, "dk 1.2 is below 2.5"),
        (
            {"surroundings": Surroundings(4e-3, 30e-6, 1, 0.8e-3, 0.8e-3, True)},
            "plane_pitch 0.004 is above 0.003",
        ),
        (
            {"surroundings": Surroundings(0.3e-3, 30e-6, 0, 0.8e-3), "single_ended": True},
            "single-ended barrel needs ground vias",
        ),
    ],
)
def test_out_of_range_is_said(change: dict[str, Any], reason: str) -> None:
    made = solve_via(replace(PLAIN, **change))
    assert isinstance(made, Unsupported)
    assert reason in made.reason
