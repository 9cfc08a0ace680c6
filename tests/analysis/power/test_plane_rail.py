# SPDX-License-Identifier: MIT
"""A rail on planes: against every via free, against one cavity, and laws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from free_vias import free_impedance
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from scipy.constants import epsilon_0

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.power.ladder import Bank
from pcbrules.analysis.power.layout_curves import PLANES, LayoutTask, solve_layout
from pcbrules.analysis.power.plane_poles import rail_network
from pcbrules.analysis.power.plane_rail import (
    PlaneBoard,
    PlanePair,
    PlaneRail,
    ViaGroup,
    board_shape,
    plane_impedance,
)
from pcbrules.networks.pdn import Branch, LimitedLoop
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.physics.power.cavity import cavity_impedance, cavity_series_impedance, cavity_shunt_admittance

LAMINATE = DielectricPoints(((1e9, 3.6, 0.01),))
PAIRS = tuple(PlanePair(35e-6, 35e-6, (Ply(height, LAMINATE),), 0.4e-3) for height in (75e-6, 100e-6, 60e-6))


def grid(x: float, y: float, wide: float, high: float, columns: int, rows: int) -> tuple[tuple[float, float], ...]:
    return tuple((x + ((i + 0.5) / columns - 0.5) * wide, y + ((k + 0.5) / rows - 0.5) * high)
                 for k in range(rows) for i in range(columns))


def group(places: tuple[tuple[float, float], ...], *, below: bool = False) -> ViaGroup:
    return ViaGroup(places, 0.25e-3, 2.0, 0.8e-6, below)


BOARD = PlaneBoard(
    length=0.12,
    width=0.08,
    pairs=PAIRS,
    resistivity=1.9e-8,
    package=group(grid(0.06, 0.04, 0.03, 0.03, 11, 11)),
    regulator=group(grid(0.01, 0.04, 0.005, 0.06, 1, 6)),
    banks=(
        group(grid(0.0601, 0.0401, 0.028, 0.028, 7, 7), below=True),
        group(grid(0.088, 0.04, 0.01, 0.03, 4, 8)),
        group(grid(0.035, 0.02, 0.02, 0.02, 3, 3)),
    ),
)
RAIL = PlaneRail(
    BOARD,
    Branch(30e-6, 0.1e-9),
    (Bank(49, 3.5e-6, 5e-3, 0.4e-9), Bank(32, 35e-6, 2.5e-3, 0.6e-9), Bank(9, 376e-6, 4.5e-3, 1.4e-9)),
)


@pytest.mark.long
@pytest.mark.parametrize("depth", [1, 3])
def test_every_via_free(depth: int) -> None:
    # Currents in the span of the distributions: at most 2.5 % above; between two resonances their places shift
    rail = replace(RAIL, board=replace(BOARD, pairs=PAIRS[:depth]))
    f = np.array([1e2, 1e5, 1e6, 1e7, 1e8])
    got = plane_impedance(rail, f)
    free = np.array([free_impedance(rail, at) for at in f])
    assert np.abs(got) == pytest.approx(np.abs(free), rel=0.025)
    inductive = slice(3, None)
    assert (got.imag[inductive] >= free.imag[inductive] * (1 - 1e-6)).all()
    assert got.imag[inductive] == pytest.approx(free.imag[inductive], rel=0.02)


@pytest.mark.parametrize("f", [1e3, 1e6, 3e8, 9e8])
def test_one_via_on_one_pair_is_a_cavity(f: float) -> None:
    place, other = (0.05, 0.03), (0.1, 0.06)
    board = replace(
        BOARD, pairs=(replace(PAIRS[0], depth=0.0),), package=ViaGroup((place,), 2e-3, 0.0, 0.0),
        regulator=group((other,)), banks=(),
    )
    at = np.array([f])
    got = plane_impedance(replace(RAIL, board=board, regulator=Branch(1e9, 0.0), banks=()), at).item()
    series = cavity_series_impedance(frequency=at, separation=75e-6, conductivity=1 / 1.9e-8, thickness=35e-6)
    epsilon = permittivity(frequency=at, points=LAMINATE.points)
    shunt = cavity_shunt_admittance(
        frequency=at, separation=75e-6, permittivity=epsilon.real, loss_tangent=-epsilon.imag / epsilon.real
    )
    side = 2e-3 / (4 * 0.2235)  # a square of uniform current with the mean distance of the ring
    want = cavity_impedance(series=series, shunt=shunt, length=0.12, width=0.08, ports=[[*place, side, side]]).item()
    assert got == pytest.approx(want, rel=1e-3)
    if f == 1e3:
        whole = epsilon_0 * epsilon.item().real * 0.12 * 0.08 / 75e-6
        assert -1 / (2 * np.pi * f * got.imag) == pytest.approx(whole, rel=2e-3)


@examples(15)
@given(
    start=st.floats(0.085, 0.105), nearer=st.floats(0.002, 0.008), heights=st.floats(40e-6, 200e-6),
    depth=st.integers(1, 3),
)
def test_a_bank_nearer_to_the_package_has_less_inductance(
    start: float, nearer: float, heights: float, depth: int
) -> None:
    pairs = tuple(replace(pair, plies=(Ply(heights, LAMINATE),)) for pair in PAIRS[:depth])

    def inductance(x: float) -> float:
        board = replace(BOARD, pairs=pairs, banks=(group(grid(x, 0.04, 0.01, 0.03, 3, 5)),))
        rail = replace(RAIL, board=board, regulator=Branch(1e6, 0.0), banks=(Bank(15, 1.0, 1e-3, 0.4e-9),))
        return float(plane_impedance(rail, np.array([1e7])).item().imag)

    assert inductance(start - nearer) < inductance(start)


@examples(15)
@given(
    esr=st.floats(1e-4, 0.1), inductance=st.floats(1e-10, 5e-9), capacitance=st.floats(1e-8, 1e-3),
    stretch=st.floats(1.0, 1.3),
)
def test_passive(esr: float, inductance: float, capacitance: float, stretch: float) -> None:
    banks = tuple(Bank(n, capacitance, esr, inductance) for n in (49, 32, 9))
    z = plane_impedance(replace(RAIL, banks=banks, stretch=stretch), np.geomspace(1e2, 1e9, 60))
    assert (z.real > 0).all()


def test_peaks_are_named_and_on_the_grid() -> None:
    variants = (replace(RAIL, stretch=1.1), replace(RAIL, banks=(replace(RAIL.banks[0], esr=3e-3), *RAIL.banks[1:])))
    found = solve_layout(LayoutTask(RAIL, variants))
    curves = found.curves
    frequency, nominal = np.array(curves.frequencies), np.array(curves.nominal)
    assert len(curves.corners) == 2 and len(curves.without) == 3
    assert found.peaks
    for peak in found.peaks:
        place = int(np.searchsorted(frequency, peak.frequency))
        assert nominal[place] == pytest.approx(peak.magnitude, rel=1e-9)
        around = np.abs(plane_impedance(RAIL, peak.frequency * np.linspace(0.98, 1.02, 41)))
        assert peak.magnitude == pytest.approx(around.max(), rel=1e-4)
        assert peak.inductive != peak.capacitive
    for peak in found.spread:
        assert len(peak.variants) <= 2 and (peak.apparent or peak.variants)
    rings = [(peak.inductive, peak.capacitive) for peak in found.peaks if peak.quality > 0.5]
    assert any(0 in pair for pair in rings)
    assert all(k in (PLANES, -1, 0, 1, 2) for pair in rings for k in pair)
    assert found.resonance == pytest.approx(3e8 / (2 * 0.12 * 1.9), rel=0.02)


def test_the_top_of_a_sharp_peak_is_found_to_a_hundred_thousandth() -> None:
    board = replace(BOARD, pairs=PAIRS[:1], banks=BOARD.banks[:2])
    rail = replace(RAIL, board=board, banks=(Bank(49, 3.5e-6, 0.05e-3, 0.4e-9), Bank(32, 35e-6, 0.02e-3, 0.6e-9)))
    peaks = solve_layout(LayoutTask(rail, ())).peaks
    assert peaks
    for peak in peaks:
        beside = peak.frequency * np.linspace(0.99, 1.01, 201)
        height = np.abs(plane_impedance(rail, beside))
        assert peak.magnitude == pytest.approx(height.max(), rel=1e-5)
        assert peak.frequency == pytest.approx(beside[height.argmax()], rel=3e-4)


def test_a_regulator_rings_with_the_planes_as_the_textbook_says() -> None:
    """R = sqrt(L / C) of 10 nH, shared by six phases, and of planes 12 x 8 cm, 75 um apart."""
    rail = replace(RAIL, board=replace(BOARD, pairs=PAIRS[:1], banks=()), regulator=Branch(1e-3, 10e-9), banks=())
    (peak,) = (one for one in solve_layout(LayoutTask(rail, ())).peaks if one.inductive == -1)
    capacitance = 3.6 * epsilon_0 * 0.12 * 0.08 / 75e-6
    assert peak.capacitive == PLANES
    assert peak.frequency == pytest.approx(1 / (2 * np.pi * np.sqrt(10e-9 * capacitance)), rel=0.03)
    assert peak.damping == pytest.approx(np.sqrt(10e-9 / capacitance), rel=0.03)


@pytest.mark.parametrize("crossover", [3e5, 2e6])
def test_where_a_loop_ends_the_curve_has_a_point_on_either_side(crossover: float) -> None:
    rail = replace(RAIL, board=replace(BOARD, pairs=PAIRS[:1], banks=()), banks=())
    ended = replace(rail, regulator=LimitedLoop(30e-6, 0.1e-9, coils=20e-9, crossover=crossover))
    curves = solve_layout(LayoutTask(rail, (ended,))).curves
    before, after = (curves.frequencies.index(crossover * share) for share in (1 - 1e-9, 1.0))
    inductance = curves.corners[0][after] / (2 * np.pi * crossover)
    assert inductance == pytest.approx(20e-9, rel=0.2)
    assert curves.corners[0][before] < 0.2 * curves.corners[0][after]


def test_two_banks_side_by_side_ring_as_the_textbook_says() -> None:
    # Their loop: L1 + L2, R1 + R2, C1 and C2 in series; the way from the balls to both takes no part
    board = replace(BOARD, pairs=PAIRS[:1], banks=(BOARD.banks[0], replace(BOARD.banks[0], below=True)))
    big, small = Bank(49, 1e-3, 0.05, 49e-9), Bank(49, 1e-6, 0.05, 49e-12)
    rail = replace(RAIL, board=board, regulator=Branch(1e3, 0.0), banks=(big, small))
    (peak,) = [one for one in solve_layout(LayoutTask(rail, ())).peaks if one.frequency > 1e5]
    capacitance = 1 / (1 / 49e-3 + 1 / 49e-6)
    root = np.sqrt(1.001e-9 / capacitance)
    assert (peak.inductive, peak.capacitive) == (0, 1)
    assert peak.quality == pytest.approx(root / (0.1 / 49), rel=0.01)
    assert peak.damping == pytest.approx(root, rel=0.01)
    far = replace(rail, board=replace(board, package=group(grid(0.1, 0.04, 0.01, 0.01, 3, 3))))
    (other,) = [one for one in solve_layout(LayoutTask(far, ())).peaks if one.frequency > 1e5]
    assert other.quality == pytest.approx(peak.quality, rel=0.01)
    assert other.damping == pytest.approx(peak.damping, rel=0.01)


def test_planes_of_an_outline_are_those_of_the_rectangle_that_it_is() -> None:
    """Up to 300 MHz within 2 % of |Z|; the first resonance within 0.5 %."""
    outline = ((0.0, 0.0), (0.12, 0.0), (0.12, 0.08), (0.0, 0.08))
    shaped = replace(RAIL, board=replace(BOARD, shape=outline))
    frequency = np.geomspace(1e4, 300e6, 40)
    one, other = (np.abs(plane_impedance(rail, frequency)) for rail in (RAIL, shaped))
    assert np.abs(other / one - 1).max() < 0.02
    assert shaped.board.first_resonance == pytest.approx(BOARD.first_resonance, rel=5e-3)


def test_a_slot_across_planes_lowers_their_resonance_and_takes_its_area() -> None:
    """4 mm wide, 60 of 80 mm long, beside the regulator: the current of the first mode goes round its end."""
    slot = ((0.023, 0.08), (0.023, 0.02), (0.019, 0.02), (0.019, 0.08))
    cut = ((0.0, 0.0), (0.12, 0.0), (0.12, 0.08), *slot, (0.0, 0.08))
    board = replace(BOARD, shape=cut)
    assert board_shape(board).groups.area == pytest.approx(0.12 * 0.08 - 4e-3 * 0.06)
    assert 0.5 < board.first_resonance / BOARD.first_resonance < 0.97


@pytest.mark.parametrize("outline", [None, ((0.0, 0.0), (0.12, 0.0), (0.12, 0.08), (0.0, 0.08))],
                         ids=["rectangle", "outline"])
def test_parts_that_share_a_via_have_the_impedance_of_their_poles(outline: Any) -> None:
    """Two banks at one via of the package: the poles of the currents give what every frequency by itself gives."""
    (first, *_) = BOARD.package.places
    banks = (group((first,)), group((first,)), group(((0.03, 0.02),)))
    package = group((first, (0.061, 0.041), (0.059, 0.039)))
    board = replace(BOARD, pairs=PAIRS[:1], shape=outline, package=package, banks=banks)
    rail = replace(RAIL, board=board, banks=tuple(replace(bank, count=1) for bank in RAIL.banks))
    frequency = np.array([1e3, 1e5, 1e6, 1e7])
    seen = np.abs(plane_impedance(rail, frequency))
    found = np.abs(rail_network(rail, rail.regulator).impedance().impedance(frequency=frequency))
    assert found == pytest.approx(seen, rel=0.02)
