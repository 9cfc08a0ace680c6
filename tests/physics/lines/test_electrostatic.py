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

from pcbrules.physics.lines.cross_section import _panels
from pcbrules.physics.lines.cross_section.crowding import crowding_matrix
from pcbrules.physics.lines.cross_section.electrostatic import mirror_axis, solve, solve_modes
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
    *others, ((a, b), *rest) = section.signals
    return replace(section, signals=(*others, ((a * (1 + 1e-7), b), *rest)))


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


def coplanar(signals: list[float], grounds: list[tuple[float, float]], height: float, above: float = 0.0) -> Section:
    """Traces of 150 um at centres, between grounds from one x to another, over a plane, under another one or air."""
    layers = [(layer(0, height), 4.4), (layer(height, height + above), 3.5)][: 2 if above else 1]
    return Section(
        signals=tuple(trace(x, 150, height, 35) for x in signals),
        grounds=tuple(trace((low + high) / 2, high - low, height, 35) for low, high in grounds),
        dielectrics=tuple(layers),
        upper=(height + above) * um if above else None,
    )


WIDE = [
    coplanar([-675, -375, 375], [(-7000, -950), (-100, 100), (650, 7000)], 480),
    coplanar([-675, 375], [(-2000, -850), (-450, 150), (550, 9000)], 100),
    coplanar([-300, 0, 900], [(-5000, -500), (200, 700), (1100, 2000)], 150, 150),
]
"""Ground that goes on far beyond the lines."""


@pytest.mark.parametrize("section", WIDE)
def test_coarse_panels_far_from_all_lines_change_nothing(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve(section, order=5)
    monkeypatch.setattr(_panels, "FADES", 1e9)
    finer = solve(section, order=5)
    assert len(found.charge.at) < 0.85 * len(finer.charge.at)
    assert found.c == pytest.approx(finer.c, rel=1e-5)
    assert found.c0 == pytest.approx(finer.c0, rel=1e-5)
    shared, wanted = (crowding_matrix(section=section, charge=one.charge) for one in (found, finer))
    assert np.diag(shared) == pytest.approx(np.diag(wanted), rel=1e-3)


@pytest.mark.parametrize(
    ("section", "move"),
    [
        (coplanar([0], [(-1500, -300), (300, 1500)], 200), 0.1),
        (coplanar([0], [], 200, 100), 0.1),
        (coplanar([-500, 500], [(-200, 200)], 200), 0.1),
        (coplanar([-675, -375, 375, 675], [(-2000, -900), (-100, 100), (900, 2000)], 200, 300), 0.0),
    ],
    ids=["a single trace", "between planes", "ground on the axis", "ground on the axis and outside"],
)
def test_a_mirror_image_of_itself_is_solved_by_halves(section: Section, move: float) -> None:
    """Copper on the axis is cut there. The move makes all copper thicker."""

    def thicker(polygon: Polygon) -> Polygon:
        foot = min(y for _, y in polygon)
        return tuple((x, y + move * um * (y > foot)) for x, y in polygon)

    def moved(made: Section) -> Section:
        return replace(made, signals=tuple(map(thicker, made.signals)), grounds=tuple(map(thicker, made.grounds)))

    whole = unlike(section)
    assert (mirror_axis(section) is None, mirror_axis(whole) is None) == (False, True)
    found, wanted = solve(section, moves=[moved(section)]), solve(whole, moves=[moved(whole)])
    assert found.c == pytest.approx(wanted.c, rel=1e-5)
    assert found.c0 == pytest.approx(wanted.c0, rel=1e-5)
    assert found.parts[0] == pytest.approx(wanted.parts[0], rel=1e-5)
    if move:
        assert found.changes[0][0] == pytest.approx(wanted.changes[0][0], rel=1e-3)
    shared, other = (crowding_matrix(section=section, charge=one.charge) for one in (found, wanted))
    assert shared == pytest.approx(other, rel=1e-3)


def test_half_of_a_wide_strip_has_the_panels_of_the_whole() -> None:
    """Its other edge is near in heights, though it lies beyond the axis."""
    made = Section(signals=(((-500 * um, 100 * um), (500 * um, 100 * um)),), dielectrics=((layer(0, 100), 2.2),))
    assert solve(made).c == pytest.approx(solve(made, order=16, reach=2.0).c, rel=5e-5)


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
