# SPDX-License-Identifier: MIT
"""Sheets of copper: exact shapes, and the laws that any sheet obeys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray

from pcbrules.physics.power import sheet_panels
from pcbrules.physics.power.perforation import Lattice, perforated_cell, perforated_sheet_ratio
from pcbrules.physics.power.sheet import Disc, Sheet, solve_sheet
from pcbrules.physics.power.sheet_panels import Side
from pcbrules.physics.power.sheet_stack import Tie, stack_flow
from pcbrules.physics.vias.barrel_resistance import padded_barrel_resistance, tube_resistance

Array = NDArray[np.float64]
PLACES = [complex(x, y) for y in (12, 30, 48) for x in (15, 38, 61, 84)]


def rectangle(width: float, height: float, **owners: int) -> list[Side]:
    """An outline whose sides ``bottom``, ``right``, ``top``, ``left`` may be contacts."""
    corners = [0j, complex(width), complex(width, height), complex(0, height)]
    names = ("bottom", "right", "top", "left")
    return [Side(corners[k], corners[(k + 1) % 4], contact=owners.get(name)) for k, name in enumerate(names)]


def square_hole(centre: complex, half: float) -> list[Side]:
    """A cut-out, clockwise."""
    corners = [centre + half * z for z in (-1 - 1j, -1 + 1j, 1 + 1j, 1 - 1j)]
    return [Side(corners[k], corners[(k + 1) % 4]) for k in range(4)]


def resistance(sheet: Sheet) -> float:
    """Between two contacts, in squares."""
    return 1 / float(sheet.conductance[0, 0])


@pytest.mark.parametrize("ratio", [0.2, 1.5, 7.0])
def test_a_strip_has_length_over_width_squares(ratio: float) -> None:
    sheet = solve_sheet(loops=[rectangle(ratio, 1, left=0, right=1)], contacts=2)
    assert resistance(sheet) == pytest.approx(ratio, rel=1e-10)
    assert sheet.density(np.array([1.0, 0.0]))[0] == pytest.approx(1 / ratio, rel=1e-9)


def test_a_sheet_and_its_dual_have_reciprocal_resistances() -> None:
    """Contacts and insulated sides change places: the product of the squares is one, also with singular ends."""
    one = [Side(0j, 0.5 + 0j, contact=0), Side(0.5 + 0j, 1 + 0j), Side(1 + 0j, 1 + 1j), Side(1 + 1j, 1j, contact=1),
           Side(1j, 0j)]
    other = [Side(0j, 0.5 + 0j), Side(0.5 + 0j, 1 + 0j, contact=0), Side(1 + 0j, 1 + 1j, contact=0), Side(1 + 1j, 1j),
             Side(1j, 0j, contact=1)]
    product = resistance(solve_sheet(loops=[one], contacts=2)) * resistance(solve_sheet(loops=[other], contacts=2))
    assert product == pytest.approx(1, rel=2e-5)


def test_concentric_circles_have_the_logarithm() -> None:
    quarter = [Side(3 * z, 3j * z, 0j, contact=0) for z in (1 + 0j, 1j, -1 + 0j, -1j)]
    sheet = solve_sheet(loops=[quarter], discs=[Disc(0j, 1.0, 1)], contacts=2)
    assert resistance(sheet) == pytest.approx(np.log(6) / (2 * np.pi), rel=1e-9)
    inside = sheet.potential(np.array([1.0, 0.0]), np.array([1 + 1j]))[0]
    assert inside == pytest.approx(np.log(np.sqrt(2) / 0.5) / np.log(6), rel=1e-8)
    assert sheet.density(np.array([1.0, 0.0]))[0] == pytest.approx(2 / np.log(6), rel=1e-8)


def fields(count: int) -> st.SearchStrategy[list[Disc]]:
    """Discs at different places with different diameters, each a contact."""
    return st.lists(st.tuples(st.sampled_from(PLACES), st.floats(0.2, 8)), min_size=count, max_size=6,
                    unique_by=lambda one: (one[0].real, one[0].imag)).map(
        lambda some: [Disc(place, diameter, k) for k, (place, diameter) in enumerate(some)])


@given(fields(2))
@examples(25)
def test_conductances_are_symmetric_and_conserve_current(discs: list[Disc]) -> None:
    g = solve_sheet(loops=[rectangle(100, 60)], discs=discs, contacts=len(discs)).conductance
    assert np.abs(g.sum(axis=1)).max() < 1e-5 * g.diagonal().max()
    assert (g - np.diag(g.diagonal()) < 1e-7).all()
    assert np.linalg.eigvalsh(g)[0] > -1e-6


@given(fields(3), st.floats(1e-3, 1e3))
@examples(15)
def test_squares_do_not_depend_on_size(discs: list[Disc], scale: float) -> None:
    small = solve_sheet(loops=[rectangle(100, 60)], discs=discs, contacts=len(discs))
    large = solve_sheet(
        loops=[rectangle(100 * scale, 60 * scale)], contacts=len(discs),
        discs=[Disc(one.centre * scale, one.diameter * scale, one.contact) for one in discs],
    )
    np.testing.assert_allclose(large.conductance, small.conductance, rtol=1e-9, atol=1e-12)


@given(fields(3), st.lists(st.floats(-50, 50), min_size=6, max_size=6), st.floats(-3, 3))
@examples(15)
def test_power_is_volts_times_amperes_and_drops_superpose(
    discs: list[Disc], currents: list[float], factor: float
) -> None:
    g = solve_sheet(loops=[rectangle(100, 60)], discs=discs, contacts=len(discs)).conductance
    first = {(0, k): currents[k] for k in range(1, len(discs))}
    second = {(0, k): factor * k for k in range(1, len(discs))}
    both = {place: first[place] + second[place] for place in first}
    flows = [stack_flow(conductances=[g], held={(0, 0): 0.0}, drawn=some) for some in (first, second, both)]
    np.testing.assert_allclose(flows[2].potentials[0], flows[0].potentials[0] + flows[1].potentials[0], atol=1e-9)
    given_off = -sum(amount * flows[0].potentials[0][k] for (_, k), amount in first.items())
    assert flows[0].loss == pytest.approx(given_off, abs=1e-9)
    assert flows[0].loss >= -1e-9


@given(st.sampled_from(PLACES), st.floats(0.3, 5))
@examples(20)
def test_more_copper_never_raises_a_resistance(centre: complex, half: float) -> None:
    whole = rectangle(100, 60, left=0, right=1)
    holed = resistance(solve_sheet(loops=[whole, square_hole(centre, half)], contacts=2))
    wider = resistance(solve_sheet(loops=[whole, square_hole(centre, half * 0.8)], contacts=2))
    assert holed > wider > resistance(solve_sheet(loops=[whole], contacts=2))


def test_more_points_converge(monkeypatch: pytest.MonkeyPatch) -> None:
    loops = [rectangle(100, 60, left=0, right=1), square_hole(40 + 30j, 6)]
    found = []
    for grades in (2, 4, 6, 8, 14):
        monkeypatch.setattr(sheet_panels, "_GRADES", grades)
        found.append(resistance(solve_sheet(loops=loops, contacts=2)))
    errors = np.abs(np.array(found[:-1]) / found[-1] - 1)
    assert (np.diff(errors) < 0).all() and errors[-1] < 1e-5


def test_what_touches_and_what_is_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="touches"):
        solve_sheet(loops=[rectangle(10, 10, left=0)], discs=[Disc(5 + 5j, 2, 1), Disc(6 + 5j, 2, 2)], contacts=3)
    with pytest.raises(ValueError, match="no side"):
        solve_sheet(loops=[rectangle(10, 10, left=0)], contacts=2)
    with pytest.raises(ValueError, match="no path"):
        stack_flow(conductances=[np.zeros((2, 2))], held={(0, 0): 0.0}, drawn={(0, 1): 1.0})
    g = solve_sheet(loops=[rectangle(10, 10, left=0, right=1)], contacts=2).conductance
    with pytest.raises(ValueError, match="no path"):
        stack_flow(conductances=[g, g], held={(0, 0): 0.0}, drawn={(1, 1): 1.0})
    with pytest.raises(ValueError, match="outside"):
        solve_sheet(loops=[rectangle(10, 10, left=0)], discs=[Disc(15 + 5j, 2, 1)], contacts=2)


def test_a_tie_carries_the_current_between_two_sheets() -> None:
    g = solve_sheet(loops=[rectangle(10, 10, left=0, right=1)], contacts=2).conductance
    flow = stack_flow(conductances=[g, g], ties=[Tie((0, 1), (1, 0), 3.0)], held={(0, 0): 0.0}, drawn={(1, 1): 2.0})
    assert flow.ties[0] == pytest.approx(2.0) and flow.potentials[1][1] == pytest.approx(-10.0)
    assert flow.loss == pytest.approx(20.0)


@given(st.floats(0.001, 0.3))
@examples(10)
def test_holes_take_more_than_their_area(fraction: float) -> None:
    for lattice in ("square", "hexagonal"):
        ratio, peak = perforated_cell(fraction=fraction, lattice=lattice)
        assert ratio == pytest.approx(float(perforated_sheet_ratio(fraction=fraction)), rel=2.5e-3)
        assert ratio > 1 / (1 - fraction) and peak > 2 * (1 - 1e-3)


@pytest.mark.parametrize(("lattice", "least"), [("square", np.pi / 4), ("hexagonal", np.pi / 12**0.5)])
def test_holes_that_touch_leave_no_path(lattice: Lattice, least: float) -> None:
    with pytest.raises(ValueError, match="touch"):
        perforated_cell(fraction=1.001 * least, lattice=lattice)
    assert perforated_cell(fraction=0.9 * least, lattice=lattice)[0] > 4


@given(st.floats(0.2e-3, 0.5e-3), st.floats(15e-6, 50e-6), st.floats(0.5e-3, 3e-3), st.floats(12e-6, 70e-6))
@examples(10)
def test_pads_add_to_a_barrel_more_than_they_short(drill: float, plating: float, length: float, foil: float) -> None:
    barrel = {"resistivity": 2e-8, "drill": drill, "plating": plating}
    padded = padded_barrel_resistance(**barrel, length=length, pad=2 * drill, pad_thickness=foil)
    rest = float(tube_resistance(**barrel, length=length - 2 * foil))
    ring = 2e-8 / (2 * np.pi * foil) * np.log(2)
    assert rest + 2 * ring < padded * (1 + 1e-3)
    longer = padded_barrel_resistance(**barrel, length=2 * length, pad=2 * drill, pad_thickness=foil)
    assert longer - padded == pytest.approx(float(tube_resistance(**barrel, length=length)), rel=2e-3)


@pytest.mark.parametrize("other", [{"pad": 0.3e-3}, {"pad": 0.2e-3}, {"length": 70e-6}, {"length": 50e-6}], ids=str)
def test_a_barrel_without_pads_or_length_is_refused(other: dict[str, float]) -> None:
    barrel = {"resistivity": 2e-8, "length": 1e-3, "drill": 0.3e-3, "plating": 25e-6, "pad": 0.6e-3}
    with pytest.raises(ValueError, match="pads meet"):
        padded_barrel_resistance(**(barrel | {"pad_thickness": 35e-6} | other))


def test_a_short_barrel_has_less_than_its_part_of_a_long_one() -> None:
    """Its middle is one potential, where the current of a long one still crowds (Rayleigh)."""
    short, long = (
        padded_barrel_resistance(resistivity=2e-8, length=100e-6 + more, drill=0.3e-3, plating=50e-6, pad=0.6e-3,
                                 pad_thickness=50e-6)
        for more in (4e-6, 404e-6)
    )
    rest = float(tube_resistance(resistivity=2e-8, length=400e-6, drill=0.3e-3, plating=50e-6))
    assert 0.9 * (long - rest) < short < 0.985 * (long - rest)
