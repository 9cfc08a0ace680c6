# SPDX-License-Identifier: MIT
"""`pcbrules import`: the board file of a layout, what it holds, and what is refused."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import Any

import pytest
import yaml
from cli_bench import ROOT, Bench
from drawn_board import drawn_board
from real_boards import folder

from pcbrules import api
from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths, DrawnSeries, DrawnStretch
from pcbrules.extraction.measures import measures
from pcbrules.extraction.pair_gap import GapOnLayer
from pcbrules.extraction.pair_vias import PlaneOpening
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.parts import LayoutPart
from pcbrules.library.shelf import LOADER
from pcbrules.readers.layout_file import read_layout
from pcbrules.readers.readable import readable
from pcbrules.studies.layout_board import LinkWish, board_text
from pcbrules.studies.layout_values import layer_names

DESIGN = ROOT / "tests" / "data" / "layouts" / "design.kicad_pcb"


@pytest.fixture
def design(bench: Bench) -> Bench:
    """The folder with a small KiCad board."""
    shutil.copy(DESIGN, bench.folder / "design.kicad_pcb")
    return bench


def tree(bench: Bench, name: str = "made.yaml") -> Any:
    return yaml.load((bench.folder / name).read_text(encoding="utf-8"), Loader=LOADER)


def test_the_build_up_alone_can_be_judged(design: Bench) -> None:
    done = design.run("import", "design.kicad_pcb", "-o", "made.yaml")
    assert done.code == 0 and done.out.endswith("; next: pcbrules check made.yaml --profile NAME\n")
    assert "`board.platform`" in done.out
    made = tree(design)
    rows = [(one["kind"], one["thickness"]) for one in made["stackup"]]
    assert rows == [("mask", "10 um"), ("copper", "35 um"), ("dielectric", "100 um"), ("copper", "17.5 um"),
                    ("dielectric", "1235 um"), ("copper", "17.5 um"), ("dielectric", "100 um"), ("copper", "35 um"),
                    ("mask", "10 um")]
    assert made["board"]["size"] == {"width": "40 mm", "height": "30 mm"} and "links" not in made
    report = api.check(api.load(str(design.folder / "made.yaml")), "edge")
    assert [one.status for one in report.findings if one.rule == "STK001"]
    assert not any(one.status == "crashed" for one in report.findings)


def test_a_pair_whose_nets_change_layers_differently_is_no_link(design: Bench) -> None:
    done = design.run("import", "design.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_P")
    assert done.code == 2 and not (design.folder / "made.yaml").exists()
    assert "its nets change layers in another order" in done.err


@pytest.mark.parametrize(("wish", "told"), [
    ("tx", "expected NAME=STANDARD:NET"),
    ("tx=pcie33:TX_P", "the library has no such standard"),
    ("tx=pcie3:TX_Q", "no pair of the layout has this net"),
    ("usb=usb3-gen1:USB_D+", "no path from part to part: USB_D+: no pad"),
])
def test_a_wish_that_is_none(design: Bench, wish: str, told: str) -> None:
    done = design.run("import", "design.kicad_pcb", "-o", "made.yaml", "--link", wish)
    assert done.code == 2 and told in done.err and "--link" in done.err
    assert not (design.folder / "made.yaml").exists()


def test_an_existing_file_is_kept(design: Bench) -> None:
    design.put("made.yaml", "mine")
    assert design.run("import", "design.kicad_pcb", "-o", "made.yaml").code == 2
    assert (design.folder / "made.yaml").read_text(encoding="utf-8") == "mine"


def two_legs(design: Bench) -> None:
    """The design with both nets straight on top."""
    text = (design.folder / "design.kicad_pcb").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "(via " not in line and "(net 2))" not in line]
    lines.insert(-1, '  (segment (start 105 60) (end 130 60) (width 0.15) (layer "F.Cu") (net 2))')
    design.put("straight.kicad_pcb", "\n".join(lines))


@pytest.mark.long
def test_a_link_has_the_lengths_that_layout_prints_and_is_judged(design: Bench) -> None:
    two_legs(design)
    done = design.run("import", "straight.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_N")
    assert done.code == 0, done.err
    first, trace, *rest = tree(design)["links"]["tx"]["path"]
    assert first == {"connector": {"name": "J1", "part": "CONN"}} and rest == []
    run = trace["trace"]
    assert (run["layer"], run["width"], run["gap"], run["length_p"], run["length_n"]) == (
        "F.Cu", "150 um", "350 um", "25 mm", "25 mm")
    # the void under both legs is one slit
    assert [one["layer"] for one in run["reference_gaps"]] == ["In1.Cu"]
    report = api.check(api.load(str(design.folder / "made.yaml")), "edge")
    gaps = [one for one in report.findings if one.rule == "SIG004" and one.status == "fail"]
    assert gaps and all(one.subject.startswith("links.tx.") for one in gaps)


def test_a_link_goes_on_behind_its_capacitors(design: Bench) -> None:
    """Either net is cut in the middle by a capacitor of its own; the nets behind have no names of a pair."""
    two_legs(design)
    text = (design.folder / "straight.kicad_pcb").read_text(encoding="utf-8")
    text = text.replace('(net 5 "USB_D-")', '(net 5 "USB_D-") (net 6 "cut6") (net 7 "cut7")', 1)
    for net, far, y in ((2, 6, 60), (3, 7, 60.5)):
        text = text.replace(f"(start 105 {y}) (end 130 {y})", f"(start 105 {y}) (end 115 {y})")
        name = "PN"[net - 2]
        text = text.rstrip().removesuffix(")") + f'''
  (segment (start 116 {y}) (end 130 {y}) (width 0.15) (layer "F.Cu") (net {far}))
  (footprint "lib:c" (layer "F.Cu") (at 115.5 {y}) (property "Reference" "C{net}") (property "Value" "220n")
    (pad "1" smd rect (at -0.5 0) (size 0.2 0.2) (layers "F.Cu") (net {net} "TX_{name}"))
    (pad "2" smd rect (at 0.5 0) (size 0.2 0.2) (layers "F.Cu") (net {far} "cut{far}")))
)'''
    for pin, far, name in (("7", 6, "P"), ("8", 7, "N")):
        head, at, tail = text.partition(f'(pad "{pin}"')
        text = head + at + tail.replace(f'(net {far - 4} "TX_{name}")', f'(net {far} "cut{far}")', 1)
    design.put("cut.kicad_pcb", text)
    done = design.run("import", "cut.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_P")
    assert done.code == 0, done.err
    path = tree(design)["links"]["tx"]["path"]
    assert [next(iter(one)) for one in path] == ["connector", "trace", "capacitor", "trace"]
    assert path[2]["capacitor"] == {"name": "C2", "capacitance": "220 nF"}
    assert [one["trace"]["length_n"] for one in path if "trace" in one] == ["10 mm", "14 mm"]
    api.load(str(design.folder / "made.yaml"))


@pytest.mark.long
def test_a_real_board_is_judged_as_the_one_that_was_written_by_hand(bench: Bench) -> None:
    """Three links of the carrier that boards/real-cm5-sodimm-carrier.yaml holds: impedance and loss, laminate as there.

    By hand the ends of traces lie at the pads' centres, drawn through; here they are straight within the pads.
    """
    place = folder()
    if place is None:
        pytest.skip("the folder of real boards is not there")
    (path,) = place.joinpath("kicad").rglob("carrier.kicad_pcb")
    wishes = ["pcie_tx=pcie3:PCIe_TX_P", "usb3_1_rx=usb3-gen1:USB3-1-RX_P", "csi0_d0=mipi-dphy:dCSI-0_D0_P"]
    done = bench.run("import", str(path), "-o", "made.yaml", *(part for wish in wishes for part in ("--link", wish)))
    assert done.code == 0, done.err
    by_hand = yaml.load((ROOT / "boards" / "real-cm5-sodimm-carrier.yaml").read_text(encoding="utf-8"), Loader=LOADER)
    made = tree(bench)
    for one in by_hand["stackup"]:
        one.pop("fill", None)
    thickness = [(one["kind"], one["thickness"], one.get("role")) for one in made["stackup"]]
    assert thickness == [(one["kind"], one["thickness"], one.get("role")) for one in by_hand["stackup"]]

    def runs(board: Any, link: str) -> list[tuple[str, float, float, float, float]]:
        traces = [step["trace"] for step in board["links"][link]["path"] if "trace" in step]
        return sorted((one["layer"].replace("_", "."), *(float(one[key].split()[0]) for key in ("width", "gap")),
                       float(one["length_p"].split()[0]), float(one["length_n"].split()[0])) for one in traces)

    for link in ("usb3_1_rx", "csi0_d0"):
        mine = runs(made, link)  # behind 0 ohm parts it goes on
        for theirs in runs(by_hand, link):
            assert any(one[0] == theirs[0] and one[1:] == pytest.approx(theirs[1:], abs=0.5, rel=2e-3) for one in mine)


STRANGE = ('a"b', "it's", "F.Cu # x", "a: b", "1e3", "NO", "信号层", "tab\there", "line\nstackup: []", "\u2028x",
           "\x1b[31m", "{x", "- y", "&a *b", "%", "~", "y", "0x1F", "1_000", "12:30", "null", ".inf", "1e3.",
           "DNP #1", "x" * 300)


@pytest.mark.parametrize("name", STRANGE)
def test_no_name_of_a_layout_breaks_the_file(bench: Bench, name: str) -> None:
    """Names of layers, parts, values and nets stay what they are; none makes a line or a key of its own."""
    end = LayoutPart(name, name, name, (0.0, 0.0), 0.0, "top", ())
    layers = tuple(LayoutLayer(one, "copper", thickness=35e-6) for one in (name, "B.Cu"))
    sheet = LayoutLayer("d", "dielectric", thickness=300e-6, material=name, dk=4.2, df=0.02)
    pair = NetPair(f"{name}_P", f"{name}_N")
    layout = Layout(f"{name}.kicad_pcb", "kicad", name, (layers[0], sheet, layers[1]), None, (), (pair.n, pair.p),
                    (end,), (), (), (), (), (pair,))
    stretch = DrawnStretch(layout.pairs[0], name, 10e-3, 10e-3, GapOnLayer(
        name, 1e-4, ((1e-4, 0.02),), 1e-4, 1e-4, 1.0, 10e-3, 10e-3, 0.0, 0.0), (0.0, 0.0))
    path = DrawnPath((end, end), (end, end), (stretch, DrawnSeries("R", (end, end))), layout.pairs)
    made = board_text(layout, measures(layout), [(LinkWish("up", "pcie3"), path)], {name: (name, 0.7)}).text
    text, told = readable(made, "made.yaml")
    assert told == ()
    tree = yaml.load(text, Loader=LOADER)
    assert list(tree) == ["schema", "board", "materials", "stackup", "links"] and len(tree["stackup"]) == 3
    assert tree["links"]["up"]["path"] == [{"trace": tree["links"]["up"]["path"][0]["trace"]}]
    assert tree["stackup"][0]["name"] == tree["links"]["up"]["path"][0]["trace"]["layer"]
    assert not any(sign in text for sign in "\t\u2028\x1b")


def test_two_layers_of_one_name_have_names_of_their_own() -> None:
    layers = tuple(LayoutLayer(one, "copper") for one in ("Top Layer", "Top_Layer", "Top-Layer", "Top Layer", "層"))
    assert layer_names(layers) == ("Top_Layer", "Top_Layer_2", "Top-Layer", "Top_Layer_3", "L5")


def test_a_board_without_build_up_says_what_is_missing(design: Bench) -> None:
    text = (design.folder / "design.kicad_pcb").read_text(encoding="utf-8")
    begin = text.index("(stackup")
    depth = end = 0
    for end in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if not depth:
            break
    design.put("bare.kicad_pcb", text[:begin] + text[end + 1:])
    done = design.run("import", "bare.kicad_pcb", "-o", "made.yaml")
    assert done.code == 0 and "left out as a comment: two copper layers touch" in done.err
    assert sorted(tree(design)) == ["board", "fabrication", "schema"]
    assert "# - {kind: copper, name: F.Cu" in (design.folder / "made.yaml").read_text(encoding="utf-8")
    api.load(str(design.folder / "made.yaml"))


def test_a_link_that_becomes_a_comment_is_3(design: Bench) -> None:
    two_legs(design)
    text = (design.folder / "straight.kicad_pcb").read_text(encoding="utf-8")
    design.put("thin.kicad_pcb", text.replace("(thickness 0.1)", "(thickness 0)"))
    done = design.run("import", "thin.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_N")
    assert done.code == 3 and "links" not in tree(design) and "  # tx:" in (
        design.folder / "made.yaml").read_text(encoding="utf-8").replace("#   tx:", "  # tx:")


def in_pads(design: Bench, via: str) -> None:
    """The straight pair on the bottom, from pads on the top: two vias stand in the middle of each pad."""
    two_legs(design)
    text = (design.folder / "straight.kicad_pcb").read_text(encoding="utf-8")
    lines = [line.replace('"F.Cu"', '"B.Cu"') if "(segment" in line else line for line in text.splitlines()]
    for x in (105, 130):
        lines[-1:-1] = [f"  (via {via.format(x=x, y=60 + leg / 2, net=2 + leg)}" for leg in (0, 1)]
    design.put("pads.kicad_pcb", "\n".join(lines))


def test_vias_in_the_pads_at_the_ends_belong_to_the_path(design: Bench) -> None:
    in_pads(design, '(at {x} {y}) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net {net}))')
    done = design.run("import", "pads.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_P")
    assert done.code == 0, done.err
    made = tree(design)
    assert [one.get("via") for one in made["links"]["tx"]["path"] if "connector" not in one] == [
        {"type": "via_1", "enter": "F.Cu", "leave": "B.Cu"}, None, {"type": "via_1", "enter": "B.Cu", "leave": "F.Cu"}]


def test_a_via_that_does_not_reach_the_layer_is_not_taken(design: Bench) -> None:
    """A microvia nearer to the end of the trace than the hole that the link takes."""
    in_pads(design, 'micro (at {x} {y}) (size 0.3) (drill 0.1) (layers "F.Cu" "In1.Cu") (net {net}))\n'
            '  (via (at {x} {y}) (size 0.4) (drill 0.2) (layers "F.Cu" "B.Cu") (net {net}))')
    done = design.run("import", "pads.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_P")
    assert done.code == 0, done.err
    assert tree(design)["via_types"]["via_1"]["span"] == ["F.Cu", "B.Cu"]


def test_a_change_of_layer_by_two_vias_is_two_steps_of_the_path(design: Bench) -> None:
    in_pads(design, 'blind (at {x} {y}) (size 0.4) (drill 0.2) (layers "F.Cu" "In1.Cu") (net {net}))\n'
            '  (via blind (at {x} {y}) (size 0.4) (drill 0.2) (layers "In1.Cu" "B.Cu") (net {net}))')
    done = design.run("import", "pads.kicad_pcb", "-o", "made.yaml", "--link", "tx=pcie3:TX_P")
    assert done.code == 0
    made = (design.folder / "made.yaml").read_text()
    assert "enter: F.Cu, leave: In1.Cu" in made and "enter: In1.Cu, leave: B.Cu" in made


def test_a_dk_that_no_material_has_is_not_taken(design: Bench) -> None:
    text = (design.folder / "design.kicad_pcb").read_text(encoding="utf-8")
    assert "(epsilon_r 4.3)" in text
    design.put("wrong.kicad_pcb", text.replace("(epsilon_r 4.3)", "(epsilon_r 430)", 1))
    done = design.run("import", "wrong.kicad_pcb", "-o", "made.yaml")
    assert done.code == 0 and "left out" not in done.err
    assert tree(design)["stackup"][2]["material"] == "generic-fr4"
    assert "assumed: the layout gives Dk 430 and Df 0.02, which no material has" in (
        design.folder / "made.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("removed", "pad"), [(" (remove_unused_layers)", None), ("", "0.4 mm")])
def test_an_antipad_within_the_pads_that_are_taken_out_stays(design: Bench, removed: str, pad: str | None) -> None:
    """The plane comes to 0.15 mm of the axis: within the pad of 0.2 mm that only the layers of the traces have."""
    in_pads(design, '(at {x} {y}) (size 0.4) (drill 0.1) (layers "F.Cu" "B.Cu")' + removed + " (net {net}))")
    layout = read_layout(str(design.folder / "pads.kicad_pcb"))
    found = DrawnPaths(layout).of(layout.pairs[0])
    assert isinstance(found, DrawnPath)
    seen = measures(layout)
    near = tuple(tuple(replace(via, openings=(PlaneOpening("In1.Cu", 0.15e-3, 1e-7, 3e-4, 3e-4, 1),)) for via in vias)
                 for vias in seen.vias)
    made = board_text(layout, replace(seen, vias=near), [(LinkWish("tx", "pcie3"), found)], {}).text
    kind = yaml.load(readable(made, "made.yaml")[0], Loader=LOADER)["via_types"]["via_1"]
    assert kind.get("pad") == pad and ("antipad" in kind) == (pad is None)


EXPOSED = """\
  (footprint "lib:q" (layer "F.Cu") (at 150 100) (property "Reference" "U7") (property "Value" "CHIP")
    (pad "9" smd rect (at 0 0) (size 3 3) (layers "F.Cu") (net 1 "GND")))
""" + "".join(f'  (via (at {x} {y}) (size 0.5) (drill 0.25) (layers "F.Cu" "B.Cu") (net 1))\n'
              for x in (149.2, 150, 150.8) for y in (99.2, 100, 100.8))


def test_vias_in_the_pad_of_a_chip_are_thermal_vias_of_the_board(bench: Bench) -> None:
    bench.put("b.kicad_pcb", drawn_board(more=EXPOSED))
    loaded = api.load("b.kicad_pcb")
    assert loaded.board.thermal is not None and loaded.board.thermal.via_arrays is not None
    ((name, one),) = loaded.board.thermal.via_arrays.items()
    assert (name, one.under, int(one.count)) == ("U7_9", "U7", 9)
    assert (one.pitch.value, one.drill.value) == pytest.approx((0.8e-3, 0.25e-3))
    at = loaded.at(("thermal", "via_arrays", name, "pitch"))
    assert at.item == "vias under U7" and at.at == pytest.approx((0.15, 0.1)) and at.parts == ("U7",)
    for given, plating in ((2, 20e-6), (3, 25e-6)):
        bench.put("b.overlay.yaml", f"schema: 1\nlayout: b.kicad_pcb\nfabrication: {{ipc_class: {given}}}\n")
        arrays = (api.load("b.kicad_pcb").board.thermal or one).via_arrays  # type: ignore[union-attr]
        assert arrays[name].plating.value == pytest.approx(plating)
