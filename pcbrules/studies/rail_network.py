# SPDX-License-Identifier: MIT
"""The impedance of a rail as a network of scikit-rf with one port."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.power.ladder import curve_frequencies, impedance
from pcbrules.analysis.power.layout import bind_layout
from pcbrules.analysis.power.layout_curves import LayoutTask, all_curves, solve_layout
from pcbrules.analysis.power.rail_task import BoundRail, bind_rail
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.networks._skrf import multiport

if TYPE_CHECKING:
    from pcbrules.networks._skrf import SkrfNetwork

Z_REF = 1.0
"""Reference impedance of the port [ohm]; near what rails have, so that no digits are lost."""


def rail_network(
    board: Board, name: str, conditions: Conditions, frequency: NDArray[np.float64] | None
) -> SkrfNetwork | tuple[Missing, ...]:
    """Nominal impedance of a rail where its load stands, as PDN001 judges it; else what is missing.

    Without ``frequency`` [Hz] the grid is that of the rail's curves, which holds its peaks.
    """
    rail = (board.rails or {})[name]
    bound = bind_rail(board, name, rail, conditions, planes=rail.layout is None)
    if not isinstance(bound, BoundRail):
        return bound
    if rail.layout is None:
        task = replace(bound.task, corners=())
        grid = curve_frequencies(task) if frequency is None else frequency
        return _one_port(name, grid, impedance(task, grid))
    layout = bind_layout(board, name, rail, conditions, bound.over_frequency())
    if isinstance(layout, tuple):
        return layout
    if frequency is None:
        frequency = np.array(solve_layout(LayoutTask(layout.rail, layout.variants)).curves.frequencies)
    return _one_port(name, frequency, all_curves([(layout.rail, None)], frequency)[0])


def _one_port(name: str, frequency: NDArray[np.float64], z: NDArray[np.complex128]) -> SkrfNetwork:
    s = np.asarray((z - Z_REF) / (z + Z_REF), dtype=np.complex128)
    return multiport(frequency, s[:, None, None], z_ref=Z_REF, name=name)
