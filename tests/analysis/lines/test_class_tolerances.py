# SPDX-License-Identifier: MIT
"""Tolerances of a class that the board names are its word; those of a class that is assumed are named as assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

import pcbrules
from pcbrules.results.measured import Measured

SIGNAL = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
ALL = {"width": "10 %", "dielectric": "8 %", "copper": "10 %", "dk": "2 %", "registration": "3 mil"}


def spread(tolerances: dict[str, str], **fabrication: str) -> Measured:
    board = pcbrules.load(SIGNAL).replace("fabrication", {**fabrication, "tolerances": tolerances})
    found = pcbrules.check(board, "training", pcbrules.Options(select=("SIG001",)), fixes=False).findings
    measured = next(one.measured for one in found if one.subject == "links.nvl.path.run.spread")
    assert measured is not None
    return measured


def test_what_the_board_file_declares_is_no_assumption() -> None:
    assert (spread(ALL).basis, spread(ALL).assumptions) == ("computed", ())
    named = spread({}, **{"class": "standard"})
    assert (named.basis, named.assumptions) == ("computed", ())


@pytest.mark.parametrize("left_out", list(ALL))
def test_what_an_assumed_class_gives_is_named(left_out: str) -> None:
    measured = spread({key: value for key, value in ALL.items() if key != left_out})
    assert measured.basis == "assumed"
    (named,) = measured.assumptions
    assert named.startswith(f"tolerances of {left_out} of fabrication class standard")
