# SPDX-License-Identifier: MIT
"""A drawn pair too near to another one: the finding stands where it is nearest, the fix draws it further away."""

from __future__ import annotations

import re

from cli_bench import Bench
from drawn_board import drawn_board, segment

from pcbrules import api
from pcbrules.results.finding import Finding

OVERLAY = """schema: 1
layout: design.kicad_pcb
stackup:
  FR4: {material: megtron6}
  copper: {foil: hvlp}
links:
  tx: {standard: pcie5, nets: PCIE_TX0_P, crosstalk_elsewhere: {bound: 80 dB, source: project},
       path: {J1: {loss: 0.3 dB}}}
"""


def near(bench: Bench, apart: float) -> Finding:
    """Both legs of another pair run beside N at 60.3 mm, from 115 to 145 mm; `apart` from edge to edge [mm]."""
    y = 60.3 + 0.15 + apart
    tracks = "".join(segment(115, y + step, 145, y + step, 0.15, net) for step, net in (
        (0.0, '4 "PCIE_RX0_P"'), (0.3, '5 "PCIE_RX0_N"')))
    bench.put("design.kicad_pcb", drawn_board(("PCIE_TX0_", "PCIE_RX0_"), more=tracks))
    bench.put("design.overlay.yaml", OVERLAY)
    (found,) = [one for one in api.check(api.load("design.kicad_pcb"), "training", api.Options(
        select=("SIG005",))).findings if one.rule == "SIG005"]
    return found


def test_the_fix_draws_the_pair_further_away(bench: Bench) -> None:
    found = near(bench, 0.05)
    assert found.status.value == "fail" and found.where.at is not None
    assert found.where.item == "tracks of PCIE_TX0_P, PCIE_TX0_N beside PCIE_RX0_P, PCIE_RX0_N"
    assert 0.1149 < found.where.at[0] < 0.1451 and found.where.at[1] == 0.0603
    said = re.match(
        r"in the layout, on F[.]Cu: draw these traces ([\d.]+) mm from the neighbour, edge to edge, in place of 0[.]05 "
        r"mm along 30[.]\d* mm [(]re-solved: (-[\d.]+) dB", found.fix)
    assert said is not None, found.fix
    after = near(bench, float(said[1]))
    assert after.status.value != "fail" and f"traces {said[2]} dB" in after.message, after.message
