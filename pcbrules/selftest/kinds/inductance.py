# SPDX-License-Identifier: MIT
"""Inductance between vias that cross a plane pair of any outline, and of a capacitor on two vias over a plane."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Real
from pcbrules.constants import MU_0
from pcbrules.physics.power.inductance import via_pair_inductance
from pcbrules.physics.power.mounting_inductance import mounted_loop_inductance
from pcbrules.physics.power.sheet import Disc
from pcbrules.physics.power.spreading_inductance import PortInductance, from_conductance, spreading_inductance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.sheets import drawing, known
from pcbrules.selftest.values import Unreadable, mapping, number, numbers, positive

NAME = "inductance"
MICRON, MILLI = 1e-6, 1e-3
SPREADING = ("cap_crossing_via_mm", "bga_crossing_vias_mm")
BAR = ("half_length_x_mm", "width_y_mm", "thickness_z_mm")
LOOP = ("bar_bottom_height_H_mm", "body_bar")
SHAPE = ("outline_mm", "slot", "fillet_radius_at_")
"""Beginnings of the keys of a plane that is no rectangle."""
KNOWN = (*SPREADING, "plane_mm", "plane_separation_um", ".*via_diameter_mm", "antipads_x_y_d_mm", "mu_r", "note",
         "outline_mm", "slot.*", "fillet_radius_at_.*_mm")


def reads(data: Mapping[str, Any]) -> bool:
    """True for vias that cross a plane pair, or a bar over a plane."""
    inputs = data.get("inputs")
    return isinstance(inputs, dict) and any(all(key in inputs for key in keys) for keys in (SPREADING, LOOP))


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare by the geometry of the entry. Raises Unreadable."""
    inputs, outputs = mapping(entry.data, "inputs"), mapping(entry.data, "outputs")
    if all(key in inputs for key in LOOP):
        yield deviation.value("mounted-loop", "loop", _loop(inputs), number(outputs, "L_loop_3d_H"))
        return
    if "mu_r" in inputs and number(inputs, "mu_r") != 1:
        raise Unreadable("mu_r, expected 1")
    try:
        yield from _matrix(_spreading(inputs), positive(inputs, "plane_separation_um") * MICRON, outputs)
    except ValueError as error:
        raise Unreadable(str(error)) from None
    single = all(len(numbers(inputs, key, (-1, 2))) == 1 for key in SPREADING)
    if single and "closed_form" in outputs and "via_diameter_mm" in inputs:
        (cap,), (ball,) = (numbers(inputs, key, (1, 2)) for key in SPREADING)
        pair = via_pair_inductance(
            height=positive(inputs, "plane_separation_um") * MICRON,
            spacing=float(np.hypot(*(cap - ball))) * MILLI,
            diameter=positive(inputs, "via_diameter_mm") * MILLI,
        )
        yield deviation.value("closed-form", "via pair", pair, number(mapping(outputs, "closed_form"), "L_H"))


def _loop(inputs: Mapping[str, Any]) -> float:
    if inputs.get("units", "mm") != "mm":
        raise Unreadable("units, expected mm")
    length, width, thickness = _bar(inputs, "body_bar")
    plane = number(inputs, "plane_z_mm") if "plane_z_mm" in inputs else 0.0
    try:
        return mounted_loop_inductance(
            height=(positive(inputs, "bar_bottom_height_H_mm") - plane) * MILLI,
            spacing=positive(inputs, "via_centre_spacing_S_mm") * MILLI,
            diameter=positive(inputs, "via_diameter_D_mm") * MILLI,
            length=length,
            width=width,
            thickness=thickness,
            arms=_bar(inputs, "arms_bar") if inputs.get("arms_bar") is not None else None,
        )
    except ValueError as error:
        raise Unreadable(str(error)) from None


def _bar(inputs: Mapping[str, Any], key: str) -> tuple[float, float, float]:
    """Length, width and thickness of a bar whose lower face is at the stated height. Raises Unreadable."""
    bar = mapping(inputs, key)
    foreign = bar.keys() - set(BAR)
    if foreign:
        raise Unreadable(f"{key}.{min(foreign)}, expected {', '.join(BAR)}")
    half, width, thickness = (positive(bar, name) * MILLI for name in BAR)
    return 2 * half, width, thickness


def _spreading(inputs: Mapping[str, Any]) -> PortInductance:
    known(inputs, *KNOWN)
    if any(key.startswith(SHAPE) for key in inputs):
        return _shaped(inputs)
    x0, y0, x1, y1 = numbers(inputs, "plane_mm", (4,)).tolist()
    if not (x0 < x1 and y0 < y1):
        raise Unreadable("plane_mm is empty, expected x0 < x1 and y0 < y1")
    corner = np.array([x0, y0, 0.0])
    holes = numbers(inputs, "antipads_x_y_d_mm", (-1, 3)) if inputs.get("antipads_x_y_d_mm") else np.empty((0, 3))
    return spreading_inductance(
        length=(x1 - x0) * MILLI,
        width=(y1 - y0) * MILLI,
        separation=positive(inputs, "plane_separation_um") * MICRON,
        ports=(_vias(inputs, SPREADING[0], "cap_via_diameter_mm") - corner) * MILLI,
        reference=(_vias(inputs, SPREADING[1], "bga_via_diameter_mm") - corner) * MILLI,
        holes=(holes - corner) * MILLI,
    )


def _shaped(inputs: Mapping[str, Any]) -> PortInductance:
    """Both planes have the outline, fillets and slots of the entry."""
    sheet = drawing(inputs)
    ports, back = _vias(inputs, SPREADING[0], "cap_via_diameter_mm"), _vias(inputs, SPREADING[1], "bga_via_diameter_mm")
    for x, y, diameter in np.concatenate([ports, back]).tolist():
        sheet.disc(x, y, diameter)
    for x, y, diameter in numbers(inputs, "antipads_x_y_d_mm", (-1, 3)) if inputs.get("antipads_x_y_d_mm") else ():
        sheet.discs.append(Disc(complex(x, y), diameter))
    separation = positive(inputs, "plane_separation_um") * MICRON
    return from_conductance(sheet.solved().conductance, ports=len(ports), separation=separation)


def _vias(inputs: Mapping[str, Any], key: str, own: str) -> Real:
    centres = numbers(inputs, key, (-1, 2))
    diameter = positive(inputs, own if own in inputs else "via_diameter_mm")
    return np.column_stack([centres, np.full(len(centres), diameter)])


def _matrix(found: PortInductance, separation: float, outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    shape = found.inductance.shape
    want = numbers(outputs, "L_matrix_H", shape)
    yield deviation.matrix("spreading", "L", found.inductance, want)
    if "squares_equivalent" in outputs:
        squares = found.inductance / (MU_0 * separation)
        yield deviation.matrix("spreading", "squares", squares, numbers(outputs, "squares_equivalent", shape))
    if "L_all_ports_parallel_H" in outputs:
        want_all = number(outputs, "L_all_ports_parallel_H")
        yield deviation.value("spreading", "all in parallel", found.parallel, want_all)
    for key, name, got in (
        ("L_each_port_alone_others_open_H", "others open", found.alone),
        ("L_each_port_alone_others_shorted_H", "others shorted", found.others_shorted),
    ):
        if key in outputs:
            names = [f"{name}, port {at + 1}" for at in range(len(got))]
            yield from deviation.curve("spreading", names, got, numbers(outputs, key, got.shape))
    if "bga_via_current_fraction_for_port1" in outputs:
        listed = mapping(outputs, "bga_via_current_fraction_for_port1")
        for at in range(found.share.shape[1]):
            want_one = number(listed, f"g{at}")
            yield deviation.value("current-share", f"via g{at}", found.share[0, at], want_one, scale=1.0)
