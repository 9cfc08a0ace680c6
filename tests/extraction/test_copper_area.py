# SPDX-License-Identifier: MIT
"""Copper of whole layers: drawings worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pcbrules.extraction.copper_area import copper_shares
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad

MM = 1e-3
LAYERS = (LayoutLayer("T", "copper"), LayoutLayer("B", "copper"))


def box(x: float, y: float, u: float, v: float) -> tuple[Point, ...]:
    return ((x * MM, y * MM), (u * MM, y * MM), (u * MM, v * MM), (x * MM, v * MM))


def zone(layer: str, ring: tuple[Point, ...], *, filled: bool = True) -> Zone:
    return Zone("GND", "", "copper", (layer,), (ring,), (Fill(layer, ring),) if filled else ())


PAD = PartPad("1", "A", (15 * MM, 15 * MM), ("T",), (("", PadShape((15 * MM, 15 * MM), 2 * MM, 2 * MM)),))
BOARD = Layout("f", "x", "1", LAYERS, None, (box(0, 0, 20, 20), box(16, 0, 20, 5)), (),
               (LayoutPart("U1", "", "", (0.0, 0.0), 0.0, "top", (PAD,)),),
               (Track("A", "T", 1 * MM, (2 * MM, 12 * MM), (12 * MM, 12 * MM)),
                Track("A", "T", 1 * MM, (7 * MM, 7 * MM), (7 * MM, 17 * MM))),
               (LayoutVia("A", "through", (7 * MM, 12 * MM), 0.3 * MM, 0.8 * MM, "T", "B"),),
               (zone("B", box(-5, 10, 25, 30)),), (), ())


def shares(layout: Layout) -> dict[str, float]:
    return copper_shares(layout, sheets_of(layout))


def test_copper_counts_once_and_within_the_board() -> None:
    """380 mm2 of board. Top: a cross of 21 mm2 less its middle, with round ends of 0.5 mm (0.785 mm2 each pair), and a
    pad of 4 mm2; the via lies in the cross. Bottom: the half of the zone that lies on the board, 200 mm2.
    """
    found = shares(BOARD)
    assert found["T"] * 380 == pytest.approx(2 * 10 - 1 + 2 * 0.785 + 4, rel=0.005)
    assert found["B"] * 380 == pytest.approx(200, rel=1e-6)


def test_what_is_not_known_is_left_out() -> None:
    assert list(shares(replace(BOARD, zones=(*BOARD.zones, zone("T", box(0, 0, 5, 5), filled=False))))) == ["B"]
    assert shares(replace(BOARD, outline=())) == {} and shares(replace(BOARD, lost=("A",))) == {}
