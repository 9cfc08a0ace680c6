# SPDX-License-Identifier: MIT
"""A return loss whose reflections may cancel has no better end: no cap of the solver is shown as one."""

from __future__ import annotations

import json
from math import inf, isinf
from pathlib import Path

from pcbrules import api, reports
from pcbrules.reports._numbers import texts

BOARD = Path(__file__).resolve().parents[3] / "boards" / "jetson-orin-carrier.yaml"


def test_a_return_loss_has_no_better_end_where_reflections_may_cancel() -> None:
    report = api.check(api.load(BOARD), "edge", api.Options(select=("CHN004",)))
    found = {one.subject: one for one in report.findings}
    usb, csi = found["links.usb_a"], found["links.csi"]
    assert usb.measured is not None and usb.measured.hi == inf and texts(usb).measured.endswith(" … ∞)")
    assert csi.measured is not None and not isinf(csi.measured.hi)
    tree = {one["subject"]: one for one in json.loads(reports.render("json", [report]))["findings"]}
    assert tree["links.usb_a"]["hi"] is None and tree["links.csi"]["hi"] > 20
