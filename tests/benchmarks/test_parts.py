# SPDX-License-Identifier: MIT
"""Parts of a check that a board has many of: a rail with its corners, current in planes, a laminate of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pcbrules import api, library
from pcbrules.analysis.ir_drop.solve import solve_flow
from pcbrules.analysis.ir_drop.undeclared import drawn_sides, side_tasks
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask, solve_rail
from pcbrules.library import shelf
from pcbrules.model.conditions import Conditions

BOARDS = Path(__file__).resolve().parents[2] / "boards"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
RAIL = RailTask(
    vrm_resistance=30e-6,
    vrm_inductance=0.10e-9,
    ladder=(Bank(30, 376e-6, 4.5e-3, 1.4e-9), LadderPlane(15e-6, 5e-12), Bank(140, 35.25e-6, 2.5e-3, 0.7e-9),
            LadderPlane(4e-6, 1.5e-12), Bank(260, 3.525e-6, 5e-3, 0.5e-9), Bank(60, 90e-9, 20e-3, 0.5e-9)),
    package_inductance=10e-12,
)


def test_a_rail_with_its_corners(benchmark: Any) -> None:
    benchmark(solve_rail, RAIL)


def test_current_through_two_perforated_planes(benchmark: Any) -> None:
    """2 x 16 pads, 576 balls."""
    board = api.load(str(BOARDS / "sxm-accelerator-module.yaml")).board
    copper = (board.rails or {})["vdd_core"].copper
    assert copper is not None and board.stack is not None
    (task, *_) = side_tasks(drawn_sides(copper), copper, board.stack, CONDITIONS)
    assert not benchmark(solve_flow, task).fault


def test_one_laminate(benchmark: Any) -> None:
    def read() -> None:
        shelf.read.cache_clear()
        library.laminate("megtron4")

    benchmark(read)
