# SPDX-License-Identifier: MIT
"""Golden distributions of the impedance beside the normal one that slopes give."""

from __future__ import annotations

import math
from typing import Any

from _sample_line import COPPER

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden

GIGA = 1e9


def picture() -> str:
    """The picture as SVG."""
    deviates = {"p0_13_ohm": -3.0, "p50_ohm": 0.0, "p99_87_ohm": 3.0}
    cases = {one.id: dict(one.data) for one in golden.shipped() if one.file.endswith("/impedance_tolerance.json")}
    curves = []
    for colour, (name, entry) in enumerate(cases.items()):
        reference, spread = entry["outputs"]["reference_distribution"], 100 * relative_sigma(entry["inputs"])
        places = [100 * (reference[key] / entry["outputs"]["Z_nominal_ohm"] - 1) for key in deviates]
        curves.append(Curve(f"{name}, slopes", [-3, 3], [-3 * spread, 3 * spread], colour))
        curves.append(Curve("reference distribution", list(deviates.values()), places, colour, marks=True))
    panel = Panel("Impedance over its tolerances", "quantile [standard deviations]", "off nominal [%]", (-3.5, 3.5),
                  (-20, 20), curves)
    return draw([panel], title="Spread of the impedance: slopes beside the full distribution", columns=1, width=520)


def relative_sigma(inputs: dict[str, Any]) -> float:
    """Relative standard deviation of the impedance: root of the sum of squares of slopes times deviations."""
    sigma = inputs["gaussian_sigma"]
    nominal = {key: value for key, value in inputs.items() if isinstance(value, float)}
    moved = [
        (impedance(nominal | {key: nominal[key] + one}) - impedance(nominal | {key: nominal[key] - one})) / 2
        for key, one in sigma.items()
    ]
    return math.hypot(*moved) / impedance(nominal)


def impedance(size: dict[str, float]) -> float:
    """Impedance of a golden tolerance case, of a pair differential. [ohm]"""
    core, foot = DielectricPoints(((5 * GIGA, size["dk_core"], 0.0),)), size["width_mm"] * 1e-3
    thickness, over = size["thickness_mm"] * 1e-3, size.get("h_above_mm", 0.0) * 1e-3
    prepreg = DielectricPoints(((5 * GIGA, size.get("dk_prepreg", 1.0), 0.0),))
    task = LineTask(
        width_foot=foot, width_top=foot - 2e-3 * size["etch_inset_per_side_mm"], thickness=thickness,
        gap=size["pitch_mm"] * 1e-3 - foot if "pitch_mm" in size else None, foot_up=False,
        below=(Ply(size["h_below_mm"] * 1e-3, core),), above=(Ply(over + thickness, prepreg),) if over else (),
        cover=None, cover_over_trace=None, rz=(0.0,) * 4, resistivity_trace=COPPER, resistivity_plane=COPPER,
        temperature=20.0,
    )
    line = solve_line(task)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return line.z_diff
