# SPDX-License-Identifier: MIT
"""Skin effect, roughness and dielectrics against known figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.constants import inch
from sections import read

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.physics.lines.conductor import skin_depth, surface_impedance
from pcbrules.physics.lines.dielectric import permittivity, wideband_debye
from pcbrules.physics.lines.roughness import RADIUS_OVER_RZ, SURFACE_RATIO, cannonball, groiss, hammerstad, huray

SKIN, ROUGHNESS, DIELECTRICS = read("skin"), read("roughness"), read("dielectrics")
MODELS: dict[str, Callable[..., Any]] = {
    "hammerstad": hammerstad, "groiss": groiss, "huray": huray, "cannonball": cannonball,
}
CORNERS = (1e3, 1e12)


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["case"]) for case in cases]


@pytest.mark.parametrize("case", named(SKIN["cases"]))
def test_skin_depth_and_surface_resistance(case: dict[str, Any]) -> None:
    copper = {"frequency": case["frequency"], "resistivity": case["resistivity"]}
    assert skin_depth(**copper) * 1e6 == pytest.approx(case["depth_um"], rel=case["within"])
    if "resistance" in case:
        assert surface_impedance(**copper).real == pytest.approx(case["resistance"], rel=case["within"])


def test_delay() -> None:
    case = SKIN["delay"]
    for dk, expected in zip(case["dk"], case["ps_per_inch"], strict=True):
        ply = Ply(100e-6, DielectricPoints(((1e9, dk, 0.0),)))
        line = solve_line(
            LineTask(
                width_foot=100e-6, width_top=100e-6, thickness=15e-6, gap=None, foot_up=False, below=(ply,),
                above=(ply,), cover=None, cover_over_trace=None, rz=(0.0,) * 4, resistivity_trace=1.7e-8,
                resistivity_plane=1.7e-8, temperature=20.0,
            )
        )
        assert isinstance(line, LineResult)
        assert line.delay * inch * 1e12 == pytest.approx(expected, rel=case["within"])


def depths(frequency: list[float]) -> Any:
    return skin_depth(frequency=np.array(frequency), resistivity=1.724e-8)


@pytest.mark.parametrize("case", named(ROUGHNESS["cases"]))
def test_roughness(case: dict[str, Any]) -> None:
    lengths = {name: value if name == "surface_ratio" else value * 1e-6 for name, value in case["inputs"].items()}
    found = MODELS[case["model"]](skin_depth=depths(case["frequency"]), **lengths)
    assert found == pytest.approx(np.array(case["factor"]), rel=ROUGHNESS["within"])


def test_average_of_both_sides_of_a_foil() -> None:
    case = ROUGHNESS["average"]
    sides = [made for made in ROUGHNESS["cases"] if made["case"] in case["of"]]
    found = [cannonball(skin_depth=depths(made["frequency"]), rz=made["inputs"]["rz"] * 1e-6) for made in sides]
    assert np.mean(found, axis=0) == pytest.approx(np.array(case["factor"]), rel=ROUGHNESS["within"])


def test_roughness_of_hammerstad_by_height_over_depth() -> None:
    case = ROUGHNESS["identity"]
    found = hammerstad(skin_depth=1e-6, rms=np.array(case["rms_over_depth"]) * 1e-6)
    assert found == pytest.approx(np.array(case["factor"]), rel=ROUGHNESS["within"])
    assert hammerstad(skin_depth=1e-12, rms=1e-6) == pytest.approx(case["limit"], rel=1e-9)


def test_constants_of_the_cannonball_model() -> None:
    case = ROUGHNESS["constants"]
    assert pytest.approx(case["surface_ratio"], rel=ROUGHNESS["within"]) == SURFACE_RATIO
    # the published 0.06 is the exact value rounded
    assert pytest.approx(case["radius_over_rz"], rel=4e-3) == RADIUS_OVER_RZ

    def factor(depth: float) -> float:
        return float(huray(skin_depth=depth, radius=1e-6, surface_ratio=SURFACE_RATIO))

    assert factor(1e-6) == pytest.approx(case["at_one_radius"], rel=ROUGHNESS["within"])
    assert factor(1e-15) == pytest.approx(case["limit"], rel=ROUGHNESS["within"])


@pytest.mark.parametrize("case", named(DIELECTRICS["cases"]))
def test_wideband_model(case: dict[str, Any]) -> None:
    eps = wideband_debye(
        frequency=np.array(case["frequency"]), dk=case["dk"], df=case["df"], reference=case["reference"],
        corners=CORNERS,
    )
    assert eps.real == pytest.approx(np.array(case["dk_at"]), rel=case["dk_within"])
    assert -eps.imag / eps.real == pytest.approx(np.array(case["df_at"]), rel=case["df_within"])


def test_fall_of_dk_by_causality() -> None:
    case = DIELECTRICS["slope"]
    around = case["reference"] * np.array([0.999, 1.0, 1.001])
    eps = wideband_debye(
        frequency=around, dk=case["dk"], df=case["df"], reference=case["reference"], corners=CORNERS
    )
    slope = (eps[2] - eps[0]).real / np.log(around[2] / around[0])
    assert slope / -eps[1].imag == pytest.approx(case["ratio"], rel=1e-6)
    assert slope / -eps[1].imag == pytest.approx(-2 / np.pi, rel=case["within"])


def test_printed_sheet_needs_more_than_one_point() -> None:
    case = DIELECTRICS["sheet"]
    f, dk, df = (np.array(case[name]) for name in ("frequency", "dk", "df"))
    one = wideband_debye(frequency=f[-1], dk=dk[0], df=df[0], reference=f[0], corners=CORNERS)
    assert 100 * (-one.imag / one.real / df[-1] - 1) == pytest.approx(case["one_point_df_error_percent"], rel=1e-3)
    all_points = permittivity(frequency=f, points=tuple(zip(f.tolist(), dk.tolist(), df.tolist(), strict=True)))
    assert -all_points.imag / all_points.real == pytest.approx(df, rel=0.01)
    assert all_points.real == pytest.approx(dk, rel=0.005)
