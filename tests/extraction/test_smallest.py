# SPDX-License-Identifier: MIT
"""The smallest figures of a layout: drawings worked out by hand, brute force, the reference of real boards."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from layouts_golden import layout_of, reference

from pcbrules.extraction.measures import measures
from pcbrules.extraction.planar import PlanarCopper, chunks, lines_of, nearest
from pcbrules.extraction.smallest import Finest, Smallest, smallest
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad
from pcbrules.studies.layout_fabrication import smallest_of

MM = 1e-3
LAYERS = tuple(LayoutLayer(name, "copper", thickness=0.035 * MM) for name in ("T", "I", "B"))
EMPTY = Layout("f", "x", "1", LAYERS, None, (), (), (), (), (), (), (), ())


def track(
    net: str, *points: float, width: float = 0.2, layer: str = "T", mid: tuple[float, float] | None = None
) -> Track:
    """A track from (x, y) to (u, v). [mm]"""
    x, y, u, v = (one * MM for one in points)
    return Track(net, layer, width * MM, (x, y), (u, v), None if mid is None else (mid[0] * MM, mid[1] * MM))


def via(net: str, x: float, y: float, *, drill: float = 0.3, pad: float = 0.6, **more: Any) -> LayoutVia:
    """A via from T to B. [mm]"""
    return LayoutVia(net, "through", (x * MM, y * MM), drill * MM, pad * MM, "T", "B", **more)


def part(*pads: PartPad) -> LayoutPart:
    return LayoutPart("J1", "", "", (0, 0), 0, "top", pads)


def pad(net: str, shape: PadShape, **more: Any) -> PartPad:
    return PartPad("1", net, shape.centre, ("T", "I", "B"), (("", shape),), **more)


def square(low: float, high: float) -> tuple[tuple[float, float], ...]:
    return ((low * MM, low * MM), (high * MM, low * MM), (high * MM, high * MM), (low * MM, high * MM))


def found(**things: Any) -> Smallest:
    return smallest(replace(EMPTY, **things))


def mm(one: Finest | None) -> float:
    assert one is not None
    return one.value / MM


def test_nothing_has_no_figures() -> None:
    assert found() == Smallest(None, (), None, None, None, None, None)


def test_the_thinnest_trace() -> None:
    made = found(tracks=(track("a", 0, 0, 1, 0), track("b", 0, 5, 1, 5, width=0.1, layer="I")))
    assert made.width == Finest(0.1 * MM, (0, 5 * MM), "I", ("b",))


def test_a_thin_track_within_a_pad_of_its_net_is_no_thin_trace() -> None:
    """Its copper is that of the pad; where its end comes out of it, or the pad is another net's, it shows."""
    thin = track("a", 0, 0, 0.4, 0, width=0.09)
    lands = part(pad("a", PadShape((0.2 * MM, 0), 0.6 * MM, 0.3 * MM)))
    trace = track("b", 0, 5, 1, 5)

    def narrowest(*tracks: Track, **more: Any) -> float:
        return mm(found(tracks=(*tracks, trace), **more).width)

    assert narrowest(thin, parts=(lands,)) == pytest.approx(0.2)
    assert narrowest(replace(thin, end=(0.47 * MM, 0.0)), parts=(lands,)) == pytest.approx(0.09)
    assert narrowest(replace(thin, net="c"), parts=(lands,)) == pytest.approx(0.09)
    bent = track("a", 0, 0, 0.4, 0, width=0.09, mid=(0.2, 0.2))
    assert narrowest(bent, parts=(lands,)) == pytest.approx(0.09)
    round_one = track("a", 0, 0, 0.2, 0, width=0.09)
    assert narrowest(round_one, vias=(via("a", 0, 0),)) == pytest.approx(0.2)
    assert narrowest(track("a", 0, 0, 0.3, 0, width=0.09), vias=(via("a", 0, 0),)) == pytest.approx(0.09)
    assert found(tracks=(thin,), parts=(lands,)).width is None
    whole = replace(EMPTY, tracks=(thin, trace), parts=(lands,))
    assert mm(smallest_of(whole, measures(whole))["outer_width"]) == pytest.approx(0.2)


def test_a_space_is_from_edge_to_edge_on_one_layer() -> None:
    below = track("c", 0, 0.2, 1, 0.2, layer="B")
    made = found(tracks=(track("a", 0, 0, 1, 0), track("b", 0, 0.5, 1, 0.5, width=0.3), below))
    assert [one.layer for one in made.spaces] == ["T"]
    assert mm(made.space) == pytest.approx(0.5 - 0.1 - 0.15) and made.spaces[0].of == ("a", "b")
    assert made.spaces[0].at[1] == pytest.approx(0.25 * MM)


def test_a_space_round_an_arc() -> None:
    """A quarter of a circle about the origin with a radius of 2 mm, a straight track that ends 1 mm inside of it."""
    corner = 2 * math.sqrt(0.5)
    arc = track("a", 2, 0, 0, 2, mid=(corner, corner))
    made = found(tracks=(arc, track("b", 0, 0, *(2 * [math.sqrt(0.5)]))))
    assert mm(made.space) == pytest.approx(1 - 0.2, abs=1e-4)


def test_the_legs_of_a_pair_are_no_strangers() -> None:
    tracks = (track("p", 0, 0, 1, 0), track("n", 0, 0.3, 1, 0.3), track("c", 0, 0.8, 1, 0.8))
    made = found(tracks=tracks, pairs=(NetPair("p", "n"),))
    assert (mm(made.space), mm(made.space_of_strangers)) == pytest.approx((0.1, 0.3))


def test_things_without_a_net_are_one_net() -> None:
    assert found(tracks=(track("", 0, 0, 1, 0), track("", 0, 0.3, 1, 0.3))).spaces == ()


@pytest.mark.parametrize(("shape", "drill", "ring"), [
    (PadShape((0, 0), 1.0 * MM, 1.0 * MM, 0.5 * MM), (0.6, 0.6), 0.2),
    (PadShape((0, 0), 2.0 * MM, 1.0 * MM), (0.6, 0.6), 0.2),
    (PadShape((0.1 * MM, 0), 1.0 * MM, 1.0 * MM), (0.6, 0.6), 0.1),
    (PadShape((0, 0), 2.0 * MM, 1.2 * MM, 0.6 * MM), (1.4, 0.6), 0.3),
    (PadShape((0, 0), 2.0 * MM, 1.2 * MM, 0.6 * MM, angle=math.pi / 3), (1.4, 0.6), 0.3),
    (PadShape((0, 0), 1.2 * MM, 2.0 * MM, 0.6 * MM), (0.6, 1.4), 0.3),
    (PadShape((2 * MM, 0), 1.0 * MM, 1.0 * MM), (0.6, 0.6), -0.3),
])
def test_the_ring_of_a_pad(shape: PadShape, drill: tuple[float, float], ring: float) -> None:
    """Round, square, off its hole, with a slot along, turned and across, and beside its hole."""
    one = PartPad("1", "a", (0, 0), ("T", "I", "B"), (("", shape),), drill=(drill[0] * MM, drill[1] * MM))
    made = found(parts=(part(one),))
    assert mm(made.ring) == pytest.approx(ring, abs=2e-4) and mm(made.drill) == pytest.approx(min(drill))


def test_the_ring_of_a_via_is_that_of_its_smallest_pad() -> None:
    made = found(vias=(via("a", 0, 0), via("b", 5, 5, pads=(("I", 0.5 * MM),))))
    assert mm(made.ring) == pytest.approx(0.1) and made.ring is not None and made.ring.of == ("via", "b")


def test_a_bare_hole_has_no_ring() -> None:
    made = found(parts=(part(pad("", PadShape((0, 0), 1 * MM, 1 * MM, 0.5 * MM), drill=(MM, MM), plated=False)),))
    assert made.ring is None and mm(made.drill) == pytest.approx(1.0)


@pytest.mark.parametrize(("beside", "gap", "what"), [
    ({"tracks": (track("b", -1, 0.5, 1, 0.5, layer="I"),)}, 0.5 - 0.1 - 0.15, "track"),
    ({"vias": (via("b", 0.8, 0, drill=0.1, pad=0.4),)}, 0.8 - 0.2 - 0.15, "via pad"),
    ({"parts": (part(pad("b", PadShape((0, 1 * MM), 0.6 * MM, 0.6 * MM))),)}, 1 - 0.3 - 0.15, "pad J1.1"),
    ({"zones": (Zone("b", "", "copper", ("T",), (), (Fill("T", square(0.4, 0.9)),)),)}, 0.4 * 2**0.5 - 0.15, "zone"),
    ({"zones": (Zone("b", "", "copper", ("T",), (), (Fill("T", square(-1, 1)),)),)}, -0.15, "zone"),
])
def test_copper_beside_a_hole(beside: dict[str, Any], gap: float, what: str) -> None:
    hole = via("a", 0, 0)
    made = found(**{**beside, "vias": (hole, *beside.get("vias", ()))})
    assert made.beside_plated is not None and mm(made.beside_plated) == pytest.approx(gap, abs=1e-6)
    assert made.beside_plated.of == ("via", "a", what, "b")


def test_a_pad_that_nothing_joins_may_be_gone() -> None:
    other = via("b", 0.8, 0, drill=0.1, pad=0.8, unused_removed=True)
    assert mm(found(vias=(via("a", 0, 0), other)).beside_plated) == pytest.approx(0.8 - 0.4 - 0.15)  # on T and B
    inner = replace(via("a", 0, 0), first="I", last="I")
    assert mm(found(vias=(inner, other)).beside_plated) == pytest.approx(0.8 - 0.3 - 0.05)  # its own hole
    joined = found(vias=(inner, other), tracks=(track("b", 0.8, 0, 3, 0, layer="I"),))
    assert mm(joined.beside_plated) == pytest.approx(0.8 - 0.4 - 0.15)


def test_a_hole_in_a_void_lies_in_no_copper() -> None:
    """A fill runs round its void and touches itself on the way in and out."""
    ring = (*square(-2, 2), (-2 * MM, -2 * MM), (-0.5 * MM, -0.5 * MM), (-0.5 * MM, 0.5 * MM), (0.5 * MM, 0.5 * MM),
            (0.5 * MM, -0.5 * MM), (-0.5 * MM, -0.5 * MM))
    zone = Zone("b", "", "copper", ("T",), (), (Fill("T", ring),))
    assert mm(found(vias=(via("a", 0, 0),), zones=(zone,)).beside_plated) == pytest.approx(0.5 - 0.15)


@given(st.integers(1, 200))
def test_the_pieces_of_a_ring_are_the_ring(count: int) -> None:
    ring = [(math.cos(2 * math.pi * i / count), math.sin(2 * math.pi * i / count)) for i in range(count)]
    pieces = chunks(ring)
    assert shapely.length(pieces).sum() == pytest.approx(shapely.LinearRing([*ring, ring[0]]).length if count > 2
                                                         else 2 * math.dist(ring[0], ring[-1]))


spans = st.tuples(*[st.floats(0, 20)] * 4)


@examples(40)
@given(st.lists(st.tuples(spans, st.floats(0.05, 1), st.integers(0, 3)), min_size=2, max_size=12))
def test_the_nearest_of_all_is_that_of_brute_force(given_: list[tuple[tuple[float, ...], float, int]]) -> None:
    tracks = [track(str(net), *points, width=width) for points, width, net in given_]
    reach, nets = np.array([one.width / 2 for one in tracks]), np.array([int(one.net) for one in tracks])
    copper = PlanarCopper(lines_of(tracks), reach, nets)
    by_hand = [shapely.distance(copper.lines[i], copper.lines[j]) - copper.reach[i] - copper.reach[j]
               for i in range(len(tracks)) for j in range(i) if tracks[i].net != tracks[j].net]
    made = nearest(copper)
    assert (made is None) == (not by_hand)
    assert made is None or made.distance == pytest.approx(min(by_hand), abs=1e-12)


# Real boards


KEYS = {
    "width": "min_track_width", "space": "min_track_to_track",
    "space_of_strangers": "min_track_to_track_not_pair_partner",
    "ring": "min_annular_ring", "drill": "min_drill", "beside_plated": "min_drill_to_copper_plated",
    "beside_bare": "min_drill_to_copper_npth",
}


@pytest.mark.parametrize("board", reference())
def test_real_boards_agree_with_an_independent_measurement(board: dict[str, Any]) -> None:
    """Within 1 um, rings of round pads within 0.3 um: the reference polygons lie inside of the circles."""
    made = smallest(layout_of(board))
    for name, key in KEYS.items():
        mine, theirs = getattr(made, name), board["board_totals"][key]
        assert (mine is None) == (theirs is None), name
        assert mine is None or mine.value / MM == pytest.approx(theirs["mm"], abs=1e-3), name
