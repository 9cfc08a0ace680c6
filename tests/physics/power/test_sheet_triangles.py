# SPDX-License-Identifier: MIT
"""Sheets on triangles: exact strips at any angle, boundary integrals, the golden cases, narrow traces, necks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pcbrules.analysis.ir_drop.solve import BETTER
from pcbrules.physics.power.sheet import Disc, solve_sheet
from pcbrules.physics.power.sheet_grid import Contact, Layer, solve_grid
from pcbrules.physics.power.sheet_mesh import sheet_mesh
from pcbrules.physics.power.sheet_panels import Side
from pcbrules.physics.power.sheet_slits import Polygon
from pcbrules.physics.power.sheet_triangles import solve_triangles
from pcbrules.physics.power.triangle_necks import triangle_necks
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.selftest import golden

MM = 1e-3
GOLDEN: dict[str, Any] = {entry.id: entry.data for entry in golden.shipped()}
PLACES = (15.3, 20.1), (84.9, 45.2)


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return tuple((x * MM, y * MM) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def turned(corners: list[tuple[float, float]], angle: float) -> Polygon:
    turn = np.exp(1j * angle) * MM
    return tuple(((complex(*one) * turn).real, (complex(*one) * turn).imag) for one in corners)


def pad(x0: float, y0: float, x1: float, y1: float, layer: int = 0, resistance: float = 0.0) -> Contact:
    return Contact(layer, ((x0 + x1) / 2 * MM, (y0 + y1) / 2 * MM), ((x1 - x0) * MM, (y1 - y0) * MM), resistance)


def dot(x: float, y: float, diameter: float, layer: int = 0) -> Contact:
    return Contact(layer, (x * MM, y * MM), (diameter * MM,))


def squares(layer: Layer, one: Contact, other: Contact, order: int = 2) -> float:
    flow = solve_triangles(layers=[layer], terminals=[one, other], held=[0], entering={1: -1.0}, order=order)
    return -float(flow.terminals[1])


def test_a_strip_between_its_ends_is_exact() -> None:
    layer = Layer((box(0, 0, 70, 20),), 1.0)
    assert squares(layer, pad(0, 0, 5, 20), pad(65, 0, 70, 20)) == pytest.approx(3, rel=1e-9)


def test_shapes_that_overlap_or_touch_are_one() -> None:
    whole = Layer((box(0, 0, 70, 20),), 1.0)
    parts = Layer((box(0, 0, 40, 20), box(30, 0, 60, 20), box(60, 0, 70, 20)), 1.0)
    ends = pad(0, 0, 5, 20), pad(65, 0, 70, 20)
    assert squares(parts, *ends) == pytest.approx(squares(whole, *ends), rel=1e-9)


def test_even_barrels_of_a_wide_contact_have_their_resistance_together() -> None:
    layer = Layer((box(0, 0, 70, 20),), 1e-6)
    found = squares(layer, pad(0, 0, 10, 20, resistance=0.5), pad(60, 0, 70, 20, resistance=0.25))
    assert found == pytest.approx(0.75, rel=1e-4)


@pytest.mark.parametrize("diameter", [0.3, 3.0])
def test_round_contacts_agree_with_boundary_integrals(diameter: float) -> None:
    """0.5 %; the change from linear potentials is at least ``BETTER`` times the error that is left."""
    corners = [complex(x, y) for x, y in box(0, 0, 100, 60)]
    loop = [Side(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    discs = [Disc(complex(x, y) * MM, diameter * MM, k) for k, (x, y) in enumerate(PLACES)]
    want = 1 / float(solve_sheet(loops=[loop], discs=discs, contacts=2).conductance[0, 0])
    layer = Layer((box(0, 0, 100, 60),), 1.0)
    coarse, fine = (squares(layer, *(dot(*place, diameter) for place in PLACES), order=order) for order in (1, 2))
    assert fine == pytest.approx(want, rel=0.005)
    assert abs(fine - want) < abs(fine - coarse) / BETTER


def test_a_slanted_slot_of_the_golden_cases() -> None:
    """IR05: a slot with a round end, drawn as a polygon."""
    turn = np.linspace(0, -np.pi, 25)
    slot = [(62, 81), *((60 + 2 * np.cos(a), 25 + 2 * np.sin(a)) for a in turn), (58, 81)]
    layer = Layer((box(0, 0, 120, 80),), 1.0, (tuple((x * MM, y * MM) for x, y in slot),))
    found = squares(layer, pad(0, 0, 0.02, 80), pad(119.98, 0, 120, 80))
    assert found == pytest.approx(GOLDEN["IR05"]["outputs"]["R_squares"], rel=0.001)


def test_two_planes_and_their_vias_of_the_golden_cases() -> None:
    inputs, outputs = (GOLDEN["IR07"][key] for key in ("inputs", "outputs"))
    rho = inputs["resistivity_ohm_m"]
    barrel = float(tube_resistance(resistivity=rho, length=400e-6, drill=300e-6, plating=25e-6))
    terminals = [pad(0, 0, 0.02, 50), dot(68, 25, 6, layer=1)]
    links = []
    for x, y in inputs["via_centres_mm"]:
        links.append((len(terminals), len(terminals) + 1, barrel))
        terminals += [dot(x, y, 0.3), dot(x, y, 0.3, layer=1)]
    flow = solve_triangles(layers=[Layer((box(0, 0, 80, 50),), rho / 70e-6)] * 2, terminals=terminals, links=links,
                           held=[0], entering={1: -60.0})
    assert -flow.terminals[1] == pytest.approx(outputs["V_drop_at_sinks_V"]["load@1"], rel=0.0015)
    assert flow.loss == pytest.approx(60**2 * outputs["R_eff_P_over_I2_ohm"], rel=0.0015)
    want = np.array(outputs["via_currents_A"])
    assert np.abs(flow.links - want).max() < 0.001 * want.max()


@pytest.mark.parametrize("angle", [0.0, 0.3, np.pi / 4])
def test_a_narrow_trace_between_two_planes_at_any_angle(angle: float) -> None:
    """A trace of 0.127 mm and 60 mm, far below a cell of the grid: 472.4 squares and 1.8 of planes and mouths."""
    half = 0.127 / 2
    shape = [(0, -10), (20, -10), (20, -half), (80, -half), (80, -10), (100, -10), (100, 10), (80, 10), (80, half),
             (20, half), (20, 10), (0, 10)]
    layer = Layer((turned(shape, angle),), 1.0)
    ends = [Contact(0, turned([(x, 0)], angle)[0], (2 * MM,)) for x in (10, 90)]
    found = solve_triangles(layers=[layer], terminals=ends, held=[0], entering={1: -1.0})
    # from a disc of 2 mm to a mouth of w in a half plane: ln(4 x 10 x 10 / (w 1)) / pi at most, without edges around
    assert 60 / 0.127 + 1 < -found.terminals[1] < 60 / 0.127 + 6
    cuts = triangle_necks(flow=found, layer=0, widest=10 * MM)
    narrow = np.argmin(cuts.width)
    assert cuts.width[narrow] == pytest.approx(0.127 * MM, rel=1e-3)
    assert cuts.current[narrow] == pytest.approx(1, rel=0.02)
    assert cuts.drop[narrow] == pytest.approx(60 / 0.127, rel=0.01)
    place = complex(cuts.x[narrow], cuts.y[narrow]) * np.exp(-1j * angle) / MM
    assert abs(place.imag) < 0.01 and 20 < place.real < 80


def test_wide_copper_agrees_with_the_grid() -> None:
    layer = Layer((box(0, 0, 60, 60),), 1.0, (box(20, -1, 22, 40),))
    ends = dot(5, 5, 2), dot(55, 5, 2)
    grid = solve_grid(layers=[layer], terminals=ends, held=[0], entering={1: -1.0}, step=0.5 * MM)
    flow = solve_triangles(layers=[layer], terminals=ends, held=[0], entering={1: -1.0})
    assert flow.terminals[1] == pytest.approx(grid.terminals[1], rel=0.01)
    x, y = np.array([10.2, 40.3, 21.0]) * MM, np.array([50.1, 20.2, 20.0]) * MM
    ours, theirs = flow.at(0, x, y), grid.at(0, x[:2], y[:2])
    assert ours[:2] == pytest.approx(theirs, rel=0.01) and np.isnan(ours[2])
    assert np.hypot(*flow.density(0, x, y))[0] == pytest.approx(np.hypot(*_near(grid, x[0], y[0])), rel=0.03)


def _near(grid: Any, x: float, y: float) -> tuple[float, float]:
    own = [one[np.searchsorted(grid.y, y) - 1, np.searchsorted(grid.x, x) - 1] for one in grid.density(0)]
    return own[0], own[1]


def test_two_vias_in_one_place_are_joined() -> None:
    layer = Layer((box(0, 0, 40, 20),), 1.0)
    flow = solve_triangles(layers=[layer], terminals=[pad(0, 0, 1, 20), dot(30, 10, 1), dot(30, 10, 1)], held=[0],
                           entering={1: -0.5, 2: -0.5})
    assert flow.terminals[1] == pytest.approx(flow.terminals[2], rel=1e-6)


@pytest.mark.parametrize(("other", "said"), [
    (dot(50, 10, 1), "outside of the copper"), (dot(35, 10, 1), "do not touch"),
])
def test_what_cannot_be_solved_says_why(other: Contact, said: str) -> None:
    layer = Layer((box(0, 0, 40, 20),), 1.0, (box(19.99, -1, 20.01, 21),))
    with pytest.raises(ValueError, match=said):
        squares(layer, dot(5, 10, 1), other)


def test_triangles_fill_the_copper_and_are_not_thin() -> None:
    """A comb with teeth of 0.1 mm aslant: its area, and few thin triangles, where the copper itself is sharp."""
    teeth = [point for k in range(10) for point in ((k * 2.0, 0.0), (k * 2.0 + 1, 5.0), (k * 2.0 + 1.1, 5.0),
                                                    (k * 2.0 + 0.15, 0.0))]
    comb = tuple((x * MM, y * MM) for x, y in [(-1.0, -3.0), (-1.0, 0.0), *teeth, (20.0, 0.0), (20.0, -3.0)])
    mesh = sheet_mesh(shapes=(comb,), cutouts=(), contacts=(), largest=5 * MM)
    a, b, c = (mesh.points[mesh.corners[mesh.copper][:, k]] for k in range(3))
    area = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    assert area.sum() == pytest.approx((21 * 3 + 10 * 5 * (0.15 + 0.1) / 2) * 1e-6, rel=1e-5)
    longest = np.maximum(np.hypot(*(b - a).T), np.maximum(np.hypot(*(c - b).T), np.hypot(*(a - c).T)))
    assert np.mean(2 * area / longest**2 > 0.2) > 0.95
