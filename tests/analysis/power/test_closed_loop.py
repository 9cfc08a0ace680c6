# SPDX-License-Identifier: MIT
"""The bandwidth of a regulator's loop: what it makes of the output, and where the inductors take over."""

from __future__ import annotations

from dataclasses import replace
from math import acos, exp, inf, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules import api
from pcbrules.analysis.power.closed_loop import LOOP_SPREAD, implied_crossover
from pcbrules.analysis.power.droop import ball_poles
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask, impedance, regulator
from pcbrules.analysis.power.rail_task import BoundRail, bind_rail
from pcbrules.document import Document, read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.physics.power.pole_extremes import step_extremes
from pcbrules.physics.power.regulator_loop import loop_inductance

BASE = read_yaml(str(Path(__file__).parents[2] / "rules" / "base" / "power.yaml"), "power.yaml")
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
BANK = Bank(count=10, capacitance=1e-3, esr=1e-9, inductance=1e-15)


def bound(edits: dict[tuple[str | int, ...], Any] | None = None, name: str = "core") -> BoundRail:
    document: Document = BASE
    for key, value in (edits or {}).items():
        place = ("rails", name, *key)
        document = document.without(place) if value is None else document.edited(place, value)
    board = api.resolve(document).board
    found = bind_rail(board, name, (board.rails or {})[name], CONDITIONS)
    assert isinstance(found, BoundRail), found
    return found


@given(
    resistance=st.floats(1e-5, 1e-2), crossover=st.floats(1e4, 1e6), share=st.floats(1.5, 20.0),
)
def test_a_loop_of_that_inductance_crosses_over_there(resistance: float, crossover: float, share: float) -> None:
    """Where capacitors have the impedance of the regulator, at the frequency that was asked for."""
    capacitance = 1 / (2 * pi * crossover * share * resistance)
    coil = float(loop_inductance(resistance=resistance, beside=share * resistance, crossover=crossover))
    rail = RailTask(resistance, coil, (replace(BANK, count=1, capacitance=capacitance),))
    assert implied_crossover(rail) == pytest.approx(crossover, rel=2e-3)


def test_capacitors_of_a_positioned_rail_and_their_loop_say_the_same() -> None:
    # R (1 - j) at the crossover against R (1 + j): equal, L = R / (2 pi f)
    coil = float(loop_inductance(resistance=1e-3, beside=sqrt(2) * 1e-3, crossover=1e5))
    assert coil == pytest.approx(1e-3 / (2 * pi * 1e5))
    bank = replace(BANK, count=1, capacitance=1 / (2 * pi * 1e5 * 1e-3), esr=1e-3)
    assert implied_crossover(RailTask(1e-3, coil, (bank,))) == pytest.approx(1e5, rel=1e-6)


def test_planes_between_regulator_and_capacitors_count() -> None:
    near = implied_crossover(RailTask(1e-5, 6e-11, (BANK,)))
    far = implied_crossover(RailTask(1e-5, 6e-11, (LadderPlane(1e-5, 1e-11), BANK)))
    assert near and far and near != pytest.approx(far, rel=1e-3)
    assert implied_crossover(RailTask(1e-5, 6e-11, ())) is None


def test_without_an_inductance_the_crossover_gives_it() -> None:
    given_one = bound()
    at = implied_crossover(given_one.task)
    assert at is not None
    found = bound({("vrm", "inductance"): None, ("crossover",): f"{at / 1e3:.6f} kHz"})
    assert implied_crossover(found.task) == pytest.approx(at, rel=0.04)
    inductances = {task.vrm_inductance / found.task.vrm_inductance for task in found.variants}
    assert 1.0 in inductances and min(inductances) < 1 / LOOP_SPREAD * 1.5 and max(inductances) > LOOP_SPREAD / 1.5
    assert any("output inductance taken as" in text for text in found.assumptions)
    assert ("rails", "core", "crossover") in found.reads


def lonely(resistance: float) -> BoundRail:
    """One ceramic capacitor, its effective value given, behind a regulator that has a crossover alone."""
    plane = {"spreading": {"resistance": "1 uohm", "inductance": "1 pH"}}
    bank = {"count": 1, "effective": "1 uF", "esr": "20 mohm", "mounted_inductance": "1 nH"}
    return bound({("vrm", "inductance"): None, ("vrm", "resistance"): f"{resistance * 1e3:g} mohm",
                  ("crossover",): "60 kHz", ("ladder",): [plane, {"bank": bank}]})


def test_a_loop_beside_one_capacitor_has_a_phase_margin() -> None:
    """A coil alone would ring at the crossover with a quality of 90: no loop that anybody ships has no margin."""
    task = lonely(0.01).task
    capacitor, own = 1 / (2j * pi * 60e3 * 1e-6), regulator(task).at(60e3)
    margin = 180 - abs(np.angle(capacitor / own, deg=True))
    assert abs(capacitor / own) == pytest.approx(1, rel=0.06) and margin == pytest.approx(45, abs=5)
    frequency = np.geomspace(1e3, 1e6, 2001)
    peak = np.abs(impedance(task, frequency)).max()
    assert peak == pytest.approx(sqrt(2) * abs(capacitor), rel=0.03)
    tops = [np.abs(impedance(one, frequency)).max() / abs(capacitor) for one in lonely(0.01).variants]
    assert 1.1 < min(tops) < 1.25 and 1.9 < max(tops) < 2.3, "60 to 30 deg"
    assert regulator(task).at(1e-3) == pytest.approx(0.01, rel=1e-3), "direct current meets the resistance alone"
    assert regulator(task).at(1e9).imag > 10 * regulator(task).at(1e9).real, "beyond the loop a coil is left"


def test_the_droop_beside_one_capacitor_is_that_of_a_damped_circuit() -> None:
    """Z exp(-zeta acos(zeta) / sqrt(1 - zeta^2)) with Z = sqrt(L / C) and zeta = Z / 2 R, R beside the coil, at 1 A."""
    task = lonely(0.01).task
    found, late = (step_extremes(poles=ball_poles(one), rise=0.5e-9).largest for one in (
        replace(task, vrm_until=1e12), task))
    size = sqrt(task.vrm_inductance / 1e-6)
    zeta = size / (2 * task.vrm_beside)
    assert found == pytest.approx(size * exp(-zeta * acos(zeta) / sqrt(1 - zeta**2)), rel=0.015)
    assert 1.05 * found < late < 1.1 * found, "a loop that ends at ten times its crossover answers a little later"


@pytest.mark.parametrize(("resistance", "damped"), [(0.5, True), (1.8, True), (1.9, False), (4.0, False)])
def test_a_regulator_of_enough_resistance_has_its_margin_already(resistance: float, damped: bool) -> None:
    """2.65 ohm of the capacitor at 60 kHz: from 1.88 ohm on the margin is 45 deg and more."""
    assert (lonely(resistance).task.vrm_beside < inf) is damped


def test_a_crossover_beyond_what_a_loop_can_have_is_counted_as_its_end_and_said() -> None:
    for stated, counts in (("60 Hz", "100 Hz"), ("3 MHz", "1 MHz")):
        texts = bound({("vrm", "inductance"): None, ("crossover",): stated}).assumptions
        assert any(f"crosses over at {counts} ({stated} in the board file)" in text for text in texts)
    texts = bound({("vrm", "inductance"): None, ("crossover",): "60 kHz"}).assumptions
    assert not any("in the board file)" in text for text in texts)


def test_a_rail_without_banks_has_the_inductance_of_one_pole() -> None:
    found = bound({("vrm", "inductance"): None, ("crossover",): "100 kHz", ("ladder",): []})
    assert found.task.vrm_inductance == pytest.approx(20e-6 / (2 * pi * 1e5))


@pytest.mark.parametrize(
    ("crossover", "says"), [("60 kHz", False), ("180 kHz", False), ("30 kHz", True), ("900 kHz", True)]
)
def test_a_crossover_that_contradicts_the_inductance_is_printed(crossover: str, says: bool) -> None:
    texts = [text for text in bound({("crossover",): crossover}).assumptions if "stands for a loop" in text]
    assert bool(texts) is says
    assert all(crossover in text and "vrm.inductance" in text for text in texts)


@pytest.mark.parametrize(("factor", "says"), [(1 / 3.1, True), (1 / 2.9, False), (2.9, False), (3.1, True)])
def test_a_factor_of_three_contradicts(factor: float, says: bool) -> None:
    stands = implied_crossover(bound().task)
    assert stands is not None
    texts = bound({("crossover",): f"{stands * factor / 1e3:.3f} kHz"}).assumptions
    assert any("stands for a loop" in text for text in texts) is says


def test_a_loop_slower_than_the_inductance_says_is_among_the_variants() -> None:
    """The statement that makes the rail look worse counts in its interval; one of a faster loop makes it no better."""
    plain, slow, fast = (bound({} if at is None else {("crossover",): at}) for at in (None, "30 kHz", "900 kHz"))
    alone = bound({("vrm", "inductance"): None, ("crossover",): "30 kHz"})
    assert slow.task == plain.task == fast.task and fast.variants == plain.variants
    assert max(one.vrm_inductance for one in plain.variants) < 2 * plain.task.vrm_inductance
    largest = max(one.vrm_inductance for one in slow.variants)
    seen = abs(regulator(alone.task).at(30e3))
    assert largest == pytest.approx(sqrt(seen**2 - alone.task.vrm_resistance**2) / (2 * pi * 30e3), rel=0.1)
    assert largest > 3 * plain.task.vrm_inductance
    assert any("which is among the variants" in text for text in slow.assumptions)
    assert not any("which is among the variants" in text for text in fast.assumptions)


def test_inductors_alone_above_the_crossover_are_more_variants_of_the_impedance() -> None:
    rail = bound({("vrm", "phase_inductance"): "100 nH", ("crossover",): "100 kHz +- 20 %"})
    assert len(rail.limited) == 1 + len(rail.variants)
    f = np.array([1e3, 79e3, 81e3, 1e6])
    loop, limited = rail.task, rail.limited[0]
    same = np.isclose(impedance(loop, f), impedance(limited, f), rtol=1e-12, atol=0)
    assert same.tolist() == [True, True, False, False]
    coils = replace(loop, vrm_inductance=100e-9 / 16)
    assert impedance(limited, f[2:]) == pytest.approx(impedance(coils, f[2:]), rel=1e-12)
    whole = rail.over_frequency()
    assert whole.task == rail.task and whole.variants == (*rail.variants, *rail.limited)
    assert "the regulator as a bare inductor of 6.25 nH above its loop bandwidth" in whole.assumptions[-1]


def test_without_a_crossover_they_begin_where_the_loop_of_the_file_ends() -> None:
    rail = bound({("vrm", "phase_inductance"): "100 nH"})
    assert rail.limited[0].vrm_crossover == implied_crossover(rail.task)
    assert bound().limited[0].vrm_coils == pytest.approx(10e-6 / 16)
    assert "`phase_inductance` not declared" in bound().limited_text
    assert bound({("vrm", "phases"): None}).limited[0].vrm_coils == pytest.approx(10e-6)
    assert bound({("vrm", "phase_inductance"): "0.8 nH"}).limited == ()  # 0.05 nH: less than the loop claims
    assert rail.task.vrm_crossover == inf


def test_a_crossover_of_any_tolerance_gives_finite_numbers() -> None:
    found = bound({("vrm", "inductance"): None, ("crossover",): "100 kHz +- 99.99 %"})
    assert all(0 < task.vrm_inductance < 1e-3 for task in found.variants)


def test_neither_resistance_nor_banks_leave_a_bandwidth_no_inductance() -> None:
    document = BASE.without(("rails", "core", "vrm", "inductance"))
    for key, value in ((("crossover",), "100 kHz"), (("vrm", "resistance"), "0 ohm"), (("ladder",), [])):
        document = document.edited(("rails", "core", *key), value)
    board = api.resolve(document).board
    found = bind_rail(board, "core", (board.rails or {})["core"], CONDITIONS, planes=False)
    assert not isinstance(found, BoundRail)
    assert [missing.key for missing in found] == ["rails.core.vrm.inductance"]
