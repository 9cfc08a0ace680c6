# SPDX-License-Identifier: MIT
"""Axes, prices and frames of a design space."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from fix_boards import BOARD
from search_bench import CAVITIES, put_spec

from pcbrules import api
from pcbrules.api._search_space import SearchJob, edited
from pcbrules.document import parse_yaml, show_path
from pcbrules.document.rewrite import rewritten
from pcbrules.errors import InputError
from pcbrules.studies.moves.costs import shipped
from pcbrules.studies.moves.move import MoveScene
from pcbrules.studies.searching.axis_kinds import alike
from pcbrules.studies.searching.layer_count import with_layers
from pcbrules.studies.searching.prices import price
from pcbrules.studies.searching.space import PartTask


def space_of(folder: Path, axes: str, board: str = BOARD, more: str = "") -> SearchJob:
    return SearchJob.of(str(put_spec(folder, f"axes:\n{axes}\n{more}", board)))


def scene(board: str = BOARD) -> MoveScene:
    loaded = api.resolve(parse_yaml(board.encode(), "board.yaml"))
    return MoveScene(loaded.document, loaded.board, (), shipped())


def test_candidates_are_numbered_with_the_last_axis_fastest(tmp_path: Path) -> None:
    space = space_of(tmp_path, "- {laminate: [L3], values: 'megtron7n, megtron6, fr408hr'}\n"
                     "- {foil: L3, values: [rtf, hvlp2]}").space
    assert space.shape == (1, 3, 2) and space.count == 6
    assert [space.cell(number) for number in range(6)] == list(product(range(1), range(3), range(2)))
    assert space.changed((0, 0, 1)) == () and space.changed((0, 2, 0)) == ((0, "fr408hr"), (1, "rtf"))


@pytest.mark.parametrize(("axis", "changed", "cost"), [
    ("{laminate: L3, values: [megtron6]}", {"stackup[3].material": "megtron6", "stackup[5].material": "megtron6"},
     -2200),
    ("{laminate: all, values: 'megtron7n'}", {"stackup[7].material": "megtron7n", "stackup[9].material": "megtron7n"},
     2200),
    ("{foil: [L3, L4], values: [rtf]}", {"stackup[4].foil": "rtf", "stackup[6].foil": "rtf"}, -1100),
    ("{thickness: 'C*', values: [0.9 mm]}", {"stackup[7].thickness": "0.9 mm"}, 300),
    ("{backdrill: fast, values: [none]}", {"via_types.fast.backdrill": None}, -3000),
    ("{backdrill: '*', values: [3 mil]}", {"via_types.fast.backdrill.residual": "3 mil"}, 500),
    ("{backdrill: fast, values: [6 mil]}", {"via_types.fast.backdrill.residual": "6 mil"}, -500),
    ("{vary: links.*.path.run.width, values: [6 mil]}", {"links.up.path[1].trace.width": "6 mil"}, 1250),
    ("{vary: links.*.path.run.width, values: [4 mil]}", {"links.up.path[1].trace.width": "4 mil"}, 200),
    ("{vary: links.up.path.run.gap, values: [8 mil]}", {"links.up.path[1].trace.gap": "8 mil"}, 200),
    ("{vary: fabrication.class, values: [premium, standard]}", {"fabrication.class": "premium"}, 8000),
    ("{vary: 'rails.*.vrm.phases', values: [6]}", {"rails.core.vrm.phases": 6}, 5000),
    ("{vary: 'rails.*.vrm.phases', values: [3]}", {"rails.core.vrm.phases": 3}, -2500),
    ("{vary: via_types.fast.antipad.width, values: [0.9 mm]}", {"via_types.fast.antipad.width": "0.9 mm"}, 100),
    ("{vary: via_types.fast.return_vias.count, values: [4]}", {"via_types.fast.return_vias.count": 4}, 100),
    ("{vary: links.up.budget.loss, values: [9 dB]}", {"links.up.budget.loss": "9 dB"}, 1000),
    ("{vary: links.up.budget.loss, values: [9 dB], costs: [-0.25]}", {"links.up.budget.loss": "9 dB"}, -250),
    ("{laminate: L3, values: [megtron7n]}", {}, 0),
    ("{vary: links.up.path.run.width, values: [4.8mil]}", {}, 0),
])
def test_an_axis_edits_places_and_costs(axis: str, changed: dict[str, Any], cost: int, tmp_path: Path) -> None:
    (one,) = space_of(tmp_path, f"- {axis}", more="retune: false").space.axes
    point = one.points[0]
    assert {show_path(path): value for path, value in point.edits} | {show_path(path): None for path in point.removed
            if path[-1] == "backdrill"} == changed
    assert point.cost == cost and point.changes == bool(changed)


def test_a_laminate_takes_the_dk_along_and_traces_are_tuned(tmp_path: Path) -> None:
    own = BOARD.replace("material: megtron7n, form: core", "material: megtron7n, dk: 3.3, form: core")
    (one,) = space_of(tmp_path, "- {laminate: L3, values: [megtron7n, megtron6]}", own).space.axes
    assert one.points[0].removed == () and one.points[1].removed == (("stackup", 3, "dk"),)
    assert [(t.link, t.trace) for t in one.points[1].tuned] == [("up", 0)] and not one.points[0].tuned
    assert one.sections == {"stackup", "links"}
    space = space_of(tmp_path, "- {laminate: L3, values: [megtron6]}\n- {vary: links.up.path.run.gap, values: [7 mil]}")
    assert not space.space.whole((0, 0, 0), ()).tuned, "an axis sets its gap"


def test_a_laminate_on_wildcard_places_is_none_of_the_masks(tmp_path: Path) -> None:
    masked = BOARD.replace("stackup:\n", "stackup:\n- {kind: mask, thickness: 20 um, material: resist}\n").replace(
        "  laminates:\n", "  laminates:\n    resist: {name: mask, class: mask, family: resist, dk: 3.7, df: 0.025, "
        "at: 1 GHz, source: test}\n")
    axis = "- {vary: 'stackup.*.material', values: 'megtron6,fr408hr,s1000-2m'}"
    (one,) = space_of(tmp_path, axis, masked).space.axes
    every = [2, 4, 6, 8, 10]
    assert [[path[1] for path, _ in point.edits] for point in one.points] == [every[:3], every, every]
    assert one.points[0].cost == -3300 and not one.numeric


def test_what_a_file_keeps_a_task_by_is_the_same_in_every_process(tmp_path: Path) -> None:
    job = space_of(tmp_path, "- {foil: L3, values: [rtf]}", more="links: ['*']\nrails: ['*']\n")
    assert job.asked.links == ("up",) and "set" not in repr(job.asked), "a set has another order in another process"


def test_later_items_of_a_path_go_first() -> None:
    last = "    - via: {name: b, type: fast"
    more = [f"    - via: {{name: {name}{at}, type: fast, enter: L{one}, leave: L{other}}}\n"
            for at in range(5) for name, one, other in (("x", 3, 1), ("y", 1, 3))]
    long = BOARD.replace(last, "".join(more) + last)
    document = parse_yaml(long.encode(), "board.yaml")
    gone = tuple(("links", "up", "path", at) for at in (11, 9, 10, 8))
    left = edited(document, PartTask(0, (), gone, (), ())).get(("links", "up", "path"))
    assert [next(iter(one.values()))["name"] for one in left] == ["a", "run", "x0", "y0", "x1", "y1", "x2", "y2", "b"]


def test_thickness_is_known_before_any_board_is_read(tmp_path: Path) -> None:
    axis = "- {thickness: [C4-5, dielectric1], values: '100um:300um:3'}"
    (one,) = space_of(tmp_path, axis).space.axes
    assert [round(point.thicker * 1e6) for point in one.points] == [-700, -500, -300]


def test_layers_come_and_go_in_pairs_of_cavities() -> None:
    here = scene(CAVITIES)
    more = with_layers(here, 12)
    board = api.resolve(more.document).board
    assert board.stack is not None and here.board.stack is not None
    names = [one.name for one in board.stack.coppers]
    assert names == ["L1", "L2", "L3", "L4", "L3_2", "L4_2", "L5_2", "L6_2", "L5", "L6", "L7", "L8"]
    assert board.stack.copper("L5_2").spec.role == "ground", "no rail has this plane"
    assert board.stack.thickness - here.board.stack.thickness == pytest.approx(more.thicker)
    again = parse_yaml(rewritten(here.document, more.document).encode(), "board.yaml")
    assert api.resolve(again).board.stack == board.stack and "# the drill stops here" in again.text
    fewer = with_layers(MoveScene(again, board, (), shipped()), 8)
    assert fewer.document.tree["stackup"] == here.document.tree["stackup"]
    assert (fewer.cost, round(fewer.thicker, 9)) == (-more.cost, -round(more.thicker, 9))
    with pytest.raises(InputError, match="in use"):
        with_layers(here, 4)
    with pytest.raises(InputError, match="a pair of cavities is four layers"):
        with_layers(here, 10)


def test_a_change_of_a_link_is_paid_once() -> None:
    here = scene()
    path = ("links", "up", "path", 1, "trace")
    assert price(here, (((*path, "gap"), "7 mil"), ((*path, "width"), "4 mil"))) == 200
    assert price(here, (((*path, "layer"), "L1"), (("links", "up", "path", 0, "via", "leave"), "L1"))) == 500


@pytest.mark.parametrize(("old", "new", "same"), [
    ("6.3 mil +- 5 %", "6.3mil", True), ("0.254 mm", "10 mil", True), ("6.3 mil", "6.4 mil", False), (4, 4, True),
    (4, "4", False), ("megtron6", "megtron6", True), ("1078", "1080", False), ("8 dB", "8dB", True),
])
def test_a_value_of_the_board_is_no_change(old: Any, new: Any, same: bool) -> None:
    assert alike(old, new) is same


@pytest.mark.parametrize(("axes", "more", "line", "said"), [
    ("- {thickness: C4-5, values: [600, 800]}", "", 5, "does not take this value"),
    ("- {thickness: C4-5, values: [600 ohm]}", "", 5, "does not take this value"),
    ("- {thickness: C4-5, values: '600:800:3'}", "", 5, "does not take this value"),
    ("- {vary: links.up.path.run.width, values: [5 mil, -1 mil, 6 mil]}", "", 5, "does not take this value"),
    ("- {vary: links.up.path.run.widht, values: [5 mil]}", "", 5, "does not take this value"),
    ("- {backdrill: fast, values: [none, 4 ohm]}", "", 5, "does not take this value"),
    ("- {via_type: up, values: [fats]}", "", 5, "does not take this value"),
    ("- {laminate: L3, values: [megtron6]}", "constraints: {thickness: {at_least: 2 mm, at_most: 1 mm}}", 6,
     "`at_least` is above `at_most`"),
])
def test_a_value_that_no_board_takes_is_a_fault_of_the_file(
    axes: str, more: str, line: int, said: str, tmp_path: Path
) -> None:
    """Not a search of which no candidate passes: the place in the file is named."""
    with pytest.raises(InputError) as caught:
        space_of(tmp_path, axes, more=more)
    problem = caught.value.problems[0]
    assert (problem.line, problem.file.endswith("space.yaml")) == (line, True) and problem.column > 1
    assert said in problem.message


def test_a_number_that_another_axis_makes_fit_is_no_fault(tmp_path: Path) -> None:
    """A trace of 9 mil is beyond the pitch of nothing that the file says: what no key refuses is left to the rules."""
    assert space_of(tmp_path, "- {vary: links.up.path.run.width, values: [4 mil, 9 mil]}").space.count == 2


TERA = BOARD.replace("material: megtron6", "material: isola-i-tera-mt40").replace(
    "name: L6, thickness: 40 um, base_weight: 0.5 oz, role: ground",
    "name: L6, thickness: 40 um, base_weight: 0.5 oz, role: signal")


@pytest.mark.parametrize("axis", [
    "{laminate: L6, values: [i-tera-mt40, megtron7n]}", "{laminate: all, values: [i-tera-mt40, megtron7n]}",
    "{vary: 'stackup[7].material', values: [i-tera-mt40, megtron7n]}",
])
def test_another_name_of_a_laminate_is_no_change(axis: str, tmp_path: Path) -> None:
    assert TERA != BOARD
    (one,) = space_of(tmp_path, f"- {axis}", TERA).space.axes
    same, other = one.points
    edited_places = {path for path, _ in same.edits}
    assert not any(path[1] in (7, 9) for path in edited_places)
    assert other.changes
    if "all" not in axis:
        assert not same.changes and not same.tuned and same.cost == 0


def test_a_declared_laminate_of_that_name_is_another_one(tmp_path: Path) -> None:
    name = "isola-i-tera-mt40"
    own = BOARD.replace("    lowtg:", f"    {name}:").replace("material: megtron6", f"material: {name}")
    (one,) = space_of(tmp_path, "- {vary: 'stackup[7].material', values: [i-tera-mt40]}", own).space.axes
    assert one.points[0].changes


def test_traces_beside_an_unchanged_layer_stay_as_they_are(tmp_path: Path) -> None:
    """L3 has megtron7n on both sides already: its trace is not solved anew; with megtron6 it is."""
    (one,) = space_of(tmp_path, "- {vary: stackup.*.material, values: [megtron7n, megtron6]}").space.axes
    same, other = one.points
    assert same.changes and {path[1] for path, _ in same.edits} == {7, 9} and not same.tuned
    assert other.changes and [(tuned.link, tuned.trace) for tuned in other.tuned] == [("up", 0)]
