# SPDX-License-Identifier: MIT
"""Coupled lines: laws of passivity, reciprocity and power, and references that are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import epsilon_0, mu_0

from pcbrules.networks.coupled import coupled_lines, coupling, crosstalk
from pcbrules.networks.line import line

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
GRID = np.concatenate([[0.0], np.geomspace(1e5, 80e9, 25)])
OMEGA = 2 * np.pi * GRID[:, None, None]


def matrices(seed: int, n: int) -> tuple[Real, Real, Real, Real]:
    """R, L, G and C of n conductors that may stand somewhere: R, L and G positive definite, C of Maxwell's form."""
    draw = np.random.default_rng(seed)
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    mutual = draw.uniform(0.02, 0.4) ** distance
    empty = epsilon_0 * draw.uniform(3, 9) * np.linalg.inv(mutual)
    inductance = mu_0 * epsilon_0 * np.linalg.inv(empty)
    dk = np.diag(draw.uniform(1, 6, n) ** 0.5)
    capacitance = dk @ empty @ dk
    return draw.uniform(0, 400) * mutual, inductance, draw.uniform(0, 0.02) * capacitance, capacitance


def immittances(made: tuple[Real, Real, Real, Real], *, lossy: bool = True) -> tuple[Complex, Complex]:
    """Z' and Y' on the grid; resistance grows with the root of frequency, conductance with frequency."""
    resistance, inductance, conductance, capacitance = made
    series, shunt = 1j * OMEGA * inductance, 1j * OMEGA * capacitance
    if lossy:
        series = series + resistance * np.sqrt(1 + OMEGA / 1e10)
        shunt = shunt + OMEGA * conductance
    return series, shunt


seeds = st.integers(0, 2**32 - 1)
counts = st.integers(1, 5)
lengths = st.floats(1e-5, 3)
ohms = st.floats(20, 150)


@examples(40)
@given(seed=seeds, n=counts, length=lengths, z=ohms)
def test_passive_reciprocal_and_alike_from_both_ends(seed: int, n: int, length: float, z: float) -> None:
    series, shunt = immittances(matrices(seed, n))
    s = coupled_lines(series=series, shunt=shunt, length=length, z_ref=z * np.linspace(1, 2, n))
    assert np.abs(s - np.swapaxes(s, 1, 2)).max() <= 1e-12
    assert np.linalg.svd(s, compute_uv=False).max() <= 1 + 1e-9
    turned = np.roll(np.arange(2 * n), n)
    assert np.abs(s - s[:, turned][:, :, turned]).max() <= 1e-9


@examples(40)
@given(seed=seeds, n=counts, length=lengths, z=ohms)
def test_power_is_conserved_without_loss(seed: int, n: int, length: float, z: float) -> None:
    series, shunt = immittances(matrices(seed, n), lossy=False)
    s = coupled_lines(series=series, shunt=shunt, length=length, z_ref=z)
    assert np.abs(np.conj(np.swapaxes(s, 1, 2)) @ s - np.eye(2 * n)).max() <= 1e-9


@examples(20)
@given(seed=seeds, n=counts)
def test_no_length_is_a_through_and_a_short_one_nearly(seed: int, n: int) -> None:
    series, shunt = immittances(matrices(seed, n))
    through = np.roll(np.eye(2 * n), n, axis=0)
    assert np.abs(coupled_lines(series=series, shunt=shunt, length=0.0, z_ref=50) - through).max() <= 1e-15
    errors = [np.abs(coupled_lines(series=series, shunt=shunt, length=length, z_ref=50) - through).max()
              for length in (1e-7, 1e-8)]
    assert errors[1] == pytest.approx(errors[0] / 10, rel=0.02)


@examples(30)
@given(seed=seeds, n=counts, length=st.floats(1e-4, 0.5), share=st.floats(0.05, 0.95))
def test_a_line_is_its_two_parts_in_a_row(seed: int, n: int, length: float, share: float) -> None:
    series, shunt = immittances(matrices(seed, n))
    first, second, whole = (coupled_lines(series=series, shunt=shunt, length=part, z_ref=50)
                            for part in (share * length, (1 - share) * length, length))
    back = np.linalg.inv(np.eye(n) - first[:, n:, n:] @ second[:, :n, :n])
    far = second[:, n:, :n] @ back @ first[:, n:, :n]
    near = first[:, :n, :n] + first[:, :n, n:] @ second[:, :n, :n] @ back @ first[:, n:, :n]
    assert np.abs(whole[:, n:, :n] - far).max() <= 1e-10
    assert np.abs(whole[:, :n, :n] - near).max() <= 1e-10


@examples(30)
@given(seed=seeds, length=lengths, z=ohms)
def test_conductors_that_do_not_couple_are_lines_of_their_own(seed: int, length: float, z: float) -> None:
    series, shunt = (part * np.eye(3) for part in immittances(matrices(seed, 3)))
    s = coupled_lines(series=series, shunt=shunt, length=length, z_ref=z)
    for k in range(3):
        one = line(GRID, series=series[:, k, k], shunt=shunt[:, k, k], length=length, z_ref=z).s
        assert np.abs(s[:, [k, k + 3]][:, :, [k, k + 3]] - one).max() <= 1e-10
    assert np.abs(s[:, 0, 1]).max() == np.abs(s[:, 3, 1]).max() == 0


@pytest.mark.parametrize(
    ("loss", "length"), [(0.0, 0.127), (1.0, 0.127), (1.0, 1.0), (20.0, 10.0), (20.0, 1000.0), (1e-9, 1000.0)]
)
def test_a_symmetric_pair_is_its_two_modes_however_long_and_lossy(loss: float, length: float) -> None:
    inductance = 1e-9 * np.array([[314.0, 46.0], [46.0, 314.0]])
    capacitance = 1e-12 * np.array([[123.0, -18.0], [-18.0, 123.0]])
    resistance = loss * 300 * np.array([[1, 0.08], [0.08, 1]])
    series = resistance * np.sqrt(1e-6 + OMEGA / 1e11) + 1j * OMEGA * inductance
    shunt = (1j + 0.003 * loss) * OMEGA * capacitance
    s = coupled_lines(series=series, shunt=shunt, length=length, z_ref=50)
    even, odd = (
        line(GRID, series=series[:, 0, 0] + sign * series[:, 0, 1], shunt=shunt[:, 0, 0] + sign * shunt[:, 0, 1],
             length=length, z_ref=50).s
        for sign in (1, -1)
    )
    slack = 1e-13 * max(1.0, length * 80e9 / 1e8)  # a phase of so many radians has lost that many digits
    for port, row in ((0, 0), (2, 1)):
        assert np.abs(s[:, port, 0] - (even[:, row, 0] + odd[:, row, 0]) / 2).max() <= slack
        assert np.abs(s[:, port + 1, 0] - (even[:, row, 0] - odd[:, row, 0]) / 2).max() <= slack
    far, want = s[:, 2, 0], (even[:, 1, 0] + odd[:, 1, 0]) / 2
    loud = np.abs(want) > 1e-280  # -5600 dB: what the loss leaves is right too
    assert np.abs(far[loud] / want[loud] - 1).max() <= max(1e-9, 100 * slack)


def test_direct_current_sees_the_resistances_alone() -> None:
    s = coupled_lines(series=[np.diag([20.0, 50.0])], shunt=np.zeros((1, 2, 2)), length=0.5, z_ref=[50, 40])
    for k, (resistance, z) in enumerate(((10, 50), (25, 40))):
        assert s[0, k + 2, k] == pytest.approx(2 * z / (2 * z + resistance), rel=1e-13)
        assert s[0, k, k] == pytest.approx(resistance / (2 * z + resistance), rel=1e-13)
    assert s[0, 1, 0] == s[0, 3, 0] == 0


def test_weak_coupling_of_matched_lines_is_what_the_textbooks_say() -> None:
    """Near end (k_L + k_C) / 4 (1 - exp(-2 j theta)), far end -j theta (k_L - k_C) / 2 exp(-j theta)."""
    k_l, k_c = 2e-4, 1e-4
    inductance, capacitance = 300e-9 * np.array([[1, k_l], [k_l, 1]]), 120e-12 * np.array([[1, -k_c], [-k_c, 1]])
    s = coupled_lines(series=1j * OMEGA * inductance, shunt=1j * OMEGA * capacitance, length=0.05, z_ref=50)
    near, far = coupling(s, victim=[0, 1], aggressor=[1, 0])
    theta = OMEGA.ravel() * 6e-9 * 0.05
    assert np.abs(near - (k_l + k_c) / 4 * (1 - np.exp(-2j * theta))).max() <= 3e-6
    assert np.abs(far + 1j * theta * (k_l - k_c) / 2 * np.exp(-1j * theta)).max() <= 3e-5 * k_l * theta.max()


def test_one_dielectric_has_no_far_end_coupling_of_first_order() -> None:
    k = 1e-3
    inductance, capacitance = 300e-9 * np.array([[1, k], [k, 1]]), 120e-12 * np.linalg.inv([[1, k], [k, 1]])
    s = coupled_lines(series=1j * OMEGA * inductance, shunt=1j * OMEGA * capacitance, length=0.5, z_ref=50)
    near, far = (np.abs(part).max() for part in coupling(s, victim=[0, 1], aggressor=[1, 0]))
    assert near > 0.9 * k / 2 and far < k**2


def test_equal_modes_need_no_eigenvectors() -> None:
    series, shunt = immittances(matrices(7, 1))
    alike = np.eye(4)
    s = coupled_lines(series=series * alike, shunt=shunt * alike, length=0.2, z_ref=50)
    one = line(GRID, series=series[:, 0, 0], shunt=shunt[:, 0, 0], length=0.2, z_ref=50).s
    for k in range(4):
        assert np.abs(s[:, [k, k + 4]][:, :, [k, k + 4]] - one).max() <= 1e-12


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"z_ref": 0.0}, "real and positive"), ({"z_ref": [50, -1]}, "real and positive"),
        ({"z_ref": 50 + 1j}, "real and positive"), ({"z_ref": np.nan}, "real and positive"),
        ({"length": -1.0}, "length"), ({"length": np.nan}, "length"), ({"series": np.eye(2)}, "shape"),
        ({"shunt": np.zeros((1, 3, 3))}, "shape"),
        ({"shunt": np.zeros((1, 2, 3)), "series": np.zeros((1, 2, 3))}, "shape"),
    ],
)
def test_what_is_no_line_is_refused(edit: dict[str, Any], said: str) -> None:
    none = np.zeros((1, 2, 2))
    given: dict[str, Any] = {"series": none, "shunt": none, "length": 0.1, "z_ref": 50.0}
    with pytest.raises(ValueError, match=said):
        coupled_lines(**(given | edit))


@pytest.mark.parametrize("length", [0.0, 0.01, 3.0])
def test_crosstalk_is_the_coupling_of_the_multiport(length: float) -> None:
    series, shunt = immittances(matrices(3, 4))
    given: dict[str, Any] = {"series": series, "shunt": shunt, "length": length, "z_ref": [40, 45, 50, 55]}
    modes = {"victim": [1, -1, 0, 0], "aggressor": [0, 0.3, 1, -1]}
    for found, expected in zip(crosstalk(**given, **modes), coupling(coupled_lines(**given), **modes), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-11)
