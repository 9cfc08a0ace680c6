# SPDX-License-Identifier: MIT
"""Ground beside one of two traces: what they couple without it is the upper end, and no failure by it is sure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.analysis.crosstalk.power_sum import GROUNDED
from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding

BASE = Path(__file__).resolve().parents[2] / "rules" / "base" / "signal.yaml"
TRACE = ("links", "nvl", "path", 2, "trace")


def board(spacing: str, *, own: bool, ground: bool) -> Document:
    """A pair beside the NVLink that is like it in all, or the PCIe link on its layer; ground beside the NVLink."""
    near: dict[str, Any] = {"spacing": spacing, "coupled_length": "8.5 in", "direction": "opposite"}
    made = read_yaml(str(BASE), BASE.name)
    if not own:
        near["link"] = "pcie"
    made = made.edited((*TRACE, "neighbours"), [near])
    made = made.edited(("links", "nvl", "crosstalk_elsewhere"), {"bound": "120 dB", "source": "project"})
    return made.edited((*TRACE, "coplanar"), {"gap": "0.06 mm", "stitching": "0.5 mm"}) if ground else made


def level(document: Document) -> Finding:
    (one,) = [one for one in api.check(api.resolve(document), "training", api.Options(select=("SIG005",))).findings
              if one.rule == "SIG005" and one.subject == "links.nvl"]
    return one


def test_ground_beside_one_alone_is_left_out_and_the_level_is_an_upper_end() -> None:
    bare, one_sided = level(board("12 mil", own=False, ground=False)), level(board("12 mil", own=False, ground=True))
    both = level(board("12 mil", own=True, ground=True))
    assert bare.measured is not None and one_sided.measured is not None and both.measured is not None
    assert one_sided.measured.value == pytest.approx(bare.measured.value, abs=1e-9)
    assert one_sided.measured.hi == pytest.approx(bare.measured.hi, abs=1e-9)
    assert one_sided.measured.lo == pytest.approx(bare.measured.value - GROUNDED, abs=0.01)
    assert any("ground lies beside one of the two traces only" in text for text in one_sided.measured.assumptions)
    assert one_sided.measured.lo < both.measured.value < level(board("12 mil", own=True, ground=False)).measured.value


def test_it_may_pass_but_breaks_no_limit() -> None:
    assert level(board("3 mil", own=False, ground=False)).status.value == "fail"
    found = level(board("3 mil", own=False, ground=True))
    assert found.status.value == "not-evaluated"
    assert "beside one of the two traces only is left out (run.1): with it they couple less" in found.message
    assert level(board("12 mil", own=False, ground=True)).status.value == "pass"
