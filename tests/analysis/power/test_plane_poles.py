# SPDX-License-Identifier: MIT
"""Planes as a few states: against the planes with all modes, over frequency and over time, and laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from test_plane_rail import BOARD, PAIRS, RAIL, grid, group

from pcbrules.analysis.power import plane_poles
from pcbrules.analysis.power.droop import DroopTask, ball_poles, die_poles, solve_droop
from pcbrules.analysis.power.ladder import NOMINAL, Bank
from pcbrules.analysis.power.ladder_peaks import describe_peak
from pcbrules.analysis.power.layout_curves import _described
from pcbrules.analysis.power.plane_poles import rail_network
from pcbrules.analysis.power.plane_rail import PlaneRail, board_shape, plane_impedance, plane_network
from pcbrules.networks.pdn import Branch, DampedLoop, rail_impedance
from pcbrules.networks.pdn_poles import rail_poles
from pcbrules.networks.plane_stack import group_currents
from pcbrules.networks.reduced_network import ReducedNetwork
from pcbrules.physics.power.pole_extremes import step_extremes
from pcbrules.physics.power.pole_response import Poles, ramp_response

BAND = np.geomspace(1e2, 1e8, 301)


DAMPED = DampedLoop(50e-6, 0.5e-9, beside=0.4e-3, until=1e6)


def poles(rail: PlaneRail) -> Poles:
    return rail_network(rail, rail.regulator).impedance()


def thick(copper: float) -> PlaneRail:
    return replace(RAIL, board=replace(BOARD, pairs=tuple(replace(p, upper=copper, lower=copper) for p in PAIRS)))


def ring(esr: float) -> PlaneRail:
    """Ten banks round the package, of sizes a factor of two apart, with sharp peaks between each and the next."""
    turns = np.arange(10) * 2 * np.pi / 10
    banks = tuple(group(grid(0.15 + 0.045 * np.cos(t), 0.1 + 0.045 * np.sin(t), 0.014, 0.014, 10, 5),
                        below=k % 3 == 2) for k, t in enumerate(turns))
    package = group(grid(0.15, 0.1, 0.04, 0.04, 11, 11))
    board = replace(BOARD, length=0.3, width=0.2, pairs=PAIRS * 2, banks=banks, package=package)
    return replace(RAIL, board=board, banks=tuple(Bank(50, 100e-6 / 2**k, esr, 0.5e-9) for k in range(10)))


@pytest.mark.parametrize(("rail", "within"), [
    (RAIL, 1e-3),
    (ring(3e-3), 5e-3),
    (ring(3e-4), 5e-3),
    (replace(RAIL, stretch=1.1), 1e-3),
    (replace(RAIL, board=replace(BOARD, pairs=PAIRS[:1])), 1e-3),
    (replace(RAIL, board=replace(BOARD, pairs=PAIRS[:2], banks=tuple(replace(b, below=True) for b in BOARD.banks))),
     1e-3),
    (replace(RAIL, board=replace(BOARD, pairs=PAIRS * 3)), 1e-3),
    (thick(17.5e-6), 1e-3),
    (thick(105e-6), 2e-3),
    (replace(RAIL, board=replace(BOARD, length=0.36, width=0.24)), 1e-2),  # planes resonate at 220 MHz
    (replace(RAIL, banks=tuple(replace(bank, esr=1e-4) for bank in RAIL.banks)), 2e-2),  # a quality of 30
    (replace(RAIL, regulator=DAMPED), 1e-3),
    (replace(RAIL, regulator=replace(DAMPED, resistance=0.0)), 1e-3),
])
def test_planes_with_all_modes(rail: PlaneRail, within: float) -> None:
    want, got = plane_impedance(rail, BAND), poles(rail).impedance(frequency=BAND)
    assert np.abs(got / want - 1).max() < within


@pytest.mark.parametrize("rail", [
    RAIL,
    replace(RAIL, board=replace(BOARD, pairs=PAIRS[:1])),
    replace(RAIL, board=replace(BOARD, length=0.36, width=0.24)),
])
def test_planes_over_time_without_what_lies_beyond_the_band(rail: PlaneRail) -> None:
    want, found = plane_impedance(rail, BAND), ball_poles(rail)
    off = np.abs(found.impedance(frequency=BAND) / want - 1)
    assert off[BAND <= 30e6].max() < 0.01
    assert off.max() < 0.08
    assert found.inductance > 0
    assert np.abs(found.pole).max() <= 2 * np.pi * rail.f_max


def test_package_and_die_in_front() -> None:
    rail = replace(RAIL, package_resistance=1e-4, package_inductance=5e-12, die_resistance=2e-4, die_capacitance=1e-6)
    got = die_poles(rail)
    board = plane_impedance(rail, BAND) + Branch(1e-4, 5e-12).impedance(BAND)
    die = Branch(2e-4, 0.0, 1e-6).impedance(BAND)
    assert got is not None
    assert np.abs(got.impedance(frequency=BAND) / (board * die / (board + die)) - 1).max() < 2e-3


@pytest.mark.parametrize("rise", [50e-9, 2e-6])
@pytest.mark.parametrize("after", [2, 5, 20])
def test_response_over_time_is_that_of_the_curve(rise: float, after: float) -> None:
    # v(t) = 2 / pi integral of Re Z (cos w (t - T) - cos w t) / (w^2 T): by the curve of the planes, without poles
    time = after * rise
    frequency = np.geomspace(10, 1e9, 4001)
    omega = np.unique(np.concatenate([np.geomspace(10, 2e9 * np.pi, 200_001), np.linspace(0, 100 / time, 20_001)[1:]]))
    real = np.interp(omega, 2 * np.pi * frequency, plane_impedance(RAIL, frequency).real)
    turns = (np.cos(omega * (time - rise)) - np.cos(omega * time)) / (omega**2 * rise)
    want = 2 / np.pi * np.trapezoid(real * turns, omega)
    assert ramp_response(poles=ball_poles(RAIL), time=time, rise=rise) == pytest.approx(want, rel=0.02)


@examples(25)
@given(
    esr=st.floats(1e-4, 0.1), inductance=st.floats(1e-10, 5e-9), capacitance=st.floats(1e-7, 1e-3),
    coils=st.floats(1e-11, 1e-7), loss=st.floats(0.0, 1e-3),
)
def test_passive(esr: float, inductance: float, capacitance: float, coils: float, loss: float) -> None:
    banks = tuple(Bank(n, capacitance, esr, inductance) for n in (49, 32, 9))
    network = rail_network(replace(RAIL, banks=banks), Branch(loss, coils))
    found = network.impedance()
    assert (found.pole.real < 0).all() and found.inductance > 0 and found.resistance >= 0
    z = found.impedance(frequency=np.geomspace(1, 1e11, 400))
    assert (z.real > -1e-9 * np.abs(z)).all()
    assert network.share().direct == pytest.approx(1.0, rel=1e-4)
    assert found.direct == pytest.approx(plane_impedance(
        replace(RAIL, banks=banks, regulator=Branch(loss, coils)), np.array([1.0])).item().real, rel=1e-3)


@pytest.mark.parametrize("coils", [1e-10, 6e-9])
def test_share_of_the_regulator(coils: float) -> None:
    rail = replace(RAIL, regulator=Branch(1e-5, coils))
    shape = board_shape(rail.board)
    pieces = len(rail.board.regulator.places)
    loads = [np.full(len(BAND), 0j), rail.regulator.impedance(BAND) * pieces,
             *(bank.branch(NOMINAL, 1).impedance(BAND) for bank in rail.banks)]
    entry = rail.board.package.resistance + 2j * np.pi * BAND * rail.board.package.inductance
    loads[0] = entry * rail.board.pairs[0].depth
    current = group_currents(plane_network(rail.board, BAND), loads=np.array(loads).T[:, shape.owner], port=shape.port)
    current /= (current @ shape.port)[:, None]
    want = -current[:, shape.owner == 1][:, 0] * np.sqrt(pieces)
    got = rail_network(rail, rail.regulator).share().impedance(frequency=BAND)
    assert np.abs(got - want).max() < 2e-4


@pytest.mark.parametrize("resistance", [5e-3, 0.0])
def test_a_loop_with_a_margin_is_on_planes_what_it_is_in_a_ladder(resistance: float) -> None:
    """9 x 2.5 uF behind a coil of 100 nH ring at 110 kHz, far below what planes and vias say."""
    loop, bank = DampedLoop(resistance, 100e-9, beside=0.1, until=1e6), Bank(9, 2.5e-6, 5e-3, 1.4e-9)
    rail = replace(RAIL, board=replace(BOARD, banks=BOARD.banks[2:]), regulator=loop, banks=(bank,))
    ladder, band = [bank.branch(NOMINAL)], np.geomspace(1e3, 1e6, 301)
    height = np.abs(plane_impedance(rail, band))
    place = float(band[height.argmax()])
    lumped_height = np.abs(rail_impedance(frequency=band, regulator=loop, ladder=ladder))
    assert height == pytest.approx(lumped_height, rel=0.01, abs=4e-4)
    assert height.max() < 0.55 * np.abs(plane_impedance(replace(rail, regulator=Branch(5e-3, 100e-9)), band)).max()
    on_planes, lumped = poles(rail), rail_poles(regulator=loop, ladder=ladder)
    assert on_planes.direct == pytest.approx(lumped.direct, abs=1e-3)
    seen, want = (step_extremes(poles=one, rise=1e-6) for one in (on_planes, lumped))
    assert seen.largest == pytest.approx(want.largest, rel=0.02)
    assert seen.at_largest == pytest.approx(want.at_largest, rel=0.05)
    found, = _described(rail, [place])
    named = describe_peak(frequency=place, regulator=loop, ladder=ladder)
    assert (found.inductive, found.capacitive, named.inductive, named.capacitive) == (-1, 0, -1, 0)
    assert found.quality == pytest.approx(named.quality, rel=0.2)


def test_droop_on_planes_holds_its_variants() -> None:
    late = replace(RAIL, stretch=1.1)
    found = solve_droop(DroopTask(RAIL, (late,), 50.0, 1e9, 0.8))
    assert found is not None
    assert found.droop.lo <= found.droop.value <= found.droop.hi and found.droop.hi > found.droop.value
    assert found.direct == pytest.approx(50.0 * plane_impedance(RAIL, np.array([1.0])).item().real, rel=1e-3)
    assert solve_droop(DroopTask(replace(RAIL, board=replace(BOARD, banks=()), banks=()), (), 50.0, 1e9, 0.8)) is None


def test_the_last_bits_of_the_currents_stay_the_last_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The span of the states is sought neither in squares of currents nor in the rounding of two that are alike."""
    random, reduce = np.random.default_rng(5), plane_poles.reduced_network

    def moved(**images: np.ndarray) -> ReducedNetwork:
        return reduce(**{key: one * (1 + random.uniform(-1e-15, 1e-15, one.shape)) for key, one in images.items()})

    here = poles(RAIL).impedance(frequency=BAND)
    monkeypatch.setattr(plane_poles, "reduced_network", moved)
    assert np.abs(poles(RAIL).impedance(frequency=BAND) / here - 1).max() < 1e-8
