# SPDX-License-Identifier: MIT
"""`pcbrules check` of a layout: what is judged, what is left open, and where findings point."""

from __future__ import annotations

import json
import shutil

import pytest
from cli_bench import ROOT, Bench
from drawn_board import drawn_board

from pcbrules import api, reports
from pcbrules.readers.layout_file import digest, is_layout

LAYOUTS = ROOT / "tests" / "data" / "layouts"


@pytest.fixture
def design(bench: Bench) -> Bench:
    """The folder with a small KiCad board."""
    shutil.copy(LAYOUTS / "design.kicad_pcb", bench.folder / "design.kicad_pcb")
    return bench


def test_what_a_layout_does_not_know_is_open(design: Bench) -> None:
    """No platform, form factor, link, rail or cooling is guessed; the build-up is judged."""
    done = design.run("check", "design.kicad_pcb", "-p", "edge", "--format", "json")
    assert done.code == 3 and "Traceback" not in done.err
    report = json.loads(done.out)
    found = {(one["rule"], one["subject"]): one for one in report["findings"]}
    for rule, subject in (("STK001", "stackup"), ("MEC001", "board.size"), ("MEC002", "board.form_factor"),
                          ("CHN001", "links"), ("PDN001", "rails"), ("THM001", "system.accelerators")):
        assert found[rule, subject]["status"] == "not-evaluated", rule
    assert found["STK001", "stackup"]["message"] == "the platform of the board is not declared"
    assert found["STK008", "stackup['F.Cu-In1.Cu'].dielectric"]["status"] == "pass"
    assert not [one for one in report["findings"] if one["status"] == "fail"]


def test_findings_point_into_the_layout(design: Bench) -> None:
    loaded = api.load(str(design.folder / "design.kicad_pcb"), "design.kicad_pcb")
    report = api.check(loaded, "edge")
    assert {one.where.file for one in report.findings} == {"design.kicad_pcb"}
    assert not [one for one in report.findings if one.where.line or not one.where.item]
    assert loaded.at(("stackup", 1, "thickness")).text == "design.kicad_pcb: copper on F.Cu"
    assert report.inputs[0].sha256 == digest(design.folder / "design.kicad_pcb")


@pytest.mark.parametrize("style", reports.text_formats())
def test_every_format_has_a_report_of_a_layout(design: Bench, style: str) -> None:
    done = design.run("check", "design.kicad_pcb", "-p", "edge", "--format", style)
    assert done.code == 3 and "design.kicad_pcb" in done.out and "design.kicad_pcb:0" not in done.out


def test_a_check_without_a_profile_says_what_to_name(design: Bench) -> None:
    done = design.run("check", "design.kicad_pcb")
    assert done.code == 2 and "declares no form factor and no platform, so name the profile" in done.err


@pytest.mark.parametrize(("start", "is_one"), [
    (b"(kicad_pcb", True), (b"<?xml", True), (b"PK\x03\x04", True), (b"schema: 1", False), (b"<<: 1", False),
    (b"", False),
])
def test_layouts_are_known_by_their_content(bench: Bench, start: bytes, is_one: bool) -> None:
    bench.folder.joinpath("one.yaml").write_bytes(start)
    assert is_layout(bench.folder / "one.yaml") is is_one
    assert not is_layout(bench.folder / "none.yaml") and not is_layout(bench.folder)


def test_a_folder_with_a_product_model_is_a_layout(bench: Bench) -> None:
    place = bench.folder / "model" / "matrix"
    place.mkdir(parents=True)
    place.joinpath("matrix").write_text("", encoding="utf-8")
    assert is_layout(bench.folder / "model")
    done = bench.run("check", "model", "-p", "edge")
    assert done.code == 2 and "no board file in this directory" not in done.err


@pytest.mark.parametrize("style", reports.text_formats())
def test_every_report_of_a_layout_has_its_receipt(design: Bench, style: str) -> None:
    done = design.run("check", "design.kicad_pcb", "-p", "edge", "--select", "STK", "--format", style)
    text = " ".join(done.out.replace("\\", "").split())
    for said in ("4 copper layers, sheets of 1.56 mm, 1.6 mm declared", "5 nets", "2 parts with 5 pads",
                 "4 straight tracks", "2 vias: 2 through", "2 zones", "1 gr_text on copper"):
        assert said in text, (style, said)


def test_the_smallest_figures_of_the_layout_are_judged(bench: Bench) -> None:
    thin = '  (segment (start 160 100) (end 170 100) (width 0.09) (layer "B.Cu") (net 1))\n'
    via = '  (via (at 165 110) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net 1))\n'
    micro = '  (via micro (at 165 115) (size 0.2) (drill 0.1) (layers "F.Cu" "In1.Cu") (net 1))\n'
    bench.put("design.kicad_pcb", drawn_board(more=thin + via + micro))
    loaded = api.load("design.kicad_pcb")
    found = {one.subject.rpartition(".")[2]: one for one in api.check(loaded, "edge").findings
             if one.subject.startswith("fabrication.smallest")}
    assert found.pop("hole_to_copper").status == "pass", "ground vias stand in their own plane"
    assert {key: (one.rule, one.status, round(one.measured.value * 1e6, 3)) for key, one in found.items()} == {
        "outer_width": ("STK009", "fail", 90), "outer_space": ("STK009", "pass", 150), "drill": ("STK010", "pass", 200),
        "ring": ("STK011", "fail", 100)}
    assert (found["outer_width"].where.layer, found["outer_width"].where.item) == (
        "B.Cu", "smallest outer width: GND")
