# SPDX-License-Identifier: MIT
"""Inductance of a rail's drawn copper over the ground beside it, from regulator to balls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.constants import mu_0

from pcbrules.analysis.ir_drop.solve import NECK, FlowTask, on_triangles, triangle_flow
from pcbrules.analysis.ir_drop.undrawn_return import planes_beside
from pcbrules.arrays import Flags, Real
from pcbrules.model.rail_copper import CopperSide
from pcbrules.model.stack import Placed, Stack
from pcbrules.physics.lines.microstrip_thin import thin_microstrip
from pcbrules.physics.power.sheet_mesh import Mesh
from pcbrules.physics.power.sheet_triangles import middles
from pcbrules.physics.power.triangle_necks import local_widths

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
    flow = triangle_flow(task, 2)
    whole = stack.layers[-1].bottom - stack.layers[0].top
    total = 0.0
    for number, sheet in enumerate(side.sheets):
        mesh, own = flow.meshes[number], stack.copper(sheet.layer)
        some = np.flatnonzero(mesh.copper & (mesh.under < 0) & np.isfinite(flow.volts[number][:, 0]))
        x, y, area = middles(mesh, some)
        grounds = _grounds(own, side, back, back_task, stack, x, y)
        if not grounds:
            return None
        height = _height(own, grounds, whole)
        width = local_widths(flow=flow, layer=number, some=some, widest=NECK)
        density = np.hypot(*flow.density(number, x, y))
        total += float(np.nansum(mu_0 * height * _fringed(width / height) * density**2 * area))
    return total


def _fringed(ratio: Real) -> Real:
    """Inductance of a line in air over that of its width between endless planes, by width over height. [-]"""
    return np.asarray(np.minimum(ratio / thin_microstrip(width=np.maximum(ratio, NARROWEST), dk=1.0), 1.0))


def _grounds(
    own: Placed, side: CopperSide, back: CopperSide | None, back_task: FlowTask | None, stack: Stack, x: Real, y: Real
) -> list[tuple[Placed, Flags]]:
    """Layers of ground, and at which places they have copper: those of the drawn return, else planes of the stack."""
    if back is None or back_task is None or not on_triangles(back_task):
        return [(other, np.ones(len(x), bool)) for sheet, other in planes_beside(side, stack) if sheet is own]
    meshes: Sequence[Mesh] = triangle_flow(back_task, 2).meshes
    return [(stack.copper(sheet.layer), mesh.find(x, y) >= 0) for sheet, mesh in zip(back.sheets, meshes, strict=True)
            if sheet.layer != own.name]


def _height(own: Placed, grounds: Sequence[tuple[Placed, Flags]], whole: float) -> Real:
    """Distance of the nearest ground above and below at each place, both in parallel. [m]"""
    least = [np.full(len(grounds[0][1]), np.inf) for _ in (0, 1)]
    for other, there in grounds:
        above = other.top < own.top
        gap = own.top - other.bottom if above else other.top - own.bottom
        into = least[0] if above else least[1]
        into[there] = np.minimum(into[there], gap)
    inverse = 1 / least[0] + 1 / least[1]
    return np.asarray(1 / np.where(inverse > 0, inverse, 1 / whole))
