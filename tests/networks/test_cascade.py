# SPDX-License-Identifier: MIT
"""Cascading: one grid, one reference, scikit-rf equal to chain matrices and to the fast loss."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.constants import c, pi

from pcbrules.networks.cascade import cascade, cascade_loss, cascade_losses, insertion_loss, renormalised, return_loss
from pcbrules.networks.line import line
from pcbrules.networks.lumped import series, shunt
from pcbrules.networks.two_port import TwoPort, network

GRID = np.linspace(0.1e9, 60e9, 50)


def lossy(z: float, length: float, z_ref: float = 50.0) -> TwoPort:
    gamma = 2j * pi * GRID / c * 1.9
    return line(
        GRID, series=gamma * z + 8 + 4e-4 * np.sqrt(GRID), shunt=gamma * (1 - 0.01j) / z, length=length, z_ref=z_ref
    )


numbers = st.tuples(st.floats(30, 90), st.floats(0.001, 0.03), st.floats(0, 300e-15), st.floats(0, 500e-12))


@given(parts=st.lists(numbers, min_size=1, max_size=4))
def test_cascade_is_the_product_of_chain_matrices(parts: list[tuple[float, float, float, float]]) -> None:
    omega = 2j * pi * GRID
    one, none = np.ones_like(omega), np.zeros_like(omega)
    elements, matrix = [], np.broadcast_to(np.eye(2, dtype=complex), (len(GRID), 2, 2))
    for z, length, capacitance, inductance in parts:
        gamma = omega / c * 1.9
        along, across = gamma * z + 8 + 4e-4 * np.sqrt(GRID), gamma * (1 - 0.01j) / z
        x, z_line = np.sqrt(along) * np.sqrt(across) * length, np.sqrt(along / across)
        elements += [
            lossy(z, length),
            shunt(GRID, admittance=omega * capacitance, z_ref=50),
            series(GRID, impedance=omega * inductance, z_ref=50),
        ]
        for terms in (
            [[np.cosh(x), z_line * np.sinh(x)], [np.sinh(x) / z_line, np.cosh(x)]],
            [[one, none], [omega * capacitance, one]],
            [[one, omega * inductance], [none, one]],
        ):
            matrix = matrix @ np.moveaxis(np.array(terms), 2, 0)
    a, b, cc, d = matrix[:, 0, 0], matrix[:, 0, 1] / 50, matrix[:, 1, 0] * 50, matrix[:, 1, 1]
    whole = cascade(elements)
    assert np.max(np.abs(whole.s[:, 1, 0] - 2 / (a + b + cc + d))) < 1e-12
    assert np.max(np.abs(whole.s[:, 0, 0] - (a + b - cc - d) / (a + b + cc + d))) < 1e-12
    assert np.max(np.abs(cascade_loss(elements) - insertion_loss(whole))) < 1e-9
    wanted = insertion_loss(whole), return_loss(whole), return_loss(whole, port=2)
    for found, loss in zip(cascade_losses(elements), wanted, strict=True):
        assert np.max(np.abs(10 ** (-found / 20) - 10 ** (-loss / 20))) < 1e-12


def test_turning_a_channel_round_keeps_its_loss() -> None:
    parts = [lossy(45, 0.03), shunt(GRID, admittance=2j * pi * GRID * 1e-13, z_ref=50), lossy(60, 0.05)]
    assert cascade_loss(parts) == pytest.approx(cascade_loss(parts[::-1]), abs=1e-12)
    assert return_loss(cascade(parts)) == pytest.approx(return_loss(cascade(parts[::-1]), port=2), abs=1e-9)


@pytest.mark.parametrize("join", [cascade, cascade_loss, cascade_losses])
def test_foreign_grids_and_references_are_refused(join: object) -> None:
    assert callable(join)
    one = lossy(50, 0.01)
    shorter = network(GRID[:-1], s11=0, s21=1, z_ref=50)
    moved = network(GRID * 1.001, s11=0, s21=1, z_ref=50)
    for other in (shorter, moved):
        with pytest.raises(ValueError, match="different frequency grids"):
            join([one, other])
    with pytest.raises(ValueError, match="different reference impedances"):
        join([one, lossy(50, 0.01, z_ref=42.5)])
    with pytest.raises(ValueError, match="at least one"):
        join([])


@given(z=st.floats(30, 90), z_ref=st.floats(30, 120))
def test_renormalised_line_is_the_line_made_so(z: float, z_ref: float) -> None:
    made = renormalised(lossy(z, 0.05), z_ref=z_ref)
    assert np.max(np.abs(made.s - lossy(z, 0.05, z_ref=z_ref).s)) < 1e-12


def test_scikit_rf_is_loaded_only_when_a_network_is_made() -> None:
    code = "import sys, pcbrules.networks.cascade, pcbrules.networks.via; print('skrf' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
