# SPDX-License-Identifier: MIT
"""Copper of a rail from its source to its loads: drawings worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pcbrules.extraction.rail_copper import DrawnRail, NoCopper, rail_capacitors, rail_copper
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad

MM = 1e-3
LAYERS = (LayoutLayer("T", "copper", thickness=0.04 * MM), LayoutLayer("d", "dielectric", thickness=0.1 * MM),
          LayoutLayer("B", "copper", thickness=0.04 * MM))


def part(name: str, *pads: tuple[str, float, float], value: str = "") -> LayoutPart:
    """A part on top with pads of 0.6 mm: net and place."""
    made = tuple(PartPad(str(pin), net, (x * MM, y * MM), ("T",), (("", PadShape((x * MM, y * MM), 6e-4, 6e-4)),))
                 for pin, (net, x, y) in enumerate(pads, 1))
    return LayoutPart(name, value, "", (0.0, 0.0), 0.0, "top", made)


def track(x: float, y: float, u: float, v: float, *, layer: str = "T", width: float = 0.5) -> Track:
    return Track("5V", layer, width * MM, (x * MM, y * MM), (u * MM, v * MM))


def via(x: float, y: float, net: str = "5V") -> LayoutVia:
    return LayoutVia(net, "through", (x * MM, y * MM), 0.3 * MM, 0.6 * MM, "T", "B")


SOURCE, LOAD, FAR = part("J1", ("5V", 0, 0)), part("U1", ("5V", 20, 0), ("5V", 40, 9)), part("R1", ("5V", 10, 5))
WAY = (track(0, 0, 5, 0), track(5, 0, 15, 0, layer="B"), track(15, 0, 20, 0))
SPUR = (track(5, 0, 5, 5), track(5, 5, 10, 5))
BOARD = Layout("f", "x", "1", LAYERS, None, (), ("5V", "GND"), (SOURCE, LOAD, FAR), (*WAY, *SPUR),
               (via(5, 0), via(15, 0), via(17, 0)), (), (), ())


def copper(layout: Layout = BOARD, sense: LayoutPart | None = None) -> DrawnRail:
    found = rail_copper(layout, "5V", [layout.parts[0]], [layout.parts[1]], sense)
    assert isinstance(found, DrawnRail)
    return found


def test_the_way_from_source_to_load_without_what_carries_no_current() -> None:
    """5 mm on top, 10 mm below, 5 mm on top, 0.5 mm wide; a spur to R1 and a via that nothing joins below go."""
    found = copper()
    assert [sheet.layer for sheet in found.sheets] == ["T", "B"]
    top, bottom = found.sheets
    assert len(top.shapes) == 2 and len(bottom.shapes) == 1 and not top.cutouts
    assert [one.at for one in found.barrels] == [(5 * MM, 0.0), (15 * MM, 0.0)]
    assert max(y for ring in top.shapes for _, y in ring) < 0.31 * MM
    assert bottom.area == pytest.approx((10 * 0.5 + math.pi * 0.3**2 + 0.03) * 1e-6, rel=0.03)
    ring = np.array(bottom.shapes[0])
    area = abs(ring[:, 0] @ np.roll(ring[:, 1], -1) - ring[:, 1] @ np.roll(ring[:, 0], -1)) / 2
    assert area == pytest.approx(bottom.area, rel=0.01)


def test_the_sides_of_a_straight_trace_stay_where_they_are() -> None:
    thin = (track(0, 0, 7, 7, width=0.1), track(7, 7, 20, 0, width=0.1))
    board = replace(BOARD, tracks=thin, vias=(), parts=(SOURCE, part("U1", ("5V", 20, 0))))
    (sheet,) = copper(board).sheets
    ring = np.array(sheet.shapes[0])
    near = [abs(x - y) / math.sqrt(2) for x, y in ring if 1 * MM < x < 6 * MM]
    sides = np.roll(ring, -1, axis=0) - ring
    long = [(x, y) for (x, y), (dx, dy) in zip(ring, sides, strict=True) if math.hypot(dx, dy) > 5 * MM and dx * dy > 0]
    assert not near and len(long) == 2
    assert [abs(x - y) / math.sqrt(2) for x, y in long] == pytest.approx([0.05 * MM] * 2, abs=1e-9)


def test_a_pad_that_no_copper_joins_is_named() -> None:
    found = copper()
    assert found.apart == ("U1.2",) and [(one.part, one.pin) for one in found.loads] == [("U1", "1")]
    assert found.loads[0].layers == ("T",) and found.loads[0].size <= 0.6 * MM


def test_the_sense_point_is_where_its_trace_leaves_the_copper() -> None:
    tap = copper(sense=FAR).sense
    assert tap is not None and tap.layer == "T" and tap.at == pytest.approx((5 * MM, 0.0), abs=0.35 * MM)
    assert copper().sense is None


def test_a_ring_has_a_cut_out_and_both_ways_round_carry_current() -> None:
    ring = (track(20, 0, 20, 4), track(20, 4, 24, 4), track(24, 4, 24, 0), track(24, 0, 20, 0))
    board = replace(BOARD, tracks=(*WAY, *ring), parts=(SOURCE, part("U1", ("5V", 24, 4))))
    assert [len(sheet.cutouts) for sheet in copper(board).sheets] == [1, 0]


def test_copper_within_a_hole_of_other_copper_is_kept() -> None:
    """A plane with a hole, and in it a trace that a via joins: a cut-out would take the trace away with it."""
    def box(x: float, y: float, u: float, v: float) -> tuple[tuple[float, float], ...]:
        return tuple((a * MM, b * MM) for a, b in ((x, y), (u, y), (u, v), (x, v)))

    ring = (*box(-2, -5, 30, 5), (-2 * MM, -5 * MM), *reversed(box(14, -2, 26, 2)), (14 * MM, 2 * MM))
    fill = Zone("5V", "", "copper", ("T",), (), (Fill("T", ring),))
    way = (track(10, 0, 15, 0, layer="B"), track(15, 0, 20, 0))
    board = replace(BOARD, zones=(fill,), vias=(via(10, 0), via(15, 0)), tracks=way,
                    parts=(SOURCE, part("U1", ("5V", 20, 0))))
    top = next(sheet for sheet in copper(board).sheets if sheet.layer == "T")
    assert len(top.shapes) == 3 and not top.cutouts
    areas = [abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(one, (*one[1:], one[0]), strict=True))) / 2
             for one in top.shapes]
    assert sum(areas) == pytest.approx((32 * 10 - 12 * 4 + 5 * 0.6) * 1e-6, rel=0.01)


@pytest.mark.parametrize(("change", "said"), [
    ({"tracks": WAY[:2]}, "no copper joins its source to a load"),
    ({"lost": ("5V",)}, "copper of it was not read: see the receipt"),
    ({"zones": (Zone("5V", "", "copper", ("T",), (((0, 0), (1, 0), (1, 1)),)),)}, "a zone of it is not filled"),
])
def test_what_cannot_be_drawn_says_why(change: dict[str, object], said: str) -> None:
    board = replace(BOARD, **change)  # type: ignore[arg-type]
    assert rail_copper(board, "5V", [SOURCE], [LOAD]) == NoCopper(said)


def test_a_fill_beside_the_way_is_kept_where_current_runs_through_it() -> None:
    fill = tuple((x * MM, y * MM) for x, y in ((4, -2), (16, -2), (16, 2), (4, 2)))
    board = replace(BOARD, tracks=(WAY[0], WAY[2]), zones=(Zone("5V", "", "copper", ("B",), (), (Fill("B", fill),)),))
    assert copper(board).sheets[1].area == pytest.approx(48e-6, rel=0.001)


def test_capacitors_have_a_distance_and_the_vias_of_both_pads() -> None:
    """C1 lies 4 mm from the pad of the load, less half of its 0.6 mm; its vias are 1.5 mm apart."""
    near = part("C1", ("5V", 20, 4), ("GND", 21, 4))
    far = part("C2", ("5V", 20, 9), ("GND", 21, 9))
    board = replace(BOARD, parts=(SOURCE, LOAD, near, far, part("C3", ("5V", 20, 1), ("X", 21, 1))),
                    vias=(*BOARD.vias, via(20, 4.5), via(21.5, 4.5, "GND")))
    c2, c1 = rail_capacitors(board, "5V", ["GND"], copper(board).loads)
    assert (c1.part, c2.part) == (near, far)
    assert c1.distance == pytest.approx(3.7 * MM, abs=0.01 * MM) and c1.pitch == pytest.approx(1.5 * MM)
    assert c1.drill == pytest.approx(0.3 * MM) and (c2.pitch, c2.drill) == (None, None)
