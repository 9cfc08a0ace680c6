# SPDX-License-Identifier: MIT
"""The load step of a rail: given, or the profile's."""

from __future__ import annotations

from typing import Any

import pytest

from pcbrules import rulesets
from pcbrules.analysis.power.load_step import LoadStep, load_step
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail


def step_of(profile: str, **current: str) -> LoadStep | Missing:
    conditions: Any = rulesets.load(profile).conditions
    rail = Rail.model_validate({"role": "core", "load": "accelerator", "voltage": "0.8 V", "current": current})
    return load_step(rail, "core", Conditions(**conditions))


@pytest.mark.parametrize(("profile", "size"), [("training", 400.0), ("datacenter-inference", 680.0), ("edge", 400.0)])
def test_the_profile_has_a_share_of_the_peak(profile: str, size: float) -> None:
    seen = step_of(profile, peak="800 A")
    assert isinstance(seen, LoadStep)
    assert seen.size == pytest.approx(size) and seen.slew == pytest.approx(1e9)
    assert len(seen.assumptions) == 2 and "profile" in seen.assumptions[0]


def test_what_the_rail_gives_counts() -> None:
    seen = step_of("training", peak="800 A", step="350 A", slew="500 A/us")
    assert isinstance(seen, LoadStep)
    assert (seen.size, seen.slew, seen.assumptions) == (pytest.approx(350), pytest.approx(5e8), ())
    assert seen.reads == (("rails", "core", "current", "step"), ("rails", "core", "current", "slew"))


def test_no_current_moves_faster_at_the_balls_than_the_profile_says() -> None:
    seen = step_of("training", step="350 A", slew="5 kA/us")
    assert isinstance(seen, LoadStep)
    assert seen.slew == pytest.approx(1e9) and "5000 A/us" in seen.assumptions[0]


def test_a_rail_without_step_and_peak_has_none() -> None:
    seen = step_of("training", sustained="300 A")
    assert isinstance(seen, Missing) and seen.key == "rails.core.current.step"


def test_tolerances_span_steps_and_slews_up_to_that_of_the_profile() -> None:
    seen = step_of("training", step="350 A +- 10 %", slew="900 A/us +- 50 %")
    assert isinstance(seen, LoadStep)
    assert (seen.size, seen.slew) == (pytest.approx(350), pytest.approx(9e8))
    assert seen.ends == (pytest.approx((315, 4.5e8)), pytest.approx((385, 1e9)))
    share = step_of("training", peak="800 A +- 10 %")
    assert isinstance(share, LoadStep) and share.ends == (pytest.approx((360, 1e9)), pytest.approx((440, 1e9)))
    plain = step_of("training", step="350 A")
    assert isinstance(plain, LoadStep) and plain.ends == ()


@pytest.mark.parametrize(("profile", "size"), [("training", 400.0), ("datacenter-inference", 720.0), ("edge", 400.0)])
def test_inference_steps_from_idle_where_that_is_known(profile: str, size: float) -> None:
    seen = step_of(profile, peak="800 A", idle="80 A")
    assert isinstance(seen, LoadStep)
    assert seen.size == pytest.approx(size)
    assert (("rails", "core", "current", "idle") in seen.reads) is (profile == "datacenter-inference")
    assert (("from the idle" in seen.origin) and ("from the idle" in seen.assumptions[0])) is (size == 720)
    given = step_of(profile, peak="800 A", idle="80 A", step="350 A")
    assert isinstance(given, LoadStep) and given.size == pytest.approx(350)


def test_from_idle_both_tolerances_count_and_a_constant_load_has_the_share() -> None:
    seen = step_of("datacenter-inference", peak="800 A +- 10 %", idle="100 A +- 20 %")
    assert isinstance(seen, LoadStep)
    assert (seen.size, seen.ends) == (pytest.approx(700), (pytest.approx((600, 1e9)), pytest.approx((800, 1e9))))
    for idle, size in (("800 A", 680), ("799 A", 680), ("721 A", 680), ("719 A", 81)):
        flat = step_of("datacenter-inference", peak="800 A", idle=idle)
        assert isinstance(flat, LoadStep) and flat.size == pytest.approx(size)
