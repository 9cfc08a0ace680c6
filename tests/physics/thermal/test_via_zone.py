# SPDX-License-Identifier: MIT
"""Disc source over a zone of vias: an independent reference, limits with a known answer, laws."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.physics.thermal.via_zone import via_zone_rise

# independent reference TS01, axisymmetric finite elements, at 2 W
DISC: dict[str, Any] = {
    "source_radius": 3e-3, "zone_radius": 4e-3, "board_radius": 20e-3, "thickness": [35e-6, 1.53e-3, 70e-6],
    "in_plane": [385, 0.9, 385], "through_zone": [385, 8, 385], "through_board": [385, 0.35, 385], "film_top": 0.0,
    "film_bottom": 60.0,
}  # fmt: skip


def test_against_independent_finite_elements() -> None:
    found = via_zone_rise(**DISC)
    assert 2 * found.mean == pytest.approx(41.91076776, rel=1e-3)
    assert 2 * found.centre == pytest.approx(44.63762221, rel=1e-3)
    assert 2 * found.bottom_centre == pytest.approx(37.2141016, rel=1e-3)
    assert 2 * found.bottom_rim == pytest.approx(24.827035, rel=1e-3)


def test_source_over_the_whole_board_is_layers_in_series() -> None:
    found = via_zone_rise(**(DISC | {"source_radius": 20e-3, "zone_radius": 20e-3}))
    area = 3.141592653589793 * 20e-3**2
    expected = (1 / 60 + 105e-6 / 385 + 1.53e-3 / 8) / area
    assert found.mean == pytest.approx(expected, rel=1e-6)
    assert found.centre == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("apart", [0.0, 1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3])
def test_radii_that_nearly_agree_are_no_trouble(apart: float) -> None:
    one = via_zone_rise(**(DISC | {"zone_radius": 3e-3}))
    for sign in (-1, 1):
        other = via_zone_rise(**(DISC | {"zone_radius": 3e-3 * (1 + sign * apart)}))
        assert other == pytest.approx(one, rel=1e-3)
        rim = via_zone_rise(**(DISC | {"zone_radius": 20e-3 * (1 - apart)}))
        assert rim.leaves_bottom == pytest.approx(1.0, rel=1e-6)


def test_refuses_what_has_no_answer() -> None:
    with pytest.raises(ValueError, match="without a film"):
        via_zone_rise(**(DISC | {"film_bottom": 0.0}))
    with pytest.raises(ValueError, match="inside the board"):
        via_zone_rise(**(DISC | {"zone_radius": 21e-3}))


zones = st.builds(
    lambda source, zone, board, core, k, top, bottom: DISC
    | {
        "source_radius": source, "zone_radius": zone, "board_radius": board, "thickness": [35e-6, core, 70e-6],
        "through_zone": [385, k, 385], "film_top": top, "film_bottom": bottom,
    },
    st.floats(0.5e-3, 8e-3), st.floats(0.5e-3, 10e-3), st.floats(11e-3, 80e-3), st.floats(0.2e-3, 3e-3),
    st.floats(1, 40), st.floats(0, 500), st.floats(1, 500),
)  # fmt: skip


@examples(25)
@given(zone=zones)
def test_heat_in_is_heat_out(zone: dict[str, Any]) -> None:
    found = via_zone_rise(**zone)
    assert found.leaves_top + found.leaves_bottom == pytest.approx(1.0, rel=1e-6)
    assert found.mean > found.bottom_rim
    if zone["zone_radius"] >= zone["source_radius"]:
        assert found.centre >= found.mean  # a small zone may cool the middle best


@examples(25)
@given(zone=zones, factor=st.floats(1.1, 3))
def test_better_vias_and_more_air_cool_the_source(zone: dict[str, Any], factor: float) -> None:
    base = via_zone_rise(**zone).mean
    assert via_zone_rise(**(zone | {"through_zone": [385, zone["through_zone"][1] * factor, 385]})).mean < base
    assert via_zone_rise(**(zone | {"film_bottom": zone["film_bottom"] * factor})).mean < base
