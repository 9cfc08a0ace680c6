# SPDX-License-Identifier: MIT
"""Maps of a rail's copper: potential and current density over a layer, for pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.ir_drop.solve import FlowTask, grid_flow, solve_flow, triangle_flow
from pcbrules.arrays import Real
from pcbrules.physics.power.sheet_grid import GridFlow
from pcbrules.physics.power.sheet_triangles import TriangleFlow

Row = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class FlowMap:
    """Rasters of one layer on an even grid; None outside of the copper and where no current can flow.

    Attributes
    ----------
    layer : int
        Number of the layer in the task.
    x, y : tuple of float
        Middles of columns and rows, rising. [m]
    drop : tuple of rows
        Below the sense point; without one below the sources' mean. [V]
    density : tuple of rows
        Current per width. [A/m]
    """

    layer: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    drop: tuple[Row, ...]
    density: tuple[Row, ...]

    @property
    def largest(self) -> tuple[float, float]:
        """Largest drop [V] and current density [A/m] of the raster."""
        drops, densities = ([value for row in rows for value in row if value is not None]
                            for rows in (self.drop, self.density))
        return max(drops, default=0.0), max(densities, default=0.0)


def flow_maps(task: FlowTask, *, current: float, columns: int = 160) -> tuple[FlowMap, ...]:
    """Maps of all layers of one side of a rail, on one grid.

    Parameters
    ----------
    task : FlowTask
        Supply or return, see `undeclared.side_tasks`.
    current : float
        Of the load. [A]
    columns : int
        Of the raster; it has square cells and spans the shapes of all layers.

    Raises
    ------
    ValueError
        The copper has no way from the sources to the balls.
    """
    solved = solve_flow(task)
    if solved.fault:
        raise ValueError(solved.fault)
    flow = grid_flow(task, solved.step) if solved.step else triangle_flow(task, 2)
    corners = np.array([corner for layer in task.layers for shape in layer.shapes for corner in shape])
    (left, low), (wide, high) = corners.min(axis=0), np.ptp(corners, axis=0)
    step = float(wide) / columns
    rows = max(1, round(float(high) / step))
    x, y = left + (np.arange(columns) + 0.5) * step, low + (np.arange(rows) + 0.5) * float(high) / rows
    start = _start(task, flow)
    maps = []
    for layer in range(len(task.layers)):
        volts, density = _on_cells(flow, layer, x, y) if isinstance(flow, GridFlow) else _on_mesh(flow, layer, x, y)
        maps.append(FlowMap(layer, tuple(x.tolist()), tuple(y.tolist()), _rows((start - volts) * current),
                            _rows(density * current)))
    return tuple(maps)


def _on_cells(flow: GridFlow, layer: int, x: Real, y: Real) -> tuple[Real, Real]:
    """Potential [V] and current per width [A/m] at columns and rows, not a number outside of the copper."""
    column = np.clip(np.searchsorted(flow.x, x, side="right") - 1, 0, len(flow.x) - 2)
    row = np.clip(np.searchsorted(flow.y, y, side="right") - 1, 0, len(flow.y) - 2)
    here, volts = np.ix_(row, column), flow.potential[layer]
    return volts[here], np.where(np.isnan(volts), np.nan, np.hypot(*flow.density(layer)))[here]


def _on_mesh(flow: TriangleFlow, layer: int, x: Real, y: Real) -> tuple[Real, Real]:
    """The same on triangles."""
    across, along = (one.ravel() for one in np.meshgrid(x, y))
    shape = len(y), len(x)
    return (flow.at(layer, across, along).reshape(shape),
            np.hypot(*flow.density(layer, across, along)).reshape(shape))


def _start(task: FlowTask, flow: GridFlow | TriangleFlow) -> float:
    """Potential from which drops count. [V]"""
    if task.sense is not None:
        return float(flow.terminals[task.sense])
    at = list(task.sources)
    return float(flow.terminals[at] @ flow.entering[at] / flow.entering[at].sum())


def _rows(values: Real) -> tuple[Row, ...]:
    return tuple(tuple(None if np.isnan(one) else one for one in row) for row in values.tolist())
