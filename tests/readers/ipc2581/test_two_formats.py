# SPDX-License-Identifier: MIT
"""A board and the IPC-2581 written of it have the same findings: words, places in the copper, values within 0.1 %.

Coordinates of the file are rounded to 1 nm, and the spacing of neighbours is rounded down to 1 um.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from as_ipc2581 import as_ipc2581
from corpus import judged, proposed
from real_boards import facts, folder

from pcbrules.layout.layout import Layout
from pcbrules.readers.ipc2581.board import parse_ipc2581
from pcbrules.readers.layout_file import read_layout
from pcbrules.results.place import Location
from pcbrules.results.report import Report

ROOT = Path(__file__).resolve().parents[3]
NUMBER = re.compile(r"\d+(\.\d+)?")

SECOND = re.compile(r"(, more than the sum| on matched lines).*")
"""A second number, which is told only where it differs from the first in its printed digits."""

KNOWN = {"reCamera 2002 S4 GC2053 Sensor Board_V1.0_SCH&PCB_250905": ("fabrication.smallest.hole_to_copper",)}
"""Subjects that differ since the writer leaves out the copper of a custom pad beside its anchor: a ring with a via."""

NEAR = {"STK006": 0.02}
"""Part by which values may differ [-]: copper is counted on a grid, which has another direction in the other file."""

SMALL = ROOT / "tests" / "data" / "layouts" / "design.kicad_pcb"


def spoken(report: Report, layout: Layout) -> list[tuple[Any, ...]]:
    """All that findings say: words without numbers, places, and the numbers.

    Points are taken from the same corner, upwards, to a micrometre. Of several objects of one smallest size the first
    in the file is named, and a file lists them in its own order.
    """
    turn = -1 if layout.y_down else 1
    return sorted(((one.rule, one.subject, str(one.status), NUMBER.sub("#", SECOND.sub("", one.message)),
                    *(() if one.subject.startswith("fabrication.smallest.") else place(one.where, turn)),
                    one.measured and (one.measured.value, one.measured.lo, one.measured.hi))
                   for one in report.findings), key=repr)


def place(where: Location, turn: int) -> tuple[Any, ...]:
    """Layer, nets, parts and point of a finding. [um]"""
    at = where.at and (round(where.at[0] * 1e6), round(turn * where.at[1] * 1e6))
    return where.layer, where.nets, where.parts, at


def same_words(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """True if two findings say the same, at points that are a micrometre apart at most: a format rounds them."""
    *words, at, _ = one
    *others, there, _ = other
    if not isinstance(at, tuple) or not isinstance(there, tuple):
        return words == others and at == there
    return words == others and all(abs(a - b) <= 1 for a, b in zip(at, there, strict=True))


def compare(path: Path) -> int:
    """Hold both formats to each other under the overlay that is proposed for the board; the count of findings."""
    before = read_layout(path, "board")
    after = parse_ipc2581(as_ipc2581(before), "board")
    overlay = proposed(before)
    found, again = (spoken(judged(one, "0" * 64, overlay)[1], one) for one in (before, after))
    if any(set(one.layers) - {fill.layer for fill in one.fills} for one in before.zones):  # some were never filled
        found, again = ([one for one in each if one[0] != "STK006"] for each in (found, again))
    assert len(again) == len(found)
    assert [(one, other) for one, other in zip(found, again, strict=True) if not same_words(one, other)] == []
    assert [one for one, other in zip(found, again, strict=True)
            if one[-1] is not None and other[-1] != pytest.approx(one[-1], rel=NEAR.get(one[0], 1e-3))
            and one[1] not in KNOWN.get(path.stem, ())] == []
    return len(found)


def test_a_small_board_has_the_same_findings_in_two_formats() -> None:
    assert compare(SMALL) > 20


@pytest.mark.long
@pytest.mark.parametrize("path", list(facts("kicad")), ids=lambda path: Path(path).stem)
def test_a_real_board_has_the_same_findings_in_two_formats(path: str) -> None:
    assert compare(Path(folder() or "", path)) > 20
