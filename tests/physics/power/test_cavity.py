# SPDX-License-Identifier: MIT
"""The rectangular plane pair: limits, laws, and a brute double sum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from scipy.constants import epsilon_0, mu_0

from pcbrules.physics.power.cavity import (
    cavity_impedance,
    cavity_resonance,
    cavity_series_impedance,
    cavity_shunt_admittance,
)

A, B, D, ER, T = 0.1, 0.08, 1e-4, 3.6, 35e-6
PORTS = [[0.03, 0.02, 0.002, 0.003], [0.07, 0.06, 0.004, 0.002]]


def solved(frequency: Any, *, a: float = A, b: float = B, ports: Any = PORTS, sigma: float = 5.8e7) -> Any:
    series = cavity_series_impedance(frequency=frequency, separation=D, conductivity=sigma, thickness=T)
    shunt = cavity_shunt_admittance(frequency=frequency, separation=D, permittivity=ER, loss_tangent=0.008)
    return cavity_impedance(series=series, shunt=shunt, length=a, width=b, ports=ports)


def test_a_capacitor_at_low_frequency() -> None:
    z = solved(np.array([1e3, 1e5]))
    omega = 2 * np.pi * np.array([1e3, 1e5])
    for i, j in ((0, 0), (0, 1), (1, 1)):
        assert -1 / (omega * z[:, i, j].imag) == pytest.approx(epsilon_0 * ER * A * B / D, rel=2e-3)


def test_low_frequency_resistance_is_that_of_the_sheets_and_inductance_that_of_the_gap() -> None:
    # Two ports across the whole width: the difference of their impedances is that of a strip
    ports = [[0.01, B / 2, 0.002, B], [0.09, B / 2, 0.002, B]]
    z = solved(np.array([1e4]), ports=ports)
    loop = (z[0, 0, 0] + z[0, 1, 1] - 2 * z[0, 0, 1]).item()
    squares = (0.08 - 2 * 0.002 / 6) / B  # between the centres, less what a uniform source across a port spares
    assert loop.real == pytest.approx(2 / (5.8e7 * T) * squares, rel=1e-3)
    # with the internal inductance of two sheets, mu0 t / 3 each
    assert loop.imag / (2e4 * np.pi) == pytest.approx(mu_0 * (D + 2 * T / 3) * squares, rel=1e-3)


@pytest.mark.long
def test_the_brute_double_sum() -> None:
    f = np.array([2e8])
    series = cavity_series_impedance(frequency=f, separation=D, conductivity=5.8e7, thickness=T).item()
    shunt = cavity_shunt_admittance(frequency=f, separation=D, permittivity=ER, loss_tangent=0.008).item()
    m, n = np.arange(2000)[:, None], np.arange(2000)[None, :]
    weight = np.where(m == 0, 1, 2) * np.where(n == 0, 1, 2) / (A * B)

    def shape(port: list[float]) -> Any:
        x, y, w, u = port
        along = np.cos(m * np.pi * x / A) * np.sinc(m * w / 2 / A)
        return along * np.cos(n * np.pi * y / B) * np.sinc(n * u / 2 / B)

    low = (m * np.pi / A) ** 2 + (n * np.pi / B) ** 2 + series * shunt
    z = solved(f)
    for i, one in enumerate(PORTS):
        for j, other in enumerate(PORTS):
            want = series * np.sum(weight * shape(one) * shape(other) / low)
            assert z[0, i, j] == pytest.approx(want, rel=2e-4)


@examples(25)
@given(
    side=st.tuples(st.floats(0.02, 0.3), st.floats(0.02, 0.3)),
    places=st.lists(st.tuples(st.floats(0.1, 0.9), st.floats(0.1, 0.9), st.floats(0.02, 0.2)), min_size=2, max_size=3),
    frequency=st.floats(1e4, 3e9),
)
def test_passive_reciprocal_and_the_same_turned(
    side: tuple[float, float], places: list[tuple[float, float, float]], frequency: float
) -> None:
    (a, b), f = side, np.array([frequency])
    ports = [[x * a, y * b, w * a, w * b] for x, y, w in places]
    z = solved(f, a=a, b=b, ports=ports)[0]
    assert (z == z.T).all()
    floor = 1e-9 * np.abs(z).max()
    assert np.linalg.eigvalsh(z.real).min() >= -floor
    turned = solved(f, a=b, b=a, ports=[[y, x, u, w] for x, y, w, u in ports])[0]
    assert turned == pytest.approx(z, rel=1e-3, abs=1e-4 * np.abs(z).max())


@pytest.mark.long
def test_a_peak_at_the_first_resonance() -> None:
    at = cavity_resonance(m=1, n=0, length=A, width=B, permittivity=ER)
    f = np.linspace(0.95, 1.05, 201) * at
    z = np.abs(solved(f, sigma=np.inf)[:, 0, 0])
    assert f[int(np.argmax(z))] == pytest.approx(at, rel=2e-3)


@pytest.mark.parametrize("port", [
    [0.03, 0.02, 0.0, 0.001], [0.0, 0.02, 0.001, 0.001], [0.05, 0.09, 0.01, 0.001], [0.0, 0.02, 0.002, 0.001],
    [0.0996, 0.02, 0.001, 0.001], [0.03, 0.0004, 0.001, 0.001], [0.03, 0.0796, 0.001, 0.001],
])
def test_a_port_needs_extent_and_a_place(port: list[float]) -> None:
    with pytest.raises(ValueError, match="a port"):
        solved(np.array([1e6]), ports=[port])
