# SPDX-License-Identifier: MIT
"""R and L of two golden cases, and the errors of all entries of their matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from pcbrules.physics.lines.cross_section import eddy, electrostatic
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden

GIGA = 1e9


def picture() -> str:
    """The picture as SVG."""
    frequency = np.geomspace(1e6, 1e11, 101)
    panels: list[list[Curve]] = [[], [], [], []]
    for colour, (name, label) in enumerate((("RL_SL02", "stripline"), ("RL_DSL05", "stripline pair, odd mode"))):
        data = entry(name)
        made, rows = copper_solution(data), data["RL"]
        at = np.array([row["frequency_Hz"] for row in rows])
        curve, points = made.rl(frequency), made.rl(at)
        for i, (symbol, unit, scale) in enumerate((("R", "ohm", 1.0), ("L", "nH", 1e9))):
            want = np.array([row[f"{symbol}_matrix_{unit}_per_m"] for row in rows])
            got = points[i] * scale
            moving = at > 0
            panels[i].append(Curve(label, frequency / GIGA, odd(curve[i]) * scale, colour))
            panels[i].append(Curve("finite elements", at[moving] / GIGA, odd(want)[moving], colour, marks=True))
            off = 100 * (odd(got) / odd(want) - 1)[moving]
            panels[2 + i].append(Curve(label, at[moving] / GIGA, off, colour))
            panels[2 + i].append(Curve("", at[moving] / GIGA, off, colour, marks=True))
    x = ("frequency [GHz]", (1e-3, 100))
    return draw(
        [
            Panel("Resistance", x[0], "ohm/m", x[1], (5, 1000), panels[0], log_x=True, log_y=True),
            Panel("Inductance", x[0], "nH/m", x[1], (250, 400), panels[1], log_x=True),
            Panel("Resistance less the reference", x[0], "%", x[1], (-1.5, 1.5), panels[2], log_x=True),
            Panel("Inductance less the reference", x[0], "%", x[1], (-0.3, 0.3), panels[3], log_x=True),
        ],
        title="Resistance and inductance against finite elements; the axes of the errors end at the tolerance",
    )


def entry(name: str) -> dict[str, Any]:
    """A golden entry by its id."""
    return next(dict(one.data) for one in golden.shipped() if one.id == name)


def copper_solution(data: dict[str, Any]) -> eddy.SeriesImpedance:
    """Eddy currents of a golden entry."""
    geometry = data["geometry_um"]
    planes = [np.array(plane["polygon"]) * 1e-6 for plane in geometry["planes"]]
    signals = tuple(tuple(map(tuple, np.array(one["polygon"]) * 1e-6)) for one in geometry["signal_conductors"])
    level = min(y for signal in signals for _, y in signal)
    section = electrostatic.Section(
        signals=signals,
        lower=next((float(p[:, 1].max()) for p in planes if p[:, 1].max() <= level), None),
        upper=next((float(p[:, 1].min()) for p in planes if p[:, 1].min() > level), None),
    )
    rho = 1 / data["conductor_sigma_S_per_m"]
    thickness, width = data["plane_thickness_um"] * 1e-6, data["plane_width_um"] * 1e-6
    return eddy.series(section, eddy.LineMetal(rho, rho, thickness, width))


def odd(matrix: Any) -> Any:
    """Of a pair the odd mode, of one trace its own."""
    matrix = np.asarray(matrix)
    return matrix[..., 0, 0] if matrix.shape[-1] == 1 else matrix[..., 0, 0] - matrix[..., 0, 1]
