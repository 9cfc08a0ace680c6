# SPDX-License-Identifier: MIT
"""A large board from a seed: 300 links of different lengths, 14 signal layers, 40 cross-sections, two vias a link.

Run as a program it writes the board file to standard output (with `--neighbours`: every trace between two others, every
second link of a standard with masks over frequency); `make bench` checks both.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

LINKS, SECTIONS, INNER = 300, 40, 12
SEED = 300
MASKED = "ethernet-100g-per-lane"
"""Every second link with neighbours has masks of insertion loss, return loss and deviation."""


def board(seed: int = SEED, *, neighbours: bool = False) -> str:
    """The board file as text."""
    dice = random.Random(seed)
    layers = [*_stackup(dice)]
    signals = [name for name, text in layers if "role: signal" in text]
    copper = [name for name, text in layers if "kind: copper" in text]
    lines = [
        "schema: 1",
        "board: {name: board-300, platform: hgx-b200-baseboard, form_factor: sxm-baseboard, "
        "size: {width: 500 mm, height: 600 mm}}",
        "fabrication: {class: premium, aspect_ratio: 30}",
        "stackup:",
        *(f"- {text}" for _, text in layers),
        "via_types:",
    ]
    for end in ("top", "bottom"):
        lines.append(
            f"  from_{end}: {{span: [{copper[0]}, {copper[-1]}], kind: through, drill: 0.20 mm, pad: 0.40 mm, "
            f"antipad: {{shape: oval, width: 0.60 mm, length: 1.40 mm}}, pitch: 0.8 mm, fill: resin, "
            f"backdrill: {{side: {end}, must_not_cut: used-layer, residual: 3 mil, tolerance: 1.5 mil, "
            f"datum: target-layer}}}}"
        )
    lines.append("links:")
    sections = [*_sections(dice, signals)]
    for i in range(LINKS):
        layer, width, gap = sections[i % SECTIONS]
        first, last = (copper[0], "from_bottom") if layer != copper[0] else (copper[-1], "from_top")
        length = 3 + 6 * i / LINKS
        standard, budget, beside, elsewhere = "pcie6", "16 dB, at: 16 GHz", "", []
        if neighbours:
            run = f"spacing: 20 mil, coupled_length: {length / 2:.3f} in, direction: "
            beside = f", neighbours: [{{name: left, {run}same}}, {{name: right, {run}opposite}}]"
            elsewhere = ["    crosstalk_elsewhere: {bound: 45 dB, source: project}"]
            if i % 2:
                standard, budget = MASKED, "20 dB, at: 26.5625 GHz"
        lines += [
            f"  l{i}:",
            f"    standard: {standard}",
            "    lanes: 1",
            f"    budget: {{loss: {budget}, source: project}}",
            *elsewhere,
            "    path:",
            f"    - via: {{name: near, type: {last}, enter: {first}, leave: {layer}}}",
            f"    - trace: {{name: run, layer: {layer}, width: {width} um, gap: {gap} um, length: {length:.3f} in, "
            f"bends: 0, route_angle: 10 deg, reference_gaps: []{beside}}}",
            f"    - via: {{name: far, type: {last}, enter: {layer}, leave: {first}}}",
        ]
    return "\n".join(lines) + "\n"


def _stackup(dice: random.Random) -> Iterator[tuple[str, str]]:
    """Names and texts of the layers: outer signals over planes, inner ones between planes, every cavity its own."""
    foil = "foil: hvlp3, bond: low-etch, rz_top: 1.0 um, rz_bottom: 1.0 um"
    mask = "kind: mask, thickness: 20 um, over_trace: 20 um, material: psr-4000-hfx"
    number = 0

    def copper(role: str, thickness: int) -> tuple[str, str]:
        nonlocal number
        number += 1
        name = f"L{number}"
        size = f"thickness: {thickness} um, base_weight: 0.5 oz"
        return name, f"{{kind: copper, name: {name}, {size}, role: {role}, {foil}}}"

    def dielectric(form: str, thickness: int) -> tuple[str, str]:
        kind = f"kind: dielectric, thickness: {thickness} um, material: megtron8u, form: {form}, glass: '1035'"
        return "", f"{{{kind}}}"

    yield "", f"{{{mask}, name: top_mask}}"
    yield copper("signal", 40)
    yield dielectric("prepreg", 76)
    yield copper("ground", 17)
    for _ in range(INNER):
        yield dielectric("core", dice.randrange(90, 120))
        yield copper("signal", 15)
        yield dielectric("prepreg", dice.randrange(95, 125))
        yield copper("ground", 17)
    yield dielectric("prepreg", 80)
    yield copper("signal", 40)
    yield "", f"{{{mask}, name: bottom_mask}}"


def _sections(dice: random.Random, signals: list[str]) -> Iterator[tuple[str, int, int]]:
    """Layer, width and gap [um] of every cross-section."""
    seen: set[tuple[str, int, int]] = set()
    while len(seen) < SECTIONS:
        made = (signals[len(seen) % len(signals)], dice.randrange(100, 150), dice.randrange(130, 220))
        if made not in seen:
            seen.add(made)
            yield made


if __name__ == "__main__":
    sys.stdout.write(board(neighbours="--neighbours" in sys.argv[1:]))
