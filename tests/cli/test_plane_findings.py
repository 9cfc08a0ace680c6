# SPDX-License-Identifier: MIT
"""What planes do under a drawn pair becomes findings of `check`: stitching vias and edges, made layouts."""

from __future__ import annotations

from typing import Any

from cli_bench import Bench
from drawn_board import HEAD
from json_schemas import valid

PLANE = ("(xy 100 50) (xy 180 50) (xy 180 90) (xy 100 90) (xy 100 50) "
         "(xy 129.3 59.4) (xy 129.3 61.4) (xy 130.7 61.4) (xy 130.7 59.4) (xy 129.3 59.4)")
"""Filled copper with an opening for the vias."""

OVERLAY = "schema: 1\nlinks: {tx: {standard: pcie3, nets: TX_P}}\n"


def board(*more: str, plane: str = PLANE) -> str:
    """A pair that goes down in the middle: the plane of F.Cu is In1.Cu, that of B.Cu In2.Cu, both ground."""
    text = HEAD + '(net 0 "") (net 1 "GND") (net 2 "TX_P") (net 3 "TX_N")\n'
    for reference, x, layer in (("J1", 110, "F.Cu"), ("U1", 150, "B.Cu")):
        pads = "".join(f'(pad "{net}" smd rect (at 0 {y}) (size 0.5 0.15) (layers "{layer}") (net {net} "TX_{leg}"))'
                       for net, y, leg in ((2, 0, "P"), (3, 0.8, "N")))
        text += (f'(footprint "l:{reference}" (layer "{layer}") (at {x} 60) (property "Reference" "{reference}") '
                 f'{pads})\n')
    for net, y in ((2, 60), (3, 60.8)):
        for start, end, layer in ((110, 130, "F.Cu"), (130, 150, "B.Cu")):
            text += f'(segment (start {start} {y}) (end {end} {y}) (width 0.15) (layer "{layer}") (net {net}))\n'
        text += f'(via (at 130 {y}) (size 0.5) (drill 0.25) (layers "F.Cu" "B.Cu") (net {net}))\n'
    for layer in ("In1.Cu", "In2.Cu"):
        text += (f'(zone (net 1) (net_name "GND") (layer "{layer}") (hatch edge 0.5) (polygon (pts {plane}))\n'
                 f' (filled_polygon (layer "{layer}") (pts {plane})))\n')
    return text + "\n".join(more) + "\n)\n"


def ground_via(x: float, y: float) -> str:
    return f'(via (at {x} {y}) (size 0.5) (drill 0.25) (layers "F.Cu" "B.Cu") (net 1))'


def found(bench: Bench, text: str) -> list[dict[str, Any]]:
    """Findings of SIG004 about the planes at vias and the edges beside traces."""
    bench.put("b.kicad_pcb", text)
    bench.put("b.overlay.yaml", OVERLAY)
    done = bench.run("check", "b.kicad_pcb", "-p", "edge", "--select", "SIG004", "--format", "json")
    return [one for one in valid(done.out, "report")["findings"] if not one["subject"].endswith(("run_1", "run_2"))]


def test_a_stitching_via_that_is_taken_out_is_missed(bench: Bench) -> None:
    """The via at (133, 64) stands sqrt(3^2 + 4^2) mm from P and nearer to N; 5.08 mm are allowed, and the far one is
    10 mm away.
    """
    far = ground_via(130, 50.5)
    (one,) = found(bench, board(ground_via(133, 64), far))
    assert (one["status"], one["subject"]) == ("pass", "links.tx.path.via1.planes")
    assert one["message"] == "In1.Cu and In2.Cu are joined 5 mm from the signal via"
    (one,) = found(bench, board(far))
    assert (one["status"], one["severity"]) == ("fail", "warning")
    assert one["message"] == "In1.Cu and In2.Cu are joined 10.3 mm from the signal via"
    where = one["where"]
    assert (where["x"], where["y"], where["nets"]) == (130, 60, ["TX_P", "TX_N"])
    (one,) = found(bench, board())
    assert one["status"] == "fail" and one["message"].startswith("nothing joins In1.Cu and In2.Cu")


def test_a_pair_along_the_edge_of_its_plane_is_told(bench: Bench) -> None:
    """The plane ends at y = 59.865: 0.06 mm from the edge of P at 59.925, with heights of 0.11 mm on both layers."""
    plane = ("(xy 100 59.865) (xy 129.3 59.865) (xy 129.3 61.4) (xy 130.7 61.4) (xy 130.7 59.865) (xy 180 59.865) "
             "(xy 180 90) (xy 100 90)")
    edges = [one for one in found(bench, board(ground_via(131, 64), plane=plane)) if "edge" in one["subject"]]
    assert [(one["status"], round(one["measured"], 3), one["where"]["nets"]) for one in edges] == [
        ("fail", round(0.06 / 0.11, 3), ["TX_P"])] * 2


def test_what_was_measured_has_no_slip_of_the_unit(bench: Bench) -> None:
    """An edge 8.7 um away is no slip of the unit where it was drawn; a leg 20 mm off that the overlay gives may be."""
    plane = PLANE.replace("100 50) (xy 180 50) (xy 180 90", "100 59.9163) (xy 180 59.9163) (xy 180 90").replace(
        "(xy 100 50)", "(xy 100 59.9163)")
    bench.put("b.kicad_pcb", board(ground_via(131, 64), plane=plane))
    said = []
    for more in ("", ", path: {run_1: {length_p: 10 mm}}"):
        bench.put("b.overlay.yaml", f"schema: 1\nlinks: {{tx: {{standard: pcie3, nets: TX_P{more}}}}}\n")
        done = bench.run("check", "b.kicad_pcb", "-p", "edge", "--select", "SIG004", "--format", "json")
        tree = valid(done.out, "report")
        said.append(" ".join([*tree["notes"], *(one["message"] for one in tree["findings"])]) + done.err)
    assert "unusual" not in said[0] and "is usual" not in said[0]
    assert "unusual" not in said[1] and "this leg, 10 mm, is 50 % off the trace's length" in said[1]


def test_an_edge_belongs_to_the_stretch_that_runs_along_it(bench: Bench) -> None:
    """The pair leaves F.Cu and comes back; In1.Cu has a notch 50 um beside P of the last stretch, along 5 mm of it."""
    notch = ("(xy 100 50) (xy 142 50) (xy 142 59.875) (xy 147 59.875) (xy 147 50) (xy 180 50) (xy 180 90) (xy 100 90) "
             "(xy 100 50)")
    for x in (120, 130):  # openings for the vias
        corners = ((-0.6, 59.4), (-0.6, 60.9), (0.6, 60.9), (0.6, 59.4), (-0.6, 59.4))
        notch += "".join(f" (xy {x + u} {y})" for u, y in corners) + " (xy 100 50)"
    text = HEAD + '(net 0 "") (net 1 "GND") (net 2 "TX_P") (net 3 "TX_N")\n'
    for reference, x in (("J1", 110), ("U1", 150)):
        pads = "".join(f'(pad "{net}" smd rect (at 0 {y}) (size 0.5 0.15) (layers "F.Cu") (net {net} "TX_{leg}"))'
                       for net, y, leg in ((2, 0, "P"), (3, 0.3, "N")))
        text += f'(footprint "l:{reference}" (layer "F.Cu") (at {x} 60) (property "Reference" "{reference}") {pads})\n'
    for net, y in ((2, 60), (3, 60.3)):
        for start, end, layer in ((110, 120, "F.Cu"), (120, 130, "B.Cu"), (130, 150, "F.Cu")):
            text += f'(segment (start {start} {y}) (end {end} {y}) (width 0.15) (layer "{layer}") (net {net}))\n'
        for x in (120, 130):
            text += f'(via (at {x} {y}) (size 0.3) (drill 0.15) (layers "F.Cu" "B.Cu") (net {net}))\n'
    for layer in ("In1.Cu", "In2.Cu"):
        text += (f'(zone (net 1) (net_name "GND") (layer "{layer}") (hatch edge 0.5) (polygon (pts {notch}))\n'
                 f' (filled_polygon (layer "{layer}") (pts {notch})))\n')
    edges = [one["subject"] for one in found(bench, text + ")\n") if "edge" in one["subject"]]
    assert edges == ["links.tx.path.run_3.edge1"]
