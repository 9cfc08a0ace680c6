# SPDX-License-Identifier: MIT
"""Planes that face ground, and vias in the pads of parts: drawings worked out by hand."""

from __future__ import annotations

import math

import pytest

from pcbrules.extraction.plane_pairs import facing_planes
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.extraction.thermal_vias import PadVias, thermal_vias
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, LayoutVia, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad

MM = 1e-3
LAYERS = (LayoutLayer("T", "copper", thickness=0.04 * MM), LayoutLayer("d", "dielectric", thickness=0.1 * MM),
          LayoutLayer("I", "copper", thickness=0.02 * MM), LayoutLayer("e", "dielectric"),
          LayoutLayer("B", "copper", thickness=0.04 * MM))


def box(x: float, y: float, u: float, v: float) -> tuple[Point, ...]:
    return ((x * MM, y * MM), (u * MM, y * MM), (u * MM, v * MM), (x * MM, v * MM))


def zone(net: str, layer: str, *rings: tuple[Point, ...]) -> Zone:
    return Zone(net, "", "copper", (layer,), (), tuple(Fill(layer, ring) for ring in rings))


def layout(*zones: Zone, vias: tuple[LayoutVia, ...] = (), parts: tuple[LayoutPart, ...] = ()) -> Layout:
    return Layout("f", "x", "1", LAYERS, None, (), (), parts, (), vias, zones, (), ())


def test_a_supply_faces_the_ground_on_the_next_layer_where_both_have_copper() -> None:
    """12 mm by 9 mm of 3V3 in two fills, over ground that begins at x = 2 mm: 10 by 9 mm face each other."""
    made = layout(zone("3V3", "T", box(0, 0, 6, 9), box(6, 0, 12, 9)), zone("GND", "I", box(2, -5, 30, 30)),
                  zone("5V", "I", box(40, 0, 50, 10)), zone("GND", "B", box(40, 0, 50, 2)))
    (pair,) = facing_planes(made, sheets_of(made))  # 5 V faces 20 mm^2, which is too little
    assert (pair.net, pair.layer, pair.ground, pair.ground_layer) == ("3V3", "T", "GND", "I")
    assert pair.area == pytest.approx(90e-6) and pair.height == pytest.approx(0.1 * MM)
    assert (*pair.low, *pair.high) == pytest.approx((2 * MM, 0, 12 * MM, 9 * MM))


def test_a_height_that_is_open_stays_open() -> None:
    made = layout(zone("5V", "I", box(0, 0, 10, 10)), zone("GND", "B", box(0, 0, 10, 10)))
    assert [pair.height for pair in facing_planes(made, sheets_of(made))] == [None]


def arrays(*vias: LayoutVia, side: float = 3.0, holes: int = 0) -> tuple[PadVias, ...]:
    """A part with a square pad of ground about the origin. [mm]"""
    pad = PartPad("9", "GND", (0.0, 0.0), ("T",), (("", PadShape((0.0, 0.0), side * MM, side * MM)),))
    drilled = tuple(PartPad("9", "GND", (x * MM, -1 * MM), ("T", "B"), (("", PadShape((x * MM, -1 * MM), 5e-4, 5e-4)),),
                            (0.2 * MM, 0.2 * MM)) for x in range(holes))
    return thermal_vias(layout(vias=vias, parts=(LayoutPart("U1", "", "", (0.0, 0.0), 0.0, "top", (pad, *drilled)),)))


def via(net: str, x: float, y: float, *, drill: float = 0.3, last: str = "B") -> LayoutVia:
    return LayoutVia(net, "through", (x * MM, y * MM), drill * MM, 0.5 * MM, "T", last)


def test_vias_of_the_net_in_the_pad_are_an_array() -> None:
    grid = [via("GND", x, y, drill=0.25 if x else 0.3) for x in (-1, 0, 1) for y in (-0.8, 0, 0.8)]
    (made,) = arrays(*grid, via("GND", 1.6, 0), via("3V3", 0.5, 0.5))
    assert (made.part, made.pin, made.net, made.count, made.layers) == ("U1", "9", "GND", 9, ("T", "B"))
    assert made.drill == pytest.approx(0.25 * MM) and made.pitch == pytest.approx(0.8 * MM)


def test_copper_of_a_pad_reaches_as_far_as_its_corners_and_rings() -> None:
    assert PadShape((1.0, 1.0), 3.0, 4.0).farthest == pytest.approx(2.5)
    assert PadShape((1.0, 1.0), 0.0, 0.0, rings=(((1.0, 1.0), (4.0, 5.0), (0.0, 1.0)),)).farthest == pytest.approx(5.0)


def test_the_layers_that_all_of_them_reach_and_holes_of_the_part() -> None:
    corners = [via("GND", x, y, last="I" if x > 0 else "B") for x in (-1, 1) for y in (0, 1)]
    (made,) = arrays(*corners)
    assert made.layers == ("T", "I") and math.isclose(made.pitch, 1 * MM)
    (made,) = arrays(*corners, holes=2)
    assert made.count == 6 and made.drill == pytest.approx(0.2 * MM)


def test_few_vias_or_a_small_pad_are_none() -> None:
    assert arrays(via("GND", 0, 0), via("GND", 1, 0), via("GND", 0, 1)) == ()
    assert arrays(*(via("GND", 0.1 * x, 0.1 * y) for x in (0, 1) for y in (0, 1)), side=0.9) == ()
