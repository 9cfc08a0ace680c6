# SPDX-License-Identifier: MIT
"""A build-up that nobody entered: recognised, told first, and no impedance is judged by it."""

from __future__ import annotations

import re

import pytest
from cli_bench import Bench
from drawn_board import drawn_board

from pcbrules import api
from pcbrules.layout.layers import LayoutLayer
from pcbrules.results.finding import Finding
from pcbrules.results.report import Report
from pcbrules.studies.default_build_up import default_build_up

OVERLAY = """\
schema: 1
layout: design.kicad_pcb
board: {platform: edge-carrier, form_factor: som-carrier}
stackup:
  '*.Cu': {foil: std-ed}
links:
  up: {standard: pcie3, nets: "PCIE_TX*", segment: board-direct}
"""


def sheets(*thicknesses: float, copper: float = 35e-6, dk: float = 4.5, material: str = "FR4") -> list[LayoutLayer]:
    made = [LayoutLayer("L", "copper", thickness=copper)]
    for one in thicknesses:
        made += [LayoutLayer("d", "dielectric", thickness=one, material=material, dk=dk, df=0.02), made[0]]
    return made


@pytest.mark.parametrize(("layers", "built"), [
    (sheets(*[0.48e-3] * 3), False),            # (1.6 - 4 x 0.035 - 2 x 0.01) / 3
    (sheets(*[0.274e-3] * 5), False),           # (1.6 - 6 x 0.035 - 2 x 0.01) / 5
    (sheets(*[0.136666e-3, 0.136667e-3, 0.136666e-3] * 3), False),  # (1.6 - 10 x 0.035 - 2 x 0.01) / 9
    (sheets(0.1e-3, 1.24e-3, 0.1e-3), True),    # 1.6 - 4 x 0.035 - 2 x 0.01 - 2 x 0.1
    (sheets(0.1e-3, 0.535e-3, 0.1e-3, 0.535e-3, 0.1e-3), True),
    (sheets(1.51e-3), None),                    # two layers: the board's thickness decides
    (sheets(0.2e-3, 0.44e-3, 0.2e-3), None),
    (sheets(0.12e-3, 1.2e-3, 0.12e-3), None),
    (sheets(*[0.48e-3] * 3, dk=4.2), None),
    (sheets(*[0.48e-3] * 3, copper=18e-6), None),
    (sheets(*[0.48e-3] * 3, material="IT-180A"), None),
    (sheets(), None),
])
def test_kicads_default_is_told_from_what_somebody_entered(layers: list[LayoutLayer], built: bool | None) -> None:
    found = default_build_up(layers)
    assert (found.built if found else None) is built


def design(bench: Bench, *thicknesses: float, overlay: str = OVERLAY) -> Report:
    """The report of a board of four layers with these sheets [mm]."""
    text = drawn_board(("PCIE_TX0_",))
    for old, new in zip(("0.11", "1.235", "0.11"), thicknesses, strict=True):
        text = text.replace(f"(thickness {old})", f"(thickness {new:g} )", 1)
    text = text.replace("4.3", "4.5").replace("0.0175", "0.035").replace("(thickness 1.58)", "(thickness 1.6)")
    bench.put("design.kicad_pcb", text)
    bench.put("design.overlay.yaml", overlay)
    options = api.Options(select=("SIG001", "CHN001", "CHN007"))
    return api.check(api.load("design.kicad_pcb"), "edge", options, fixes=False)


def by_rule(report: Report) -> dict[str, Finding]:
    """The worst finding of each rule."""
    return {one.rule: one for one in reversed(report.findings)}


def test_equal_sheets_are_a_warning_and_judge_no_impedance(bench: Bench) -> None:
    report = design(bench, 0.48, 0.48, 0.48)
    found = by_rule(report)
    first = report.findings[0]
    assert (first.rule, first.subject, first.severity) == ("PCB011", "stackup", "warning")
    assert "3 equal sheets of 0.48 mm of FR4 with Dk 4.5 and Df 0.02" in first.message
    assert found["SIG001"].status == found["CHN007"].status == "not-evaluated"
    assert "`stackup` is KiCad's default, which no fabricator builds; enter the build-up" in found["SIG001"].message
    assert found["CHN001"].status == "pass" and found["CHN001"].basis == "assumed"
    assert report.exit_code == 3


def test_thin_prepregs_are_a_warning_and_the_numbers_are_assumed(bench: Bench) -> None:
    found = by_rule(design(bench, 0.1, 1.24, 0.1))
    assert found["PCB011"].severity == "warning" and "prepregs of 0.1 mm and equal cores of 1.24 mm" in (
        found["PCB011"].message)
    assert found["SIG001"].status in ("pass", "fail", "marginal") and found["SIG001"].basis == "assumed"


def test_a_build_up_that_was_entered_is_judged(bench: Bench) -> None:
    given = "".join(f"  dielectric {place}: {{thickness: {one} mm}}\n" for place, one in ((1, .48), (2, .48), (3, .48)))
    found = by_rule(
        design(bench, 0.48, 0.48, 0.48, overlay=OVERLAY.replace("stackup:\n", f"stackup:\n{given}")))
    measured = found["SIG001"].measured
    assert "PCB011" not in found and found["SIG001"].status == "fail" and measured is not None
    assert not any("KiCad" in one for one in measured.assumptions)
    assert "PCB011" not in by_rule(design(bench, 0.11, 1.22, 0.11))


def test_layout_and_init_say_so(bench: Bench) -> None:
    design(bench, 0.48, 0.48, 0.48)
    said = "KiCad's default build-up"
    assert said in bench.run("layout", "design.kicad_pcb").out
    bench.run("init", "--from", "design.kicad_pcb", "other.yaml")
    text = (bench.folder / "other.yaml").read_text(encoding="utf-8")
    assert said in text and re.search(r'(?m)^#   "dielectric 1", "dielectric 2", "dielectric 3", such as ', text)
