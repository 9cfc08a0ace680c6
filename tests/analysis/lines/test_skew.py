# SPDX-License-Identifier: MIT
"""Skew within pairs and between lanes: cumulative sums, unknown outer leg, weave; numbers by hand."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules import api
from pcbrules.analysis.lines import lane_skew, skew
from pcbrules.document import Document, read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import LinkLaneSkew, PairSkew
from pcbrules.results.limit import Limit
from pcbrules.rules import sig002_pair_skew

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
PS_PER_MIL = 153.4e-3
"""Delay on L3: independent reference, 153.4 ps/in."""


@cache
def base() -> Document:
    return read_yaml(str(PLACE), PLACE.name)


def trace(mil: float = 0.0, bends: int = 0, length: float = 1.0, **more: Any) -> dict[str, Any]:
    """A trace of ``length`` inches on L3 whose P leg is ``mil`` longer."""
    return {"trace": {
        "layer": "L3", "width": "4.8 mil", "top_width": "4.5 mil", "gap": "7.2 mil", "length": f"{length:.6f} in",
        "length_p": f"{length + mil / 1000:.6f} in", "length_n": f"{length:.6f} in", "bends": bends, **more,
    }}


def via(**more: Any) -> dict[str, Any]:
    return {"via": {"type": "pth", "enter": "L1", "leave": "L3", **more}}


def pair(*path: dict[str, Any], glass: Any = "1035") -> PairSkew | Gap:
    """The fact of one NVLink pair; ``glass`` is that of the prepreg below L3, None leaves it out."""
    place = ("stackup", [layer["name"] for layer in base().get(("stackup",))].index("P3"), "glass")
    document = base().without(place) if glass is None else base().edited(place, glass)
    document = document.edited(("links",), {"x": {"standard": "nvlink4", "path": list(path)}})
    (found,) = skew.facts(api.resolve(document).board, CONDITIONS)
    assert isinstance(found, PairSkew | Gap)
    return found


def worst(*path: dict[str, Any]) -> float:
    """Deterministic skew in ps."""
    found = pair(*path)
    assert isinstance(found, PairSkew)
    return found.skew.value * 1e12


@pytest.mark.parametrize("mil", [2, -2, 30, -30])
def test_difference_of_the_legs(mil: float) -> None:
    assert worst(via(), trace(mil)) == pytest.approx(abs(mil) * PS_PER_MIL, rel=0.01)


@pytest.mark.parametrize(("mil", "shown"), [(60.0, "costs 2.87 dB at Nyquist"),
                                            (150.0, "extinguishes the signal at 21.7 GHz, not above Nyquist")])
def test_cost_of_the_skew_ends_at_half_a_period(mil: float, shown: str) -> None:
    """-20 lg cos(pi f t) at 26.5625 GHz; half a period there is 18.8 ps, beyond which the first null lies below it."""
    fact = pair(via(), trace(mil))
    assert isinstance(fact, PairSkew)
    phase = math.pi * 26.5625e9 * fact.skew.value
    if phase < math.pi / 2:
        assert fact.loss_db == pytest.approx(-20 * math.log10(math.cos(phase)))
    else:
        assert fact.loss_db is None
    (verdict,) = sig002_pair_skew.check(fact, {"skew": Limit(None, 5e-12, "ps", "< 5 ps", high_strict=True)})
    assert shown in verdict.message


def test_largest_sum_on_the_way_counts_not_the_last() -> None:
    assert worst(trace(20), trace(-20)) == pytest.approx(20 * PS_PER_MIL, rel=0.01)
    assert worst(trace(20), trace(-50)) == pytest.approx(30 * PS_PER_MIL, rel=0.01)
    assert worst(trace(20), trace(-30), trace(-5)) == pytest.approx(20 * PS_PER_MIL, rel=0.01)


def test_quarter_turn_lengthens_the_outer_leg_by_half_pi_pitches() -> None:
    turn = math.pi / 2 * (4.8 + 7.2) * PS_PER_MIL
    assert worst(trace(bends=1)) == pytest.approx(turn, rel=0.01)
    assert worst(trace(bends=-3)) == pytest.approx(3 * turn, rel=0.01)
    assert worst(trace(bends=1), trace(bends=-1)) == pytest.approx(turn, rel=0.01)
    assert worst(trace(bends=1), trace(bends=1)) == pytest.approx(2 * turn, rel=0.01)


def test_nobody_says_which_leg_is_outside_so_the_worse_counts() -> None:
    turn = math.pi / 2 * 12 * PS_PER_MIL
    for mil, bends in ((10, 1), (10, -1), (-10, 1), (-10, -1)):
        assert worst(trace(mil, bends)) == pytest.approx(10 * PS_PER_MIL + turn, rel=0.01)


def test_declared_skew_keeps_its_sign() -> None:
    first = {"connector": {"skew": "3 ps"}}
    assert worst(first, via(skew="-2 ps"), trace()) == pytest.approx(3)
    assert worst(via(skew="-2 ps"), trace(10)) == pytest.approx(2)
    assert worst(via(skew="2 ps"), trace(10)) == pytest.approx(2 + 10 * PS_PER_MIL, rel=0.01)


def test_weave_adds_as_root_of_squares_over_traces() -> None:
    one, two = pair(trace(length=4.0)), pair(trace(length=1.0), trace(length=3.0))
    assert isinstance(one, PairSkew)
    assert isinstance(two, PairSkew)
    assert one.weave == pytest.approx(3 * 0.35e-12 * 2)
    assert two.weave == pytest.approx(one.weave)


@pytest.mark.parametrize(
    ("glass", "sigma"), [("1078", 0.35), ("2116", 1.5), (["1035", "2116"], 1.5), (None, 1.5)], ids=str
)
def test_weave_of_the_glass(glass: Any, sigma: float) -> None:
    found = pair(trace(length=4.0), glass=glass)
    assert isinstance(found, PairSkew)
    assert found.weave == pytest.approx(3 * sigma * 1e-12 * 2)
    assert any("assumed open weave" in text for text in found.skew.assumptions) is (glass is None)


def test_what_is_taken_for_granted_is_listed() -> None:
    found = pair(via(), trace(5))
    assert isinstance(found, PairSkew)
    assert found.skew.assumptions == ("via1: legs assumed equal in length",)


@pytest.mark.parametrize(("missing", "key"), [("bends", "trace.bends"), ("length_p", "length_n")])
def test_missing_input_is_named(missing: str, key: str) -> None:
    body = trace(5)["trace"]
    for name in {"length_p": ("length_p", "length_n")}.get(missing, (missing,)):
        del body[name]
    found = pair({"trace": body})
    assert isinstance(found, Gap)
    assert found.applicable
    assert key in found.key


@examples(40)
@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(-3, 3)), min_size=1, max_size=4))
def test_worst_sum_by_brute_force(parts: list[tuple[int, int]]) -> None:
    turn = math.pi / 2 * 12
    expected = 0.0
    for side in (1, -1):
        total = 0.0
        for mil, bends in parts:
            total += mil + side * bends * turn
            expected = max(expected, abs(total))
    found = pair(*(trace(mil, bends) for mil, bends in parts))
    assert isinstance(found, PairSkew)
    assert found.skew.value * 1e12 == pytest.approx(expected * PS_PER_MIL, rel=0.01, abs=1e-6)
    assert found.skew.lo <= found.skew.value <= found.skew.hi - found.weave + 1e-18


def lanes(*ranges: tuple[float, float], **link: Any) -> LinkLaneSkew | Gap:
    path = [trace(length=hi, lane_lengths={"min": f"{lo} in", "max": f"{hi} in"}) for lo, hi in ranges]
    document = base().edited(("links",), {"x": {"standard": "pcie5", "path": path, **link}})
    (found,) = lane_skew.facts(api.resolve(document).board, CONDITIONS)
    assert isinstance(found, LinkLaneSkew | Gap)
    return found


def test_lanes_add_up_over_traces() -> None:
    found = lanes((2, 3), (1, 1.5))
    assert isinstance(found, LinkLaneSkew)
    assert found.skew.value * 1e12 == pytest.approx(1.5 * 153.4, rel=0.01)


@pytest.mark.parametrize(
    ("link", "limit"),
    [({}, 1.25e-9), ({"segment": "baseboard"}, 1.25e-9), ({"segment": "add-in-card"}, 0.35e-9),
     ({"lane_skew": "1 ns"}, 1e-9), ({"lane_skew": "9 ns"}, 1.25e-9),
     ({"segment": "add-in-card", "lane_skew": "1 ns"}, 0.35e-9)],
)
def test_smaller_of_the_figures_is_the_limit(link: dict[str, str], limit: float) -> None:
    found = lanes((2, 3), **link)
    assert isinstance(found, LinkLaneSkew)
    assert found.offers["skew"].limit.high == pytest.approx(limit)
