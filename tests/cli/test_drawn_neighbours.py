# SPDX-License-Identifier: MIT
"""What runs beside a drawn link is written into its board file and judged, made layouts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from cli_bench import Bench
from drawn_board import drawn_board
from json_schemas import valid

from pcbrules.api import Loaded, load
from pcbrules.model.link import Neighbour


def beside(net: int, y: float, layer: str = "F.Cu") -> str:
    """A trace of 0.15 mm from x = 115 mm to 135 mm."""
    return f'(segment (start 115 {y}) (end 135 {y}) (width 0.15) (layer "{layer}") (net {net}))\n'


def read(bench: Bench, more: str, nets: str) -> tuple[Neighbour, ...] | None:
    """Neighbours of the first link: N of PCIE_TX0 lies at y = 60.3 mm, 0.11 mm over its plane."""
    bench.put("b.kicad_pcb", drawn_board(("PCIE_TX0_", "PCIE_RX0_", "USB_D"), nets=("IO", "IO2"), more=more))
    bench.put("b.overlay.yaml", f'schema: 1\nlinks: {{tx: {{standard: pcie3, nets: "{nets}"}}}}\n')
    (_, trace), = (load(bench.folder / "b.kicad_pcb").board.links or ())[-1].traces()
    return trace.neighbours


def test_nothing_within_three_heights_is_an_empty_list(bench: Bench) -> None:
    """60.8 mm: 0.35 mm from edge to edge, beyond 3 x 0.11 mm. Ground is no aggressor."""
    assert read(bench, beside(8, 60.8) + beside(1, 60.6), "PCIE_TX0_P") == ()


def test_three_heights_are_counted_in_the_thickness_of_the_overlay(bench: Bench) -> None:
    """60.8 mm: 0.35 mm from edge to edge, beyond 3 x 0.11 mm and within 3 x 0.2 mm; the drawn thickness is told."""
    assert read(bench, beside(8, 60.8), "PCIE_TX0_P") == ()
    bench.put("b.overlay.yaml", 'schema: 1\n'
              'stackup: {"dielectric 1": {thickness: 0.2 mm}, "dielectric 2": {thickness: 1.145 mm}}\n'
              'links: {tx: {standard: pcie3, nets: "PCIE_TX0_P"}}\n')
    loaded = load(bench.folder / "b.kicad_pcb")
    (_, trace), = (loaded.board.links or ())[-1].traces()
    assert [one.spacing and one.spacing.text for one in trace.neighbours or ()] == ["0.35 mm"]
    assert [one.message for one in loaded.warnings if "replaces" in one.message] == [
        "replaces '110 um' of the layout", "replaces '1235 um' of the layout"]


def test_a_single_net_and_a_pair_have_spacing_length_and_no_direction(bench: Bench) -> None:
    (one,) = read(bench, beside(8, 60.6), "PCIE_TX0_P") or ()
    assert (one.spacing and one.spacing.text, one.direction, one.single_ended, one.link) == (
        "0.15 mm", "unknown", True, None)
    assert 0.020 <= one.coupled_length.value < 0.0211
    (pair,) = read(bench, beside(6, 60.6) + beside(7, 60.9), "PCIE_TX0_P") or ()
    assert (pair.spacing and pair.spacing.text, pair.single_ended) == ("0.15 mm", False)


def test_a_trace_on_the_next_layer_without_a_plane_between_leaves_them_open(bench: Bench) -> None:
    bench.put("b.kicad_pcb", drawn_board(("PCIE_TX0_",), nets=("IO",), more=beside(4, 60.1, "In1.Cu")).replace(
        '(zone (net 1) (net_name "GND") (layer "In1.Cu")', '(zone (net 1) (net_name "GND") (layer "B.Cu")').replace(
        '(filled_polygon (layer "In1.Cu")', '(filled_polygon (layer "B.Cu")'))
    bench.put("b.overlay.yaml", "schema: 1\nlinks: {tx: {standard: pcie3, nets: PCIE_TX0_P}}\n")
    (_, trace), = (load(bench.folder / "b.kicad_pcb").board.links or ())[0].traces()
    assert trace.neighbours is None


def test_a_trace_on_the_next_layer_that_lies_beside_has_its_layer_and_spacing(bench: Bench) -> None:
    """61.5 mm: 1.2 mm from N at 60.3 mm, less half of both widths of 0.15 mm."""
    bench.put("b.kicad_pcb", drawn_board(("PCIE_TX0_",), nets=("IO",), more=beside(4, 61.5, "In1.Cu")).replace(
        '(zone (net 1) (net_name "GND") (layer "In1.Cu")', '(zone (net 1) (net_name "GND") (layer "B.Cu")').replace(
        '(filled_polygon (layer "In1.Cu")', '(filled_polygon (layer "B.Cu")'))
    bench.put("b.overlay.yaml", "schema: 1\nlinks: {tx: {standard: pcie3, nets: PCIE_TX0_P}}\n")
    (_, trace), = (load(bench.folder / "b.kicad_pcb").board.links or ())[0].traces()
    (one,) = trace.neighbours or ()
    assert (one.layer, one.spacing and one.spacing.text, one.single_ended) == ("In1.Cu", "1.05 mm", True)


def test_ground_that_does_not_fit_before_a_trace_takes_no_link_with_it(bench: Bench) -> None:
    """A trace 0.3 mm away at y = 60.75 mm, and ground fills 0.2 mm beside both legs of most of the pair."""
    fills = "".join(
        f'(zone (net 1) (net_name "GND") (layer "F.Cu") (hatch edge 0.5) (polygon (pts {box})) '
        f'(filled_polygon (layer "F.Cu") (pts {box})))'
        for box in ("(xy 110 50) (xy 150 50) (xy 150 59.725) (xy 110 59.725)",
                    "(xy 137 60.575) (xy 150 60.575) (xy 150 64) (xy 137 64)",
                    "(xy 110 60.575) (xy 114 60.575) (xy 114 64) (xy 110 64)"))
    bench.put("b.kicad_pcb", drawn_board(("PCIE_TX0_",), nets=("IO",), more=beside(4, 60.8) + fills))
    bench.put("b.overlay.yaml", "schema: 1\nlinks: {tx: {standard: pcie3, nets: PCIE_TX0_P}}\n")
    assert load(bench.folder / "b.kicad_pcb").unread == ()


@pytest.mark.long
def test_either_end_is_judged_and_one_aggressor_counts_once(bench: Bench) -> None:
    """20.6 dB at the near end and some more at the far one would be 17.5 dB together, which one aggressor cannot be."""
    read(bench, beside(8, 60.6), "PCIE_TX0_P")
    done = bench.run("check", "b.kicad_pcb", "-p", "edge", "--select", "SIG005", "--select", "SIG006", "--format",
                     "json")
    found: dict[str, Any] = {one["rule"]: one for one in valid(done.out, "report")["findings"]}
    for rule, way in (("SIG005", "opposite"), ("SIG006", "same")):
        assert f"(1 neighbour in the {way} direction" in found[rule]["message"]
        assert found[rule]["status"] == "not-evaluated" and "both ends" not in found[rule]["message"]


def both_links(bench: Bench, text: str) -> Loaded:
    """The board with the first pair and USB as links; tracks of USB run beside the first pair."""
    bench.put("b.kicad_pcb", text)
    bench.put("b.overlay.yaml", "schema: 1\nlinks: {tx: {standard: pcie3, nets: PCIE_TX0_P}, "
                                "usb: {standard: usb3-gen1, nets: USB_DP}}\n")
    return load(bench.folder / "b.kicad_pcb")


def test_a_neighbour_that_is_a_link_has_its_name(bench: Bench) -> None:
    loaded = both_links(bench, drawn_board(more=beside(6, 60.6) + beside(7, 60.9)))
    tx, usb = loaded.board.links or ()
    (_, trace), = tx.traces()
    assert [one.link for one in trace.neighbours or ()] == ["usb"]
    assert [one.neighbours for _, one in usb.traces()] == [()]


def test_a_link_that_is_lost_takes_no_link_with_it_that_names_it(bench: Bench) -> None:
    """USB is drawn 0.1 um wide at its own place: no reader takes that, and its neighbour has it without its name."""
    text = drawn_board(more=beside(6, 60.6) + beside(7, 60.9))
    text, count = re.subn(r"(\(segment \(start 110 7\S+ \(end 150 7\S+ \(width) 0\.15", r"\1 0.0001", text)
    assert count == 2
    loaded = both_links(bench, text)
    assert [one.subject for one in loaded.unread] == ["links.usb"]
    (tx,) = loaded.board.links or ()
    (_, trace), = tx.traces()
    assert [(one.link, one.spacing and one.spacing.text) for one in trace.neighbours or ()] == [(None, "0.15 mm")]
