# SPDX-License-Identifier: MIT
"""Slits that are cut into the planes of real boards under their pairs: every one is found, and nothing else."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import shapely
from real_boards import folder

from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.extraction.reference import PlaneGap, references_of_pairs
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Fill, Track
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.readers.kicad.board import read_kicad

MM = 1e-3
WIDE, ACROSS = 0.2 * MM, 1.2 * MM
"""A slit along the trace and across it. [m]"""

CLEAR = 2 * MM
"""What the middle of the track is away from own vias and pads. [m]"""

COUNT = 10

BOARDS = {"hub": "ASM2806_Breakout.kicad_pcb", "carrier": "carrier.kicad_pcb"}


def ring_of(area: Any) -> tuple[Point, ...]:
    """An area with voids as one ring that goes to each void and back along one line."""
    points = list(area.exterior.coords)
    start = points[0]
    for void in area.interiors:
        points += [*void.coords, start]
    return tuple((float(x), float(y)) for x, y in points)


def cut(layout: Layout, layer: str, slit: Any) -> Layout:
    """The layout with a slit in all fills of a layer."""
    zones = []
    for zone in layout.zones:
        fills: list[Fill] = []
        for fill in zone.fills:
            if fill.layer != layer or len(fill.ring) < 3 or not shapely.box(*slit.bounds).intersects(
                    shapely.box(*shapely.LineString(fill.ring).bounds)):
                fills.append(fill)
                continue
            left = shapely.difference(shapely.make_valid(shapely.Polygon(fill.ring)), slit)
            fills += [Fill(layer, ring_of(one)) for one in shapely.get_parts(left) if one.geom_type == "Polygon"]
        zones.append(replace(zone, fills=tuple(fills)))
    return replace(layout, zones=tuple(zones))


def gaps(layout: Layout, pair: NetPair) -> dict[tuple[str, str, str], list[PlaneGap]]:
    """By layer of the trace, plane, and net."""
    alone = replace(layout, pairs=(pair,))
    (found,) = references_of_pairs(alone, sheets_of(alone))
    made: dict[tuple[str, str, str], list[PlaneGap]] = {}
    for one in found:
        if one.is_plane:
            for net in (pair.p, pair.n):
                made[one.layer, one.plane, net] = [gap for gap in one.gaps if gap.net == net]
    return made


def places(layout: Layout) -> Iterator[tuple[NetPair, Track]]:
    """Straight tracks of pairs whose middle is away from own vias and pads."""
    pads = [(pad.net, pad.at) for part in layout.parts for pad in part.pads]
    for pair in layout.pairs:
        own = {pair.p, pair.n}
        anchors = [one.at for one in layout.vias if one.net in own] + [at for net, at in pads if net in own]
        for track in layout.tracks:
            if track.net in own and track.mid is None and track.length > MM:
                middle = (track.start[0] + track.end[0]) / 2, (track.start[1] + track.end[1]) / 2
                if all(math.dist(middle, at) > CLEAR for at in anchors):
                    yield pair, track


@pytest.mark.long
@pytest.mark.parametrize("name", BOARDS)
def test_every_slit_is_found_and_nothing_else(name: str) -> None:
    place = folder()
    if place is None:
        pytest.skip("the folder of real boards is not there")
    (path,) = place.joinpath("kicad").rglob(BOARDS[name])
    layout = read_kicad(path, path.name)
    for pair, track in random.Random(7).sample(list(places(layout)), COUNT):
        before = gaps(layout, pair)
        plane = next(plane for layer, plane, net in before if layer == track.layer and net == track.net)
        along = math.atan2(track.end[1] - track.start[1], track.end[0] - track.start[0])
        x, y = (track.start[0] + track.end[0]) / 2, (track.start[1] + track.end[1]) / 2
        flat = shapely.box(x - WIDE / 2, y - ACROSS / 2, x + WIDE / 2, y + ACROSS / 2)
        slit = shapely.affinity.rotate(flat, along, origin=(x, y), use_radians=True)
        after = gaps(cut(layout, plane, slit), pair)
        key = track.layer, plane, track.net
        new = [one for one in after[key] if all(math.dist(one.middle, old.middle) > 1e-6 for old in before[key])]
        assert [round(one.length / MM, 4) for one in new] == [WIDE / MM], (pair.p, track)
        assert math.dist(new[0].middle, (x, y)) < 1e-6
        assert {other: len(those) for other, those in after.items() if other[1] != plane} == {
            other: len(those) for other, those in before.items() if other[1] != plane}
