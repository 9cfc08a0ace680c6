# SPDX-License-Identifier: MIT
"""Copper for a picture: fewer points the more there are, nothing that is drawn by itself."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from pcbrules.extraction import board_picture as room
from pcbrules.extraction.board_picture import board_picture
from pcbrules.layout.copper import Fill, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout

MM = 1e-3
LAYERS = (LayoutLayer("T", "copper"), LayoutLayer("B", "copper"))


def layout(*tracks: Track, zones: tuple[Zone, ...] = ()) -> Layout:
    return Layout("f", "x", "1", LAYERS, None, (), (), (), tracks, (), zones, (), ())


def track(net: str, *points: tuple[float, float], layer: str = "T") -> tuple[Track, ...]:
    spots = [(x * MM, y * MM) for x, y in points]
    return tuple(Track(net, layer, 0.1 * MM, a, b) for a, b in pairwise(spots))


def disc(radius: float, count: int, at: float = 0.0) -> Zone:
    angles = [2 * math.pi * place / count for place in range(count)]
    ring = tuple((at * MM + radius * MM * math.cos(one), radius * MM * math.sin(one)) for one in angles)
    return Zone("GND", "", "copper", ("B",), (), (Fill("B", ring),))


def test_tracks_of_a_net_are_joined_and_points_on_a_line_left_out() -> None:
    made = board_picture(layout(*track("a", (0, 0), (1, 0), (2, 0), (2, 1)), *track("b", (0, 5), (1, 5))), {"b"})
    top, bottom = made.layers
    assert [[(round(x / MM), round(y / MM)) for x, y in line] for line in top.tracks] == [[(0, 0), (2, 0), (2, 1)]]
    assert (bottom.tracks, top.areas, made.tolerance, made.left_out) == ((), (), room.FINEST, 0)


def test_a_fill_lies_within_the_tolerance_of_its_ring() -> None:
    made = board_picture(layout(zones=(disc(5, 720), disc(0.1, 40, at=20))), set())
    (ring,) = made.layers[1].areas  # the small one is smaller than what is drawn
    assert 20 < len(ring) < 80
    assert all(abs(math.hypot(x, y) - 5 * MM) <= made.tolerance + 1e-9 for x, y in ring)


def test_a_large_board_has_no_more_points_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 40)
    tracks = [one for net in range(50) for one in track(str(net), (0, net), (0.2 + net, net))]
    made = board_picture(layout(*tracks, zones=(disc(5, 720),)), set())
    assert len(made.layers[1].areas[0]) <= 40 and made.tolerance > room.FINEST
    lines = made.layers[0].tracks
    assert sum(map(len, lines)) <= 40 and made.left_out == 50 - len(lines)
    assert min(math.dist(*line) for line in lines) > 20 * MM
