# SPDX-License-Identifier: MIT
"""Changes of a board: each is a board again that can be written, costs what the table says, and helps what it names."""

from __future__ import annotations

from pathlib import Path

import pytest
from fix_boards import BOARD, faulty

from pcbrules import api
from pcbrules.api._arguments import ruleset_of
from pcbrules.api._fixing import ChangeJudge
from pcbrules.api._loaded import Loaded
from pcbrules.api._profiles import in_class
from pcbrules.document.rewrite import rewritten
from pcbrules.errors import InputError
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.finding import Severity
from pcbrules.studies.fixing.search import MoveTable
from pcbrules.studies.moves.costs import costs_of, shipped, shown
from pcbrules.studies.moves.move import Helped, MoveScene, Remedy, all_moves, edited, families, tuned

ROOT = Path(__file__).resolve().parents[2]
JETSON = ROOT / "boards" / "jetson-orin-carrier.yaml"


def scene(loaded: Loaded, profile: str = "training", costs: str | None = None) -> MoveScene:
    ruleset = ruleset_of(profile)
    return MoveScene(loaded.document, in_class(loaded.board, ruleset), (), costs_of(costs))


def moves(text: str = BOARD, costs: str | None = None) -> dict[str, Remedy]:
    return {one.text.partition("; its `")[0]: one for one in all_moves(scene(api.load(text), costs=costs))}


@pytest.mark.parametrize("board", ["small", "jetson"])
def test_each_change_makes_a_board_that_can_be_written(board: str) -> None:
    loaded = api.load(BOARD) if board == "small" else api.load(JETSON)
    found = all_moves(scene(loaded))
    assert len(found) > 40
    for move in found if board == "small" else found[::5]:
        document = edited(loaded.document, [move])
        board_of(document)
        text = rewritten(loaded.document, document)
        assert (text != loaded.document.text) or move.tuned, move.text
        assert api.load(text).document.tree == document.tree


def test_each_family_has_its_say() -> None:
    loaded = api.load(JETSON)
    names = {family.__name__.rpartition(".")[2] for family in families()}
    saying = {family.__name__.rpartition(".")[2] for family in families() if list(family.moves(scene(loaded)))}
    assert names - saying == {"solved"}, "findings alone solve edits"
    assert names == {path.stem for path in (ROOT / "pcbrules/studies/moves").glob("*.py")} - {
        "__init__", "costs", "move"}


def test_a_link_on_another_layer_keeps_what_is_declared_of_the_old_one_and_says_so() -> None:
    texts = [one.text for one in all_moves(scene(api.load(JETSON))) if one.family == "layer-swap"]
    assert "pcie_l3 routed on L1; its `neighbours` and `reference_gaps` stay as declared: check them there" in texts
    bare = api.load(JETSON).replace("links.pcie_l3.path.run.neighbours", None)
    texts = [one.text for one in all_moves(scene(bare)) if one.family == "layer-swap"]
    assert "pcie_l3 routed on L1; its `reference_gaps` stay as declared: check them there" in texts


def test_a_link_on_another_layer_has_the_planes_of_that_layer() -> None:
    """Named planes are those of the layer that it leaves: one of them may be where the trace goes."""
    loaded = api.load(JETSON)
    path = loaded.document.get(("links", "pcie_l3", "path"))
    place = next(place for place, one in enumerate(path) if "trace" in one)
    at = ("links", "pcie_l3", "path", place, "trace", "planes")
    named = api.resolve(loaded.document.edited(at, ["L1", "L5"]))
    move, = (one for one in all_moves(scene(named)) if one.text.startswith("pcie_l3 routed on L1;"))
    assert at in move.removed
    made = board_of(edited(named.document, [move]))[0]
    assert all(trace.planes is None for link in made.links or () for _, trace in link.traces())


def test_costs_are_those_of_the_table() -> None:
    every = moves()
    assert every["width of up.run for the impedance of the link, same gap"].cost == 200
    assert every["core: 6 phases, 2 more"].cost == 5000
    assert every["up routed on L1"].cost == 500
    assert all(one.cost >= 1 for one in every.values())
    assert moves(faulty("foil"))["foil hvlp2 on L3"].cost == 550, "what it is dearer than the one before"
    assert {one.family for one in every.values()} <= {name.partition(".")[0] for name in shipped().entries} | {
        "foil", "bond", "laminate"}
    assert [shown(one) for one in (1, 200, 1250, 20000)] == ["0.001", "0.2", "1.25", "20"]


def test_a_file_of_costs_replaces_some(tmp_path: Path) -> None:
    file = tmp_path / "costs.yaml"
    file.write_text("layer-swap: 7\nphase: {index: 0.5, source: our buyer}\nfoil.hvlp2: 3\n")
    dear = moves(costs=str(file))
    assert (dear["up routed on L1"].cost, dear["core: 6 phases, 2 more"].cost) == (7000, 1000)
    entries = costs_of(str(file)).entries
    assert entries["phase"].source == "our buyer" and entries["layer-swap"].source.startswith("as given in ")
    assert entries["antipad"] == shipped().entries["antipad"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("layerswap: 1\n", "1:1: layerswap: there is no such cost; found 'layerswap'; expected a name of the shipped "
         "file, library/move_costs.yaml; fix: did you mean layer-swap?"),
        ("phase: -1\n", "1:8: phase: this is no cost; found -1; expected a number from 0 to 1000000"),
        ("phase: cheap\n", "1:8: phase: this is no cost; found 'cheap'"),
        ("phase: true\n", "this is no cost"),
        ("phase: {index: 1, per: board}\n", "phase.per: a cost keeps its unit; found 'board'; expected phase"),
        ("phase: {index: 1, price: 2}\n", "phase.price: unknown key; found 'price'; expected index, per, source, use"),
        ("phase: {source: x}\n", "this is no cost; found None"),
        ("- 1\n", "a file of costs is a mapping; expected NAME: INDEX"),
    ],
)
def test_a_fault_of_a_file_of_costs_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "costs.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        costs_of(str(file))
    assert told in str(caught.value)


def test_changes_of_one_thing_or_one_place_exclude_each_other() -> None:
    def move(slot: str, *paths: tuple[str, ...]) -> Remedy:
        return Remedy("m", slot, 1, slot, (Helped(("R",)),), tuple((path, 1) for path in paths))

    table = MoveTable([move("a", ("x", "y")), move("b", ("x",)), move("c", ("x", "z")), move("a", ("q",)),
                       move("d", ("x", "y", "w"))])
    assert table.excluded == [{1, 3, 4}, {0, 2, 4}, {1}, {0}, {0, 1}]


def test_a_change_on_another_layer_helps_once_the_link_is_there() -> None:
    every = moves()
    table = MoveTable(list(every.values()))
    key = ("CHN001", "links.up")
    place = {text: at for at, text in enumerate(every)}
    there, swap = place["foil hvlp3 on L1"], place["up routed on L1"]
    assert there not in table.open(key, ()) and there in table.open(key, (swap,)) and there in table.reach(key)


def test_a_link_that_moves_to_the_surface_loses_its_vias() -> None:
    swap = moves()["up routed on L1"]
    tree = edited(api.load(BOARD).document, [swap]).tree
    assert [next(iter(step)) for step in tree["links"]["up"]["path"]] == ["trace"]
    assert tree["links"]["up"]["path"][0]["trace"]["layer"] == "L1"
    assert [one.link for one in tuned([swap])] == ["up"]


def test_a_retimer_makes_two_links_of_half_the_length() -> None:
    tree = edited(api.load(BOARD).document, [moves()["a retimer in the middle of up"]]).tree
    first, second = tree["links"]["up"]["path"], tree["links"]["up_after_retimer"]["path"]
    assert [next(iter(step)) for step in (*first, *second)] == ["via", "trace", "via"] * 2
    assert first[1]["trace"]["length"] == second[1]["trace"]["length"] == "38.1 mm"
    assert (first[2]["via"]["enter"], first[2]["via"]["leave"]) == ("L3", "L1")
    assert (second[0]["via"]["enter"], second[0]["via"]["leave"]) == ("L1", "L3")


def test_a_wider_trace_keeps_the_impedance_of_the_link() -> None:
    text = BOARD.replace("impedance: 100 ohm", "impedance: 85 ohm")
    judge = ChangeJudge(api.load(text).document, ruleset_of("training"), Severity.ERROR)
    wide = moves(text)["up.run 1.25 times as wide, its gap for the impedance of the link"]
    made = judge.made((wide,))
    trace = made.get(("links", "up", "path", 1, "trace"))
    assert trace["width"] == "6 mil" and trace["top_width"] == "5.7 mil" and trace["gap"] != "7.2 mil"
    (line,) = api.lines(api.resolve(made), "training").to_rows()
    assert line["z_diff_ohm"] == pytest.approx(85, rel=2e-3)


def test_heavier_planes_make_the_board_thicker() -> None:
    heavier = api.load(JETSON)
    every = {one.text: one for one in all_moves(scene(heavier, "edge"))}
    tree = edited(heavier.document, [every["2 oz in the planes of vdd_in: L5"]]).tree
    layer = next(one for one in tree["stackup"] if one["name"] == "L5")
    assert (layer["base_weight"], layer["thickness"]) == ("2 oz", "60 um")
    assert tree["board"]["thickness"]["value"] == "1.63 mm"


def test_a_laminate_on_one_side_can_be_matched_on_the_other() -> None:
    """What a laminate makes asymmetric is helped by laminates of both sides alone, and one on the other side cures it.
    """
    ruleset, loaded = ruleset_of("edge"), api.load(JETSON)
    judge = ChangeJudge(loaded.document, ruleset, Severity.WARNING)
    table = MoveTable(all_moves(scene(loaded, "edge")))
    at = {one.text: place for place, one in enumerate(table.moves)}
    rules, base = frozenset({"STK006"}), judge(((), frozenset({"STK006"})))

    def worse(*names: str) -> set[tuple[str, str]]:
        return {*judge((tuple(table.moves[at[one]] for one in names), rules)).worse(base)}

    made = worse("laminate i-speed around L1")
    assert made == {("STK006", "stackup.L1-L2.L7-L8.family")}
    for key in (*made, ("STK006", "stackup.L1-L2.L7-L8.dk")):
        assert {table.moves[one].family for one in table.helpers(key)} == {"laminate"}
        assert at["laminate i-speed around L8"] in table.open(key, {at["laminate i-speed around L1"]})
    assert not worse("laminate i-speed around L1", "laminate i-speed around L8")
    thickness = ("STK006", "stackup.L1-L2.L7-L8.dielectric")
    assert {table.moves[one].family for one in table.helpers(thickness)} == {"prepreg-plies"}


@pytest.mark.long
def test_a_long_lane_on_a_lossy_laminate_gets_its_cheapest_cure() -> None:
    """Two fails of a link: its loss needs a foil and laminates on both sides, its skew needs longer lanes."""
    text = JETSON.read_text(encoding="utf-8")
    head, link, rest = text.partition("  pcie_m2:")
    link, mark, rest = (link + rest).partition("  pcie_l3:")
    for was, now in (("length: 70 mm, b", "length: 300 mm, b"), ("length_n: 69.85 mm", "length_n: 299.85 mm"),
                     ("length_p: 70 mm", "length_p: 300 mm"), ("max: 70 mm", "max: 300 mm")):
        assert was in link
        link = link.replace(was, now)
    found = api.fix(api.load(head + link + mark + rest), "edge")
    assert {one.rule for one in found.failing} == {"CHN001", "SIG007"} and not found.left and not found.bounded
    assert found.cost_index < 1.5 and len(found.changes) > 2
