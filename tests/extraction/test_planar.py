# SPDX-License-Identifier: MIT
"""Distances and bounds of copper in the plane, against shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.extraction import planar
from pcbrules.extraction.planar import area_of, boxes_of, least_distance
from pcbrules.layout.parts import PadShape

PLACE = st.floats(-20, 20).map(lambda value: round(value, 3))
SPOT = st.tuples(PLACE, PLACE)
SIDE = st.floats(0, 4).map(lambda value: round(value, 3))


@examples(60)
@given(st.lists(SPOT, min_size=1, max_size=60), st.lists(st.tuples(SPOT, SPOT), min_size=1, max_size=30))
def test_the_least_distance_is_that_of_the_nearest_line(
    places: list[tuple[float, float]], ends: list[tuple[tuple[float, float], tuple[float, float]]]
) -> None:
    lines = np.array([shapely.LineString(one) if one[0] != one[1] else shapely.LineString([*one, (one[0][0], 30.0)])
                      for one in ends])
    want = [min(shapely.distance(shapely.Point(place), line) for line in lines) for place in places]
    assert least_distance(np.array(places), lines) == pytest.approx(want, abs=1e-9)


def test_a_tree_of_many_lines_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    angle = np.linspace(0, 20, 400)
    places = np.stack([angle * np.cos(angle), angle * np.sin(angle)], axis=1)
    moved = places + np.array([0.1, 0.3])
    lines = np.asarray(shapely.linestrings(np.stack([moved[:-1], moved[1:]], axis=1)))
    few = least_distance(places, lines)
    monkeypatch.setattr(planar, "FEW", 0)
    assert least_distance(places, lines) == pytest.approx(few, abs=1e-12)


@examples(60)
@given(SPOT, SIDE, SIDE, st.floats(0, 1), st.floats(-4, 4), st.lists(SPOT, min_size=3, max_size=5) | st.just([]))
def test_a_box_holds_all_copper_of_its_pad(
    centre: tuple[float, float], width: float, height: float, part: float, angle: float,
    ring: list[tuple[float, float]],
) -> None:
    shape = PadShape(centre, width, height, part * min(width, height) / 2, angle, (tuple(ring),) if ring else ())
    _, box = boxes_of([PadShape((0.0, 0.0), 1.0, 1.0), shape])
    copper = area_of(shape)
    assert copper.is_empty or shapely.covers(shapely.buffer(box, 1e-9), copper)
    if not ring:
        assert math.sqrt(box.area) <= width + height + 1e-5
