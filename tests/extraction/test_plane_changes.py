# SPDX-License-Identifier: MIT
"""Vias that leave a plane for another one: drawings worked out by hand; stitching vias cut out of real boards."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from real_boards import folder

from pcbrules.extraction.pair_vias import vias_of_pairs
from pcbrules.extraction.plane_changes import PlaneChange, plane_changes
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.extraction.reference import references_of_pairs
from pcbrules.layout.copper import Fill, LayoutVia, Track, Zone
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad
from pcbrules.readers.kicad.board import read_kicad

MM = 1e-3
LAYERS = tuple(LayoutLayer(name, "copper" if len(name) == 1 else "dielectric", thickness=0.1 * MM)
               for name in ("T", "d1", "G", "d2", "H", "d3", "B"))
SQUARE = ((-9 * MM, -9 * MM), (9 * MM, -9 * MM), (9 * MM, 9 * MM), (-9 * MM, 9 * MM))

LIMIT = 200 * 25.4e-6
"""Where a stitching via counts as missing. [m]"""

BOARDS = {"carrier": "carrier.kicad_pcb", "oculink": "antmicro-job-oculink-expansion.kicad_pcb",
          "m2": "antmicro-m2-oculink-adapter-hw.kicad_pcb", "hat": "RPI5-SDexpress-Hat.kicad_pcb"}
COUNT = 5


def changes(layout: Layout) -> list[PlaneChange]:
    sheets = sheets_of(layout)
    references = references_of_pairs(layout, sheets)
    return [one for pair in plane_changes(layout, references, vias_of_pairs(layout, sheets), sheets) for one in pair]


def via(net: str, x: float, y: float = 0.0, *, first: str = "T", last: str = "B") -> LayoutVia:
    return LayoutVia(net, "through", (x * MM, y * MM), 0.2 * MM, 0.5 * MM, first, last)


def drawn(*vias: LayoutVia, nets: tuple[str, str] = ("GND", "GND"), to: str = "B",
          parts: tuple[LayoutPart, ...] = ()) -> list[PlaneChange]:
    """P comes on T and goes on behind a via in the middle; G and H are planes."""
    tracks = tuple(Track("p", layer, 0.1 * MM, (0.0, 0.0), (x * MM, 0.0)) for layer, x in (("T", -7), (to, 7)))
    zones = tuple(Zone(net, "", "copper", (layer,), (), (Fill(layer, SQUARE),))
                  for layer, net in zip("GH", nets, strict=True))
    return changes(Layout("f", "x", "1", LAYERS, None, (), ("p", "n"), parts, tracks, (via("p", 0), *vias), zones, (),
                          (NetPair("p", "n"),)))


def capacitor(*nets: str) -> LayoutPart:
    at = (2 * MM, 0.0)
    pads = tuple(PartPad(str(i), net, at, ("T",), (("", PadShape(at, 0.1 * MM, 0.1 * MM)),), (), True)
                 for i, net in enumerate(nets))
    return LayoutPart("C1", "100n", "", at, 0.0, "top", pads)


def test_the_nearest_via_that_joins_both_planes_counts() -> None:
    (made,) = drawn(via("GND", 0.5, first="T", last="G"), via("3V3", 0.6), via("GND", 3, 4), via("GND", 0, 6))
    assert (made.net, made.at, made.layers, made.planes, made.nets) == (
        "p", (0.0, 0.0), ("T", "B"), ("G", "H"), ("GND", "GND"))
    assert made.stitch is not None and made.stitch.what == "via" and made.stitch.distance == pytest.approx(5 * MM)
    (made,) = drawn(via("3V3", 0.6))
    assert made.stitch is None


def test_between_two_nets_a_capacitor_joins_the_planes() -> None:
    (made,) = drawn(via("GND", 1), nets=("GND", "3V3"), parts=(capacitor("3V3", "GND"),))
    assert made.nets == ("GND", "3V3") and made.stitch is not None
    assert (made.stitch.what, made.stitch.distance) == ("capacitor C1", pytest.approx(2 * MM))
    (made,) = drawn(via("GND", 1), nets=("GND", "3V3"), parts=(capacitor("3V3", "5V"),))
    assert made.stitch is None


def test_a_layer_between_both_planes_changes_none() -> None:
    tracks = tuple(Track("p", layer, 0.1 * MM, (0.0, 0.0), (x * MM, 0.0)) for layer, x in (("T", -7), ("H", 7)))
    zone = Zone("GND", "", "copper", ("G",), (), (Fill("G", SQUARE),))
    assert changes(Layout("f", "x", "1", LAYERS, None, (), ("p", "n"), (), tracks, (via("p", 0),), (zone,), (),
                          (NetPair("p", "n"),))) == []


@pytest.mark.long
@pytest.mark.parametrize("name", BOARDS)
def test_every_stitching_via_that_is_cut_out_is_missed_and_nothing_else(name: str) -> None:
    """All vias and plated pads of the planes' net within the limit of one via of a pair are taken out: its change is
    beyond the limit then. On the boards as they are no change is.
    """
    place = folder()
    if place is None:
        pytest.skip("the folder of real boards is not there")
    (path,) = place.joinpath("kicad").rglob(BOARDS[name])
    layout = read_kicad(path, path.name)
    before = changes(layout)
    assert before and all(one.stitch is not None and one.stitch.distance <= LIMIT for one in before)
    for one in random.Random(11).sample(before, COUNT):
        net = one.nets[0]

        def near(at: tuple[float, float], of: str, net: str = net, centre: tuple[float, float] = one.at) -> bool:
            return of == net and math.dist(at, centre) <= LIMIT

        cut = replace(layout, vias=tuple(via for via in layout.vias if not near(via.at, via.net)),
                      loose=tuple(pad for pad in layout.loose if not near(pad.at, pad.net)),
                      parts=tuple(replace(part, pads=tuple(pad for pad in part.pads if not near(pad.at, pad.net)))
                                  for part in layout.parts))
        missed = [change for change in changes(cut) if change.stitch is None or change.stitch.distance > LIMIT]
        assert (one.net, one.at) in {(change.net, change.at) for change in missed}
        for change in missed:  # whatever else is missed had its via there
            (old,) = [was for was in before if (was.net, was.at) == (change.net, change.at)]
            assert old.stitch is not None and math.dist(old.stitch.at, one.at) <= LIMIT
