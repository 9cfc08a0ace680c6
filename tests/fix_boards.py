# SPDX-License-Identifier: MIT
"""A small board that passes, and faults of it: what a fix is compared with exhaustive search on."""

from __future__ import annotations

BOARD = """\
schema: 1
board: {name: small, platform: hgx-h100-baseboard, form_factor: sxm-baseboard}
fabrication: {class: advanced, impedance_control: {tolerance: 5 %, coupon: true}}
materials:
  laminates:
    lowtg: {name: a cheap one, class: standard, family: epoxy, dk: 4.2, df: 0.02, at: 1 GHz, source: test,
      thermal: {tg: [{value: 120 degC, method: DSC, source: test, confidence: seen}]}}
stackup:
- {kind: copper, name: L1, thickness: 40 um, base_weight: 0.5 oz, role: signal, foil: hvlp2, bond: low-etch}
- {kind: dielectric, thickness: 100 um, material: megtron7n, form: prepreg, glass: '1078', plies: 1}
- {kind: copper, name: L2, thickness: 30 um, base_weight: 1 oz, role: ground, foil: hvlp2, bond: low-etch}
- {kind: dielectric, thickness: 127 um, material: megtron7n, form: core, glass: '1078'}
- {kind: copper, name: L3, thickness: 15 um, base_weight: 0.5 oz, role: signal, foil: hvlp2, bond: low-etch}
- {kind: dielectric, thickness: 127 um, material: megtron7n, form: prepreg, glass: '1035', plies: 2}
- {kind: copper, name: L4, thickness: 70 um, base_weight: 2 oz, role: ground, foil: hvlp2, bond: low-etch}
- {kind: dielectric, name: C4-5, thickness: 800 um, material: megtron6, form: core, glass: '2116'}
- {kind: copper, name: L5, thickness: 70 um, base_weight: 2 oz, role: power, foil: hvlp2, bond: low-etch}
- {kind: dielectric, thickness: 127 um, material: megtron6, form: prepreg, glass: '1080', plies: 2}
- {kind: copper, name: L6, thickness: 40 um, base_weight: 0.5 oz, role: ground, foil: hvlp2, bond: low-etch}
via_types:
  fast:
    span: [L1, L6]
    kind: through
    drill: 0.25 mm
    plating: 25 um
    pad: 0.46 mm
    antipad: {shape: oval, width: 0.8 mm, length: 1.6 mm}
    pitch: 0.8 mm
    return_vias: {count: 2, distance: 0.7 mm, sides: 2}
    fill: resin
    # the drill stops here
    backdrill: {side: bottom, must_not_cut: used-layer, residual: 4 mil, tolerance: 2 mil, datum: target-layer,
      diameter: 0.45 mm}
links:
  up:
    standard: nvlink4
    lanes: 4
    impedance: 100 ohm
    budget: {loss: 8 dB, at: 26.5625 GHz, source: a target}
    path:
    - via: {name: a, type: fast, enter: L1, leave: L3}
    - trace: {name: run, layer: L3, width: 4.8 mil, top_width: 4.5 mil, gap: 7.2 mil, length: 3 in, bends: 0,
        route_angle: 10 deg, length_p: 3 in, length_n: 2.999 in, lane_lengths: {min: 2.5 in, max: 3 in},
        reference_gaps: [], neighbours: []}
    - via: {name: b, type: fast, enter: L3, leave: L1}
rails:
  core:
    role: core
    load: switch
    voltage: 0.85 V
    tolerance: {dc: 1 %, ac: 3 %}
    current: {sustained: 50 A, peak: 60 A, step: 20 A, idle: 10 A, slew: 100 A/us}
    planes: [L5]
    vrm: {phases: 4, resistance: 100 uohm, inductance: 0.5 nH, phase_inductance: 150 nH, distance: 20 mm,
      rated_continuous: 120 A, rated_peak: 160 A, over_current_limit: 140 A, phase_rating: 35 A}
"""

FAULTS: dict[str, tuple[tuple[str, str], ...]] = {
    "width": (("width: 4.8 mil, top_width: 4.5 mil", "width: 6 mil, top_width: 5.7 mil"),),
    "legs": (("length_n: 2.999 in", "length_n: 2.95 in"),),
    "lanes": (("{min: 2.5 in", "{min: 0.2 in"),),
    "stub": (("residual: 4 mil", "residual: 9 mil"),),
    "no backdrill": (("    backdrill: {side: bottom, must_not_cut: used-layer, residual: 4 mil, tolerance: 2 mil, "
                      "datum: target-layer,\n      diameter: 0.45 mm}\n", ""),),
    "foil": (("name: L3, thickness: 15 um, base_weight: 0.5 oz, role: signal, foil: hvlp2",
              "name: L3, thickness: 15 um, base_weight: 0.5 oz, role: signal, foil: rtf"),),
    "bond": (("role: signal, foil: hvlp2, bond: low-etch}\n- {kind: dielectric, thickness: 127 um, "
              "material: megtron7n, form: prepreg", "role: signal, foil: std-ed, bond: brown-oxide}\n"
              "- {kind: dielectric, thickness: 127 um, material: megtron7n, form: prepreg"),),
    "laminate": (("name: C4-5, thickness: 800 um, material: megtron6", "name: C4-5, thickness: 800 um, "
                  "material: lowtg"),),
    "loss": (("loss: 8 dB", "loss: 3.5 dB"),),
    "rating": (("rated_continuous: 120 A", "rated_continuous: 40 A"),),
    "width and legs": (("width: 4.8 mil, top_width: 4.5 mil", "width: 6 mil, top_width: 5.7 mil"),
                       ("length_n: 2.999 in", "length_n: 2.95 in")),
    "foil and laminate": (("name: L3, thickness: 15 um, base_weight: 0.5 oz, role: signal, foil: hvlp2",
                           "name: L3, thickness: 15 um, base_weight: 0.5 oz, role: signal, foil: rtf"),
                          ("name: C4-5, thickness: 800 um, material: megtron6", "name: C4-5, thickness: 800 um, "
                           "material: lowtg")),
    "stub and rating": (("residual: 4 mil", "residual: 9 mil"), ("rated_continuous: 120 A", "rated_continuous: 40 A")),
}
"""Texts of the board with others in their place."""


def faulty(name: str) -> str:
    """Return the board with a fault."""
    text = BOARD
    for old, new in FAULTS[name]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
