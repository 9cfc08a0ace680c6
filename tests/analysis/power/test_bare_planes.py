# SPDX-License-Identifier: MIT
"""Bare planes: modes by hand, maxima of a fine grid, and a curve that is straight between its points."""

from __future__ import annotations

from math import cos, pi
from pathlib import Path

import numpy as np
import pytest
from scipy.constants import mu_0

from pcbrules import api
from pcbrules.analysis.power.bare_planes import OPEN, BarePlanes, solve_bare_planes
from pcbrules.analysis.power.layout import bare_board
from pcbrules.analysis.power.layout_curves import all_curves
from pcbrules.analysis.power.plane_rail import PlaneBoard, PlaneRail, pair_permittivity
from pcbrules.model.conditions import Conditions
from pcbrules.networks.pdn import Branch
from pcbrules.physics.power.cavity import cavity_resonance, cavity_series_impedance

BASE = Path(__file__).parents[2] / "rules" / "base" / "power_layout.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=20, slew=1e9, duty=1, load_step=0.5)


@pytest.fixture(scope="module")
def board() -> PlaneBoard:
    """Planes of 100 x 50 mm, 0.1 mm apart, a row of balls across them at x = 10.25 mm."""
    loaded = api.load(str(BASE)).board
    assert loaded.rails is not None
    layout = loaded.rails["io"].layout
    assert layout is not None
    made = bare_board(loaded, "io", layout, CONDITIONS)
    assert isinstance(made, PlaneBoard)
    return made


@pytest.fixture(scope="module")
def bare(board: PlaneBoard) -> BarePlanes:
    return solve_bare_planes(board)


def curve(board: PlaneBoard, frequency: np.ndarray) -> np.ndarray:
    rail = PlaneRail(board, Branch(OPEN, 0.0), ())
    return np.asarray(np.abs(all_curves([(rail, None)], frequency)[0]))


def test_the_first_mode_is_that_of_the_cavity_with_the_field_in_its_copper(board: PlaneBoard, bare: BarePlanes) -> None:
    mode = next(mode for mode in bare.modes if (mode.m, mode.n) == (1, 0))
    pair, at = board.pairs[0], mode.frequency
    relative = complex(pair_permittivity(pair, np.array([at]))[0])
    lossless = float(cavity_resonance(m=1, n=0, length=0.1, width=0.05, permittivity=relative.real))
    series = complex(cavity_series_impedance(frequency=at, separation=1e-4, conductivity=1 / board.resistivity,
                                             thickness=70e-6))
    stored, lost = series.imag / (2 * pi * at * mu_0 * 1e-4), series.real / series.imag
    assert at == pytest.approx(lossless / stored**0.5, rel=2e-4)
    assert 1 / mode.quality == pytest.approx(lost - relative.imag / relative.real, rel=2e-3)
    # its top is that of the first term of the sum over modes; the others add a few per cent
    height = 2 * cos(pi * 10.25 / 100) ** 2 / (0.1 * 0.05) * abs(series) * mode.quality / (pi / 0.1) ** 2
    assert bare.peaks[0] == (pytest.approx(at, rel=1e-4), pytest.approx(height, rel=0.04))


def test_every_mode_up_to_the_end_is_there(bare: BarePlanes) -> None:
    orders = {(mode.m, mode.n) for mode in bare.modes}
    end = bare.frequencies[-1] / bare.peaks[0][0]
    assert orders == {(m, n) for m in range(9) for n in range(9) if 0 < np.hypot(m, 2 * n) < end}


def test_its_maxima_are_those_of_a_fine_grid(board: PlaneBoard, bare: BarePlanes) -> None:
    for frequency, height in bare.peaks[:3]:
        fine = frequency * (1 + np.linspace(-0.02, 0.02, 81))
        found = curve(board, fine)
        assert height == pytest.approx(found.max(), rel=1e-3)
        assert fine[int(found.argmax())] == pytest.approx(frequency, rel=6e-4)


def test_between_its_points_the_curve_is_straight(board: PlaneBoard, bare: BarePlanes) -> None:
    fine = np.linspace(0.3e9, 2.5e9, 700)
    true = np.log(curve(board, fine))
    assert np.interp(np.log(fine), np.log(bare.frequencies), np.log(bare.impedance)) == pytest.approx(true, abs=0.015)


def test_at_low_frequency_they_are_a_capacitor(bare: BarePlanes) -> None:
    assert bare.impedance[0] * 2 * pi * bare.frequencies[0] * bare.capacitance == pytest.approx(1.0, rel=2e-3)
