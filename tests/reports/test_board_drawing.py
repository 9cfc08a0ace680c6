# SPDX-License-Identifier: MIT
"""The drawing of the board in the page: links by status, pins that lead to findings, no JavaScript needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pcbrules import api, reports
from pcbrules.results.exhibit import BoardDrawing
from pcbrules.results.report import Report

DESIGN = Path(__file__).resolve().parent.parent / "data" / "layouts" / "design.kicad_pcb"


def drawn_report(folder: Path) -> Report:
    """The small design with both nets straight on top over a plane with a void."""
    text = DESIGN.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "(via " not in line and "(net 2))" not in line]
    lines.insert(-1, '  (segment (start 105 60) (end 130 60) (width 0.15) (layer "F.Cu") (net 2))')
    (folder / "design.kicad_pcb").write_text("\n".join(lines), encoding="utf-8")
    overlay = "schema: 1\nlinks: {tx: {standard: pcie3, nets: TX_P}}\n"
    (folder / "design.overlay.yaml").write_text(overlay, encoding="utf-8")
    loaded = api.load(str(folder / "design.kicad_pcb"), "design.kicad_pcb")
    return api.check(loaded, "edge", api.Options(select=("SIG004", "MEC")), exhibits=True)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return drawn_report(tmp_path_factory.mktemp("drawn"))


@pytest.fixture(scope="module")
def drawing(report: Report) -> BoardDrawing:
    (found,) = [one for one in report.exhibits if isinstance(one, BoardDrawing)]
    return found


def test_the_drawing_holds_outline_planes_and_the_link(drawing: BoardDrawing) -> None:
    assert {(round(x), round(y)) for x, y in drawing.outline[0]} == {(100, 50), (140, 50), (140, 80), (100, 80)}
    assert [sheet.name for sheet in drawing.sheets if sheet.areas] == ["In1.Cu"]
    (link,) = drawing.links
    assert (link.name, link.status.value, link.holes) == ("tx", "fail", ())
    assert {(layer, round(width, 6)) for layer, width, _ in link.tracks} == {("F.Cu", 0.15)}
    assert "J1" in {name for _, name in link.parts}


def test_a_finding_has_a_pin_and_leads_to_the_drawing(report: Report, drawing: BoardDrawing) -> None:
    gaps = [one for one in report.findings if one.rule == "SIG004" and one.status == "fail"]
    assert gaps and all(drawing.illustrates(one) for one in gaps)
    assert not any(drawing.illustrates(one) for one in report.findings if one.rule == "MEC001")
    assert {pin.at for pin in drawing.pins} == {(one.where.at[0] * 1e3, one.where.at[1] * 1e3)
                                                for one in gaps if one.where.at}


def test_the_page_draws_it_without_a_script_and_with_the_same_bytes(report: Report) -> None:
    page = reports.text("html", [report])
    (svg,) = re.findall(r'<svg class="board".*?</svg>', page, re.DOTALL)
    assert 'class="link fail" stroke-width="15"' in svg and 'class="edge"' in svg
    assert svg.count("<a href=\"#findings\" data-find=\"links.tx.path.run_1") == svg.count("</a>") > 0
    assert '<input type="checkbox" data-layer="l0" checked>' in page
    assert 'href="#layout:drawing"' in page or 'href="#layout_3a_drawing"' in page
    assert page == reports.text("html", [report])
