# SPDX-License-Identifier: MIT
"""A rail of a board file as a task; planes from geometry; curves in their band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log, pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bank_effect import bank_effect
from hypothesis import given
from hypothesis import strategies as st

from pcbrules import api, rulesets
from pcbrules.analysis.power.curves import CurveTask, solve_curves
from pcbrules.analysis.power.ladder import CORNERS, Bank, LadderPlane, RailTask, impedance, solve_rail
from pcbrules.analysis.power.rail_task import BoundRail, bind_rail, rail_target
from pcbrules.document import Document, read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.results.curve import change_of_largest, changes_nothing, largest, with_points
from pcbrules.results.finding import Finding
from pcbrules.studies.pdn_text import console
from pcbrules.units import show

BASE = read_yaml(str(Path(__file__).parents[2] / "rules" / "base" / "power.yaml"), "power.yaml")
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)


def bound(document: Document = BASE, name: str = "core") -> BoundRail:
    board = api.resolve(document).board
    rails = board.rails or {}
    found = bind_rail(board, name, rails[name], CONDITIONS)
    assert isinstance(found, BoundRail), found
    return found


def test_what_is_given_becomes_the_task_unchanged() -> None:
    rail = bound()
    assert rail.task.vrm_resistance == pytest.approx(20e-6)
    assert rail.task.ladder[1] == LadderPlane(pytest.approx(8e-6), pytest.approx(3e-12))
    assert rail.task.package_inductance == pytest.approx(5e-12)
    assert [bank.index for bank in rail.banks] == [0, 2, 4, 5]
    assert rail.assumptions == ()


def test_variants_of_a_rail_without_assumptions_are_the_usual_corners() -> None:
    rail = bound()
    frequency = np.geomspace(1e3, 10e6, 50)
    mine = sorted(abs(impedance(variant, frequency)).sum() for variant in rail.variants)
    usual = sorted(abs(impedance(rail.task, frequency, corner)).sum() for corner in CORNERS)
    assert mine == pytest.approx(usual, rel=1e-12)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (("vrm", "resistance"), "20 uohm +- 50 %"),
        (("vrm", "inductance"), "0.06 nH +- 50 %"),
        (("ladder", 1, "spreading", "resistance"), "8 uohm +- 90 %"),
        (("ladder", 1, "spreading", "inductance"), "3 pH +- 90 %"),
        (("ladder", 2, "bank", "effective"), "35.25 uF +- 50 %"),
        (("ladder", 2, "bank", "esr"), "2.5 mohm +- 80 %"),
        (("ladder", 2, "bank", "mounted_inductance"), "0.6 nH +- 50 %"),
    ],
)
def test_every_stated_tolerance_widens_the_curves(key: tuple[str | int, ...], text: str) -> None:
    def spread(rail: BoundRail) -> float:
        curves = solve_curves(CurveTask(rail.task, rail.variants, ()))
        grid = np.geomspace(200, 5e6, 40)
        values = np.array(curves.exact(grid.tolist()))
        return float((values.max(axis=0) / values.min(axis=0)).sum())

    assert spread(bound(BASE.edited(("rails", "core", *key), text))) > spread(bound()) + 1e-3


def spreading(**given: Any) -> LadderPlane:
    document = BASE.edited(("rails", "core", "ladder", 1, "spreading"), given)
    step = bound(document).task.ladder[1]
    assert isinstance(step, LadderPlane)
    return step


def test_planes_from_geometry() -> None:
    # 100 um between L2 and L3, 70 um copper on both, 70 degC: 2 x 1.7241e-8 x 1.1965 / 70e-6 a square
    square = 2 * 1.7241e-8 * (1 + 0.00393 * 50) / 70e-6
    straight = spreading(between=["L2", "L3"], length="20 mm", width="60 mm")
    assert straight.inductance == pytest.approx(41.9e-12, rel=1e-3)
    assert straight.resistance == pytest.approx(square / 3, rel=1e-9)
    ring = spreading(between=["L3", "L2"], inner_radius="10 mm", outer_radius="25 mm")
    assert ring.inductance == pytest.approx(18.3e-12, rel=2e-3)
    assert ring.resistance == pytest.approx(square * log(2.5) / (2 * pi), rel=1e-9)
    given = spreading(between=["L2", "L3"], length="20 mm", width="60 mm", resistance="1 mohm")
    assert given.resistance == pytest.approx(1e-3)


def test_target_declared_before_formula_before_nothing() -> None:
    rails = api.resolve(BASE).board.rails or {}
    declared = rail_target(rails["switch"], "switch", CONDITIONS)
    assert (declared.value, declared.formula) == pytest.approx((0.15e-3, 0.425e-3))
    # trap: 1.8 V, 5 %, half of 2 A asks for 90 mohm
    document = BASE.edited(("rails", "switch"), {
        "role": "io", "load": "other", "voltage": "1.8 V", "tolerance": {"ac": "5 %"}, "current": {"peak": "2 A"}})
    rail = (api.resolve(document).board.rails or {})["switch"]
    assert rail_target(rail, "switch", CONDITIONS).value == pytest.approx(90e-3)
    assert rail_target(rail, "switch", replace(CONDITIONS, load_step=0.85)).value == pytest.approx(90e-3 / 1.7)
    bare = rail.model_copy(update={"tolerance": rail.tolerance.model_copy(update={"ac": None})})
    missing = rail_target(bare, "switch", CONDITIONS)
    assert missing.value is None and "rails.switch.tolerance.ac" in missing.gap


def test_curves_agree_with_the_solver() -> None:
    rail = bound()
    curves = solve_curves(CurveTask(rail.task, rail.variants, tuple(bank.index for bank in rail.banks)))
    curves = curves.through(4.77e6)
    extreme = solve_rail(rail.task).largest(4.77e6)
    place, value = largest(curves.frequencies, curves.nominal, 100.0, 4.77e6)
    assert (place, value) == pytest.approx((extreme.frequency, extreme.magnitude), rel=1e-6)
    worst = max(largest(curves.frequencies, curve, 100.0, 4.77e6)[1] for curve in curves.corners)
    assert worst == pytest.approx(extreme.high, rel=1e-6)
    for bank, curve in zip(rail.banks, curves.without, strict=True):
        change = change_of_largest(curves.frequencies, curves.nominal, curve, 100.0, 4.77e6)
        assert change == pytest.approx(bank_effect(rail.task, bank.index, 4.77e6), abs=1e-6)
        assert changes_nothing(change) == (abs(change) < 0.5)
    assert curves.die is None


def test_the_die_sees_more() -> None:
    document = BASE.edited(("rails", "core", "package"), {
        "inductance": "5 pH", "resistance": "20 uohm", "die_capacitance": "500 nF", "die_resistance": "0.1 mohm"})
    rail = bound(document)
    curves = solve_curves(CurveTask(rail.task, (), ()))
    assert curves.die is not None and curves.die[1] > 1e-3


def test_a_ladder_without_banks_is_the_regulator() -> None:
    rail = bound(BASE.edited(("rails", "core", "ladder"), []))
    curves = solve_curves(CurveTask(rail.task, rail.variants, ()))
    at_1_mhz = curves.exact([1e6])[0][0]
    assert at_1_mhz == pytest.approx(abs(20e-6 + 2j * pi * 1e6 * 0.06e-9), rel=1e-3)
    assert isinstance(rail.task, RailTask) and rail.task.ladder == ()


@given(st.lists(st.floats(1, 1e8), min_size=2, max_size=20, unique=True), st.floats(0, 1), st.floats(0, 1))
def test_largest_is_a_value_of_the_curve_inside_the_band(frequencies: list[float], a: float, b: float) -> None:
    def exact(places: Sequence[float]) -> tuple[tuple[float, ...], ...]:
        return (tuple(2 + np.sin(f) for f in places), tuple(places))

    frequencies.sort()
    low, high = sorted(frequencies[0] * (frequencies[-1] / frequencies[0]) ** share for share in (a, b))
    low, high = max(low, frequencies[0]), min(high, frequencies[-1])
    x, rows = with_points(frequencies, exact(frequencies), exact, (low, high))
    assert list(x) == sorted({*frequencies, low, high}) and rows == exact(x)
    place, value = largest(x, rows[0], low, high)
    assert low <= place <= high and value == 2 + np.sin(place)
    assert all(2 + np.sin(f) <= value * (1 + 1e-9) for f in frequencies if low <= f <= high)


def test_between_its_points_a_curve_is_not_judged() -> None:
    with pytest.raises(ValueError, match="no point at 2"):
        largest((1.0, 3.0), (1.0, 3.0), 1.0, 2.0)


def sharp_rail(target: float, end: float) -> Document:
    """A rail that rings with Q 38 at 12 MHz, whose band ends at a frequency [Hz]."""
    mid = {"count": 20, "effective": "10 uF", "esr": "0.6 mohm", "mounted_inductance": "0.4 nH"}
    fast = {"count": 100, "effective": "90 nF", "esr": "1 mohm", "mounted_inductance": "0.05 nH"}
    ladder = [{"bank": {"name": "mid", **mid}}, {"spreading": {"resistance": "1 uohm", "inductance": "0.1 pH"}},
              {"bank": {"name": "fast", **fast}}, {"spreading": {"resistance": "1 uohm", "inductance": "0.1 pH"}}]
    document = BASE.edited(("rails", "switch", "ladder"), ladder)
    document = document.edited(("rails", "switch", "current"), {"peak": "2 A", "step": "0.3 A"})
    document = document.edited(("rails", "switch", "target"), f"{target} ohm")
    return document.edited(("rails", "switch", "package", "inductance"), f"{target / (2 * pi * end)} H")


@pytest.mark.parametrize("share", [0.93, 0.97, 0.98])
def test_at_the_end_of_the_band_the_exact_impedance_is_judged(share: float) -> None:
    end = share * solve_rail(bound(sharp_rail(0.05, 1e7), "switch").task).peaks[-1].frequency
    board, ruleset = api.resolve(sharp_rail(0.05, end)), rulesets.load("training")
    (found,) = (f for f in api.judge(board, ruleset, ("PDN001",)) if f.subject == "rails.switch")
    exact = abs(impedance(bound(sharp_rail(0.05, end), "switch").task, np.array([end]))).item()
    assert found.measured and found.measured.value == pytest.approx(exact, rel=1e-9)
    # a target between what the points on either side let expect and what is there decides as the exact value does
    limit = exact * 0.9999
    board = api.resolve(sharp_rail(limit, end))
    (found,) = (f for f in api.judge(board, ruleset, ("PDN001",)) if f.subject == "rails.switch")
    assert found.status == "fail"
    (shown,) = api.rails(board, "training", rail="switch").rails
    assert found.measured and (shown.value, shown.high) == (found.measured.value, found.measured.hi)


def test_a_sharp_peak_between_two_points_of_the_grid_is_found() -> None:
    # the part of Q 700 rings with the bank 0.3 % below its own resonance, within one step of the grid
    sharp = Bank(1, 100e-9, 0.1e-3, 0.5e-9)
    task = RailTask(1e-6, 1e-9, (Bank(10, 100e-6, 20e-6, 20e-12), LadderPlane(1e-6, 1e-12), sharp), corners=())
    near = np.linspace(22.0e6, 22.5e6, 20_001)
    found = solve_rail(task)
    inside = (found.frequency > near[0]) & (found.frequency < near[-1])
    assert found.nominal[inside].max() >= abs(impedance(task, near)).max() * (1 - 1e-9) > 1.5e-3


def test_a_regulator_that_ends_at_its_crossover_is_judged_right_there() -> None:
    task = RailTask(1e-6, 1e-9, (Bank(10, 100e-6, 1e-3, 20e-12),), corners=(), vrm_coils=30e-9, vrm_crossover=123e3)
    near = np.linspace(123e3, 150e3, 2001)
    found = solve_rail(task)
    inside = (found.frequency >= near[0]) & (found.frequency <= near[-1])
    assert found.nominal[inside].max() >= abs(impedance(task, near)).max() * (1 - 1e-9)
    assert found.frequency[inside][0] == 123e3 == near[abs(impedance(task, near)).argmax()]


@pytest.mark.long
@pytest.mark.parametrize("rule", ["PDN001", "PDN003", "PDN005", "PDN007"])
def test_planes_of_the_ladder_count_for_nothing_where_a_rail_has_a_layout(rule: str) -> None:
    base = read_yaml(str(Path(__file__).parents[3] / "boards" / "sxm-accelerator-module.yaml"))
    ladder = base.get(("rails", "vdd_core", "ladder"))
    bare = base.edited(("rails", "vdd_core", "ladder"), [step for step in ladder if "bank" in step])
    ruleset = rulesets.load("training")
    one, other = ([f for f in api.judge(api.resolve(document), ruleset, (rule,))
                   if "vdd_core" in f.subject and not f.subject.endswith(".spreading")]
                  for document in (base, bare))
    assert len(one) == len(other) > 0
    for before, after in zip(one, other, strict=True):
        assert (before.subject, before.status, before.message) == (after.subject, after.status, after.message)
        assert (before.measured and before.measured.value) == (after.measured and after.measured.value)
        assert before.note == after.note


def test_a_bank_that_does_nothing_on_planes_is_named() -> None:
    file = Path(__file__).parents[2] / "rules" / "base" / "power_layout.yaml"
    document = read_yaml(str(file)).edited(("rails", "io", "role"), "core")
    document = document.edited(("rails", "io", "load"), "accelerator")
    idle = {"bank": {"name": "idle", "count": 4, "capacitance": "100 uF", "effective": "1 nF", "esr": "1 mohm",
                     "mounted_inductance": "1 nH", "distance": "9.5 mm"}}
    ladder = [*document.get(("rails", "io", "ladder")), idle]
    document = document.edited(("rails", "io", "ladder"), ladder)
    spots = {"areas": [{"from": ["20 mm", "0 mm"], "to": ["22 mm", "50 mm"]}]}
    document = document.edited(("rails", "io", "layout", "banks", "idle"), spots)
    found = api.judge(api.resolve(document), rulesets.load("training"), ("PDN003",))
    (bulk,) = [one for one in found if one.subject == "rails.io.bulk"]
    assert "changes the largest |Z| by less than 0.5 dB in the board's band: idle" in bulk.note


def test_a_bank_that_raises_the_impedance_is_no_bank_that_changes_nothing() -> None:
    """The bank of 100 nF rings with the next one: a check of the board without it has the smaller |Z| that is told."""
    file = Path(__file__).parents[3] / "boards" / "l40s-pcie-card.yaml"
    document = read_yaml(str(file))
    ruleset = rulesets.load("datacenter-inference")

    def judged(document: Document) -> Finding:
        found = api.judge(api.resolve(document), ruleset, ("PDN001",))
        return next(one for one in found if one.subject == "rails.vdd_mem")

    whole = judged(document)
    ladder = document.get(("rails", "vdd_mem", "ladder"))
    at = next(at for at, step in enumerate(ladder) if step.get("bank", {}).get("name") == "hf100")
    lower = judged(document.without(("rails", "vdd_mem", "ladder", at)))
    assert whole.measured and lower.measured and lower.measured.value < 0.95 * whole.measured.value
    said = show(lower.measured.value, "mohm")
    assert f"The largest |Z| is lower without hf100 (24 x 100 nF): {said}." in whole.note
    idle = whole.note.partition("none of these changes")[2].partition(".")[0]
    assert "hf100" not in idle
    rails = api.rails(api.resolve(document), ruleset, rail="vdd_mem")
    assert "lowers the largest |Z|: hf100 (24 x 100 nF) (" in " ".join(console(rails, "p", detail=True).split())


@pytest.mark.parametrize("thickness", ["4 um", "9 mm"])
def test_planes_beyond_the_model_are_not_evaluated(thickness: str) -> None:
    file = Path(__file__).parents[2] / "rules" / "base" / "power_layout.yaml"
    document = read_yaml(str(file)).edited(("stackup", 3, "thickness"), thickness)
    (found,) = api.judge(api.resolve(document), rulesets.load("training"), ("PDN001",))
    assert found.status == "not-evaluated" and "the distance of the planes, " in found.message
