# SPDX-License-Identifier: MIT
"""Resistance and inductance between regulator and balls as the drawn copper of a rail has them."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.ir_drop.drawn_inductance import flow_inductance
from pcbrules.analysis.ir_drop.solve import Flow
from pcbrules.analysis.ir_drop.undeclared import rail_tasks, solve_ways
from pcbrules.analysis.ir_drop.undrawn_return import planes_beside
from pcbrules.constants import MU_0
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import CopperSide
from pcbrules.model.stack import Stack
from pcbrules.physics.lines.copper import sheet_resistance


@dataclass(frozen=True, slots=True)
class DrawnSpreading:
    """Loop resistance [ohm], from as drawn to the most that the copper may lack, and loop inductance [H]."""

    resistance: Interval
    inductance: float


def drawn_spreading(rail: Rail, stack: Stack | None, conditions: Conditions) -> DrawnSpreading | None:
    """Of a rail whose copper is drawn: from the sense point to the worst ball, without one from the regulator's pads.

    The inductance is that of the supply's squares over the ground planes beside its sheets: mu0 h a square, of a
    layout's copper with the fringe of its local width (`drawn_inductance.py`).
    """
    copper = rail.copper
    if copper is None or stack is None:
        return None
    solved = solve_ways(rail_tasks(copper, stack, conditions))
    if any(flow.fault for flow in (*solved.drawn, *solved.most)):
        return None
    sensed = copper.sense is not None
    least, most = (sum(max(flow.drop if sensed else flow.loss - flow.pads, 0.0) for flow in flows)
                   for flows in (solved.drawn, solved.most))
    tasks = rail_tasks(copper, stack, conditions).drawn
    inductance = flow_inductance(copper, tasks[0], copper.return_side, tasks[1] if len(tasks) > 1 else None, stack)
    if inductance is None:
        inductance = MU_0 * _squares(copper, solved.drawn[0], stack, conditions) * _height(copper, stack)
    return DrawnSpreading(Interval(lo=min(least, most), value=least, hi=max(least, most)), inductance)


def _squares(side: CopperSide, flow: Flow, stack: Stack, conditions: Conditions) -> float:
    """Squares of the sheets in parallel between regulator and balls. [-]"""
    sheets = [float(sheet_resistance(thickness=stack.copper(sheet.layer).spec.thickness.value,
                                     temperature=conditions.plane_temperature)) for sheet in side.sheets]
    return max(flow.loss - flow.barrels - flow.pads, 0.0) * sum(1 / one for one in sheets)


def _height(side: CopperSide, stack: Stack) -> float:
    """Distance to the ground planes above and below each sheet, all in parallel; without any no inductance. [m]"""
    gaps = [max(own.top - other.bottom, other.top - own.bottom) for own, other in planes_beside(side, stack)]
    return 1 / sum(1 / gap for gap in gaps if gap > 0) if gaps else 0.0
