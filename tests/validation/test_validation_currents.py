# SPDX-License-Identifier: MIT
"""Currents and temperature rises of conductors against published figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pcbrules.library.shelf import LOADER
from pcbrules.physics.power.ampacity import (
    INNER,
    MIL,
    OUTER,
    ipc2152_outer_rise,
    ipc2221_rise,
)

TABLE: dict[str, list[dict[str, Any]]] = yaml.load(
    (Path(__file__).parent / "conductor_currents.yaml").read_text(encoding="utf-8"), Loader=LOADER)
CONSTANTS = {"outer": OUTER, "inner": INNER}


@pytest.mark.parametrize("case", TABLE["ipc2221"], ids=lambda case: case["id"])
def test_rise_of_ipc_2221(case: dict[str, Any]) -> None:
    """The figures are currents: the rise goes with their power of 1 / 0.44."""
    area, constant = case["width"] * case["thickness"] * MIL**2, CONSTANTS[case["constant"]]
    rise = ipc2221_rise(current=case["current"], area=area, constant=constant)
    assert (rise / case["rise"]) ** 0.44 == pytest.approx(1, rel=case["within"])


@pytest.mark.parametrize("case", TABLE["ipc2152"], ids=lambda case: f"{case['id']}-{case['current']}")
def test_rise_of_ipc_2152(case: dict[str, Any]) -> None:
    rise = ipc2152_outer_rise(
        current=case["current"], width=case["width"] * MIL, thickness=case["thickness"] * MIL)
    assert rise == pytest.approx(case["rise"], rel=case["within"])


@pytest.mark.parametrize("case", TABLE["simulated"], ids=lambda case: case["id"])
def test_planes_beside_a_trace_keep_it_below_the_fit_and_the_bound(case: dict[str, Any]) -> None:
    width, thickness = case["width"] * MIL, case["thickness_um"] * 1e-6
    fit = ipc2152_outer_rise(current=case["current"], width=width, thickness=thickness)
    bound = ipc2221_rise(current=case["current"], area=width * thickness, constant=INNER)
    assert fit == pytest.approx(case["without"], rel=case["within"])
    assert max(case["beside"]) < fit < bound
