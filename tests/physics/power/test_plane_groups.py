# SPDX-License-Identifier: MIT
"""Groups of vias between planes: golden cavities, the exact cavity sum, a boundary solver, and laws."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import mu_0

from pcbrules.physics.power.cavity import cavity_impedance, cavity_series_impedance, cavity_shunt_admittance
from pcbrules.physics.power.plane_groups import grouped_impedance, plane_groups
from pcbrules.physics.power.spreading_inductance import spreading_inductance

CIRCUITS = json.loads((files("pcbrules.selftest") / "data" / "circuits.golden.json").read_text(encoding="utf-8"))
GOLDEN = [entry for entry in CIRCUITS["entries"] if entry.get("kind") == "plane_cavity" and entry["loss_model"] == "B"]
PLACE = st.tuples(st.floats(0.1, 0.9), st.floats(0.1, 0.9))
SIDES = st.tuples(st.floats(0.03, 0.4), st.floats(0.03, 0.4))


def pair(frequency: Any, *, sigma: float = 5.8e7, separation: float = 1e-4) -> tuple[Any, Any]:
    series = cavity_series_impedance(
        frequency=frequency, separation=separation, conductivity=sigma, thickness=35e-6
    )
    shunt = cavity_shunt_admittance(frequency=frequency, separation=separation, permittivity=3.6, loss_tangent=0.008)
    return series, shunt


OWN_DISTANCE = 0.2235
"""Geometric mean distance of a rectangle from itself, over the sum of its sides (Grover, table 3: 0.2235 to 0.2237)."""


def rectangle_as_vias(*, centre: Any, sides: Any, pieces: int = 5) -> NDArray[np.float64]:
    """A rectangle of uniform current as rings of the same mean distances: x, y and diameter, shape (n, 3). [m]

    ``pieces`` along the shorter side, and as many of the same size as fit along the other. Impedance of a square
    against its exact mean: 2e-3 with 3, 9e-4 with 5, 4e-4 with 8.
    """
    along, across = (round(pieces * side / min(sides)) for side in sides)
    x, y = np.meshgrid(
        centre[0] + ((np.arange(along) + 0.5) / along - 0.5) * sides[0],
        centre[1] + ((np.arange(across) + 0.5) / across - 0.5) * sides[1],
    )
    diameter = 2 * OWN_DISTANCE * (sides[0] / along + sides[1] / across)
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, diameter)])


@pytest.mark.parametrize("entry", GOLDEN, ids=lambda e: e["id"])
def test_golden_cavities(entry: dict[str, Any]) -> None:
    f = np.array(entry["frequencies_Hz"])
    series = cavity_series_impedance(
        frequency=f,
        separation=entry["d_m"],
        conductivity=entry["sigma_S_per_m"],
        thickness=entry["plane_thickness_m"],
    )
    shunt = cavity_shunt_admittance(
        frequency=f, separation=entry["d_m"], permittivity=entry["er"], loss_tangent=entry["tan_delta"]
    )
    ports = [rectangle_as_vias(centre=p[:2], sides=p[2:]) for p in entry["ports_xc_yc_wx_wy_m"]]
    z = grouped_impedance(
        plane_groups(length=entry["a_m"], width=entry["b_m"], groups=ports), series=series, shunt=shunt
    )
    listed = [key for key in entry if key.startswith("Z") and key.endswith("_re_im_ohm")]
    assert len(listed) >= 3
    for key in listed:
        want = np.array(entry[key])[:, 0] + 1j * np.array(entry[key])[:, 1]
        got = z[:, int(key[1]) - 1, int(key[2]) - 1]
        assert np.abs(got - want).max() < 1e-3 * np.abs(want).max()
        assert (np.abs(got - want) / np.abs(want)).max() < 1e-3


@examples(25)
@given(sides=SIDES, places=st.lists(PLACE, min_size=1, max_size=3), frequency=st.floats(1e2, 1e9))
def test_the_exact_sum_over_modes(
    sides: tuple[float, float], places: list[tuple[float, float]], frequency: float
) -> None:
    (a, b), f = sides, np.array([frequency])
    series, shunt = pair(f)
    square = 0.02 * min(sides)
    ports = [[x * a, y * b, square, square] for x, y in places]
    exact = cavity_impedance(series=series, shunt=shunt, length=a, width=b, ports=ports)
    groups = [rectangle_as_vias(centre=(p[0], p[1]), sides=(square, square)) for p in ports]
    got = grouped_impedance(plane_groups(length=a, width=b, groups=groups), series=series, shunt=shunt)
    assert got == pytest.approx(exact, rel=1e-3, abs=1e-3 * abs(series.item()) * 0.4)
    uniform = 1 / (shunt.item() * a * b)  # what is left without it is 1e-9 of the whole at low frequency
    floor = 1e-3 * abs(series.item()) + 1e-9 * abs(uniform)
    assert got - uniform == pytest.approx(exact - uniform, rel=2e-3, abs=floor)


@examples(25)
@given(
    sides=SIDES,
    places=st.lists(PLACE, min_size=2, max_size=5, unique=True),
    parts=st.lists(st.floats(0.2, 5), min_size=5, max_size=5),
    frequency=st.floats(1e3, 3e9),
)
def test_reciprocal_passive_and_the_same_turned(
    sides: tuple[float, float], places: list[tuple[float, float]], parts: list[float], frequency: float
) -> None:
    (a, b), f = sides, np.array([frequency])
    vias = np.array([[x * a, y * b, 1e-5, part] for (x, y), part in zip(places, parts, strict=False)])
    groups = [vias[:1], vias[1:]]
    series, shunt = pair(f)
    z = grouped_impedance(plane_groups(length=a, width=b, groups=groups), series=series, shunt=shunt)[0]
    assert (z == z.T).all()
    assert np.linalg.eigvalsh(z.real).min() >= -1e-9 * np.abs(z).max()
    turned = plane_groups(length=b, width=a, groups=[one[:, [1, 0, 2, 3]] for one in groups])
    assert grouped_impedance(turned, series=series, shunt=shunt)[0] == pytest.approx(z, rel=1e-4)
    tall = plane_groups(length=3 * a, width=3 * b, groups=[one * [3, 3, 3, 1] for one in groups])
    assert tall.squares == pytest.approx(plane_groups(length=a, width=b, groups=groups).squares, rel=1e-4, abs=1e-5)


def test_rings_far_apart_against_a_boundary_solver() -> None:
    vias = np.array([[0.03, 0.02, 0.3e-3], [0.08, 0.05, 0.5e-3], [0.011, 0.07, 0.2e-3]])
    squares = plane_groups(length=0.1, width=0.08, groups=[vias[:1], vias[1:2], vias[2:]]).squares
    loop = mu_0 * 1e-4 * (squares[0, 0] + squares[1, 1] - 2 * squares[0, 1])
    exact = spreading_inductance(length=0.1, width=0.08, separation=1e-4, ports=vias[:1], reference=vias[1:2])
    assert loop == pytest.approx(exact.alone.item(), rel=2e-4)


@pytest.mark.parametrize("place", [(0.001, 0.03), (0.099, 0.03), (0.05, 0.001), (0.05, 0.079), (0.099, 0.001)], ids=str)
def test_a_ring_beside_an_edge_against_a_boundary_solver(place: tuple[float, float]) -> None:
    here, there = np.array([[*place, 0.2e-3]]), np.array([[0.06, 0.05, 0.2e-3]])
    squares = plane_groups(length=0.1, width=0.08, groups=[here, there]).squares
    exact = spreading_inductance(length=0.1, width=0.08, separation=1e-4, ports=here, reference=there)
    loop = mu_0 * 1e-4 * (squares[0, 0] + squares[1, 1] - 2 * squares[0, 1])
    assert loop == pytest.approx(exact.alone.item(), rel=1e-3)  # the image is round about its middle


def test_groups_of_groups() -> None:
    rng = np.random.default_rng(3)
    vias = np.column_stack([rng.uniform(0.01, 0.09, (12, 2)), np.full(12, 1e-4)])
    one_by_one = plane_groups(length=0.1, width=0.1, groups=list(vias[:, None]))
    table = np.zeros((12, 2))
    table[:5, 0], table[5:, 1] = 1 / 5, 1 / 7
    series, shunt = pair(np.array([1e5, 9e8]))
    together = plane_groups(length=0.1, width=0.1, groups=[vias[:5], vias[5:]])
    got = grouped_impedance(one_by_one.combined(table), series=series, shunt=shunt)
    assert got == pytest.approx(grouped_impedance(together, series=series, shunt=shunt), rel=1e-9)


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([], "no group"),
        ([np.zeros((0, 3))], "at least one via"),
        ([[[0.05, 0.05, 0.0]]], "no diameter"),
        ([[[0.05, 0.0, 1e-3]]], "beyond the edge"),
        ([[[0.05, 0.05, 1e-3], [0.0505, 0.05, 1e-3]]], "overlap"),
    ],
)
def test_what_cannot_be(groups: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        plane_groups(length=0.1, width=0.08, groups=groups)


def test_a_via_that_two_groups_share() -> None:
    via = [[0.05, 0.05, 1e-3]]
    squares = plane_groups(length=0.1, width=0.08, groups=[via, via]).squares
    assert squares[0, 1] == pytest.approx(squares[0, 0], rel=2e-3)
