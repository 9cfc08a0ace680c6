# SPDX-License-Identifier: MIT
"""Resistance of barrels and traces, and how the barrels of a row share a current."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pcbrules.physics.vias.barrel_resistance import padded_barrel_resistance, tube_resistance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.sheet_stacks import MICRO, MILLI, stack
from pcbrules.selftest.sheets import known
from pcbrules.selftest.values import Unreadable, mapping, number, positive

NAME = "via-trace"


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry of the section on vias and traces."""
    return str(data.get("section", "")).endswith("via_trace")


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare by what the entry describes. Raises Unreadable."""
    inputs, outputs = mapping(entry.data, "inputs"), mapping(entry.data, "outputs")
    if "via_centres_mm" in inputs:
        yield from stack(inputs, outputs)
    elif "drill_diameter_um" in inputs:
        yield from _barrel(inputs, outputs)
    else:
        yield from _trace(inputs, outputs)


def _barrel(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    known(inputs, "drill_diameter_um", "plating_um", "length_um", "length_definition", "pad_diameter_um",
          "pad_thickness_um", "temperature_C", "resistivity_ohm_m")
    rho = positive(inputs, "resistivity_ohm_m")
    length, drill, plating = (positive(inputs, f"{key}_um") * MICRO for key in ("length", "drill_diameter", "plating"))
    tube = float(tube_resistance(resistivity=rho, length=length, drill=drill, plating=plating))
    closed = {
        "R_barrel_formula_ohm": tube, "I_for_1mV_A": MILLI / tube, "copper_area_um2": rho * length / tube / MICRO**2,
        "R_if_solid_copper_filled_ohm": float(
            tube_resistance(resistivity=rho, length=length, drill=drill, plating=drill / 2)),
    }
    for key, got in closed.items():
        if key in outputs:
            yield deviation.value("closed-form", key, got, number(outputs, key))
    if "R_rim_to_rim_fem_ohm" in outputs:
        try:
            padded = padded_barrel_resistance(
                resistivity=rho, length=length, drill=drill, plating=plating,
                pad=positive(inputs, "pad_diameter_um") * MICRO,
                pad_thickness=positive(inputs, "pad_thickness_um") * MICRO,
            )
        except ValueError as error:
            raise Unreadable(str(error)) from None
        want = number(outputs, "R_rim_to_rim_fem_ohm")
        yield deviation.value("resistance", "R_rim_to_rim_fem_ohm", padded, want)


def _trace(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    known(inputs, "length_mm", "width_top_mm", "width_bottom_mm", "width_mm", "thickness_um", "temperature_C",
          "resistivity_ohm_m", "current_A")
    if "width_mm" in inputs:
        width = positive(inputs, "width_mm")
    else:
        width = (positive(inputs, "width_top_mm") + positive(inputs, "width_bottom_mm")) / 2
    area = width * positive(inputs, "thickness_um") * MILLI  # mm2
    resistance = positive(inputs, "resistivity_ohm_m") * positive(inputs, "length_mm") * MILLI / (area * MICRO)
    current = positive(inputs, "current_A")
    closed = {
        "area_mm2": area, "R_ohm": resistance, "V_drop_V": resistance * current, "P_W": resistance * current**2,
        "J_A_per_mm2": current / area,
    }
    for key, got in closed.items():
        if key in outputs:
            yield deviation.value("closed-form", key, got, number(outputs, key))
