# SPDX-License-Identifier: MIT
"""The line that several pictures share, and its laminates."""

from __future__ import annotations

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask

INCH, GIGA = 0.0254, 1e9
COPPER = 1.724e-8
"""Resistivity [ohm m]."""

DF_6N = ((13, 0.0037), (24, 0.004), (36, 0.0042), (47, 0.0044), (58, 0.0046))
MEGTRON_6N = tuple((f * GIGA, 3.34, df) for f, df in DF_6N)
DF_7N = ((14, 0.0023), (25, 0.0025), (36, 0.0028), (48, 0.003), (59, 0.0033))
MEGTRON_7N = tuple((f * GIGA, 3.31, df) for f, df in DF_7N)
"""Points of the data sheets, by balanced circular disk resonator, as in the library."""


def rough_line() -> LineResult:
    """A stripline pair of 110 um traces in Megtron 7N with copper of Rz 1.5 um at 20 degC."""
    material = DielectricPoints(MEGTRON_7N)
    task = LineTask(
        width_foot=110e-6, width_top=100e-6, thickness=17e-6, gap=150e-6, foot_up=False,
        below=(Ply(100e-6, material),), above=(Ply(127e-6, material),), cover=None, cover_over_trace=None,
        rz=(1.5e-6,) * 4, resistivity_trace=COPPER, resistivity_plane=COPPER, temperature=20.0,
    )
    line = solve_line(task)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return line
