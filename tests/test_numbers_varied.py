# SPDX-License-Identifier: MIT
"""What a program varies: arrays with a unit, lists of values, several inputs at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcbrules
from pcbrules.studies.variants.axes import read_axes
from pcbrules.studies.variants.given_axes import given_axes

BOARD = pcbrules.load(Path(__file__).parents[1] / "boards" / "jetson-orin-carrier.yaml")
WIDTH = "links.csi.path.run.width"


@pytest.mark.parametrize(("given", "text"), [
    ((np.linspace(4, 6, 5), "mil"), "4mil:6mil:5"),
    (([4, 5.5, 6], "mil"), "4 mil,5.5 mil,6 mil"),
    ((np.array([0.1 + 0.2, 0.4]), " mm "), "0.3 mm,0.4 mm"),
    ((7, "mil"), "7 mil"),
    ("4mil:6mil:5", "4mil:6mil:5"),
    (["4 mil", "5 mil"], "4 mil,5 mil"),
    (("4 mil", "5 mil"), "4 mil,5 mil"),
])
def test_an_axis_of_numbers_is_that_of_the_command(given: Any, text: str) -> None:
    assert given_axes({WIDTH: given}, BOARD.document) == read_axes([f"{WIDTH}={text}"], BOARD.document)


def test_plain_numbers_are_values_where_the_board_has_plain_numbers() -> None:
    (axis,) = given_axes({"schema": np.array([1, 2])}, BOARD.document)
    assert [one.value for one in axis.values] == [1, 2] and all(type(one.value) is int for one in axis.values)


@pytest.mark.parametrize(("given", "kind", "says"), [
    ({WIDTH: [4.0, 5.0]}, pcbrules.InputError, rf"^vary: {WIDTH}: a number has no unit; found '?4'?; .*'mil'\)"),
    ({WIDTH: np.linspace(4, 8, 3)}, pcbrules.InputError, "a number has no unit"),
    ({WIDTH: ([4, float("nan")], "mil")}, pcbrules.InputError, "the numbers are no axis"),
    ({WIDTH: (np.ones((2, 2)), "mil")}, pcbrules.InputError, "no axis; found an array of shape"),
    ({WIDTH: ([4, 4], "mil")}, pcbrules.InputError, "two values are one"),
    ({WIDTH: ([4], "")}, pcbrules.InputError, "the unit is empty"),
    ({WIDTH: []}, pcbrules.InputError, "there is no value"),
    ({WIDTH: (["a"], "mil")}, TypeError, "takes numbers beside a unit"),
    ({WIDTH: 3}, TypeError, r"vary takes \(numbers, 'mil'\) or a list of values"),
    ({3: ["4 mil"]}, TypeError, "sweep.. takes what is varied as"),
    (3, TypeError, "sweep.. takes what is varied as .* not an int"),
    ([3], TypeError, "sweep.. takes what is varied as"),
    ({}, pcbrules.InputError, "nothing is varied"),
    ({"links.csi.path.runn.width": ["4 mil"]}, pcbrules.InputError, "nothing here.*did you mean run"),
    ({WIDTH: ["4 mil"], "links.*.path.run.width": ["5 mil"]}, pcbrules.InputError, "two axes vary one place"),
])
def test_what_is_no_axis_is_refused_in_one_sentence(given: Any, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says) as told:
        pcbrules.sweep(BOARD, "edge", given, show="STK001")
    assert "\n" not in str(told.value)


def test_a_sweep_has_its_values_as_numbers_too() -> None:
    found = pcbrules.sweep(BOARD, "edge", {WIDTH: ([4, 10], "mil")}, show="STK001")
    assert [(row[WIDTH], row[f"{WIDTH} [mil]"]) for row in found.to_rows()] == [("4 mil", 4.0), ("10 mil", 10.0)]


def test_several_inputs_are_replaced_at_once() -> None:
    both, one = BOARD.replace({WIDTH: "5 mil", "links.csi.path.run.length": "61 mm"}), BOARD.replace(WIDTH, "5 mil")
    assert both.document.tree == one.replace("links.csi.path.run.length", "61 mm").document.tree
    assert both.board.layers == BOARD.board.layers and both.name == BOARD.name
    assert type(BOARD.replace("schema", np.int64(1)).document.tree["schema"]) is int


def test_inputs_that_are_only_right_together_are_checked_together() -> None:
    path = "links.csi.path"
    moved = {f"{path}.via_a.leave": "L6", f"{path}.run.layer": "L6", f"{path}.via_b.enter": "L6"}
    for key, value in moved.items():
        with pytest.raises(pcbrules.InputError, match="the path jumps between layers"):
            BOARD.replace(key, value)
    made = BOARD.replace(moved).document.tree["links"]["csi"]["path"]
    assert made[2]["trace"]["layer"] == made[1]["via"]["leave"] == made[3]["via"]["enter"] == "L6"


@pytest.mark.parametrize(("args", "says"), [
    ((WIDTH,), "takes a key and its value: replace"),
    (({WIDTH: "5 mil"}, "5 mil"), "a mapping of keys to values alone"),
    (({},), "this one is empty"),
    (({3: "5 mil"},), "takes a key such as"),
])
def test_a_replacement_without_its_value_is_refused(args: tuple[Any, ...], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        BOARD.replace(*args)


def test_findings_of_all_rules_are_sorted_by_the_share_of_their_limit() -> None:
    rows = pcbrules.check(BOARD, "edge", fixes=False).to_rows()
    ratio = {row["rule"] + " " + str(row["subject"]): row["margin_ratio"] for row in rows}  # type: ignore[operator]
    assert ratio["CHN007 links.pcie_l3.transition"] == pytest.approx((0.15 - 0.266) / 0.15, abs=5e-3)
    assert all(row["margin_ratio"] is None for row in rows if row["margin"] is None)
    failed = [row["margin_ratio"] for row in rows if row["status"] == "fail" and row["margin_ratio"] is not None]
    assert failed and all(one < 0 for one in failed)  # type: ignore[operator]


def test_a_board_of_another_laminate_has_its_dk() -> None:
    other = BOARD.with_laminate("megtron6")
    before, after = (one.document.tree["stackup"] for one in (BOARD, other))
    for old, new in zip(before, after, strict=True):
        if old["kind"] == "dielectric":
            left = {key: value for key, value in old.items() if key not in ("material", "dk", "resin", "resin_height")}
            assert new == {**left, "material": "megtron6"}
        else:
            assert new == old, "copper and solder mask stay"
    kept = BOARD.replace({f"stackup[{n}].material": "megtron6" for n, one in enumerate(before)
                          if one["kind"] == "dielectric"})
    impedance = [one.lines("edge", link="pcie_l3").to_rows()[0]["z_diff_ohm"] for one in (kept, other)]
    assert impedance[1] > impedance[0] + 3, "the declared Dk is that of the old laminate"
    (first,) = (one for one in BOARD.with_laminate("megtron6", layers="P1-2").document.tree["stackup"]
                if one.get("material") == "megtron6")
    assert first["name"] == "P1-2"


@pytest.mark.parametrize(("args", "kind", "says"), [
    (("megtron66",), pcbrules.InputError, "material"),
    (("megtron6", "P9"), pcbrules.InputError, "no dielectric has this name; found 'P9'; expected P1-2"),
    ((3,), TypeError, "takes the name of a laminate, not an int"),
])
def test_what_is_no_laminate_is_refused(args: tuple[Any, ...], kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says):
        BOARD.with_laminate(*args[:1], **({"layers": args[1]} if len(args) > 1 else {}))


def test_a_wildcard_replaces_at_every_place() -> None:
    made = BOARD.replace("links.*.path.run.gap", "7 mil")
    gaps = [step["trace"]["gap"] for link in made.document.tree["links"].values() for step in link["path"]
            if step.get("trace", {}).get("name") == "run"]
    assert len(gaps) > 3 and set(gaps) == {"7 mil"}
    with pytest.raises(pcbrules.InputError, match=r"carrier\.yaml: the board file has nothing here; found .links"):
        BOARD.replace("links.*.pathh.run.gap", "7 mil")
