# SPDX-License-Identifier: MIT
"""A pair over a cut-out of its next plane has the plane behind it: what was drawn counts, not the role of a layer."""

from __future__ import annotations

import pytest
from cli_bench import Bench
from drawn_board import PLANE, drawn_board

from pcbrules import api
from pcbrules.errors import InputError
from pcbrules.results.finding import Finding, Status

OVERLAY = """\
schema: 1
layout: design.kicad_pcb
fabrication: {class: standard}
stackup: {FR4: {material: it-180a}, '*.Cu': {foil: std-ed}, mask: {material: psr-4000-bn}}
links: {tx: {standard: pcie3, nets: PCIE_TX0_P}, rx: {standard: pcie3, nets: PCIE_RX0_P}}
rails: {}
"""
HALVES = ("(xy 100 50) (xy 180 50) (xy 180 57) (xy 100 57)", "(xy 100 63) (xy 180 63) (xy 180 130) (xy 100 130)")
"""The plane of In1.Cu without 6 mm under the tx pair, which lies at y = 60 mm."""
BEHIND = f"""  (zone (net 1) (net_name "GND") (layer "In2.Cu") (hatch edge 0.5) (polygon (pts {PLANE}))
    (filled_polygon (layer "In2.Cu") (pts {PLANE})))
"""


def judged(bench: Bench, more: str, *, cut: bool = True) -> tuple[api.Loaded, dict[tuple[str, str], Finding]]:
    text = drawn_board(("PCIE_TX0_", "PCIE_RX0_"), more=more)
    whole = f'(filled_polygon (layer "In1.Cu") (pts {PLANE}))'
    assert whole in text
    if cut:
        text = text.replace(whole, " ".join(f'(filled_polygon (layer "In1.Cu") (pts {half}))' for half in HALVES))
    bench.put("design.kicad_pcb", text)
    bench.put("design.overlay.yaml", OVERLAY)
    loaded = api.load("design.kicad_pcb")
    report = api.check(loaded, "edge", api.Options(select=("SIG001", "SIG004")))
    return loaded, {(one.rule, one.subject): one for one in report.findings}


def planes(loaded: api.Loaded, link: str) -> object:
    trace, = (one["trace"] for one in loaded.document.get(("links", link, "path")) if "trace" in one)
    return trace.get("planes")


def ohms(found: Finding) -> float:
    return float(found.message.split(" ohm", 1)[0])


def test_the_plane_behind_a_cut_out_gives_the_impedance(bench: Bench) -> None:
    """110 um to In1.Cu, 1362.5 um to In2.Cu: a pair of 0.15 mm with a gap of 0.15 mm goes from 98 to about 140 ohm."""
    loaded, found = judged(bench, BEHIND)
    assert (planes(loaded, "tx"), planes(loaded, "rx")) == (["In2.Cu"], None)
    tx, rx = (found["SIG001", f"links.{link}.path.run_1"] for link in ("tx", "rx"))
    assert ohms(rx) == pytest.approx(97.6, rel=0.03) and 1.3 * ohms(rx) < ohms(tx) < 1.6 * ohms(rx)
    _, whole = judged(bench, BEHIND, cut=False)
    assert ohms(whole["SIG001", "links.tx.path.run_1"]) == pytest.approx(ohms(rx), rel=1e-3)


def test_a_pair_without_a_plane_is_not_judged_by_that_of_the_stackup(bench: Bench) -> None:
    loaded, found = judged(bench, "")
    assert (planes(loaded, "tx"), planes(loaded, "rx")) == ([], None)
    for rule in ("SIG001", "SIG004"):
        own = [one for (name, subject), one in found.items() if name == rule and subject.startswith("links.tx")]
        assert own and all(one.status == Status.NOT_EVALUATED for one in own), rule
        assert any("no reference plane" in one.message for one in own), rule


def test_a_short_way_over_its_own_antipads_is_left_to_the_stackup(bench: Bench) -> None:
    """All of a way of 0.8 mm lies within the openings of its pads: what is behind them says nothing of its plane."""
    pads = "".join(f'''  (footprint "lib:{name}" (layer "F.Cu") (at {x} 80) (property "Reference" "{name}")
    (pad "1" smd rect (at 0 0) (size 0.3 0.2) (layers "F.Cu") (net {{p}} "A_P"))
    (pad "2" smd rect (at 0 0.3) (size 0.3 0.2) (layers "F.Cu") (net {{n}} "A_N")))
''' for name, x in (("U5", 120), ("U6", 120.8)))
    ways = "".join(f'  (segment (start 120 {y}) (end 120.8 {y}) (width 0.15) (layer "F.Cu") (net {net}))\n'
                   for y, net in ((80, "{p}"), (80.3, "{n}")))
    text = drawn_board(("PCIE_TX0_",), nets=("A_P", "A_N"), more=(pads + ways).replace("{p}", "4").replace("{n}", "5"))
    hole = "(xy 119 79.5) (xy 121.8 79.5) (xy 121.8 80.8) (xy 119 80.8) (xy 119 79.5)"
    whole = f'(filled_polygon (layer "In1.Cu") (pts {PLANE}))'
    ring = f'(filled_polygon (layer "In1.Cu") (pts {PLANE} (xy 100 50) {hole} (xy 100 50)))'
    bench.put("design.kicad_pcb", text.replace(whole, ring))
    bench.put("design.overlay.yaml", OVERLAY.split("links:")[0] + "links: {a: {standard: pcie3, nets: A_P}}\n")
    assert planes(api.load("design.kicad_pcb"), "a") is None


def test_the_plane_of_a_trace_is_a_copper_layer_and_not_its_own(bench: Bench) -> None:
    loaded, _ = judged(bench, BEHIND)
    at = ("links", "tx", "path", 1, "trace", "planes")
    for plane, says in (("In9.Cu", "In9.Cu"), ("F.Cu", "this is the trace's own layer")):
        with pytest.raises(InputError, match=says):
            api.resolve(loaded.document.edited(at, [plane]))
