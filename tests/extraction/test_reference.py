# SPDX-License-Identifier: MIT
"""Planes under a pair and the gaps in them: drawings worked out by hand, and the reference of real boards."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from layouts_golden import layout_of, reference

from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.extraction.reference import ROUND, ReferenceLayer, references_of_pairs
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair

MM = 1e-3
LAYERS = (
    LayoutLayer("T", "copper", thickness=0.04 * MM), LayoutLayer("d", "dielectric", thickness=0.1 * MM),
    LayoutLayer("I", "copper", thickness=0.02 * MM), LayoutLayer("e", "dielectric", thickness=0.3 * MM),
    LayoutLayer("f", "dielectric", thickness=0.2 * MM), LayoutLayer("B", "copper", thickness=0.04 * MM),
)


def box(x: float, y: float, u: float, v: float) -> tuple[Point, ...]:
    """[mm]"""
    return ((x * MM, y * MM), (u * MM, y * MM), (u * MM, v * MM), (x * MM, v * MM))


def zone(net: str, *rings: tuple[Point, ...], layer: str = "I", filled: bool = True) -> Zone:
    return Zone(net, "", "copper", (layer,), rings, tuple(Fill(layer, ring) for ring in rings) if filled else ())


def legs(*, layer: str = "T", length: float = 10.0) -> tuple[Track, ...]:
    """P along y = 0, N along y = 0.3 mm, from x = 0 on. [mm]"""
    return tuple(Track(net, layer, 0.1 * MM, (0.0, y * MM), (length * MM, y * MM)) for net, y in (("p", 0), ("n", 0.3)))


def looked_at(tracks: tuple[Track, ...], *zones: Zone, vias: tuple[LayoutVia, ...] = ()) -> tuple[ReferenceLayer, ...]:
    pairs = (NetPair("p", "n"),)
    layout = Layout("f", "x", "1", LAYERS, None, (), ("p", "n", "GND"), (), tracks, vias, zones, (), pairs)
    (found,) = references_of_pairs(layout, sheets_of(layout))
    return found


def test_a_whole_plane_has_no_gap() -> None:
    (made,) = looked_at(legs(), zone("GND", box(-5, -5, 15, 5)))
    assert (made.layer, made.side, made.plane, made.height) == ("T", "below", "I", pytest.approx(0.1 * MM))
    assert (made.coverage, made.coverage_outside, made.is_plane, made.gaps) == (1.0, 1.0, True, ())
    assert made.nets == (("GND", pytest.approx(20 * MM)),)


def test_a_split_between_two_nets() -> None:
    (made,) = looked_at(legs(), zone("GND", box(-5, -5, 4, 5)), zone("3V3", box(4.5, -5, 15, 5)))
    p, n = made.gaps
    assert (p.net, n.net, p.nets, n.nets) == ("p", "n", ("GND", "3V3"), ("GND", "3V3"))
    assert p.length == pytest.approx(0.5 * MM) and p.middle == pytest.approx((4.25 * MM, 0)) and p.whole == p.length
    assert made.coverage == pytest.approx(0.95)


def test_a_void_that_the_ring_runs_round() -> None:
    ring = (*box(-5, -5, 15, 5), (-5 * MM, -5 * MM), *box(3, -1, 3.4, 0.1)[::-1], (3 * MM, 0.1 * MM))
    (made,) = looked_at(legs(), zone("GND", ring))
    (gap,) = made.gaps
    assert gap.net == "p" and gap.length == pytest.approx(0.4 * MM) and gap.nets == ("GND", "GND")


def test_a_gap_over_two_tracks_is_one() -> None:
    tracks = tuple(Track(one.net, "T", one.width, (x * MM, one.start[1]), (u * MM, one.start[1]))
                   for one in legs() for x, u in ((0, 4.2), (4.2, 10)))
    (made,) = looked_at(tracks, zone("GND", box(-5, -5, 4, 5), box(4.5, -5, 15, 5)))
    assert [round(gap.length / MM, 6) for gap in made.gaps] == [0.5, 0.5]


def test_near_own_vias_planes_are_open() -> None:
    """The via's antipad is its own; a gap that goes on beyond it counts from there."""
    via = LayoutVia("p", "through", (4 * MM, 0.0), 0.3 * MM, 0.6 * MM, "T", "B")
    reach = 0.3 + ROUND / MM
    (made,) = looked_at(legs(), zone("GND", box(-5, -5, 3.5, 5), box(4.5, -5, 15, 5)), vias=(via,))
    assert made.gaps == () and made.coverage == pytest.approx(0.9) and made.coverage_outside == 1.0
    (made,) = looked_at(legs(), zone("GND", box(-5, -5, 3.5, 5), box(5.5, -5, 15, 5)), vias=(via,))
    p, n = made.gaps
    assert p.length == pytest.approx((1.5 - reach) * MM, rel=1e-3) and p.whole == pytest.approx(2 * MM)
    assert n.length == pytest.approx((5.5 - 4 - math.sqrt(reach**2 - 0.3**2)) * MM, rel=1e-3)


def test_what_lies_over_less_than_half_is_no_plane_and_the_next_layer_is() -> None:
    first, second = looked_at(legs(), zone("GND", box(-5, -5, 4, 5)), zone("GND", box(-5, -5, 15, 5), layer="B"))
    assert (first.plane, first.is_plane, first.gaps) == ("I", False, ())
    assert (second.plane, second.is_plane, second.height) == ("B", True, pytest.approx(0.62 * MM))


def test_a_zone_that_was_never_filled_is_told() -> None:
    first, second = looked_at(legs(), zone("GND", box(-5, -5, 15, 5), filled=False),
                              zone("GND", box(-5, -5, 15, 5), layer="B"))
    assert (first.plane, first.unknown, first.is_plane) == ("I", True, False)
    assert (second.plane, second.unknown, second.is_plane) == ("B", False, True)
    assert not any(one.unknown for one in looked_at(legs(), zone("GND", box(20, 20, 30, 30), filled=False)))


def test_no_zone_no_plane() -> None:
    assert looked_at(legs()) == ()
    assert [one.side for one in looked_at(legs(layer="I"), zone("GND", box(-5, -5, 15, 5), layer="T"),
                                          zone("GND", box(-5, -5, 15, 5), layer="B"))] == ["above", "below"]


def test_how_much_runs_near_the_edge_of_the_plane() -> None:
    """The plane ends at x = 9.75 mm; h = 0.1 mm, half width 0.05 mm: one height reaches 0.15 mm, three 0.35."""
    (made,) = looked_at(legs(), zone("GND", box(-5, -5, 9.75, 5)))
    for leg in made.edges:
        assert leg.within_one == pytest.approx((0.15 + 0.25) * MM) and leg.within_three == pytest.approx(0.6 * MM)
        (stretch,) = leg.stretches
        assert stretch.distance == pytest.approx((-0.25 - 0.05) * MM)  # the end of the trace, 0.25 mm over no copper
        assert sorted([stretch.start[0], stretch.end[0]]) == pytest.approx([9.6 * MM, 10 * MM])


def test_a_leg_along_an_edge_and_a_void_that_the_ring_runs_round() -> None:
    """N at y = 0.3 mm runs 0.12 mm from the edge y = 0.42; P is 0.42 mm away: nearer than no three heights."""
    (made,) = looked_at(legs(), zone("GND", box(-5, -5, 15, 0.42)))
    p, n = made.edges
    assert (p.within_one, p.within_three, p.stretches) == (0.0, 0.0, ())
    assert n.within_one == n.within_three == pytest.approx(10 * MM)
    assert n.stretches[0].distance == pytest.approx((0.12 - 0.05) * MM)
    ring = (*box(-5, -5, 15, 5), (-5 * MM, -5 * MM), *box(3, -2, 4, -0.1)[::-1], (3 * MM, -0.1 * MM))
    (made,) = looked_at(legs(), zone("GND", ring))  # the way to the void, which crosses P, is no edge
    p, n = made.edges
    corner = math.sqrt(0.15**2 - 0.1**2)  # from the corner of the void, 0.1 mm beside the centre line
    assert p.within_one == pytest.approx((1 + 2 * corner) * MM) and n.within_one == 0.0
    assert p.stretches[0].distance == pytest.approx(0.05 * MM)


@examples(40)
@given(st.lists(st.tuples(st.floats(0.5, 9), st.floats(0.02, 0.8)), max_size=5))
def test_gaps_and_copper_make_the_whole(cuts: list[tuple[float, float]]) -> None:
    """Slits across both legs: what is covered and the gaps add up to the length, whatever overlaps."""
    edges = sorted([-5.0, 15.0, *(end for x, wide in cuts for end in (x, x + wide))])
    bare = [(x, x + wide) for x, wide in cuts]
    rings = [box(a, -5, b, 5) for a, b in pairwise(edges)
             if b > a and not any(x <= (a + b) / 2 <= u for x, u in bare)]
    (made,) = looked_at(legs(), zone("GND", *rings))
    gaps = sum(one.length for one in made.gaps) if made.is_plane else (1 - made.coverage) * 20 * MM
    assert gaps + sum(length for _, length in made.nets) == pytest.approx(20 * MM, abs=1e-8)


# Real boards


def _edges_agree(pair: dict[str, Any], mine: tuple[ReferenceLayer, ...]) -> None:
    """Lengths near an edge: within one height 20 um, within three 40 um; each stretch within one height, its smallest
    distance 20 um. On the two legs that differ by more than 20 um within three heights, places every 2 um along the
    trace give 3.3333 and 20.0356 mm; measured here 3.3330 and 20.0379 mm, in the reference 3.2932 and 20.0002 mm.
    """
    planes = {(one.layer, one.plane): {leg.net: leg for leg in one.edges} for one in mine}
    for layer, wanted in pair["reference_layers"].items():
        for want in (one for one in wanted if one["is_plane_for_pair"]):
            legs = planes[layer, want["layer"]]
            for leg in ("p", "n"):
                one = legs.get(pair[leg])
                assert (one.within_one if one else 0.0) / MM == pytest.approx(want["edge_near_1h_mm"][leg], abs=0.02)
                assert (one.within_three if one else 0.0) / MM == pytest.approx(want["edge_near_3h_mm"][leg], abs=0.04)
    for want in pair["plane_edge_nearer_than_1h"]:
        ends = [[at * MM for at in want[key]] for key in ("start", "end")]
        at_place = [one.distance / MM for one in planes[want["layer"], want["ref_layer"]][pair[want["leg"]]].stretches
                    if min(math.dist(first, ends[0]) + math.dist(last, ends[1])
                           for first, last in ((one.start, one.end), (one.end, one.start))) < 0.08 * MM]
        assert any(abs(one - want["smallest_edge_distance_mm"]) < 0.02 for one in at_place), (pair["p"], want)


@pytest.mark.long
@pytest.mark.parametrize("board", reference())
def test_real_boards_agree_with_an_independent_measurement(board: dict[str, Any]) -> None:
    """Layers and heights exactly, coverage within 0.002, copper by net within 2 um, gaps within 10 um, places 20 um.

    The reference lists no layer that holds unfilled zones alone.
    """
    layout = layout_of(board)
    found = {(pair.p, pair.n): made
             for pair, made in zip(layout.pairs, references_of_pairs(layout, sheets_of(layout)), strict=True)}
    filled = {fill.layer for one in layout.zones if one.kind == "copper" for fill in one.fills}
    for pair in board["pairs"]:
        mine = found[pair["p"], pair["n"]]
        for layer, wanted in pair["reference_layers"].items():
            made = [one for one in mine if one.layer == layer and one.plane in filled]
            assert [(one.side, one.plane, one.is_plane) for one in made] == [
                (one["dir"], one["layer"], one["is_plane_for_pair"]) for one in wanted], (pair["p"], layer)
            for one, want in zip(made, wanted, strict=True):
                assert one.height is not None and one.height / MM == pytest.approx(want["height_mm"], abs=1e-6)
                assert one.coverage == pytest.approx(want["coverage"], abs=2e-3)
                assert (one.coverage_outside is None) == (want["coverage_outside_exclusion"] is None)
                assert {net: length / MM for net, length in one.nets if length > 1e-6} == pytest.approx(
                    want["length_over_net_mm"], abs=2e-3)
        _edges_agree(pair, mine)
        seen = {(gap.net, one.layer, one.plane, round(gap.middle[0] / MM, 1), round(gap.middle[1] / MM, 1)): gap
                for one in mine for gap in one.gaps}
        wanted_gaps = {(pair[gap["leg"]], gap["layer"], gap["ref_layer"], *(round(at, 1) for at in gap["mid"])): gap
                       for gap in pair["reference_gaps"]}
        assert set(seen) == set(wanted_gaps), pair["p"]
        for key, gap in wanted_gaps.items():
            one_gap = seen[key]
            assert one_gap.length / MM == pytest.approx(gap["length_mm"], abs=0.01)
            assert one_gap.whole / MM == pytest.approx(gap["length_with_exclusion_part_mm"], abs=0.01)
            ends = sorted([one_gap.start, one_gap.end])
            assert [place / MM for end in ends for place in end] == pytest.approx(
                [place for end in sorted([gap["start"], gap["end"]]) for place in end], abs=0.02)
