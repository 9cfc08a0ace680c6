# SPDX-License-Identifier: MIT
"""The loop of a capacitor over a plane: bounds by hand, laws of scale and of size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from scipy.constants import mu_0

from pcbrules.physics.power.inductance import via_pair_inductance
from pcbrules.physics.power.mounting_inductance import mounted_loop_inductance

LOOP = {"height": 0.3e-3, "spacing": 1e-3, "diameter": 0.25e-3, "length": 1.3e-3, "width": 0.5e-3, "thickness": 0.3e-3}

loops = st.fixed_dictionaries({
    "height": st.floats(0.1e-3, 1e-3),
    "spacing": st.floats(0.6e-3, 2e-3),
    "diameter": st.floats(0.15e-3, 0.35e-3),
    "length": st.floats(2.4e-3, 3e-3),
    "width": st.floats(0.4e-3, 1.5e-3),
    "thickness": st.floats(0.2e-3, 1e-3),
})


@pytest.mark.long
@examples(4, fewest=1)
@given(loop=loops, scale=st.floats(0.5, 2))
def test_inductance_grows_with_the_size_and_lies_below_its_shortcuts(loop: dict[str, float], scale: float) -> None:
    got = mounted_loop_inductance(**loop)
    scaled = mounted_loop_inductance(**{key: scale * value for key, value in loop.items()})
    assert scaled == pytest.approx(scale * got, rel=2e-3)
    plate = mu_0 * loop["height"] * loop["spacing"] / loop["width"]
    posts = via_pair_inductance(height=loop["height"], spacing=loop["spacing"], diameter=loop["diameter"])
    assert 0 < got < plate + posts


@pytest.mark.long
@examples(8)
@given(loop=loops)
def test_a_larger_window_and_a_narrower_part_have_more(loop: dict[str, float]) -> None:
    got = mounted_loop_inductance(**loop)
    assert mounted_loop_inductance(**{**loop, "height": 1.5 * loop["height"]}) > 1.05 * got
    assert mounted_loop_inductance(**{**loop, "width": 2 * loop["width"]}) < 1.01 * got
    assert mounted_loop_inductance(**{**loop, "spacing": loop["spacing"] * 0.8}) < got


@pytest.mark.parametrize(("change", "words"), [
    ({"height": 0.0}, "above zero"),
    ({"spacing": 0.2e-3}, "overlap"),
    ({"width": 0.2e-3}, "beyond the bar"),
    ({"length": 1.2e-3}, "beyond the bar"),
])
def test_what_is_no_loop_is_refused(change: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        mounted_loop_inductance(**{**LOOP, **change})


@pytest.mark.long
def test_arms_carry_the_current_beyond_a_short_body() -> None:
    bar = (LOOP["length"], LOOP["width"], LOOP["thickness"])
    whole = mounted_loop_inductance(**LOOP)
    assert mounted_loop_inductance(**LOOP, arms=bar) == pytest.approx(whole, rel=1e-6)
    thin = mounted_loop_inductance(**{**LOOP, "length": 0.6e-3}, arms=(LOOP["length"], LOOP["width"], 0.05e-3))
    bare = mounted_loop_inductance(**{**LOOP, "thickness": 0.05e-3})
    assert whole < thin < bare
