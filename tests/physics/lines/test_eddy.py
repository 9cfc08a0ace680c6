# SPDX-License-Identifier: MIT
"""Eddy currents: independent finite-element values from direct current to 50 GHz, exact cases, laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.constants import mu_0

from pcbrules.physics.lines.cross_section import eddy
from pcbrules.physics.lines.cross_section._filaments import Grid
from pcbrules.physics.lines.cross_section._log_kernel import mean_log
from pcbrules.physics.lines.cross_section._slab import exact, layered
from pcbrules.physics.lines.cross_section.eddy import LineMetal, series, series_mode
from pcbrules.physics.lines.cross_section.section import Polygon, Section

DATA = Path(__file__).parents[1] / "data"
LINES: list[dict[str, Any]] = json.loads((DATA / "eddy_currents.json").read_text())["lines"]
UM = 1e-6
COPPER = 1.72e-8
BAND = np.concatenate([[0.0], np.geomspace(1e3, 1e11, 49)])


def bar(centre: float, width: float, foot: float, height: float, lean: float = 0.0) -> Polygon:
    """Trapezoid from lengths in micrometres; ``lean`` is how far either side leans inward."""
    half = width / 2
    corners = [(-half, 0.0), (half, 0.0), (half - lean, height), (lean - half, height)]
    return tuple(((centre + x) * UM, (foot + y) * UM) for x, y in corners)


def metal(
    *, signal: float = COPPER, plane: float = COPPER, thickness: float = 35.0, width: float = 3000.0
) -> LineMetal:
    return LineMetal(signal, plane, thickness * UM, width * UM)


def golden(line: dict[str, Any]) -> tuple[Section, LineMetal]:
    def polygons(name: str) -> tuple[Polygon, ...]:
        return tuple(tuple((x * UM, y * UM) for x, y in made) for made in line[name])

    upper = None if line["upper"] is None else line["upper"] * UM
    copper = LineMetal(line["resistivity"], line["resistivity"], line["plane_thickness"] * UM, line["plane_width"] * UM)
    return Section(polygons("signals"), polygons("grounds"), upper=upper), copper


PAIR = Section((bar(-125, 110, 100, 15, 7.5), bar(125, 110, 100, 15, 7.5)), upper=215 * UM)
ODDS = Section((bar(-150, 100, 100, 35, 6), bar(50, 140, 100, 35, 6), bar(300, 90, 130, 17)), upper=300 * UM)
GUARDED = Section((bar(0, 200, 100, 35, 5),), (bar(-400, 400, 100, 35, 5), bar(400, 400, 100, 35, 5)))
BROADSIDE = Section((bar(0, 110, 80, 15, 4), bar(0, 110, 200, 15, -4)), upper=295 * UM)
SECTIONS = {"pair": PAIR, "odds": ODDS, "guarded": GUARDED, "broadside": BROADSIDE}


def worst(found: np.ndarray, wanted: np.ndarray) -> float:
    """Greatest difference of entries over the geometric mean of their diagonals."""
    diagonal = np.einsum("fii->fi", wanted)
    return float(np.abs((found - wanted) / np.sqrt(diagonal[:, :, None] * diagonal[:, None])).max())


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line["id"]))
def test_finite_elements(line: dict[str, Any]) -> None:
    section, copper = golden(line)
    r, inductance = series(section, copper).rl(np.array(line["frequency"]))
    assert worst(r, np.array(line["r"])) < 3.5e-3
    assert worst(inductance, np.array(line["l"]) * 1e-9) < 6e-4


@pytest.mark.parametrize("shape", [bar(0, 60, 60, 45, 8), bar(0, 100, 8, 15)], ids=["thick", "near its plane"])
def test_cells_are_small_enough_where_the_skin_is_as_deep_as_the_copper(
    shape: Polygon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where R was 0.6 % low from 30 to 100 MHz, against cells of a third of the size."""
    frequency = np.geomspace(1e7, 2e9, 13)
    found, _ = series(Section((shape,)), metal()).rl(frequency)
    finer = {"ROW": 0.06, "COLUMN": 0.04, "RATIO": 1.35, "PLANE_THINNEST": 0.5e-6, "PLANE_RATIO": 1.8, "LAYER": 0.15,
             "SPREAD": 0.11}
    for name, value in finer.items():
        monkeypatch.setattr(f"pcbrules.physics.lines.cross_section._eddy_mesh.{name}", value)
    fine, _ = series(Section((shape,)), metal()).rl(frequency)
    assert worst(found, fine) < 3e-3


@pytest.mark.parametrize("mode, sign", [("odd", -1), ("even", 1)])
def test_modes_are_those_of_the_matrix(mode: Any, sign: int) -> None:
    whole = series(PAIR, metal()).impedance(BAND)
    leg = series_mode(PAIR, metal(), mode).impedance(BAND)[:, 0, 0]
    np.testing.assert_allclose(leg, whole[:, 0, 0] + sign * whole[:, 0, 1], rtol=1e-9)


def test_direct_current_is_exact() -> None:
    r, _ = series(ODDS, metal(signal=2e-8)).rl(np.array([0.0]))
    areas = np.array([94 * 35, 134 * 35, 90 * 17]) * UM**2
    plane = COPPER / (2 * 35 * 3000 * UM**2)
    np.testing.assert_allclose(r[0], np.diag(2e-8 / areas) + plane, rtol=1e-9)


@pytest.mark.parametrize("name", SECTIONS)
def test_passive(name: str) -> None:
    z = series(SECTIONS[name], metal()).impedance(BAND)
    np.testing.assert_allclose(z, z.transpose(0, 2, 1), rtol=1e-9, atol=1e-9 * np.abs(z).max())
    assert (np.linalg.eigvalsh(z.real) > 0).all()
    assert (np.linalg.eigvalsh(z.imag[1:]) > 0).all()


@pytest.mark.parametrize("name", SECTIONS)
def test_resistance_rises_and_inductance_falls(name: str) -> None:
    r, inductance = series(SECTIONS[name], metal()).rl(BAND)
    for i in range(r.shape[1]):
        assert (np.diff(r[:, i, i]) > -1e-9 * r[1:, i, i]).all()
        assert (np.diff(inductance[:, i, i]) < 1e-9 * inductance[1:, i, i]).all()


def test_root_of_frequency_at_the_top() -> None:
    """Between 85 GHz and half of it R grows a little less than by the root of two: the corners' share falls."""
    r, _ = series_mode(PAIR, metal(), "odd").rl(np.array([42.5e9, 85e9]))
    assert 1.405 < r[1, 0, 0] / r[0, 0, 0] < 1.428


def test_scale() -> None:
    """Lengths by k and frequencies by 1 / k^2: the same L, R by 1 / k^2."""
    k, frequency = 1.7, np.geomspace(1e6, 5e10, 12)

    def larger(polygons: tuple[Polygon, ...]) -> tuple[Polygon, ...]:
        return tuple(tuple((k * x, k * y) for x, y in made) for made in polygons)

    r, inductance = series(PAIR, metal()).rl(frequency)
    section = Section(larger(PAIR.signals), upper=k * 215 * UM)
    large, same = series(section, metal(thickness=35 * k, width=3000 * k)).rl(frequency / k**2)
    assert worst(large * k**2, r) < 5e-3
    assert worst(same, inductance) < 3e-4


@pytest.mark.long
def test_resistivity_scales_frequency() -> None:
    """All resistivities by k and frequencies by k: L the same, R by k."""
    frequency = np.concatenate([[0.0], np.geomspace(1e6, 5e10, 12)])
    z = series(ODDS, metal()).impedance(frequency)
    poorer = series(ODDS, metal(signal=2 * COPPER, plane=2 * COPPER)).impedance(2 * frequency)
    np.testing.assert_allclose(poorer, 2 * z, rtol=2e-3, atol=1e-3 * np.abs(z).min())


@pytest.mark.long
def test_order_of_signals() -> None:
    order = [2, 0, 1]
    shuffled = Section(tuple(ODDS.signals[i] for i in order), upper=ODDS.upper)
    z = series(ODDS, metal()).impedance(BAND)
    np.testing.assert_allclose(series(shuffled, metal()).impedance(BAND), z[:, order][:, :, order], rtol=1e-6)


@pytest.mark.long
def test_mirror_and_shift() -> None:
    mirrored = tuple(tuple((2e-3 - x, y) for x, y in made) for made in ODDS.signals)
    z = series(ODDS, metal()).impedance(BAND)
    image = series(Section(mirrored, upper=ODDS.upper), metal()).impedance(BAND)
    np.testing.assert_allclose(image, z, rtol=1e-3, atol=1e-4 * np.abs(z).min())


@pytest.mark.long
def test_upside_down() -> None:
    turned = tuple(tuple((x, 300 * UM - y) for x, y in made) for made in ODDS.signals)
    z = series(ODDS, metal()).impedance(BAND)
    image = series(Section(turned, upper=ODDS.upper), metal()).impedance(BAND)
    np.testing.assert_allclose(image, z, rtol=1e-3, atol=1e-4 * np.abs(z).min())


def test_halves_agree_with_the_whole() -> None:
    """A pair moved out of its symmetry by a nanometre takes the general way."""
    moved = Section((PAIR.signals[0], bar(125.001, 110, 100, 15, 7.5)), upper=PAIR.upper)
    r, inductance = series(PAIR, metal()).rl(BAND)
    other_r, other_l = series(moved, metal()).rl(BAND)
    assert worst(other_r, r) < 2e-3
    assert worst(other_l, inductance) < 3e-4


def test_wide_strip_by_wheeler() -> None:
    """A strip 40 times as wide as high above its plane: the derivative of L by the place of its faces (Wheeler 1942).

    L = mu_0 / F, F = u + 1.393 + 0.667 ln(u + 1.444), u = w / h (Hammerstad 1975), of a strip without thickness.
    """
    width, height, u = 2000 * UM, 50 * UM, 40.0
    frequency = np.array([1e9, 1e10])
    r, _ = series(Section((bar(0, 2000, 50, 35),)), metal(width=6000)).rl(frequency)
    share = u + 1.393 + 0.667 * np.log(u + 1.444)
    slope = (1 + 0.667 / (u + 1.444)) / share**2
    wanted = np.sqrt(np.pi * frequency * mu_0 * COPPER) * slope * 2 * (height + width) / height**2
    np.testing.assert_allclose(r[:, 0, 0], wanted, rtol=0.015)


def square(cells: int) -> Grid:
    nodes = (np.linspace(0, np.pi, cells + 1) - np.pi / 2 + 2) * UM
    return Grid(np.tile(nodes, (cells + 1, 1)), nodes, 0, COPPER, np.diff(nodes))


def test_geometric_mean_distance_of_a_square() -> None:
    """0.447049 of its side (Maxwell; Grover, Inductance Calculations, 1946, p. 21)."""
    grid = square(7)
    mean = grid.area @ mean_log(grid, grid, mirrored=False) @ grid.area / grid.area.sum() ** 2
    assert mean == pytest.approx(np.log(0.447049 * np.pi * UM), abs=1e-3)


def test_planes_against_quadrature() -> None:
    """Columns in closed form against 40 x 40 points to a cell."""
    layers = np.array([UM])
    one = Grid(np.tile(np.array([0.0, 30, 80]) * UM, (3, 1)), np.array([0.0, 2, 12]) * UM, 0, COPPER, layers)
    other = Grid(np.tile(np.array([0.0, 40, 70]) * UM, (3, 1)), np.array([60.0, 61, 75]) * UM, 0, COPPER, layers)
    at, weight = np.polynomial.legendre.leggauss(40)
    at, weight = (at + 1) / 2, weight / 2

    def spread(low: float, high: float) -> np.ndarray:
        return low + (high - low) * at

    found = mean_log(one, other, mirrored=True)
    wanted = np.empty((4, 4))
    for a in range(4):
        for b in range(4):
            x, x_at = spread(*one.x[0, a % 2 :][:2]), -spread(*other.x[0, b % 2 :][:2])
            y, y_at = spread(*one.y[a // 2 :][:2]), spread(*other.y[b // 2 :][:2])
            wide = (x[:, None] - x_at).ravel() ** 2
            high = (y[:, None] - y_at).ravel() ** 2
            product = np.outer(weight, weight).ravel()
            wanted[a, b] = product @ (0.5 * np.log(wide[:, None] + high)) @ product
    np.testing.assert_allclose(found, wanted, atol=2e-5)


@pytest.mark.parametrize("way", [(45, 0), (-33, 31), (0, 60)], ids=str)
def test_cells_not_far_from_each_other_against_quadrature(way: tuple[float, float]) -> None:
    """Tall cells so near that their second moments do not do, against 12 x 12 points in each."""
    one, other = (
        Grid(np.tile((np.array([0.0, 5]) + x) * UM, (2, 1)), (np.array([0.0, 20]) + y) * UM, 0, COPPER, np.array([UM]))
        for x, y in ((0, 0), way)
    )
    at, weight = np.polynomial.legendre.leggauss(12)
    place = ((2.5 * at) + 10j * at[:, None]).ravel() * UM
    share = np.outer(weight, weight).ravel() / 4
    wanted = share @ np.log(np.abs(place[:, None] + complex(*way) * UM - place)) @ share
    assert mean_log(one, other, mirrored=False).item() == pytest.approx(wanted, abs=4e-5)


def test_layers_tend_to_the_slab() -> None:
    s = 2j * np.pi * np.geomspace(1e5, 1e9, 9)
    fine = layered(layers=np.full(400, 35e-6 / 400), resistivity=COPPER, s=s)
    np.testing.assert_allclose(fine, exact(thickness=35e-6, resistivity=COPPER, s=s), rtol=1e-3)
    deep = exact(thickness=35e-6, resistivity=COPPER, s=2j * np.pi * np.array([1e10]))
    np.testing.assert_allclose(deep.real, np.sqrt(np.pi * 1e10 * mu_0 * COPPER), rtol=1e-9)


@pytest.mark.parametrize(
    "section",
    [
        Section(PAIR.signals, lower=None),
        Section(()),
        Section((((0.0, 1e-4), (1e-4, 1e-4)),)),
        Section((((0.0, 1e-4), (1e-4, 1e-4), (5e-5, 2e-4)),)),
        Section((bar(0, 100, 100, 15), bar(50, 100, 110, 15))),
        Section((bar(0, 100, 100, 15),), upper=110 * UM),
        Section((bar(0, 100, -1, 15),)),
    ],
    ids=["no plane", "no signal", "strip", "triangle", "overlap", "in the upper plane", "in the lower plane"],
)
def test_refuses(section: Section) -> None:
    with pytest.raises(ValueError):
        series(section, metal())


def test_refuses_the_modes_of_unlike_traces() -> None:
    for section in (ODDS, GUARDED, BROADSIDE):
        with pytest.raises(ValueError, match="mirror"):
            series_mode(section, metal(), "odd")


def test_the_last_bits_of_the_kernel_stay_the_last_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Powers that are not made orthogonal at once make 1e-7 of the resistance of 1e-16 of the inductances."""
    logs, random = eddy._logs, np.random.default_rng(5)

    def moved(*args: Any) -> list[np.ndarray]:
        noise = [random.uniform(-1e-15, 1e-15, made.shape) for made in logs(*args)]
        return [made * (1 + (part + part.T) / 2) for made, part in zip(logs(*args), noise, strict=True)]

    here = series_mode(PAIR, metal(), "even").rl(BAND)
    monkeypatch.setattr(eddy, "_logs", moved)
    there = series_mode(PAIR, metal(), "even").rl(BAND)
    assert max(float(np.abs(b / a - 1).max()) for a, b in zip(here, there, strict=True)) < 1e-11
