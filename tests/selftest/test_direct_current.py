# SPDX-License-Identifier: MIT
"""Golden entries about direct current: decided by their geometry, refused where a part of it is not understood."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from pcbrules.selftest.golden import GoldenEntry, shipped
from pcbrules.selftest.runner import CaseStatus, run

Tree = dict[str, Any]
ENTRIES = {entry.id: entry for entry in shipped() if entry.kind in ("1_ir_drop", "2_via_trace")}


def edited(name: str, edit: Callable[[Tree], Any]) -> GoldenEntry:
    """A copy of a shipped entry under another name."""
    entry = ENTRIES[name]
    data = copy.deepcopy(dict(entry.data))
    edit(data)
    return GoldenEntry(entry.file, "other", entry.kind, data)


@pytest.mark.parametrize(
    ("name", "edit", "said"),
    [
        ("IR02", lambda d: d["inputs"].update(moat_mm=[1, 2]), "moat_mm is none that is known"),
        ("IR02", lambda d: d["inputs"].update(plane_mm="100 by 60"), "expected x 0..1, y 0..1"),
        ("IR03", lambda d: d["inputs"].pop("snk_round"), "expected src and snk"),
        ("IR04", lambda d: d["inputs"].update(src="edge x=81, y 0..30"), "no side of the outline"),
        ("IR04", lambda d: d["inputs"].update(fillet_radius_at_30_30_mm=70.0), "does not fit"),
        ("IR05", lambda d: d["inputs"]["slot"].update(open_through="edge y=90"), "open to no side"),
        ("IR06", lambda d: d["inputs"].update(lattice="random"), "expected square or hexagonal"),
        ("IR07", lambda d: d["inputs"]["via_centres_mm"].append([28.2, 13.9]), "touches"),
        ("IR07", lambda d: d["inputs"].update(load="plane C, full edge x=80"), "is on none of A, B"),
        ("IR08", lambda d: d["inputs"].update(current_total_A=900.0), "is not current_total_A"),
        ("IR09", lambda d: d["outputs"]["source_currents_A"].update(top=1.0), "which is no contact"),
        ("SH01", lambda d: d["inputs"].pop("outlet"), "expected a source and one sink"),
        ("VIA01", lambda d: d["inputs"].update(pad_diameter_um=300), "no wider than the drill"),
    ],
)
def test_what_is_not_understood_is_not_evaluated(name: str, edit: Callable[[Tree], Any], said: str) -> None:
    case = run([edited(name, edit)]).cases[0]
    assert case.status is CaseStatus.NOT_EVALUATED and said in case.reason


def _mirrored(data: Tree) -> None:
    """Left and right, source and sink change places: nothing else does."""
    inputs = data["inputs"]
    inputs["src"], inputs["snk"] = inputs["snk"], inputs["src"]
    inputs["outline_mm"] = inputs["outline_mm"][::-1]


def test_the_sense_of_an_outline_and_of_the_current_do_not_matter() -> None:
    assert run([edited("IR04", _mirrored)]).cases[0].status is CaseStatus.OK


@pytest.mark.parametrize(("name", "key"), [("IR08", "worst_pin_drop_V"), ("SH01", "P_W"), ("IR05", "max_J_A_per_mm2")])
def test_a_wrong_reference_is_found(name: str, key: str) -> None:
    entry = edited(name, lambda d: d["outputs"].update({key: 1.03 * d["outputs"][key]}))
    assert run([entry]).cases[0].status is CaseStatus.FAIL
