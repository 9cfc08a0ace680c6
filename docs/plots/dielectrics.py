# SPDX-License-Identifier: MIT
"""Loss tangent and permittivity by the sum of poles, and by one point, beside the data sheets."""

from __future__ import annotations

import numpy as np
from _sample_line import MEGTRON_6N, MEGTRON_7N

from pcbrules.physics.lines.dielectric import debye_sum, fit_debye, wideband_debye
from pcbrules.reports._plot import Curve, Panel, draw

GIGA = 1e9


def picture() -> str:
    """The picture as SVG."""
    frequency = np.geomspace(1e9, 1e11, 81)
    loss, real = [], []
    for colour, (label, points) in enumerate((("Megtron 6N", MEGTRON_6N), ("Megtron 7N", MEGTRON_7N))):
        fitted = debye_sum(frequency=frequency, material=fit_debye(points))
        at, dk, df = points[0]
        one = wideband_debye(frequency=frequency, dk=dk, df=df, reference=at)
        x, y, z = zip(*points, strict=True)
        for curves, of, data in ((loss, lambda e: -e.imag / e.real, z), (real, lambda e: e.real, y)):
            curves.append(Curve(f"{label}, poles", frequency / GIGA, of(fitted), colour))
            curves.append(Curve("one point", frequency / GIGA, of(one), colour, dashed=True))
            curves.append(Curve("data sheet", np.array(x) / GIGA, data, colour, marks=True))
    axis = ("frequency [GHz]", (1, 100))
    return draw(
        [
            Panel("Loss tangent", axis[0], "Df", axis[1], (0, 0.006), loss, log_x=True),
            Panel("Permittivity", axis[0], "Dk", axis[1], (3.2, 3.5), real, log_x=True),
        ],
        title="Loss tangent and permittivity of two laminates beside their data sheets",
    )
