# SPDX-License-Identifier: MIT
"""Dispersion in the line model: measured delay, what it leaves alone, its sum over RLGC."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.constants import c, pi

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_lossy
from pcbrules.analysis.lines.task import LineTask

FR4 = DielectricPoints(((1e9, 4.41, 0.0),))
LINE = LineTask(3.0e-3, 3.0e-3, 50e-6, None, False, (Ply(1.55e-3, FR4),), (), None, None, (0.0,) * 4,
                1.8e-8, 1.7241e-8, 20.0, closed=False)
"""A measured microstrip on FR4."""


def solved(task: LineTask) -> LineResult:
    made = solve_lossy(task)
    assert isinstance(made, LineResult)
    return made


def longer(line: LineResult, frequency: float) -> float:
    """Delay at a frequency over the quasi-static one, without what the copper adds. [-]"""
    inside = line.inside_copper(frequency).imag / (2 * pi * frequency)
    _, inductance, _, capacitance = (float(np.asarray(one)) for one in line.rlgc(frequency))
    return math.sqrt((inductance - inside) * capacitance) * c / math.sqrt(
        float(line.modes.odd.permittivity(frequency).real))


@pytest.mark.parametrize(("frequency", "measured"), [(5e9, 0.018), (10e9, 0.042)])
def test_the_delay_of_a_thick_board_is_what_was_measured(frequency: float, measured: float) -> None:
    """Quasi-static delay was 1.8 % short at 5 GHz and 4.2 % at 10 GHz."""
    assert longer(solved(LINE), frequency) - 1 == pytest.approx(measured, abs=0.003)


def test_a_thin_board_has_next_to_none_and_a_stripline_has_none() -> None:
    thin = replace(LINE, width_foot=0.15e-3, width_top=0.15e-3, thickness=35e-6, below=(Ply(80e-6, FR4),))
    assert 1 < longer(solved(thin), 10e9) < 1.002
    between = replace(thin, above=(Ply(115e-6, FR4),), closed=True)
    assert longer(solved(between), 10e9) == pytest.approx(1, abs=1e-12)


def test_the_delay_that_is_printed_is_that_of_the_line_and_the_impedance_does_not_move() -> None:
    line = solved(LINE)
    assert line.delay == pytest.approx(math.sqrt(line.eps_eff) / c)
    assert line.eps_eff > float(line.modes.odd.permittivity(5e9).real)
    assert line.u_delay > line.u_z
    far, near = (abs(complex(np.asarray(line.z(f)))) for f in (10e9, 1e9))
    assert far == pytest.approx(near, rel=0.01)


def test_a_pair_has_both_modes_and_the_even_one_has_more() -> None:
    pair = solved(replace(LINE, gap=1.0e-3))
    still = {name: made.permittivity(10e9).real for name, made in
             (("odd", pair.modes.odd), ("even", pair.modes.even))}
    shift = {name: (pair.gamma(10e9, name).imag * c / (2 * pi * 10e9)) ** 2 / float(value) - 1
             for name, value in still.items()}
    assert 0 < shift["odd"] < shift["even"]
