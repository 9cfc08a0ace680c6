# SPDX-License-Identifier: MIT
"""Permittivity: formulas, makers' data, causality; the least-squares solver below it."""

from __future__ import annotations

import numpy as np
import pytest
from hilbert import imaginary_part
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import nnls

from pcbrules.library.load import laminates
from pcbrules.physics.lines.dielectric import DebyeSum, debye_sum, fit_debye, permittivity, wideband_debye
from pcbrules.physics.lines.least_squares import non_negative


def points(*rows: tuple[float, float, float]) -> tuple[tuple[float, float, float], ...]:
    return tuple((f * 1e9, dk, df) for f, dk, df in rows)


# Panasonic data sheets 22040130 and 22040132: balanced circular disk resonator, IEC 63185
MEGTRON_6N = points((13, 3.34, 0.0037), (24, 3.34, 0.0040), (36, 3.34, 0.0042), (47, 3.34, 0.0044), (58, 3.34, 0.0046))
MEGTRON_7GE = points((13, 3.6, 0.0034), (24, 3.6, 0.0037), (36, 3.6, 0.0041), (47, 3.6, 0.0045), (58, 3.6, 0.0049))
MEGTRON_7N = points((14, 3.31, 0.0023), (25, 3.31, 0.0025), (36, 3.31, 0.0028), (48, 3.31, 0.0030), (59, 3.31, 0.0033))
LOSSY = points((1, 4.15, 0.018), (5, 4.15, 0.020), (10, 4.15, 0.021))
MATERIALS = [MEGTRON_6N, MEGTRON_7GE, MEGTRON_7N, LOSSY]

sheet = st.lists(
    st.tuples(st.floats(0.1, 85), st.floats(2, 10), st.floats(2e-4, 0.04)),
    min_size=2,
    max_size=6,
    unique_by=lambda p: p[0],
).map(lambda rows: points(*sorted(rows)))


@pytest.mark.parametrize(
    ("frequency", "expected"), [(8e9, 3.372977236 - 0.02030914813j), (50e9, 3.349177917 - 0.01976389345j)]
)
def test_wideband_model_of_the_independent_finite_element_reference(frequency: float, expected: complex) -> None:
    assert wideband_debye(frequency=frequency, dk=3.4, df=0.006, reference=1e9) == pytest.approx(expected, rel=1e-9)


def test_wideband_model_is_exact_at_its_point_and_falls_as_causality_demands() -> None:
    at = wideband_debye(frequency=1e9, dk=4.2, df=0.02, reference=1e9)
    assert at == pytest.approx(4.2 * (1 - 0.02j), rel=1e-14)
    near = wideband_debye(frequency=np.array([0.99e8, 1.01e8]), dk=4.2, df=0.02, reference=1e9)
    slope = np.diff(near.real)[0] / np.log(1.01 / 0.99)
    assert slope / -near.imag.mean() == pytest.approx(-2 / np.pi, rel=1e-3)


@pytest.mark.parametrize("data", [MEGTRON_6N, MEGTRON_7GE])
def test_megtron_6n_and_7ge_within_print(data: tuple[tuple[float, float, float], ...]) -> None:
    f, dk, df = np.array(data).T
    eps = permittivity(frequency=f, points=data)
    assert np.all(np.abs(-eps.imag / eps.real - df) < 5e-5)
    assert np.all(np.abs(eps.real / dk - 1) < 2.5e-3)


def test_megtron_7n_within_two_percent() -> None:
    f, dk, df = np.array(MEGTRON_7N).T
    eps = permittivity(frequency=f, points=MEGTRON_7N)
    assert np.all(np.abs(-eps.imag / eps.real / df - 1) < 0.02)
    assert np.all(np.abs(eps.real / dk - 1) < 2e-3)


def test_lossy_laminate_with_a_flat_printed_dk() -> None:
    f, dk, df = np.array(LOSSY).T
    eps = permittivity(frequency=f, points=LOSSY)
    assert np.all(np.abs(-eps.imag / eps.real / df - 1) < 0.01)
    assert np.all(np.abs(eps.real / dk - 1) < 0.02)


@pytest.mark.parametrize("data", MATERIALS)
def test_loss_beyond_the_points_goes_on_sensibly(data: tuple[tuple[float, float, float], ...]) -> None:
    first, last = data[0][2], data[-1][2]
    low, high = (permittivity(frequency=f, points=data) for f in (1e9, 85e9))
    assert 0.6 * first < -low.imag / low.real < 1.4 * first
    assert 0.95 * last < -high.imag / high.real < 1.35 * last


@given(sheet)
def test_any_sheet_gives_a_passive_material_to_85_ghz(data: tuple[tuple[float, float, float], ...]) -> None:
    material = fit_debye(data)
    assert material.eps_inf >= 1
    assert min(material.strengths) >= 0
    eps = debye_sum(frequency=np.linspace(0, 85e9, 50), material=material)
    assert np.all(eps.imag <= 0)
    assert np.all(np.diff(eps.real) <= 1e-12)


@pytest.mark.parametrize("frequency", [1e6, 1e9, 16e9, 60e9])
@pytest.mark.parametrize("data", MATERIALS)
def test_real_and_imaginary_part_belong_together(
    frequency: float, data: tuple[tuple[float, float, float], ...]
) -> None:
    """Kramers and Kronig, for the sum of poles through all points and the wideband model through the first."""
    for given_ in (data, data[:1]):
        loss = imaginary_part(lambda f, sheet=given_: permittivity(frequency=f, points=sheet).real, frequency)
        assert loss == pytest.approx(float(permittivity(frequency=frequency, points=given_).imag), rel=1e-4)


@given(st.floats(1, 12), st.floats(0, 0.05), st.floats(1e8, 85e9))
def test_wideband_model_is_passive_and_falls(dk: float, df: float, reference: float) -> None:
    eps = wideband_debye(frequency=np.logspace(0, 14, 200), dk=dk, df=df, reference=reference)
    assert np.all(eps.imag <= 0)
    assert np.all(np.diff(eps.real) <= 1e-12)


@pytest.mark.parametrize(("data", "df_error"), [(MEGTRON_6N, 1e-3), (MEGTRON_7GE, 1e-3), (MEGTRON_7N, 0.02)])
def test_five_poles_are_enough_where_nothing_holds_them_together(
    data: tuple[tuple[float, float, float], ...], df_error: float
) -> None:
    """Non-negative least squares alone leaves 3 to 5 active poles and is closer to the points than the fit in use,
    which spends the difference on a sensible course between and beyond them."""
    f, dk, df = np.array(data).T
    lag = 1 / (1 + 1j * f[:, None] / np.logspace(8, 13, 21))
    rows = np.vstack([np.column_stack([-df, -lag.imag - df[:, None] * lag.real]) / df[:, None],
                      np.column_stack([np.ones(5), lag.real])])
    found = non_negative(rows, np.concatenate([np.zeros(5), dk]))
    eps = found[0] + lag @ found[1:]
    assert 3 <= np.count_nonzero(found[1:] > 1e-12) <= 5
    assert np.all(np.abs(-eps.imag / eps.real / df - 1) < df_error)


SHEETS = [
    pytest.param(tuple((point.f, point.dk, point.df) for point in data.points), id=f"{made.id} {data.method}")
    for made in laminates()
    for data in made.sets
    if len(data.points) > 1
]


@pytest.mark.parametrize("data", SHEETS)
def test_every_sheet_of_the_library_is_met_by_a_passive_material(data: tuple[tuple[float, float, float], ...]) -> None:
    f, dk, df = np.array(data).T
    material = fit_debye(data)
    eps = debye_sum(frequency=f, material=material)
    assert min(material.strengths) >= 0
    assert np.all(np.abs(-eps.imag / eps.real / df - 1) < 0.05)
    assert np.all(np.abs(eps.real / dk - 1) < 0.03)


def test_one_pole_against_its_definition() -> None:
    assert debye_sum(frequency=2e9, material=DebyeSum(3.0, (0.5,), (1e9,))) == pytest.approx(3 + 0.5 / (1 + 2j))


def test_points_without_loss_stay_without() -> None:
    eps = permittivity(frequency=np.array([1e9, 50e9]), points=points((1, 3.9, 0.0), (10, 3.9, 0.0)))
    assert np.all(eps == 3.9)


@given(st.integers(0, 10**6))
def test_non_negative_least_squares_against_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows: NDArray[np.float64] = rng.normal(size=(12, 7))
    target: NDArray[np.float64] = rng.normal(size=12)
    np.testing.assert_allclose(non_negative(rows, target), nnls(rows, target)[0], atol=1e-9)
