# SPDX-License-Identifier: MIT
"""What conductors share of their resistance, beside independent finite elements and the sum over faces."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcbrules.physics.lines.cross_section.crowding import crowding, crowding_matrix
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.cross_section.section import Polygon, Section

DATA = Path(__file__).parents[1] / "data"
LINES: list[dict[str, Any]] = json.loads((DATA / "eddy_currents.json").read_text())["lines"]
FOUR = [line for line in LINES if len(line["signals"]) == 4]
UM = 1e-6
FIRST, SECOND = np.array([1, -1, 0, 0]), np.array([0, 0, 1, -1])
PERFECT = {"X4M2": (6008.773884, -198.9091675), "X4S2": (7364.190995, -89.72449423)}
"""Of the golden cases, odd mode and mutual of the pairs over surface resistance, perfect conductors. [1/m]"""


def section(line: dict[str, Any]) -> Section:
    def polygons(name: str) -> tuple[Polygon, ...]:
        return tuple(tuple((x * UM, y * UM) for x, y in made) for made in line[name])

    upper = None if line["upper"] is None else line["upper"] * UM
    return Section(polygons("signals"), polygons("grounds"), upper=upper)


@pytest.mark.parametrize("line", FOUR, ids=lambda line: str(line["id"]))
def test_what_two_pairs_share_beside_finite_elements(line: dict[str, Any]) -> None:
    made = section(line)
    matrix = crowding_matrix(section=made, charge=solve(made).charge)
    odd, mutual = FIRST @ matrix @ FIRST / 2, FIRST @ matrix @ SECOND
    assert odd == pytest.approx(PERFECT[line["id"]][0], rel=0.01)
    assert mutual == pytest.approx(PERFECT[line["id"]][1], rel=0.01)
    for frequency, r in zip(line["frequency"], np.array(line["r"]), strict=True):
        if frequency >= 5e9:  # real copper: sharp corners and the depth of the skin make up to 9 %
            assert mutual / odd == pytest.approx(FIRST @ r @ SECOND / (FIRST @ r @ FIRST / 2), rel=0.09)


def test_sum_over_faces_and_mirror() -> None:
    made = section(FOUR[0])
    fields = solve(made)
    matrix = crowding_matrix(section=made, charge=fields.charge)
    assert (np.linalg.eigvalsh(matrix) > 0).all()
    np.testing.assert_allclose(matrix, matrix.T)
    np.testing.assert_allclose(matrix, matrix[::-1, ::-1], rtol=1e-9)
    for volts in ([1, -1, 0, 0], [1, 0.5, 0.2, -3]):
        current = fields.c0 @ volts
        faces = crowding(section=made, charge=fields.charge, weights=volts)
        assert current @ matrix @ current / current[0] ** 2 == pytest.approx(faces.sum(), rel=1e-9)


def test_grounds_beside_two_pairs_are_grounds_on_either_side() -> None:
    """A section that is its own mirror image is solved by halves, one a part in ten million beside it is not."""
    made = section(FOUR[0])
    low, high = made.signals[0][0][1], made.signals[0][0][1] + 15 * UM
    end = max(x for one in made.signals for x, _ in one)
    right = tuple((end + x * UM, y) for x, y in ((150, low), (400, low), (400, high), (150, high)))
    left = tuple((-x, y) for x, y in right)
    aside = tuple((x * (1 + 1e-7), y) for x, y in right)
    halves, whole = (
        crowding_matrix(section=one, charge=solve(one).charge)
        for one in (replace(made, grounds=(left, other)) for other in (right, aside))
    )
    np.testing.assert_allclose(halves, whole, rtol=1e-4)


def test_order_of_the_signals_does_not_matter() -> None:
    made = section(FOUR[1])
    order = [2, 0, 3, 1]
    other = Section(tuple(made.signals[k] for k in order), made.grounds, upper=made.upper)
    first, second = (crowding_matrix(section=s, charge=solve(s).charge) for s in (made, other))
    np.testing.assert_allclose(second, first[np.ix_(order, order)], rtol=1e-9)
