# SPDX-License-Identifier: MIT
"""Via fields: independent 3-D references, limits with a known answer, laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.physics.thermal.thermal_vias import CONDUCTIVITY_COPPER, via_cell_parallel, via_cell_resistance

RESIN = {
    "drill": 0.3e-3, "plating": 25e-6, "pitch": 1e-3, "height": 1.53e-3, "foil_top": 35e-6, "foil_bottom": 35e-6,
    "k_fill": 0.3, "k_laminate": 0.35,
}  # fmt: skip
SOLID = RESIN | {"plating": 0.15e-3, "k_fill": 385.0}
EPOXY = {
    "drill": 0.25e-3, "plating": 20e-6, "pitch": 0.6e-3, "height": 0.93e-3, "foil_top": 70e-6, "foil_bottom": 70e-6,
    "k_fill": 0.6, "k_laminate": 0.35,
}  # fmt: skip

# independent references TV01, TV02, TV03: parallel formula and 3-D finite elements of the square cell (2e-4)
REFERENCES = [(RESIN, 176.9502984, 186.9922346), (SOLID, 55.73877311, 66.07319836), (EPOXY, 164.358235, 171.1721753)]

cells = st.fixed_dictionaries(
    {
        "drill": st.floats(0.1e-3, 0.35e-3),
        "plating": st.floats(10e-6, 200e-6),
        "pitch": st.floats(0.4e-3, 2e-3),
        "height": st.floats(0.1e-3, 6e-3),
        "foil_top": st.floats(10e-6, 210e-6),
        "foil_bottom": st.floats(10e-6, 210e-6),
        "k_fill": st.floats(0.02, 400),
        "k_laminate": st.floats(0.1, 3),
    }
)


@pytest.mark.parametrize(("cell", "parallel", "solid"), REFERENCES)
def test_against_independent_finite_elements(cell: dict[str, float], parallel: float, solid: float) -> None:
    assert via_cell_parallel(**cell) == pytest.approx(parallel, rel=1e-9)
    assert via_cell_resistance(**cell) == pytest.approx(solid, rel=1e-3)


@pytest.mark.parametrize("conductivity", [0.3, CONDUCTIVITY_COPPER])
def test_uniform_core_is_three_slabs_in_series(conductivity: float) -> None:
    cell = RESIN | {"k_fill": conductivity, "k_laminate": conductivity}
    found = via_cell_resistance(**cell, k_copper=conductivity)
    assert found == pytest.approx((1.53e-3 + 70e-6) / (conductivity * 1e-6), rel=1e-8)


def test_spreading_stays_at_the_ends_of_a_tall_via() -> None:
    tall, taller = RESIN | {"height": 3e-3}, RESIN | {"height": 6e-3}
    added = via_cell_resistance(**taller) - via_cell_resistance(**tall)
    assert added == pytest.approx(via_cell_parallel(**taller) - via_cell_parallel(**tall), rel=1e-5)


@examples(40)
@given(cell=cells)
def test_never_below_the_parallel_formula(cell: dict[str, float]) -> None:
    # ideal conductors between the slabs can only lower the resistance (Rayleigh), and give that formula
    assert via_cell_resistance(**cell) >= via_cell_parallel(**cell) * (1 - 1e-7)


@examples(30)
@given(cell=cells, part=st.sampled_from(["k_fill", "k_laminate"]), factor=st.floats(1.05, 3))
def test_better_conduction_lowers_the_resistance(cell: dict[str, float], part: str, factor: float) -> None:
    better = cell | {part: cell[part] * factor}
    assert via_cell_resistance(**better) <= via_cell_resistance(**cell) * (1 + 1e-9)


@examples(30)
@given(cell=cells, scale=st.floats(0.2, 5))
def test_a_cell_twice_as_large_has_half(cell: dict[str, float], scale: float) -> None:
    larger = {key: value if key.startswith("k_") else value * scale for key, value in cell.items()}
    assert via_cell_resistance(**larger) == pytest.approx(via_cell_resistance(**cell) / scale, rel=1e-7)


def test_each_foil_counts_on_its_own_side() -> None:
    base = via_cell_resistance(**SOLID)
    top, bottom = (via_cell_resistance(**(SOLID | {foil: 105e-6})) for foil in ("foil_top", "foil_bottom"))
    # heat that enters evenly has to spread in the top foil; the bottom one has a face at one temperature to help it
    assert top < 0.93 * base
    assert base < bottom < 1.02 * base


def test_plating_beyond_half_the_drill_is_solid_copper() -> None:
    assert via_cell_resistance(**(SOLID | {"plating": 0.2e-3, "k_fill": 0.3})) == via_cell_resistance(**SOLID)


def test_arrays_equal_scalars() -> None:
    pitches = np.array([0.5e-3, 1e-3])
    together = via_cell_resistance(**(RESIN | {"pitch": pitches}))
    assert list(together) == [via_cell_resistance(**(RESIN | {"pitch": pitch})) for pitch in pitches]


@examples(30)
@given(cell=cells, factor=st.floats(1.05, 3))
def test_thicker_plating_never_raises_the_resistance(cell: dict[str, float], factor: float) -> None:
    # where the fill conducts no better than copper
    cell = cell | {"k_fill": min(cell["k_fill"], CONDUCTIVITY_COPPER)}
    thicker = cell | {"plating": cell["plating"] * factor}
    assert via_cell_resistance(**thicker) <= via_cell_resistance(**cell) * (1 + 5e-4)


@examples(30)
@given(cell=cells, more=st.integers(2, 5))
def test_more_vias_in_one_area_never_raise_the_resistance(cell: dict[str, float], more: int) -> None:
    cell = cell | {"pitch": max(cell["pitch"], cell["drill"] * more * 1.05)}
    denser = cell | {"pitch": cell["pitch"] / more}
    assert via_cell_resistance(**denser) / more**2 <= via_cell_resistance(**cell) * (1 + 5e-4)
