# SPDX-License-Identifier: MIT
"""Closed forms beside the field solver: what they cover and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sample_lines import (
    CARRIER_L1,
    CARRIER_L1_MASK,
    NVLINK,
    TASKS,
    lossless,
    megtron_7n,
    s1000,
    solve,
    um,
)

from pcbrules.analysis.common.dielectrics import Ply
from pcbrules.analysis.lines.closed_forms import closed_forms
from pcbrules.analysis.lines.closed_plies import ClosedForm, PlyRegion, region
from pcbrules.analysis.lines.impedance import _doubts
from pcbrules.analysis.lines.task import LineTask
from pcbrules.missing import Missing
from pcbrules.physics.lines.solder_mask import mask_pair_permittivity, mask_permittivity
from pcbrules.units import show


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
        (replace(CARRIER_L1_MASK, cover_over_trace=None), "over the trace is not declared"),
        (replace(CARRIER_L1_MASK, cover_over_trace=28 * um), "over_trace 0.3684 is above 0.35"),
        (replace(CARRIER_L1_MASK, cover=Ply(60 * um, lossless(3.7))), "on_laminate 0.7895 is above 0.5"),
        (replace(CARRIER_L1_MASK, gap=48 * um, width_top=130 * um, cover_over_trace=20 * um), "fills most of the gap"),
    ],
)
def test_what_no_closed_form_covers_the_field_solver_does(task: LineTask, reason: str) -> None:
    refusal = closed_forms(task)
    assert isinstance(refusal, Missing)
    assert reason in refusal.reason
    assert 20 < solve(task).z_diff < 150


@pytest.mark.parametrize(("on_laminate", "covered"), [(27.5, True), (28.5, False)])
def test_a_mask_may_reach_as_high_beside_the_trace_as_over_it(on_laminate: float, covered: bool) -> None:
    """Copper of 20 um and 8 um of mask on it."""
    task = replace(CARRIER_L1, thickness=20 * um, width_top=122 * um)
    found = closed_forms(replace(task, cover=Ply(on_laminate * um, lossless(3.7)), cover_over_trace=8 * um))
    assert isinstance(found, ClosedForm) is covered, found
    assert covered or "higher than that on the trace" in str(found)


@pytest.mark.parametrize("gap", [150 * um, None])
def test_where_they_disagree_both_are_told_as_impedances_of_the_pair(gap: float | None) -> None:
    line, closed = solve(replace(CARRIER_L1, gap=gap)), closed_forms(replace(CARRIER_L1, gap=gap))
    assert isinstance(closed, ClosedForm)
    assert _doubts(line, closed) == ()
    (text,) = _doubts(line, replace(closed, impedance=2 * line.z0, u_z=0.01))
    legs = 1 if gap is None else 2
    assert text.startswith(f"{show(legs * line.z0, 'ohm', 4)} by ")
    assert f", {show(2 * legs * line.z0, 'ohm', 4)} by " in text


@pytest.mark.parametrize("gap", [150 * um, None])
def test_under_a_mask_its_error_comes_on_top(gap: float | None) -> None:
    bare, masked = (closed_forms(replace(task, gap=gap)) for task in (CARRIER_L1, CARRIER_L1_MASK))
    assert isinstance(bare, ClosedForm) and isinstance(masked, ClosedForm)
    card = (mask_permittivity if gap is None else mask_pair_permittivity).card
    assert card.u
    assert masked.u_z**2 - bare.u_z**2 == pytest.approx(card.u**2)


def test_plies_of_one_material_count_as_one_and_near_ones_count_more() -> None:
    core = megtron_7n(3.31)
    split = replace(NVLINK, below=(Ply(50 * um, core), Ply(77 * um, core)))
    assert solve(split).z_diff == pytest.approx(solve(NVLINK).z_diff, rel=1e-12)
    made = region((Ply(1.0, lossless(3.0)), Ply(1.0, lossless(3.3))))
    assert isinstance(made, PlyRegion)
    near, far = (part for part, _ in made.parts)
    assert near > 0.6
    assert near + far == pytest.approx(1)


@pytest.mark.parametrize("task", TASKS)
def test_closed_forms_agree_with_the_field_solver_within_their_error(task: LineTask) -> None:
    closed, solved = closed_forms(task), solve(task)
    assert isinstance(closed, ClosedForm)
    assert 1e-3 < closed.u_z < 0.05
    assert closed.impedance == pytest.approx(solved.z0, rel=closed.u_z + solved.u_z)
