# SPDX-License-Identifier: MIT
"""What a board declares easier than the profile's condition shows where one signs."""

from __future__ import annotations

from pathlib import Path

import pytest

import pcbrules
from pcbrules import reports

BOARD = Path(__file__).parents[2] / "boards" / "hgx-h100-baseboard.yaml"
CORE = "step: 60 A, idle: 40 A, slew: 500 A/us"


def judged(tmp_path: Path, current: str) -> pcbrules.Report:
    text = BOARD.read_text(encoding="utf-8")
    assert text.count(CORE) == 1
    (tmp_path / "board.yaml").write_text(text.replace(CORE, current), encoding="utf-8")
    return pcbrules.check(pcbrules.load(tmp_path / "board.yaml"), "training",
                          options=pcbrules.Options(select=("PDN001", "PDN005")))


@pytest.mark.parametrize("current, said", [
    (CORE, "rails.nvsw_core step 60 A, slew 500 A/us (profile 100 A, 1000 A/us)"),
    ("step: 2 A, slew: 1 A/us",
     "rails.nvsw_core step 2 A, slew 1 A/us (profile 100 A, 1000 A/us)"),
    ("step: 100 A, slew: 500 A/us", "rails.nvsw_core slew 500 A/us (profile 1000 A/us)"),
    ("step: 100 A, slew: 1000 A/us", ""),
    ("step: 110 A, slew: 2000 A/us", ""),
])
def test_a_declared_step_and_slew_below_the_profiles_are_told(tmp_path: Path, current: str, said: str) -> None:
    report = judged(tmp_path, current)
    assert [one for one in report.relaxed if "nvsw_core" in one] == [said] * bool(said)
    for name in ("console", "concise", "html"):
        shown = " ".join(reports.text(name, [report], width=4000).split())
        assert "declared below the profile: " in shown
        assert said.replace("A/us", "A/µs") in shown
