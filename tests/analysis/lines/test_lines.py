# SPDX-License-Identifier: MIT
"""Solved lines beside an independent finite-element reference, two example boards, and cases others got wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sample_lines import (
    CARRIER_L1,
    CARRIER_L1_MASK,
    CARRIER_L3,
    LINES,
    NVLINK,
    OUT_OF_RANGE,
    PCIE,
    SECTIONS,
    SINGLE,
    lossless,
    section,
    solve,
    um,
)
from scipy.constants import c, inch, mil

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.impedance_tolerance import impedance_spread
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing


@pytest.mark.parametrize("name", [name for name in SECTIONS if name not in OUT_OF_RANGE])
def test_impedance_against_the_finite_element_reference(name: str) -> None:
    made = solve(section(SECTIONS[name]))
    z, eps = SECTIONS[name]["z"], SECTIONS[name]["eps_eff"]
    allowed = made.u_z
    if "single" in z:
        assert made.z0 == made.z_diff == pytest.approx(z["single"], rel=allowed)
        assert made.eps_eff == pytest.approx(eps["single"], rel=4e-3)
    else:
        assert made.z_diff == 2 * made.z0 == pytest.approx(2 * z["odd"], rel=allowed)
        assert made.z_common == pytest.approx(z["even"] / 2, rel=allowed)
        assert made.eps_eff == pytest.approx(eps["odd"], rel=1e-2)
    assert made.delay == pytest.approx(made.eps_eff**0.5 / c, rel=1e-12)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_resistance_inductance_and_loss_against_the_finite_element_reference(line: dict[str, Any]) -> None:
    made = solve(section(SECTIONS[line["section"]], **line))
    f = np.array(line["frequency"])
    for name in ("single", "odd", "even"):
        if f"r_{name}" not in line:
            continue
        mode = "even" if name == "even" else "odd"
        r, inductance, _, _ = made.rlgc(f, mode)
        resistance, reference = r / line[f"r_{name}"] - 1, inductance * 1e9 / line[f"l_{name}"] - 1
        # the planes of the reference are of another width: that matters to direct current
        assert np.all(np.abs(resistance[f >= 1e6]) < 0.015)
        if name == "odd":
            assert resistance[0] == pytest.approx(0, abs=1e-6)
        assert np.all(np.abs(reference[f >= 1e7]) < np.where(f[f >= 1e7] > 20e9, 1e-2, 3e-3))  # it has no dispersion
        loss = made.loss_db_per_m(np.array(line["loss_frequency"]), mode).total * inch / line[f"loss_{name}"] - 1
        assert np.all(np.abs(loss) < 0.015)


TOLERANCE = {
    # independent hp finite-element reference: foot width, pitch, heights, thickness, inset, Dk; Z; slopes per metre
    "SL1": (
        (100, 250, 100, 120, 15, 6, 3.6, 3.5),
        97.48281442,
        {"width": -527.9618e3, "below": 232.5393e3, "above": 138.3971e3, "thickness": -574.3841e3},
    ),
    "SL2": (
        (85, 200, 85, 95, 17.5, 8, 3.2, 3.05),
        99.4152484,
        {"width": -650.8830e3, "below": 261.7305e3, "above": 181.7438e3, "thickness": -631.3930e3},
    ),
}


@pytest.mark.parametrize("name", TOLERANCE)
def test_slopes_of_the_impedance_against_the_finite_element_reference(name: str) -> None:
    (w, pitch, low, high, t, inset, core, prepreg), z, slopes = TOLERANCE[name]

    def impedance(width: float = 0.0, below: float = 0.0, above: float = 0.0, thickness: float = 0.0) -> float:
        foot, copper = w * um + width, t * um + thickness
        return solve(
            replace(
                NVLINK,
                width_foot=foot,
                width_top=foot - 2 * inset * um,
                thickness=copper,
                gap=pitch * um - foot,
                below=(Ply(low * um + below, lossless(core)),),
                above=(Ply(high * um + above + copper, lossless(prepreg)),),
            )
        ).z_diff

    assert impedance() == pytest.approx(z, rel=5e-3)
    for what, slope in slopes.items():
        step = 0.2 * um
        found = (impedance(**{what: step}) - impedance(**{what: -step})) / (2 * step)
        assert found == pytest.approx(slope, rel=0.03), what


@pytest.mark.parametrize(
    ("task", "z", "losses"),
    [
        (NVLINK, 99.99, {16e9: 0.766, 26.56e9: 1.160}),
        (PCIE, 84.9, {8e9: 0.421, 16e9: 0.730, 25e9: 1.052}),
        (replace(NVLINK, temperature=85.0), 99.99, {26.56e9: 1.215}),
        (replace(NVLINK, rz=(3 * um,) * 4), 99.99, {26.56e9: 1.63}),
        (replace(NVLINK, rz=(8 * um,) * 4), 99.99, {26.56e9: 2.87}),
        (CARRIER_L3, 84.8, {4e9: 0.72, 8e9: 1.40}),
        (replace(CARRIER_L3, width_foot=4.4 * mil, width_top=4.1 * mil, gap=6.6 * mil), 99.3, {5e9: 0.94}),
        (CARRIER_L1, 91.9, {}),
        (CARRIER_L1_MASK, 85.5, {4e9: 0.61, 8e9: 1.11}),
        (replace(CARRIER_L1_MASK, width_foot=115 * um, width_top=100 * um), 90.3, {5e9: 0.74}),
        (replace(CARRIER_L1_MASK, width_foot=95 * um, width_top=80 * um, gap=160 * um), 98.8, {}),
    ],
)
def test_example_boards(task: LineTask, z: float, losses: dict[float, float]) -> None:
    made = solve(task)
    assert made.z_diff == pytest.approx(z, rel=0.01)
    for f, loss in losses.items():
        assert made.loss_db_per_m(f).total * inch == pytest.approx(loss, rel=0.1)


def test_nvlink_line_in_detail() -> None:
    made = solve(NVLINK)
    assert made.z_common == pytest.approx(27.4, rel=0.01)
    assert made.eps_eff == pytest.approx(3.278, rel=0.005)
    assert made.delay * inch == pytest.approx(153.4e-12, rel=0.003)
    assert made.modes.odd.filling[0][0] == pytest.approx(0.47, abs=0.01)
    parts = {name: value * inch for name, value in made.loss_parts(26.56e9).items()}
    assert parts == pytest.approx({"conductor": 0.604, "roughness": 0.273, "dielectric": 0.283}, rel=0.03)
    assert made.u_z < 0.01
    assert 0.03 < made.u_loss < 0.1


def test_nvlink_fabrication_spread() -> None:
    made = impedance_spread(NVLINK, {"width": 0.5 * mil, "dielectric": 0.1, "copper": 0.1, "dk": 0.02})
    assert not isinstance(made, Missing)
    total, parts = made
    assert total == pytest.approx(0.073, abs=0.002)
    assert parts["width"] == pytest.approx(0.057, abs=0.001)
    assert parts["height"] == pytest.approx(0.043, abs=0.001)
    assert parts["dk"] == pytest.approx(0.010, abs=0.0005)
    assert parts["thickness"] == pytest.approx(0.010, abs=0.003)
    assert total == pytest.approx(sum(value**2 for value in parts.values()) ** 0.5, rel=1e-12)


def test_no_tolerance_no_spread_and_half_of_it_half_the_spread() -> None:
    none = impedance_spread(CARRIER_L1_MASK, {"width": 0.0, "dielectric": 0.0, "copper": 0.0, "dk": 0.0})
    assert none == (0.0, {"width": 0.0, "height": 0.0, "thickness": 0.0, "dk": 0.0})
    full, half = (
        impedance_spread(NVLINK, {"width": k * mil, "dielectric": k * 0.1, "copper": k * 0.1, "dk": k * 0.02})
        for k in (1.0, 0.5)
    )
    assert not isinstance(full, Missing)
    assert not isinstance(half, Missing)
    assert half[0] == pytest.approx(full[0] / 2, rel=5e-3)


@pytest.mark.parametrize(
    ("task", "z", "rel"),
    [
        # edge-coupled microstrip w = s = h = 127 um, t = 35 um, Dk 3.9
        (
            replace(
                CARRIER_L1,
                width_foot=127 * um,
                width_top=127 * um,
                gap=127 * um,
                thickness=35 * um,
                below=(Ply(127 * um, lossless(3.9)),),
            ),
            108.90,
            0.005,
        ),
        # offset stripline in four dielectrics of a published forum case
        (
            replace(
                SINGLE,
                width_foot=160 * um,
                width_top=160 * um,
                below=(Ply(130 * um, lossless(4.6)),),
                above=(
                    Ply(116.4 * um, lossless(4.16)),
                    Ply(700 * um, lossless(4.6)),
                    Ply(261.6 * um, lossless(4.16)),
                ),
            ),
            50.3,
            0.01,
        ),
    ],
)
def test_cases_that_other_tools_got_wrong(task: LineTask, z: float, rel: float) -> None:
    assert solve(task).z_diff == pytest.approx(z, rel=rel)


@pytest.mark.parametrize("task", [NVLINK, CARRIER_L1, CARRIER_L1_MASK])
def test_spread_by_dk_is_the_slope_of_the_impedance(task: LineTask) -> None:
    def moved(by: float) -> float:
        def plies(many: tuple[Ply, ...]) -> tuple[Ply, ...]:
            return tuple(
                replace(p, material=DielectricPoints(tuple((f, dk * by, df) for f, dk, df in p.material.points)))
                for p in many
            )

        cover = None if task.cover is None else plies((task.cover,))[0]
        return solve(replace(task, below=plies(task.below), above=plies(task.above), cover=cover)).z_diff

    made = impedance_spread(task, {"width": 0.0, "dielectric": 0.0, "copper": 0.0, "dk": 0.02})
    assert not isinstance(made, Missing)
    assert made[1]["dk"] == pytest.approx((moved(0.99) - moved(1.01)) / solve(task).z_diff, rel=0.02)
