# SPDX-License-Identifier: MIT
"""What is no line, what no model covers, and how results are kept."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from sample_lines import (
    CARRIER_L1,
    CARRIER_L1_MASK,
    NVLINK,
    SINGLE,
    lossless,
    refused,
    solve,
    um,
)

from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.analysis.lines.copper_impedance import _solved
from pcbrules.analysis.lines.impedance_tolerance import impedance_spread
from pcbrules.analysis.lines.solve import LineResult, solve_line, solve_lossy
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing
from pcbrules.solver_cache import SolverCache


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (replace(NVLINK, below=()), "no plane below the trace"),
        (replace(NVLINK, width_foot=0.0), "not positive"),
        (replace(NVLINK, gap=-1 * um), "not positive"),
        (replace(NVLINK, gap=float("nan")), "not positive"),
        (replace(NVLINK, cover=CARRIER_L1_MASK.cover), "solder mask over a trace between planes"),
        (replace(NVLINK, above=(Ply(15.2 * um, lossless(3.3)),)), "touches the trace"),
    ],
)
def test_what_is_no_line_is_refused_with_the_reason(task: LineTask, reason: str) -> None:
    assert reason in refused(task)
    spread = impedance_spread(task, {"width": 0.0, "dielectric": 0.0, "copper": 0.0, "dk": 0.0})
    assert isinstance(spread, Missing)


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (replace(NVLINK, temperature=300.0), "the temperature of the copper, 300 degC, is above 150 degC"),
        (replace(NVLINK, rz=(1 * um, 20 * um, 1 * um, 1 * um)),
         "`rz_top`, `rz_bottom` or that of its `foil`, 20 um, is above 15 um"),
        (replace(NVLINK, rz=(1 * um, -1 * um, 1 * um, 1 * um)), "-1 um, is below 0 um"),
        (replace(NVLINK, resistivity_plane=1e-7), "the resistivity of the copper in ohm m, 1e-7, is above 4e-8"),
        (replace(NVLINK, resistivity_trace=float("nan")), "the resistivity of the copper in ohm m, nan"),
    ],
)
def test_copper_outside_its_formulas_has_no_loss_and_the_same_impedance(task: LineTask, reason: str) -> None:
    lossy = solve_lossy(task)
    assert isinstance(lossy, Missing) and reason in lossy.reason
    assert solve(task).z_diff == solve(NVLINK).z_diff


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (replace(SINGLE, width_foot=10 * um, width_top=10 * um, thickness=50 * um), "5 times as thick as it is wide"),
        (
            replace(CARRIER_L1, width_foot=2250 * um, width_top=2700 * um, gap=5 * um, thickness=17 * um,
                    below=(Ply(42 * um, lossless(4.0)),)),
            "no model for the currents",
        ),
    ],
)
def test_copper_without_a_model_has_an_impedance_but_no_loss(task: LineTask, reason: str) -> None:
    if task.above:
        task = replace(task, above=(Ply(200 * um, lossless(3.3)),))
    assert solve(task).z_diff > 0
    lossy = solve_lossy(task)
    assert isinstance(lossy, Missing) and reason in lossy.reason


@pytest.mark.parametrize(
    "changes",
    [{"gap": 0.5}, {"width_foot": 0.05, "width_top": 0.05}, {"gap": 0.05}, {"gap": 0.04}, {"gap": 0.02}, {"gap": 1e-9}],
)
def test_a_slip_of_the_unit_gives_a_number_or_a_reason_but_no_nan(changes: dict[str, float]) -> None:
    for made in (solve_line(replace(NVLINK, **changes)), solve_lossy(replace(NVLINK, **changes))):
        if isinstance(made, Missing):
            assert made.reason
        else:
            assert np.isfinite([made.z_diff, made.z_common, made.eps_eff]).all()
    if isinstance(made, LineResult):
        assert np.isfinite(list(made.loss_parts(16e9).values())).all()


def test_results_are_cached_and_travel_between_processes() -> None:
    assert solve_line(NVLINK) is solve_line(replace(NVLINK))
    copy = pickle.loads(pickle.dumps(solve_line(NVLINK)))
    assert copy == solve_line(NVLINK)


def test_currents_are_solved_once_for_one_shape_of_copper() -> None:
    other = replace(NVLINK, below=(Ply(127 * um, lossless(4.4)),), temperature=85.0, rz=(3 * um,) * 4)
    with SolverCache().used() as cache:
        for task in (NVLINK, other):
            solve(task).rlgc(1e9)
    assert cache.solved[f"{_solved.__module__}._solved"] == 1
