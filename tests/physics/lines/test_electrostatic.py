# SPDX-License-Identifier: MIT
"""Sections that are hard on the solver: far apart, thin beside wide, close to a plane."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.physics.lines.cross_section.electrostatic import solve, solve_modes
from pcbrules.physics.lines.cross_section.section import Polygon, Section

um = 1e-6
EVER = math.inf


def layer(low: float, high: float) -> Polygon:
    return ((-EVER, low * um), (EVER, low * um), (EVER, high * um), (-EVER, high * um))


def trace(x: float, width: float, y: float, thickness: float) -> Polygon:
    corners = ((-width / 2, 0), (width / 2, 0), (width / 2, thickness), (-width / 2, thickness))
    return tuple(((x + a) * um, (y + b) * um) for a, b in corners)


def pair(width: float, thickness: float, gap: float, plies: list[tuple[float, float]], cover: float) -> Section:
    """Two traces over plies (thickness, Dk) from the plane upwards, under a cover of Dk 3.1 if it is not zero."""
    levels = np.cumsum([0.0, *(height for height, _ in plies)])
    foot = float(levels[-1])
    dielectrics = [(layer(float(a), float(b)), dk) for a, b, (_, dk) in zip(levels, levels[1:], plies, strict=False)]
    if cover:
        dielectrics.append((layer(foot, foot + cover), 3.1))
    centre = (width + gap) / 2
    return Section(
        signals=(trace(-centre, width, foot, thickness), trace(centre, width, foot, thickness)),
        dielectrics=tuple(dielectrics),
    )


def unlike(section: Section) -> Section:
    """The same to a part in ten million, but no mirror image of itself, so that it is solved whole."""
    (a, b), *rest = section.signals[1]
    return replace(section, signals=(section.signals[0], ((a * (1 + 1e-7), b), *rest)))


@examples(25)
@given(
    width=st.floats(20, 300), thickness=st.floats(12, 70), gap=st.floats(60, 3000),
    plies=st.lists(st.tuples(st.floats(6, 300), st.sampled_from([2.2, 3.3, 4.4, 10.2])), min_size=1, max_size=3),
    cover=st.sampled_from([0.0, 100.0, 300.0]),
)
def test_half_a_pair_and_the_whole_of_it_agree(
    width: float, thickness: float, gap: float, plies: list[tuple[float, float]], cover: float
) -> None:
    section = pair(width, thickness, gap, plies, cover)
    even, odd = solve_modes(section)
    whole = solve(unlike(section))
    for sign, mode in ((1, even), (-1, odd)):
        assert mode.c[0, 0] == pytest.approx(whole.c[1, 1] + sign * whole.c[0, 1], rel=2e-6)
        assert mode.c0[0, 0] == pytest.approx(whole.c0[1, 1] + sign * whole.c0[0, 1], rel=2e-6)


def test_a_pair_away_from_the_middle_is_solved_by_halves_too() -> None:
    made = pair(120, 35, 150, [(100, 4.0)], 30)
    aside = replace(made, signals=tuple(tuple((x + 700 * um, y) for x, y in one) for one in made.signals))
    for mode, there in zip(solve_modes(made), solve_modes(aside), strict=True):
        assert there.c == pytest.approx(mode.c, rel=1e-9)


@pytest.mark.parametrize(
    "section",
    [
        pair(68, 35, 1987, [(16.2, 2.09), (7.8, 10.2)], 0),
        pair(31, 17, 731, [(11.0, 3.3), (6.5, 9.7)], 91.6),
        pair(12, 57, 200, [(7.7, 4.0), (1448.5, 3.3), (45.6, 3.2)], 0),
        pair(12, 57, 200, [(2.0, 10.2), (1500.0, 2.2)], 80),
        pair(2000, 35, 2000, [(1500.0, 4.4)], 70),
        pair(100, 1, 100, [(100.0, 4.4)], 0),
    ],
)
def test_finer_panels_change_nothing(section: Section) -> None:
    found, finer = solve(section), solve(section, order=12, reach=2.5)
    scale = np.sqrt(np.outer(np.diag(finer.c), np.diag(finer.c)))
    assert np.abs((found.c - finer.c) / scale).max() < 2e-4
    assert np.abs(sum(found.parts) - found.c).max() < 1e-9 * found.c[0, 0]
    assert np.all(np.linalg.eigvals(np.linalg.solve(found.c0, found.c)).real > 1)


@pytest.mark.parametrize("lower", [-2000.0, 5.0, 2000.0])
def test_a_trace_close_to_its_plane_wherever_that_is(lower: float) -> None:
    made = Section((trace(0, 200, 1, 15),))
    there = replace(made, signals=(trace(0, 200, lower + 1, 15),), lower=lower * um)
    assert solve(there).c == pytest.approx(solve(made).c, rel=1e-6)
    low, high = (
        Section((trace(0, 200, foot, 15),), lower=lower * um, upper=(lower + 100) * um)
        for foot in (lower + 1, lower + 84)
    )
    assert solve(high).c == pytest.approx(solve(low).c, rel=1e-6)


def test_a_section_that_needs_too_many_panels_is_refused() -> None:
    many = tuple(trace(3000 * i, 2900, 3, 1) for i in range(120))
    with pytest.raises(ValueError, match="panels"):
        solve(Section(signals=many, dielectrics=((layer(0, 3), 4.0),)))
