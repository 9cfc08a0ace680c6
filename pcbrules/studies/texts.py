# SPDX-License-Identifier: MIT
"""Words and numbers that the texts of several studies share: 80 columns, plain characters.

JSON has as many digits as are equal on every processor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from pcbrules.analysis.lines.mode_fields import REFERENCE
from pcbrules.analysis.lines.solve import LineResult
from pcbrules.analysis.lines.task import LineTask
from pcbrules.constants import INCH
from pcbrules.studies.columns import ColumnTable
from pcbrules.studies.losses import LossAt
from pcbrules.units import convert, show

PARTS = {"width": "width", "height": "heights", "thickness": "copper", "dk": "Dk", "registration": "registration"}
"""What the parts of a spread are called."""


def mil(length: float) -> str:
    """A length with four digits: ``4.812 mil``."""
    return show(length, "mil", 4)


def section_text(task: LineTask) -> str:
    """Copper and surroundings of a section in words."""
    top = f" (top {mil(task.width_top)})" if task.width_top != task.width_foot else ""
    gap = f", gap {mil(task.gap)}" if task.gap is not None else ""
    if task.second is not None:
        gap = f", legs {mil(task.second.between(task.thickness))} apart on two layers, offset {mil(task.second.offset)}"
    if task.ground is not None:
        gap += f", ground {mil(task.ground.gap)} beside"
    below = math.fsum(ply.thickness for ply in task.below)
    over = math.fsum(ply.thickness for ply in task.above) - task.thickness
    if task.above and task.closed:
        place = f"planes {mil(below).removesuffix(' mil')} and {mil(over)} away"
    elif task.above:
        place = f"one plane {mil(below)} away, {mil(over)} of dielectric over it"
    else:
        place = f"one plane {mil(below)} away, {'solder mask' if task.cover else 'air'} over it"
    return f"width {mil(task.width_foot)}{top}{gap}, copper {show(task.thickness, 'um')}, {place}"


def z_text(z: float) -> str:
    """An impedance and the frequency at which it holds."""
    return f"{z:.2f} ohm at {show(REFERENCE, 'GHz')}"


def spread_text(z: float, spread: float) -> str:
    """Range of an impedance over fabrication."""
    return f"fabrication {z * (1 - spread):.2f} .. {z * (1 + spread):.2f} (+-{100 * spread:.2g} %)"


def loss_table(rows: Iterable[LossAt]) -> Iterator[str]:
    """Loss in dB/inch and its parts, a line a frequency and temperature; ``more`` is what only adds to it."""
    table = ColumnTable(26, ((8, 3), (10, 3), (10, 3), (11, 3), (7, 1), (8, 1)), indent=4)
    yield table.row("dB/inch", "total", "conductor", "roughness", "dielectric", "+- %", "more %")
    for one in rows:
        at = f"{show(one.frequency, 'GHz', 6)}, {show(one.temperature, 'degC')}"
        parts = (value * INCH for value in (one.total, one.conductor, one.roughness, one.dielectric))
        yield table.row(at, *parts, 100 * one.error, 100 * one.more)


def loss_trees(rows: Iterable[LossAt]) -> list[dict[str, Any]]:
    """The same for a program."""
    return [
        {
            "frequency_hz": nine(row.frequency),
            "temperature_degc": nine(row.temperature),
            "total": seven(row.total * INCH),
            "conductor": seven(row.conductor * INCH),
            "roughness": seven(row.roughness * INCH),
            "dielectric": seven(row.dielectric * INCH),
            "model_error": seven(row.total * row.error * INCH),
            "more_at_most": seven(row.total * row.more * INCH),
        }
        for row in rows
    ]


def delay_text(line: LineResult) -> str:
    """Delay and effective permittivity."""
    return f"delay {convert(line.delay, 'ps/in'):.2f} ps/in, eps_eff {line.eps_eff:.4f}"


def coupling(line: LineResult) -> float:
    """(Ze - Zo) / (Ze + Zo) of a pair. [-]"""
    even, odd = 2 * line.z_common, line.z0
    return (even - odd) / (even + odd)


def shape_tree(task: LineTask) -> dict[str, Any]:
    """Geometry of a section for a program. Lengths in metres."""
    below = math.fsum(ply.thickness for ply in task.below)
    over = math.fsum(ply.thickness for ply in task.above) - task.thickness if task.above else None
    return {
        "width_m": nine(task.width_foot),
        "top_width_m": nine(task.width_top),
        "gap_m": nine(task.gap) if task.gap is not None else None,
        "coplanar_gap_m": nine(task.ground.gap) if task.ground is not None else None,
        "broadside_m": nine(task.second.between(task.thickness)) if task.second is not None else None,
        "copper_m": nine(task.thickness),
        "height_to_plane_m": nine(below),
        "height_to_other_plane_m": nine(over) if over is not None and task.closed else None,
    }


def line_tree(line: LineResult, *, error: float, spread: float, parts: Iterable[tuple[str, float]]) -> dict[str, Any]:
    """Impedance, its range, delay and coupling for a program; null where a single trace has none."""
    pair = line.task.pair
    z = line.z_diff
    return {
        "z_diff_ohm": seven(z) if pair else None,
        "z0_ohm": seven(line.z0),
        "z_common_ohm": seven(line.z_common) if pair else None,
        "impedance_ohm": {
            "nominal": seven(z), "min": seven(z * (1 - spread)), "max": seven(z * (1 + spread)),
            "model_error": seven(z * error),
        },
        "spread": seven(spread),
        "spread_parts": {name: seven(value) for name, value in parts},
        "coupling": seven(coupling(line)) if pair else None,
        "delay_ps_per_inch": seven(convert(line.delay, "ps/in")),
        "eps_eff": seven(line.eps_eff),
        "model": line.card,
    }


def nine(value: float) -> float:
    """A number that is given, or a place on a grid, on nine significant digits."""
    return float(f"{value:.9g}")


def seven(value: float) -> float:
    """A computed number on seven significant digits: those in which processors agree."""
    return float(f"{value:.7g}") + 0.0


def decibels(value: float) -> float:
    """A computed loss on four decimals: digits of a small one are those of the larger numbers it comes from. [dB]"""
    return round(value, 4) + 0.0
