# SPDX-License-Identifier: MIT
"""Thermal vias: the cell over its pitch beside the parallel formula and the 3-D reference; what a plane spreads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pcbrules.physics.thermal.heat_spreading import layered_board_rise
from pcbrules.physics.thermal.thermal_vias import via_cell_parallel, via_cell_resistance
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden

MILLI = 1e-3
PITCH = np.linspace(0.4, 1.2, 33)


def picture() -> str:
    """The picture as SVG."""
    return draw([_cells(), _planes()], title="Heat through vias and along planes")


def _cells() -> Panel:
    curves = []
    for colour, entry in enumerate(one for one in golden.shipped() if "pitch_square_mm" in one.data.get("inputs", {})):
        inputs, cell = entry.data["inputs"], entry.data["outputs"]["per_cell"]
        pitch = [p for p in PITCH if p > 1.2 * inputs["drill_diameter_mm"]]
        for function, name, dashed in ((via_cell_resistance, entry.id, False), (via_cell_parallel, "", True)):
            curves.append(Curve(name, pitch, [_cell(function, inputs, p) for p in pitch], colour, dashed=dashed))
        curves.append(Curve("3-D" if colour == 0 else "", [inputs["pitch_square_mm"]],
                            [cell["R_3d_square_cell_fem_K_per_W"]], colour, marks=True))
    return Panel("One via and its cell; dashed: parallel formula", "pitch [mm]", "K/W", (0.4, 1.2), (0, 220), curves)


def _planes() -> Panel:
    """Rise at the middle of a 10 mm part on a 100 mm board of 1.6 mm, 10 W/(m2 K) on both faces."""
    copper = np.linspace(0, 200, 41)
    curves = [
        Curve(f"{planes} plane{'s' * (planes > 1)}", copper, [_rise(planes, t * 1e-6) for t in copper], colour)
        for colour, planes in enumerate((1, 2, 4))
    ]
    return Panel("10 mm part on a 100 mm board", "copper of each plane [um]", "K/W", (0, 200), (0, 160), curves)


def _rise(planes: int, copper: float) -> float:
    foil, laminate = max(copper, 1e-9), (1.6 * MILLI - planes * copper) / (planes + 1)
    thickness = [laminate, *[foil, laminate] * planes]
    in_plane, through = [0.8, *[385.0, 0.8] * planes], [0.3, *[385.0, 0.3] * planes]
    return float(layered_board_rise(
        board=(0.1, 0.1), thickness=thickness, in_plane=in_plane, through=through, film_top=10.0, film_bottom=10.0,
        source=(0.05, 0.05, 0.01, 0.01), places=(0.05, 0.05, 0.0, 0.0),
    ))


def _cell(function: Callable[..., Any], inputs: dict[str, float], pitch: float) -> float:
    foil = inputs["foil_each_side_mm"] * MILLI
    return float(function(
        drill=inputs["drill_diameter_mm"] * MILLI, plating=inputs["plating_mm"] * MILLI, pitch=pitch * MILLI,
        height=inputs["core_height_between_foils_mm"] * MILLI, foil_top=foil, foil_bottom=foil,
        k_copper=inputs["k_copper_W_per_mK"], k_fill=inputs["k_fill_W_per_mK"], k_laminate=inputs["k_fr4_W_per_mK"],
    ))
