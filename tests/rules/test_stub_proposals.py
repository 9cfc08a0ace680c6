# SPDX-License-Identifier: MIT
"""SIG003 offers a closer backdrill only where it meets the limit and the drill stays off the layer in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.document import read_yaml

PLACE = Path(__file__).parent / "base" / "signal.yaml"
DRILL = ("via_types", "pth", "backdrill")


@pytest.mark.parametrize(
    ("standard", "layer", "residual", "tolerance", "offered"),
    [
        ("nvlink4", "used-layer", "8 mil", "3 mil", "6.9 mil +- 3 mil"),
        ("nvlink4", "used-layer", "8 mil", "4 mil", "5.9 mil +- 4 mil"),
        # 10 - 5 = 5 mil and 5 mil of tolerance: at its deepest the drill would cut
        ("nvlink4", "used-layer", "8 mil", "5 mil", ""),
        ("nvlink5", "used-layer", "6 mil", "1.5 mil", "3.4 mil +- 1.5 mil"),
        ("nvlink5", "used-layer", "6 mil", "3 mil", ""),
        # 254 - 157 (down to L4) - 38.1 (tolerance) - 14.05 (heights that may be off) = 44.85 um = 1.77 mil
        ("nvlink4", "L4", "8 mil", "1.5 mil", "1.7 mil +- 1.5 mil"),
    ],
)
def test_closer_drill(standard: str, layer: str, residual: str, tolerance: str, offered: str) -> None:
    drill = {"side": "bottom", "must_not_cut": layer, "residual": residual, "tolerance": tolerance,
             "datum": "target-layer"}
    document = read_yaml(str(PLACE), PLACE.name).edited(DRILL, drill).edited(("links", "nvl", "standard"), standard)
    report = api.check(api.resolve(document), "training", api.Options(select=("SIG003",)))
    (found,) = (f for f in report.findings if f.subject == "links.nvl.path.in.bottom")
    assert found.status == "fail"
    assert ("re-checked" in found.fix) is bool(offered)
    assert offered in found.fix


@pytest.mark.parametrize(
    ("tolerance", "offered"),
    [
        # 254 - 114.2 = 139.8 um, 5.5 mil are 139.7: 25.5 um stay between drill and layer; then 5.4 mil, 22.0 um
        ("114.2 um", "5.5 mil +- 4.49606 mil"),
        ("115.2 um", ""),
        ("127 um", ""),
    ],
)
def test_a_closer_drill_keeps_a_margin_from_the_layer_in_use(tolerance: str, offered: str) -> None:
    drill = {"side": "bottom", "must_not_cut": "used-layer", "residual": "8 mil", "tolerance": tolerance,
             "datum": "target-layer"}
    document = read_yaml(str(PLACE), PLACE.name).edited(DRILL, drill).edited(("links", "nvl", "standard"), "nvlink4")
    report = api.check(api.resolve(document), "training", api.Options(select=("SIG003",)))
    (found,) = (f for f in report.findings if f.subject == "links.nvl.path.in.bottom")
    assert found.status == "fail"
    assert ("re-checked" in found.fix) is bool(offered)
    assert offered in found.fix


@pytest.mark.parametrize(("residual", "cut"), [("2.9 mil", True), ("3 mil", False), ("3.1 mil", False)])
def test_a_drill_that_comes_up_to_the_layer_in_use_does_not_cut_it(residual: str, cut: bool) -> None:
    drill = {"side": "bottom", "must_not_cut": "used-layer", "residual": residual, "tolerance": "3 mil",
             "datum": "target-layer"}
    document = read_yaml(str(PLACE), PLACE.name).edited(DRILL, drill)
    report = api.check(api.resolve(document), "training", api.Options(select=("SIG003",)))
    assert ("links.nvl.path.in.bottom.cut" in {f.subject for f in report.findings}) is cut
