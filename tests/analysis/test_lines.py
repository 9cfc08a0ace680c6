# SPDX-License-Identifier: MIT
"""Solved lines: an independent finite-element reference, two example boards, laws, and what is refused."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.constants import c, inch, mil

from pcbrules.analysis.line_closed_forms import closed_forms
from pcbrules.analysis.line_copper import PLANE, _solved
from pcbrules.analysis.line_fields import Region, cut, region
from pcbrules.analysis.lines import (
    Dielectric,
    LineResult,
    LineTask,
    Ply,
    Unsupported,
    impedance_spread,
    solve_line,
    solve_lossy,
)
from pcbrules.physics.dielectric import permittivity

um = 1e-6
DATA = Path(__file__).parents[1] / "physics" / "data"
SECTIONS = {s["id"]: s for s in json.loads((DATA / "cross_sections.json").read_text())["sections"]}
LINES = json.loads((DATA / "line_resistance.json").read_text())["lines"]
OUT_OF_RANGE = {"MS01"}
FREQUENCY = np.array([0.0, 1e6, 1e8, 1e9, 8e9, 16e9, 26.56e9, 53.125e9, 85e9])


def lossless(dk: float) -> Dielectric:
    return Dielectric(((5e9, dk, 0.0),))


def section(made: dict[str, Any], **extra: Any) -> LineTask:
    """Task of a section of the reference; ``extra``: df by name, reference [Hz], resistivity."""
    df, reference = extra.get("df", {}), extra.get("reference", 5e9)

    def plies(rows: list[list[float]], names: list[str]) -> tuple[Ply, ...]:
        return tuple(
            Ply(h * um, Dielectric(((reference, dk, df.get(name, 0.0)),)))
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
    assert isinstance(made, Unsupported)
    return made.reason


def megtron_7n(dk: float) -> Dielectric:
    return Dielectric(
        tuple((f * 1e9, dk, df) for f, df in ((14, 0.0023), (25, 0.0025), (36, 0.0028), (48, 0.0030), (59, 0.0033)))
    )


def s1000(dk: float) -> Dielectric:
    return Dielectric(((1e9, dk, 0.018), (5e9, dk, 0.020), (10e9, dk, 0.021)))


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
CARRIER_L1_MASK = replace(CARRIER_L1, cover=Ply(20 * um, Dielectric(((1e9, 3.7, 0.02),))), cover_over_trace=15 * um)
SINGLE = replace(NVLINK, gap=None)
TASKS = [NVLINK, PCIE, CARRIER_L3, CARRIER_L1, CARRIER_L1_MASK, SINGLE, replace(CARRIER_L1, gap=None)]


# --- independent hp finite-element reference -------------------------------------------------------------------------


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
        assert np.all(np.abs(reference[f >= 1e7]) < 3e-3)
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


# --- two example boards, computed independently by boundary and finite elements; bands 1 % of Z, 10 % of dB ---------


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
    assert not isinstance(made, Unsupported)
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
    assert not isinstance(full, Unsupported)
    assert not isinstance(half, Unsupported)
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


# --- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_rlgc_is_physical_from_direct_current_to_85_ghz(task: LineTask) -> None:
    made = solve(task)
    for mode in ("odd", "even"):
        r, inductance, g, capacitance = made.rlgc(FREQUENCY, mode)
        own = 1.8e-8 / ((task.width_foot + task.width_top) / 2 * task.thickness)
        # in the even mode, and of one trace, the planes carry the current of both legs back
        legs = 1 if task.gap is None else 2 if mode == "even" else 0
        planes = 2 if task.above else 1
        assert r[0] == pytest.approx(own + legs * 1.8e-8 / (planes * PLANE * task.plane_thickness), rel=1e-6)
        assert np.all(np.diff(r) > 0)
        assert np.all(np.diff(inductance[1:]) < 0)
        assert np.all(inductance > 0)
        assert g[0] == 0
        assert np.all(g[1:] > 0)
        assert np.all(np.diff(capacitance) < 0)
        gamma, z = made.gamma(FREQUENCY[2:], mode), made.z(FREQUENCY[2:], mode)
        assert np.all(gamma.real > 0)
        assert np.all(z.real > 0)
        np.testing.assert_allclose(gamma * z, (r + 2j * np.pi * FREQUENCY * inductance)[2:], rtol=1e-12)


@pytest.mark.parametrize("task", TASKS)
def test_arrays_equal_scalars_and_parts_add_up(task: LineTask) -> None:
    made = solve(task)
    together = made.rlgc(FREQUENCY)
    for i, f in enumerate(FREQUENCY):
        for array, alone in zip(together, made.rlgc(float(f)), strict=True):
            assert array[i] == pytest.approx(float(alone), rel=1e-12)
    loss = made.loss_db_per_m(FREQUENCY)
    np.testing.assert_allclose(loss.conductor + loss.roughness + loss.dielectric, loss.total, rtol=1e-12)
    np.testing.assert_allclose(loss.total[2:], 20 / np.log(10) * made.gamma(FREQUENCY[2:]).real, rtol=1e-6)
    assert sum(made.loss_parts(16e9).values()) == pytest.approx(float(made.loss_db_per_m(16e9).total), rel=1e-12)


@pytest.mark.parametrize("gap", [7.2 * mil, None])
def test_loss_tangent_of_a_homogeneous_section_is_that_of_its_material(gap: float | None) -> None:
    material = megtron_7n(3.31)
    made = solve(replace(NVLINK, gap=gap, below=(Ply(127 * um, material),), above=(Ply(5.6 * mil, material),)))
    f = FREQUENCY[1:]
    _, _, g, capacitance = made.rlgc(f)
    eps = permittivity(frequency=f, points=material.points)
    np.testing.assert_allclose(g / (2 * np.pi * f * capacitance), -eps.imag / eps.real, rtol=1e-9)


def test_loss_tangent_of_a_layered_section_is_the_weighted_sum() -> None:
    made = solve(CARRIER_L3)
    f = np.array([1e9, 10e9])
    _, _, g, capacitance = made.rlgc(f)
    regions = [(weight, part.permittivity(f)) for weight, part in made.modes.odd.filling]
    total = sum(weight * eps for weight, eps in regions)
    shares = [weight * eps.real / total.real for weight, eps in regions]
    tangent = sum(q * -eps.imag / eps.real for q, (_, eps) in zip(shares, regions, strict=True))
    np.testing.assert_allclose(g / (2 * np.pi * f * capacitance), tangent, rtol=1e-12)


@pytest.mark.parametrize("task", TASKS)
def test_permittivity_lies_between_those_around(task: LineTask) -> None:
    plies = (*task.below, *task.above, *((task.cover,) if task.cover else ()))
    values = [permittivity(frequency=5e9, points=ply.material.points).real for ply in plies]
    low = min(values) if task.above else 1.0
    assert low - 1e-9 <= solve(task).eps_eff <= max(values) + 1e-9


def scaled(task: LineTask, by: float) -> LineTask:
    def plies(many: tuple[Ply, ...]) -> tuple[Ply, ...]:
        return tuple(Ply(by * ply.thickness, ply.material) for ply in many)

    return replace(
        task,
        width_foot=by * task.width_foot,
        width_top=by * task.width_top,
        thickness=by * task.thickness,
        gap=None if task.gap is None else by * task.gap,
        below=plies(task.below),
        above=plies(task.above),
        cover=None if task.cover is None else plies((task.cover,))[0],
        cover_over_trace=None if task.cover_over_trace is None else by * task.cover_over_trace,
    )


@pytest.mark.parametrize("task", TASKS)
def test_half_the_section_doubles_the_conductor_loss_and_leaves_the_rest(task: LineTask) -> None:
    smooth = replace(task, rz=(0.0,) * 4)
    whole, half = solve(smooth), solve(scaled(smooth, 0.5))
    assert half.z_diff == pytest.approx(whole.z_diff, rel=1e-9)
    # of half the size at four times the frequency the skin depth is as large a part of the copper
    assert half.rlgc(16e9)[0] == pytest.approx(4 * whole.rlgc(4e9)[0], rel=5e-3)
    assert half.loss_db_per_m(50e9).dielectric == pytest.approx(whole.loss_db_per_m(50e9).dielectric, rel=0.01)


@pytest.mark.parametrize("task", TASKS)
def test_loss_grows_with_roughness_resistivity_and_heat_and_falls_with_width(task: LineTask) -> None:
    def loss(**changes: Any) -> float:
        return float(solve(replace(task, **changes)).loss_db_per_m(16e9).total)

    base = loss()
    for face in range(4 if task.above else 3):
        rz = [*task.rz]
        rz[face] *= 2
        assert loss(rz=tuple(rz)) > base
    assert loss(resistivity_trace=2e-8) > base
    assert loss(resistivity_plane=2e-8) > base
    assert loss(temperature=85.0) > base
    wider = {"width_foot": 1.1 * task.width_foot, "width_top": 1.1 * task.width_top}
    a, b = (solve(replace(task, **w)).rlgc(16e9)[0] for w in ({}, wider))
    assert b < a


@pytest.mark.parametrize("task", [NVLINK, CARRIER_L3, SINGLE])
@pytest.mark.parametrize("side", ["below", "above"])
def test_a_plane_moved_away_raises_the_impedance(task: LineTask, side: str) -> None:
    plies = getattr(task, side)
    moved = (*plies[:-1], replace(plies[-1], thickness=1.2 * plies[-1].thickness))
    assert solve(replace(task, **{side: moved})).z_diff > solve(task).z_diff


@pytest.mark.parametrize("task", TASKS)
def test_dk_up_impedance_down(task: LineTask) -> None:
    ply = task.below[0]
    points = tuple((f, 1.05 * dk, df) for f, dk, df in ply.material.points)
    assert solve(replace(task, below=(replace(ply, material=Dielectric(points)),))).z_diff < solve(task).z_diff


def turned(task: LineTask) -> LineTask:
    """The same section upside down."""
    beside, over = cut(task.above, task.thickness)
    rz = task.rz
    return replace(
        task, foot_up=not task.foot_up, below=over, above=(*beside, *task.below), rz=(rz[1], rz[0], rz[3], rz[2])
    )


@pytest.mark.parametrize(
    "task", [NVLINK, PCIE, CARRIER_L3, SINGLE, section(SECTIONS["DSL08"]), section(SECTIONS["DSL06"])]
)
def test_turned_over_it_is_the_same(task: LineTask) -> None:
    task = replace(task, rz=(1 * um, 2 * um, 3 * um, 4 * um))
    a, b = solve(task), solve(turned(task))
    assert b.z_diff == pytest.approx(a.z_diff, rel=1e-9)
    assert b.z_common == pytest.approx(a.z_common, rel=1e-9)
    for x, y in zip(a.rlgc(FREQUENCY), b.rlgc(FREQUENCY), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-5)  # a pair of cells may just be near, and just not
    assert solve(turned(turned(task))).z_diff == pytest.approx(a.z_diff, rel=1e-12)


def test_equal_stack_gives_equal_impedance_on_both_sides() -> None:
    material = lossless(3.5)
    task = replace(
        NVLINK, width_top=NVLINK.width_foot, below=(Ply(100 * um, material),), above=(Ply(115.2 * um, material),)
    )
    assert solve(task).z_diff == solve(turned(task)).z_diff


@settings(max_examples=60, deadline=None)
@given(
    width=st.floats(70, 250),
    gap=st.floats(80, 400),
    thickness=st.floats(12, 40),
    taper=st.floats(0, 0.9),
    below=st.floats(70, 300),
    above=st.floats(70, 300),
    core=st.floats(2.9, 4.4),
    ratio=st.floats(0.85, 1.15),
    df=st.floats(5e-4, 0.03),
    rz=st.floats(0, 9),
    temperature=st.floats(-40, 125),
    foot_up=st.booleans(),
)
def test_any_line_that_is_not_refused_is_passive(
    width: float,
    gap: float,
    thickness: float,
    taper: float,
    below: float,
    above: float,
    core: float,
    ratio: float,
    df: float,
    rz: float,
    temperature: float,
    foot_up: bool,
) -> None:
    top = width - taper * thickness
    assume(top > 20)
    task = LineTask(
        width_foot=width * um,
        width_top=top * um,
        thickness=thickness * um,
        gap=gap * um,
        foot_up=foot_up,
        below=(Ply(below * um, Dielectric(((1e9, core, df),))),),
        above=(Ply((above + thickness) * um, Dielectric(((1e9, core * ratio, df),))),),
        cover=None,
        cover_over_trace=None,
        rz=(rz * um,) * 4,
        resistivity_trace=1.8e-8,
        resistivity_plane=1.7241e-8,
        temperature=temperature,
    )
    made = solve_line(task)
    if isinstance(made, Unsupported):
        assert made.reason
        return
    assert made.u_z < 0.025
    assert 10 < made.z_diff < 250
    assert made.z_common > made.z_diff / 4
    for mode in ("odd", "even"):
        values = made.rlgc(FREQUENCY[1:], mode)
        assert all(np.all(value > 0) for value in values)
    loss = made.loss_db_per_m(FREQUENCY)
    assert np.all(np.diff(loss.total) > 0)
    assert np.all(loss.roughness >= -1e-9)


# --- what is refused, and how it travels -----------------------------------------------------------------------------


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
    assert isinstance(spread, Unsupported)


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (replace(NVLINK, below=(Ply(20 * um, lossless(3.3)),)), "position 0.136 is below 0.1666"),
        (replace(NVLINK, gap=16 * um), "gap"),
        (replace(NVLINK, width_foot=900 * um, width_top=900 * um), "width 3.343 is above 2.5"),
        (replace(NVLINK, thickness=60 * um), "thickness"),
        (replace(NVLINK, below=(Ply(127 * um, lossless(4.4)),)), "too far apart"),
        (
            replace(NVLINK, below=(Ply(60 * um, lossless(3.0)), Ply(67 * um, lossless(3.9)))),
            "permittivities of the plies on one side differ by 30 %, at most 20 %",
        ),
        (replace(CARRIER_L1, foot_up=True), "taper"),
        (replace(CARRIER_L1, below=(Ply(20 * um, s1000(4.0)),)), "is above"),
        (replace(CARRIER_L1_MASK, cover_over_trace=None), "over the trace is not given"),
        (replace(CARRIER_L1_MASK, cover_over_trace=28 * um), "over_trace 0.3684 is above 0.35"),
        (replace(CARRIER_L1_MASK, cover=Ply(60 * um, lossless(3.7))), "on_laminate 0.7895 is above 0.5"),
        (replace(CARRIER_L1_MASK, gap=48 * um, width_top=130 * um, cover_over_trace=20 * um), "fills most of the gap"),
    ],
)
def test_what_no_closed_form_covers_the_field_solver_does(task: LineTask, reason: str) -> None:
    refusal = closed_forms(task)
    assert isinstance(refusal, Unsupported)
    assert reason in refusal.reason
    assert 20 < solve(task).z_diff < 150


def test_plies_of_one_material_count_as_one_and_near_ones_count_more() -> None:
    core = megtron_7n(3.31)
    split = replace(NVLINK, below=(Ply(50 * um, core), Ply(77 * um, core)))
    assert solve(split).z_diff == pytest.approx(solve(NVLINK).z_diff, rel=1e-12)
    made = region((Ply(1.0, lossless(3.0)), Ply(1.0, lossless(3.3))))
    assert isinstance(made, Region)
    near, far = (part for part, _ in made.parts)
    assert near > 0.6
    assert near + far == pytest.approx(1)


def test_the_ply_beside_the_trace_counts_more() -> None:
    def below(near: float, far: float) -> float:
        return solve(replace(NVLINK, below=(Ply(63.5 * um, lossless(near)), Ply(63.5 * um, lossless(far))))).z_diff

    assert below(3.3, 3.3) > below(3.3, 3.6) > below(3.6, 3.3) > below(3.6, 3.6)


def test_one_trace_has_one_impedance_in_all_places() -> None:
    made = solve(SINGLE)
    assert made.z_diff == made.z_common == made.z0
    for a, b in zip(made.rlgc(FREQUENCY, "odd"), made.rlgc(FREQUENCY, "even"), strict=True):
        np.testing.assert_array_equal(a, b)


def test_results_are_cached_and_travel_between_processes() -> None:
    assert solve_line(NVLINK) is solve_line(replace(NVLINK))
    copy = pickle.loads(pickle.dumps(solve_line(NVLINK)))
    assert copy == solve_line(NVLINK)


@pytest.mark.parametrize("task", [NVLINK, CARRIER_L1, CARRIER_L1_MASK])
def test_spread_by_dk_is_the_slope_of_the_impedance(task: LineTask) -> None:
    def moved(by: float) -> float:
        def plies(many: tuple[Ply, ...]) -> tuple[Ply, ...]:
            return tuple(
                replace(p, material=Dielectric(tuple((f, dk * by, df) for f, dk, df in p.material.points)))
                for p in many
            )

        cover = None if task.cover is None else plies((task.cover,))[0]
        return solve(replace(task, below=plies(task.below), above=plies(task.above), cover=cover)).z_diff

    made = impedance_spread(task, {"width": 0.0, "dielectric": 0.0, "copper": 0.0, "dk": 0.02})
    assert not isinstance(made, Unsupported)
    assert made[1]["dk"] == pytest.approx((moved(0.99) - moved(1.01)) / solve(task).z_diff, rel=0.02)


@pytest.mark.parametrize("task", [NVLINK, CARRIER_L1])
def test_heat_raises_the_resistivity_of_trace_and_planes(task: LineTask) -> None:
    hot = 1 + 0.00393 * 65
    cold = replace(task, resistivity_trace=hot * task.resistivity_trace, resistivity_plane=hot * task.resistivity_plane)
    for a, b in zip(solve(replace(task, temperature=85.0)).rlgc(FREQUENCY), solve(cold).rlgc(FREQUENCY), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3)


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (replace(NVLINK, temperature=300.0), "temperature 300 is above 150"),
        (replace(NVLINK, rz=(1 * um, 20 * um, 1 * um, 1 * um)), "rz 2e-05 is above 1.5e-05"),
        (replace(NVLINK, rz=(1 * um, -1 * um, 1 * um, 1 * um)), "rz -1e-06 is below 0"),
        (replace(NVLINK, resistivity_plane=1e-7), "resistivity 1e-07 is above 4e-08"),
        (replace(NVLINK, resistivity_trace=float("nan")), "resistivity nan"),
    ],
)
def test_copper_outside_its_formulas_has_no_loss_and_the_same_impedance(task: LineTask, reason: str) -> None:
    lossy = solve_lossy(task)
    assert isinstance(lossy, Unsupported) and reason in lossy.reason
    assert solve(task).z_diff == solve(NVLINK).z_diff


def test_currents_are_solved_once_for_one_shape_of_copper() -> None:
    other = replace(NVLINK, below=(Ply(127 * um, lossless(4.4)),), temperature=85.0, rz=(3 * um,) * 4)
    before = _solved.cache_info().currsize
    for task in (NVLINK, other):
        solve(task).rlgc(1e9)
    assert _solved.cache_info().currsize - before <= 1


@settings(max_examples=40, deadline=None)
@given(
    width=st.floats(5, 3000), thickness=st.floats(5, 200), top=st.sampled_from([1.0, 0.9, 0.3, 0.001, 1.2]),
    gap=st.none() | st.floats(5, 2000), foot_up=st.booleans(), height=st.floats(3, 2000), over=st.floats(3, 1000),
    dks=st.tuples(*[st.sampled_from([1.0001, 2.2, 3.3, 4.4, 12.0])] * 3),
    kind=st.sampled_from(["open", "mask", "in", "closed"]),
)
def test_no_section_however_odd_crashes_or_breaks_a_law(
    width: float, thickness: float, top: float, gap: float | None, foot_up: bool, height: float, over: float,
    dks: tuple[float, float, float], kind: str,
) -> None:
    below, above, mask = (lossless(dk) for dk in dks)
    task = replace(
        NVLINK,
        width_foot=width * um, width_top=top * width * um, thickness=thickness * um, foot_up=foot_up,
        gap=None if gap is None else gap * um,
        below=(Ply(height * um, below),),
        above=() if kind in ("open", "mask") else (Ply((thickness + over) * um, above),),
        closed=kind == "closed",
        cover=None if kind in ("open", "closed") else Ply(min(over, 100) * um, mask),
        cover_over_trace=None,
    )
    made = solve_lossy(task)
    if isinstance(made, Unsupported):
        assert made.reason
        return
    f = np.array([0.0, 1e6, 1e9, 16e9, 85e9])
    r, inductance, g, capacitance = made.rlgc(f)
    assert np.all(r > 0) and np.all(inductance > 0) and np.all(capacitance > 0) and np.all(g >= 0)
    assert np.all(np.diff(r) > -1e-6 * r[1:])
    around = [dks[0], *([dks[1]] if task.above else []), *([dks[2]] if task.cover else [])]
    least = min(around) if kind == "closed" else 1.0
    assert least * (1 - 1e-6) <= made.eps_eff <= max(around) * (1 + 1e-6)


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
    assert isinstance(lossy, Unsupported) and reason in lossy.reason


@pytest.mark.parametrize(
    "changes",
    [{"gap": 0.5}, {"width_foot": 0.05, "width_top": 0.05}, {"gap": 0.05}, {"gap": 0.04}, {"gap": 0.02}, {"gap": 1e-9}],
)
def test_a_slip_of_the_unit_gives_a_number_or_a_reason_but_no_nan(changes: dict[str, float]) -> None:
    for made in (solve_line(replace(NVLINK, **changes)), solve_lossy(replace(NVLINK, **changes))):
        if isinstance(made, Unsupported):
            assert made.reason
        else:
            assert np.isfinite([made.z_diff, made.z_common, made.eps_eff]).all()
    if isinstance(made, LineResult):
        assert np.isfinite(list(made.loss_parts(16e9).values())).all()
