# SPDX-License-Identifier: MIT
"""Voltage drop over plane shapes: two contacts, a field of pins, two planes with vias, perforated planes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.physics.lines.copper import resistivity
from pcbrules.physics.power.perforation import Lattice, perforated_cell, perforated_sheet_ratio
from pcbrules.physics.power.sheet_stack import stack_flow
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.sheet_stacks import MICRO, MILLI, stack
from pcbrules.selftest.sheets import NUMBER, contact, drawing, known
from pcbrules.selftest.values import Unreadable, mapping, number, numbers, positive, text

NAME = "ir-drop"


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry of the section on IR drop."""
    return str(data.get("section", "")).endswith("ir_drop")


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare by what the entry describes. Raises Unreadable."""
    inputs, outputs = mapping(entry.data, "inputs"), mapping(entry.data, "outputs")
    if "lattice" in inputs:
        yield from _perforated(inputs, outputs)
    elif "via_centres_mm" in inputs:
        yield from stack(inputs, outputs)
    elif "pin_centres_mm" in inputs:
        yield from _pins(inputs, outputs)
    else:
        yield from _two_contacts(inputs, outputs)


def _perforated(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    known(inputs, "lattice", "perforation_area_fraction", "definition")
    lattice = text(inputs, "lattice")
    kind: Lattice = "hexagonal" if re.match("hex|triang", lattice) else "square"
    if kind == "square" and lattice != "square":
        raise Unreadable(f"the lattice is '{lattice[:60]}', expected square or hexagonal")
    for fraction in numbers(inputs, "perforation_area_fraction", (-1,)).tolist():
        name = f"perforation_{100 * fraction:g}pct"
        want = mapping(outputs, name)
        try:
            ratio, peak = perforated_cell(fraction=fraction, lattice=kind)
        except ValueError as error:
            raise Unreadable(str(error)) from None
        yield deviation.value("resistance", f"{name} ratio", ratio, number(want, "Rs_eff_over_Rs"))
        if "peak_over_mean_K" in want:
            yield deviation.value("density", f"{name} peak", peak, number(want, "peak_over_mean_K"))
        if "maxwell_Rs_ratio" in want:
            got = float(perforated_sheet_ratio(fraction=fraction))
            yield deviation.value("closed-form", f"{name} by Maxwell", got, number(want, "maxwell_Rs_ratio"))


def _two_contacts(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    known(inputs, "L_mm", "W_mm", "contacts", "plane_mm", "outline_mm", "fillet_radius_at_.*_mm", "slot.*", "src.*",
          "snk.*", "copper_thickness_um", "current_A", "resistivity_20C_ohm_m", "temp_coeff_per_K", "temperatures_C")
    sheet = drawing(inputs)
    if "contacts" in inputs:
        edges = re.findall(rf"\b([xy])\s*=\s*{NUMBER}", text(inputs, "contacts"))
        ends = [f"{axis}={value}" for axis, value in edges]
    else:
        ends = [inputs[key] for word in ("src", "snk") for key in inputs if key.startswith(word)]
    if len(ends) != 2:
        raise Unreadable("the contacts, expected src and snk")
    for one in ends:
        contact(sheet, one)
    solved = sheet.solved()
    squares = 1 / float(solved.conductance[0, 0])
    thickness, current = positive(inputs, "copper_thickness_um") * MICRO, positive(inputs, "current_A")
    exact = "closed-form" if "L_mm" in inputs else None
    if "R_squares" in outputs:
        yield deviation.value(exact or "resistance", "squares", squares, number(outputs, "R_squares"))
    for name in mapping(outputs, "by_temperature") if "by_temperature" in outputs else ():
        want = mapping(outputs["by_temperature"], name)
        at = float(name.removesuffix("C"))
        rho = positive(inputs, "resistivity_20C_ohm_m") * (1 + number(inputs, "temp_coeff_per_K") * (at - 20))
        resistance = rho / thickness * squares
        for key, quantity, got in (
            ("sheet_resistance_ohm_per_sq", "closed-form", rho / thickness), ("R_eff_ohm", "resistance", resistance),
            ("V_drop_V", "voltage", resistance * current), ("P_W", "power", resistance * current**2),
        ):
            if key in want:
                yield deviation.value(exact or quantity, f"{key} {name}", got, number(want, key))
    potential = np.array([squares * current, 0.0])
    peak = solved.density(potential)[0]
    for key, scale in (("max_sheet_current_density_A_per_mm", 1.0), ("max_J_A_per_mm2", MILLI / thickness)):
        if outputs.get(key) is not None:
            yield deviation.value("density", key, peak * scale, number(outputs, key))
    for name in mapping(outputs, "probe_J_A_per_mm2") if "probe_J_A_per_mm2" in outputs else ():
        place = re.search(rf"\({NUMBER}\s*,\s*{NUMBER}\)", name)
        if not place:
            raise Unreadable(f"the probe {name[:60]}, expected (x,y) in its name")
        got = solved.density_at(potential, complex(float(place[1]), float(place[2])), 1e-3) * MILLI / thickness
        yield deviation.value("probe", name, got, number(outputs["probe_J_A_per_mm2"], name))


def _pins(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    known(inputs, "planes", "plane_mm", "pin_centres_mm", "pin_contact_diameter_mm", "current_total_A", "vrm_contacts",
          "current_per_pin_A", "total_copper_thickness_um", "temperature_C", "resistivity_ohm_m",
          "sheet_resistance_ohm_per_sq", "outline_mm", "fillet_radius_at_.*_mm", "slot.*")
    sheet = drawing(inputs)
    sources = {name: contact(sheet, words) for name, words in mapping(inputs, "vrm_contacts").items()}
    diameter = positive(inputs, "pin_contact_diameter_mm")
    pins = [sheet.disc(x, y, diameter) for x, y in numbers(inputs, "pin_centres_mm", (-1, 2)).tolist()]
    if not sources:
        raise Unreadable("no vrm_contacts")
    total, each = positive(inputs, "current_total_A"), positive(inputs, "current_per_pin_A")
    if abs(each * len(pins) / total - 1) > 1e-6:
        raise Unreadable("current_per_pin_A times the pins is not current_total_A")
    rho = positive(inputs, "resistivity_ohm_m") if "resistivity_ohm_m" in inputs else float(
        resistivity(temperature=number(inputs, "temperature_C")))
    thickness = positive(inputs, "total_copper_thickness_um") * MICRO
    solved = sheet.solved()
    square = rho / thickness
    flow = stack_flow(
        conductances=[solved.conductance / square], held={(0, at): 0.0 for at in sources.values()},
        drawn={(0, at): each for at in pins},
    )
    drops = -flow.potentials[0][pins]
    single = {
        "worst_pin_drop_V": ("voltage", drops.max()), "best_pin_drop_V": ("voltage", drops.min()),
        "mean_pin_drop_V": ("voltage", drops.mean()), "P_W": ("power", flow.loss),
        "R_eff_P_over_I2_ohm": ("resistance", flow.loss / total**2),
    }
    for key, (quantity, got) in single.items():
        if key in outputs:
            yield deviation.value(quantity, key, float(got), number(outputs, key))
    if "all_pin_drops_V" in outputs:
        names = [f"drop of pin {k}" for k in range(len(pins))]
        yield from deviation.curve("voltage", names, drops, numbers(outputs, "all_pin_drops_V", drops.shape))
    for name in mapping(outputs, "source_currents_A") if "source_currents_A" in outputs else ():
        if name not in sources:
            raise Unreadable(f"source_currents_A names {name[:60]}, which is no contact")
        got = flow.into[0][sources[name]]
        yield deviation.value("current", name, float(got), number(outputs["source_currents_A"], name))
    peak = solved.density(flow.potentials[0])[0] / square
    for key, scale in (("max_sheet_K_A_per_mm", 1.0), ("max_J_A_per_mm2", MILLI / thickness)):
        if outputs.get(key) is not None:
            yield deviation.value("density", key, peak * scale, number(outputs, key))
