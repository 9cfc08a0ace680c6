# SPDX-License-Identifier: MIT
"""Resin content by mass against the makers' tables of thickness and resin content."""

from __future__ import annotations

from typing import Any

import pytest

from pcbrules import library
from pcbrules.analysis.common.resin_content import resin_content
from pcbrules.library import load
from pcbrules.model.stackup import Dielectric

GLASS = {name: load.glass(name) for name in library.ids("glass")}
ROWS = [  # maker's row: glass, plies, thickness [um], resin content [%]
    ("1078", 2, 127, 59), ("1078", 2, 146, 65), ("1078", 1, 90, 70), ("1035", 2, 100, 67), ("2116", 1, 125, 55),
    ("3313", 1, 100, 55), ("1078", 2, 127, 62), ("1078", 1, 100, 74), ("1035", 2, 130, 75),
    ("1035", 2, 150, 78),  # MEGTRON 7(N), 8(U)
    ("1080", 2, 150, 63), ("2116", 2, 250, 54), ("7628", 3, 555, 42), ("3313", 2, 200, 54),  # MEGTRON 6(G)
    ("2116", 1, 127, 54.5), ("2116", 1, 152, 60), ("3313", 1, 102, 55), ("1035", 2, 102, 65.5),  # I-Tera MT40
    ("2116", 1, 102, 44), ("2116", 1, 127, 53), ("2113", 1, 102, 54),  # N4000-13EP
    ("1080", 1, 76, 66), ("1080", 1, 91, 71), ("2116", 1, 119, 52),  # 370HR
]


def ply(**keys: Any) -> Dielectric:
    return Dielectric.model_validate({"kind": "dielectric", "material": "x", "thickness": "100 um", **keys})


@pytest.mark.parametrize(("glass", "plies", "thickness", "resin"), ROWS)
def test_balance_of_mass_holds_the_makers_rows(glass: str, plies: int, thickness: float, resin: float) -> None:
    found = resin_content(GLASS, ply(glass=glass, plies=plies, thickness=f"{thickness} um"))
    assert found is not None
    assert found[0] - 0.03 <= resin / 100 <= found[1] + 0.03
    assert found[1] - found[0] < 0.065


def test_what_the_file_says_comes_first() -> None:
    assert resin_content(GLASS, ply(glass="1078", plies=2, resin="68 %")) == pytest.approx((0.68, 0.68))


def test_without_plies_each_count_that_is_sold_is_possible() -> None:
    """127 um on 1078: one ply has 77 %, which no core has; as a prepreg it may be that."""
    core = resin_content(GLASS, ply(glass="1078", form="core", thickness="127 um"))
    assert core == resin_content(GLASS, ply(glass="1078", form="core", thickness="127 um", plies=2)) or core is not None
    assert core is not None and core[1] < 0.62
    either = resin_content(GLASS, ply(glass="1078", thickness="127 um"))
    assert either is not None and either[0] <= core[0] and either[1] > 0.75


def test_a_thickness_that_nothing_sold_has_is_the_range_of_the_glass() -> None:
    assert resin_content(GLASS, ply(glass="7628", form="core", thickness="100 um")) == pytest.approx((0.42, 0.46))


def test_without_glass_nothing_tells() -> None:
    assert resin_content(GLASS, ply()) is None


def test_more_glass_in_the_same_thickness_is_less_resin() -> None:
    thin, thick = (resin_content(GLASS, ply(glass="1035", plies=plies, thickness="127 um")) for plies in (2, 3))
    assert thin is not None and thick is not None and thick[1] < thin[0]


def test_mixed_glass_adds_up() -> None:
    """1080 + 106, 0.102 mm: 59 % in the maker's table of FR408HR."""
    found = resin_content(GLASS, ply(glass=("106", "1080"), plies=2, thickness="102 um"))
    assert found is not None and found[0] - 0.03 <= 0.59 <= found[1] + 0.03
