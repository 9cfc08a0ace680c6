# SPDX-License-Identifier: MIT
"""Rails of a layout, from the file to the finding: small drawings with known answers."""

from __future__ import annotations

import math

import pytest
from cli_bench import Bench
from drawn_board import drawn_board
from real_boards import folder

from pcbrules import api
from pcbrules.results.finding import Finding

SQUARE = 1.7241e-8 * (1 + 0.00393 * 50) / 35e-6
"""Of 35 um at 70 degC, the temperature of planes of the profile `edge`. [ohm]"""

OPTIONS = api.Options(select=("PDN006",))

OVERLAY = """\
schema: 1
layout: design.kicad_pcb
board: {platform: edge-carrier, form_factor: som-carrier}
stackup:
  FR4: {material: it-180a}
  '*.Cu': {foil: std-ed}
links: {}
rails:
  main: {net: +5V, source: L1, loads: [U2], role: io, load: other, voltage: 5 V, current: {sustained: 2 A, peak: 2 A}}
"""


def footprint(
    name: str, x: float, y: float, *pads: tuple[float, float, str], size: float = 1.0, value: str = ""
) -> str:
    """A part on top with square pads: place from the part's own, and net as `8 "+5V"`."""
    shapes = "".join(f'    (pad "{pin}" smd rect (at {u} {v}) (size {size} {size}) (layers "F.Cu") (net {net}))\n'
                     for pin, (u, v, net) in enumerate(pads, 1))
    return (f'  (footprint "lib:f" (layer "F.Cu") (at {x} {y}) (property "Reference" "{name}") '
            f'(property "Value" "{value}")\n{shapes}  )\n')


def segment(x: float, y: float, u: float, v: float, width: float, net: str = '8 "+5V"', layer: str = "F.Cu") -> str:
    return f'  (segment (start {x} {y}) (end {u} {v}) (width {width}) (layer "{layer}") (net {net.split()[0]}))\n'


def checked(bench: Bench, drawing: str, overlay: str = OVERLAY) -> dict[str, Finding]:
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=drawing))
    bench.put("design.overlay.yaml", overlay)
    return {one.subject: one for one in api.check(api.load("design.kicad_pcb"), "edge", OPTIONS).findings}


def test_a_thin_trace_aslant_has_its_resistance(bench: Bench) -> None:
    """A trace of 0.12 mm, 40 mm to the right and 15 mm down: 42.7 mm less 0.5 mm at each pad, over 0.12 mm."""
    found = checked(bench, footprint("L1", 110, 90, (0, 0, '8 "+5V"'), size=0.6)
                    + footprint("U2", 150, 105, (0, 0, '8 "+5V"'), size=0.6) + segment(110, 90, 150, 105, 0.12))
    drop, neck = found["rails.main.copper.drop"].measured, found["rails.main.copper.neck"].measured
    assert drop is not None and drop.undeclared is not None and neck is not None
    squares = (math.hypot(40, 15) - 0.6) / 0.12
    assert drop.undeclared.lo * 5 == pytest.approx(2 * squares * SQUARE, rel=0.01)
    assert "0.12 mm wide" in found["rails.main.copper.neck"].message


@pytest.mark.long
@pytest.mark.parametrize(("file", "overlay", "milliohm"), [
    ("KaiPereira+SODIMM-CM5-Carrier/PCB_CARRIER/carrier.kicad_pcb", "source: Module2, loads: [U1, U2, U4, U3]", 20.2),
    ("will127534+PCIe3_Hub/ASM2806_Breakout.kicad_pcb", "source: U3, loads: [U4]", 7.66),
])
def test_the_3v3_of_two_public_boards_is_judged(bench: Bench, file: str, overlay: str, milliohm: float) -> None:
    """Thin traces over a whole board, and a plane with 29 cut-outs: not solvable on a grid of a practical size."""
    place = folder()
    if place is None:
        pytest.skip("the real boards are not beside the checkout")
    bench.put("design.kicad_pcb", (place / "kicad" / file).read_text(encoding="utf-8"))
    bench.put("design.overlay.yaml", 'schema: 1\nlayout: design.kicad_pcb\nrails:\n  "3V3": {net: "+3V3", '
              f"{overlay}, role: io, load: other, voltage: 3.3 V, current: {{sustained: 1 A, peak: 1 A}}}}\n")
    report = api.check(api.load("design.kicad_pcb"), "edge", OPTIONS)
    drop = next(one.measured for one in report.findings if one.subject.endswith(".drop"))
    assert drop is not None and drop.undeclared is not None
    assert drop.undeclared.lo * 3.3 == pytest.approx(milliohm * 1e-3, rel=0.02)
