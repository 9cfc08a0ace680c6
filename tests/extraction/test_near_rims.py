# SPDX-License-Identifier: MIT
"""Parts of a line near edges: against a dense sampling of distances."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.extraction import near_rims
from pcbrules.extraction.near_rims import Circles, joined, near_edges, near_points, without

PLACE = st.floats(-2, 2).map(lambda value: round(value, 6))
SPOT = st.tuples(PLACE, PLACE)
EDGE = st.tuples(SPOT, SPOT).filter(lambda ends: ends[0] != ends[1])
"""Copper has no edge without a length, and the distances of shapely, the reference here, take none."""


@examples(60)
@given(st.lists(SPOT, min_size=2, max_size=5, unique=True), st.lists(EDGE, max_size=5),
       st.floats(0.05, 1.5))
def test_samples_lie_where_the_intervals_say(
    points: list[tuple[float, float]], edges: list[tuple[tuple[float, float], tuple[float, float]]], reach: float
) -> None:
    line = shapely.LineString(points)
    if line.length < 0.1:
        return
    nearer = near_edges(line, np.array(edges, dtype=float).reshape(-1, 2, 2), (reach / 2, reach))
    places = np.linspace(0, line.length, 400)
    spots = shapely.line_interpolate_point(line, places)
    away = np.min([shapely.distance(shapely.LineString(edge), spots) for edge in edges], axis=0) if edges else np.full(
        len(places), np.inf)
    for within, found in zip((reach / 2, reach), nearer, strict=True):
        inside = np.zeros(len(places), dtype=bool)
        for start, end in found:
            inside |= (places >= start - 1e-9) & (places <= end + 1e-9)
        sure = np.abs(away - within) > 1e-6
        assert (inside == (away < within))[sure].all()


def test_circles_and_what_is_left_without_them() -> None:
    line = shapely.LineString([(0, 0), (4, 0), (4, 4)])
    found = near_points(line, Circles.of([((1.0, 0.0), 0.5), ((4.0, 2.0), 1.0), ((9.0, 9.0), 1.0)]))
    assert found == pytest.approx(np.array([[0.5, 1.5], [5, 7]]))
    assert without(np.array([[0.0, 1.0], [3.0, 8.0]]), found) == pytest.approx(np.array([[0, 0.5], [3, 5], [7, 8]]))
    assert without(np.array([[5.5, 6.0]]), found).shape == (0, 2)


def test_intervals_that_touch_are_one() -> None:
    assert joined(np.array([[2.0, 3.0], [0.0, 1.0], [1.0, 1.5], [2.1, 2.2]])) == pytest.approx(
        np.array([[0, 1.5], [2, 3]]))


def test_a_tree_of_many_edges_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    line = shapely.LineString([(0, 0), (4, 0), (4, 4)])
    spots = np.stack(np.meshgrid(np.linspace(-1, 5, 9), np.linspace(-1, 5, 9)), axis=-1).reshape(-1, 2)
    edges = np.stack([spots[:-1], spots[1:] + 0.1], axis=1)
    few = near_edges(line, edges, (0.05, 0.1))
    monkeypatch.setattr(near_rims, "FEW", 0)
    many = near_edges(line, edges, (0.05, 0.1))
    assert len(few[0]) > 3 and all((one == other).all() for one, other in zip(few, many, strict=True))
