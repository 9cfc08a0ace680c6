# SPDX-License-Identifier: MIT
"""Planes of any outline: against the cosines of a rectangle, known wave numbers, finite elements of another kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pcbrules.physics.power.cavity import cavity_series_impedance, cavity_shunt_admittance
from pcbrules.physics.power.plane_groups import APART, PlaneGroups, grouped_impedance, plane_groups
from pcbrules.physics.power.shape_groups import shape_groups

LONG, WIDE = 0.06, 0.04
BOX = ((0.0, 0.0), (LONG, 0.0), (LONG, WIDE), (0.0, WIDE))
ELL = ((-1.0, -1.0), (1.0, -1.0), (1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (-1.0, 1.0))
"""A square of side 2 without a quarter; squared wave numbers with open edges: Dauge, benchmark of eigenvalues, 2003."""
ELL_WAVES = (1.47562182, 3.53403137, 9.86960440, 9.86960440, 11.38947940)


def vias(count: int) -> NDArray[np.float64]:
    """On a raster of 5 mm, moved a little: none nearer than 4 mm to another, 2 mm to the edge."""
    random = np.random.default_rng(3)
    spots = [(x, y) for y in 5e-3 * np.arange(1, 8) for x in 5e-3 * np.arange(1, 12)]
    some = np.array(spots)[random.permutation(len(spots))[:count]]
    return np.column_stack([some + random.uniform(-0.5e-3, 0.5e-3, some.shape), np.full(count, 0.3e-3)])


def between(table: NDArray[Any]) -> NDArray[Any]:
    """From each group to each other one, from a table of all."""
    own = np.diag(table)
    return (own[:, None] + own - 2 * table)[~np.eye(len(own), dtype=bool)]


def impedances(groups: PlaneGroups, frequency: list[float]) -> NDArray[np.complex128]:
    f = np.array(frequency)
    return grouped_impedance(
        groups, series=cavity_series_impedance(frequency=f, separation=1e-4, conductivity=5e7, thickness=35e-6),
        shunt=cavity_shunt_admittance(frequency=f, separation=1e-4, permittivity=4.0, loss_tangent=0.02))


def test_a_rectangle_has_the_impedance_of_its_cosines() -> None:
    """Squares between any two groups to 1 %, up to 300 MHz; the first resonance, 1.25 GHz, is 0.2 % off."""
    spots = vias(24)
    groups = [spots[:8], *(spots[k:k + 1] for k in range(8, 24))]
    known, found = plane_groups(length=LONG, width=WIDE, groups=groups), shape_groups(shapes=[BOX], groups=groups)
    assert found.area == pytest.approx(known.area) and found.wave[0] == pytest.approx(known.wave[0], rel=5e-3)
    here, there = (between(table.squares) for table in (known, found))
    assert there == pytest.approx(here, rel=0.01)
    one, other = (impedances(table, [1e4, 1e6, 30e6, 100e6, 300e6]) for table in (known, found))
    assert np.abs(other / one - 1)[:2].max() < 1e-4, "the capacitance"
    assert np.abs(between(other[-1]) / between(one[-1]) - 1).max() < 0.015


def test_an_ell_has_its_known_wave_numbers() -> None:
    side = 0.02
    shape = tuple((x * side, y * side) for x, y in ELL)
    found = shape_groups(shapes=[shape], groups=[[[-side / 2, -side / 2, 50e-6]]])
    assert found.wave[:5] * side**2 == pytest.approx(ELL_WAVES, rel=2e-3)
    assert found.area == pytest.approx(3 * side**2)


def test_an_outline_has_the_squares_of_finite_elements_of_another_kind() -> None:
    """A comb of two slots, 4 mm wide bridges: scikit-fem, quadrilaterals, pads of 1 mm by 1 mm of even current."""
    from scipy.sparse.linalg import spsolve
    from skfem import Basis, BilinearForm, ElementQuad2, LinearForm, MeshQuad, condense
    from skfem.helpers import dot, grad

    step = 0.5e-3
    cells = 60, 40
    mesh = MeshQuad.init_tensor(np.arange(cells[0] + 1) * step, np.arange(cells[1] + 1) * step)
    x, y = mesh.p[:, mesh.t].mean(axis=1)
    slots = ((x > 8e-3) & (x < 12e-3) & (y > 4e-3)) | ((x > 18e-3) & (x < 22e-3) & (y < 16e-3))
    mesh = mesh.restrict(np.flatnonzero(~slots))
    basis = Basis(mesh, ElementQuad2())
    stiff = BilinearForm(lambda u, v, w: dot(grad(u), grad(v))).assemble(basis)
    places = ((4e-3, 16e-3), (15e-3, 10e-3), (26e-3, 4e-3))
    pads = [LinearForm(lambda v, w, a=a, b=b: v * ((abs(w.x[0] - a) < 0.5e-3) & (abs(w.x[1] - b) < 0.5e-3)) / 1e-6)
            .assemble(basis) for a, b in places]

    shape = ((0, 0), (18e-3, 0), (18e-3, 16e-3), (22e-3, 16e-3), (22e-3, 0), (30e-3, 0), (30e-3, 20e-3), (12e-3, 20e-3),
             (12e-3, 4e-3), (8e-3, 4e-3), (8e-3, 20e-3), (0, 20e-3))
    size = 2 * 0.44705e-3  # of a circle whose radius is the geometric mean distance of a square of 1 mm from itself
    found = shape_groups(shapes=[shape], groups=[[(a, b, size)] for a, b in places])
    for one, other in ((0, 1), (0, 2), (1, 2)):
        drive = pads[one] - pads[other]
        volts = spsolve(*condense(stiff, drive, D=np.array([0]), expand=False))
        squares = float(np.delete(drive, 0) @ volts)
        own = found.squares
        assert own[one, one] + own[other, other] - 2 * own[one, other] == pytest.approx(squares, rel=0.02)


def test_vias_that_two_groups_share_are_one() -> None:
    at = (0.03, 0.02, 0.3e-3)
    found = shape_groups(shapes=[BOX], groups=[[at], [at], [(0.01, 0.02, 0.3e-3)]]).squares
    assert found[0, 2] == pytest.approx(found[1, 2]) and found[0, 0] == pytest.approx(found[1, 1])
    assert found[0, 0] - found[0, 1] == pytest.approx(APART), "else they would be one"


@pytest.mark.parametrize(("shapes", "groups", "says"), [
    ([BOX], [], "no group"),
    ([BOX], [[(0.07, 0.02, 0.3e-3)]], "outside of the copper"),
    ([BOX, tuple((x + 1.0, y) for x, y in BOX)], [[(0.03, 0.02, 0.3e-3)]], "parts that do not touch"),
])
def test_what_is_no_plane_is_refused(shapes: list[tuple[tuple[float, float], ...]], groups: list[object], says: str
                                     ) -> None:
    with pytest.raises(ValueError, match=says):
        shape_groups(shapes=shapes, groups=groups)  # type: ignore[arg-type]
