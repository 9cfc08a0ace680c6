# SPDX-License-Identifier: MIT
"""Ground vias: the Dk along a hole, laws of the distance, and the order in which a full-wave reference leaks power."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from scipy.constants import c, mil

from pcbrules import api
from pcbrules.analysis.vias import ground_vias
from pcbrules.analysis.vias.hole_dk import DkAlong, dk_along
from pcbrules.document import Document, read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.physics.lines.wavelength import quarter_wavelength
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.vias import GroundVias

TESTS = Path(__file__).parents[2]
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)


@cache
def base() -> Document:
    return read_yaml(str(TESTS / "rules" / "base" / "signal.yaml"), "signal.yaml")


def beside(document: Document) -> GroundVias:
    """The ground vias beside the first via of the NVLink pairs."""
    items = ground_vias.facts(api.resolve(document).board, CONDITIONS)
    return next(item for item in items if isinstance(item, GroundVias) and item.subject == "links.nvl.path.in")


def value(document: Document) -> float:
    found = beside(document).distance
    assert found is not None
    return found.value


def test_dk_along_a_hole_is_weighted_by_thickness() -> None:
    board = api.resolve(base()).board
    found = dk_along(board, (board.via_types or {})["pth"].span, 26.5625e9)
    assert isinstance(found, DkAlong)
    assert found.dk.value == pytest.approx((406 * 3.25 + 654 * 3.31) / 1060, rel=1e-12)
    assert (found.dk.lo, found.dk.hi) == (pytest.approx(3.25 * 0.98), pytest.approx(3.31 * 1.02))
    assert found.thickest.name == "C4"
    blind = dk_along(board, (board.via_types or {})["blind"].span, 26.5625e9)
    assert isinstance(blind, DkAlong)
    assert blind.dk.value == pytest.approx((76 * 3.25 + 127 * 3.31) / 203, rel=1e-12)


@pytest.mark.parametrize("key", ["form", "plies"])
def test_a_construction_that_is_left_open_slows_a_hole_down(key: str) -> None:
    whole = base().without(("stackup", 7, "resin")).edited(("stackup", 7, "plies"), 4)
    found, open_ = (dk_along(api.resolve(one).board, ("L1", "L8"), 26.5625e9)
                    for one in (whole, whole.without(("stackup", 7, key))))
    assert isinstance(found, DkAlong)
    assert isinstance(open_, DkAlong)
    assert open_.dk.value > found.dk.value > open_.dk.value * (1 - open_.left_open)
    assert found.left_open == 0.0


@examples(30)
@given(distance=st.floats(0.55, 5.0), factor=st.floats(1.05, 3.0))
def test_the_ratio_is_proportional_to_the_distance(distance: float, factor: float) -> None:
    place = ("via_types", "pth", "return_vias", "distance")
    near = value(base().edited(place, f"{distance:.6f} mm"))
    far = value(base().edited(place, f"{distance * factor:.6f} mm"))
    assert far / near == pytest.approx(factor, rel=1e-4)


@examples(30)
@given(dk=st.floats(2.0, 6.0))
def test_the_interval_holds_every_cavity(dk: float) -> None:
    found = beside(base().edited(("stackup", 7, "dk"), round(dk, 4))).distance
    assert found is not None
    for each in (dk, 3.25, 3.31):
        assert found.lo <= 0.7e-3 * 4 * 26.5625e9 * round(each, 4) ** 0.5 / c <= found.hi


@given(frequency=st.floats(1e9, 1e11), dk=st.floats(1.0, 15.0))
def test_four_quarters_are_one_wave(frequency: float, dk: float) -> None:
    wave = 4 * float(quarter_wavelength(frequency=frequency, dk=dk))
    assert wave * frequency * dk**0.5 == pytest.approx(c, rel=1e-12)


@given(count=st.integers(0, 64), sides=st.sampled_from([None, 1, 2]))
@examples(30)
def test_the_poorer_side_has_at_most_half(count: int, sides: int | None) -> None:
    record = {"count": count, "distance": "0.7 mm"} | ({"sides": sides} if sides else {})
    number = beside(base().edited(("via_types", "pth", "return_vias"), record)).per_side
    assert (number.lo, number.hi) == (0 if sides != 2 else count // 2, 0 if sides == 1 else count // 2)
    assert number.value == number.lo
    assert bool(number.assumptions) == (sides is None and count > 1) == (number.undeclared is not None)


LOST_AT_50_GHZ = {"VD1": 0.57, "VS1": 0.62, "VD2": 0.23, "VD3": 0.04}
"""Power that reaches neither port, without a stub: independent full-wave reference, zero-thickness planes."""


def test_beyond_a_quarter_wavelength_a_full_wave_model_loses_its_power() -> None:
    """Of four structures two have their ground vias beyond a quarter wavelength at 50 GHz: they lose most."""
    text = (files("pcbrules.selftest") / "data" / "vias.golden.json").read_text(encoding="utf-8")
    ratios = {}
    for via in json.loads(text)["entries"]:
        barrels, grounds = (via["geometry"][f"{name}_centres_xy_mil"] for name in ("barrel", "ground_via"))
        distance = max(min(dist(barrel, ground) for ground in grounds) for barrel in barrels) * mil
        dk = via["materials"]["relative_permittivity"]
        ratios[via["id"]] = distance / float(quarter_wavelength(frequency=50e9, dk=dk))
    assert ratios.keys() == LOST_AT_50_GHZ.keys()
    assert all((ratio > 1) == (LOST_AT_50_GHZ[name] > 0.5) for name, ratio in ratios.items())
    ordered = sorted(ratios, key=ratios.__getitem__)
    assert ordered == sorted(LOST_AT_50_GHZ, key=LOST_AT_50_GHZ.__getitem__)


def test_a_via_without_ground_vias_is_a_gap_that_names_the_key() -> None:
    document = base().without(("via_types", "pth", "return_vias"))
    items = list(ground_vias.facts(api.resolve(document).board, CONDITIONS))
    gaps = [item for item in items if isinstance(item, Gap)]
    assert len(gaps) == 6
    assert {gap.key for gap in gaps} == {"via_types.pth.return_vias"}
