# SPDX-License-Identifier: MIT
"""Sheets on a grid: exact strips, the boundary integrals of `sheet.py`, the golden cases, laws of every network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.analysis.ir_drop.facts import ERROR
from pcbrules.analysis.ir_drop.solve import CELLS
from pcbrules.physics.power.perforation import perforated_sheet_ratio
from pcbrules.physics.power.sheet import Disc, solve_sheet
from pcbrules.physics.power.sheet_grid import Contact, Layer, solve_grid
from pcbrules.physics.power.sheet_necks import necks
from pcbrules.physics.power.sheet_panels import Side
from pcbrules.physics.power.sheet_slits import Polygon, inside
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.selftest import golden

MM = 1e-3
GOLDEN: dict[str, Any] = {entry.id: entry.data for entry in golden.shipped()}


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return tuple((x * MM, y * MM) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def pad(x0: float, y0: float, x1: float, y1: float, layer: int = 0, resistance: float = 0.0) -> Contact:
    return Contact(layer, ((x0 + x1) / 2 * MM, (y0 + y1) / 2 * MM), ((x1 - x0) * MM, (y1 - y0) * MM), resistance)


def dot(x: float, y: float, diameter: float, layer: int = 0) -> Contact:
    return Contact(layer, (x * MM, y * MM), (diameter * MM,))


def squares(layer: Layer, one: Contact, other: Contact, step: float) -> float:
    flow = solve_grid(layers=[layer], terminals=[one, other], held=[0], entering={1: -1.0}, step=step * MM)
    return -float(flow.terminals[1])


def test_a_strip_between_its_ends_is_exact() -> None:
    layer = Layer((box(0, 0, 70, 20),), 1.0)
    assert squares(layer, pad(0, 0, 5, 20), pad(65, 0, 70, 20), 1.3) == pytest.approx(3, rel=1e-3)


def test_even_barrels_of_a_wide_contact_have_their_resistance_together() -> None:
    layer = Layer((box(0, 0, 70, 20),), 1e-6)
    found = squares(layer, pad(0, 0, 10, 20, resistance=0.5), pad(60, 0, 70, 20, resistance=0.25), 1)
    assert found == pytest.approx(0.75, rel=1e-4)


def test_a_field_of_holes_raises_the_sheet_resistance_in_its_region_alone() -> None:
    ratio = float(perforated_sheet_ratio(fraction=0.25))
    layer = Layer((box(0, 0, 70, 20),), 1.0, holed=((box(25, 0, 45, 20), ratio),))
    assert squares(layer, pad(0, 0, 5, 20), pad(65, 0, 70, 20), 1) == pytest.approx(2 + ratio, rel=1e-3)


def test_a_slot_narrower_than_a_cell_still_cuts() -> None:
    layer = Layer((box(0, 0, 70, 20),), 1.0, cutouts=(box(35, -1, 35.05, 21),))
    with pytest.raises(ValueError, match="do not touch"):
        squares(layer, pad(0, 0, 5, 20), pad(65, 0, 70, 20), 2)


def test_shapes_that_overlap_are_one() -> None:
    whole, parts = Layer((box(0, 0, 70, 20),), 1.0), Layer((box(0, 0, 40, 20), box(30, 0, 70, 20)), 1.0)
    ends = pad(0, 0, 5, 20), pad(65, 0, 70, 20)
    assert squares(parts, *ends, 1) == pytest.approx(squares(whole, *ends, 1), rel=1e-9)


@pytest.mark.parametrize(("diameter", "step", "tolerance"), [(0.3, 1.0, 0.002), (1.0, 1.0, 0.002), (3.0, 1.0, 0.003),
                                                            (3.0, 0.5, 0.004), (6.0, 0.5, 0.003), (0.3, 0.2, 0.004),
                                                            (9.0, 0.7, 0.005), (3.3, 0.6, 0.006)])
def test_round_contacts_agree_with_boundary_integrals(diameter: float, step: float, tolerance: float) -> None:
    corners = [complex(x, y) for x, y in box(0, 0, 100, 60)]
    loop = [Side(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    places = (15.3, 20.1), (84.9, 45.2)
    discs = [Disc(complex(x, y) * MM, diameter * MM, k) for k, (x, y) in enumerate(places)]
    want = 1 / float(solve_sheet(loops=[loop], discs=discs, contacts=2).conductance[0, 0])
    layer = Layer((box(0, 0, 100, 60),), 1.0)
    found = squares(layer, dot(*places[0], diameter), dot(*places[1], diameter), step)
    assert found == pytest.approx(want, rel=tolerance)


@pytest.mark.parametrize("cells", [3.5, 5.0, 6.0, 6.5, 7.0, 9.0, 15.0])
def test_round_contacts_anywhere_stay_within_what_is_stated(cells: float) -> None:
    """2 %, and the difference of two grids, where a contact near the edge has that many cells across."""
    rng = np.random.default_rng(int(cells * 10))
    for _ in range(3):
        width, height = rng.uniform(40, 120, 2)
        step = float(np.sqrt(width * height / CELLS))
        near, far = (size * step for size in (cells, rng.uniform(2, 10)))
        both = [((near * 0.6, rng.uniform(0.15, 0.85) * height), near),
                ((rng.uniform(0.6, 0.9) * width, height - far * 0.6), far)]
        corners = [complex(x, y) for x, y in box(0, 0, width, height)]
        loop = [Side(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
        discs = [Disc(complex(*place) * MM, size * MM, k) for k, (place, size) in enumerate(both)]
        want = 1 / float(solve_sheet(loops=[loop], discs=discs, contacts=2).conductance[0, 0])
        ends = [dot(*place, size) for place, size in both]
        coarse, fine = (squares(Layer((box(0, 0, width, height),), 1.0), ends[0], ends[1], k * step) for k in (2, 1))
        assert abs(fine - want) < ERROR * want + abs(fine - coarse)


def test_a_slanted_slot_of_the_golden_cases() -> None:
    """IR05: a slot with a round end, drawn as a polygon."""
    turn = np.linspace(0, -np.pi, 25)
    slot = [(62, 81), *((60 + 2 * np.cos(a), 25 + 2 * np.sin(a)) for a in turn), (58, 81)]
    layer = Layer((box(0, 0, 120, 80),), 1.0, (tuple((x * MM, y * MM) for x, y in slot),))
    found = squares(layer, pad(0, 0, 0.02, 80), pad(119.98, 0, 120, 80), 0.5)
    assert found == pytest.approx(GOLDEN["IR05"]["outputs"]["R_squares"], rel=0.006)


def test_two_planes_and_their_vias_of_the_golden_cases() -> None:
    inputs, outputs = (GOLDEN["IR07"][key] for key in ("inputs", "outputs"))
    rho = inputs["resistivity_ohm_m"]
    barrel = float(tube_resistance(resistivity=rho, length=400e-6, drill=300e-6, plating=25e-6))
    terminals = [pad(0, 0, 0.02, 50), dot(68, 25, 6, layer=1)]
    links = []
    for x, y in inputs["via_centres_mm"]:
        links.append((len(terminals), len(terminals) + 1, barrel))
        terminals += [dot(x, y, 0.3), dot(x, y, 0.3, layer=1)]
    flow = solve_grid(layers=[Layer((box(0, 0, 80, 50),), rho / 70e-6)] * 2, terminals=terminals, links=links, held=[0],
                      entering={1: -60.0}, step=0.5e-3)
    assert -flow.terminals[1] == pytest.approx(outputs["V_drop_at_sinks_V"]["load@1"], rel=0.006)
    assert flow.loss == pytest.approx(60**2 * outputs["R_eff_P_over_I2_ohm"], rel=0.006)
    want = np.array(outputs["via_currents_A"])
    assert np.abs(flow.links - want).max() < 0.03 * want.max()


def test_a_field_of_pins_of_the_golden_cases() -> None:
    inputs, outputs = (GOLDEN["IR08"][key] for key in ("inputs", "outputs"))
    terminals = [pad(0, 0, 0.02, 70), *(dot(x, y, 0.3) for x, y in inputs["pin_centres_mm"])]
    flow = solve_grid(layers=[Layer((box(0, 0, 100, 70),), inputs["sheet_resistance_ohm_per_sq"])], terminals=terminals,
                      held=[0], entering=dict.fromkeys(range(1, 101), -8.0), step=0.6e-3)
    assert -flow.terminals[1:].min() == pytest.approx(outputs["worst_pin_drop_V"], rel=0.01)
    assert -flow.terminals[1:].max() == pytest.approx(outputs["best_pin_drop_V"], rel=0.01)
    assert flow.loss == pytest.approx(outputs["P_W"], rel=0.01)


PLACES = st.tuples(st.floats(6, 54), st.floats(6, 24))


@examples(25)
@given(one=PLACES, other=PLACES, square=st.floats(1e-4, 1.0))
def test_laws_of_networks(one: tuple[float, float], other: tuple[float, float], square: float) -> None:
    """Reciprocity, scaling, energy; what enters leaves."""
    layer = Layer((box(0, 0, 60, 30),), square, (box(28, 8, 32, 30),))
    if not all(abs(x - 30) > 3 or y < 6 for x, y in (one, other)):
        return
    terminals = [pad(0, 0, 2, 30), dot(*one, 0.5), dot(*other, 0.5)]

    def solved(at: int, amount: float, times: float = 1.0) -> Any:
        own = Layer(layer.shapes, square * times, layer.cutouts)
        return solve_grid(layers=[own], terminals=terminals, held=[0], entering={at: amount}, step=1.5e-3)

    first, second = solved(1, 1.0), solved(2, 1.0)
    assert first.terminals[2] == pytest.approx(second.terminals[1], rel=1e-6)
    assert first.entering[0] == pytest.approx(-1, rel=1e-6)
    assert first.loss == pytest.approx(first.terminals[1], rel=1e-6)
    assert solved(1, 3.0, 2.0).terminals == pytest.approx(6 * first.terminals, rel=1e-6, abs=1e-12)


def test_more_copper_never_raises_the_loss() -> None:
    def loss(*cutouts: Polygon) -> float:
        layer = Layer((box(0, 0, 60, 30),), 1.0, cutouts)
        return squares(layer, pad(0, 0, 2, 30), pad(58, 0, 60, 30), 1)

    assert loss() < loss(box(20, 0, 22, 10)) < loss(box(20, 0, 22, 20)) < loss(box(20, 0, 22, 20), box(40, 10, 41, 30))


def test_what_lies_beside_the_copper_and_what_has_no_way_is_refused() -> None:
    layer = Layer((box(0, 0, 60, 30), box(70, 0, 80, 30)), 1.0)
    with pytest.raises(ValueError, match="outside"):
        squares(layer, pad(0, 0, 2, 30), dot(65, 15, 0.5), 1)
    with pytest.raises(ValueError, match="do not touch"):
        squares(layer, pad(0, 0, 2, 30), dot(75, 15, 0.5), 1)
    flow = solve_grid(layers=[layer], terminals=[pad(0, 0, 2, 30), dot(40, 15, 1)], held=[0], entering={1: -1.0},
                      step=1e-3)
    assert np.isnan(flow.potential[0][:, flow.x[:-1] > 69e-3]).all()


def test_places_in_a_polygon() -> None:
    triangle = ((0.0, 0.0), (2.0, 0.0), (0.0, 2.0))
    x, y = np.array([0.5, 1.5, -0.5]), np.array([0.5, 1.0, 0.5])
    assert inside(polygon=triangle, x=x, y=y).tolist() == [True, False, False]
    assert inside(polygon=triangle[::-1], x=x, y=y).tolist() == [True, False, False]


def test_the_neck_of_a_strip_is_found_with_its_width_and_its_current() -> None:
    layer = Layer((box(0, -10, 80, 10),), 1.0, (box(35, -10, 45, -1), box(35, 1.5, 45, 10)))
    flow = solve_grid(layers=[layer], terminals=[pad(0, -10, 5, 10), pad(75, -10, 80, 10)], held=[0],
                      entering={1: -7.0}, step=1e-3)
    found = necks(flow=flow, layer=0, widest=10e-3)
    narrow = found.width.argmin()
    assert found.width[narrow] == pytest.approx(2.5e-3, rel=1e-3)
    assert found.current[narrow] == pytest.approx(7, rel=1e-6)
    assert abs(found.y[narrow] - 0.25e-3) < 1e-3
    assert necks(flow=flow, layer=0, widest=2e-3).width.size == 0


def test_a_neck_aslant_has_its_width_across_the_flow() -> None:
    half = 2 / np.sqrt(2)
    bar = ((half, -half), (60 + half, 60 - half), (60 - half, 60 + half), (-half, half))
    layer = Layer((tuple((x * MM, y * MM) for x, y in bar),), 1.0)
    flow = solve_grid(layers=[layer], terminals=[dot(2, 2, 1), dot(58, 58, 1)], held=[0], entering={1: -3.0},
                      step=0.2e-3)
    found = necks(flow=flow, layer=0, widest=10e-3)
    middle = np.abs(found.x - 30e-3) < 10e-3
    assert found.width[middle] == pytest.approx(4e-3, rel=0.07)
    assert found.current[middle] == pytest.approx(3, rel=1e-3)


@pytest.mark.parametrize("width", [0.3, 0.02])
def test_a_slanted_slit_far_narrower_than_a_cell_still_cuts(width: float) -> None:
    slit = tuple((x * MM, y * MM) for x, y in ((20, -1), (20 + width, -1), (50 + width, 21), (50, 21)))
    whole = Layer((box(0, 0, 70, 20),), 1.0, (slit,))
    pieces = Layer((tuple((x * MM, y * MM) for x, y in ((0, 0), (20, 0), (50, 20), (0, 20))),
                    tuple((x * MM, y * MM) for x, y in ((20 + width, 0), (70, 0), (70, 20), (50 + width, 20)))), 1.0)
    for layer in (whole, pieces):
        with pytest.raises(ValueError, match="do not touch"):
            squares(layer, pad(0, 0, 5, 20), pad(65, 0, 70, 20), 1)


def test_shapes_that_share_a_slanted_side_are_one() -> None:
    pieces = Layer((tuple((x * MM, y * MM) for x, y in ((0, 0), (20.3, 0), (50.7, 20), (0, 20))),
                    tuple((x * MM, y * MM) for x, y in ((20.3, 0), (70, 0), (70, 20), (50.7, 20)))), 1.0)
    assert squares(pieces, pad(0, 0, 5, 20), pad(65, 0, 70, 20), 1) == pytest.approx(3, rel=1e-3)


def test_a_slit_along_the_flow_makes_two_necks_of_half_the_width_and_leaves_the_resistance() -> None:
    half, thin = 2 / np.sqrt(2), 0.005
    bar = tuple((x * MM, y * MM) for x, y in ((half, -half), (60 + half, 60 - half), (60 - half, 60 + half),
                                             (-half, half)))
    slit = tuple((x * MM, y * MM) for x, y in ((10 + thin, 10 - thin), (50 + thin, 50 - thin), (50 - thin, 50 + thin),
                                              (10 - thin, 10 + thin)))
    flows = [solve_grid(layers=[Layer((bar,), 1.0, cutouts)], terminals=[dot(2, 2, 1), dot(58, 58, 1)], held=[0],
                        entering={1: -3.0}, step=0.1e-3) for cutouts in ((), (slit,))]
    assert float(flows[1].terminals[1]) == pytest.approx(float(flows[0].terminals[1]), rel=0.04)
    found = necks(flow=flows[1], layer=0, widest=10e-3)
    middle = np.abs(found.x - 30e-3) < 10e-3
    assert found.width[middle] == pytest.approx(2e-3, rel=0.15)
    assert found.current[middle] == pytest.approx(1.5, rel=0.05)
