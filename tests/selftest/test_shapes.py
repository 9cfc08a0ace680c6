# SPDX-License-Identifier: MIT
"""Golden entries of shapes that no shipped one has: slotted planes, pairs of unequal widths, boards with corners."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from made import SIDE, box
from scipy.constants import c as light

from pcbrules.physics.lines.cross_section import electrostatic
from pcbrules.selftest.geometry import drawn
from pcbrules.selftest.golden import GoldenEntry, shipped
from pcbrules.selftest.kinds.cross_sections import _pair
from pcbrules.selftest.kinds.inductance import _spreading
from pcbrules.selftest.runner import Case, CaseStatus, run

Tree = dict[str, Any]


def judged(name: str, edit: Callable[[Tree], Any]) -> Case:
    """A shipped entry after an edit."""
    entry = next(one for one in shipped() if one.id == name)
    data: Tree = json.loads(json.dumps(entry.data))
    edit(data)
    (case,) = run([GoldenEntry(entry.file, "other", entry.kind, data)]).cases
    return case


def _outlined(data: Tree) -> None:
    x0, y0, x1, y1 = data["inputs"].pop("plane_mm")
    data["inputs"]["outline_mm"] = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


@pytest.mark.parametrize("name", ["LS01", "LS02"])
def test_an_outline_of_four_corners_is_the_rectangle(name: str) -> None:
    assert judged(name, _outlined).status is CaseStatus.OK


def test_a_slot_is_cut_out_of_the_planes() -> None:
    between = [99.0, 60.0, 101.0, 140.0]
    assert judged("LS01", lambda data: data["inputs"].update(slot=between)).status is CaseStatus.FAIL
    assert judged("LS01", lambda data: data["inputs"].update(slot=[1.0, 1.0, 1.2, 1.1])).status is CaseStatus.OK


def test_a_slot_that_leaves_a_strip_gives_the_inductance_of_a_strip() -> None:
    """Two vias 80 mm apart on either side of a slot that is open at the top: below it runs a strip."""
    slot = {"width_mm": 40, "end_circle_centre_mm": [50, 25], "open_through": "top edge y=60"}
    inputs: Tree = {"plane_mm": [0, 0, 100, 60], "cap_crossing_via_mm": [[10, 40]], "bga_crossing_vias_mm": [[90, 40]],
                    "via_diameter_mm": 1.0, "plane_separation_um": 100}
    whole, cut = (_spreading(inputs | more).parallel for more in ({}, {"slot": slot}))
    deeper = _spreading(inputs | {"slot": slot | {"end_circle_centre_mm": [50, 22.5]}}).parallel
    narrow = 4e-7 * np.pi * 100e-6 * 40 / 5  # squares of the neck, 5 mm wide below the round end
    assert whole < cut < whole + narrow
    assert deeper > 1.1 * cut


@pytest.mark.parametrize(
    ("name", "edit", "said"),
    [
        ("LS01", lambda d: d["inputs"].update(notch_mm=[1, 2]), "notch_mm is none that is known"),
        ("LS01", lambda d: d["inputs"].update(slot=[5, 5, 4, 6]), "a slot is empty"),
        ("HS01", lambda d: d["inputs"].update(board_outline_mm=[[0, 0]]), "over a rectangular board only"),
        ("HS01", lambda d: d["inputs"].update(chimney=1), "chimney is none that is known"),
    ],
)
def test_what_no_model_covers_is_not_evaluated(name: str, edit: Callable[[Tree], Any], said: str) -> None:
    case = judged(name, edit)
    assert case.status is CaseStatus.NOT_EVALUATED and said in case.reason


def test_zdiff_of_unequal_widths_is_that_of_opposite_currents() -> None:
    """In one dielectric Z = v L, so Zdiff = v (L11 + L22 - 2 L12); voltages of +1 and -1 give 0.1 to 1 % less."""
    line = drawn({
        "dielectrics_painter_order": [{"name": "x", "er": 3.2, "polygon": box(-SIDE, SIDE, 0, 300)}],
        "signal_conductors": [{"polygon": box(-200, -70, 130, 150)}, {"polygon": box(70, 130, 130, 150)}],
        "domain_x0_x1_y0_y1": [-SIDE, SIDE, 0, 300],
        "boundary": {"bottom": "ground", "top": "ground"},
    })
    fields = electrostatic.solve(line.section)
    found = _pair(fields.c / 1e-12, fields.c0 / 1e-12)
    inductance = np.linalg.inv(fields.c0) / light**2
    wanted = light / 3.2**0.5 * (inductance[0, 0] + inductance[1, 1] - 2 * inductance[0, 1])
    assert found["Zdiff_ohm"][1] == pytest.approx(wanted, rel=1e-6)
    assert found["Zcommon_ohm"][1] == pytest.approx(light / 3.2**0.5 * inductance.sum() / 4, rel=1e-6)
