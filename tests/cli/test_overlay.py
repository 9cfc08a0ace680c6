# SPDX-License-Identifier: MIT
"""The overlay of a layout: what it gives, where its faults are, what cannot be read."""

from __future__ import annotations

import json
import re

import pytest
from cli_bench import Bench
from drawn_board import drawn_board

from pcbrules import api
from pcbrules.errors import InputError
from pcbrules.studies.overlay_words import OverlayWords

OVERLAY = """\
schema: 1
layout: design.kicad_pcb
board: {platform: edge-carrier, form_factor: som-carrier}
stackup:
  FR4: {material: it-180a}
  '*.Cu': {foil: std-ed}
links:
  up: {standard: pcie3, nets: "PCIE_*", segment: add-in-card}
  usb: {standard: usb3-gen1, nets: USB_DP}
rails: {}
"""


@pytest.fixture
def design(bench: Bench) -> Bench:
    """The folder with a layout and its overlay."""
    bench.put("design.kicad_pcb", drawn_board())
    bench.put("design.overlay.yaml", OVERLAY)
    return bench


def problems(design: Bench, text: str) -> list[str]:
    design.put("other.yaml", text)
    with pytest.raises(InputError) as caught:
        api.load("design.kicad_pcb", overlay="other.yaml")
    return [one.text() for one in caught.value.problems]


def test_a_pattern_that_fits_several_pairs_makes_several_links_named_after_the_nets(design: Bench) -> None:
    loaded = api.load("design.kicad_pcb")
    assert list(loaded.links) == ["PCIE_RX0", "PCIE_TX0", "usb"]
    assert loaded.links["PCIE_RX0"].spec.spec.segment == "add-in-card"
    trace = loaded.links["usb"].spec.traces()[0][1]
    assert (trace.length_p.text, trace.gap.text, trace.reference_gaps) == ("40 mm", "150 um", ())
    assert loaded.board.platform is not None and loaded.board.rails == {}
    assert [one.material for one in loaded.board.layers or () if one.kind == "dielectric"] == ["it-180a"] * 3


def test_the_overlay_names_its_layout_and_is_found_beside_it(design: Bench) -> None:
    """The report is the same, whichever of the two is named."""
    common = ("-p", "edge", "--select", "STK", "--format", "json")
    first = design.run("check", "design.kicad_pcb", *common)
    second = design.run("check", "design.overlay.yaml", *common)
    third = design.run("check", "design.kicad_pcb", "--overlay", "design.overlay.yaml", *common)
    assert first.out == second.out == third.out and first.code == 0
    assert '"role": "overlay"' in first.out


def test_what_the_overlay_gives_has_its_line_and_the_rest_its_object(design: Bench) -> None:
    loaded = api.load("design.kicad_pcb")
    assert loaded.at(("links", "PCIE_TX0", "segment")).text == "design.overlay.yaml:8:50"
    assert loaded.at(("links", "PCIE_TX0", "path", 1, "trace", "width")).item == "tracks of PCIE_TX0_P, PCIE_TX0_N"
    assert loaded.at(("stackup", 2, "material")).text == "design.overlay.yaml:5:19"
    assert loaded.at(("stackup", 2)).file == "design.kicad_pcb"
    assert loaded.at(("thermal",)).text == "design.overlay.yaml:1:1"


def test_elements_of_a_path_are_named_by_name_kind_or_layer(design: Bench) -> None:
    path = "path: {J1: {loss: 0.3 dB, at: 4 GHz}, trace: {route_angle: 10 deg}, 'F.*': {bends: 2}}"
    design.put("design.overlay.yaml", OVERLAY.replace("segment: add-in-card", f"segment: add-in-card, {path}"))
    loaded = api.load("design.kicad_pcb")
    for name, given in (("PCIE_RX0", True), ("PCIE_TX0", True), ("usb", False)):
        steps = loaded.links[name].spec.steps
        assert (steps[0].body.loss is not None, steps[1].body.route_angle is not None) == (given, given)
        assert steps[1].body.bends == (2 if given else 0)
    assert loaded.at(("links", "PCIE_TX0", "path", 1, "trace", "route_angle")).line == 8
    assert loaded.at(("links", "PCIE_TX0", "path", 1, "trace")).item == "tracks of PCIE_TX0_P, PCIE_TX0_N"


@pytest.mark.long
def test_a_cure_names_keys_as_the_overlay_has_them(design: Bench) -> None:
    report = api.check(api.load("design.kicad_pcb"), "edge", api.Options(select=("CHN", "SIG")))
    text = " ".join(f"{one.message} {one.fix}" for one in report.findings)
    assert "draw these traces" in text and "`links.PCIE" not in text and not re.search(r"path\[\d", text)
    words = OverlayWords(("F.Mask", "F.Cu"), {".a": ".up"}, {".a": (".J1", "['x y']")}, {".main": {1: ".C1"}})
    for given, said in (
        ("give `stackup[0].material`", "give `stackup['F.Mask'].material`"), ("`stackup[2].fill`", "`stackup[2].fill`"),
        ("`links.a.path[1].trace.width`, `links.a.segment`", "`links.up.path['x y'].width`, `links.up.segment`"),
        ("`links.b.path[0].via`", "`links.b.path[0].via`"), ("links.a is no key", "links.a is no key"),
    ):
        assert words.of(given) == said


def test_what_it_replaces_is_told(design: Bench) -> None:
    told = [one.text() for one in api.load("design.kicad_pcb").warnings if "replaces" in one.message]
    place = "design.overlay.yaml:5:19: warning: stackup.FR4.material"
    assert told == [f"{place}: replaces 'layout-fr4-4p{digit}-0p02' of the layout" for digit in (3, 5)]


@pytest.mark.parametrize(("old", "new", "said"), [
    ('"PCIE_*"', '"PCIe_*"', "other.yaml:8:31: links.up.nets: no pair of the layout has such a net; found 'PCIe_*'; "
     "expected PCIE_RX0_P, PCIE_RX0_N, PCIE_TX0_P, PCIE_TX0_N; fix: `pcbrules layout` lists the pairs"),
    ("USB_DP", '"*_?X0_*"', "other.yaml:9:36: links.usb.nets: the pair is one of links.up already"),
    ("USB_DP", "{p: USB_DP, n: USB_DM}", "other.yaml:9:36: links.usb.nets: the layout has no such net; found 'USB_DM'"),
    ("USB_DP", "GND", "other.yaml:9:36: links.usb.nets: this net belongs to no pair by its name"),
    ("USB_DP", "[3]", "other.yaml:9:37: links.usb.nets[0]: no name of a net; found 3"),
    ("FR4:", "FR5:", "other.yaml:5:3: stackup.FR5: no sheet of the layout has this name or material"),
    ("pcie3", "pcie33", "other.yaml:8:18: links.up.standard: unknown link standard"),
    ("it-180a", "it-180b", "other.yaml:5:19: stackup[2].material: unknown laminate"),
    ("add-in-card", "carrier-board", "other.yaml:8:50: links.PCIE_RX0.segment: no part of PCI Express 3.x for a board "
     "has this name; found 'carrier-board'; expected one of total, board-direct, "),
    ("segment: add-in-card", "segmen: x", "other.yaml:8:41: links.PCIE_RX0.segmen: unknown key"),
    (', nets: "PCIE_*"', "", "other.yaml:8:7: links.up: the link names no nets; expected `nets`: a net or a pattern"),
    ("segment: add-in-card", "path: {J2: {loss: 1 dB}}", "other.yaml:8:48: links.up.path.J2: no element of the path "
     "has this name or kind; found 'J2'; expected J1, connector, run_1, F.Cu, trace"),
    ("rails: {}", "rail: {}", "other.yaml:10:1: rail: unknown key"),
])
def test_a_fault_has_its_line_and_its_cure(design: Bench, old: str, new: str, said: str) -> None:
    text = OVERLAY
    assert text.count(old) == 1
    found = problems(design, text.replace(old, new))
    assert found[0].startswith(said), found


def test_a_link_without_a_path_is_named_and_the_check_is_incomplete(design: Bench) -> None:
    design.put("design.kicad_pcb", drawn_board(cut=("USB_D",)))
    done = design.run("check", "design.kicad_pcb", "-p", "edge", "--format", "json", "--select", "CHN001")
    assert done.code == 3 and '"links.usb"' in done.out and "USB_DP, USB_DN: USB_DP: " in done.out
    (one,) = api.load("design.kicad_pcb").unread
    assert one.where == ("links", "usb", "nets")


def test_a_link_through_a_part_that_is_not_modelled_is_incomplete(design: Bench) -> None:
    """P and N end at resistors of two pads; the nets behind them have no track."""
    parts = "".join(
        f'  (footprint "lib:r" (layer "F.Cu") (at 150.5 {y}) (property "Reference" "R{place}")\n'
        f'    (pad "1" smd rect (at -0.5 0) (size 0.2 0.1) (layers "F.Cu") (net 6 "{net}"))\n'
        f'    (pad "2" smd rect (at 0.5 0) (size 0.2 0.1) (layers "F.Cu") (net {8 + place} "behind{place}")))\n'
        for place, (y, net) in enumerate(((70, "USB_DP"), (70.3, "USB_DN"))))
    text = drawn_board(parts=parts.replace('(net 6 "USB_DN")', '(net 7 "USB_DN")'), nets=("behind0", "behind1"))
    head, at, tail = text.partition('"lib:U1"')
    for net in (6, 7):
        place = tail.index(f'(net {net} "USB_D')
        begin = tail.rindex("(pad", 0, place)
        tail = tail[:begin] + tail[tail.index("\n", place) + 1:]
    design.put("design.kicad_pcb", head + at + tail)
    (one,) = api.load("design.kicad_pcb").unread
    assert one.subject == "links.usb" and one.reason == (
        "its path ends at R0 and R1: the nets behind could not be followed")


@pytest.mark.parametrize(("letter", "value", "kinds", "unread", "told"), [
    ("C", "220n", ["connector", "trace", "capacitor", "trace"], (), ""),
    ("R", "0R", ["connector", "trace", "trace"], (),
     "jumpers of 0 ohm are taken for pieces of the traces: R5 and R6"),
    ("R", "22", ["connector", "trace", "trace"], ("it goes through R5 and R6, which is not modelled",), ""),
    ("FB", "600R", ["connector", "trace", "trace"], ("it goes through FB5 and FB6, which is not modelled",), ""),
])
def test_parts_in_both_legs(
    design: Bench, letter: str, value: str, kinds: list[str], unread: tuple[str, ...], told: str
) -> None:
    design.put("design.kicad_pcb", drawn_board(series={"USB_D": (letter, value)}))
    loaded = api.load("design.kicad_pcb")
    assert [step.kind for step in loaded.links["usb"].spec.steps] == kinds
    assert tuple(one.reason for one in loaded.unread) == unread
    assert [one.message for one in loaded.warnings if "jumper" in one.message] == ([told] if told else [])


def test_parts_in_both_legs_have_the_layer_of_their_pads_and_the_nets_on_either_side(design: Bench) -> None:
    design.put("design.kicad_pcb", drawn_board(series={"USB_D": ("C", "220n")}))
    where = api.load("design.kicad_pcb").at(("links", "usb", "path", 2))
    assert where.spot == "C5 and C6 on F.Cu at (130 mm, 70 mm)" and where.parts == ("C5", "C6")
    assert where.nets == ("USB_DP", "USB_DN", "USB_DP2", "USB_DN2")
    end = api.load("design.kicad_pcb").at(("links", "usb", "path", 0))
    assert (end.layer, end.parts, end.nets) == ("F.Cu", ("J1",), ("USB_DP", "USB_DN"))


def guarded() -> str:
    """The board with two diodes on the pair: one on its tracks, one at the end of a branch of P."""
    parts = (
        '  (footprint "lib:d" (layer "F.Cu") (at 120 70) (property "Reference" "D1")\n'
        '    (pad "1" smd rect (at 0 0) (size 0.2 0.1) (layers "F.Cu") (net 6 "USB_DP"))\n'
        '    (pad "2" smd rect (at 0 0.3) (size 0.2 0.1) (layers "F.Cu") (net 7 "USB_DN")))\n'
        '  (footprint "lib:d" (layer "F.Cu") (at 125 69) (property "Reference" "D2")\n'
        '    (pad "1" smd rect (at 0 0) (size 0.2 0.1) (layers "F.Cu") (net 6 "USB_DP")))\n')
    branch = '  (segment (start 125 70) (end 125 69) (width 0.15) (layer "F.Cu") (net 6))\n'
    return drawn_board(parts=parts, more=branch)


def test_parts_that_are_no_ends_are_asked_for_and_left_out(design: Bench) -> None:
    design.put("design.kicad_pcb", guarded())
    (one,) = api.load("design.kicad_pcb").unread
    assert one.subject == "links.usb" and "4 pads: its ends are open" in one.reason
    assert "(pads of J1, U1, D1, D2); `left_out` names the parts that are no ends" in one.reason
    design.put("design.overlay.yaml", OVERLAY.replace("nets: USB_DP}", "nets: USB_DP, left_out: [D1, D2]}"))
    loaded = api.load("design.kicad_pcb")
    assert not loaded.unread and loaded.links["usb"].spec.traces()[0][1].length_p.text == "40 mm"
    assert any("the capacitance of D1, D2 is open: write it beside the name, as {D1: 0.3 pF}" in one.message
               for one in loaded.warnings)
    loads = [step.body for step in loaded.links["usb"].spec.steps if step.kind == "load"]
    assert [(one.name, one.back.text, one.capacitance) for one in loads] == [
        ("D1", "30 mm", None), ("D2", "25 mm", None)]
    found = api.check(loaded, "edge", api.Options(select=("CHN004",)), fixes=False).findings
    assert [one.status for one in found if one.subject == "links.usb"] == ["not-evaluated"]
    assert "`links.usb.path.D1.capacitance" in next(one.message for one in found if one.subject == "links.usb")
    design.put("design.overlay.yaml", OVERLAY.replace("nets: USB_DP}", "nets: USB_DP, left_out: [D1]}"))
    (one,) = api.load("design.kicad_pcb").unread
    assert "3 pads" not in one.reason and "pads of J1, U1, D1, D2" in one.reason


def test_a_part_that_is_left_out_has_its_capacitance_where_it_stands(design: Bench) -> None:
    """0.3 pF a leg at 30 mm from the end; D2 stands on P alone and counts on both legs."""
    design.put("design.kicad_pcb", guarded())
    design.put("design.overlay.yaml", OVERLAY.replace(
        "nets: USB_DP}", "nets: USB_DP, impedance: 100 ohm, left_out: {D1: 0.3 pF, D2: 0.05 pF}}"))
    loaded = api.load("design.kicad_pcb")
    loads = {step.name: step for step in loaded.links["usb"].spec.steps if step.kind == "load"}
    assert [one.body.capacitance.value for one in loads.values()] == pytest.approx([0.3e-12, 0.05e-12])
    assert loads["D1"].body.back.value == pytest.approx(30e-3, abs=0.1e-3)
    assert loads["D2"].body.back.value == pytest.approx(25e-3, abs=0.1e-3)
    at = loaded.at((*loads["D1"].path, "capacitance"))
    assert (at.file, at.line) == ("design.overlay.yaml", 9) and loaded.at(loads["D1"].path).item == "D1"
    assert not any("is open" in one.message for one in loaded.warnings)


@pytest.mark.parametrize(("given", "said"), [
    ("{D9: 0.3 pF}", "this part has no pad on the nets of the link; found 'D9'; expected J1, U1, D1, D2"),
    ("{D1: 0.3 mm, D2: 1 pF}", "'mm' is a unit of a length, not of a capacitance"),
    ("[D9]", "this part has no pad on the nets of the link; found 'D9'; expected J1, U1, D1, D2"),
    ("D1", "no parts can be read from this"),
    ("[1]", "no parts can be read from this"),
])
def test_a_fault_of_what_is_left_out_has_its_line(design: Bench, given: str, said: str) -> None:
    design.put("design.kicad_pcb", guarded())
    (one,) = problems(design, OVERLAY.replace("nets: USB_DP}", f"nets: USB_DP, left_out: {given}}}"))
    assert one.startswith("other.yaml:9:") and said in one


def test_of_two_pads_of_a_part_the_nearer_one_is_the_end(design: Bench) -> None:
    """As a socket that takes its plug either way up has them."""
    pads = "".join(f'    (pad "B{net}" smd rect (at -2 {y}) (size 0.2 0.1) (layers "F.Cu") (net {net} "{name}"))\n'
                   for net, y, name in ((6, 10, "USB_DP"), (7, 10.3, "USB_DN")))
    track = "".join(f'  (segment (start 108 {y}) (end 110 {y}) (width 0.15) (layer "F.Cu") (net {net}))\n'
                    for y, net in ((70, 6), (70.3, 7)))
    value = '(property "Value" "PART")\n'
    design.put("design.kicad_pcb", drawn_board(more=track).replace(value, value + pads, 1))
    loaded = api.load("design.kicad_pcb")
    assert not loaded.unread and loaded.links["usb"].spec.traces()[0][1].length_p.text == "40 mm"
    assert [one.message for one in loaded.warnings if "several" in one.message] == [
        "of several pads of J1 on a net the nearest is the end: the branch to the others is not modelled"]


def test_an_overlay_may_give_the_whole_build_up(design: Bench) -> None:
    layers = [f"- {{kind: copper, name: {name}, thickness: {thickness}, role: {role}}}" for name, thickness, role in (
        ("F.Cu", "40 um", "signal"), ("In1.Cu", "30 um", "ground"), ("In2.Cu", "30 um", "ground"),
        ("B.Cu", "40 um", "signal"))]
    sheets = [f"- {{kind: dielectric, thickness: {one}, material: it-180a}}" for one in ("90 um", "1 mm", "90 um")]
    rows = "\n".join(row for both in zip(layers, [*sheets, ""], strict=True) for row in both).rstrip()
    head, _, tail = OVERLAY.partition("stackup:\n")
    design.put("design.overlay.yaml", f"{head}stackup:\n{rows}\nlinks:\n{tail.partition('links:')[2].lstrip()}".replace(
        "links:\nup", "links:\n  up"))
    loaded = api.load("design.kicad_pcb")
    assert [one.thickness.text for one in loaded.board.layers or ()][:2] == ["40 um", "90 um"]
    assert loaded.at(("stackup", 0, "thickness")).text == "design.overlay.yaml:5:41"
    assert "replaces the build-up of the layout" in [one.message for one in loaded.warnings]
    design.put("design.kicad_pcb", re.sub(r"  \(setup.*?\)\)\)\n(?=  \(net)", "", drawn_board(), flags=re.DOTALL))
    loaded = api.load("design.kicad_pcb")
    assert len(loaded.links) == 3 and loaded.unread == (), "a layout without a build-up of its own"
    text = (design.folder / "design.overlay.yaml").read_text(encoding="utf-8")
    (told,) = problems(design, text.replace("name: In2.Cu", "name: L3"))
    assert told.startswith("other.yaml:4:1: stackup: the build-up has other copper layers than the layout; found F.Cu")
    design.put("design.overlay.yaml", OVERLAY.partition("stackup:")[0] + OVERLAY[OVERLAY.index("links:"):])
    assert {one.reason for one in api.load("design.kicad_pcb").unread} == {
        "the layout has no build-up: write `stackup` into the overlay, as a list from the top"}


def test_rows_of_a_build_up_may_be_of_materials_of_the_overlay(design: Bench) -> None:
    layers = {"F.Cu": "signal", "In1.Cu": "ground", "In2.Cu": "ground", "B.Cu": "signal"}
    rows = "- {kind: dielectric, thickness: 90 um, material: own}\n".join(
        f"- {{kind: copper, name: {name}, thickness: 35 um, role: {role}}}\n" for name, role in layers.items())
    design.put("design.overlay.yaml", "schema: 1\nmaterials:\n  laminates:\n    own: {name: Own, dk: 3.9, df: 0.01, "
               "at: 5 GHz, source: its maker}\n"
               f"stackup:\n{rows}links:\n  up: {{standard: pcie3, nets: PCIE_TX0_P}}\n")
    loaded = api.load("design.kicad_pcb")
    assert list(loaded.links) == ["up"] and loaded.unread == ()


@pytest.mark.parametrize(("given", "said"), [
    ("../design.kicad_pcb", "this is no layout below the overlay's folder"), ("none.kicad_pcb", "no such file"),
    ("3", "no layout"),
])
def test_an_overlay_names_a_layout_below_its_folder(design: Bench, given: str, said: str) -> None:
    design.put("other.yaml", OVERLAY.replace("design.kicad_pcb", given))
    done = design.run("check", "other.yaml", "-p", "edge")
    assert done.code == 2 and "other.yaml:2:9: layout: " in done.err and said in done.err


def test_an_overlay_of_another_layout_is_told(design: Bench) -> None:
    design.put("copy.kicad_pcb", drawn_board())
    told = [one.text() for one in api.load("copy.kicad_pcb", overlay="design.overlay.yaml").warnings]
    assert told[0] == ("design.overlay.yaml:2:9: warning: layout: used for copy.kicad_pcb, which it does not name; "
                       "found 'design.kicad_pcb'")
    assert not [one for one in api.load("design.kicad_pcb").warnings if "used for" in one.message]


def test_a_board_file_takes_no_overlay(design: Bench) -> None:
    done = design.run("check", "board.yaml", "-p", "edge", "--overlay", "design.overlay.yaml")
    assert done.code == 2 and "an overlay belongs to a layout" in done.err


def test_copper_of_a_link_that_was_not_read_leaves_the_check_incomplete(design: Bench) -> None:
    drawing = '  (gr_line (start 110 60) (end 112 60) (layer "F.Cu") (net {}))\n'
    design.put("design.kicad_pcb", drawn_board(more=drawing.format(6)))
    (one,) = api.load("design.kicad_pcb").unread
    assert (one.subject, one.reason) == ("links.usb", "copper of USB_DP was not read: see the receipt")
    design.put("design.kicad_pcb", drawn_board(more=drawing.format(1)))
    assert api.load("design.kicad_pcb").unread == ()


SUPPLY = """\
  (footprint "lib:r" (layer "F.Cu") (at 110 100) (property "Reference" "L1") (property "Value" "1uH")
    (pad "1" smd rect (at 0 0) (size 1 1) (layers "F.Cu") (net 8 "+5V")))
  (footprint "lib:l" (layer "F.Cu") (at 150 100) (property "Reference" "U2") (property "Value" "CHIP")
    (pad "1" smd rect (at 0 0) (size 1 1) (layers "F.Cu") (net 8 "+5V")))
  (footprint "lib:c" (layer "F.Cu") (at 145 101) (property "Reference" "C1") (property "Value" "10uF/16V")
    (pad "1" smd rect (at 0 0) (size 0.5 0.5) (layers "F.Cu") (net 8 "+5V"))
    (pad "2" smd rect (at 0 2) (size 0.5 0.5) (layers "F.Cu") (net 1 "GND")))
  (segment (start 110 100) (end 150 100) (width 2) (layer "F.Cu") (net 8))
"""
RAIL = """\
rails:
  main: {net: +5V, source: L1, loads: [U2], role: io, load: other, voltage: 5 V, current: {sustained: 2 A, peak: 2 A}}
"""


@pytest.fixture
def supplied(design: Bench) -> Bench:
    """The same with a rail: a trace of 2 mm by 40 mm from an inductor to a chip."""
    design.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=SUPPLY))
    design.put("design.overlay.yaml", OVERLAY.replace("rails: {}\n", RAIL))
    return design


def test_a_rail_that_names_its_net_has_the_copper_that_was_drawn(supplied: Bench) -> None:
    """40 mm less both contacts of 2 mm by 35 um at 70 degC: 19.5 squares of 0.59 mohm, some 11.5 mohm, 23 mV of 5 V."""
    loaded = api.load("design.kicad_pcb")
    rail = (loaded.board.rails or {})["main"]
    assert rail.copper is not None and [sheet.layer for sheet in rail.copper.sheets] == ["F.Cu"]
    assert rail.vrm is not None and rail.vrm.distance is not None and rail.ladder is not None
    assert rail.vrm.distance.value == pytest.approx(39e-3, abs=0.1e-3)
    (bank,) = (step.bank for step in rail.ladder if step.bank)
    assert bank is not None and bank.name == "C1" and bank.rated_voltage is not None and bank.capacitance is not None
    report = api.check(loaded, "edge")
    drop = next(one for one in report.findings if one.rule == "PDN006" and one.subject.endswith(".drop"))
    assert drop.measured is not None and drop.measured.undeclared is not None
    assert drop.measured.undeclared.lo * 5 == pytest.approx(23e-3, rel=0.06)
    assert not any("balls" in one.subject for one in report.findings if one.rule == "STK010"), "a pad has no hole"
    at = drop.where
    assert at.item == "copper of +5V" and at.parts == ("L1",) and at.at == pytest.approx((0.11, 0.1))


@pytest.mark.parametrize(("old", "new", "said"), [
    ("net: +5V", "net: P5V", "rails.main.net: the layout has no such net; found 'P5V'"),
    ("source: L1", "source: L9", "rails.main.source: no such part has a pad on +5V; found 'L9'; expected L1, U2, C1"),
    ("loads: [U2]", "loads: [J1]", "rails.main.loads: no such part has a pad on +5V; found 'J1'"),
])
def test_a_fault_of_a_rail_has_its_line(supplied: Bench, old: str, new: str, said: str) -> None:
    assert said in problems(supplied, OVERLAY.replace("rails: {}\n", RAIL).replace(old, new))[0]


def test_a_capacitor_of_a_drawn_rail_is_named(supplied: Bench) -> None:
    given = RAIL.replace("source:", "ladder: {'C*': {mounted_inductance: 1.1 nH}}, source:")
    assert given != RAIL
    supplied.put("design.overlay.yaml", OVERLAY.replace("rails: {}\n", given))
    loaded = api.load("design.kicad_pcb")
    (bank,) = (step.bank for step in (loaded.board.rails or {})["main"].ladder or () if step.bank)
    assert bank is not None and bank.name == "C1" and bank.mounted_inductance is not None
    assert bank.mounted_inductance.value == pytest.approx(1.1e-9) and bank.distance is not None
    assert loaded.words is not None
    said = loaded.words.of("give `rails.main.ladder[1].bank.mounted_inductance`")
    assert said == "give `rails.main.ladder.C1.mounted_inductance`"
    found = problems(supplied, OVERLAY.replace("rails: {}\n", given.replace("C*", "C9")))
    assert any("rails.main.ladder.C9: no capacitor of the rail has this name; found 'C9'; expected C1" in one
               for one in found)


def test_a_rail_without_parts_leaves_its_copper_open_and_says_so(supplied: Bench) -> None:
    supplied.put("design.overlay.yaml", OVERLAY.replace("rails: {}\n", RAIL.replace("loads: [U2], ", "")))
    loaded = api.load("design.kicad_pcb")
    assert (loaded.board.rails or {})["main"].copper is None
    assert any("the copper of +5V is left open: name the parts, as `loads`" in one.message for one in loaded.warnings)


def test_a_rail_whose_copper_is_apart_is_incomplete(supplied: Bench) -> None:
    board = drawn_board(nets=("+5V",), more=SUPPLY.replace("(end 150 100)", "(end 148 100)"))
    supplied.put("design.kicad_pcb", board)
    (unread,) = api.load("design.kicad_pcb").unread
    assert (unread.subject, unread.reason) == ("rails.main.copper", "no copper joins its source to a load")


def test_a_link_that_cannot_be_read_is_told_of_only_where_a_chosen_rule_needs_links(design: Bench) -> None:
    design.put("design.kicad_pcb", drawn_board(cut=("USB_D",)))
    loaded = api.load("design.kicad_pcb")
    told = {select: [one.rule for one in api.check(loaded, "edge", api.Options(select=select)).findings]
            for select in (("CHN001",), ("STK006",))}
    assert "PCB008" in told["CHN001",] and "PCB008" not in told["STK006",]
    assert design.run("check", "design.kicad_pcb", "-p", "edge", "--select", "CHN001").code == 3


def test_the_receipt_has_a_key_of_its_own(design: Bench) -> None:
    report = json.loads(design.run("check", "design.kicad_pcb", "-p", "edge", "--format", "json").out)
    assert report["receipt"][0].startswith("read of design.kicad_pcb")
    assert set(report["receipt"]) <= set(report["notes"])
