# SPDX-License-Identifier: MIT
"""Maps of a rail's copper: potential and current density over a layer, for pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.ir_drop.solve import FlowTask, grid_flow, solve_flow
from pcbrules.arrays import Real
from pcbrules.physics.power.sheet_grid import GridFlow

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
    flow = grid_flow(task, solved.step)
    step = float(flow.x[-1] - flow.x[0]) / columns
    rows = max(1, round(float(flow.y[-1] - flow.y[0]) / step))
    x = flow.x[0] + (np.arange(columns) + 0.5) * step
    y = flow.y[0] + (np.arange(rows) + 0.5) * float(flow.y[-1] - flow.y[0]) / rows
    start = _start(task, flow)
    column = np.clip(np.searchsorted(flow.x, x, side="right") - 1, 0, len(flow.x) - 2)
    row = np.clip(np.searchsorted(flow.y, y, side="right") - 1, 0, len(flow.y) - 2)
    here = np.ix_(row, column)
    maps = []
    for layer, volts in enumerate(flow.potential):
        density = np.where(np.isnan(volts), np.nan, np.hypot(*flow.density(layer)))
        maps.append(FlowMap(layer, tuple(x.tolist()), tuple(y.tolist()), _rows((start - volts[here]) * current),
                            _rows(density[here] * current)))
    return tuple(maps)


def _start(task: FlowTask, flow: GridFlow) -> float:
    """Potential from which drops count. [V]"""
    if task.sense is not None:
        return float(flow.terminals[task.sense])
    at = list(task.sources)
    return float(flow.terminals[at] @ flow.entering[at] / flow.entering[at].sum())


def _rows(values: Real) -> tuple[Row, ...]:
    return tuple(tuple(None if np.isnan(one) else one for one in row) for row in values.tolist())
