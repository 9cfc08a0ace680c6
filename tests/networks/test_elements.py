# SPDX-License-Identifier: MIT
"""Elements as two-ports: laws of passivity, reciprocity and power, chain matrices in numpy, closed-form references."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules.networks.cascade import cascade, insertion_loss, return_loss
from pcbrules.networks.line import line
from pcbrules.networks.lumped import ac_capacitor, declared_loss, rlc_impedance, series, shunt
from pcbrules.networks.two_port import TwoPort
from pcbrules.networks.via import via
from pcbrules.physics.vias.stub import open_line_admittance

Complex = NDArray[np.complex128]
GOLDEN = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parent / "data" / "two_ports.json").read_text())["entries"]
}
GRID = np.concatenate([[0.0], np.geomspace(1e5, 80e9, 60)])

ohms = st.floats(20, 150)
lengths = st.floats(1e-5, 0.5)
dks = st.floats(1, 12)
tangents = st.floats(0, 0.05)


def golden(pairs: list[list[float]]) -> Complex:
    return np.array(pairs) @ np.array([1, 1j])


def chain(*elements: Complex) -> Complex:
    whole = elements[0]
    for element in elements[1:]:
        whole = whole @ element
    return whole


def to_s(matrix: Complex, z: float) -> Complex:
    """Scattering parameters of chain matrices, from the textbook table (Pozar, 4th ed., table 4.2)."""
    a, b, cc, d = matrix[:, 0, 0], matrix[:, 0, 1] / z, matrix[:, 1, 0] * z, matrix[:, 1, 1]
    whole = a + b + cc + d
    s = np.array([[a + b - cc - d, 2 * (a * d - b * cc)], [2 * np.ones_like(a), -a + b - cc + d]]) / whole
    return np.moveaxis(s, 2, 0)


def shunt_matrix(y: Complex) -> Complex:
    one = np.ones_like(y)
    return np.moveaxis(np.array([[one, 0 * one], [y, one]]), 2, 0)


def series_matrix(z: Complex) -> Complex:
    one = np.ones_like(z)
    return np.moveaxis(np.array([[one, z], [0 * one, one]]), 2, 0)


def line_matrix(gamma: Complex, z: Complex, length: float) -> Complex:
    x = gamma * length
    return np.moveaxis(np.array([[np.cosh(x), z * np.sinh(x)], [np.sinh(x) / z, np.cosh(x)]]), 2, 0)


def line_numbers(entry: dict[str, Any], f: NDArray[np.float64]) -> tuple[Complex, Complex]:
    """Series impedance and shunt admittance per metre of the golden lines."""
    omega = 2 * pi * f
    slow = entry["er"] ** 0.5 / c
    resistance = entry["R0"] + (1 + 1j) * entry["rs"] * np.sqrt(f)
    return (
        resistance + 1j * omega * entry["Z0_ohm"] * slow,
        omega * slow / entry["Z0_ohm"] * (entry["tand"] + 1j),
    )


def power_lost(network: TwoPort) -> NDArray[np.float64]:
    """Fraction of the power into port 1 that leaves at neither."""
    return np.asarray(1 - np.abs(network.s[:, 0, 0]) ** 2 - np.abs(network.s[:, 1, 0]) ** 2)


def assert_passive_and_reciprocal(network: TwoPort) -> None:
    assert np.all(np.isfinite(network.s))
    assert np.array_equal(network.s[:, 0, 1], network.s[:, 1, 0])
    assert np.max(np.linalg.svd(network.s, compute_uv=False)) <= 1 + 1e-9


@pytest.mark.parametrize("name", ["STUB1", "STUB2", "STUB3"])
def test_stub_against_closed_form(name: str) -> None:
    entry = GOLDEN[name]
    f = np.array(entry["frequencies_Hz"])
    stub = shunt(
        f,
        admittance=open_line_admittance(
            frequency=f,
            length=entry["stub_length_um"] * 1e-6,
            dk=entry["er"],
            loss_tangent=entry["tan_delta"],
            impedance=entry["Zs_ohm"],
            end_capacitance=entry["C_end_F"],
        ),
        z_ref=entry["Z0_ohm"],
    )
    assert np.max(np.abs(stub.s[:, 1, 0] - golden(entry["S21_re_im"]))) < 1e-9
    assert np.max(np.abs(stub.s[:, 0, 0] - golden(entry["S11_re_im"]))) < 1e-9


@pytest.mark.parametrize("name", ["CH1", "CH2_with_stub"])
def test_channel_against_closed_form(name: str) -> None:
    entry = GOLDEN[name]
    f, z_ref = np.array(entry["frequencies_Hz"]), entry["Zref_ohm"]
    parts = []
    for element in entry["elements"]:
        if element["type"] == "line":
            along, across = line_numbers(element, f)
            parts.append(line(f, series=along, shunt=across, length=element["length_m"], z_ref=z_ref))
            continue
        stub = element["stub"]
        hanging = (
            0.0
            if stub is None
            else open_line_admittance(
                frequency=f, length=stub["length_m"], dk=stub["er"], loss_tangent=0.0, impedance=stub["Zs_ohm"]
            )
        )
        parts += [
            shunt(f, admittance=2j * pi * f * element["C1_F"], z_ref=z_ref),
            series(f, impedance=rlc_impedance(f, inductance=element["L_H"]), z_ref=z_ref),
            shunt(f, admittance=2j * pi * f * element["C2_F"] + hanging, z_ref=z_ref),
        ]
    whole = cascade(parts)
    for key, (row, column) in {"S11_re_im": (0, 0), "S21_re_im": (1, 0), "S22_re_im": (1, 1)}.items():
        # the reference prints ten digits of a frequency, worth 1e-8 in phase
        assert np.max(np.abs(whole.s[:, row, column] - golden(entry[key]))) < 5e-8


@given(z=ohms, dk=dks, length=lengths, df=tangents, r=st.floats(0, 100), z_ref=ohms)
def test_line_is_its_chain_matrix(z: float, dk: float, length: float, df: float, r: float, z_ref: float) -> None:
    f = GRID[1:]
    entry = {"Z0_ohm": z, "er": dk, "R0": r, "rs": r * 1e-5, "tand": df}
    along, across = line_numbers(entry, f)
    made = line(f, series=along, shunt=across, length=length, z_ref=z_ref)
    matrix = line_matrix(np.sqrt(along * across), np.sqrt(along / across), length)
    loss = np.abs((np.sqrt(along) * np.sqrt(across)).real * length)
    sane = loss < 5  # beyond, the textbook matrix itself loses digits
    phase = np.max(np.abs(np.sqrt(along) * np.sqrt(across))) * length  # its last bit is all that may differ
    assert np.max(np.abs(made.s - to_s(matrix, z_ref))[sane], initial=0) < 1e-12 + 4e-15 * phase
    assert_passive_and_reciprocal(made)


@given(z=ohms, dk=dks, length=st.floats(1e-5, 0.05), z_ref=ohms)
def test_lossless_line_conserves_power(z: float, dk: float, length: float, z_ref: float) -> None:
    entry = {"Z0_ohm": z, "er": dk, "R0": 0.0, "rs": 0.0, "tand": 0.0}
    along, across = line_numbers(entry, GRID)
    made = line(GRID, series=along, shunt=across, length=length, z_ref=z_ref)
    assert np.max(np.abs(power_lost(made))) < 1e-9
    assert insertion_loss(made)[0] == 0.0
    assert insertion_loss(made)[1] < 1e-5


def test_line_at_rest_is_its_resistance() -> None:
    made = line(
        np.array([0.0, 1e9]), series=np.array([20.0, 20 + 2e3j]), shunt=np.array([0, 0.1j]), length=0.5, z_ref=50
    )
    assert made.s[0, 1, 0] == pytest.approx(100 / 110)
    assert made.s[0, 0, 0] == pytest.approx(10 / 110)


def test_hopelessly_long_line_stays_finite() -> None:
    made = line(np.array([1e9]), series=1e3 + 1e3j, shunt=0.1 + 1j, length=100.0, z_ref=50)
    assert abs(made.s[0, 1, 0]) == 0.0
    assert np.all(np.isfinite(made.s))


@given(z=ohms, dk=dks, df=st.floats(0.001, 0.05), length=st.floats(1e-3, 0.3), more=st.floats(1.01, 3))
def test_matched_loss_is_linear_in_length(z: float, dk: float, df: float, length: float, more: float) -> None:
    f = np.array([1e9, 20e9])
    gamma = 2j * pi * f / c * np.sqrt(dk)
    along, across = gamma * z, gamma * (1 - 1j * df) / z
    short, long = (
        insertion_loss(line(f, series=along, shunt=across, length=size, z_ref=z)) for size in (length, more * length)
    )
    assert np.all(long > short)
    alpha = 8.685889638 * (gamma * np.sqrt(1 - 1j * df)).real
    assert long == pytest.approx(alpha * more * length, rel=0.05, abs=0.01)


via_numbers = {
    "through_length": st.floats(0, 3e-3),
    "port1_end": st.floats(0, 3e-3),
    "port2_end": st.floats(0, 3e-3),
    "impedance": ohms,
    "dk": dks,
    "z_ref": ohms,
}


@given(loss_tangent=tangents, **via_numbers)
def test_via_is_passive_and_vanishes_at_rest(**numbers: float) -> None:
    made = via(GRID, **numbers)
    assert_passive_and_reciprocal(made)
    assert insertion_loss(made)[0] == 0
    assert insertion_loss(made)[1] < 1e-4


@given(**via_numbers)
def test_lossless_via_conserves_power(**numbers: float) -> None:
    assert np.max(np.abs(power_lost(via(GRID, loss_tangent=0.0, **numbers)))) < 1e-9


@given(loss_tangent=st.floats(0.001, 0.05), **via_numbers)
def test_via_is_two_open_lines_with_a_line_between(loss_tangent: float, **numbers: float) -> None:
    f, z_ref = GRID[1:], numbers["z_ref"]
    gamma = 2j * pi * f / c * np.sqrt(numbers["dk"])
    y1, y2 = (
        open_line_admittance(
            frequency=f,
            length=numbers[end],
            dk=numbers["dk"],
            loss_tangent=loss_tangent,
            impedance=numbers["impedance"],
        )
        for end in ("port1_end", "port2_end")
    )
    parts = cascade(
        [
            shunt(f, admittance=y1, z_ref=z_ref),
            line(
                f,
                series=gamma * numbers["impedance"],
                shunt=gamma * (1 - 1j * loss_tangent) / numbers["impedance"],
                length=numbers["through_length"],
                z_ref=z_ref,
            ),
            shunt(f, admittance=y2, z_ref=z_ref),
        ]
    )
    assert np.max(np.abs(parts.s - via(f, loss_tangent=loss_tangent, **numbers).s)) < 1e-11


@examples(30)
@given(length=st.floats(0.2e-3, 3e-3), more=st.floats(1.02, 2))
def test_longer_stub_notches_lower(length: float, more: float) -> None:
    f = np.linspace(1e9, 200e9, 8000)

    def notch(end: float) -> float:
        made = via(
            f, through_length=0.0, port1_end=0.0, port2_end=end, impedance=50, dk=5, loss_tangent=0.002, z_ref=50
        )
        return float(f[np.argmax(insertion_loss(made) > 20)])

    lowest = notch(length)
    assert notch(more * length) < lowest
    assert lowest == pytest.approx(c / (4 * length * 5**0.5), rel=0.08)


@given(
    r=st.floats(0, 1e4),
    inductance=st.floats(0, 1e-8),
    capacitance=st.floats(1e-13, 1e-6),
    z_ref=ohms,
    legs=st.sampled_from([1, 2]),
)
def test_series_and_shunt_are_their_chain_matrices(
    r: float, inductance: float, capacitance: float, z_ref: float, legs: int
) -> None:
    f = GRID[1:]
    z = rlc_impedance(f, resistance=r, inductance=inductance, capacitance=capacitance)
    in_path = series(f, impedance=z, z_ref=z_ref)
    across = shunt(f, admittance=1 / z_ref / (1 + z), z_ref=z_ref)
    assert np.max(np.abs(in_path.s - to_s(series_matrix(z), z_ref))) < 1e-12
    assert np.max(np.abs(across.s - to_s(shunt_matrix(1 / z_ref / (1 + z)), z_ref))) < 1e-12
    assert_passive_and_reciprocal(in_path)
    assert_passive_and_reciprocal(across)
    part = ac_capacitor(f, capacitance=capacitance, resistance=r, inductance=inductance, legs=legs, z_ref=legs * z_ref)
    assert np.max(np.abs(part.s - in_path.s)) < 1e-12


def test_capacitor_blocks_at_rest() -> None:
    part = ac_capacitor(np.array([0.0, 8e9]), capacitance=220e-9, z_ref=85)
    assert np.array_equal(part.s[0], np.eye(2))
    assert insertion_loss(part)[0] == np.inf
    assert insertion_loss(part)[1] < 1e-6


def test_declared_loss_is_what_it_says() -> None:
    f = np.array([0.0, 4e9, 16e9])
    block = declared_loss(f, loss=1.5, at=16e9, z_ref=85)
    assert insertion_loss(block) == pytest.approx([0, 0.75, 1.5])
    assert np.all(return_loss(block) == np.inf)
    with pytest.raises(ValueError, match="amplify"):
        declared_loss(f, loss=-0.1, at=16e9, z_ref=85)


@pytest.mark.parametrize("z_ref", [50 + 1j, 0.0, -50.0])
def test_only_real_positive_references(z_ref: Any) -> None:
    with pytest.raises(ValueError, match="real and positive"):
        shunt(np.array([1e9]), admittance=0.01, z_ref=z_ref)


@pytest.mark.parametrize("loss", [insertion_loss, return_loss])
def test_losses_are_positive(loss: Callable[[TwoPort], NDArray[np.float64]]) -> None:
    assert loss(shunt(np.array([1e9]), admittance=0.01, z_ref=50))[0] > 0
