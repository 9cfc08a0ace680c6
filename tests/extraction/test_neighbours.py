# SPDX-License-Identifier: MIT
"""Traces beside a pair: drawings worked out by hand, and the reference of real boards."""

from __future__ import annotations

import math
from typing import Any

import pytest
from layouts_golden import layout_of, reference

from pcbrules.extraction import neighbours
from pcbrules.extraction.neighbours import DrawnNeighbour, neighbours_of_pairs
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.extraction.reference import references_of_pairs
from pcbrules.layout.copper import Fill, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair

MM = 1e-3
SIDE = 50 * MM
COPPER = Fill("I", ((-SIDE, -SIDE), (SIDE, -SIDE), (SIDE, SIDE), (-SIDE, SIDE)))
PLANE = Zone("GND", "", "copper", ("I",), (), (COPPER,))
LAYERS = (
    LayoutLayer("T", "copper", thickness=0.04 * MM), LayoutLayer("d", "dielectric", thickness=0.1 * MM),
    LayoutLayer("I", "copper", thickness=0.02 * MM), LayoutLayer("e", "dielectric", thickness=0.5 * MM),
    LayoutLayer("B", "copper", thickness=0.04 * MM),
)


def track(net: str, *ends: float, layer: str = "T", width: float = 0.1) -> Track:
    """[mm]"""
    x, y, u, v = (one * MM for one in ends)
    return Track(net, layer, width * MM, (x, y), (u, v))


LEGS = (track("p", 0, 0, 10, 0), track("n", 0, 0.3, 10, 0.3))


def beside(*others: Track, zones: tuple[Zone, ...] = (PLANE,)) -> list[DrawnNeighbour]:
    layout = Layout("f", "x", "1", LAYERS, None, (), (), (), (*LEGS, *others), (), zones, (), (NetPair("p", "n"),))
    (found,) = neighbours_of_pairs(layout, references_of_pairs(layout, sheets_of(layout)))
    return list(found)


def test_a_trace_beside_one_leg() -> None:
    """3 heights of 0.1 mm: N is 0.2 mm away, P 0.5 mm. N sees it for sqrt(0.4^2 - 0.3^2) mm beyond either end."""
    (made,) = beside(track("a", 2, 0.6, 5, 0.6))
    assert (made.net, made.layer, made.at[1]) == ("a", "T", pytest.approx(0.3 * MM))
    assert (made.limit, made.spacing, made.along_p) == pytest.approx((0.3 * MM, 0.2 * MM, 0))
    assert made.along_n == pytest.approx((3 + 2 * math.sqrt(0.4**2 - 0.3**2)) * MM, abs=0.03 * MM)
    assert 0.2 * MM < made.mean < 0.21 * MM


@pytest.mark.parametrize("other", [
    track("a", 2, 0.8, 5, 0.8), track("a", 2, 0.6, 5, 0.6, layer="B"), track("a", 5, 0.5, 5, 3),
    track("n", 2, 0.6, 5, 0.6),
])
def test_what_is_no_neighbour(other: Track) -> None:
    """Too far, on another layer, across, the pair's own."""
    assert beside(other) == []


def test_without_a_plane_the_next_copper_layer_gives_the_height() -> None:
    (made,) = beside(track("a", 2, 0.6, 5, 0.6), zones=())
    assert made.limit == pytest.approx(0.3 * MM)


def test_wider_copper_is_nearer() -> None:
    assert beside(track("a", 2, 0.6, 5, 0.6, width=0.3))[0].spacing == pytest.approx(0.1 * MM)


def test_the_nearest_comes_first_and_either_side_counts() -> None:
    found = beside(track("far", 2, 0.65, 5, 0.65), track("near", 2, -0.25, 5, -0.25))
    assert [(one.net, round(one.spacing / MM, 6)) for one in found] == [("near", 0.15), ("far", 0.25)]
    assert found[0].along_p > 2.9 * MM and found[0].along_n == 0


def test_places_looked_at_piece_by_piece_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """An arc over the board passes every track of its layer: looked at all at once it took 1.5 GB beside 2,000."""
    around = [track(f"a{k}", k, 0.55 + 0.05 * k, k + 2, 0.6) for k in range(8)]
    arc = Track("p", "T", 0.1 * MM, (10 * MM, 0.0), (0.0, 8 * MM), (6 * MM, 5 * MM))
    whole = beside(arc, *around)
    for at_once in (1, 40, 10**6):
        monkeypatch.setattr(neighbours, "AT_ONCE", at_once)
        assert beside(arc, *around) == whole and len(whole) > 3


def test_of_equal_spacings_the_first_of_the_layout_is_first() -> None:
    """Wherever along the pair they run."""
    early, late = track("early", 1, 0.6, 4, 0.6), track("late", 6, 0.6, 9, 0.6)
    assert [one.net for one in beside(early, late)] == ["early", "late"]
    assert [one.net for one in beside(late, early)] == ["late", "early"]


@pytest.mark.parametrize("angle", [0, 0.3, math.pi / 4, 2, math.pi, 4])
def test_a_turned_board_has_the_same_neighbours(angle: float) -> None:
    """A step of the places along a leg, 20 um, may lie on either side of the end."""
    def turned(one: Track) -> Track:
        spots = [complex(*at) * complex(math.cos(angle), math.sin(angle)) for at in (one.start, one.end)]
        return Track(one.net, one.layer, one.width, *((at.real, at.imag) for at in spots))

    tracks = [turned(one) for one in (*LEGS, track("a", 2, 0.6, 5, 0.6), track("b", 4, -0.25, 4.5, -0.25))]
    layout = Layout("f", "x", "1", LAYERS, None, (), (), (), tuple(tracks), (), (PLANE,), (), (NetPair("p", "n"),))
    (found,) = neighbours_of_pairs(layout, references_of_pairs(layout, sheets_of(layout)))
    beyond = [2 * math.sqrt(0.4**2 - 0.3**2), 2 * math.sqrt(0.4**2 - 0.25**2)]
    assert [(one.net, one.along_p / MM, one.along_n / MM) for one in found] == [
        ("b", pytest.approx(0.5 + beyond[1], abs=0.05), 0), ("a", 0, pytest.approx(3 + beyond[0], abs=0.05))]


@pytest.mark.long
@pytest.mark.parametrize("board", reference())
def test_real_boards_agree_with_an_independent_measurement(board: dict[str, Any]) -> None:
    """The same neighbours; spacing within 2 um, length within 0.1 mm or 2 %.

    One board is full of arcs, of which the reference takes chords: there spacing 15 um, length 0.4 mm or 6 %.
    """
    layout = layout_of(board)
    near, share, space = (0.4, 0.06, 0.015) if board["id"] == "hdmimipi" else (0.1, 0.02, 2e-3)
    made = neighbours_of_pairs(layout, references_of_pairs(layout, sheets_of(layout)))
    found = {(pair.p, pair.n): {(one.net, one.layer): one for one in those}
             for pair, those in zip(layout.pairs, made, strict=True)}
    for pair in board["pairs"]:
        mine = found[pair["p"], pair["n"]]
        assert set(mine) == {(one["net"], one["layer"]) for one in pair["neighbours"]}, pair["p"]
        for want in pair["neighbours"]:
            one = mine[want["net"], want["layer"]]
            assert one.limit / MM == pytest.approx(want["limit_mm"], abs=1e-5)
            assert one.spacing / MM == pytest.approx(want["min_spacing_mm"], abs=space)
            for along, length in ((one.along_p, want["coupled_p_mm"]), (one.along_n, want["coupled_n_mm"])):
                assert along / MM == pytest.approx(length, abs=max(near, share * length)), (pair["p"], one)
