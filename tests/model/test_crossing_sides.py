# SPDX-License-Identifier: MIT
"""Polygons whose sides cross, against every pair of sides."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.model import crossing_sides
from pcbrules.model.crossing_sides import crosses_itself

SPOT = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
Places = tuple[tuple[float, float], ...]


def by_pairs(places: Places) -> bool:
    """The same with whole numbers, side by side."""
    def turn(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    sides = list(zip(places, (*places[1:], places[0]), strict=True))
    return any(turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
               for (a, b), (c, d) in combinations(sides, 2))


@pytest.mark.parametrize("rows", [1, 3, 256])
@examples(60)
@given(st.lists(SPOT, min_size=3, max_size=9))
def test_a_pair_of_sides_that_crosses_is_found(rows: int, places: list[tuple[int, int]]) -> None:
    made = tuple((float(x), float(y)) for x, y in places)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crossing_sides, "ROWS", rows)
        assert crosses_itself(made) is by_pairs(made)
