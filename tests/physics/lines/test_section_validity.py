# SPDX-License-Identifier: MIT
"""What is no section is refused; what only looks odd is solved right."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.physics.lines.cross_section.electrostatic import solve, solve_modes
from pcbrules.physics.lines.cross_section.section import Polygon, Section

um = 1e-6
EVER = math.inf


def box(left: float, low: float, right: float, high: float) -> Polygon:
    return scaled((left, low), (right, low), (right, high), (left, high))


def scaled(*corners: tuple[float, float]) -> Polygon:
    return tuple((x * um, y * um) for x, y in corners)


TRACE = box(-50, 100, 50, 115)

MEETING: dict[str, Polygon] = {
    "overlap": box(30, 110, 100, 130),
    "same": TRACE,
    "across": box(-10, 60, 10, 160),
    "across and slanted": scaled((-60, 80), (-40, 80), (60, 140), (40, 140)),
    "inside": box(-10, 105, 10, 110),
    "edge on edge": box(50, 100, 100, 115),
    "part of an edge": box(50, 105, 100, 110),
    "corner on corner": box(50, 115, 100, 130),
    "corner on a side": scaled((50, 107), (80, 100), (80, 114)),
    "strip within": scaled((-20, 107), (20, 107)),
    "strip through": scaled((-100, 107), (100, 107)),
    "end of a strip": scaled((50, 107), (100, 107)),
    "strip on a face": scaled((-20, 115), (20, 115)),
    "nearly": box(50.0001, 100, 150, 115),
}


@pytest.mark.parametrize("other", MEETING.values(), ids=MEETING)
def test_conductors_that_meet_are_refused(other: Polygon) -> None:
    for section in (
        Section((TRACE, other)), Section((other, TRACE)), Section((TRACE,), grounds=(other,)),
        Section((TRACE, other), lower=None, upper=300 * um),
    ):
        with pytest.raises(ValueError, match="conductors meet"):
            solve(section)


@pytest.mark.parametrize("other", [
    scaled((50, 100), (150, 100)), scaled((0, 80), (0, 120)), scaled((0, 100), (0, 150)), scaled((0, 100), (100, 100)),
])
def test_strips_that_meet_are_refused(other: Polygon) -> None:
    with pytest.raises(ValueError, match="conductors meet"):
        solve(Section((scaled((-50, 100), (50, 100)), other)))


@pytest.mark.parametrize("signal", [
    box(-50, 0, 50, 15), box(-50, -30, 50, -15), box(-50, -5, 50, 15), box(-50, 190, 50, 200), box(-50, 195, 50, 210),
    scaled((-20, 0), (20, 0)), scaled((0, 0), (0, 20)), scaled((0, -10), (0, 20)),
])
def test_signals_that_meet_a_plane_are_refused(signal: Polygon) -> None:
    with pytest.raises(ValueError, match="meets a plane"):
        solve(Section((signal,), upper=200 * um))


def test_grounds_may_stand_on_planes() -> None:
    """A wide ground on the upper plane is that plane, nearer by its thickness."""
    low = solve(Section((TRACE,), upper=200 * um))
    thick = solve(Section((TRACE,), grounds=(box(-2000, 200, 2000, 260),), upper=260 * um))
    assert thick.c == pytest.approx(low.c, rel=1e-6)
    with pytest.raises(ValueError, match="meets a plane"):
        solve(Section((TRACE,), grounds=(box(-2000, 200, 2000, 261),), upper=260 * um))


@pytest.mark.parametrize(("section", "text"), [
    (Section((TRACE,), lower=None), "needs a plane"),
    (Section((TRACE,), lower=200 * um, upper=0.0), "not above"),
    (Section(()), "needs a signal"),
    (Section((scaled((0, 100)),)), "a point"),
    (Section((scaled((0, 100), (0, 100)),)), "a point"),
    (Section((scaled((-50, 100), (0, 100), (50, 100)),)), "no area"),
    (Section((scaled((-50, 100), (50, 100), (50, math.nan)),)), "not finite"),
    (Section((scaled((-EVER, 100), (EVER, 100), (EVER, 110), (-EVER, 110)),)), "not finite"),
    *((Section((TRACE,), dielectrics=((box(-200, 0, 200, 100), dk),)), "a permittivity of")
      for dk in (0.0, -1.0, 0.5, math.nan, EVER)),
    (Section((TRACE,), dielectrics=((box(-200, 0, 200, EVER), 4.0),)), "corner of a dielectric"),
    (Section((TRACE,), dielectrics=((box(math.nan, 0, 200, 100), 4.0),)), "corner of a dielectric"),
])
def test_what_has_no_solution_is_refused(section: Section, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        solve(section)
    with pytest.raises(ValueError):
        solve_modes(section)


@pytest.mark.parametrize("polygon", [
    TRACE[::-1],
    (*TRACE, TRACE[0]),
    scaled((-50, 100), (-50, 100), (50, 100), (50, 115), (50, 115), (-50, 115)),
    scaled((-50, 100), (0, 100), (20, 100), (50, 100), (50, 107), (50, 115), (-50, 115)),
])
def test_a_shape_may_be_written_in_more_ways_than_one(polygon: Polygon) -> None:
    assert solve(Section((polygon,))).c == pytest.approx(solve(Section((TRACE,))).c, rel=1e-4)


@pytest.mark.parametrize("lean", [0, 8])
def test_an_interface_may_end_at_a_side(lean: float) -> None:
    """A trace that is sunk in a ply to half its height, with corners there and without."""
    ply = scaled((-EVER, 0), (EVER, 0), (EVER, 110), (-EVER, 110)), 4.0
    four = scaled((-50, 100), (50, 100), (50 - lean, 120), (lean - 50, 120))
    six = (*four[:2], ((50 - lean / 2) * um, 110 * um), *four[2:], ((lean / 2 - 50) * um, 110 * um))
    for aside in ((), (box(200, 0, 260, 180),)):  # and without a mirror axis
        sunk, marked = (solve(Section((made,), aside, dielectrics=(ply,))) for made in (four, six))
        assert sunk.c == pytest.approx(marked.c, rel=1e-5)


def test_grounds_that_touch_are_one() -> None:
    whole = Section((TRACE,), grounds=(box(100, 100, 200, 115),))
    split = Section((TRACE,), grounds=(box(100, 100, 150, 115), box(150, 100, 200, 115)))
    overlapping = Section((TRACE,), grounds=(box(100, 100, 160, 115), box(140, 100, 200, 115)))
    assert solve(split).c == pytest.approx(solve(whole).c, rel=1e-5)
    assert solve(overlapping).c == pytest.approx(solve(whole).c, rel=1e-5)


@examples(15)
@given(width=st.floats(20, 300), gap=st.floats(20, 300), foot=st.floats(20, 200), above=st.floats(20, 200),
       dk=st.floats(1, 10))
def test_a_wall_from_plane_to_plane_is_the_mirror_of_the_odd_mode(
    width: float, gap: float, foot: float, above: float, dk: float
) -> None:
    top = foot + 15 + above
    right = box(gap / 2, foot, gap / 2 + width, foot + 15)
    left = box(-gap / 2 - width, foot, -gap / 2, foot + 15)
    ply = ((-EVER, 0.0), (EVER, 0.0), (EVER, foot * um), (-EVER, foot * um)), dk
    pair = Section((left, right), dielectrics=(ply,), upper=top * um)
    walled = Section((right,), grounds=(scaled((0, 0), (0, top)),), dielectrics=(ply,), upper=top * um)
    odd = solve_modes(pair)[1]
    assert np.allclose(solve(walled).c, odd.c, rtol=1e-4, atol=0)
