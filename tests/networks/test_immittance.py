# SPDX-License-Identifier: MIT
"""Impedance and admittance parameters to scattering parameters, each port with its own reference."""

from __future__ import annotations

import numpy as np
import pytest
import skrf
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pcbrules.networks.immittance import s_of_y, s_of_z

Complex = NDArray[np.complex128]


def passive(seed: int, ports: int) -> Complex:
    """Impedance parameters of a passive reciprocal network."""
    random = np.random.default_rng(seed)
    real, imaginary = random.normal(size=(3, ports, ports)), random.normal(size=(3, ports, ports))
    return 40 * (real @ real.transpose(0, 2, 1) + np.eye(ports)) + 30j * (imaginary + imaginary.transpose(0, 2, 1))


references = st.lists(st.floats(1, 500), min_size=1, max_size=5)


@given(z_ref=references, seed=st.integers(0, 99))
def test_as_scikit_rf_converts(z_ref: list[float], seed: int) -> None:
    z, reference = passive(seed, len(z_ref)), np.array(z_ref)
    assert np.allclose(s_of_z(z, z_ref=reference), skrf.network.z2s(z, z0=reference), rtol=0, atol=1e-12)
    y = np.linalg.inv(z)
    assert np.allclose(s_of_y(y, z_ref=reference), skrf.network.y2s(y, z0=reference), rtol=0, atol=1e-12)


@given(z_ref=references, seed=st.integers(0, 99))
def test_both_ways_agree_and_give_a_passive_reciprocal_network(z_ref: list[float], seed: int) -> None:
    z, reference = passive(seed, len(z_ref)), np.array(z_ref)
    s = s_of_z(z, z_ref=reference)
    assert np.allclose(s, s_of_y(np.linalg.inv(z), z_ref=reference), rtol=0, atol=1e-11)
    assert np.allclose(s, s.transpose(0, 2, 1), rtol=0, atol=1e-12)
    assert np.linalg.norm(s, 2, axis=(1, 2)).max() <= 1 + 1e-12


def test_a_resistor_between_two_references() -> None:
    # 30 ohm in series between 20 and 50 ohm: S11 = (80 - 20) / 100, S21 = 2 sqrt(20 * 50) / 100
    y = np.array([[[1, -1], [-1, 1]]]) / 30 + 0j
    s = s_of_y(y, z_ref=np.array([20.0, 50.0]))[0]
    assert s[0, 0] == pytest.approx(0.6) and s[1, 1] == pytest.approx(0.0, abs=1e-15)
    assert s[1, 0] == pytest.approx(2 * np.sqrt(1000) / 100) and s[0, 1] == pytest.approx(s[1, 0])


def test_a_negative_resistor_has_none() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        s_of_z(np.full((1, 1, 1), -50 + 0j), z_ref=np.array([50.0]))
