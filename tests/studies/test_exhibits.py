# SPDX-License-Identifier: MIT
"""What reports draw: the numbers that were judged, solved once, and a reason where there is nothing to draw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from board_params import board_report
from hypothesis import given
from hypothesis import strategies as st

from pcbrules import api, studies
from pcbrules.analysis.channel import facts as channel
from pcbrules.analysis.power import ladder as pdn_solve
from pcbrules.results.exhibit import Bars, Exhibit, Field, NotShown, Series, Stackup, StudySection, Table
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report
from pcbrules.solver_cache import SolverCache
from pcbrules.studies import exhibits as made_of
from pcbrules.studies.exhibits import rails
from pcbrules.studies.exhibits._points import STEPS, round_up, thinned
from pcbrules.studies.exhibits.channels import _level
from pcbrules.units import show

ROOT = Path(__file__).resolve().parents[2]
H100 = ROOT / "boards" / "hgx-h100-baseboard.yaml"
JETSON = ROOT / "boards" / "jetson-orin-carrier.yaml"
FAULTS = ROOT / "boards" / "faults" / "training-faults.yaml"
Kind = TypeVar("Kind", bound=Exhibit)


def reported(board: Path, text: str | None = None, profile: str = "training") -> Report:
    from pcbrules.document import parse_yaml

    loaded = api.load(str(board)) if text is None else api.resolve(parse_yaml(text.encode(), board.name))
    return api.check(loaded, profile, exhibits=True, fixes=False)


@pytest.fixture(scope="module")
def h100() -> Report:
    return board_report(H100.name, "training")


@pytest.fixture(scope="module")
def faults() -> Report:
    return board_report(f"faults/{FAULTS.name}", "training", fixes=False)


def one(report: Report, key: str, kind: type[Kind]) -> Kind:
    (found,) = [x for x in report.exhibits if x.key == key]
    assert isinstance(found, kind)
    return found


def judged(report: Report, rule: str, subject: str) -> Finding:
    (found,) = [f for f in report.findings if (f.rule, f.subject) == (rule, subject)]
    return found


def test_nothing_is_drawn_unasked() -> None:
    assert api.check(api.load(str(H100)), "training", fixes=False).exhibits == ()


@pytest.mark.long
def test_a_picture_solves_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = api.load(str(JETSON))

    def again(*_: object) -> None:
        raise AssertionError("solved twice")

    with SolverCache().used():
        api.check(loaded, "edge", fixes=False)
        monkeypatch.setattr(channel, "solve_channel", again)
        monkeypatch.setattr(pdn_solve, "solve_rail", again)
        monkeypatch.setattr("pcbrules.analysis.power.curves.curve_frequencies", again)
        assert not any(isinstance(x, NotShown) for x in api.check(loaded, "edge", exhibits=True, fixes=False).exhibits)


@pytest.mark.long
def test_keys_are_unique_and_subjects_are_those_of_findings(h100: Report, faults: Report) -> None:
    for report in (h100, faults):
        keys = [x.key for x in report.exhibits]
        assert len(keys) == len(set(keys))
        for exhibit in report.exhibits:
            section = isinstance(exhibit, StudySection)
            assert section or any(exhibit.illustrates(f) for f in report.findings), exhibit.key


@pytest.mark.long
@pytest.mark.parametrize("link", ["nvl_l3", "nvl_l20", "pcie_up"])
def test_the_loss_at_nyquist_is_the_judged_one(h100: Report, link: str) -> None:
    found = one(h100, f"links.{link}:loss", Series)
    finding = judged(h100, "CHN001", f"links.{link}")
    assert finding.measured and finding.limit
    nyquist = next(mark.x for mark in found.marks if mark.name == "Nyquist")
    at = float(np.interp(nyquist, found.curves[0].x, found.curves[0].y))
    assert at == pytest.approx(finding.measured.value, abs=0.12)  # judged: the mean over the phase
    (budget,) = [mark for mark in found.marks if mark.kind == "limit"]
    assert (budget.x, budget.y) == (nyquist, finding.limit.high)
    bars = one(h100, f"links.{link}:ledger", Bars)
    assert sum(size for _, size in bars.bars[0].parts) == pytest.approx(finding.measured.value, abs=0.02)
    assert bars.bars[0].whole and bars.limit == finding.limit.high
    parts = [sum(size for _, size in bar.parts) for bar in bars.bars]
    assert sum(parts[1:]) == pytest.approx(parts[0], abs=0.03)


def test_the_notch_is_marked_where_the_rule_found_it(faults: Report) -> None:
    found = one(faults, "links.nvl_l5:loss", Series)
    (notch,) = [mark for mark in found.marks if mark.kind == "notch"]
    message = judged(faults, "CHN003", "links.nvl_l5.path.a.notch").message
    assert f"notch at {notch.x:.1f} GHz" in message
    loss = dict(zip(found.curves[0].x, found.curves[0].y, strict=True))
    assert max(loss, key=lambda f: loss[f]) == pytest.approx(notch.x, rel=0.03)
    assert found.curves[1].style == "bare" and max(found.curves[1].y) < 0.6 * max(found.curves[0].y)


def test_masks_are_drawn_where_the_standard_has_one(faults: Report) -> None:
    loss = one(faults, "links.kr:loss", Series)
    (mask,) = (curve for curve in loss.curves if curve.style == "limit")
    assert [(area.kind, area.low, set(area.high)) for area in loss.spreads] == [("forbidden", mask.y, {loss.y.high})]
    assert not [c for c in one(faults, "links.nvl_l3:loss", Series).curves if c.style == "limit"]
    echo = one(faults, "links.lr:echo", Series)
    assert [c.style for c in echo.curves] == ["main", "second", "limit"]
    assert [(area.kind, set(area.low), area.high) for area in echo.spreads] == [("forbidden", {0.0}, echo.curves[2].y)]
    finding = judged(faults, "CHN004", "links.lr")
    assert finding.measured
    grid = np.array(echo.curves[2].x)
    allowed = np.interp(grid, echo.curves[2].x, echo.curves[2].y)
    margins = [np.interp(grid, curve.x, curve.y) - allowed for curve in echo.curves[:2]]
    assert np.min(margins) == pytest.approx(finding.measured.value, abs=0.4)


def test_the_reflectometer_shows_what_was_judged(h100: Report) -> None:
    found = one(h100, "links.nvl_l3:tdr", Series)
    message = judged(h100, "CHN007", "links.nvl_l3.transition").message
    lowest = min(mark.y for mark in found.marks if mark.y is not None)
    assert lowest == pytest.approx(float(message.split()[2]), abs=0.05)
    assert min(found.curves[0].y) == pytest.approx(lowest, abs=0.5)
    assert all(found.x.low <= x <= found.x.high for curve in found.curves for x in curve.x)


def test_a_rail_shows_its_target_and_the_band_in_which_the_board_acts(h100: Report) -> None:
    found = one(h100, "rails.nvsw_core:z", Series)
    finding = judged(h100, "PDN001", "rails.nvsw_core")
    assert finding.measured and finding.limit and finding.limit.high
    (band,) = found.bands
    assert band.high == pytest.approx(finding.limit.high / (2 * np.pi * 8e-12))  # its 10 pH are a guess
    def top(x: tuple[float, ...], y: tuple[float, ...]) -> float:
        end = np.exp(np.interp(np.log(band.high), np.log(x), np.log(y)))
        return float(max(end, *(value for place, value in zip(x, y, strict=True) if place <= band.high)))

    assert top(found.curves[0].x, found.curves[0].y) == pytest.approx(1e3 * finding.measured.value, rel=0.02)
    (spread,) = found.spreads
    assert top(spread.x, spread.high) == pytest.approx(1e3 * finding.measured.hi, rel=0.03)
    assert [c.y for c in found.curves if c.style == "limit"] == [(1e3 * finding.limit.high,) * 2]


@pytest.mark.long
def test_without_the_inductance_of_the_package_the_band_is_that_of_the_least_that_is_sold() -> None:
    text = re.sub(r"\n    package: \{inductance: 10 pH.*", "", H100.read_text(encoding="utf-8"))
    found = one(reported(H100, text), "rails.nvsw_core:z", Series)
    assert [band.high for band in found.bands] == [pytest.approx(0.425e-3 / (2 * np.pi * 8e-12))]


def test_the_stackup_is_drawn_as_the_file_has_it(h100: Report) -> None:
    loaded = api.load(str(H100))
    found = one(h100, "stackup:section", Stackup)
    layers = loaded.board.layers
    assert layers is not None
    assert [layer.thickness for layer in found.layers] == [layer.thickness.value for layer in layers]
    assert {layer.kind for layer in found.layers} == {"copper", "dielectric", "mask"}
    (l5,) = [trace for trace in found.traces if found.layers[trace.layer].name == "L5"]
    assert l5.links == ("nvl_l5",) and l5.target == 100 and l5.impedance == pytest.approx(100.54, abs=0.2)
    assert (l5.width, l5.top_width) == pytest.approx((4.8 * 25.4e-6, 4.5 * 25.4e-6))
    assert l5.wide_up, "etched on the core above it"
    l16 = next(trace for trace in found.traces if found.layers[trace.layer].name == "L16")
    assert not l16.wide_up
    rows = one(h100, "stackup:traces", Table).rows
    assert rows[1] == ("L5", "4.8 mil (4.5 mil)", "7.2 mil", "100.5 ohm", "100 ohm", "nvl_l5")


@pytest.mark.long
def test_what_cannot_be_drawn_says_why() -> None:
    text = H100.read_text(encoding="utf-8")
    text = text.replace("gap: 7.2 mil, length: 7.5 in", "length: 7.5 in", 1)
    text = re.sub(r"vrm: \{phases: 8, resistance: 40 uohm, ", "vrm: {phases: 8, ", text)
    report = reported(H100, text)
    assert "gap" in one(report, "links.nvl_l3:loss", NotShown).reason
    assert "resistance" in one(report, "rails.nvsw_core:z", NotShown).reason
    assert judged(report, "CHN001", "links.nvl_l3").status is Status.NOT_EVALUATED


@pytest.mark.long
def test_a_picture_that_fails_takes_no_finding_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(scene: object) -> None:
        raise ZeroDivisionError("x")

    monkeypatch.setattr(rails, "exhibits", broken)
    report = reported(H100)
    assert "ZeroDivisionError: x. This is a fault of pcbrules" in one(report, "board:rails", NotShown).reason
    assert len(report.exhibits) == 2 + 8 * 3 + 1 + 2 * 2 + 5 + 1 and len(report.findings) > 400
    assert made_of.exhibits is studies.exhibits.exhibits


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=60), st.floats(1e-3, 1e2))
def test_thinned_curves_stay_within_their_tolerance(y: list[float], tolerance: float) -> None:
    x = np.linspace(0.0, 1.0, len(y))
    u, v = thinned(x, y, tolerance=tolerance)
    assert (u[0], u[-1], v[0], v[-1]) == (x[0], x[-1], y[0], y[-1])
    assert np.abs(np.interp(x, u, v) - y).max() <= tolerance * (1 + 1e-9)
    assert set(u) <= set(x.tolist())


@given(st.floats(1e-6, 1e9))
def test_axes_end_at_round_numbers_not_far_above(value: float) -> None:
    end = round_up(value)
    assert value * (1 - 1e-8) <= end <= 1.4 * value
    assert min(abs(end / 10.0 ** np.floor(np.log10(end * (1 + 1e-12))) - step) for step in STEPS) < 1e-9


def test_the_level_part_of_an_axis_of_time_is_drawn_short_where_it_is_much_of_it() -> None:
    """A via of 10 ps at either end of 2000 ps; a line that rises all the way; a rise time that leaves no level part."""
    x = np.arange(-50.0, 2050.0, 1.0)
    ends = (-50.0, 2050.0)
    vias = 100.0 - 20.0 * (np.exp(-((x - 20) / 10) ** 2) + np.exp(-((x - 1980) / 10) ** 2))
    ((low, high),) = _level([(x, vias)], ends, 10.0, 30.0)
    assert (low, high) == (100.0, 1800.0)
    assert _level([(x, 100 + 0.1 * (x + 50))], ends, 10.0, 30.0) == ()
    assert _level([(x, vias)], ends, 250.0, 30.0) == ()


def test_a_rail_that_a_step_empties_is_drawn_down_to_nothing_and_says_so() -> None:
    """Ten pieces that ring by more than 0.8 V: nothing is drawn below zero or above twice that."""
    from pcbrules.document import read_yaml

    document = read_yaml(str(ROOT / "tests" / "rules" / "base" / "power.yaml"))
    bank = {"count": 10, "capacitance": "10 uF", "effective": "8 uF", "esr": "3 mohm", "mounted_inductance": "4 nH"}
    plane = {"spreading": {"resistance": "8 uohm", "inductance": "3 pH"}}
    document = document.edited(("rails", "core", "vrm", "inductance"), "100 nH")
    loaded = api.resolve(document.edited(("rails", "core", "ladder"), [{"bank": bank}, plane]))
    report = api.check(loaded, "training", exhibits=True, fixes=False)
    for what in ("droop", "release"):
        drawn = one(report, f"rails.core:{what}", Series)
        volts = [y for curve in drawn.curves for y in curve.y]
        assert (min(volts), max(volts)) == pytest.approx((0.0, 1600.0))
        assert "cut at 0 V and 1.6 V" in drawn.note


@pytest.mark.parametrize("rail", ["p54v", "nvsw_core"])
def test_droop_and_overshoot_are_drawn_as_they_are_judged(h100: Report, rail: str) -> None:
    step, release = (one(h100, f"rails.{rail}:{what}", Series) for what in ("droop", "release"))
    droop, overshoot = (judged(h100, "PDN005", f"rails.{rail}.{what}") for what in ("droop", "overshoot"))
    assert droop.measured and overshoot.measured and droop.limit and overshoot.limit
    assert droop.limit.high and overshoot.limit.high
    volts = {"p54v": 54.0, "nvsw_core": 0.85}[rail]
    scale = {"V": 1.0, "mV": 1e-3}[step.y.unit]
    assert (scale, release.y.unit) == ({"p54v": 1.0, "nvsw_core": 1e-3}[rail], step.y.unit)
    assert scale * min(step.curves[0].y) == pytest.approx(volts - droop.measured.value, rel=1e-3)
    limits = [curve for curve in step.curves if curve.style == "limit"]
    highest = max(max(curve.y) for curve in release.curves if curve.style != "limit")
    assert scale * highest <= volts + overshoot.measured.value * (1 + 1e-3) + 1e-6
    assert all(step.x.low <= x <= step.x.high for curve in step.curves for x in curve.x)
    assert all(step.y.low <= y <= step.y.high for curve in step.curves for y in curve.y)
    assert [scale * curve.y[0] for curve in limits] == pytest.approx(
        [volts - droop.limit.high] if rail == "nvsw_core" else [])
    assert bool(limits) != ("mV below the curves and is not drawn" in step.note)
    assert rail == "nvsw_core" or "the limit 55.08 V lies 1000 mV above the curves" in release.note


def test_the_drop_over_the_planes_is_drawn_as_it_is_judged(h100: Report) -> None:
    fields = [x for x in h100.exhibits if isinstance(x, Field) and x.subject == "rails.nvsw_core"]
    drop = judged(h100, "PDN006", "rails.nvsw_core.copper.drop")
    assert drop.measured and fields
    ways = [[value for field in fields if f", {way}" in field.title for row in field.rows for value in row
             if value is not None] for way in ("supply", "return")]
    # a cell of the picture is as large as several of the grid, and barrels come on top
    assert 1e-3 * sum(map(max, ways)) / 0.85 == pytest.approx(drop.measured.value, rel=0.35)
    assert all(field.x[0] < field.x[1] and field.y[0] < field.y[1] for field in fields)
    assert {len(row) for field in fields for row in field.rows} == {100}


@pytest.mark.long
def test_the_bars_add_up_to_the_judged_loss() -> None:
    """Also where stubs cost something beside their loss at Nyquist."""
    loaded = api.load(str(ROOT / "boards" / "l40s-pcie-card.yaml"))
    report = api.check(loaded, "datacenter-inference", api.Options(select=("CHN001",)), exhibits=True, fixes=False)
    judged = {f.subject: f.measured.value for f in report.findings if f.measured}
    found = {one.subject: one for one in report.exhibits if isinstance(one, Bars)}
    assert judged and judged.keys() == found.keys()
    for subject, bars in found.items():
        assert sum(loss for _, loss in bars.bars[0].parts) == pytest.approx(judged[subject], abs=0.02)
        assert bars.title.startswith(f"Where {show(judged[subject], 'dB')} go at ")
