# SPDX-License-Identifier: MIT
"""Ground on the layer of a drawn pair, a plane under a part of the board, and fills that contradict another layer."""

from __future__ import annotations

from typing import Any

import pytest
from cli_bench import Bench
from drawn_board import drawn_board
from json_schemas import valid

from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths
from pcbrules.extraction.plane_sheet import sheets_of
from pcbrules.extraction.reference import references_of_pairs
from pcbrules.extraction.side_ground import side_grounds
from pcbrules.readers.kicad.board import parse_kicad

OVERLAY = "schema: 1\nlinks: {tx: {standard: pcie3, nets: PCIE_TX0_P}}\n"


def fill(layer: str, *corners: tuple[float, float], net: str = "GND") -> str:
    """A filled zone of ground between two corners. [mm]"""
    (x, y), (u, v) = corners
    points = f"(xy {x} {y}) (xy {u} {y}) (xy {u} {v}) (xy {x} {v})"
    return (f'(zone (net 1) (net_name "{net}") (layer "{layer}") (hatch edge 0.5) (polygon (pts {points}))\n'
            f' (filled_polygon (layer "{layer}") (pts {points})))\n')


def beside(near: float, far: float, end: float = 150.0) -> str:
    """Ground above and below the first pair, whose outer edges are at y = 59.925 and 60.375, by space and end. [mm]"""
    return (fill("F.Cu", (110, 57), (end, 59.925 - near)) + fill("F.Cu", (110, 60.375 + far), (end, 64)))


def made(bench: Bench, text: str) -> str:
    """The line of the trace in the board file of a layout."""
    bench.put("b.kicad_pcb", text)
    (bench.folder / "made.yaml").unlink(missing_ok=True)
    assert bench.run("import", "b.kicad_pcb", "--link", "tx=pcie3:PCIE_TX0_P", "-o", "made.yaml").code == 0
    line, = (one for one in (bench.folder / "made.yaml").read_text().splitlines() if "trace:" in one)
    return line


def impedance(bench: Bench, text: str) -> dict[str, Any]:
    """The finding on the impedance of the trace."""
    bench.put("b.kicad_pcb", text)
    bench.put("b.overlay.yaml", OVERLAY)
    done = bench.run("check", "b.kicad_pcb", "-p", "edge", "--select", "SIG001", "--format", "json")
    found: list[dict[str, Any]] = valid(done.out, "report")["findings"]
    return next(one for one in found if one["subject"] == "links.tx.path.run_1")


def space(text: str) -> float | None:
    """The space that is found beside the pair; zero where no ground is. [m]"""
    layout = parse_kicad(text.encode(), "b.kicad_pcb")
    path = DrawnPaths(layout).of(layout.pairs[0])
    assert isinstance(path, DrawnPath)
    planes = dict(zip(layout.pairs, references_of_pairs(layout, sheets_of(layout)), strict=True))
    found = [*side_grounds(layout, [path], planes).values()]
    return found[0].space if found else 0.0


@pytest.mark.parametrize(("near", "far", "end", "wanted"), [
    (0.1, 0.1, 150.0, 100e-6), (0.1, 0.12, 150.0, 100e-6), (0.1, 0.25, 150.0, None), (0.1, 0.1, 125.0, None),
    (0.35, 0.35, 150.0, 0.0), (0.06, 0.06, 150.0, None),
], ids=["both sides", "nearer side", "one side", "a part", "three heights away", "room between the legs"])
def test_ground_beside_a_pair_is_read(near: float, far: float, end: float, wanted: float | None) -> None:
    """The plane is 110 um below: ground 350 um away is no longer seen. Nobody looks for ground in a gap of 150 um that
    has room for it.
    """
    assert space(drawn_board(["PCIE_TX0_"], more=beside(near, far, end))) == (
        wanted if not wanted else pytest.approx(wanted, abs=1e-9))


def test_ground_beside_a_pair_is_written(bench: Bench) -> None:
    assert "coplanar: {gap: 100 um}" in made(bench, drawn_board(["PCIE_TX0_"], more=beside(0.1, 0.1)))
    assert "ground beside a part or one side of it is not modelled" in made(
        bench, drawn_board(["PCIE_TX0_"], more=beside(0.1, 0.1, 125.0)))


@pytest.mark.long
def test_ground_beside_a_pair_lowers_its_impedance(bench: Bench) -> None:
    bare, near = (impedance(bench, drawn_board(["PCIE_TX0_"], more=more))
                  for more in ("", beside(0.1, 0.1)))
    assert near["measured"] < bare["measured"] - 3
    assert any("ground beside the trace" in one for one in near["assumptions"])


def split_board(*more: str) -> str:
    """The board without its plane, but for what is given."""
    text = drawn_board(["PCIE_TX0_"], more="".join(more))
    start = text.index('  (zone (net 1) (net_name "GND") (layer "In1.Cu")')
    return text[:start] + text[text.index("(filled_polygon", start):].partition("\n")[2]


@pytest.mark.long
def test_a_plane_under_the_links_alone_is_their_plane(bench: Bench) -> None:
    """Ground on a tenth of In1.Cu, all of it where the pair runs, and a whole plane on In2.Cu."""
    whole = fill("In2.Cu", (100, 50), (180, 130))
    local = impedance(bench, split_board(fill("In1.Cu", (108, 56), (152, 64)), whole))
    far = impedance(bench, split_board(fill("In1.Cu", (108, 80), (152, 88)), whole))
    assert local["measured"] == pytest.approx(impedance(bench, drawn_board(["PCIE_TX0_"]))["measured"], rel=1e-6)
    assert far["measured"] > 1.2 * local["measured"]


def test_a_fill_that_contradicts_another_layer_leaves_the_planes_of_a_pair_known(bench: Bench) -> None:
    via = '(via (at 160 120) (size 0.5) (drill 0.25) (layers "{0}" "{1}") (net 2))'
    assert "reference_gaps" in made(bench, drawn_board(
        ["PCIE_TX0_"], more=fill("B.Cu", (155, 115), (165, 125)) + via.format("In2.Cu", "B.Cu")))
    assert "planes unknown" in made(bench, drawn_board(["PCIE_TX0_"], more=via.format("F.Cu", "In1.Cu")))
