# SPDX-License-Identifier: MIT
"""Laws of solved lines over whole ranges."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from law_examples import examples
from sample_lines import (
    CARRIER_L1,
    CARRIER_L3,
    FREQUENCY,
    NVLINK,
    PCIE,
    SECTIONS,
    SINGLE,
    TASKS,
    lossless,
    megtron_7n,
    section,
    solve,
    um,
)
from scipy.constants import mil

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply, cut
from pcbrules.analysis.lines.copper_impedance import PLANE
from pcbrules.analysis.lines.process_variation import MOVES
from pcbrules.analysis.lines.solve import solve_line, solve_lossy, solve_still
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing
from pcbrules.physics.lines.dielectric import permittivity


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
        # dispersion of microstrip raises inductance and capacitance alike, by 1 % at most at 85 GHz on these
        rise = 0.0 if task.above else 0.01
        assert np.all(np.diff(inductance[1:]) < rise * inductance[-1])
        assert np.all(inductance > 0)
        assert g[0] == 0
        assert np.all(g[1:] > 0)
        assert np.all(np.diff(capacitance) < rise * capacitance[-1])
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
    regions = [(weight, permittivity(frequency=f, points=part.points)) for weight, part in made.modes.odd.filling]
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
    assert solve(replace(task, below=(replace(ply, material=DielectricPoints(points)),))).z_diff < solve(task).z_diff


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


@pytest.mark.long
@examples(60)
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
        below=(Ply(below * um, DielectricPoints(((1e9, core, df),))),),
        above=(Ply((above + thickness) * um, DielectricPoints(((1e9, core * ratio, df),))),),
        cover=None,
        cover_over_trace=None,
        rz=(rz * um,) * 4,
        resistivity_trace=1.8e-8,
        resistivity_plane=1.7241e-8,
        temperature=temperature,
    )
    made = solve_line(task)
    if isinstance(made, Missing):
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


@pytest.mark.long
@examples(40)
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
    if isinstance(made, Missing):
        assert made.reason
        return
    f = np.array([0.0, 1e6, 1e9, 16e9, 85e9])
    r, inductance, g, capacitance = made.rlgc(f)
    assert np.all(r > 0) and np.all(inductance > 0) and np.all(capacitance > 0) and np.all(g >= 0)
    assert np.all(np.diff(r) > -1e-6 * r[1:])
    around = [dks[0], *([dks[1]] if task.above else []), *([dks[2]] if task.cover else [])]
    least = min(around) if kind == "closed" else 1.0
    assert least * (1 - 1e-6) <= made.eps_eff <= max(around) * (1 + 1e-6)


def test_the_ply_beside_the_trace_counts_more() -> None:
    def below(near: float, far: float) -> float:
        return solve(replace(NVLINK, below=(Ply(63.5 * um, lossless(near)), Ply(63.5 * um, lossless(far))))).z_diff

    assert below(3.3, 3.3) > below(3.3, 3.6) > below(3.6, 3.3) > below(3.6, 3.6)


@pytest.mark.parametrize("task", [NVLINK, CARRIER_L1])
def test_heat_raises_the_resistivity_of_trace_and_planes(task: LineTask) -> None:
    hot = 1 + 0.00393 * 65
    cold = replace(task, resistivity_trace=hot * task.resistivity_trace, resistivity_plane=hot * task.resistivity_plane)
    for a, b in zip(solve(replace(task, temperature=85.0)).rlgc(FREQUENCY), solve(cold).rlgc(FREQUENCY), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3)


def test_one_trace_has_one_impedance_in_all_places() -> None:
    made = solve(SINGLE)
    assert made.z_diff == made.z_common == made.z0
    for a, b in zip(made.rlgc(FREQUENCY, "odd"), made.rlgc(FREQUENCY, "even"), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("task", TASKS)
def test_a_section_without_slopes_has_the_same_line(task: LineTask) -> None:
    whole, still = solve(task), solve_still(task)
    assert not isinstance(still, Missing) and still.modes.slopes == ()
    assert still == replace(whole, modes=replace(whole.modes, slopes=()))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", MOVES)
def test_slopes_are_those_of_sections_made_apart(task: LineTask, name: str) -> None:
    step = 0.01 * (min(task.width_foot, task.width_top, task.gap or 1.0) if name == "width" else 1.0)
    up, down = (solve(MOVES[name](task, sign * step)).z0 for sign in (1, -1))
    slopes = dict(solve(task).modes.slopes)
    assert slopes[name] == pytest.approx(math.log(up / down) / (2 * step), rel=2e-3)
