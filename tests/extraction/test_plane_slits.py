# SPDX-License-Identifier: MIT
"""A slit that both legs cross is one: drawings worked out by hand."""

from __future__ import annotations

from pcbrules.extraction.plane_slits import slits
from pcbrules.extraction.reference import PlaneGap, ReferenceLayer

MM = 1e-3


def gap(net: str, x: float, length: float) -> PlaneGap:
    """P along y = 0, N along y = 0.3 mm. [mm]"""
    y = 0.0 if net == "p" else 0.3
    start, middle, end = ((at * MM, y * MM) for at in (x - length / 2, x, x + length / 2))
    return PlaneGap(net, start, middle, end, length * MM, length * MM, ("GND", "GND"))


def plane(*gaps: PlaneGap, layer: str = "I") -> ReferenceLayer:
    return ReferenceLayer("T", "below", layer, 0.1 * MM, 0.9, 0.9, True, False, (), gaps)


def found(*planes: ReferenceLayer, pitch: float | None = 0.3 * MM) -> list[tuple[str, list[str], float]]:
    return [(one.plane, [each.net for each in one.gaps], round(one.width / MM, 6)) for one in slits(planes, pitch)]


def test_a_slit_across_both_legs_is_one_and_the_longer_way_counts() -> None:
    assert found(plane(gap("p", 4, 0.4), gap("n", 4.1, 0.5))) == [("I", ["n", "p"], 0.5)]


def test_slits_beside_each_other_are_told_apart() -> None:
    """0.35 mm apart, so that each gap is within reach of both gaps of the other leg."""
    both = plane(gap("p", 4, 0.2), gap("p", 4.35, 0.2), gap("n", 4.05, 0.2), gap("n", 4.4, 0.2))
    assert found(both) == [("I", ["p", "n"], 0.2)] * 2


def test_what_only_one_leg_crosses_or_is_far_from_the_other_gap_stays_alone() -> None:
    assert found(plane(gap("p", 4, 0.4))) == [("I", ["p"], 0.4)]
    assert found(plane(gap("p", 4, 0.4), gap("n", 4.9, 0.4))) == [("I", ["p"], 0.4), ("I", ["n"], 0.4)]
    assert len(found(plane(gap("p", 4, 0.4), gap("n", 4, 0.4)), pitch=None)) == 2


def test_two_planes_have_a_slit_each() -> None:
    assert [name for name, *_ in found(plane(gap("p", 4, 0.4)), plane(gap("n", 4, 0.4), layer="B"))] == ["I", "B"]
