# SPDX-License-Identifier: MIT
"""Paths of drawn pairs through stacked vias, and nets that have more pads than two."""

from __future__ import annotations

import pytest

from pcbrules.extraction.drawn_path import DrawnChange, DrawnPath, DrawnPaths, DrawnStretch
from pcbrules.layout.routes import NoRoute
from pcbrules.readers.kicad.board import parse_kicad

HEAD = ('(kicad_pcb (version 20241229) (generator "pcbnew") (general (thickness 1.6)) (layers (0 "F.Cu" signal) '
        '(4 "In1.Cu" signal) (6 "In2.Cu" signal) (2 "B.Cu" signal)) (net 0 "") (net 1 "TX_P") (net 2 "TX_N")\n'
        '(setup (stackup (layer "F.Cu" (type "copper") (thickness 0.03)) (layer "d1" (type "prepreg") (thickness 0.1)) '
        '(layer "In1.Cu" (type "copper") (thickness 0.03)) (layer "d2" (type "core") (thickness 1)) '
        '(layer "In2.Cu" (type "copper") (thickness 0.03)) (layer "d3" (type "prepreg") (thickness 0.1)) '
        '(layer "B.Cu" (type "copper") (thickness 0.03))))\n')

LEGS = ((1, 0.0), (2, 0.4))


def part(reference: str, x: float, net: int, y: float) -> str:
    """A part of one pad in a leg. [mm]"""
    name = "TX_P" if net == 1 else "TX_N"
    return (f'(footprint "l:x" (layer "F.Cu") (at {x} {y}) (property "Reference" "{reference}") '
            f'(pad "1" smd rect (at 0 0) (size 0.3 0.15) (layers "F.Cu") (net {net} "{name}")))\n')


def via(x: float, net: int, y: float, first: str, last: str) -> str:
    return f'(via micro (at {x} {y}) (size 0.3) (drill 0.1) (layers "{first}" "{last}") (net {net}))\n'


def followed(vias: dict[int, list[tuple[float, str, str]]], more: str = "") -> DrawnPath | NoRoute:
    """The path of a pair from x = 0 on F.Cu over In2.Cu between 10 and 20 mm to 30, through vias by leg."""
    text = HEAD + more
    for net, y in LEGS:
        text += part(f"J{net}", 0, net, y) + part(f"U{net}", 30, net, y)
        for start, end, layer in ((0, 10, "F.Cu"), (10, 20, "In2.Cu"), (20, 30, "F.Cu")):
            text += f'(segment (start {start} {y}) (end {end} {y}) (width 0.15) (layer "{layer}") (net {net}))\n'
        for x, first, last in vias[net]:
            text += via(10 + x, net, y, first, last) + via(20 + x, net, y, first, last)
    layout = parse_kicad((text + ")").encode(), "b.kicad_pcb")
    return DrawnPaths(layout).of(layout.pairs[0])


STACK = [(0.0, "F.Cu", "In1.Cu"), (0.0, "In1.Cu", "In2.Cu")]


def test_vias_that_stand_on_each_other_are_gone_through_one_by_one() -> None:
    path = followed({1: STACK, 2: STACK})
    assert isinstance(path, DrawnPath)
    assert [one.layer if isinstance(one, DrawnStretch) else (one.enter, one.leave) for one in path.steps
            if isinstance(one, DrawnStretch | DrawnChange)] == [
        "F.Cu", ("F.Cu", "In1.Cu"), ("In1.Cu", "In2.Cu"), "In2.Cu", ("In2.Cu", "In1.Cu"), ("In1.Cu", "F.Cu"), "F.Cu"]
    changes = [one for one in path.steps if isinstance(one, DrawnChange)]
    assert [(one.p.first, one.p.last, one.n.last) for one in changes[:2]] == [
        ("F.Cu", "In1.Cu", "In1.Cu"), ("In1.Cu", "In2.Cu", "In2.Cu")]


@pytest.mark.parametrize(("one", "other", "reason"), [
    (STACK, [(0.0, "F.Cu", "B.Cu")],
     "these layers are joined by no via and no stack of vias that is alike in both legs"),
    ([STACK[0], (0.4, *STACK[1][1:])], STACK, "TX_P: its pads are not joined by tracks and vias"),
], ids=["another stack", "not on each other"])
def test_a_change_of_layer_that_is_no_stack_of_both_legs_is_told(
    one: list[tuple[float, str, str]], other: list[tuple[float, str, str]], reason: str
) -> None:
    path = followed({1: one, 2: other})
    assert isinstance(path, NoRoute) and path.reason.endswith(reason)


def test_one_via_through_all_layers_counts_before_a_stack() -> None:
    through = [*STACK, (0.0, "F.Cu", "B.Cu")]
    path = followed({1: through, 2: through})
    assert isinstance(path, DrawnPath)
    assert [(one.enter, one.leave) for one in path.steps if isinstance(one, DrawnChange)] == [
        ("F.Cu", "In2.Cu"), ("In2.Cu", "F.Cu")]


def test_a_net_of_three_pads_is_told_with_its_parts() -> None:
    """A protecting diode between the ends: it is no end, and what it does is not modelled."""
    path = followed({1: STACK, 2: STACK}, part("D1", 5, 1, 0.0))
    assert isinstance(path, NoRoute)
    assert path.reason == ("TX_P: 3 pads: its ends are open: a part between or a branch is not modelled "
                           "(pads of D1, J1, U1); `left_out` names the parts that are no ends")


def test_width_and_gap_are_those_outside_of_the_pads_at_the_ends() -> None:
    """Legs of 0.15 mm, 0.15 mm apart, that spread by 45 degrees to pads 0.6 mm apart and go on in them, wider and for
    longer than the legs run beside each other.
    """
    text = HEAD
    for net, side in ((1, -1), (2, 1)):
        name = "TX_P" if net == 1 else "TX_N"
        for reference, x, way in ((f"J{net}", 0.0, 1), (f"U{net}", 2.0, -1)):
            text += (f'(footprint "l:x" (layer "F.Cu") (at {x} {side * 0.3}) (property "Reference" "{reference}") '
                     f'(pad "1" smd rect (at 0 0) (size 1.4 0.4) (layers "F.Cu") (net {net} "{name}")))\n')
            places = ((x, side * 0.3), (x + way * 0.6, side * 0.3), (x + way * 0.75, side * 0.15))
            for start, end, width in zip(places, places[1:], (0.3, 0.15), strict=False):
                text += (f'(segment (start {start[0]} {start[1]}) (end {end[0]} {end[1]}) (width {width}) '
                         f'(layer "F.Cu") (net {net}))\n')
        text += (f'(segment (start 0.75 {side * 0.15}) (end 1.25 {side * 0.15}) (width 0.15) (layer "F.Cu") '
                 f'(net {net}))\n')
    layout = parse_kicad((text + ")").encode(), "b.kicad_pcb")
    path = DrawnPaths(layout).of(layout.pairs[0])
    assert isinstance(path, DrawnPath)
    [stretch] = path.steps
    assert isinstance(stretch, DrawnStretch)
    assert (stretch.gap.width, stretch.gap.gap) == pytest.approx((0.15e-3, 0.15e-3))
    assert stretch.gap.length_p == pytest.approx(0.5e-3 + 2 * (2**0.5 * 0.05e-3), abs=3e-6)
