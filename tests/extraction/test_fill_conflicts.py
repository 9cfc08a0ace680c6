# SPDX-License-Identifier: MIT
"""Fills that contradict what stands in them: drawings worked out by hand, and the reference of real boards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from layouts_golden import layout_of, reference

from pcbrules.extraction.fill_conflicts import fill_conflicts
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad

MM = 1e-3
LAYERS = tuple(LayoutLayer(one, "copper") for one in ("T", "I", "B"))
EMPTY = Layout("f", "x", "1", LAYERS, None, (), (), (), (), (), (), (), ())
SIDE = 5 * MM
FILL = Fill("I", ((-SIDE, -SIDE), (SIDE, -SIDE), (SIDE, SIDE), (-SIDE, SIDE)))
PLANE = Zone("GND", "", "copper", ("I",), (), (FILL,))
VIA = LayoutVia("a", "through", (0.0, 0.0), 0.3 * MM, 0.6 * MM, "T", "B")


def pad(x: float, *, layers: tuple[str, ...] = ("I",), drill: tuple[float, ...] = ()) -> LayoutPart:
    """A part with a round pad of 1 mm. [mm]"""
    at = (x * MM, 0.0)
    made = PartPad("1", "a", at, layers, (("", PadShape(at, MM, MM, MM / 2)),), drill=drill)
    return LayoutPart("J1", "", "", at, 0, "top", (made,))


def found(**things: Any) -> list[tuple[str, str, str, str]]:
    return [(one.layer, one.fill, one.what, one.net)
            for one in fill_conflicts(replace(EMPTY, **{"zones": (PLANE,), **things}))]


def test_a_via_in_the_fill_of_another_net() -> None:
    assert found(vias=(VIA,)) == [("I", "GND", "via", "a")]
    assert found(vias=(replace(VIA, net="GND"),)) == found(vias=(replace(VIA, last="T"),)) == []
    assert found(vias=(replace(VIA, at=(6 * MM, 0.0)),)) == []


@pytest.mark.parametrize(("x", "hits"), [(0, True), (5.4, True), (5.5, False), (5.6, False)])
def test_a_pad_whose_copper_reaches_into_a_fill(x: float, hits: bool) -> None:
    """Its edge may touch the edge of the fill at 5 mm."""
    for part in (pad(x), pad(x, layers=("T", "I", "B"), drill=(0.5 * MM, 0.5 * MM))):
        assert found(parts=(part,)) == [("I", "GND", "pad J1.1", "a")] * hits


def test_a_bare_hole_in_a_fill() -> None:
    hole = PartPad("", "", (0.0, 0.0), (), (("", PadShape((0, 0), MM, MM, MM / 2)),), drill=(MM, MM), plated=False)
    assert found(parts=(LayoutPart("H1", "", "", (0, 0), 0, "top", (hole,)),)) == [("I", "GND", "hole of H1", "")]


def test_a_track_that_ends_in_a_fill_on_its_layer() -> None:
    track = Track("a", "I", 0.1 * MM, (0.0, 0.0), (9 * MM, 0.0))
    assert found(tracks=(track,)) == [("I", "GND", "track", "a")]
    assert found(tracks=(replace(track, layer="T"),)) == []


@pytest.mark.parametrize("board", reference())
def test_real_boards_have_those_that_an_independent_reader_counts(board: dict[str, Any]) -> None:
    made = fill_conflicts(layout_of(board))
    assert len(made) == board["fill_conflicts"]["count"]
    places = {(one.layer, one.fill, *(round(place / MM, 3) for place in one.at)) for one in made}
    assert {(one["layer"], one["fill_net"], *one["at"]) for one in board["fill_conflicts"]["examples"]} <= places
