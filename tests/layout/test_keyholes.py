# SPDX-License-Identifier: MIT
"""Voids of a contour become one ring: the same copper, and no bridge over a void."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest
import shapely

from pcbrules.layout.arcs import Point
from pcbrules.layout.keyholes import keyholed
from pcbrules.layout.parts import in_ring
from pcbrules.layout.rings import area

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


def void(x: float, y: float, radius: float, corners: int = 4, turn: float = 0.0) -> tuple[Point, ...]:
    """A regular void."""
    angles = [turn + 2 * math.pi * i / corners for i in range(corners)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def test_a_contour_without_voids_stays_as_it_is() -> None:
    assert keyholed(SQUARE, ()) == (SQUARE, 0)


def test_a_void_is_reached_from_its_left() -> None:
    """A square void from (4, 5) on: the bridge runs from (0, 5) on the left side, and back."""
    ring, lost = keyholed(SQUARE, (void(5, 5, 1),))
    assert lost == 0 and area(ring) == pytest.approx(100 - 2)
    along = ((4, 5), (5, 6), (6, 5), (5, 4), (4, 5))
    assert ring == (*SQUARE, (0.0, 5.0), *(pytest.approx(one) for one in along), (0.0, 5.0))


@pytest.mark.parametrize("seed", range(5))
def test_many_voids_keep_their_copper_and_bridges_stay_in_it(seed: int) -> None:
    random = Random(seed)
    voids = tuple(void(x + random.uniform(0.3, 0.7), y + random.uniform(0.3, 0.7), random.uniform(0.05, 0.29),
                       random.choice((3, 4, 9)), random.uniform(0, 6))[::random.choice((1, -1))]
                  for x in range(10) for y in range(10))
    ring, lost = keyholed(SQUARE[::random.choice((1, -1))], voids)
    assert lost == 0
    assert abs(area(ring)) == pytest.approx(100 - sum(abs(area(one)) for one in voids))
    inner = shapely.union_all([shapely.Polygon(one).buffer(-1e-9) for one in voids])
    steps = [ends for ends in pairwise((*ring, ring[0])) if ends[0] != ends[1]]
    assert not any(shapely.LineString(ends).intersects(inner) for ends in steps)
    copper = shapely.Polygon(SQUARE) - shapely.union_all([shapely.Polygon(one) for one in voids])
    for _ in range(300):
        at = random.uniform(0, 10), random.uniform(0, 10)
        assert in_ring(at, ring) == copper.contains(shapely.Point(at))


def test_a_void_outside_is_left_out_and_counted() -> None:
    assert keyholed(SQUARE, (void(-5, 5, 1), void(5, 20, 1))) == (SQUARE, 2)


def test_a_void_that_stands_twice_counts_once() -> None:
    ring, lost = keyholed(SQUARE, (void(5, 5, 1), void(5, 5, 1)[::-1], void(5, 5, 1)))
    assert lost == 0 and area(ring) == pytest.approx(98)


def test_voids_in_a_row_of_thousands_are_no_recursion() -> None:
    row = tuple(void(0.003 * i + 1, 5, 0.001) for i in range(2500))
    ring, lost = keyholed(SQUARE, row)
    assert lost == 0 and area(ring) == pytest.approx(100 - 2500 * 2e-6)
