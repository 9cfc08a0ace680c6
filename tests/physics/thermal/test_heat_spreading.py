# SPDX-License-Identifier: MIT
"""Heat on boards of layers: independent series and finite elements, limits with a known answer, laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.physics.thermal.heat_spreading import fin_board_rise, layered_board_rise

COPPER, FR4 = (385.0, 385.0), (0.8, 0.3)
SOURCE = (0.05, 0.05, 0.01, 0.01)
PLACES = [(0.05, 0.05, 0, 0), SOURCE, (0.1, 0.1, 0, 0)]


def _board(*layers: tuple[float, tuple[float, float]]) -> dict[str, Any]:
    return {
        "board": (0.1, 0.1), "film_top": 10.0, "film_bottom": 10.0, "source": SOURCE, "places": PLACES,
        "thickness": [height for height, _ in layers],
        "in_plane": [k[0] for _, k in layers],
        "through": [k[1] for _, k in layers],
    }  # fmt: skip


PLANE = (35e-6, COPPER)
# independent references HS01, HS02, HS03 at 3 W: layered board, fin; centre, mean of the source, far corner
REFERENCES = [
    (_board(PLANE, (1565e-6, FR4)), (74.6400746, 66.63196897, 7.896148003), (73.5864404, 65.68391814, 7.601640289)),
    (
        _board(PLANE, (1530e-6, FR4), PLANE),
        (61.63729919, 54.57509293, 10.36360924),
        (47.39840967, 43.19414206, 10.36356661),
    ),
    (
        _board(PLANE, (200e-6, FR4), PLANE, (1060e-6, FR4), PLANE, (200e-6, FR4), PLANE),
        (45.95265271, 41.00955666, 12.34287605),
        (32.14561486, 29.97265117, 12.35920068),
    ),
]


def fin(board: dict[str, Any]) -> Any:
    return fin_board_rise(**{key: value for key, value in board.items() if key != "through"})


@pytest.mark.parametrize(("board", "layered", "one_temperature"), REFERENCES)
def test_against_independent_series(
    board: dict[str, Any], layered: tuple[float, ...], one_temperature: tuple[float, ...]
) -> None:
    assert layered_board_rise(**board) * 3 == pytest.approx(np.array(layered), rel=1e-4)
    assert fin(board) * 3 == pytest.approx(np.array(one_temperature), rel=1e-4)


def test_source_over_the_whole_board_is_layers_in_series() -> None:
    whole = (0.05, 0.05, 0.1, 0.1)
    board = _board(PLANE, (1e-3, FR4)) | {"source": whole, "places": whole, "film_top": 0.0}
    expected = (1 / 10 + 35e-6 / 385 + 1e-3 / 0.3) / 0.01
    assert layered_board_rise(**board) == pytest.approx(expected, rel=1e-9)


def test_planes_that_are_joined_are_a_fin() -> None:
    board = _board(PLANE, (1530e-6, (0.8, 1e3)), PLANE)
    assert layered_board_rise(**board) == pytest.approx(fin(board), rel=0.01)


def test_deep_block_is_a_half_space() -> None:
    # square on a half space: mean rise 0.4732 / (k a), side a (Carslaw and Jaeger, 10.5)
    block = {
        "board": (0.2, 0.2), "thickness": [0.01] * 10, "in_plane": [1.0] * 10, "through": [1.0] * 10, "film_top": 0.0,
        "film_bottom": 1e4, "source": (0.1, 0.1, 4e-3, 4e-3), "places": (0.1, 0.1, 4e-3, 4e-3),
    }  # fmt: skip
    depth = 1 / (2 * np.pi * 0.1)  # the rest of the half space beyond the block, at most
    assert layered_board_rise(**block) == pytest.approx(0.4732 / 4e-3, abs=2 * depth)


def test_refuses_what_has_no_answer() -> None:
    with pytest.raises(ValueError, match="without a film"):
        layered_board_rise(**(_board(PLANE) | {"film_top": 0.0, "film_bottom": 0.0}))
    with pytest.raises(ValueError, match="leaves the board"):
        layered_board_rise(**(_board(PLANE) | {"source": (0.002, 0.05, 0.01, 0.01)}))


boards = st.builds(
    lambda core, copper, side, film: _board((copper, COPPER), (core, FR4), (copper, COPPER))
    | {"board": (0.1, side), "film_top": film, "film_bottom": 2 * film},
    st.floats(0.1e-3, 2e-3),
    st.floats(10e-6, 200e-6),
    st.floats(0.06, 0.2),
    st.floats(5, 500),
)
spots = st.tuples(st.floats(0.01, 0.09), st.floats(0.01, 0.05), st.floats(2e-3, 18e-3), st.floats(2e-3, 18e-3))


@examples(25)
@given(board=boards, one=spots, other=spots)
def test_reciprocity(board: dict[str, Any], one: tuple[float, ...], other: tuple[float, ...]) -> None:
    there = layered_board_rise(**(board | {"source": one, "places": other}))
    back = layered_board_rise(**(board | {"source": other, "places": one}))
    own = layered_board_rise(**(board | {"source": one, "places": one}))
    assert there == pytest.approx(back, abs=2e-4 * own)  # each sum ends where its own source asks for


@examples(15)
@given(board=boards, source=spots)
def test_heat_in_is_heat_out(board: dict[str, Any], source: tuple[float, ...]) -> None:
    # of a board with heat to the air above only, all of it leaves through the upper face
    side = board["board"][1]
    whole = (0.05, side / 2, 0.1, side)
    mean = layered_board_rise(**(board | {"source": source, "places": whole, "film_bottom": 0.0}))
    assert mean * board["film_top"] * 0.1 * side == pytest.approx(1.0, rel=1e-9)


@examples(15)
@given(board=boards, source=spots, factor=st.floats(1.1, 3))
def test_more_copper_and_more_air_cool_the_source(
    board: dict[str, Any], source: tuple[float, ...], factor: float
) -> None:
    spot = board | {"source": source, "places": source}
    base = layered_board_rise(**spot)
    heavier = spot | {"thickness": [t * (1 if i == 1 else factor) for i, t in enumerate(board["thickness"])]}
    assert layered_board_rise(**heavier) < base
    assert layered_board_rise(**(spot | {"film_top": board["film_top"] * factor})) < base
    assert fin(spot) <= base * (1 + 1e-9)  # planes at one temperature can only cool (Rayleigh)
