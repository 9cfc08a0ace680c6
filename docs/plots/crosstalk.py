# SPDX-License-Identifier: MIT
"""Coupling of two pairs over frequency, with the windows that are judged, and over their spacing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from _sample_line import INCH, rough_line

from pcbrules.analysis.crosstalk.solve import CouplingResult, CouplingTask, coupling_over, solve_coupling
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing
from pcbrules.reports._plot import Curve, Panel, draw

GIGA = 1e9


def picture() -> str:
    """The picture as SVG."""
    frequency = np.linspace(0.05 * GIGA, 40 * GIGA, 800)
    over, apart = [], []
    spacings = np.array([3.0, 4, 5, 6, 8, 10, 12, 15, 20]) * 25.4e-6
    for colour, (label, victim) in enumerate(pairs_side_by_side()):
        task = beside(victim, 10 * 25.4e-6)
        both = coupling_over(task, frequency)
        judged = [solve_coupling(beside(victim, spacing)) for spacing in spacings]
        if isinstance(both, Missing):
            raise TypeError(both.reason)
        for end, (curve, kind) in enumerate(zip(both, ("near", "far"), strict=True)):
            name = f"{label}, {kind} end"
            over.append(Curve(name, frequency / GIGA, 20 * np.log10(np.abs(curve)), 2 * colour + end))
            peaks = [(one.near, one.far)[end][0].power for one in judged if isinstance(one, CouplingResult)]
            apart.append(Curve(name, spacings / 25.4e-6, 10 * np.log10(peaks), 2 * colour + end))
    return draw(
        [
            Panel("4 in side by side, 10 mil apart", "frequency [GHz]", "coupling [dB]", (0, 40), (-90, 0), over),
            Panel("Largest around 16 GHz", "spacing [mil]", "coupling [dB]", (3, 20), (-90, 0), apart),
        ],
        title="Crosstalk of two pairs side by side: over frequency, and over their spacing",
    )


def pairs_side_by_side() -> tuple[tuple[str, LineTask], ...]:
    """A stripline pair in one dielectric, and a bare microstrip pair on it."""
    task = rough_line().task
    return ("stripline", task), ("microstrip", replace(task, above=(), thickness=40e-6))


def beside(victim: LineTask, spacing: float) -> CouplingTask:
    """Two alike pairs of 4 in at a spacing. [m]"""
    line = solve_line(victim)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return CouplingTask(
        victim=victim, other=victim, spacing=spacing, length=4 * INCH, z_victim=line.z_diff, z_other=line.z_diff,
        centres=(16 * GIGA,), highest=24 * GIGA, heights=0.0, width=0.0,
    )
