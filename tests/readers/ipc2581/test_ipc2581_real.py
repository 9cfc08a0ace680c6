# SPDX-License-Identifier: MIT
"""Real IPC-2581 files have what an independent parse found; real KiCad boards come back from IPC-2581 as they were."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from as_ipc2581 import as_ipc2581
from real_boards import facts, folder

from pcbrules.errors import InputError
from pcbrules.layout.drawn_pairs import drawn_pairs
from pcbrules.layout.layout import Layout
from pcbrules.layout.rings import area
from pcbrules.layout.routes import NoRoute
from pcbrules.readers.ipc2581.board import parse_ipc2581, read_ipc2581
from pcbrules.readers.kicad.board import read_kicad

FILES = {path: one for path, one in facts("ipc2581").items() if one.get("is_ipc2581") != "False"}
BOARDS = facts("kicad")
SMALL = 400_000
"""Bytes of a board that every run reads."""

needs_folder = pytest.mark.skipif(not FILES, reason="the folder of real boards is not there")


def place(path: str) -> Path:
    """Where a file of the folder lies."""
    return Path(folder() or "", path)


def elements(path: str) -> tuple[Counter[str], set[str], float]:
    """Tracks of copper and holes by kind, names of nets, filled copper [mm^2], by another way through the file."""
    tree = ElementTree.parse(place(path)).getroot()
    for one in tree.iter():
        one.tag = one.tag.rpartition("}")[2]
    copper = {one.get("name") for one in tree.iter("Layer")
              if one.get("layerFunction") in ("CONDUCTOR", "MIXED_MATERIAL")}
    found: Counter[str] = Counter()
    copper_area = 0.0
    for layer in tree.iter("LayerFeature"):
        if layer.get("layerRef") in copper:
            found["tracks"] += sum(1 for _ in layer.iter("Line"))
            for line in layer.iter("Polyline"):
                points = [(step.get("x"), step.get("y")) for step in line if step.tag.startswith("PolyBegin")
                          or step.tag.startswith("PolyStep")]
                found["tracks"] += sum(a != b for a, b in pairwise(points))
            areas = [one for tag in ("Contour", "Surface") for one in layer.iter(tag)]
            found["contours"] += len(areas)
            copper_area += sum(square(one) for contour in areas for one in contour.iter("Polygon"))
            for contour in areas:  # one exporter writes every cut-out twice
                once = {str([step.items() for step in one]): square(one) for one in contour.iter("Cutout")}
                copper_area -= sum(once.values())
    found.update(one.get("platingStatus", "") for one in tree.iter("Hole"))
    return found, {name for one in tree.iter("Set") if (name := one.get("net"))}, copper_area


def square(contour: ElementTree.Element) -> float:
    """Area of a contour: that of its corners, and the segments of its curves. [mm^2]"""
    total = 0.0
    corners = [(float(step.get("x", "nan")), float(step.get("y", "nan")), step) for step in contour
               if step.tag.startswith("Poly")]
    for (x, y, _), (u, v, step) in zip(corners, corners[1:] + corners[:1], strict=True):
        total += (x * v - u * y) / 2
        if step.tag == "PolyStepCurve":
            centre = float(step.get("centerX", "nan")), float(step.get("centerY", "nan"))
            turn = math.atan2(v - centre[1], u - centre[0]) - math.atan2(y - centre[1], x - centre[0])
            turn = (-turn if step.get("clockwise") == "true" else turn) % (2 * math.pi)
            segment = math.dist(centre, (u, v)) ** 2 / 2 * (turn - math.sin(turn))
            total += -segment if step.get("clockwise") == "true" else segment
    return abs(total)


@needs_folder
@pytest.mark.parametrize("path", FILES, ids=lambda path: Path(path).stem)
def test_a_real_file_has_what_an_independent_parse_found(path: str) -> None:
    expected, layout = FILES[path], read_ipc2581(place(path))
    assert layout.version == expected["revision"]
    assert len(layout.copper) == int(expected["stackup1_copper_layers_nonzero"])
    assert len(layout.layers) == int(expected["stackup1_layers"])
    assert layout.thickness is not None and layout.thickness_sum is not None
    assert layout.thickness * 1e3 == pytest.approx(float(expected["stackup1_overallThickness"]), rel=1e-12)
    assert layout.thickness_sum * 1e3 == pytest.approx(float(expected["stackup1_sum_thickness"]), rel=1e-12)
    rows = json.loads(expected["stackup1_rows"])
    assert [(one.name, pytest.approx((one.thickness or 0) * 1e3)) for one in layout.layers] == [
        (name, float(thickness)) for name, _, thickness in rows]
    dielectrics = json.loads(expected.get("spec_dielectrics", "{}"))
    assert {(one.dk, one.df) for one in layout.layers if one.dk is not None} == {
        (float(one["DIELECTRIC_CONSTANT"]), float(one["LOSS_TANGENT"])) for one in dielectrics.values()}
    assert len(layout.parts) == int(expected["components"])
    counted, nets, copper_area = elements(path)
    assert len(layout.nets) == int(expected["set_nets"]) and set(layout.nets) == nets
    assert len(layout.tracks) == counted["tracks"] and not any(one.mid for one in layout.tracks)
    fills = [fill for zone in layout.zones for fill in zone.fills]
    assert len(fills) == counted["contours"]
    assert sum(abs(area(one.ring)) for one in fills) * 1e6 == pytest.approx(copper_area, rel=3e-4)  # chords: 2 um
    assert len(layout.vias) == counted["VIA"]
    drilled = [pad for pad in (*(pad for part in layout.parts for pad in part.pads), *layout.loose) if pad.drill]
    slots = sum(pad.drill[0] != pad.drill[1] for pad in drilled)
    assert len(layout.vias) + len(drilled) - slots == int(expected["count_Hole"])
    assert layout.skipped == ()


@needs_folder
def test_pads_of_a_real_file_lie_where_the_packages_have_their_pins() -> None:
    """Places of turned parts, from the drawing and from package and component: 212 pins that have copper."""
    path = next(one for one in FILES if "DM0002" in one)
    layout = read_ipc2581(place(path))
    drawn = {(part.reference, pad.pin, round(pad.at[0] * 1e6), round(pad.at[1] * 1e6))
             for part in layout.parts for pad in part.pads}
    text = place(path).read_text(encoding="utf-8")
    start, end = text.index("<LayerFeature"), text.rindex("</LayerFeature>") + len("</LayerFeature>")
    without = parse_ipc2581((text[:start] + text[end:]).encode(), "without copper")
    made = {(part.reference, pad.pin, round(pad.at[0] * 1e6), round(pad.at[1] * 1e6))
            for part in without.parts for pad in part.pads}
    assert len(drawn & made) == 212 and {one[:2] for one in drawn} <= {one[:2] for one in made}


@needs_folder
def test_another_xml_file_is_refused_by_its_name() -> None:
    path, = (one for one in facts("ipc2581") if one not in FILES)
    with pytest.raises(InputError, match="this is no IPC-2581 file; found '<Control>'"):
        read_ipc2581(place(path))


def boards() -> list[Any]:
    """Every KiCad board; large ones are read by the long run alone."""
    return [pytest.param(path, marks=pytest.mark.long if place(path).stat().st_size > SMALL else (), id=Path(path).stem)
            for path in BOARDS]


def copper_pads(layout: Layout) -> int:
    """Pads of parts with copper."""
    return sum(bool(pad.layers) for part in layout.parts for pad in part.pads)


@needs_folder
@pytest.mark.parametrize("path", boards())
def test_a_kicad_board_written_as_ipc2581_has_the_same_figures(path: str) -> None:
    """Counts are equal, sums of thickness too, lengths and stubs of every pair to 0.01 um: coordinates have 1 nm."""
    before = read_kicad(place(path))
    after = parse_ipc2581(as_ipc2581(before), "again.xml")
    for count in (lambda one: len(one.copper), lambda one: len(one.tracks), lambda one: len(one.vias),
                  lambda one: len(one.parts), copper_pads, lambda one: sum(bool(track.mid) for track in one.tracks),
                  lambda one: sum(len(fill.ring) for zone in one.zones for fill in zone.fills)):
        assert count(after) == count(before)
    drawn = {one.net for group in (before.tracks, before.vias) for one in group} - {""}
    assert drawn <= set(after.nets) <= set(before.nets)
    if before.thickness_sum is None:
        assert after.thickness_sum is None
    else:
        assert after.thickness_sum == pytest.approx(before.thickness_sum, rel=1e-12)
    assert [(one.dk, one.df) for one in after.layers] == [(one.dk, one.df) for one in before.layers]
    assert Counter((one.first, one.last, one.net) for one in after.vias) == Counter(
        (one.first, one.last, one.net) for one in before.vias)
    legs = {leg.net: leg for pair in drawn_pairs(after) for leg in (pair.p, pair.n)}
    for leg in (leg for pair in drawn_pairs(before) for leg in (pair.p, pair.n) if leg.net in legs):
        again = legs[leg.net]
        assert again.routed == pytest.approx(leg.routed, abs=1e-8) and again.vias == leg.vias
        assert (again.stub or 0) == pytest.approx(leg.stub or 0, abs=1e-9) and again.layers == leg.layers
        if isinstance(leg.length, NoRoute):
            assert isinstance(again.length, NoRoute)
        else:
            assert again.length == pytest.approx(leg.length, abs=1e-8)
