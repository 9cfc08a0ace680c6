# SPDX-License-Identifier: MIT
"""What holds for the capacitances of every cross-section, whatever their values.

The sections are the random ones of tests/proof: every kind that a board has. More metal, or a higher permittivity
anywhere, can only raise the energy at given potentials (Dirichlet's principle), so that the matrix of the difference
has no negative eigenvalue.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray

from pcbrules.physics.lines.cross_section._charges import Influence, solution
from pcbrules.physics.lines.cross_section._influence import influence, prepare
from pcbrules.physics.lines.cross_section._moved_panels import carried
from pcbrules.physics.lines.cross_section.electrostatic import MOST, ORDER, REACH, solve
from pcbrules.physics.lines.cross_section.fields import Fields
from pcbrules.physics.lines.cross_section.section import Polygon, Section
from pcbrules.selftest.geometry import drawn

sys.path.insert(0, str(Path(__file__).parents[2] / "proof"))
from compare import driven, entries
from geometries import KINDS, section

Real = NDArray[np.float64]
Point = tuple[float, float]

CLOSE = 1e-4
"""Two numerical answers to one question may differ by this much [-]; a plain figure for all kinds."""

GOLDEN: list[dict[str, Any]] = json.loads(
    (files("pcbrules.selftest") / "data" / "cross_sections.golden.json").read_text(encoding="utf-8")
)["entries"]
SIDEWAYS = [kind for kind in KINDS if not kind.startswith(("dual", "broadside", "eight"))]
"""Kinds whose traces stand on one level."""
ENCLOSED = [kind for kind in KINDS if section(kind, 0).upper is not None]
"""Kinds between two planes."""

seeds = st.integers(0, 10**6)
sections = st.builds(section, st.sampled_from(sorted(KINDS)), seeds)
level = st.builds(section, st.sampled_from(SIDEWAYS), seeds)
some = examples(12)


def moved(made: Section, move: Callable[[Point], Point]) -> Section:
    """The section with every corner moved, the planes too."""

    def polygon(corners: Polygon) -> Polygon:
        return tuple(move(corner) for corner in corners)

    return Section(
        signals=tuple(map(polygon, made.signals)),
        grounds=tuple(map(polygon, made.grounds)),
        dielectrics=tuple((polygon(corners), dk) for corners, dk in made.dielectrics),
        lower=None if made.lower is None else move((0.0, made.lower))[1],
        upper=None if made.upper is None else move((0.0, made.upper))[1],
    )


def scaled(made: Section, factor: float) -> Section:
    return moved(made, lambda corner: (factor * corner[0], factor * corner[1]))


def mirrored(made: Section) -> Section:
    return moved(made, lambda corner: (-corner[0], corner[1]))


def overturned(made: Section) -> Section:
    turned = moved(made, lambda corner: (corner[0], -corner[1]))
    return replace(turned, lower=turned.upper, upper=turned.lower)


def reordered(made: Section, order: list[int]) -> Section:
    return replace(made, signals=tuple(made.signals[k] for k in order))


def same(found: Fields, c: Real, c0: Real, within: float = CLOSE) -> None:
    assert entries(found.c, c) < within
    assert entries(found.c0, c0) < within


def none_negative(matrix: Real, scale: Real) -> None:
    assert np.linalg.eigvalsh(matrix).min() > -CLOSE * np.diag(scale).max()


def on_its_foot(polygon: Polygon) -> Polygon:
    """The rectangle on the foot of a trace, which a thicker one contains."""
    low, high = min(y for _, y in polygon), max(y for _, y in polygon)
    foot = sorted(x for x, y in polygon if y == low)
    return ((foot[0], low), (foot[1], low), (foot[1], high), (foot[0], high))


# Invariance


@pytest.mark.parametrize("entry", GOLDEN, ids=lambda entry: entry["id"])
def test_a_golden_entry_moved_has_the_golden_answer_moved(entry: dict[str, Any]) -> None:
    """All at once; each by itself is a law below."""
    made, results = drawn(entry["geometry_um"]).section, entry["results"]
    c, c0 = (1e-12 * np.array(results[key]) for key in ("C_pF_per_m", "C0_air_pF_per_m"))
    order = [*range(1, len(c)), 0]
    turn = np.ix_(order, order)
    same(solve(reordered(scaled(mirrored(overturned(made)), 1.7), order)), c[turn], c0[turn])


@some
@given(sections, st.floats(1e-3, 1e3))
def test_size_does_not_matter(made: Section, factor: float) -> None:
    here = solve(made)
    same(solve(scaled(made, factor)), here.c, here.c0)


@some
@example(section("four conductors over a plane", 0), 0.015625, 0.0, 1.0)
@given(sections, st.floats(-0.02, 0.02), st.floats(-0.02, 0.02), st.sampled_from([1.0, 1e-3]))
def test_panels_that_go_along_give_the_matrices_of_the_moved_section(
    made: Section, wide: float, high: float, size: float
) -> None:
    made = scaled(made, size)
    there = moved(made, lambda corner: (corner[0] * (1 + wide), corner[1] * (1 + high)))
    first, last = (overturned(one) if one.lower is None else one for one in (made, there))
    panels = carried(prepare(first, None, ORDER, REACH, MOST), first, last)
    nothing = np.empty((0, len(panels.nodes.arc)))
    ((potential, flux),) = influence(panels, None)
    moved_too = solution(first, panels.nodes, Influence(potential, flux, (nothing, nothing)), [])
    same(solve(there), moved_too.c, moved_too.c0)


def changed(by: Callable[[float], Section]) -> tuple[Real, Real]:
    """Change of solutions by a move, to first order: backwards metal may leave another dielectric than it enters."""
    none, half, whole = (solve(by(share)) for share in (0.0, 0.5, 1.0))
    return 4 * half.c - 3 * none.c - whole.c, 4 * half.c0 - 3 * none.c0 - whole.c0


def off(found: Real, expected: Real) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


@some
@given(sections, st.floats(0.2, 1), st.floats(-1, 1))
def test_the_field_on_the_planes_tells_what_moving_them_changes(made: Section, below: float, above: float) -> None:
    size = min(abs(y) for polygon in made.signals for _, y in polygon if y) * 1e-3

    def planes(share: float) -> Section:
        def corner(at: Point) -> Point:
            x, y = at
            low, high = -share * below * size, share * above * size
            return (x, y + (low if y == made.lower else high if y == made.upper else 0.0)) if math.isinf(x) else at

        there = replace(made, dielectrics=tuple((tuple(map(corner, one)), dk) for one, dk in made.dielectrics))
        return replace(there, **{
            name: None if level is None else corner((math.inf, level))[1]
            for name, level in (("lower", made.lower), ("upper", made.upper))
        })

    ((change, change0),) = solve(made, moves=[planes(1.0)]).changes
    expected, expected0 = changed(planes)
    assert off(change, expected) < 5e-3 and off(change0, expected0) < 1e-3


@some
@given(sections, st.floats(0.3e-3, 1e-3), st.booleans())
def test_the_field_on_conductors_tells_what_their_size_changes(made: Section, share: float, high: bool) -> None:
    """Of plies that follow, and of strips of no thickness, moved panels do."""

    def larger(by: float) -> Section:
        def stretched(polygon: Polygon) -> Polygon:
            (left, *_, right), (low, *_, top) = (sorted(values) for values in zip(*polygon, strict=True))
            middle = (left + right) / 2
            if high:
                return tuple((x, y + (by * (top - low) if y == top else 0.0)) for x, y in polygon)
            return tuple((middle + (x - middle) * (1 + by), y) for x, y in polygon)

        return replace(made, signals=tuple(map(stretched, made.signals)))

    assume(not high or all(len(polygon) > 2 for polygon in made.signals))
    ((change, change0),) = solve(made, moves=[larger(share)]).changes
    expected, expected0 = changed(lambda part: larger(part * share))
    assert off(change, expected) < 1e-2 and off(change0, expected0) < 4e-3


def test_a_plane_goes_away_as_the_rest_goes_from_it() -> None:
    """The lower plane down, or all above it up; the upper plane stays with the trace in both."""
    def made(plane: float, rest: float) -> Section:
        ends = (-math.inf, plane), (math.inf, plane), (math.inf, 3e-4 + rest), (-math.inf, 3e-4 + rest)
        corners = (-5e-5, 1e-4 + rest), (5e-5, 1e-4 + rest), (5e-5, 1.3e-4 + rest), (-5e-5, 1.3e-4 + rest)
        return Section((corners,), dielectrics=((ends, 4.0),), lower=plane, upper=3e-4 + rest)

    plain = made(0.0, 0.0)
    for bare in (False, True):
        first, down, up = (replace(one, dielectrics=() if bare else one.dielectrics)
                           for one in (plain, made(-1e-7, 0.0), made(0.0, 1e-7)))
        (one, one0), (other, other0) = solve(first, moves=[down, up]).changes
        assert one[0, 0] < 0 and one0[0, 0] < 0
        assert other == pytest.approx(one, rel=1e-6) and other0 == pytest.approx(one0, rel=1e-6)


def test_a_section_with_other_corners_is_no_move() -> None:
    made = section("stripline pair", 1)
    extra = replace(made, signals=(made.signals[0], (*made.signals[1], made.signals[1][0])))
    with pytest.raises(ValueError, match="other corners"):
        solve(made, moves=[extra])


@some
@given(sections, st.floats(-1e-2, 1e-2), st.floats(-1e-2, 1e-2))
def test_place_does_not_matter(made: Section, right: float, up: float) -> None:
    here = solve(made)
    same(solve(moved(made, lambda corner: (corner[0] + right, corner[1] + up))), here.c, here.c0)


@pytest.mark.long
@some
@given(sections)
def test_mirror_images_are_alike(made: Section) -> None:
    here = solve(made)
    same(solve(mirrored(made)), here.c, here.c0)
    same(solve(overturned(made)), here.c, here.c0)


@some
@given(sections, st.randoms(use_true_random=False))
def test_conductors_may_be_named_in_any_order(made: Section, rng: Any) -> None:
    order = rng.sample(range(len(made.signals)), len(made.signals))
    turn, here = np.ix_(order, order), solve(made)
    found = solve(reordered(made, order))
    same(found, here.c[turn], here.c0[turn])
    for one, other in zip(found.parts, here.parts, strict=True):
        assert np.abs(one - other[turn]).max() < 1e-3 * here.c.max()


@some
@given(sections)
def test_corners_may_go_either_way_round(made: Section) -> None:
    here = solve(made)
    turned = replace(
        made,
        signals=tuple(polygon[::-1] for polygon in made.signals),
        dielectrics=tuple((polygon[::-1], dk) for polygon, dk in made.dielectrics),
    )
    same(solve(turned), here.c, here.c0)


@some
@given(sections, st.floats(0.1, 0.9))
def test_a_cut_through_a_layer_changes_nothing(made: Section, where: float) -> None:
    (polygon, dk), *rest = made.dielectrics
    low, high = min(y for _, y in polygon), max(y for _, y in polygon)
    cut = low + where * (high - low)
    halves = [((-math.inf, a), (math.inf, a), (math.inf, b), (-math.inf, b)) for a, b in ((low, cut), (cut, high))]
    here, found = solve(made), solve(replace(made, dielectrics=(*((half, dk) for half in halves), *rest)))
    same(found, here.c, here.c0)
    assert np.abs(found.parts[0] + found.parts[1] - here.parts[0]).max() < 1e-3 * here.c.max()


# Matrices


@some
@given(sections)
def test_matrices_are_those_of_conductors(made: Section) -> None:
    found = solve(made)
    for matrix in (found.c, found.c0):
        assert np.array_equal(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix).min() > 0
        apart = matrix - np.diag(np.diag(matrix))
        assert apart.max() <= CLOSE * matrix.max()
        assert matrix.sum(axis=1).min() > 0
    assert np.allclose(sum(found.parts), found.c, atol=1e-9 * found.c.max())
    for part in found.parts:
        none_negative(part, found.c)


@some
@given(sections)
def test_eps_eff_is_between_the_lowest_and_the_highest_permittivity(made: Section) -> None:
    found = solve(made)
    present = [dk for _, dk in made.dielectrics] + ([1.0] if made.upper is None else [])
    modes = np.linalg.eigvals(np.linalg.solve(found.c0, found.c))
    assert np.all(modes.real > min(present) * (1 - CLOSE))
    assert np.all(modes.real < max(present) * (1 + CLOSE))


@some
@given(sections, st.floats(1.0, 12.0))
def test_one_permittivity_everywhere_is_eps_eff(made: Section, dk: float) -> None:
    if made.upper is None:
        everywhere: Polygon = ((-math.inf, 0.0), (math.inf, 0.0), (math.inf, 1.0), (-math.inf, 1.0))
        made = replace(made, dielectrics=((everywhere, dk),), upper=1.0)
    found = solve(replace(made, dielectrics=tuple((polygon, dk) for polygon, _ in made.dielectrics)))
    assert np.allclose(found.c, dk * found.c0, rtol=1e-9, atol=1e-9 * found.c.max())


@some
@given(sections)
def test_a_grounded_signal_leaves_the_rest_of_the_matrix(made: Section) -> None:
    if len(made.signals) < 2:
        return
    here = solve(made)
    found = solve(replace(made, signals=made.signals[1:], grounds=(*made.grounds, made.signals[0])))
    same(found, here.c[1:, 1:], here.c0[1:, 1:])


@examples(15)
@given(sections, st.integers(0, 9))
def test_the_share_of_a_dielectric_is_the_slope_by_its_permittivity(made: Section, which: int) -> None:
    k, step = which % len(made.dielectrics), 1e-3
    here, (_, dk) = solve(made), made.dielectrics[k]

    def other(factor: float) -> Real:
        changed = [*made.dielectrics]
        changed[k] = (changed[k][0], dk * factor)
        return solve(replace(made, dielectrics=tuple(changed))).c

    slope = (other(1 + step) - other(1 - step)) / (2 * step)
    assert np.abs(slope - here.parts[k]).max() < 1e-5 * here.c.max()


# Monotone


@some
@given(sections, st.integers(0, 9), st.floats(1.05, 2.0))
def test_a_higher_permittivity_raises_capacitance(made: Section, which: int, factor: float) -> None:
    k = which % len(made.dielectrics)
    changed = [*made.dielectrics]
    changed[k] = (changed[k][0], changed[k][1] * factor)
    here, found = solve(made), solve(replace(made, dielectrics=tuple(changed)))
    none_negative(found.c - here.c, here.c)
    assert np.allclose(found.c0, here.c0, rtol=1e-9, atol=0)


@pytest.mark.long
@some
@given(level, st.integers(0, 9), st.floats(1.0, 25.0))
def test_a_wider_trace_has_less_impedance(made: Section, which: int, wider: float) -> None:
    k = which % len(made.signals)
    middle = sum(x for x, _ in made.signals[k]) / len(made.signals[k])
    wide = tuple((x + math.copysign(wider * 1e-6, x - middle), y) for x, y in made.signals[k])
    here = solve(made)
    found = solve(replace(made, signals=(*made.signals[:k], wide, *made.signals[k + 1 :])))
    none_negative(found.c - here.c, here.c)
    none_negative(found.c0 - here.c0, here.c0)
    assert driven(found.c, found.c0)[k] < driven(here.c, here.c0)[k]


@some
@given(st.builds(section, st.just("microstrip pair") | st.just("stripline pair"), seeds), st.floats(2.0, 20.0))
def test_thicker_traces_have_less_impedance(made: Section, thicker: float) -> None:
    foot = min(y for polygon in made.signals for _, y in polygon)

    def thick(polygon: Polygon) -> Polygon:
        return tuple((x, y if y == foot else y + min(thicker * 1e-6, 0.5 * (y - foot))) for x, y in polygon)

    rectangles = [on_its_foot(polygon) for polygon in made.signals]
    here = solve(replace(made, signals=tuple(rectangles)))
    found = solve(replace(made, signals=tuple(map(thick, rectangles))))
    none_negative(found.c - here.c, here.c)
    none_negative(found.c0 - here.c0, here.c0)
    assert np.all(driven(found.c, found.c0) < driven(here.c, here.c0))


@some
@given(sections, st.floats(5e-6, 300e-6))
def test_a_plane_farther_below_raises_every_impedance(made: Section, farther: float) -> None:
    # the lowest layer grows with it
    def down(polygon: Polygon) -> Polygon:
        return tuple((x, -farther if y == 0 else y) for x, y in polygon)

    found = solve(replace(made, lower=-farther, dielectrics=tuple((down(p), dk) for p, dk in made.dielectrics)))
    here = solve(made)
    none_negative(here.c - found.c, here.c)
    none_negative(here.c0 - found.c0, here.c0)
    assert np.all(driven(found.c, found.c0)[: len(here.c)] > driven(here.c, here.c0)[: len(here.c)])


@some
@given(st.builds(section, st.sampled_from(ENCLOSED), seeds), st.floats(5e-6, 300e-6))
def test_a_plane_farther_above_raises_every_impedance(made: Section, farther: float) -> None:
    assert made.upper is not None
    top = made.upper

    def up(polygon: Polygon) -> Polygon:
        return tuple((x, y + farther if y == top else y) for x, y in polygon)

    found = solve(replace(made, upper=top + farther, dielectrics=tuple((up(p), dk) for p, dk in made.dielectrics)))
    here = solve(made)
    none_negative(here.c - found.c, here.c)
    assert np.all(driven(found.c, found.c0)[: len(here.c)] > driven(here.c, here.c0)[: len(here.c)])


@some
@given(st.floats(60e-6, 400e-6), st.floats(10e-6, 60e-6), st.floats(60e-6, 300e-6), st.floats(2.8, 5.0))
def test_a_trace_is_the_same_from_either_plane(width: float, t: float, height: float, dk: float) -> None:
    top = 3 * height + t
    layer: Polygon = ((-math.inf, 0.0), (math.inf, 0.0), (math.inf, top), (-math.inf, top))

    def at(y: float) -> Fields:
        trace: Polygon = ((-width / 2, y), (width / 2, y), (width / 2, y + t), (-width / 2, y + t))
        return solve(Section((trace,), dielectrics=((layer, dk),), upper=top))

    low, high = at(height), at(2 * height)
    same(low, high.c, high.c0, 1e-6)


@some
@given(sections, st.floats(20e-6, 300e-6))
def test_a_ground_beside_raises_capacitance(made: Section, gap: float) -> None:
    right = max(x for polygon in (*made.signals, *made.grounds) for x, _ in polygon) + gap + 50e-6
    low = min(y for polygon in made.signals for _, y in polygon)
    beside: Polygon = ((right, low), (right + 200e-6, low), (right + 200e-6, low + 10e-6), (right, low + 10e-6))
    here, found = solve(made), solve(replace(made, grounds=(*made.grounds, beside)))
    none_negative(found.c - here.c, here.c)
    none_negative(found.c0 - here.c0, here.c0)
