# SPDX-License-Identifier: MIT
"""A board of which a link was drawn: its findings point to objects of the layout, the others to the board file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from json_schemas import valid

from pcbrules import api, reports
from pcbrules.api import Loaded
from pcbrules.results.place import Location
from pcbrules.results.report import Report

BOARD = Path(__file__).resolve().parent.parent.parent / "boards" / "jetson-orin-carrier.yaml"
TRACK = Location("carrier.kicad_pcb", item="track of net USB3_TX_P", layer="F.Cu", at=(12e-3, 7.5e-3),
                 origins=(("grid origin", (10e-3, 10e-3)),), nets=("USB3_TX_P",))
NAME = "pcie_l3"
"""A link of which some findings are shown: they fail."""
SHOWN = "track of net USB3_TX_P on F.Cu at (12 mm, 7.5 mm)"


@pytest.fixture(scope="module")
def drawn() -> Loaded:
    loaded = api.load(str(BOARD), "carrier.yaml")
    return replace(loaded, drawn={("links", NAME): TRACK})


@pytest.fixture(scope="module")
def report(drawn: Loaded) -> Report:
    return api.check(drawn, "edge", api.Options(select=("SIG", "STK", "CHN")))


def test_what_a_drawing_gives_is_the_object_and_all_else_a_line(drawn: Loaded) -> None:
    assert drawn.at(("links", NAME, "path", 0)) == TRACK
    assert drawn.at(("stackup",)).line > 1
    assert drawn.at(("links",)).item == ""


def test_findings_of_the_drawn_link_point_to_the_object(drawn: Loaded, report: Report) -> None:
    mine = [f for f in report.findings if f.subject.split(".")[:2] == ["links", NAME]]
    assert mine and all(f.where == TRACK for f in mine)
    assert all(not f.where.item and f.where.line for f in report.findings if f.rule.startswith("STK001"))


@pytest.mark.parametrize("name", ["console", "markdown", "html", "json", "sarif", "junit"])
def test_every_format_shows_the_object(report: Report, name: str) -> None:
    text = reports.text(name, [report], width=160)
    assert "carrier.kicad_pcb" in text
    if name in ("console", "markdown", "html", "sarif"):
        assert SHOWN in " ".join(text.split())
        assert "kicad_pcb:0" not in text


def test_the_json_report_keeps_its_schema_and_has_the_point(report: Report) -> None:
    tree = valid(reports.text("json", [report]), "report")
    places = [f["where"] for f in tree["findings"]]
    assert {"file": "carrier.kicad_pcb", "line": 0, "column": 0, "item": TRACK.item, "layer": "F.Cu",
            "at": [12e-3, 7.5e-3], "nets": ["USB3_TX_P"], "parts": [], "unit": "mm", "x": 12.0, "y": 7.5,
            "from_origins": {"grid origin": [2.0, -2.5]}} in places
    assert any(set(place) == {"file", "line", "column"} for place in places)


def test_sarif_gives_no_region_of_a_drawing(report: Report) -> None:
    results = json.loads(reports.text("sarif", [report]))["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"] for one in results]
    of_drawing = [p for p in places if p["artifactLocation"]["uri"].endswith("kicad_pcb")]
    assert of_drawing and all("region" not in p for p in of_drawing)
    assert all("region" in p for p in places if p not in of_drawing)


def test_sarif_names_nets_and_layer_and_has_the_point_in_its_properties(report: Report) -> None:
    results = json.loads(reports.text("sarif", [report]))["runs"][0]["results"]
    (place, *_) = [one["locations"][0] for one in results if one["locations"][0].get("properties")]
    assert {"name": "USB3_TX_P", "kind": "net"} in place["logicalLocations"]
    assert {"name": "F.Cu", "kind": "layer"} in place["logicalLocations"]
    assert place["properties"] == {"layer": "F.Cu", "unit": "mm", "x": 12.0, "y": 7.5,
                                   "from_origins": {"grid origin": [2.0, -2.5]}}


def test_an_explanation_names_the_object(drawn: Loaded) -> None:
    found = api.explain(drawn, "edge", "SIG001")
    assert any(i.where == TRACK for one in found for i in one.inputs)


def test_a_point_is_shown_in_the_unit_of_its_file() -> None:
    where = Location("b.tgz", item="via of net A", at=(0.0254, -0.05080127), unit="in")
    assert where.spot == "via of net A at (1 in, -2.00005 in)"
    assert where.from_origins == ()
