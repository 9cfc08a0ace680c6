# SPDX-License-Identifier: MIT
"""The core rail of the module board on its planes and as a ladder; a bank that moves away from the package."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from pcbrules import api
from pcbrules.analysis.power.ladder import RailTask, impedance
from pcbrules.analysis.power.layout import BoundLayout, bind_layout
from pcbrules.analysis.power.plane_rail import PlaneRail, plane_impedance
from pcbrules.analysis.power.rail_task import BoundRail, bind_rail
from pcbrules.model.conditions import Conditions
from pcbrules.reports._plot import Curve, Panel, draw

BOARD = Path(__file__).resolve().parents[2] / "boards" / "sxm-accelerator-module.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
FREQUENCY = np.geomspace(1e3, 1e8, 181)
MIDDLE = 1
"""Place of the middle tier among the banks."""


def picture() -> str:
    """The picture as SVG."""
    return draw([_curves(), _moved()], title="A rail on its planes")


@cache
def _rails() -> tuple[RailTask, PlaneRail]:
    board = api.load(str(BOARD)).board
    rail = (board.rails or {})["vdd_core"]
    bound = bind_rail(board, "vdd_core", rail, CONDITIONS)
    if not isinstance(bound, BoundRail):
        raise TypeError("the rail is not whole")
    layout = bind_layout(board, "vdd_core", rail, CONDITIONS, bound)
    if not isinstance(layout, BoundLayout):
        raise TypeError("the layout is not whole")
    return bound.task, layout.rail


def _curves() -> Panel:
    task, rail = _rails()
    sizes = [np.abs(z) * 1e3 for z in (impedance(task, FREQUENCY), plane_impedance(rail, FREQUENCY))]
    curves = [Curve("ladder", FREQUENCY, sizes[0], 0, dashed=True), Curve("planes", FREQUENCY, sizes[1], 1)]
    return Panel("Core rail of the module", "f [Hz]", "|Z| [mohm]", (1e3, 1e8), (1e-2, 10), curves,
                 log_x=True, log_y=True)


def _moved() -> Panel:
    """The middle tier in rows on two sides of the package, at a distance from the ball field."""
    _, rail = _rails()
    board = rail.board
    low, high = (f([y for _, y in board.package.places]) for f in (min, max))
    distance = np.linspace(2, 16, 8)
    values = []
    for gap in distance * 1e-3:
        rows = [low - gap - k * 2e-3 for k in range(4)] + [high + gap + k * 2e-3 for k in range(4)]
        places = tuple((0.0184 + i * 2e-3, y) for y in rows for i in range(30))
        banks = tuple(replace(bank, places=places) if k == MIDDLE else bank for k, bank in enumerate(board.banks))
        moved = replace(rail, board=replace(board, banks=banks))
        values.append(float(np.abs(plane_impedance(moved, np.geomspace(1e6, 4.77e6, 80))).max() * 1e3))
    curves = [Curve("240 x 47 uF", distance, values, 1)]
    return Panel("Middle tier away from the balls", "distance [mm]", "peak [mohm]", (2, 16), (0, 0.2), curves)
