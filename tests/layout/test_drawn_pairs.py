# SPDX-License-Identifier: MIT
"""Lengths of nets from pad to pad, by small drawings worked out by hand and by the reference of real boards."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from real_boards import folder

from pcbrules.layout.arcs import arc_length, flattened
from pcbrules.layout.copper import DrilledAway, LayoutVia, Track
from pcbrules.layout.drawn_pairs import DrawnLeg, drawn_pairs
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad
from pcbrules.layout.rings import area
from pcbrules.layout.routes import NoRoute
from pcbrules.readers.kicad.board import read_kicad

MM = 1e-3
ORDER = ("T", "I", "B")
LAYERS = (
    LayoutLayer("T", "copper", thickness=0.04 * MM), LayoutLayer("d", "dielectric", thickness=0.1 * MM),
    LayoutLayer("I", "copper", thickness=0.02 * MM), LayoutLayer("d", "dielectric", thickness=0.5 * MM),
    LayoutLayer("B", "copper", thickness=0.04 * MM),
)
"""Centres of copper at 0.02, 0.15 and 0.68 mm."""


def pad(x: float, y: float, side: float = 1.0, layers: tuple[str, ...] = ("T",)) -> PartPad:
    """A square pad. [mm]"""
    at = (x * MM, y * MM)
    return PartPad("1", "A_P", at, layers, (("", PadShape(at, side * MM, side * MM)),))


def track(*points: tuple[float, float], layer: str = "T") -> list[Track]:
    """Straight tracks along points, 0.2 mm wide. [mm]"""
    scaled = [(x * MM, y * MM) for x, y in points]
    return [Track("A_P", layer, 0.2 * MM, a, b) for a, b in pairwise(scaled)]


def via(x: float, y: float, *, first: str = "T", last: str = "B", away: tuple[DrilledAway, ...] = ()) -> LayoutVia:
    """A via with a pad of 0.6 mm. [mm]"""
    return LayoutVia("A_P", "through", (x * MM, y * MM), 0.3 * MM, 0.6 * MM, first, last, drilled_away=away)


def leg(pads: list[PartPad], tracks: list[Track], vias: tuple[LayoutVia, ...] = (),
        layers: tuple[LayoutLayer, ...] = LAYERS) -> DrawnLeg:
    """What is measured of a net."""
    part = LayoutPart("U1", "", "", (0, 0), 0, "top", tuple(pads))
    layout = Layout("f", "x", "1", layers, None, (), ("A_P", "A_N"), (part,), tuple(tracks), vias, (), (),
                    (NetPair("A_P", "A_N"),))
    return drawn_pairs(layout)[0].p


ENDS = [pad(0, 0), pad(10, 0)]


@pytest.mark.parametrize(("tracks", "length"), [
    (track((0, 0), (10, 0)), 10),
    (track((0, 0), (0, 3), (10, 3), (10, 0)), 16),
    # leaves the pad at (0.5, 0.3) after a bend inside: the straight way from there is sqrt(0.34)
    (track((0, 0), (0, 0.3), (9, 0.3), (10, 0.3), (10, 0)), 9 + 2 * math.hypot(0.5, 0.3)),
    # ends off the centre of the pads, on their copper
    (track((0.4, 0), (9.7, 0)), 10),
    # a branch that ends on the body of another track, 0.05 mm off its centre line
    (track((0, 0), (4, 0), (4, 4)) + track((10, 0), (10, 2), (4.05, 2)), 4 + 2 + 0.05 + 5.95 + 2),
    # ends 0.05 mm before the copper of the pads, and its round ends touch them
    (track((0.55, 0), (9.45, 0)), 10),
    # steps shorter than the trace is wide are followed all the same
    (track((0, 0), (5, 0), (5, 0.06), (5.06, 0.06), (5.06, 0), (10, 0)), 10.12),
    # two ends 0.19 mm apart, whose round ends touch
    (track((0, 0), (4, 0)) + track((4.19, 0), (10, 0)), 10),
    # doubled, and a dead end
    (track((0, 0), (10, 0)) * 2 + track((3, 0), (3, 5)), 10),
])
def test_the_way_on_one_layer(tracks: list[Track], length: float) -> None:
    found = leg(ENDS, tracks)
    assert found.length == pytest.approx(length * MM, rel=1e-6)
    assert found.routed == pytest.approx(sum(one.length for one in tracks))
    assert (found.vias, found.layers, found.stub) == (0, ("T",), 0.0)


def test_an_arc_is_left_at_the_edge_of_a_pad() -> None:
    # half a circle of radius 5 between the pads; it leaves each pad, 1 mm square, 0.5 mm above the centre
    arc = Track("A_P", "T", 0.2 * MM, (0, 0), (10 * MM, 0), (5 * MM, 5 * MM))
    angle = math.asin(0.5 / 5)
    straight = math.hypot(5 - 5 * math.cos(angle), 0.5)
    assert leg(ENDS, [arc]).length == pytest.approx((5 * (math.pi - 2 * angle) + 2 * straight) * MM, rel=1e-6)


@pytest.mark.parametrize("side", [1, -1])
def test_a_branch_may_end_on_an_arc(side: int) -> None:
    # a quarter of a circle of radius 2 round (5, 0), left where it has turned by 60 degrees
    corner = math.sqrt(2)
    arc = Track("A_P", "T", 0.2 * MM, (3 * MM, 0), (5 * MM, 2 * side * MM),
                ((5 - corner) * MM, corner * side * MM))
    x, y = 5 - 2 * math.cos(math.pi / 3), 2 * side * math.sin(math.pi / 3)
    tracks = [*track((0, 0), (3, 0)), arc, *track((x, y), (x, 4 * side), (10, 4 * side), (10, 0))]
    length = 3 + 2 * math.pi / 3 + (4 - abs(y)) + (10 - x) + 4
    assert leg(ENDS, tracks).length == pytest.approx(length * MM, rel=1e-6)


def test_an_arc_that_ends_where_it_begins_is_a_circle() -> None:
    assert arc_length((0, 0), (2, 0), (0, 0)) == pytest.approx(2 * math.pi)
    assert area(flattened((0, 0), (2, 0), (0, 0))) == pytest.approx(math.pi, rel=1e-4)


def test_a_pad_may_stand_at_any_angle() -> None:
    shape = PadShape((1, 1), 4, 1, 0.2, math.radians(30))
    along = math.cos(math.radians(30)), math.sin(math.radians(30))
    assert shape.holds((1 + 1.99 * along[0], 1 + 1.99 * along[1]))
    assert not shape.holds((1 + 1.99 * along[0], 1 - 1.99 * along[1]))
    assert not shape.holds((1 + 2.01 * along[0], 1 + 2.01 * along[1]))


def test_copper_of_a_free_shape_reaches_as_far_as_its_ring() -> None:
    shape = PadShape((0, 0), 0, 0, rings=(((0, 0), (4, 0), (4, 2), (0, 2)),))
    assert shape.holds((3.9, 1.9)) and not shape.holds((4.1, 1)) and not shape.holds((-0.1, 1))
    assert shape.holds((4.1, 1), 0.11) and not shape.holds((4.1, 1), 0.09)
    assert shape.holds((4.3, 2.4), 0.51) and not shape.holds((4.3, 2.4), 0.49)


def test_vias_count_by_the_centres_of_copper_and_leave_stubs() -> None:
    tracks = track((0, 0), (5, 0)) + track((5.2, 0), (8, 0), layer="I")
    tracks += track((8, 0), (10, 0))
    found = leg(ENDS, tracks, (via(5, 0), via(8, 0)))
    # down and up 0.13 mm; the track on I ends 0.2 mm off the first via, within its pad
    assert found.length == pytest.approx((10 + 2 * 0.13) * MM)
    assert (found.vias, found.layers) == (2, ("T", "I"))
    assert found.stub == pytest.approx(0.53 * MM)
    drilled = (DrilledAway("B", "I", 0.5 * MM),)
    assert leg(ENDS, tracks, (via(5, 0, away=drilled), via(8, 0, away=drilled))).stub == 0.0
    below = [pad(0, 0, layers=("B",)), pad(10, 0, layers=("B",))]
    turned = [replace(one, layer={"T": "B"}.get(one.layer, one.layer)) for one in tracks]
    assert leg(below, turned, (via(5, 0), via(8, 0))).stub == pytest.approx(0.13 * MM)
    drilled = (DrilledAway("T", "I", 0.5 * MM),)
    assert leg(below, turned, (via(5, 0, away=drilled), via(8, 0, away=drilled))).stub == 0.0
    blind = leg(ENDS, tracks, (via(5, 0, last="I"), via(8, 0, last="I")))
    assert blind.stub == 0.0 and blind.length == found.length


def test_a_via_in_the_pad_and_one_that_a_track_passes() -> None:
    both = (via(0.2, 0), via(9, 0))
    tracks = track((0.2, 0), (9.5, 0), layer="B") + track((9, 0), (10, 0))
    # 0.2 in the pad, 0.66 down, 8.8 on B, up beneath a track that does not end there, 1.0 on T
    assert leg(ENDS, tracks, both).length == pytest.approx((0.2 + 0.66 + 8.8 + 0.66 + 1) * MM)
    through = [pad(0, 0, layers=ORDER), pad(10, 0, layers=ORDER)]
    assert leg(through, track((0, 0), (10, 0), layer="I")).length == pytest.approx(10 * MM)


@pytest.mark.parametrize(("pads", "tracks", "layers", "reason"), [
    ([], track((0, 0), (1, 0)), LAYERS, "no pad"),
    ([*ENDS, pad(5, 5)], track((0, 0), (10, 0)), LAYERS, "3 pads: its ends are open"),
    (ENDS, [], LAYERS, "no track"),
    (ENDS, track((0, 0), (4, 0)) + track((4.21, 0), (10, 0)), LAYERS, "its pads are not joined by tracks and vias"),
    (ENDS, track((0.61, 0), (9.45, 0)), LAYERS, "its pads are not joined by tracks and vias"),
    (ENDS, track((0, 0), (4, 0)) + track((5, 0), (10, 0)), LAYERS, "its pads are not joined by tracks and vias"),
    (ENDS, track((0, 0), (5, 0)) + track((5, 0), (10, 0), layer="B"), LAYERS[:1] + LAYERS[2:3] + LAYERS[4:],
     "its pads are not joined by tracks and vias"),
    (ENDS, track((0, 0), (10, 0)) * 2001, LAYERS, "more than 2000 tracks and vias"),
])
def test_a_net_without_two_ends_has_no_length(
    pads: list[PartPad], tracks: list[Track], layers: tuple[LayoutLayer, ...], reason: str
) -> None:
    assert leg(pads, tracks, layers=layers).length == NoRoute(reason)


def test_without_heights_a_way_over_a_via_has_no_length() -> None:
    bare = tuple(LayoutLayer(name, "copper") for name in ORDER)
    tracks = track((0, 0), (5, 0)) + track((5, 0), (8, 0), layer="B") + track((8, 0), (10, 0))
    found = leg(ENDS, tracks, (via(5, 0), via(8, 0)), bare)
    assert found.length == NoRoute("the heights of its vias are unknown") and found.stub is None
    assert leg(ENDS, track((0, 0), (10, 0)), layers=bare).length == pytest.approx(10 * MM)


def reference() -> list[tuple[str, dict[str, object]]]:
    """Boards of the reference extraction that have legs with two pads."""
    place = folder()
    file = place.parent / "golden" / "layouts.json" if place else None
    if place is None or file is None or not file.is_file():
        return []
    boards = json.loads(file.read_text(encoding="utf-8"))["boards"]
    return [(str(place / "kicad" / one["repository"].replace("/", "+") / one["path"]), one) for one in boards]


BOARDS = reference()


@pytest.mark.skipif(not BOARDS, reason="the folder of real boards is not there")
@pytest.mark.long
@pytest.mark.parametrize(("path", "board"), BOARDS, ids=[Path(path).stem for path, _ in BOARDS])
def test_pairs_of_real_boards_agree_with_the_reference_extraction(path: str, board: dict[str, object]) -> None:
    layout = read_kicad(path)
    filled: dict[tuple[str, str], float] = defaultdict(float)
    for zone in layout.zones:
        for fill in zone.fills:
            filled[fill.layer, zone.net] += abs(area(fill.ring)) / MM**2
    for layer, nets in board["filled_area_mm2"].items():  # type: ignore[attr-defined]
        assert {net: filled[layer, net] for net in nets} == pytest.approx(nets, abs=1e-3)
    legs = {one.net: one for pair in drawn_pairs(layout) for one in (pair.p, pair.n)}
    for pair in board["pairs"]:  # type: ignore[attr-defined]
        for given in (pair["leg_p"], pair["leg_n"]):
            found = legs[given["net"]]
            assert found.routed / MM == pytest.approx(given["routed_mm"], abs=1e-3)
            assert (found.vias, list(found.layers)) == (given["vias"], given["layers"])
            assert found.stub is not None
            assert found.stub / MM == pytest.approx(given["max_via_stub_cc_mm"], abs=1e-3)
            if len(given["pads"]) == 2:
                assert isinstance(found.length, float)
                assert found.length / MM == pytest.approx(given["path"]["length_straight_in_pad_mm"], abs=5e-3)
            else:
                assert isinstance(found.length, NoRoute)
