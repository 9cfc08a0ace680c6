# SPDX-License-Identifier: MIT
"""Ground copper beside a line: against independent finite elements, a published formula, and laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sample_lines import lossless, um
from scipy.constants import c
from scipy.special import ellipk

from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.analysis.crosstalk.coplanar_section import CoupledSection, solve_coupled_section
from pcbrules.analysis.lines.copper_impedance import copper_impedance
from pcbrules.analysis.lines.impedance_tolerance import impedance_spread
from pcbrules.analysis.lines.polygons import draw, draw_coplanar
from pcbrules.analysis.lines.process_variation import with_width
from pcbrules.analysis.lines.side_ground import POUR, side_ground
from pcbrules.analysis.lines.solve import LineResult, solve_line, solve_lossy
from pcbrules.analysis.lines.task import LineTask, SideGround
from pcbrules.model.link import Trace


def line(
    width: float, height: float, dk: float, ground: tuple[float, float] | None, *, gap: float | None = None,
    top: float | None = None, thickness: float = 35.0, mask: bool = False,
) -> LineTask:
    """A line over one plane, lengths in um."""
    return LineTask(
        width_foot=width * um, width_top=(top or width) * um, thickness=thickness * um,
        gap=None if gap is None else gap * um, foot_up=False, below=(Ply(height * um, lossless(dk)),), above=(),
        cover=Ply(20 * um, lossless(3.6)) if mask else None, cover_over_trace=12 * um if mask else None,
        rz=(0.0,) * 4, resistivity_trace=1.8e-8, resistivity_plane=1.7241e-8, temperature=20.0,
        ground=ground and SideGround(ground[0] * um, ground[1] * um),
    )


def solved(task: LineTask) -> LineResult:
    found = solve_line(task)
    assert isinstance(found, LineResult)
    return found


PAIR = line(110, 90, 3.5, (150, 600), gap=120, top=95)
SINGLE = line(160, 100, 3.4, (75, 1000), top=145)


@pytest.mark.parametrize(("task", "z", "eps_eff"), [
    (PAIR, 108.3438691, 2.177076952),
    (line(110, 90, 3.5, (100, 600), gap=120, top=95, mask=True), 96.90393784, 2.596426592),
    (SINGLE, 50.26744106, 2.226881272),
], ids=["CP01", "CP02", "CP03"])
def test_independent_finite_elements_find_the_same(task: LineTask, z: float, eps_eff: float) -> None:
    # right to 2e-6 between two-sided bounds of the energy
    found = solved(task)
    assert found.z_diff == pytest.approx(z, rel=1e-4)
    assert found.eps_eff == pytest.approx(eps_eff, rel=1e-4)


@pytest.mark.parametrize(("width", "gap", "height", "dk"), [(1000, 200, 1500, 4.4), (300, 100, 300, 4.2)])
def test_thin_copper_follows_the_published_formula(width: float, gap: float, height: float, dk: float) -> None:
    # Ghione, Naldi, Electronics Letters 19(18), 1983, p. 734: conformal map with the slots as magnetic walls, for which
    # the height must not be small beside the slots
    a, b = width, width + 2 * gap
    k, k3 = a / b, float(np.tanh(np.pi * a / 4 / height) / np.tanh(np.pi * b / 4 / height))
    air, filled = (ellipk(one**2) / ellipk(1 - one**2) for one in (k, k3))
    expected = 60 * np.pi / np.sqrt((air + dk * filled) * (air + filled))
    eps_eff = (air + dk * filled) / (air + filled)
    found = solved(line(width, height, dk, (gap, 20 * height), thickness=1.0))
    assert found.z0 == pytest.approx(expected, rel=0.02)
    assert found.eps_eff == pytest.approx(eps_eff, rel=0.03)


def test_ground_far_away_does_nothing() -> None:
    assert solved(replace(SINGLE, ground=SideGround(20e-3, 1e-3))).z0 == pytest.approx(
        solved(replace(SINGLE, ground=None)).z0, rel=2e-4)


def test_nearer_ground_lowers_impedance_and_raises_loss() -> None:
    lines = [solve_lossy(replace(SINGLE, ground=SideGround(gap * um, 1e-3))) for gap in (75, 150, 300)]
    found = [(one.z0, -float(one.loss_db_per_m(10e9).conductor)) for one in lines if isinstance(one, LineResult)]
    assert len(found) == 3
    assert found == sorted(found)


def test_a_wide_pour_is_as_good_as_an_endless_one() -> None:
    made = side_ground(Trace.model_validate({
        "layer": "L1", "width": "0.16 mm", "length": "10 mm", "coplanar": {"gap": "75 um"}}), ("t",), 100 * um, 5e9)
    assert made.ground == SideGround(75 * um, POUR * 175 * um)
    wide = [solved(replace(SINGLE, ground=SideGround(75 * um, width))).z0 for width in (POUR * 175 * um, 20e-3)]
    assert wide[0] == pytest.approx(wide[1], rel=1e-4)


@pytest.mark.parametrize(("stitching", "says"), [
    (None, ["not declared: every 3 mm or closer at 5 GHz"]), ("2.9 mm", []), ("3.1 mm", ["are not modelled"]),
])
def test_what_is_assumed_of_its_vias(stitching: str | None, says: list[str]) -> None:
    # c / 5 GHz / 20 = 3.0 mm
    assert c / 5e9 / 20 == pytest.approx(3e-3, rel=0.01)
    ground = {"gap": "75 um", "width": "1 mm"} | ({"stitching": stitching} if stitching else {})
    trace = Trace.model_validate({"layer": "L1", "width": "0.16 mm", "length": "10 mm", "coplanar": ground})
    made = side_ground(trace, ("t",), 100 * um, 5e9)
    assert [text for text, end in zip(made.assumptions, says, strict=True) if not text.endswith(end)] == []


def test_etching_moves_the_ground_towards_the_trace() -> None:
    found = impedance_spread(PAIR, {"width": 1e-6, "dielectric": 0.0, "copper": 0.0, "dk": 0.0})
    assert isinstance(found, tuple)
    wider, thinner = (solved(with_width(PAIR, moved)).z0 for moved in (1e-6, -1e-6))
    assert found[0] == pytest.approx((thinner - wider) / 2 / solved(PAIR).z0, rel=1e-3)
    moved = with_width(PAIR, 10 * um).ground
    assert moved is not None
    assert (moved.gap, moved.width) == pytest.approx((140 * um, 610 * um))


def test_two_lines_share_the_ground_between_them() -> None:
    def edges(task: LineTask, spacing: float) -> list[tuple[float, float]]:
        made = draw_coplanar(task, task, spacing, lambda material: 3.4).section.grounds
        return sorted((min(x for x, _ in one), max(x for x, _ in one)) for one in made)

    near = edges(SINGLE, 400 * um)
    assert near[1] == pytest.approx((-125 * um, 125 * um))
    assert len(near) == 3
    apart = edges(replace(SINGLE, ground=SideGround(75 * um, 50 * um)), 400 * um)
    assert [one for pair in apart[1:3] for one in pair] == pytest.approx([-125 * um, -75 * um, 75 * um, 125 * um])
    assert apart[0][1] == pytest.approx(-(200 + 160 + 75) * um)


def test_ground_is_drawn_under_its_own_mask() -> None:
    made = draw(line(110, 90, 3.5, (100, 600), gap=120, top=95, mask=True), lambda material: 3.5).section
    low, high = (sorted({y for _, y in made.dielectrics[-1][0]})[i] for i in (1, 2))
    assert (low, high) == pytest.approx((110 * um, 137 * um))
    assert len(made.dielectrics[-1][0]) == 4 + 4 * 4


def test_currents_in_the_ground_are_those_of_finite_elements() -> None:
    # per leg of the pair, odd mode, planes 10 mm wide: 5.8e7 S/m, right to 0.3 %
    copper = replace(PAIR, resistivity_trace=1 / 5.8e7, resistivity_plane=1 / 5.8e7)
    resistance = copper_impedance(copper, "odd", np.array([0.0, 1e6, 10e6])).real
    assert resistance == pytest.approx([4.80595939, 4.97681206, 6.097676447], rel=5e-3)


def test_ground_between_two_lines_shields_them() -> None:
    def mutual(task: LineTask) -> float:
        made = solve_coupled_section(task, task, 700 * um)
        assert isinstance(made, CoupledSection)
        return abs(float(made.inductance[0, 1]))

    assert mutual(SINGLE) < 0.5 * mutual(replace(SINGLE, ground=None))
