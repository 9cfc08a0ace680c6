# SPDX-License-Identifier: MIT
"""`pcbrules layout`: what is printed, its JSON, exit codes."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_bench import ROOT, Bench, environment
from drawn_board import drawn_board
from json_schemas import valid

DESIGN = ROOT / "tests" / "data" / "layouts" / "design.kicad_pcb"
PAGE = ROOT / "docs" / "how-to" / "read_a_layout.md"


@pytest.fixture
def design(bench: Bench) -> Bench:
    """The folder with a small KiCad board."""
    shutil.copy(DESIGN, bench.folder / "design.kicad_pcb")
    return bench


def test_the_page_shows_what_is_printed(design: Bench) -> None:
    done = design.run("layout", "design.kicad_pcb", "-v")
    assert done.code == 0 and all(len(line) <= 80 for line in done.out.splitlines())
    page = PAGE.read_text(encoding="utf-8")
    assert f"```text\n$ pcbrules layout design.kicad_pcb -v\n{done.out}```" in page
    assert f"```text\n{done.err}```" in page


def test_pairs_are_a_table_and_what_was_measured_is_asked_for(design: Bench) -> None:
    short = design.run("layout", "design.kicad_pcb").out
    assert re.search(r"(?m)^  TX_P +27[.]7575 +2[.]7575 +2 +0[.]126 +4$", short) and "alone" not in short
    assert "-v, or --link NET" in short
    full = design.run("layout", "design.kicad_pcb", "--link", "TX_?").out
    assert "alone 0.00 and 9.08" in full and "-v, or --link NET" not in full
    done = design.run("layout", "design.kicad_pcb", "--link", "RX_*")
    assert done.code == 2 and "no pair of the layout has such a net: 'RX_*'" in done.err


def test_json_keeps_its_schema_and_has_the_lengths(design: Bench) -> None:
    done = design.run("layout", "design.kicad_pcb", "--format", "json")
    tree = valid(done.out, "layout")
    assert done.code == 0
    assert (tree["copper_layers"], tree["stackup_total_mm"], tree["thickness_declared_mm"]) == (4, 1.56, 1.6)
    assert (tree["segments"], tree["arcs"], tree["zones"], tree["nets"], tree["pads"]) == (4, 0, 2, 5, 5)
    assert tree["vias"] == {"through": 2, "blind": 0, "buried": 0, "micro": 0}
    assert tree["outline"] == {"contours": 1, "box_mm": [100.0, 50.0, 140.0, 80.0]}
    assert tree["not_read"] == [{"object": "gr_text on copper", "count": 1}]
    assert [one["line"] for one in tree["told"]] == [0, 0]
    small = tree["smallest"]
    assert small["trace"] == {"mm": 0.14, "at_mm": [112.0, 60.0], "layer": "In2.Cu", "of": ["TX_P"]}
    assert [(one["mm"], one["layer"]) for one in small["spaces"]] == [(0.35, "F.Cu")]
    assert (small["ring"]["mm"], small["drill"]["mm"], small["bare_hole_to_copper"]) == (0.15, 0.2, None)
    # the barrels of TX_P stand in the filled plane
    assert small["plated_hole_to_copper"]["mm"] == -0.1 and small["plated_hole_to_copper"]["of"][2:] == ["zone", "GND"]
    pair, bare = sorted(tree["pairs"], key=lambda one: one["p"])
    top, inner = pair.pop("by_layer")
    first, last = pair.pop("drawn_vias")
    assert (first["net"], first["at_mm"], first["joins"], first["ground_vias"]) == (
        "TX_P", [112.0, 60.0], ["F.Cu", "In2.Cu"], [])
    assert [(one["layer"], one["clear_mm"] < 0) for one in last["openings"]] == [("In1.Cu", True)]
    assert (top["layer"], top["width_mm"], top["gap_mm"], top["length_p_mm"]) == ("F.Cu", 0.15, 0.35, 15.0)
    (plane,) = top["references"]
    assert (plane["layer"], plane["height_mm"], plane["gaps"][0]["net"]) == ("In1.Cu", 0.1, "TX_P")
    assert [one["unknown"] for one in inner["references"]] == [False, True]
    assert (inner["layer"], inner["gap_mm"], inner["alone_p_mm"], bare["by_layer"]) == ("In2.Cu", None, 10.0, [])
    # 25 mm, and twice from the centre of F.Cu at 0.0275 mm to that of In2.Cu at 1.40625 mm; B.Cu is at 1.5325 mm
    assert pair == {
        "p": "TX_P", "n": "TX_N", "routed_p_mm": 25.0, "routed_n_mm": 25.0, "length_p_mm": 27.7575, "length_n_mm": 25.0,
        "no_length_p": "", "no_length_n": "", "vias": 2, "vias_p": 2, "vias_n": 0, "layers": ["F.Cu", "In2.Cu"],
        "max_stub_mm": 0.12625, "plane_changes": [],  # both layers look at In1.Cu
        "delay_p_ps": None, "delay_n_ps": None, "skew_ps": None, "stretches": []}  # its legs change layers differently
    assert (bare["p"], bare["routed_p_mm"], bare["length_p_mm"], bare["no_length_p"]) == ("USB_D+", 0.0, None, "no pad")


def test_json_has_delays_and_impedances_of_pairs_from_part_to_part(bench: Bench) -> None:
    """40 mm of microstrip, 0.15 mm wide on 0.11 mm of Dk 4.3 under a mask of unknown material: eps_eff of the odd mode
    lies between the mean with air, 2.65, and 4.3.
    """
    bench.put("drawn.kicad_pcb", drawn_board())
    tree = valid(bench.run("layout", "drawn.kicad_pcb", "--format", "json").out, "layout")
    pair = next(one for one in tree["pairs"] if one["p"] == "PCIE_TX0_P")
    (stretch,) = pair["stretches"]
    assert (stretch["layer"], stretch["width_mm"], stretch["gap_mm"], stretch["length_p_mm"]) == (
        "F.Cu", 0.15, 0.15, 40)
    low, high = stretch["impedance_ohm"]
    assert 80 < low < high < 100 and high - low < 3 and stretch["no_impedance"] == ""
    flight = [0.04 * math.sqrt(dk) / 299792458e-12 for dk in (2.65, 4.3)]
    assert flight[0] < pair["delay_p_ps"] < flight[1]
    assert (pair["delay_n_ps"], pair["skew_ps"]) == (pair["delay_p_ps"], 0.0)


def test_the_same_design_in_two_formats_has_the_same_figures(design: Bench) -> None:
    shutil.copy(DESIGN.with_suffix(".xml"), design.folder / "board.xml")
    trees = [valid(design.run("layout", name, "--format", "json").out, "layout")
             for name in ("design.kicad_pcb", "board.xml")]
    keys = ("copper_layers", "thickness_declared_mm", "stackup_total_mm", "segments", "arcs", "vias", "nets", "parts",
            "pads", "loose_pads", "pairs")
    for tree in trees:
        for via in (via for pair in tree["pairs"] for via in pair["drawn_vias"]):
            del via["at_mm"][1]
            via["openings"] = [one["clear_mm"] for one in via["openings"]]
        for layer in (layer for pair in tree["pairs"] for layer in pair["by_layer"]):
            # y grows the other way in IPC-2581, which has no zones that were never filled
            layer["references"] = [
                {**one, "gaps": [(gap["net"], gap["length_mm"], gap["middle_mm"][0], gap["nets"])
                                 for gap in one["gaps"]],
                 "edges": [(leg["net"], leg["within_1h_mm"], [edge["distance_mm"] for edge in leg["stretches"]])
                           for leg in one["edges"]]}
                for one in layer["references"] if one["is_plane"]]
    kicad, ipc = ({key: tree[key] for key in keys} for tree in trees)
    assert kicad == ipc
    assert {key: one and one["mm"] for key, one in trees[0]["smallest"].items() if key != "spaces"} == {
        key: one and one["mm"] for key, one in trees[1]["smallest"].items() if key != "spaces"}
    sheet = ("kind", "thickness_mm", "material", "dk", "df")
    sheets = [[tuple(one[key] for key in sheet) for one in tree["layers"]] for tree in trees]
    assert sheets[0] == sheets[1]
    assert (trees[1]["format"], trees[1]["version"], trees[1]["y_axis"]) == ("ipc2581", "C", "up")
    assert trees[1]["areas"]["filled"] == trees[0]["areas"]["filled"] == 1  # KiCad has a second zone, which is empty


def test_the_project_beside_the_board_gives_the_net_classes(design: Bench) -> None:
    design.put("design.kicad_pro", '{"net_settings": {"classes": [{"name": "PCIe", "diff_pair_gap": 0.15}]}}')
    tree = valid(design.run("layout", "design.kicad_pcb", "--format", "json").out, "layout")
    assert [(one["name"], one["pair_gap_mm"], one["width_mm"]) for one in tree["net_classes"]] == [("PCIe", 0.15, None)]
    design.put("design.kicad_pro", "{")
    done = design.run("layout", "design.kicad_pcb")
    assert done.code == 0 and "design.kicad_pro:1:2: warning: the project file is no JSON" in done.err


@pytest.mark.parametrize(("name", "text", "said"), [
    ("none.kicad_pcb", None, "none.kicad_pcb: there is no such file"),
    ("a.kicad_pcb", "(kicad_pcb (version 20241229)", "a.kicad_pcb:1:30: the file ends inside (kicad_pcb"),
    ("a.xml", '<?xml version="1.0"?><eagle/>', "a.xml: this is no layout that can be read; found an Eagle design"),
    ("b.xml", '<?xml version="1.0"?><IPC-2581/>', "b.xml:1:1: the file has no copper layer"),
    ("board.yaml", "schema: 1\n", "fix: write: pcbrules check FILE --profile NAME"),
])
def test_what_cannot_be_read_is_2(bench: Bench, name: str, text: str | None, said: str) -> None:
    if text is not None:
        bench.put(name, text)
    done = bench.run("layout", name)
    assert done.code == 2 and done.out == "" and said in done.err


@pytest.mark.parametrize("words", ["design.kicad_pcb", "board.xml",
                                   "check board.yaml -p few.yaml --waivers design.kicad_pcb"])
def test_whoever_gives_a_layout_elsewhere_is_told_how_to_check_it(design: Bench, words: str) -> None:
    shutil.copy(DESIGN.with_suffix(".xml"), design.folder / "board.xml")
    done = design.run(*words.split())
    assert done.code == 2 and done.out == "" and "pcbrules check " in done.err


@pytest.mark.parametrize("words", ["check design.kicad_pcb -p edge", "check board.xml -p edge"])
def test_a_layout_is_checked_whatever_its_format(design: Bench, words: str) -> None:
    shutil.copy(DESIGN.with_suffix(".xml"), design.folder / "board.xml")
    done = design.run(*words.split(), "--select", "STK")
    assert done.code == 0 and done.err == ""


def test_long_names_keep_their_ends(design: Bench) -> None:
    text = DESIGN.read_text(encoding="utf-8")
    design.put("long.kicad_pcb", text.replace('"TX_', f'"/{"sheet/" * 20}TX_'))
    out = design.run("layout", "long.kicad_pcb", "-v").out
    assert "/sheet/TX_P  " in out and "/sheet/TX_N  " in out and all(len(line) <= 80 for line in out.splitlines())


def test_names_from_the_file_command_nobody(design: Bench) -> None:
    text = DESIGN.read_text(encoding="utf-8")
    for sign in "PN":
        text = text.replace(f'"TX_{sign}"', f'"::error::\u202e\x1b[31m_{sign}"')
    design.put("odd.kicad_pcb", text)
    for style in ("console", "json"):
        out = design.run("layout", "odd.kicad_pcb", "--format", style).out
        assert "\x1b" not in out and "\u202e" not in out and "\n::error" not in out
    assert "\\x1b[31m_P" in design.run("layout", "odd.kicad_pcb").out


@pytest.mark.long
@pytest.mark.parametrize(("style", "loaded"), [("console", "[]"), ("json", "['pydantic']")])
def test_the_command_loads_only_what_it_takes(style: str, loaded: str) -> None:
    """No models and no solvers for people; for programs the solver of cross-sections, which does without scipy."""
    code = ("import sys; sys.argv = ['pcbrules', 'layout', sys.argv[1], '--format', sys.argv[2]]\n"
            "from pcbrules.cli.main import main\n"
            "try:\n main()\nexcept SystemExit: pass\n"
            "print([m for m in ('scipy', 'skrf', 'pydantic', 'jinja2') if m in sys.modules], file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", code, str(DESIGN), style], capture_output=True, text=True, check=True,
                          env=environment(), cwd=Path(DESIGN).parent)
    assert done.stderr.splitlines()[-1] == loaded
