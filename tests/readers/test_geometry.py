# SPDX-License-Identifier: MIT
"""Geometry that nobody can build is refused: at its key, with the numbers, in one run, each once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.document import Document, read_yaml, show_path
from pcbrules.errors import InputError, Problem

Place = tuple[str | int, ...]

ROOT = Path(__file__).resolve().parents[2]
H100 = read_yaml(str(ROOT / "boards" / "hgx-h100-baseboard.yaml"))
LAYOUT = read_yaml(str(ROOT / "tests" / "rules" / "base" / "power_layout.yaml"))
FAST: Place = ("via_types", "fast")
BALLS: Place = ("rails", "p54v", "copper", "balls")
RETURN: Place = ("rails", "p54v", "copper", "return", "balls")
ARRAY: Place = ("thermal", "via_arrays", "nvsw_vrm")
PCIE: Place = ("links", "pcie_up", "path")
RUN: Place = (*PCIE, 1, "trace")
VIA: Place = (*PCIE, 0, "via")
ONE_BALL = {"surface": "L1", "layers": ["L11"], "pitch": "2 mm", "columns": 1, "rows": 1, "drill": "0.4 mm",
            "plating": "25 um"}


def problems(document: Document, edits: dict[Place, Any]) -> dict[str, Problem]:
    """The problems of a board with edits by their places; none stands twice at one place."""
    for path, value in edits.items():
        document = document.edited(path, value)
    try:
        api.resolve(document)
    except InputError as error:
        found = {problem.path: problem for problem in error.problems if problem.level == "error"}
        assert len(found) == sum(problem.level == "error" for problem in error.problems)
        assert all(problem.line > 0 and problem.found and problem.expected and problem.fix
                   for problem in found.values()), found
        return found
    return {}


# Each: the edits, and of each problem the place and words of its message, what was expected and the cure.
CASES: dict[str, tuple[dict[Place, Any], dict[Place, tuple[str, str]]]] = {
    "plating and pads of all kinds of holes in one run": (
        {(*FAST, "plating"): "0.2 mm", ("via_types", "uvia", "pad"): "0.1 mm",
         ("via_types", "fast_low", "pad"): "0.2 mm", (*BALLS, 0, "plating"): "0.25 mm",
         (*RETURN, 1, "plating"): "200 um", (*ARRAY, "plating"): "0.13 mm"},
        {(*FAST, "plating"): ("closes the hole", "less than half of the drill, 0.25 mm"),
         ("via_types", "uvia", "pad"): ("the pad is not wider than the drill", "more than the drill, 0.10 mm"),
         ("via_types", "fast_low", "pad"): ("the pad is not wider than the drill", "more than the drill, 0.25 mm"),
         (*BALLS, 0, "plating"): ("closes the hole", "half of the drill, 0.4 mm"),
         (*RETURN, 1, "plating"): ("closes the hole", "half of the drill, 0.4 mm"),
         (*ARRAY, "plating"): ("closes the hole", "half of the drill, 0.25 mm")},
    ),
    "pitches of all kinds of holes": (
        {(*FAST, "pitch"): "0.25 mm", (*BALLS, 0, "pitch"): "0.4 mm", (*ARRAY, "pitch"): "0.2 mm"},
        {(*FAST, "pitch"): ("the two holes of a pair overlap", "more than the drill, 0.25 mm"),
         (*BALLS, 0, "pitch"): ("the holes of the balls overlap", "more than the drill, 0.4 mm"),
         (*ARRAY, "pitch"): ("the thermal vias overlap", "more than the drill, 0.25 mm")},
    ),
    "pads of a pair": (
        {(*FAST, "pitch"): "0.45 mm"}, {(*FAST, "pitch"): ("the pads of the two holes of a pair touch", "0.46 mm")},
    ),
    "a drill that contradicts all is one problem": (
        {(*FAST, "drill"): "2.5 mm"},
        {(*FAST, "drill"): ("too wide for all that surrounds it", "`pad` 0.46 mm and `antipad.width` 0.80 mm")},
    ),
    "an antipad in the barrel": (
        {(*FAST, "antipad", "width"): "0.25 mm"},
        {(*FAST, "antipad", "width"): ("the planes touch the barrel", "more than the drill, 0.25 mm")},
    ),
    "an antipad below the pad": (
        {(*FAST, "antipad", "width"): "0.45 mm"},
        {(*FAST, "antipad", "width"): ("smaller than the pad", "at least the pad, 0.46 mm")},
    ),
    "an oval that holds one hole": (
        {(*FAST, "antipad", "length"): "1.0 mm"},
        {(*FAST, "antipad", "length"): ("does not hold the two holes", "0.8 mm + 0.25 mm")},
    ),
    "an oval laid across": (
        {(*FAST, "antipad"): {"width": "1.6 mm", "length": "0.8 mm"}, (*FAST, "return_vias", "distance"): "1 mm"},
        {(*FAST, "antipad", "length"): ("`width` is the narrow side", "at least the width, 1.6 mm")},
    ),
    "ground vias in the signal via": (
        {(*FAST, "return_vias", "distance"): "0.1 mm"},
        {(*FAST, "return_vias", "distance"): ("overlap the signal via", "more than the drill, 0.25 mm")},
    ),
    "ground vias in the antipad": (
        {(*FAST, "return_vias", "distance"): "20 mil"},
        {(*FAST, "return_vias", "distance"): ("reach into the antipad", "at least 20.67 mil")},
    ),
    "a backdrill that leaves the plating, and one through the board": (
        {(*FAST, "backdrill", "diameter"): "0.2 mm", ("via_types", "fast_low", "backdrill", "residual"): "276 mil"},
        {(*FAST, "backdrill", "diameter"): ("narrower than the drill", "at least the drill, 0.25 mm"),
         ("via_types", "fast_low", "backdrill", "residual"): ("ends outside of the board", "less than 128.5 mil")},
    ),
    "a backdrill deeper than the board": (
        {(*FAST, "backdrill"): {"side": "bottom", "depth": "3.4 mm"}},
        {(*FAST, "backdrill", "depth"): ("ends outside of the board", "less than 3.264 mm")},
    ),
    "a layer beyond the barrel": (
        {("via_types", "uvia", "backdrill"): {"side": "bottom", "residual": "1 mil", "must_not_cut": "L5"}},
        {("via_types", "uvia", "backdrill", "must_not_cut"): ("the barrel does not reach this layer", "L1 to L2")},
    ),
    "holes of two nets": (
        {(*RETURN, 0, "first"): ["70 mm", "230 mm"]},
        {(*RETURN, 0): ("a hole overlaps one of another net", "holes with a wall between them"),
         (*RETURN[:-1], "sheets", 0, "perforated", 0, "share"): ("antipads and own balls are more than", "")},
    ),
    "holes of two fields of one net": (
        {(*BALLS, 1): ONE_BALL | {"first": ["70.4 mm", "230 mm"]}},
        {(*BALLS, 1): ("a hole overlaps one of another field", "every hole once")},
    ),
    "holes of pairs": (
        {("via_types", "fast_low"): {"span": ["L1", "L22"], "kind": "through", "drill": "0.5 mm"},
         (*VIA, "neighbours"): [{"along": "0.8 mm", "across": "0 mm", "direction": "same"},
                                {"along": "0.7 mm", "across": "0 mm", "direction": "same", "link": "nvl_l16"},
                                {"along": "0.8 mm", "across": "0.1 mm", "direction": "same", "link": "nvl_l16"}]},
        {(*VIA, "neighbours", 1): ("the holes of this pair and of its neighbour overlap", "the drill, 0.375 mm")},
    ),
    "two sources on one place": (
        {("rails", "p54v", "copper", "sources", 1): {
            "layers": ["L11"], "at": ["60 mm", "66 mm"], "diameter": "4 mm", "resistance": "1 mohm"}},
        {("rails", "p54v", "copper", "sources", 1): ("two sources lie on one place", "sources[0]")},
    ),
    "neighbours that outrun their trace": (
        {(*RUN, "neighbours", 0, "coupled_length"): "9.1 in"},
        {(*RUN, "neighbours", 0, "coupled_length"): ("no neighbour runs so far", "at most the length, 9.0 in")},
    ),
    "a neighbour in the ground beside its trace": (
        {(*RUN, "coplanar"): {"gap": "6 mil"},
         (*RUN, "neighbours", 0): {"spacing": "12 mil", "coupled_length": "4 in", "direction": "same"}},
        {(*RUN, "neighbours", 0, "spacing"): ("no ground fits", "twice `coplanar.gap`, 6 mil")},
    ),
    "legs of a pair on two sides of a plane": (
        {(*RUN, "gap"): None, (*RUN, "broadside"): {"layer": "L3", "offset": "0 mil"}},
        {(*RUN, "broadside", "layer"): ("keeps the legs apart", "no plane between")},
    ),
    "legs of a pair on one layer": (
        {(*RUN, "gap"): None, (*RUN, "broadside"): {"layer": "L9", "offset": "0 mil"}},
        {(*RUN, "broadside", "layer"): ("both legs lie on one layer", "another layer of the same cavity")},
    ),
    "a neighbour that is shorter": (
        {(*RUN, "neighbours", 0): {"link": "pcie_dn", "spacing": "20 mil", "coupled_length": "8 in",
                                    "direction": "same"}},
        {(*RUN, "neighbours", 0, "coupled_length"): ("the traces of pcie_dn are shorter", "at most 5 in")},
    ),
    "a gap beyond the end": (
        {(*RUN, "reference_gaps"): [{"layer": "L8", "width": "1 mm", "at": "229 mm"}]},
        {(*RUN, "reference_gaps", 0, "at"): ("the trace ends before this gap", "at most the length, 9.0 in")},
    ),
    "distances beyond the board": (
        {("rails", "p54v", "vrm", "distance"): "800 mm",
         ("rails", "nvsw_core", "ladder", 0, "bank", "distance"): "29 in"},
        {("rails", "p54v", "vrm", "distance"): ("longer than the diagonal", "at most 718.4 mm"),
         ("rails", "nvsw_core", "ladder", 0, "bank", "distance"): ("longer than the diagonal", "at most 28.28 in")},
    ),
    "more thermal vias than the board has room for": (
        {(*ARRAY, "count"): 99_999, (*ARRAY, "pitch"): "2 mm"},
        {(*ARRAY, "count"): ("no room for so many vias", "417 mm x 585 mm")},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_built_is_refused(name: str) -> None:
    edits, expected = CASES[name]
    found = problems(H100, edits)
    assert found.keys() == {show_path(path) for path in expected}
    for path, (message, bound) in expected.items():
        problem = found[show_path(path)]
        assert message in problem.message and bound in problem.expected, problem.text()


BUILT: dict[str, dict[Place, Any]] = {
    "solid copper": {("via_types", "uvia", "plating"): "0.05 mm", (*ARRAY, "plating"): "0.1 mm",
                     (*ARRAY, "fill"): "copper"},
    "a thin ring": {(*FAST, "pad"): "0.26 mm"},
    "an antipad of the pad's size": {(*FAST, "antipad", "width"): "0.46 mm"},
    "a pad of a removed ring": {(*FAST, "antipad"): {"width": "0.7 mm"}},
    "ground vias at the rim": {(*FAST, "return_vias", "distance"): "0.525 mm"},
    "no ground vias": {(*FAST, "return_vias"): {"count": 0, "distance": "0.1 mm"}},
    "a backdrill as wide as the drill": {(*FAST, "backdrill", "diameter"): "0.25 mm"},
    "holes above each other": {("rails", "nvsw_core", "copper", "balls", 0, "surface"): "L12"},
    "one hole has no pitch": {(*BALLS, 1): ONE_BALL | {"first": ["156 mm", "230 mm"], "pitch": "0.1 mm"}},
    "a coupled length as it was rounded": {(*RUN, "neighbours", 0, "coupled_length"): "9.001 in"},
}


@pytest.mark.parametrize("name", BUILT)
def test_what_can_be_built_is_taken(name: str) -> None:
    assert problems(H100, BUILT[name]) == {}


@pytest.mark.parametrize(
    ("length", "size", "message", "warned"),
    [
        ("70 m", None, "no `length` is this large", False),
        ("4.9 m", None, "", False),
        ("5.1 m", {"width": "1.2 m", "height": "0.8 m"}, "no `length` is this large", False),
        ("5.1 m", {"width": "417 mm", "height": "585 mm"}, "no `length` is this large", False),
        ("1.6 m", {"width": "100 mm", "height": "200 mm"}, "this board holds no trace of this length", False),
        ("1.4 m", {"width": "100 mm", "height": "200 mm"}, "", True),
        ("0.29 m", {"width": "100 mm", "height": "200 mm"}, "", False),
    ],
)
def test_a_trace_fits_on_its_board(length: str, size: dict[str, str] | None, message: str, warned: bool) -> None:
    document = LAYOUT.edited(("links",), {"a": {"standard": "pcie3", "path": [
        {"trace": {"layer": "L1", "width": "5 mil", "gap": "6 mil", "length": length}}]}}).without(("rails",))
    document = document if size is None else document.edited(("board", "size"), size)
    found = problems(document, {})
    assert [problem.message for problem in found.values()] == ([message] if message else [])
    if not message:
        told = [one for one in api.resolve(document).warnings if "the trace meanders" in one.fix]
        assert len(told) == warned


def test_a_layout_lies_on_its_board() -> None:
    layout: Place = ("rails", "io", "layout")
    size = {("board", "size"): {"width": "40 mm", "height": "200 mm"}}
    assert set(problems(LAYOUT, size)) == {"rails.io.layout"}
    assert problems(LAYOUT, {("board", "size"): {"width": "50 mm", "height": "100 mm"}}) == {}
    bank: Place = ("rails", "io", "ladder", 0, "bank", "mounting")
    parts = {"via_length": "1 mm", "via_pitch": "0.25 mm", "via_drill": "0.25 mm"}
    assert set(problems(LAYOUT, {bank: parts})) >= {show_path((*bank, "via_pitch"))}
    long = parts | {"via_pitch": "1 mm", "via_length": "20 mm"}
    assert set(problems(LAYOUT, {bank: long})) == {show_path((*bank, "via_length"))}
    places = [[f"{3 + 2 * i} mm", "10 mm"] for i in range(40)]
    same = {(*layout, "banks", "only"): {"at": places}, (*layout, "regulator"): {"at": places[:8]}}
    assert "another part stands at this place" in str([one.message for one in problems(LAYOUT, same).values()])


def test_a_ring_of_plane_has_two_radii() -> None:
    ring = {"spreading": {"between": ["L2", "L3"], "inner_radius": "20 mm", "outer_radius": "20 mm"}}
    document = read_yaml(str(ROOT / "tests" / "rules" / "base" / "power.yaml"))
    path: Place = ("rails", "core", "ladder", 1)
    (found,) = problems(document, {path: ring}).values()
    assert "not larger than the inner one" in found.message and found.expected == "more than 20 mm"


@pytest.mark.parametrize(
    ("span", "kind", "cure"),
    [(["L1", "L3"], "buried", "write `kind: blind`"), (["L2", "L5"], "blind", "write `kind: buried`"),
     (["L20", "L22"], "blind", ""), (["L2", "L5"], "buried", ""), (["L2", "L3"], "microvia", "")],
)
def test_a_blind_via_has_one_outer_end_and_a_buried_one_has_none(span: list[str], kind: str, cure: str) -> None:
    document = H100.edited(("via_types", "other"), {"span": span, "kind": kind, "drill": "0.1 mm"})
    try:
        api.resolve(document)
        assert not cure
    except InputError as error:
        (problem,) = error.problems
        assert problem.path == "via_types.other.kind" and problem.fix == cure


def test_what_is_cut_out_beside_the_copper_is_warned_of() -> None:
    place: Place = ("rails", "p54v", "copper", "sheets", 0, "cutouts")
    for corner, warned in (("420 mm", True), ("390 mm", False)):
        document = H100.edited(place, [{"from": [corner, "60 mm"], "to": ["430 mm", "70 mm"]}])
        told = [one.path for one in api.resolve(document).warnings]
        assert told == ([show_path((*place, 0))] if warned else [])
