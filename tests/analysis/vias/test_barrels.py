# SPDX-License-Identifier: MIT
"""Barrels of vias: what is left of the hole at both ends, from layer heights added up by hand. All heights in um.

The small board (tests/rules/base/signal.yaml), from the top: L1 0-45, L2 121-151, L3 278-293, L4 420-450, L5 850-880,
L6 1007-1022, L7 1149-1179, L8 1255-1300. A bottom stub is measured from the lower face of the layer in use, a top stub
from its upper face.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.analysis.vias.plated_holes import Barrel, BarrelEnd, barrels
from pcbrules.document import Document, read_yaml

ROOT = Path(__file__).parents[3]
UM, MIL = 1e-6, 25.4
USED = {"must_not_cut": "used-layer", "residual": "6 mil", "tolerance": "3 mil", "datum": "target-layer"}


@cache
def document(place: str) -> Document:
    return read_yaml(str(ROOT / place), place)


def one(enter: str, leave: str, drill: Any = None, *, span: tuple[str, str] = ("L1", "L8")) -> Barrel:
    """The barrel of a path of one via on the small board."""
    form = "through" if span == ("L1", "L8") else "blind" if "L1" in span or "L8" in span else "buried"
    kind: dict[str, Any] = {"span": list(span), "kind": form, "drill": "0.25 mm"}
    if drill is not None:
        kind["backdrill"] = drill
    via = {"type": "hole", "enter": enter, "leave": leave}
    edited = (
        document("tests/rules/base/signal.yaml")
        .edited(("via_types",), {"hole": kind})
        .edited(("links",), {"x": {"standard": "nvlink4", "path": [{"via": via}]}})
    )
    board = api.resolve(edited).board
    assert board.links is not None
    (found,) = barrels(board, board.links[0])
    return found


def top(barrel: Barrel) -> BarrelEnd:
    assert barrel.ends[0].side == "top"
    return barrel.ends[0]


def bottom(barrel: Barrel) -> BarrelEnd:
    assert barrel.ends[1].side == "bottom"
    return barrel.ends[1]


def lengths(end: BarrelEnd) -> list[float]:
    """Nominal, worst and least in um."""
    return [end.nominal / UM, end.worst / UM, end.least / UM]


BASEBOARD = {"l3": 2.971, "l5": 2.672, "l7": 2.373, "l9": 2.074, "l14": 1.175, "l16": 0.876, "l18": 0.577, "l20": 0.278}
"""Below L3 of 3264 um: 3264 - (45 + 76 + 30 + 127 + 15) = 2971. Each signal layer further down has 127 + 30 + 127 + 15
= 299 less. Below L14, the mirror of L9, is what is above L9: 45 + 76 + 30 + 127 + 3 x 299 = 1175. [mm]"""


def test_undrilled_ends_of_a_22_layer_baseboard() -> None:
    place = "boards/hgx-h100-baseboard.yaml"
    bare = document(place)
    for kind, spec in bare.get(("via_types",)).items():
        if "backdrill" in spec:
            bare = bare.without(("via_types", kind, "backdrill"))
    board = api.resolve(bare).board
    seen: dict[str, float] = {}
    for link in board.links or ():
        for barrel in barrels(board, link):
            if barrel.via.type == "uvia":
                continue
            inner = barrel.via.leave if barrel.via.enter == "L1" else barrel.via.enter
            down = bottom(barrel)
            assert not down.removed
            assert lengths(down) == pytest.approx([down.undrilled / UM] * 3)
            assert top(barrel).undrilled == 0
            seen[inner.lower()] = down.undrilled * 1e3
    assert seen == pytest.approx(BASEBOARD, abs=1e-6)


@pytest.mark.parametrize(
    ("enter", "leave", "above", "through", "below"),
    [
        ("L1", "L3", 0, 278 - 45, 1300 - 293),
        ("L3", "L1", 0, 278 - 45, 1300 - 293),
        ("L8", "L3", 278, 1255 - 293, 0),
        ("L3", "L6", 278, 1007 - 293, 1300 - 1022),
        ("L6", "L8", 1007, 1255 - 1022, 0),
        ("L1", "L8", 0, 1255 - 45, 0),
    ],
)
def test_both_ends_of_a_through_hole(enter: str, leave: str, above: float, through: float, below: float) -> None:
    barrel = one(enter, leave)
    assert barrel.through / UM == pytest.approx(through)
    assert lengths(top(barrel)) == pytest.approx([above] * 3)
    assert lengths(bottom(barrel)) == pytest.approx([below] * 3)


@pytest.mark.parametrize(
    ("span", "enter", "leave", "above", "below"),
    [
        (("L1", "L3"), "L1", "L3", 0, 0),
        (("L1", "L4"), "L1", "L3", 0, 450 - 293),
        (("L1", "L5"), "L1", "L3", 0, 880 - 293),
        (("L5", "L8"), "L8", "L6", 1007 - 850, 0),
        (("L2", "L7"), "L3", "L6", 278 - 121, 1179 - 1022),
        (("L3", "L6"), "L3", "L6", 0, 0),
    ],
)
def test_ends_of_blind_and_buried_barrels(
    span: tuple[str, str], enter: str, leave: str, above: float, below: float
) -> None:
    barrel = one(enter, leave, span=span)
    assert top(barrel).undrilled / UM == pytest.approx(above)
    assert bottom(barrel).undrilled / UM == pytest.approx(below)


def test_residual_counts_from_the_layer_that_must_not_be_cut() -> None:
    assert lengths(bottom(one("L1", "L3", {"side": "bottom", **USED}))) == pytest.approx([6 * MIL, 9 * MIL, 3 * MIL])
    # (450 - 293) + 6 +- 3 mil
    at_l4 = bottom(one("L1", "L3", {"side": "bottom", **USED, "must_not_cut": "L4"}))
    assert lengths(at_l4) == pytest.approx([157 + 6 * MIL, 157 + 9 * MIL, 157 + 3 * MIL])
    assert at_l4.beyond / UM == pytest.approx(157)
    # from the top, of L6: 1007 - 850 up to the far face of L5
    at_l5 = top(one("L6", "L8", {"side": "top", **USED, "must_not_cut": "L5"}))
    assert lengths(at_l5) == pytest.approx([157 + 6 * MIL, 157 + 9 * MIL, 157 + 3 * MIL])


def test_datum_on_the_outer_surface_adds_the_thickness_of_what_is_drilled() -> None:
    loose = 0.1 * (1007 - 6 * MIL)
    end = bottom(one("L1", "L3", {"side": "bottom", **USED, "datum": "outer-surface"}))
    assert lengths(end) == pytest.approx([6 * MIL, 9 * MIL + loose, 3 * MIL - loose])


@pytest.mark.parametrize("datum", ["target-layer", "outer-surface"])
@pytest.mark.parametrize("span", [("L1", "L8"), ("L1", "L5"), ("L2", "L7")])
def test_depth_counts_from_the_outer_copper_surface(span: tuple[str, str], datum: str) -> None:
    """Whatever the barrel's span: the tip is at 1300 - 600 = 700, 407 below L3; +- 3 mil and 10 % of 600."""
    enter = "L3" if span[0] == "L2" else "L1"
    drill = {"side": "bottom", "depth": "0.6 mm", "tolerance": "3 mil", "datum": datum}
    end = bottom(one(enter, "L3" if enter == "L1" else "L2", drill, span=span))
    assert lengths(end) == pytest.approx([407, 407 + 3 * MIL + 60, 407 - 3 * MIL - 60])


def test_depth_from_the_top_counts_from_the_top_surface() -> None:
    # the tip is 1007 - 400 = 607 above L6; the barrel of L5-L8 begins at 850 and is not reached
    drill = {"side": "top", "depth": "0.4 mm", "tolerance": "3 mil"}
    assert lengths(top(one("L6", "L8", drill))) == pytest.approx([607, 607 + 3 * MIL + 40, 607 - 3 * MIL - 40])
    assert lengths(top(one("L6", "L8", drill, span=("L5", "L8")))) == pytest.approx([157, 157, 157])


def test_drill_that_does_not_reach_a_blind_barrel_takes_nothing_off() -> None:
    # the barrel ends at 880, the tip stops at 1300 - 300 = 1000
    end = bottom(one("L1", "L3", {"side": "bottom", "depth": "0.3 mm", "tolerance": "3 mil"}, span=("L1", "L5")))
    assert lengths(end) == pytest.approx([587, 587, 587])


def test_drill_never_leaves_more_than_there_was() -> None:
    end = bottom(one("L1", "L3", {"side": "bottom", **USED, "residual": "1.2 mm"}))
    assert lengths(end)[:2] == pytest.approx([1007, 1007])


def test_each_end_has_the_drill_of_its_side() -> None:
    drills = [{"side": "bottom", **USED}, {"side": "top", **USED, "residual": "5 mil"}]
    barrel = one("L3", "L6", drills)
    assert lengths(bottom(barrel)) == pytest.approx([6 * MIL, 9 * MIL, 3 * MIL])
    assert lengths(top(barrel)) == pytest.approx([5 * MIL, 8 * MIL, 2 * MIL])
    assert bottom(barrel).reads[0] == ("via_types", "hole", "backdrill", 0, "residual")
    assert top(barrel).reads[0] == ("via_types", "hole", "backdrill", 1, "residual")


def test_the_wrong_side_is_not_drilled() -> None:
    end = bottom(one("L1", "L3", {"side": "top", **USED}))
    assert not end.removed
    assert lengths(end) == pytest.approx([1007] * 3)


def test_of_two_drills_from_one_side_the_deeper_one_counts() -> None:
    drills = [{"side": "bottom", **USED, "must_not_cut": "L4"}, {"side": "bottom", **USED}]
    for order in (drills, drills[::-1]):
        assert lengths(bottom(one("L1", "L3", order))) == pytest.approx([6 * MIL, 9 * MIL, 3 * MIL])


@pytest.mark.parametrize(
    ("drill", "key"),
    [
        ({"side": "bottom", "depth": "1.02 mm"}, "via_types.hole.backdrill.depth"),
        # the lower face of L2 is 142 above that of L3, 5 mil are 127
        ({"side": "bottom", **USED, "must_not_cut": "L2", "residual": "5 mil"}, "via_types.hole.backdrill.residual"),
        ({"side": "bottom", "residual": "6 mil"}, "via_types.hole.backdrill.must_not_cut"),
    ],
)
def test_drill_without_a_known_rest(drill: dict[str, str], key: str) -> None:
    gap = bottom(one("L1", "L3", drill)).gap
    assert gap is not None
    assert gap[1] == key


def test_deepest_drill_may_cut_the_layer_in_use() -> None:
    end = bottom(one("L1", "L3", {"side": "bottom", **USED, "residual": "2 mil"}))
    assert end.gap is None
    assert end.least / UM == pytest.approx(-MIL)


@pytest.mark.parametrize(
    ("residual", "up", "down"), [("6 mil +- 4 mil", 4, 4), ("6 mil +1 mil/-5 mil", 1, 5), ("6 mil", 3, 3)]
)
def test_tolerance_of_the_residual_wins(residual: str, up: float, down: float) -> None:
    end = bottom(one("L1", "L3", {"side": "bottom", **USED, "residual": residual}))
    assert lengths(end) == pytest.approx([6 * MIL, (6 + up) * MIL, (6 - down) * MIL])


@pytest.mark.parametrize(("depth", "up", "down"), [("0.6 mm +- 4 mil", 4, 4), ("0.6 mm +1 mil/-5 mil", 5, 1)])
def test_a_depth_that_is_short_leaves_more(depth: str, up: float, down: float) -> None:
    end = bottom(one("L1", "L3", {"side": "bottom", "depth": depth, "tolerance": "3 mil"}))
    assert lengths(end) == pytest.approx([407, 407 + up * MIL + 60, 407 - down * MIL - 60])


def test_a_path_turned_round_has_the_same_barrel() -> None:
    drill = {"side": "bottom", **USED}
    for first, second in (("L1", "L3"), ("L3", "L6"), ("L6", "L8")):
        a, b = one(first, second, drill), one(second, first, drill)
        assert a.through == b.through
        assert [lengths(end) for end in a.ends] == [lengths(end) for end in b.ends]


def test_a_board_turned_over_swaps_the_ends() -> None:
    """The small board is symmetric in height: Ln becomes L(9 - n)."""
    a = one("L1", "L3", {"side": "bottom", **USED})
    b = one("L8", "L6", {"side": "top", **USED})
    assert a.through == pytest.approx(b.through)
    assert lengths(bottom(a)) == pytest.approx(lengths(top(b)))
    assert bottom(a).undrilled == pytest.approx(top(b).undrilled)
