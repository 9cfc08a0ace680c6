# SPDX-License-Identifier: MIT
"""Width and gap of a pair, and where its legs run alone: drawings worked out by hand, the reference of real boards."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from layouts_golden import layout_of, reference

from pcbrules.extraction.pair_gap import GapOnLayer, gap_on_layer, gaps_of_pairs
from pcbrules.layout.copper import Track

MM = 1e-3


def track(x: float, y: float, u: float, v: float, *, width: float = 0.1, net: str = "p") -> Track:
    """[mm]"""
    return Track(net, "T", width * MM, (x * MM, y * MM), (u * MM, v * MM))


def gap(p: list[Track], n: list[Track]) -> GapOnLayer:
    return gap_on_layer("T", p, n)


def test_two_parallel_legs() -> None:
    made = gap([track(0, 0, 10, 0)], [track(0, 0.3, 10, 0.3)])
    assert (made.gap, made.least, made.share) == pytest.approx((0.2 * MM, 0.2 * MM, 1.0))
    assert (made.length_p, made.length_n, made.alone_p, made.alone_n) == pytest.approx((10 * MM, 10 * MM, 0, 0))
    assert made.width == 0.1 * MM and made.widths == ((0.1 * MM, pytest.approx(20 * MM)),)


def test_a_leg_that_goes_on_alone() -> None:
    """Beyond the end of N the gap grows to 1.5 times 0.2 mm where P is sqrt(0.4^2 - 0.3^2) = 0.2646 mm further on."""
    made = gap([track(0, 0, 10, 0)], [track(0, 0.3, 6, 0.3)])
    assert made.gap == pytest.approx(0.2 * MM)
    assert made.alone_p == pytest.approx((4 - math.sqrt(0.4**2 - 0.3**2)) * MM, abs=0.03 * MM) and made.alone_n == 0


def test_a_leg_without_a_partner() -> None:
    made = gap([track(0, 0, 3, 0)], [])
    assert (made.gap, made.least, made.share, made.alone_p, made.alone_n) == (None, None, 0.0, pytest.approx(3 * MM), 0)


def test_the_gap_is_from_the_edges_of_whatever_width() -> None:
    """A thin and a wide stretch of the partner: the usual gap is that of the longer, the least that of the wide."""
    made = gap([track(0, 0, 10, 0)], [track(0, 0.3, 7, 0.3), track(7, 0.3, 10, 0.3, width=0.2)])
    assert (made.gap, made.least) == pytest.approx((0.2 * MM, 0.15 * MM)) and made.width == 0.1 * MM
    assert [width for width, _ in made.widths] == [0.1 * MM, 0.2 * MM]


@examples(40)
@given(st.floats(0.05, 2), st.floats(1, 20), st.floats(0, 2 * math.pi), st.floats(-50, 50), st.booleans())
def test_gap_does_not_depend_on_place_direction_or_name(
    apart: float, length: float, angle: float, away: float, swapped: bool
) -> None:
    cos, sin = math.cos(angle), math.sin(angle)

    def placed(y: float, net: str) -> Track:
        ends = [(x * cos - y * sin + away, x * sin + y * cos - away) for x in (0.0, length)]
        return track(*ends[0], *ends[1], net=net)

    legs = [placed(0, "p")], [placed(apart + 0.1, "n")]
    made = gap(*(legs[::-1] if swapped else legs))
    assert made.gap == pytest.approx(apart * MM, abs=1e-9) and made.share == pytest.approx(1.0)
    assert made.length_p == pytest.approx(length * MM)


# Real boards


@pytest.mark.parametrize("board", reference())
def test_real_boards_agree_with_an_independent_measurement(board: dict[str, Any]) -> None:
    """Width exactly, gap within 1 um, what runs alone within 0.1 mm; a gap of less than half of the length is none."""
    layout = layout_of(board)
    found = {(pair.p, pair.n): gaps for pair, gaps in zip(layout.pairs, gaps_of_pairs(layout), strict=True)}
    for pair in board["pairs"]:
        made = {one.layer: one for one in found[pair["p"], pair["n"]]}
        assert set(made) == set(pair["per_layer"])
        for layer, want in pair["per_layer"].items():
            one = made[layer]
            told = one.width / MM, one.length_p / MM, one.length_n / MM
            wanted = want["dominant_width_mm"], want["length_p_mm"], want["length_n_mm"]
            assert told == pytest.approx(wanted, abs=1.1e-4), (pair["p"], layer)
            assert (one.least or 0) / MM == pytest.approx(want["min_gap_mm"] or 0, abs=1e-3), (pair["p"], layer)
            if (want["share_at_nominal_gap"] or 0) > 0.5:
                assert one.gap is not None and one.gap / MM == pytest.approx(want["nominal_gap_mm"], abs=1e-3)
                alone = one.alone_p / MM, one.alone_n / MM
                assert alone == pytest.approx((want["uncoupled_p_mm"], want["uncoupled_n_mm"]), abs=0.1)
