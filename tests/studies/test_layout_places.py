# SPDX-License-Identifier: MIT
"""Findings about a link that was drawn point to its objects, in the coordinates of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.api import Loaded

DESIGN = Path(__file__).resolve().parent.parent / "data" / "layouts" / "design.kicad_pcb"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """The small design with both nets straight on top, y = 60 and 60.5 mm, and an origin for drills."""
    text = DESIGN.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "(via " not in line and "(net 2))" not in line]
    lines.insert(-1, '  (segment (start 105 60) (end 130 60) (width 0.15) (layer "F.Cu") (net 2))')
    made = "\n".join(lines).replace("(setup", "(setup (aux_axis_origin 100 80) (grid_origin 0 0)", 1)
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "design.kicad_pcb").write_text(made, encoding="utf-8")
    overlay = "schema: 1\nlinks: {tx: {standard: pcie3, nets: TX_P}}\n"
    (folder / "design.overlay.yaml").write_text(overlay, encoding="utf-8")
    return api.load(str(folder / "design.kicad_pcb"), "design.kicad_pcb")


def test_a_stretch_has_its_middle_its_layer_and_its_nets(loaded: Loaded) -> None:
    where = loaded.at(("links", "tx", "path", 1, "trace", "width"))
    assert (where.file, where.layer, where.nets) == ("design.kicad_pcb", "F.Cu", ("TX_P", "TX_N"))
    assert where.at == pytest.approx((117.5e-3, 60e-3))
    assert where.origins == (("drill/place origin", pytest.approx((0.1, 0.08))),)
    assert where.from_origins == (("drill/place origin", pytest.approx((17.5e-3, -20e-3))),)
    assert where.spot == "tracks of TX_P, TX_N on F.Cu at (117.5 mm, 60 mm)"


def test_a_part_at_an_end_has_its_reference_and_the_layer_of_its_pads(loaded: Loaded) -> None:
    where = loaded.at(("links", "tx", "path", 0))
    assert (where.parts, where.layer) == (("J1",), "F.Cu") and where.at is not None
    assert loaded.at(("links", "tx")).layer == "F.Cu"


def test_vias_have_the_layer_from_which_the_link_comes(tmp_path: Path) -> None:
    text = DESIGN.read_text(encoding="utf-8").replace(
        '(segment (start 105 60.5) (end 130 60.5) (width 0.15) (layer "F.Cu") (net 3))',
        """(segment (start 105 60.5) (end 112 60.5) (width 0.15) (layer "F.Cu") (net 3))
  (via (at 112 60.5) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net 3))
  (segment (start 112 60.5) (end 122 60.5) (width 0.14) (layer "In2.Cu") (net 3))
  (via (at 122 60.5) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net 3))
  (segment (start 122 60.5) (end 130 60.5) (width 0.15) (layer "F.Cu") (net 3))""")
    (tmp_path / "design.kicad_pcb").write_text(text, encoding="utf-8")
    (tmp_path / "design.overlay.yaml").write_text(
        "schema: 1\nlinks: {tx: {standard: pcie3, nets: TX_P}}\n", encoding="utf-8")
    loaded = api.load(str(tmp_path / "design.kicad_pcb"), "design.kicad_pcb")
    path = loaded.document.get(("links", "tx", "path"))
    vias = [loaded.at(("links", "tx", "path", place)) for place, one in enumerate(path) if "via" in one]
    assert [one.item for one in vias] == ["vias of TX_P and TX_N"] * 2
    assert {one.at: one.layer for one in vias} == {(0.112, 0.06): "F.Cu", (0.122, 0.06): "In2.Cu"}


def test_a_link_and_its_ends_lie_between_their_pads(loaded: Loaded) -> None:
    """The origin of a part, at the pad of TX_P here, may lie anywhere, of a connector even off the board."""
    assert loaded.at(("links", "tx")).at == pytest.approx((0.105, 0.06025))
    assert loaded.at(("links", "tx", "path", 0)).at == pytest.approx((0.105, 0.06025))


def test_a_finding_about_a_gap_points_into_the_gap(loaded: Loaded) -> None:
    """The plane of the design has a void from 105.9 to 111.4 mm under TX_P (its middle as `layout` prints it)."""
    report = api.check(loaded, "edge", api.Options(select=("SIG004",)))
    gaps = [one for one in report.findings if one.status == "fail"]
    assert gaps
    for one in gaps:
        assert one.where.item.startswith("gap under") and one.where.layer == "In1.Cu" and one.where.at is not None
        assert 0.105 < one.where.at[0] < 0.130


def test_a_link_over_a_fill_that_contradicts_its_vias_says_to_fill_it_anew(tmp_path: Path) -> None:
    """A via of another net stands in the stored copper of the plane: gaps are not evaluated, and the reason is told."""
    lines = DESIGN.read_text(encoding="utf-8").splitlines()
    straight = [line for line in lines if "(via " not in line and "(net 2))" not in line]
    straight.insert(-1, '  (segment (start 105 60) (end 130 60) (width 0.15) (layer "F.Cu") (net 2))')
    odd = [*straight[:-1], '  (via (at 125 58) (size 0.5) (drill 0.2) (layers "F.Cu" "B.Cu") (net 4))', straight[-1]]
    (tmp_path / "design.overlay.yaml").write_text(
        "schema: 1\nlinks: {tx: {standard: pcie3, nets: TX_P}}\n", encoding="utf-8")
    told = []
    for text in (straight, odd):
        (tmp_path / "design.kicad_pcb").write_text("\n".join(text), encoding="utf-8")
        report = api.check(api.load(str(tmp_path / "design.kicad_pcb"), "d.kicad_pcb"), "edge",
                           api.Options(select=("SIG004",)))
        told.append([one for one in report.findings if "contradicts" in one.message])
    assert not told[0]
    (found,) = told[1]
    assert found.subject == "links.tx" and found.status == "not-evaluated" and "In1.Cu" in found.message
    assert found.fix == "fill the zones anew and save the layout" and report.exit_code == 3
