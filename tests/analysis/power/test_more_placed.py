# SPDX-License-Identifier: MIT
"""Fixes of a rail with a layout: pieces that are placed and solved again are what the edited board shows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.analysis.power.more_placed import _room, _where
from pcbrules.document import Document, read_yaml
from pcbrules.model.rail_layout import PartPlaces
from pcbrules.results.finding import Finding

BOARD = Path(__file__).parents[3] / "boards" / "sxm-accelerator-module.yaml"
RAIL = ("rails", "vdd_core")
PLACES = {"bulk": 0, "mid": 2, "hf": 4, "hf100": 5}


@cache
def board() -> Document:
    """The example board with a third of its middle capacitors, and a package that is known."""
    return read_yaml(str(BOARD), BOARD.name).edited((*RAIL, "ladder", 2, "bank", "count"), 80).edited(
        (*RAIL, "package", "source"), "package model of the vendor")


def found(document: Document, rule: str, part: str) -> Finding:
    report = api.check(api.resolve(document), "training", api.Options(select=(rule,)))
    return next(one for one in report.findings if one.subject == f"rails.vdd_core{part}")


@pytest.mark.parametrize(("rule", "part", "ripple", "unit"), [
    pytest.param("PDN001", "", "6.2 %", "mohm", marks=pytest.mark.long),
    pytest.param("PDN005", ".droop", "4.5 %", "mV", marks=pytest.mark.long),
])
def test_the_pieces_of_a_fix_give_what_it_says(rule: str, part: str, ripple: str, unit: str) -> None:
    document = board().edited((*RAIL, "tolerance", "ac"), ripple)
    fix = found(document, rule, part).fix
    said = re.search(r"place (\d+) pieces for (\d+) in (\w+) .*, evenly over its region, .*re-solved: "
                     rf"([0-9.]+) {unit}, (pass|marginal)\)", fix)
    assert said is not None, fix
    count, before, bank, value, becomes = said.groups()
    place = (*RAIL, "ladder", PLACES[bank], "bank", "count")
    assert document.get(place) == int(before)
    then = found(document.edited(place, int(count)), rule, part)
    assert then.measured is not None and then.status == becomes
    assert then.measured.value * 1e3 == pytest.approx(float(value), rel=0.005)


def test_a_bank_whose_pieces_have_places_gets_more_on_their_vias() -> None:
    rail = (api.resolve(board()).board.rails or {})["vdd_core"]
    assert rail.layout is not None
    at = [["30 mm", "36 mm"], ["60 mm", "128 mm"]]
    spots = PartPlaces.model_validate({"at": at, "side": "opposite"}, strict=False)
    assert _where(spots, 4, 2, rail.layout) == "2 on the vias of each, from 26.8 mm off the balls on"
    assert _room(spots, 200, rail.layout)
    tight = rail.layout.banks["bulk"]
    assert _room(tight, 48, rail.layout) and not _room(tight, 20_000, rail.layout)
