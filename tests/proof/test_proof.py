# SPDX-License-Identifier: MIT
"""The solver against finite elements on random sections, two of each kind; `make proof` does two hundred.

Finite elements of order 4 are right to 1e-4, which is what the two are held to; 1e-3 is promised.
"""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import fem
import numpy as np
import pytest
from compare import difference, entries
from geometries import KINDS, section

from pcbrules.physics.lines.cross_section import electrostatic
from pcbrules.selftest.geometry import drawn

GOLDEN = {
    entry["id"]: entry
    for entry in json.loads(
        (files("pcbrules.selftest") / "data" / "cross_sections.golden.json").read_text(encoding="utf-8")
    )["entries"]
}
COARSE = 4


@pytest.mark.parametrize("name", [
    "SL01", "DSL08", "MS02", *(pytest.param(name, marks=pytest.mark.long)
                               for name in ("SL05", "DUAL04", "DMS05", "EMS02", "CP01", "X4M1"))])
def test_finite_elements_give_the_golden_matrices(name: str) -> None:
    found, results = fem.solve(drawn(GOLDEN[name]["geometry_um"]).section), GOLDEN[name]["results"]
    assert entries(found.c, 1e-12 * np.array(results["C_pF_per_m"])) < 3e-5
    assert entries(found.c0, 1e-12 * np.array(results["C0_air_pF_per_m"])) < 3e-5
    assert np.allclose(sum(found.parts), found.c, rtol=1e-12, atol=0)


@pytest.mark.long
def test_coarse_finite_elements_are_as_good_as_they_are_trusted() -> None:
    for kind in ("strips of no thickness", "microstrip", "coplanar over a plane"):
        one = section(kind, seed=0)
        assert difference(fem.solve(one, order=COARSE), fem.solve(one, order=6)).capacitance < 1e-4


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", [
    pytest.param(kind, marks=[pytest.mark.long] if place % 2 else []) for place, kind in enumerate(KINDS)])
def test_solver_and_finite_elements_agree(kind: str, seed: int) -> None:
    drawn_section = section(kind, seed)
    found = difference(electrostatic.solve(drawn_section), fem.solve(drawn_section, order=COARSE))
    assert found.capacitance < 2e-4
    assert found.impedance < 2e-4
    assert found.share < 1e-3


def test_a_wrong_answer_is_seen() -> None:
    one = section("microstrip pair, masked", seed=0)
    reference = fem.solve(one, order=COARSE)
    wider = tuple((x * 1.01, y) for x, y in one.signals[0])
    moved = electrostatic.solve(replace(one, signals=(wider, one.signals[1])))
    assert difference(moved, reference).capacitance > 1e-3
