# SPDX-License-Identifier: MIT
"""Compares two sheets that are tied by a field of barrels, fed on one and drained on the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pcbrules.arrays import Real
from pcbrules.physics.power.sheet_stack import StackFlow, Tie, stack_flow
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.sheets import NUMBER, Drawing, contact, known, rectangle
from pcbrules.selftest.values import Unreadable, mapping, number, numbers, positive, text

MICRO, MILLI = 1e-6, 1e-3


@dataclass(frozen=True, slots=True)
class _TwoSheets:
    """Two sheets by name, their contacts by key: sheet and number there; one barrel [ohm], a square of copper [ohm]."""

    names: list[str]
    sheets: list[Drawing]
    ends: dict[str, tuple[int, int]]
    sources: list[str]
    sink: str
    ties: list[Tie]
    barrel: float
    thickness: float
    square: float
    current: float


def stack(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    """Compare currents of the barrels, drop, power and densities. Raises Unreadable."""
    case = _case(inputs)
    solved = [sheet.solved() for sheet in case.sheets]
    flow = stack_flow(
        conductances=[one.conductance / case.square for one in solved], ties=case.ties,
        held=dict.fromkeys((case.ends[key] for key in case.sources), 0.0),
        drawn={case.ends[case.sink]: case.current},
    )
    vias = flow.ties * (1 if case.ends[case.sources[0]][0] == 0 else -1)
    yield from _numbers(case, flow, vias, outputs)
    if "via_currents_A" in outputs:
        want = numbers(outputs, "via_currents_A", vias.shape)
        yield from deviation.curve("current", [f"via {k}" for k in range(len(vias))], vias, want)
    yield from _at_contacts(case, flow, outputs)
    peaks = [one.density(v)[0] / case.square for one, v in zip(solved, flow.potentials, strict=True)]
    per_area = MILLI / case.thickness
    for key, scale in (("max_sheet_K_A_per_mm_per_plane", 1.0), ("max_J_A_per_mm2_per_plane", per_area)):
        if outputs.get(key) is not None:
            want = numbers(outputs, key, (2,))
            yield from deviation.curve("density", [f"{key} {n}" for n in case.names], [p * scale for p in peaks], want)


def _case(inputs: Mapping[str, Any]) -> _TwoSheets:
    known(inputs, "planes|sheets", "copper_thickness_um", "vrm.*|feed", "load|outlet", "via_centres_mm", "via_order",
          "via_drill_um", "plating_um", "barrel_length_um", "temperature_C", "resistivity_ohm_m", "current_A")
    words = text(inputs, "planes" if "planes" in inputs else "sheets")
    names = [name for name in re.split(r"[,\s]+|\band\b", re.split(r":|\bx\s", words)[0]) if name]
    if len(names) != 2:
        raise Unreadable(f"the sheets are '{words[:60]}', expected two")
    sheets = [rectangle(words) for _ in names]
    rho, drill = positive(inputs, "resistivity_ohm_m"), positive(inputs, "via_drill_um")
    barrel = float(tube_resistance(
        resistivity=rho, length=positive(inputs, "barrel_length_um") * MICRO, drill=drill * MICRO,
        plating=positive(inputs, "plating_um") * MICRO,
    ))
    ends: dict[str, tuple[int, int]] = {}
    for key in inputs:
        if re.fullmatch("vrm.*|feed|load|outlet", key):
            at = _place(text(inputs, key), names)
            ends[key] = (at, contact(sheets[at], inputs[key]))
    sinks = [key for key in ends if key in ("load", "outlet")]
    sources = [key for key in ends if key not in sinks]
    if len(sinks) != 1 or not sources:
        raise Unreadable("the contacts, expected a source and one sink")
    ties = []
    for x, y in numbers(inputs, "via_centres_mm", (-1, 2)).tolist():
        one, two = ((at, sheet.disc(x, y, drill * MILLI)) for at, sheet in enumerate(sheets))
        ties.append(Tie(one, two, barrel))
    thickness = _thickness(inputs, words) * MICRO
    return _TwoSheets(names, sheets, ends, sources, sinks[0], ties, barrel, thickness, rho / thickness,
                 positive(inputs, "current_A"))


def _numbers(case: _TwoSheets, flow: StackFlow, vias: Real, outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    """Compare what is one number."""
    at, contact_there = case.ends[case.sink]
    drop, mean = -float(flow.potentials[at][contact_there]), case.current / len(vias)
    single = {
        "R_eff_P_over_I2_ohm": ("resistance", flow.loss / case.current**2), "P_W": ("power", flow.loss),
        "via_resistance_ohm": ("closed-form", case.barrel), "via_current_max_over_mean": ("current", vias.max() / mean),
        "max_over_mean": ("current", vias.max() / mean), "min_over_mean": ("current", vias.min() / mean),
        "R_contact_to_contact_ohm": ("resistance", drop / case.current), "V_drop_V": ("voltage", drop),
    }
    for key, (quantity, got) in single.items():
        if key in outputs:
            yield deviation.value(quantity, key, got, number(outputs, key))


def _at_contacts(case: _TwoSheets, flow: StackFlow, outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    """Compare drops at sinks and currents of sources."""
    for key, what in (("V_drop_at_sinks_V", "voltage"), ("source_currents_A", "current")):
        for name in mapping(outputs, key) if key in outputs else ():
            end = case.ends.get(name.split("@")[0])
            if end is None:
                raise Unreadable(f"{key} names {name[:60]}, which is no contact")
            got = -flow.potentials[end[0]][end[1]] if what == "voltage" else flow.into[end[0]][end[1]]
            yield deviation.value(what, name, float(got), number(outputs[key], name))


def _thickness(inputs: Mapping[str, Any], words: str) -> float:
    if "copper_thickness_um" in inputs:
        return positive(inputs, "copper_thickness_um")
    match = re.search(rf"{NUMBER}\s*um", words)
    if not match:
        raise Unreadable("no thickness of the copper")
    return float(match[1])


def _place(words: str, names: list[str]) -> int:
    found = [at for at, name in enumerate(names) if re.search(rf"\bplane {name}\b|\b{name} sheet\b", words)]
    if len(found) != 1:
        raise Unreadable(f"the contact '{words[:60]}' is on none of {', '.join(names)}")
    return found[0]
