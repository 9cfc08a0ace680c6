# SPDX-License-Identifier: MIT
"""Small hand-written boards."""

from __future__ import annotations

from pcbrules.layout.layout import Layout
from pcbrules.readers.kicad.board import parse_kicad

LAYERS = ('(layers (0 "F.Cu" signal) (4 "In1.Cu" power "GND plane") (6 "In2.Cu" signal) (2 "B.Cu" signal)'
          ' (25 "Edge.Cuts" user))')

STACKUP = """(stackup
  (layer "F.Mask" (type "Top Solder Mask") (thickness 0.01) (epsilon_r 3.3))
  (layer "F.Cu" (type "copper") (thickness 0.035))
  (layer "dielectric 1" (type "prepreg") (thickness 0.1) (material "2116") (epsilon_r 4.3) (loss_tangent 0.02))
  (layer "In1.Cu" (type "copper") (thickness 0.0175))
  (layer "dielectric 2" (type "core") (thickness 1 locked) (material "FR4") (epsilon_r 4.5) (loss_tangent 0.02)
    addsublayer (thickness 0.2) (material "1080") (epsilon_r 4) (loss_tangent 0))
  (layer "In2.Cu" (type "copper") (thickness 0.0175))
  (layer "dielectric 3" (type "prepreg") (thickness 0.1) (material "2116") (epsilon_r 4.3) (loss_tangent 0.02))
  (layer "B.Cu" (type "copper") (thickness 0.035))
  (layer "B.Mask" (type "Bottom Solder Mask") (thickness 0.01))
  (copper_finish "ENIG") (dielectric_constraints no))"""

EDGE = '(gr_rect (start 0 0) (end 50 40) (layer "Edge.Cuts"))'


def board(*objects: str, version: int = 20241229, stackup: str = STACKUP, nets: str = '(net 0 "") (net 1 "GND")',
          layers: str = LAYERS, thickness: str = "1.525", edge: str = EDGE) -> str:
    """The text of a board of four copper layers with these objects."""
    setup = f"(setup {stackup})" if stackup else "(setup)"
    return "\n".join((f"(kicad_pcb (version {version}) (generator \"pcbnew\")", f"(general (thickness {thickness}))",
                      layers, setup, nets, edge, *objects, ")", ""))


def read(*objects: str, **given: object) -> Layout:
    """The layout of such a board."""
    return parse_kicad(board(*objects, **given).encode(), "small.kicad_pcb")  # type: ignore[arg-type]
