# SPDX-License-Identifier: MIT
"""Nets with pads of more than two parts: `init --from` asks for the ends, `check` says which line decides them."""

from __future__ import annotations

import pytest
from cli_bench import Bench
from drawn_board import drawn_board

from pcbrules import api
from pcbrules.readers.layout_file import read_layout
from pcbrules.studies.open_ends import is_no_pair, proposed_loads, what_to_write

OVERLAY = """schema: 1
layout: design.kicad_pcb
links:
  usb: {standard: usb3-gen1, nets: USB3_RX_P}
"""


def hung(*parts: tuple[str, str], pairs: tuple[str, ...] = ("PCIE_TX0_", "USB3_RX_")) -> str:
    """Parts, by reference and value, with a pad on both legs of the second pair."""
    text = "".join(
        f'  (footprint "lib:d" (layer "F.Cu") (at {115 + 5 * place} 65) (property "Reference" "{name}") '
        f'(property "Value" "{value}")\n'
        '    (pad "1" smd rect (at 0 0) (size 0.2 0.1) (layers "F.Cu") (net 4 "USB3_RX_P"))\n'
        '    (pad "2" smd rect (at 0 0.3) (size 0.2 0.1) (layers "F.Cu") (net 5 "USB3_RX_N")))\n'
        for place, (name, value) in enumerate(parts))
    return drawn_board(pairs, parts=text)


@pytest.mark.parametrize(("parts", "asked", "why", "cure"), [
    ((("D1", ""),), "left_out: {D1: '? pF'}",
     "D1 by name no end: capacitance of each leg to ground from the data sheet",
     "write `left_out: [D1]` into `links.usb`, if J1 and U1 are the ends"),
    ((("U7", "TPD4E05U06"), ("TP3", "")), "left_out: {U7: '? pF', TP3: '? pF'}",
     "U7, TP3 by name no ends: capacitance of each leg to ground from the data sheet",
     "write `left_out: [U7, TP3]` into `links.usb`, if J1 and U1 are the ends"),
    ((("U2", "MUX"),), "left_out: ['?']", "two of J1, U1, U2 are the ends: `left_out` names the others",
     "write into `links.usb` `left_out: [U2]` if J1 and U1 are the ends, `left_out: [U1]` if J1 and U2 are the ends, "
     "`left_out: [J1]` if U1 and U2 are the ends"),
    ((("U2", "MUX"), ("R5", "100")), "left_out: ['?']",
     "two of J1, U1, U2, R5 are the ends: `left_out` names the others",
     "two of J1, U1, U2, R5 are the ends: write the others into `links.usb`, as `left_out: [U2, R5]`"),
])
def test_ends_are_asked_for_and_the_line_is_said(
    bench: Bench, parts: tuple[tuple[str, str], ...], asked: str, why: str, cure: str
) -> None:
    bench.put("design.kicad_pcb", hung(*parts))
    bench.run("init", "--from", "design.kicad_pcb")
    (line,) = [one for one in (bench.folder / "design.overlay.yaml").read_text(encoding="utf-8").splitlines()
               if "USB3_RX_P" in one]
    assert line.startswith("  #? usb3: {standard: usb3-gen1, nets: USB3_RX_P, " + asked + "}    # ")
    assert line.endswith(why)
    bench.put("design.overlay.yaml", OVERLAY)
    (found,) = [one for one in api.check(api.load("design.kicad_pcb"), "edge").findings if one.rule == "PCB008"]
    assert found.subject == "links.usb" and found.fix == cure
    line = cure.partition("`left_out")[2].partition("`")[0]
    bench.put("design.overlay.yaml", OVERLAY.replace("USB3_RX_P}", f"USB3_RX_P, left_out{line}}}"))
    made = api.load("design.kicad_pcb")
    assert not made.unread and "usb" in made.links, "what is said decides it"


def test_what_is_left_out_already_stays_in_the_line(bench: Bench) -> None:
    bench.put("design.kicad_pcb", hung(("D1", ""), ("D2", "")))
    bench.put("design.overlay.yaml", OVERLAY.replace("USB3_RX_P}", "USB3_RX_P, left_out: [D1]}"))
    (found,) = api.load("design.kicad_pcb").unread
    assert found.fix == "write `left_out: [D1, D2]` into `links.usb`, if J1 and U1 are the ends"


def test_each_leg_may_have_ends_of_its_own(bench: Bench) -> None:
    """Two coaxial sockets with a diode each: the union of the parts would leave three ends."""
    bench.put("design.kicad_pcb", hung(("D1", ""), ("D2", "")))
    layout = read_layout(bench.folder / "design.kicad_pcb")
    among = (("J2", "U1", "D1"), ("J3", "U1", "D2"))
    assert proposed_loads(layout, among) == ("D1", "D2")
    assert what_to_write(layout, "usb", among, ()) == (
        "write `left_out: [D1, D2]` into `links.usb`, if J2 and U1, J3 and U1 are the ends")
    assert proposed_loads(layout, (("J2", "U1", "D1"), ("J3", "U1", "U2"))) == ()


def test_a_net_with_passive_parts_whose_name_says_no_standard_is_no_pair_to_propose() -> None:
    assert is_no_pair([["Y1", "IC1", "C22"]]) and is_no_pair([["J1", "U1"], ["J1", "R4"]])
    assert not is_no_pair([["U8", "D26", "J22"]])
