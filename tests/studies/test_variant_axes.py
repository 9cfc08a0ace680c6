# SPDX-License-Identifier: MIT
"""What is varied: keys with wildcards, ranges, lists, and what moves along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.document import Document, parse_yaml, show_path
from pcbrules.errors import InputError
from pcbrules.studies.variants.along import with_what_moves
from pcbrules.studies.variants.axes import read_axes, variants
from pcbrules.units import parse

BOARD = b"""\
board: {thickness: {value: 1.6 mm, over: copper}}
stackup:
- {kind: mask, name: top, thickness: 20 um}
- {kind: copper, name: L1, thickness: 45 um}
- {kind: dielectric, name: P1, thickness: 4 mil, material: megtron6}
links:
  up:
    path:
    - trace: {name: run, width: 5 mil, top_width: 4.6 mil, length: 50 mm, length_p: 50.1 mm, length_n: 50 mm,
              neighbours: [{coupled_length: 25 mm}], lane_lengths: {min: 40 mm, max: 50 mm}}
    - via: {type: pth}
  down:
    path:
    - trace: {name: run, width: 6 mil, length: 2 in}
"""


@pytest.fixture
def document() -> Document:
    return parse_yaml(BOARD, "b.yaml")


@pytest.mark.parametrize(("key", "places"), [
    ("links.up.path.run.width", ["links.up.path[0].trace.width"]),
    ("links.up.path[0].trace.width", ["links.up.path[0].trace.width"]),
    ("links.*.path.run.width", ["links.up.path[0].trace.width", "links.down.path[0].trace.width"]),
    ("links.*.path.*.trace.width", ["links.up.path[0].trace.width", "links.down.path[0].trace.width"]),
    ("stackup.P1.material", ["stackup[2].material"]),
    ("stackup.*.material", ["stackup[2].material"]),
    ("links.up.path.run.layer", ["links.up.path[0].trace.layer"]),
    ("links.up.path.run.lane_lengths.max", ["links.up.path[0].trace.lane_lengths.max"]),
])
def test_a_key_names_places(document: Document, key: str, places: list[str]) -> None:
    (axis,) = read_axes([f"{key}=a,b"], document)
    assert [show_path(place) for place in axis.places] == places


@pytest.mark.parametrize(("given", "values", "unit"), [
    ("4mil:8mil:5", ["4 mil", "5 mil", "6 mil", "7 mil", "8 mil"], "mil"),
    ("4:8mil:3", ["4 mil", "6 mil", "8 mil"], "mil"),
    ("8mil:4mil:2", ["8 mil", "4 mil"], "mil"),
    ("0.1 mm:0.2 mm:3", ["0.1 mm", "0.15 mm", "0.2 mm"], "mm"),
    ("50mm:200mm:8", ["50 mm", "71.42857 mm", "92.85714 mm", "114.2857 mm", "135.7143 mm", "157.1429 mm", "178.5714 mm",
                      "200 mm"], "mm"),
    ("2:6:3", [2, 4, 6], ""),
    ("3.6:4.2:3", [3.6, 3.9, 4.2], ""),
    ("-5 degC:5 degC:3", ["-5 degC", "0 degC", "5 degC"], "degC"),
    ("megtron6,fr4", ["megtron6", "fr4"], ""),
    ("4mil, 5 mil", ["4mil", "5 mil"], "mil"),
    ("4mil,0.1mm", ["4mil", "0.1mm"], ""),
    ("{a: 1}, null, true", [{"a": 1}, None, True], ""),
    ("null,{shape: circle, width: 0.9 mm}", [None, {"shape": "circle", "width": "0.9 mm"}], ""),
])
def test_values(document: Document, given: str, values: list[object], unit: str) -> None:
    (axis,) = read_axes([f"links.up.path.run.width={given}"], document)
    assert [one.value for one in axis.values] == values and axis.unit == unit
    assert axis.numeric is (bool(unit) or all(type(value) in (int, float) for value in values))


@pytest.mark.parametrize(("text", "said"), [
    ("links.up", "this is no axis"), ("=1,2", "this is no axis"), ("links.up=", "this is no axis"),
    ("links..up=1,2", "this is no key"), ("links.upp.path=1,2", "did you mean up?"),
    ("links.up.path.walk.width=1,2", "nothing here"), ("links.*.path.*.trace.colour=1,2", "nothing here"),
    ("links.up.path[7].trace.width=1,2", "nothing here"), ("links.up.path.run.width=4mil:8mm:3", "two units"),
    ("links.up.path.run.width=4mil:8mil:1", "number of points"),
    ("links.up.path.run.width=4mil:8mil:x", "number of points"), ("links.up.path.run.width=a:b:3", "no number"),
    ("links.up.path.run.width=4mil:4mil:3", "two points of a range are one"),
    ("links.up.path.run.width=[1,2", "cannot be read"), ("links.up.path.run.width=1,1", "stands twice"),
    ("links.up.path.run.width=1mm:2mm:100001", "number of points"),
])
def test_what_is_no_axis_is_refused(document: Document, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_axes([text], document)
    assert said in str(caught.value) and "--vary" in str(caught.value)


def test_two_axes_of_one_place_and_too_many_variants_are_refused(document: Document) -> None:
    for texts, said in (
        (["links.up.path.run.width=1mm,2mm", "links.*.path.run.width=3mm,4mm"], "two axes vary one place"),
        (["links.up.path.run.width=1mm:2mm:2000", "links.down.path.run.width=1mm:2mm:2000"], "too many variants"),
    ):
        with pytest.raises(InputError, match=said):
            read_axes(texts, document)


def test_the_last_axis_is_the_fastest(document: Document) -> None:
    axes = read_axes(["links.up.path.run.width=1mm,2mm", "links.down.path.run.width=3mm,4mm"], document)
    found = [[one.text for one in variant.values] for variant in variants(axes)]
    assert found == [["1mm", "3mm"], ["1mm", "4mm"], ["2mm", "3mm"], ["2mm", "4mm"]]


@given(st.floats(1, 20), st.floats(20, 300))
def test_what_stands_beside_a_trace_moves_with_it(width: float, length: float) -> None:
    document = parse_yaml(BOARD, "b.yaml")
    trace = ("links", "up", "path", 0, "trace")
    varied = (((*trace, "width"), f"{width:.6f} mil"), ((*trace, "length"), f"{length:.6f} mm"))
    edits, said = with_what_moves(document, varied)
    moved = {show_path(path[5:]): parse(str(value), "length").value for path, value in edits}
    wide, long = moved["width"], moved["length"]
    if wide > 0.4 * 25.4e-6 + 1e-9:
        assert moved["top_width"] == pytest.approx(wide - 0.4 * 25.4e-6, rel=1e-9)
    assert moved["length_p"] - moved["length_n"] == pytest.approx(0.1e-3, rel=1e-6)
    assert moved["lane_lengths.max"] == pytest.approx(long, rel=1e-11)
    assert moved["neighbours[0].coupled_length"] == pytest.approx(long / 2, rel=1e-9)
    assert "length_p (skew kept)" in said


def test_a_layer_makes_a_thicker_board_and_what_is_varied_itself_does_not_move(document: Document) -> None:
    base = ("board", "thickness", "value")
    edits, said = with_what_moves(document, ((("stackup", 2, "thickness"), "0.2016 mm"),))
    assert dict(edits)[base] == "1.7 mm" and said == ("board.thickness.value (sum of the layers kept)",)
    assert with_what_moves(document, ((("stackup", 0, "thickness"), "30 um"),)) == (
        ((("stackup", 0, "thickness"), "30 um"),), ()), "the thickness is that over copper"
    fixed = ((("stackup", 2, "thickness"), "0.2 mm"), (base, "2 mm"))
    assert with_what_moves(document, fixed) == (fixed, ())


@pytest.mark.parametrize(("was", "now", "kept"), [
    ("4 mil +- 2 mil", "5 mil", "5 mil +- 2 mil"), ("4 mil +- 2 mil", "5 mil +- 1 mil", "5 mil +- 1 mil"),
    ("4.2 ± 3 %", "4.4", "4.4 ± 3 %"), ("4 mil", "5 mil", "5 mil"), ("fr-4", "megtron-6", "megtron-6"),
])
def test_a_value_keeps_the_tolerance_of_the_board_file(document: Document, was: str, now: str, kept: str) -> None:
    place = ("links", "up", "path", 0, "trace", "gap")
    edits, said = with_what_moves(document.edited(place, was), ((place, now),))
    assert dict(edits)[place] == kept and bool(said) is (kept != now)


def test_a_load_on_a_trace_keeps_its_share(document: Document) -> None:
    path = ("links", "up", "path")
    loaded = document.edited((*path, 1), {"load": {"name": "esd", "capacitance": "0.3 pF", "back": "10 mm"}})
    edits, said = with_what_moves(loaded, (((*path, 0, "trace", "length"), "25 mm"),))
    assert dict(edits)[(*path, 1, "load", "back")] == "5 mm" and "back (share of the length kept)" in said


def test_two_layers_move_the_board_by_both(document: Document) -> None:
    varied = ((("stackup", 1, "thickness"), "55 um"), (("stackup", 2, "thickness"), "0.2016 mm"))
    edits, _ = with_what_moves(document, varied)
    assert dict(edits)[("board", "thickness", "value")] == "1.71 mm"
