# SPDX-License-Identifier: MIT
"""Broadside pairs: their odd mode is a line over the plane half way between the legs; independent solutions, laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sample_lines import lossless, um

from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.lines.copper_impedance import copper_impedance
from pcbrules.analysis.lines.impedance_tolerance import impedance_spread
from pcbrules.analysis.lines.leg_delays import unequal_delay
from pcbrules.analysis.lines.process_variation import with_heights, with_thickness
from pcbrules.analysis.lines.solve import LineResult, solve_line, solve_lossy
from pcbrules.analysis.lines.task import LineTask, SecondLeg


def stripline(below: float, above: float, *, thickness: float = 17.0, second: SecondLeg | None = None) -> LineTask:
    """A trace 100 um wide between planes in Dk 3.6; ``above`` is measured from its lower face. [um]"""
    return LineTask(
        width_foot=100 * um, width_top=100 * um, thickness=thickness * um, gap=None, foot_up=False,
        below=(Ply(below * um, lossless(3.6)),), above=(Ply(above * um, lossless(3.6)),), cover=None,
        cover_over_trace=None, rz=(0.0,) * 4, resistivity_trace=1.8e-8, resistivity_plane=1.8e-8, temperature=20.0,
        second=second,
    )


LEG = SecondLeg(height=417 * um, offset=0.0, thickness=17 * um, foot_up=False)
PAIR = stripline(90, 524, second=LEG)
"""Legs 400 um apart, each 90 um from its plane."""

HALF = stripline(90, 217)
"""One leg of it with a plane half way to the other."""


def solved(task: LineTask) -> LineResult:
    found = solve_lossy(task)
    assert isinstance(found, LineResult)
    return found


def test_independent_finite_elements_find_the_same() -> None:
    # an offset stripline whose upper plane is the odd mode's mirror: 52.47046624 ohm, right to 2e-7
    found = solved(PAIR)
    assert found.z0 == pytest.approx(52.47046624, rel=1e-4)
    assert found.z_diff == pytest.approx(2 * 52.47046624, rel=1e-4)
    assert found.eps_eff == pytest.approx(3.6, rel=1e-6)
    assert found.u_z == pytest.approx(5e-4, rel=1e-3)


def test_its_odd_mode_is_a_leg_over_the_mirror() -> None:
    pair, half = solved(PAIR), solved(HALF)
    # the mirror has no loss: the plane of the half has
    lower, upper, sides, plane, _ = half.modes.odd.crowding
    found = pair.modes.odd.crowding
    assert sum(found) == pytest.approx(lower + upper + sides + plane, rel=2e-3)
    assert found[3] == pytest.approx(found[4], rel=1e-3)
    frequency = np.array([0.0, 16e9])
    both = copper_impedance(PAIR, "odd", frequency).real
    assert both[1] < copper_impedance(HALF, "single", frequency).real[1]
    assert both[0] == pytest.approx(1.8e-8 / (100 * um * 17 * um), rel=1e-6)


def test_either_leg_may_be_the_first_one() -> None:
    low, high = solved(PAIR), solved(stripline(507, 107, second=replace(LEG, height=-417 * um)))
    assert high.z_diff == pytest.approx(low.z_diff, rel=1e-5)
    assert high.z_common == pytest.approx(low.z_common, rel=1e-5)
    assert float(high.loss_db_per_m(10e9).total) == pytest.approx(float(low.loss_db_per_m(10e9).total), rel=1e-3)


def test_legs_far_aside_are_two_lines() -> None:
    aside = solved(stripline(90, 524, second=replace(LEG, offset=5e-3)))
    assert aside.z_diff == pytest.approx(2 * solved(stripline(90, 524)).z0, rel=1e-3)
    assert aside.z_common == pytest.approx(aside.z_diff / 4, rel=1e-3)


def test_nearer_legs_couple_more() -> None:
    lines = [solved(stripline(90, 124 + apart, second=replace(LEG, height=(apart + 17) * um)))
             for apart in (100, 200, 400)]
    assert [one.z_diff for one in lines] == sorted(one.z_diff for one in lines)
    assert [one.z_common for one in lines] == sorted((one.z_common for one in lines), reverse=True)


def test_unequal_legs_widen_the_error() -> None:
    found = solve_line(stripline(90, 634, second=LEG))
    assert isinstance(found, LineResult)
    assert found.u_z > 0.005


@pytest.mark.long
def test_slopes_are_those_of_sections_solved_anew() -> None:
    task = replace(PAIR, second=replace(LEG, offset=30 * um))
    tolerances = {"width": 0.0, "dielectric": 0.01, "copper": 0.0, "dk": 0.0, "registration": 50 * um}
    found = impedance_spread(task, tolerances)
    assert isinstance(found, tuple)
    higher, lower = (solved(with_heights(task, moved)).z0 for moved in (0.01, -0.01))
    assert found[1]["height"] == pytest.approx((higher - lower) / 2 / solved(task).z0, rel=0.02)
    aside = solved(replace(task, second=replace(LEG, offset=80 * um))).z0
    assert found[1]["registration"] == pytest.approx(abs(aside / solved(task).z0 - 1), rel=1e-6)


def test_moves_keep_the_legs_in_their_place() -> None:
    higher, thicker = with_heights(PAIR, 0.1), with_thickness(PAIR, 0.1)
    assert higher.second is not None
    assert thicker.second is not None
    assert higher.second.between(PAIR.thickness) == pytest.approx(440 * um)
    assert thicker.second.between(thicker.thickness) == pytest.approx(400 * um)


def test_legs_far_aside_share_the_loss_by_their_currents() -> None:
    # uncoupled legs at +V/2 and -V/2: currents go with C0, the loss of both halves over the square of their mean
    near, far = solved(stripline(90, 634)), solved(stripline(507, 217))  # the far one: 200 um from the upper plane
    apart = solved(stripline(90, 634, second=SecondLeg(height=417 * um, offset=8e-3, thickness=17 * um, foot_up=False)))
    currents = [one.modes.odd.air for one in (near, far)]
    mean = sum(currents) / 2
    lost = [sum(one.modes.odd.crowding) * (current / mean) ** 2
            for one, current in zip((near, far), currents, strict=True)]
    assert sum(apart.modes.odd.crowding) == pytest.approx(sum(lost) / 2, rel=5e-3)


def beside(below: float, above: float) -> LineTask:
    """Legs of the pair in dielectrics of two permittivities, that of the first leg below 200 um from it."""
    return replace(PAIR, below=(Ply(90 * um, lossless(below)), ),
                   above=(Ply(217 * um, lossless(below)), Ply(307 * um, lossless(above))))


def test_legs_in_one_dielectric_have_one_delay() -> None:
    found = unequal_delay(PAIR, dk=0.0)
    assert isinstance(found, Interval)
    assert max(abs(found.lo), abs(found.hi)) < 1e-9
    loose = unequal_delay(PAIR, dk=0.02)
    assert isinstance(loose, Interval)
    assert (loose.lo, loose.hi) == pytest.approx((-0.02 / np.sqrt(2), 0.02 / np.sqrt(2)), rel=1e-6)


def test_legs_of_two_dielectrics_have_nearly_the_delays_of_those() -> None:
    """Nearly sqrt(3.6) and sqrt(3.4) over c: the field from leg to leg crosses both."""
    found, other = (unequal_delay(beside(*dks), dk=0.0) for dks in ((3.6, 3.4), (3.4, 3.6)))
    assert isinstance(found, Interval)
    assert isinstance(other, Interval)
    apart = 2 * (3.6**0.5 - 3.4**0.5) / (3.6**0.5 + 3.4**0.5)
    assert 0.8 * apart < found.value < apart
    assert other.value == pytest.approx(-found.value, rel=1e-4)
    assert found.value == found.lo < found.hi
