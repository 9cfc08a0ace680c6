# SPDX-License-Identifier: MIT
"""Two pairs on two layers of one cavity: the section that crosstalk takes, against finite elements."""

from __future__ import annotations

import fem
import numpy as np
import pytest

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.crosstalk.broadside_section import Broadside, draw_broadside
from pcbrules.analysis.crosstalk.coplanar_section import CoupledSection, solve_coupled_section
from pcbrules.analysis.lines.mode_fields import reference_dk
from pcbrules.analysis.lines.task import LineTask

UM = 1e-6
CORE, PREPREG = DielectricPoints(((10e9, 3.6, 0.0),)), DielectricPoints(((10e9, 3.2, 0.0),))


def pair(width: float, gap: float, above: tuple[Ply, ...]) -> LineTask:
    return LineTask(
        width_foot=width * UM, width_top=(width - 12) * UM, thickness=17 * UM, gap=gap * UM, foot_up=False,
        below=(Ply(100 * UM, CORE),), above=above, cover=None, cover_over_trace=None, rz=(0.0,) * 4,
        resistivity_trace=1.8e-8, resistivity_plane=1.8e-8, temperature=20.0,
    )


VICTIM = pair(110, 150, (Ply(217 * UM, PREPREG), Ply(117 * UM, CORE)))
OTHER = pair(90, 120, (Ply(217 * UM, PREPREG), Ply(117 * UM, CORE)))


@pytest.mark.long
@pytest.mark.parametrize("shift", [130.0, *(pytest.param(shift, marks=pytest.mark.long) for shift in (0.0, 400.0))])
def test_coupling_of_two_layers_is_that_of_finite_elements(shift: float) -> None:
    over = Broadside(height=200 * UM, offset=shift * UM, spacing=183 * UM, foot_up=True)
    made = solve_coupled_section(VICTIM, OTHER, 0.0, over)
    assert isinstance(made, CoupledSection)
    drawn = draw_broadside(VICTIM, OTHER, over, reference_dk)
    found = fem.solve(drawn.section)
    c = np.sum(made.parts, axis=0)
    assert np.abs(c - found.c).max() <= 3e-5 * c[0, 0]
    one, other = made.weights
    for got, want in ((c, found.c), (np.linalg.inv(made.inductance), found.c0)):
        k = one @ got @ other / (one @ got @ one)
        assert k == pytest.approx(one @ want @ other / (one @ want @ one), rel=2e-3)
    # it stands where it was put: 217 um below, 117 um above the two faces that look outwards
    upper = np.array(drawn.section.signals[-1])
    assert upper[:, 1].min() == pytest.approx(300 * UM) and drawn.section.upper == pytest.approx(434 * UM)
    assert np.array(drawn.section.signals[2:]).reshape(-1, 2)[:, 0].mean() == pytest.approx(shift * UM)
    assert np.ptp(upper[upper[:, 1] > 310 * UM, 0]) == pytest.approx(90 * UM)  # the foot is up
