# SPDX-License-Identifier: MIT
"""Inductance of a rail's drawn copper over the ground beside it, from regulator to balls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pcbrules.analysis.ir_drop.solve import NECK, FlowTask, on_triangles, triangle_flow
from pcbrules.analysis.ir_drop.undrawn_return import planes_beside
from pcbrules.arrays import Flags, Real
from pcbrules.constants import MU_0
from pcbrules.model.rail_copper import CopperSide
from pcbrules.model.stack import Placed, Stack
from pcbrules.physics.lines.microstrip_thin import thin_microstrip
from pcbrules.physics.power.sheet_triangles import middles, slopes
from pcbrules.physics.power.triangle_necks import local_widths
from pcbrules.solver_cache import solved_once

Level = tuple[float, float]
"""Top and bottom of a layer's copper, counted downwards. [m]"""
NARROWEST = 0.05
"""Least width over height that the formula of a line has; a narrower one counts as that. [-]"""


def flow_inductance(
    side: CopperSide, task: FlowTask, back: CopperSide | None, back_task: FlowTask | None, stack: Stack
) -> float | None:
    """Inductance of a supply on triangles [H]; None where no ground is known, or the copper is on a grid.

    Each square of copper of a local width has the inductance of a line in air of that width over the nearest ground
    above and below, half of the way each; the squares add up by the square of the current, as energy does. Where a
    drawn return leaves a place without ground, the whole board lies between.
    """
    if not on_triangles(task):
        return None
    drawn = back_task if back_task is not None and on_triangles(back_task) else None
    sheets = tuple((_level(stack.copper(sheet.layer)), _grounds(sheet.layer, side, back if drawn else None, stack))
                   for sheet in side.sheets)
    if not all(grounds for _, grounds in sheets):
        return None
    return _inductance(task, sheets, drawn, stack.layers[-1].bottom - stack.layers[0].top)


def _level(placed: Placed) -> Level:
    return placed.top, placed.bottom


def _grounds(layer: str, side: CopperSide, back: CopperSide | None, stack: Stack) -> tuple[tuple[Level, int], ...]:
    """Levels of ground for a sheet of the supply, with the number of the return's sheet; -1 for a whole plane."""
    if back is None:
        own = stack.copper(layer)
        return tuple((_level(other), -1) for sheet, other in planes_beside(side, stack) if sheet is own)
    return tuple((_level(stack.copper(sheet.layer)), k) for k, sheet in enumerate(back.sheets) if sheet.layer != layer)


@solved_once
def _inductance(
    task: FlowTask, sheets: tuple[tuple[Level, tuple[tuple[Level, int], ...]], ...], back: FlowTask | None, whole: float
) -> float:
    """Of all sheets over their grounds, of which the ``back`` has its copper; the board is ``whole`` thick [m]."""
    flow, total = triangle_flow(task, 2), 0.0
    meshes = triangle_flow(back, 2).meshes if back is not None else ()
    for number, (own, grounds) in enumerate(sheets):
        mesh = flow.meshes[number]
        some = np.flatnonzero(mesh.copper & (mesh.under < 0) & np.isfinite(flow.volts[number][:, 0]))
        x, y, area = middles(mesh, some)
        there = [(level, meshes[k].find(x, y) >= 0 if k >= 0 else np.ones(len(x), bool)) for level, k in grounds]
        height = _height(own, there, whole)
        width = local_widths(flow=flow, layer=number, some=some, widest=NECK)
        slope = np.einsum("nk,nkd->nd", flow.volts[number][some], slopes(mesh, some, np.column_stack([x, y])))
        density = np.hypot(*slope.T) / flow.square[number]
        total += float(np.nansum(MU_0 * height * _fringed(width / height) * density**2 * area))
    return total


def line_inductance(width: float, gaps: Sequence[float]) -> float:
    """Of a trace of a width over ground planes at these distances [m], at least one, in parallel. [H/m]"""
    height = 1 / sum(1 / gap for gap in gaps)
    return float(MU_0 * height / width * _fringed(np.asarray(width / height)))


def _fringed(ratio: Real) -> Real:
    """Inductance of a line in air over that of its width between endless planes, by width over height. [-]"""
    return np.asarray(np.minimum(ratio / thin_microstrip(width=np.maximum(ratio, NARROWEST), dk=1.0), 1.0))


def _height(own: Level, grounds: Sequence[tuple[Level, Flags]], whole: float) -> Real:
    """Distance of the nearest ground above and below at each place, both in parallel. [m]"""
    least = [np.full(len(grounds[0][1]), np.inf) for _ in (0, 1)]
    for (top, bottom), there in grounds:
        above = top < own[0]
        into = least[0] if above else least[1]
        into[there] = np.minimum(into[there], own[0] - bottom if above else top - own[1])
    inverse = 1 / least[0] + 1 / least[1]
    return np.asarray(1 / np.where(inverse > 0, inverse, 1 / whole))
