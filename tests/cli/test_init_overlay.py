# SPDX-License-Identifier: MIT
"""`pcbrules init --from`: the overlay of a layout, what it proposes, and that nothing is judged by a proposal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from cli_bench import Bench
from drawn_board import drawn_board, footprint, segment
from real_boards import folder

from pcbrules import api
from pcbrules.layout.layout import NetClass, NetPair
from pcbrules.readers.layout_file import read_layout
from pcbrules.studies.link_proposals import OTHER, link_proposals, patterns_of
from pcbrules.studies.overlay_text import overlay_text

PAIRS = ("PCIE_TX0_", "PCIE_TX1_", "PCIE_CLK_", "USB3_RX_", "USB_D", "LANE_A_")


def capacitor(number: int, net: str, place: int, value: str = "100n") -> str:
    """A capacitor from a net to ground."""
    return (f'  (footprint "lib:c" (layer "F.Cu") (at {120 + 3 * number} 110) (property "Reference" "C{number}") '
            f'(property "Value" "{value}")\n'
            '    (pad "1" smd rect (at 0 0) (size 0.3 0.3) (layers "F.Cu") (net 1 "GND"))\n'
            f'    (pad "2" smd rect (at 1 0) (size 0.3 0.3) (layers "F.Cu") (net {place} "{net}")))\n')


@pytest.fixture
def design(bench: Bench) -> Bench:
    """The folder with a layout of six pairs and a rail."""
    place = 2 * len(PAIRS) + 2
    parts = "".join(capacitor(number, "+3V3", place, "10uF" if number == 3 else "100n") for number in range(1, 4))
    bench.put("design.kicad_pcb", drawn_board(PAIRS, nets=("+3V3",), parts=parts, cut=("USB_D",)))
    return bench


def decided(text: str, *keys: str) -> str:
    """The overlay with the choices of some keys made."""
    for key in keys:
        text, count = re.subn(rf"(?m)^( *)#\? (?={re.escape(key)}: )", r"\1", text)
        assert count == 1, key
    return text


def test_pairs_are_grouped_with_a_proposal_and_its_reason(design: Bench) -> None:
    done = design.run("init", "--from", "design.kicad_pcb")
    text = (design.folder / "design.overlay.yaml").read_text(encoding="utf-8")
    assert done.code == 0 and f"with {len(re.findall('(?m)^ *#[?] ', text))} choices to make" in done.out
    for line in (
        '  #? pcie: {standard: pcie3, nets: "PCIE_TX?_*"}    # 2 pairs: PCI Express by name, or pcie4, pcie5',
        "  #? usb3: {standard: usb3-gen1, nets: USB3_RX_P}    # 1 pair: USB 3 by name, or usb3-gen2",
        "  #? pairs: {standard: pcie3, nets: LANE_A_P}    # 1 pair: the name says no standard, for example "
        "pcie3, usb3-gen1, mipi-dphy",
        "  # a reference clock by name, no standard of the library: PCIE_CLK",
        '  #? FR4: {material: it-180a}    # an example: FR4 is no product; 3 sheets, Dk 4.3, Df 0.02 and Dk 4.5, '
        "Df 0.02 in the layout",
        '  #? "3V3": {net: "+3V3", role: io, load: other, voltage: 3.3 V, current: {sustained: \'? A\', '
        "peak: '? A'}}    "
        "# 2 x 100 nF, 1 x 10 uF",
    ):
        assert line in text.splitlines(), line
    assert "USB_D" not in text, "a net without a track is no pair to check"


def test_nothing_is_judged_by_a_proposal_and_every_choice_can_be_made(design: Bench) -> None:
    before = api.load("design.kicad_pcb")
    design.run("init", "--from", "design.kicad_pcb")
    after = api.load("design.kicad_pcb")
    assert after.overlay is not None and after.document.tree == before.document.tree and after.board == before.board
    path = design.folder / "design.overlay.yaml"
    text = path.read_text(encoding="utf-8").replace("? A", "2 A")
    keys = re.findall(r"(?m)^ *#\? (.+?): ", text)
    path.write_text(decided(text, *keys), encoding="utf-8")
    made = api.load("design.kicad_pcb")
    assert list(made.links) == ["PCIE_TX0", "PCIE_TX1", "usb3", "pairs"] and "3V3" in (made.board.rails or {})
    assert made.unread == ()


def test_every_question_that_is_left_is_told_at_once_with_its_line(design: Bench) -> None:
    design.run("init", "--from", "design.kicad_pcb")
    path = design.folder / "design.overlay.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(decided(text, *re.findall(r"(?m)^ *#\? (.+?): ", text)), encoding="utf-8")
    done = design.run("check", "design.kicad_pcb", "-p", "edge")
    line = text[:text.index("sustained")].count("\n") + 1
    assert done.code == 2 and done.err.count("still a question mark") == 2
    for key in ("sustained", "peak"):
        said = rf"yaml:{line}:\d+: rails.3V3.current.{key}: still a question mark; found '\? A'; fix: write the "
        assert re.search(f"{said}number, such as '1 A'", done.err), done.err


PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "check_a_layout.md").read_text(encoding="utf-8")


def test_the_overlay_of_the_page_is_taken_as_it_stands(bench: Bench) -> None:
    overlay, rails = re.findall(r"(?ms)^```text\n((?:schema|rails):.*?)^```", PAGE)
    drawing = drawn_board(("PCIE_TX0_", "PCIE_TX1_", "USB3_RX_", "USB3_TX_", "CLK_"), nets=("+5V",), parts=(
        footprint("J2", 110, 110, (0, 0, '12 "+5V"'), (0, 3, '1 "GND"'))
        + footprint("Module2", 150, 110, (0, 0, '12 "+5V"'), (0, 3, '1 "GND"'))
        + segment(110, 110, 150, 110, 1.0, '12 "+5V"')))
    bench.put("design.kicad_pcb", drawing.replace("CLK_P", "CLK_A").replace("CLK_N", "CLK_B"))
    bench.put("design.overlay.yaml", overlay.replace("rails: {}\n", rails.replace("J1", "J2")))
    loaded = api.load("design.kicad_pcb")
    assert list(loaded.links) == ["PCIE_TX0", "PCIE_TX1", "USB3_RX", "USB3_TX", "clock"] and loaded.unread == ()
    found = api.check(loaded, "edge", api.Options(select=("CHN001", "PDN006")), fixes=False).findings
    judged = {one.subject for one in found if one.status in ("pass", "marginal", "fail")}
    assert {f"links.{name}" for name in loaded.links} <= judged, found
    assert any(one.startswith("rails.5V.copper") for one in judged), found


def test_an_existing_overlay_is_kept_and_it_lies_beside_its_layout(design: Bench) -> None:
    design.put("design.overlay.yaml", "mine")
    assert design.run("init", "--from", "design.kicad_pcb").code == 2
    assert (design.folder / "design.overlay.yaml").read_text(encoding="utf-8") == "mine"
    (design.folder / "other").mkdir()
    for words in (("other/a.yaml",), ("--profile", "edge"), ("none/a.yaml",)):
        done = design.run("init", "--from", "design.kicad_pcb", *words)
        assert done.code == 2 and "Usage" in done.err
    assert design.run("init", "--from", "design.kicad_pcb", "mine.yaml").code == 0
    assert design.run("init", "--from", "board.yaml", "mine2.yaml").code == 2


def test_a_net_class_names_the_impedance(design: Bench) -> None:
    layout = read_layout("design.kicad_pcb")
    for name, ohms in (("85Ohm-diff_PCIE", 85), ("100R", 100), ("Z90_inner", 90), ("CSI2", None), ("5R", None),
                       ("1000ohm", None)):
        classes = (NetClass("Default"), NetClass(name, patterns=("LANE*",)))
        groups = link_proposals(replace(layout, classes=classes)).groups
        (one,) = (group for group in groups if group.pairs[0].p == "LANE_A_P")
        assert one.impedance == ohms and one.net_class == name, name


def test_patterns_fit_no_other_pair(design: Bench) -> None:
    layout = read_layout("design.kicad_pcb")
    group = next(one for one in link_proposals(layout).groups if one.family.name == "pcie")
    assert patterns_of(group, layout) == ["PCIE_TX?_*"]
    assert OTHER.words == "" and NetPair("PCIE_CLK_P", "PCIE_CLK_N") not in group.pairs


@pytest.mark.parametrize(("name", "most"), [("carrier.kicad_pcb", 20), ("ASM2806_Breakout.kicad_pcb", 20)])
def test_a_public_board_needs_few_choices(name: str, most: int) -> None:
    place = folder()
    if place is None:
        pytest.skip("the folder of real boards is not there")
    (path,) = place.joinpath("kicad").rglob(name)
    text = overlay_text(read_layout(path))
    assert 10 <= len(re.findall(r"(?m)^ *#\? ", text)) <= most


def test_a_standard_without_a_public_budget_says_what_to_write(bench: Bench) -> None:
    """MIPI D-PHY: 4.5 Gbit/s of two levels."""
    bench.put("design.kicad_pcb", drawn_board(("CSI_D0_", "PCIE_TX0_")))
    bench.run("init", "--from", "design.kicad_pcb")
    path = bench.folder / "design.overlay.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("budget: {loss: '? dB', at: 2.25 GHz, source: '?'}") == 1
    assert "MIPI D-PHY 2.1 has no public" in text
    assert not re.search(r"(?m)^ *#[?].*budget", text), "a comment beside the choice"
    path.write_text(decided(text, "mipi"), encoding="utf-8")
    found = [one for one in api.check(api.load("design.kicad_pcb"), "edge").findings if one.rule == "CHN001"]
    assert any("as {loss: '? dB', at: 2.25 GHz, source: '?'}" in one.message for one in found)
    given = decided(text, "mipi").replace("mipi-dphy,", "mipi-dphy, budget: {loss: 3 dB, at: 2.25 GHz, source: mine},")
    path.write_text(given, encoding="utf-8")
    found = [one for one in api.check(api.load("design.kicad_pcb"), "edge").findings if one.rule == "CHN001"]
    assert found and not any("no public loss budget" in one.message for one in found)


def test_a_clock_is_no_lane_of_data(bench: Bench) -> None:
    """Where neither name nor net class says a family it has no standard of the library; that of HDMI is a lane."""
    bench.put("design.kicad_pcb", drawn_board(("CLK_", "HDMI_CLK_", "MCLK2_", "CK0_", "UNLOCKED_", "CLKA_")))
    layout = read_layout("design.kicad_pcb")
    families = {pair.p: one.family.name for one in link_proposals(layout).groups for pair in one.pairs}
    assert families == {"CLK_P": "clock", "HDMI_CLK_P": "hdmi", "MCLK2_P": "clock", "CK0_P": "clock",
                        "UNLOCKED_P": "pairs", "CLKA_P": "pairs"}
    lanes = replace(layout, classes=(NetClass("HDMI", patterns=("CLK_*",)),))
    assert "hdmi" in {one.family.name for one in link_proposals(lanes).groups if one.pairs[0].p == "CLK_P"}
    assert "# a clock by name, no standard of the library: CK0, CLK, MCLK2" in overlay_text(layout)
