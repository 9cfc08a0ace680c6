# SPDX-License-Identifier: MIT
"""What the depth of a drill takes from the fabrication class is named by every number of the channel, as assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

import pcbrules
from pcbrules.results.finding import Finding

SIGNAL = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
RULES = ("CHN001", "CHN003", "CHN004", "CHN007")


def judged(board: pcbrules.Loaded) -> dict[str, list[Finding]]:
    options = pcbrules.Options(select=RULES)
    findings = pcbrules.check(board, "training", options, fixes=False).findings
    return {rule: [one for one in findings if one.rule == rule and one.measured and one.subject.startswith("links.nvl")]
            for rule in RULES}


@pytest.mark.parametrize("declared", [True, False])
def test_a_depth_of_the_class_is_assumed(declared: bool) -> None:
    board = pcbrules.load(SIGNAL)
    if not declared:
        board = board.replace("via_types.pth.backdrill", {
            "side": "bottom", "must_not_cut": "used-layer", "residual": "6 mil", "datum": "target-layer",
            "diameter": "0.45 mm"})
    for rule, findings in judged(board).items():
        assert findings, rule
        for one in findings:
            assert one.measured is not None
            named = any(text.startswith("backdrill depth +- ") for text in one.measured.assumptions)
            assert named is not declared, (rule, one.subject)
            assert one.basis == "assumed" or declared, (rule, one.subject)


def test_a_depth_of_a_class_that_the_board_names_is_its_word() -> None:
    board = pcbrules.load(SIGNAL).replace("fabrication", {"class": "standard"}).replace("via_types.pth.backdrill", {
        "side": "bottom", "must_not_cut": "used-layer", "residual": "6 mil", "datum": "target-layer",
        "diameter": "0.45 mm"})
    bases = {one.basis for rule, findings in judged(board).items() if rule != "CHN001" for one in findings}
    assert bases == {"computed"}
