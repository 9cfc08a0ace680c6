# SPDX-License-Identifier: MIT
"""Vias of a pair: joined layers, openings in planes, ground vias; drawings worked out by hand, and real boards."""

from __future__ import annotations

import math
from typing import Any

import pytest
from layouts_golden import layout_of, reference

from pcbrules.extraction.pair_vias import DrawnVia, vias_of_pairs
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair

MM = 1e-3
LAYERS = tuple(LayoutLayer(name, "copper") for name in ("T", "I", "B"))


def via(net: str, x: float, y: float, *, last: str = "B") -> LayoutVia:
    """[mm]"""
    return LayoutVia(net, "through", (x * MM, y * MM), 0.2 * MM, 0.5 * MM, "T", last)


def box(low: float, high: float) -> tuple[Point, ...]:
    return ((low * MM, low * MM), (high * MM, low * MM), (high * MM, high * MM), (low * MM, high * MM))


def holed(outer: float, inner: float) -> tuple[Point, ...]:
    """A square with a square void about the origin: its ring goes in and out along one line. [mm]"""
    return (*box(-outer, outer), (-outer * MM, -outer * MM), *box(-inner, inner)[::-1], (-inner * MM, inner * MM))


def zone(net: str, *rings: tuple[Point, ...], layer: str = "I") -> Zone:
    return Zone(net, "", "copper", (layer,), (), tuple(Fill(layer, ring) for ring in rings))


def drawn(*vias: LayoutVia, zones: tuple[Zone, ...] = ()) -> DrawnVia:
    """The first via of P, which a track joins on T and on B."""
    tracks = tuple(Track("p", layer, 0.1 * MM, (0.0, 0.0), (3 * MM, 0.0)) for layer in ("T", "B"))
    pairs = (NetPair("p", "n"),)
    layout = Layout("f", "x", "1", LAYERS, None, (), ("p", "n", "GND"), (), tracks, vias, zones, (), pairs)
    return vias_of_pairs(layout, sheets_of(layout))[0][0]


def test_the_layers_that_a_via_joins() -> None:
    assert drawn(via("p", 0, 0)).joins == ("T", "B") and drawn(via("p", 0, 0, last="I")).joins == ("T",)


def test_ground_vias_from_the_nearest_on() -> None:
    made = drawn(via("p", 0, 0), via("GND", 0, 30), via("VSS", 3, 4), via("3V3", 0, 0.1), via("/x/AGND", 1, 0),
                 via("GND", -0.8, 0))
    near = [(one.net, round(one.distance / MM, 9)) for one in made.grounds]
    assert near == [("GND", 0.8), ("/x/AGND", 1), ("VSS", 5)]
    assert drawn(via("p", 0, 0)).grounds == ()


def test_an_opening_in_a_plane() -> None:
    (made,) = drawn(via("p", 0, 0), via("n", 0.3, 0), zones=(zone("GND", holed(5, 0.4)),)).openings
    assert (made.layer, made.vias) == ("I", 2)
    assert (made.clear, made.area, made.width, made.height) == pytest.approx(
        (0.4 * MM, 0.64e-6, 0.8 * MM, 0.8 * MM))


def test_copper_that_stands_in_an_opening_is_no_part_of_it() -> None:
    island = box(0.1, 0.3)
    zones = zone("GND", holed(5, 0.4)), zone("3V3", island)
    (made,) = drawn(via("p", 0, 0), via("n", 0.2, 0.2), zones=zones).openings
    assert made.area == pytest.approx(0.64e-6 - 0.04e-6) and made.clear == pytest.approx(math.hypot(0.1, 0.1) * MM)
    assert made.vias == 1


@pytest.mark.parametrize(("ring", "clear"), [
    (holed(40, 13), 13), (box(1, 5), math.sqrt(2)), (box(-5, 5), -5),
])
def test_no_opening_where_copper_does_not_run_round(ring: tuple[Point, ...], clear: float) -> None:
    """A void that reaches too far, copper beside, copper over the via."""
    (made,) = drawn(via("p", 0, 0), zones=(zone("GND", ring),)).openings
    assert made.clear == pytest.approx(clear * MM) and (made.area, made.width, made.vias) == (None, None, 0)


@pytest.mark.parametrize("board", reference())
def test_real_boards_agree_with_an_independent_measurement(board: dict[str, Any]) -> None:
    """Joined layers exactly; distances and radii within 1 um, areas within 0.1 %."""
    layout = layout_of(board)
    found = {(pair.p, pair.n): made
             for pair, made in zip(layout.pairs, vias_of_pairs(layout, sheets_of(layout)), strict=True)}
    for pair in board["pairs"]:
        for want in pair["signal_vias"]:
            (made,) = [one for one in found[pair["p"], pair["n"]] if one.net == pair[want["leg"]]
                       and math.dist(one.at, (want["x"] * MM, want["y"] * MM)) < 1e-6]
            assert list(made.joins) == want["used_layers"]
            assert [near.distance / MM for near in made.grounds] == pytest.approx(
                [near["distance_mm"] for near in want["nearest_ground_vias"]], abs=1e-3)
            assert {one.layer for one in made.openings} == set(want["antipad"])
            for one in made.openings:
                anti = want["antipad"][one.layer]
                assert one.clear / MM == pytest.approx(anti["clear_radius_mm"], abs=1e-3)
                assert (one.clear < 0, one.area is not None) == (anti["copper_over_via"], anti["enclosed"])
                if one.area is not None and one.width is not None and one.height is not None:
                    assert one.area * 1e6 == pytest.approx(anti["hole_area_mm2"], rel=1e-3, abs=1e-4)
                    assert (one.width / MM, one.height / MM) == pytest.approx(anti["hole_bbox_mm"], abs=2e-3)
                    assert one.vias == anti["vias_in_hole"]
