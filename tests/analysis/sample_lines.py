# SPDX-License-Identifier: MIT
"""Lines of the tests: sections of an independent reference, and of two example boards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.constants import mil

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing

um = 1e-6
DATA = Path(__file__).parents[1] / "physics" / "data"
SECTIONS = {s["id"]: s for s in json.loads((DATA / "cross_sections.json").read_text())["sections"]}
LINES = json.loads((DATA / "line_resistance.json").read_text())["lines"]
OUT_OF_RANGE = {"MS01"}
FREQUENCY = np.array([0.0, 1e6, 1e8, 1e9, 8e9, 16e9, 26.56e9, 53.125e9, 85e9])


def lossless(dk: float) -> DielectricPoints:
    return DielectricPoints(((5e9, dk, 0.0),))


def section(made: dict[str, Any], **extra: Any) -> LineTask:
    """Task of a section of the reference; ``extra``: df by name, reference [Hz], resistivity."""
    df, reference = extra.get("df", {}), extra.get("reference", 5e9)

    def plies(rows: list[list[float]], names: list[str]) -> tuple[Ply, ...]:
        return tuple(
            Ply(h * um, DielectricPoints(((reference, dk, df.get(name, 0.0)),)))
            for (h, dk), name in zip(rows, names, strict=True)
        )

    mask = made.get("mask")
    above = made["above"]
    return LineTask(
        width_foot=made["width_foot"] * um,
        width_top=made["width_top"] * um,
        thickness=made["thickness"] * um,
        gap=None if made["gap"] is None else made["gap"] * um,
        foot_up=False,
        below=plies(made["below"], ["core" if above else "laminate"]),
        above=plies(above, ["resin", "prepreg"][-len(above) :] if above else []),
        cover=plies([[mask["on_laminate"], mask["dk"]]], ["mask"])[0] if mask else None,
        cover_over_trace=mask["over_trace"] * um if mask else None,
        rz=(0.0,) * 4,
        resistivity_trace=extra.get("resistivity", 1.7e-8),
        resistivity_plane=extra.get("resistivity", 1.7e-8),
        temperature=20.0,
    )


def solve(task: LineTask) -> LineResult:
    made = solve_line(task)
    assert isinstance(made, LineResult), made
    return made


def refused(task: LineTask) -> str:
    made = solve_line(task)
    assert isinstance(made, Missing)
    return made.reason


def megtron_7n(dk: float) -> DielectricPoints:
    return DielectricPoints(
        tuple((f * 1e9, dk, df) for f, df in ((14, 0.0023), (25, 0.0025), (36, 0.0028), (48, 0.0030), (59, 0.0033)))
    )


def s1000(dk: float) -> DielectricPoints:
    return DielectricPoints(((1e9, dk, 0.018), (5e9, dk, 0.020), (10e9, dk, 0.021)))


NVLINK = LineTask(
    width_foot=4.8 * mil,
    width_top=4.5 * mil,
    thickness=15.2 * um,
    gap=7.2 * mil,
    foot_up=False,
    below=(Ply(127 * um, megtron_7n(3.31)),),
    above=(Ply(5.6 * mil, megtron_7n(3.25)),),
    cover=None,
    cover_over_trace=None,
    rz=(1.5 * um,) * 4,
    resistivity_trace=1.8e-8,
    resistivity_plane=1.8e-8,
    temperature=20.0,
)
PCIE = replace(NVLINK, width_foot=6.5 * mil, width_top=6.2 * mil, gap=6.5 * mil)
CARRIER_L3 = LineTask(
    width_foot=6.3 * mil,
    width_top=6.0 * mil,
    thickness=15 * um,
    gap=6.5 * mil,
    foot_up=False,
    below=(Ply(127 * um, s1000(4.15)),),
    above=(Ply(247 * um, s1000(4.10)),),
    cover=None,
    cover_over_trace=None,
    rz=(4.5 * um,) * 4,
    resistivity_trace=1.8e-8,
    resistivity_plane=1.8e-8,
    temperature=20.0,
)
CARRIER_L1 = replace(
    CARRIER_L3,
    width_foot=130 * um,
    width_top=115 * um,
    thickness=40 * um,
    gap=150 * um,
    below=(Ply(76 * um, s1000(4.0)),),
    above=(),
)
MASK = DielectricPoints(((1e9, 3.7, 0.02),))
CARRIER_L1_MASK = replace(CARRIER_L1, cover=Ply(20 * um, MASK), cover_over_trace=15 * um)
SINGLE = replace(NVLINK, gap=None)
TASKS = [NVLINK, PCIE, CARRIER_L3, CARRIER_L1, CARRIER_L1_MASK, SINGLE, replace(CARRIER_L1, gap=None)]
