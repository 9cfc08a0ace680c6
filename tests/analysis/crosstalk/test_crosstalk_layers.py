# SPDX-License-Identifier: MIT
"""Neighbours on another layer of the cavity: from the board file to the coupling, whichever way up it stands."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.analysis.crosstalk.neighbours import Coupled, neighbours
from pcbrules.analysis.crosstalk.reciprocal_neighbours import reciprocal_traces
from pcbrules.analysis.crosstalk.solve import CouplingResult, CouplingTask, solve_coupling
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError
from pcbrules.missing import Missing

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
COLD = 20.0


def copper(name: str, role: str) -> dict[str, Any]:
    return {"kind": "copper", "name": name, "thickness": "17 um", "role": role, "foil": "hvlp2", "rz_top": "1.5 um",
            "rz_bottom": "1.5 um"}


def ply(thickness: str, form: str) -> dict[str, Any]:
    return {"kind": "dielectric", "thickness": thickness, "material": "megtron7n", "form": form}


STACK = [copper("G1", "ground"), ply("100 um", "core"), copper("A", "signal"), ply("180 um", "prepreg"),
         copper("B", "signal"), ply("120 um", "core"), copper("G2", "ground")]


def trace(layer: str, width: str, gap: str, near: list[dict[str, Any]]) -> dict[str, Any]:
    return {"trace": {"name": "run", "layer": layer, "width": width, "top_width": "90 um", "gap": gap,
                      "length": "100 mm", "neighbours": near}}


def board(near_a: dict[str, Any], near_b: dict[str, Any], *, stack: list[dict[str, Any]] | None = None) -> Document:
    run = {"coupled_length": "100 mm", "direction": "opposite"}
    links = {
        "a": {"standard": "pcie5", "path": [trace("A", "110 um", "150 um", [run | near_a])]},
        "b": {"standard": "pcie5", "path": [trace("B", "130 um", "120 um", [run | near_b])]},
    }
    document = read_yaml(str(PLACE), PLACE.name).edited(("links",), links).edited(("stackup",), stack or STACK)
    return document.without(("via_types",))


def coupled(document: Document, name: str) -> Coupled:
    made = api.resolve(document).board
    (link,) = (link for link in made.links or () if link.name == name)
    (found,) = neighbours(made, link, COLD)
    assert isinstance(found, Coupled), found
    return found


def peaks(task: CouplingTask) -> CouplingResult:
    made = solve_coupling(task)
    assert isinstance(made, CouplingResult), made
    return made


def level(power: float) -> float:
    return 10 * math.log10(power)


@pytest.mark.parametrize("place", [{"offset": "0 mil"}, {"offset": "0.35 mm"}, {"spacing": "0.1 mm"}])
def test_either_is_the_others_neighbour_and_the_board_may_be_turned_over(place: dict[str, Any]) -> None:
    near = ({"link": "b", "layer": "B"} | place, {"link": "a", "layer": "A"} | place)
    found = [
        peaks(coupled(board(*near, stack=stack), name).task) for stack in (STACK, STACK[::-1]) for name in ("a", "b")
    ]
    for other in found[1:]:
        assert level(other.near[0].power) == pytest.approx(level(found[0].near[0].power), abs=0.02)
        assert level(other.far[0].power) == pytest.approx(level(found[0].far[0].power), abs=0.3)


def test_spacing_is_from_edge_to_edge_across_the_run() -> None:
    # 110 + 150 / 2 and 130 + 120 / 2 um of the pairs
    near = {"link": "b", "layer": "B"}, {"link": "a", "layer": "A"}
    spaced = coupled(board(near[0] | {"spacing": "0.1 mm"}, near[1] | {"spacing": "0.1 mm"}), "a").task
    placed = coupled(board(near[0] | {"offset": "0.475 mm"}, near[1] | {"offset": "0.475 mm"}), "a").task
    assert spaced.broadside is not None and placed.broadside is not None
    assert spaced.broadside.offset == pytest.approx(placed.broadside.offset) == pytest.approx(0.475e-3)
    assert spaced.broadside.spacing == pytest.approx(180e-6) and abs(spaced.broadside.height) == pytest.approx(197e-6)
    made = api.resolve(board(*(one | {"offset": "0 mil"} for one in near))).board
    assert spaced.tolerance == made.fabrication.registration > 0


def test_broadside_couples_most_and_falls_as_the_field_between_planes_does() -> None:
    def near(offset: str) -> float:
        one = {"link": "b", "layer": "B", "offset": offset}, {"link": "a", "layer": "A", "offset": offset}
        return level(peaks(coupled(board(*one), "a").task).near[0].power)

    assert near("0 mil") > near("0.6 mm") > near("0.9 mm")
    b = (100 + 17 + 180 + 17 + 120) * 1e-6
    assert near("1.2 mm") - near("1.5 mm") == pytest.approx(20 * math.log10(math.e) * math.pi * 0.3e-3 / b, rel=0.03)


def test_what_is_assumed_of_a_layer_that_counts_is_not_that_it_is_left_out() -> None:
    near = {"layer": "B", "offset": "0 mil"}, {"link": "a", "layer": "A", "offset": "0 mil"}
    found = coupled(board(*near), "a")
    assert any("same geometry" in text for text in found.assumptions)
    assert not any("left out" in text for text in (*found.assumptions, *coupled(board(*near), "b").assumptions))
    assert found.where[-1] == "offset" and ("links", "b", "path", 0, "trace", "width") not in found.reads
    assert ("links", "a", "path", 0, "trace", "width") in coupled(board(*near), "b").reads


def test_a_tolerance_of_the_layers_counts() -> None:
    near = {"link": "b", "layer": "B", "offset": "0.3 mm"}, {"link": "a", "layer": "A", "offset": "0.3 mm"}
    loose = near[0] | {"offset": "0.3 mm +- 0.2 mm"}, near[1]
    one, other = (peaks(coupled(board(*both), "a").task).near[0].spread for both in (near, loose))
    assert 0 < one < other


def test_one_plane_is_not_enough() -> None:
    stack = [copper("A", "signal"), ply("180 um", "prepreg"), copper("B", "signal"), ply("120 um", "core"),
             copper("G2", "ground")]
    near = {"link": "b", "layer": "B", "offset": "0 mil"}, {"link": "a", "layer": "A", "offset": "0 mil"}
    made = api.resolve(board(*near, stack=stack)).board
    for link in made.links or ():
        (found,) = neighbours(made, link, COLD)
        assert isinstance(found, Missing) and "no plane closes its cavity" in found.reason


@pytest.mark.parametrize(
    ("near", "key", "said"),
    [
        ({"layer": "B"}, (), "give `spacing`, or for a neighbour on another layer `offset`"),
        ({"layer": "B", "offset": "0 mil", "spacing": "5 mil"}, (), "give `spacing`, or"),
        ({"offset": "5 mil"}, ("offset",), "on the same layer has a spacing"),
        ({"layer": "A", "offset": "5 mil"}, ("offset",), "on the same layer has a spacing"),
        ({"layer": "G1", "offset": "0 mil"}, ("layer",), "G1 is a ground plane"),
        ({"layer": "G9", "offset": "0 mil"}, ("layer",), "unknown copper layer"),
        ({"layer": "B", "offset": "-5 mil"}, ("offset",), "must not be negative"),
    ],
)
def test_what_is_no_such_geometry_is_refused_at_its_place(
    near: dict[str, Any], key: tuple[str, ...], said: str
) -> None:
    document = board(near, {"link": "a", "layer": "A", "offset": "0 mil"})
    with pytest.raises(InputError) as caught:
        api.resolve(document)
    (problem,) = caught.value.problems
    path = ("links", "a", "path", 0, "trace", "neighbours", 0, *key)
    assert said in problem.message and problem.path == "links.a.path[0].trace.neighbours[0]" + "".join(
        f".{part}" for part in key)
    assert (problem.line, problem.column) == document.at(path)


def test_a_neighbour_that_another_link_names_is_no_other_ones() -> None:
    """Link `a` says nothing of its neighbours; `b` names a third one on its layer, then `a` itself."""
    at = {"offset": "0 mil"}
    third = {"third": {"standard": "pcie5", "path": [trace("A", "110 um", "150 um", [])]}}
    for named, count in (("third", 0), ("a", 1)):
        document = board({"link": "b", "layer": "B"} | at, {"link": named, "layer": "A"} | at)
        document = document.edited(("links",), {**document.get(("links",)), **third})
        document = document.edited(("links", "a", "path", 0, "trace", "neighbours"), [])
        made = api.resolve(document).board
        (link,) = (one for one in made.links or () if one.name == "a")
        assert len([*reciprocal_traces(made, link, "A")]) == count
