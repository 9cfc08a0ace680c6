# SPDX-License-Identifier: MIT
"""Pairs of unequal legs: closed form, scikit-rf, laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import skrf
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules.networks.cascade import cascade, cascade_s
from pcbrules.networks.line import line
from pcbrules.networks.lumped import shunt
from pcbrules.networks.mixed_mode import PairPorts, modes
from pcbrules.networks.mode_chain import (
    EqualLegs,
    LateLegs,
    differential,
    joined,
    of_legs,
    renormalised,
    symmetric,
    to_legs,
    unequal_legs,
)

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]

GRID = np.linspace(0.1e9, 85e9, 60)
Z_REF = 100.0
PORTS = PairPorts(0, 1, 2, 3)

lengths = st.floats(0.1e-3, 0.2)
ohms = st.floats(60, 140)
delays = st.floats(-20e-12, 20e-12)
sections = st.tuples(ohms, st.floats(0.85, 1.6), lengths, st.floats(0, 40), st.floats(0, 0.02), delays)


def two_ports(z: float, ratio: float, length: float, r: float, df: float) -> tuple[Complex, Complex]:
    """Differential and common mode of a line whose even impedance is ``ratio`` times its odd one, a little slower."""
    found = []
    for z_mode, slow, reference in ((z, 1.8, Z_REF), (z * ratio / 4, 1.85, Z_REF / 4)):
        omega = 2j * pi * GRID
        found.append(line(GRID, series=omega * z_mode * slow / c + r * (1 + 1j) * np.sqrt(GRID / 1e10),
                          shunt=omega * slow / c / z_mode * (1 - 1j * df), length=length, z_ref=reference).s)
    return found[0], found[1]


def chain(parts: list[tuple[float, ...]], *, lossless: bool = False) -> list[Complex]:
    made = []
    for z, ratio, length, r, df, delay in parts:
        differential, common = two_ports(z, ratio, length, *((0.0, 0.0) if lossless else (r, df)))
        late = 2 * pi * GRID * delay
        made += [symmetric(differential=differential, common=common), unequal_legs(positive=late, negative=0 * late)]
    return made


@given(delay=st.floats(-15e-12, 15e-12), length=lengths)
def test_one_difference_in_a_matched_lossless_pair(delay: float, length: float) -> None:
    """cos(pi f dtau) comes through, sin(pi f dtau) becomes common, whatever the place."""
    differential, common = two_ports(100, 1, length, 0, 0)
    matched = symmetric(differential=differential, common=common)
    late = pi * GRID * delay
    for parts in ([matched, unequal_legs(positive=late, negative=-late)],
                  [unequal_legs(positive=2 * late, negative=0 * late), matched]):
        s = joined(parts)
        assert np.abs(np.abs(s[:, 2, 0]) - np.abs(np.cos(pi * GRID * delay))).max() < 1e-12
        assert np.abs(np.abs(s[:, 3, 0]) - np.abs(np.sin(pi * GRID * delay))).max() < 1e-12
        assert np.abs(s[:, :2, :2]).max() < 1e-12
    at = np.array([26.5625e9])
    s = unequal_legs(positive=2 * pi * at * 5e-12, negative=0 * at)
    assert -20 * np.log10(abs(s[0, 2, 0])) == pytest.approx(0.78, abs=2e-3)  # 5 ps at NVLink 4
    s = unequal_legs(positive=4 * pi * at * 5e-12, negative=0 * at)
    assert -20 * np.log10(abs(s[0, 2, 0])) == pytest.approx(3.46, abs=0.01)  # and at NVLink 5


@given(parts=st.lists(sections, min_size=1, max_size=4), early=st.booleans())
def test_the_differential_mode_alone_is_that_of_the_whole_pair(parts: list[tuple[float, ...]], early: bool) -> None:
    row: list[EqualLegs | LateLegs] = []
    for z, ratio, length, r, df, delay in parts:
        late, (odd, even) = 2 * pi * GRID * delay, two_ports(z, ratio, length, r, df)
        row += [EqualLegs(odd, even), LateLegs(late, 0 * late)]
    row = row[::-1] if early else row
    s = joined([part.four_port() for part in row])
    for found, whole in zip(differential(row), (s[:, 2, 0], s[:, 0, 0], s[:, 2, 2]), strict=True):
        assert np.abs(found - whole).max() < 1e-11


def test_a_row_of_nothing_has_no_differential_mode() -> None:
    with pytest.raises(ValueError, match="at least one part"):
        differential([])


@given(parts=st.lists(sections, min_size=1, max_size=4))
def test_laws_of_a_pair_with_unequal_legs(parts: list[tuple[float, ...]]) -> None:
    s = joined(chain(parts))
    assert np.abs(s - s.transpose(0, 2, 1)).max() < 1e-11  # reciprocal
    assert np.linalg.svd(s, compute_uv=False).max() <= 1 + 1e-9  # passive
    lossless = joined(chain(parts, lossless=True))
    power = np.abs(lossless) ** 2
    assert np.abs(power.sum(axis=1) - 1).max() < 1e-9  # what comes in goes out, as one mode or the other
    turned = np.abs(lossless[:, 2, 0]) ** 2 + np.abs(lossless[:, 3, 0]) ** 2 + power[:, 0, 0] + power[:, 1, 0]
    assert np.abs(turned - 1).max() < 1e-9


@given(parts=st.lists(sections, min_size=1, max_size=3))
def test_no_conversion_without_a_difference(parts: list[tuple[float, ...]]) -> None:
    made = chain([(*part[:5], 0.0) for part in parts])
    s = joined(made)
    assert np.abs(s[:, ::2, 1::2]).max() == np.abs(s[:, 1::2, ::2]).max() == 0
    wanted = cascade_s([one[:, ::2, ::2] for one in made])
    assert np.abs(s[:, ::2, ::2] - wanted).max() < 1e-12


def leg_four_port(z_odd: Complex, z_even: Complex, gamma_odd: Complex, gamma_even: Complex, length: float) -> Any:
    """A coupled pair as a scikit-rf four-port of its legs over 50 ohm, from even and odd chain matrices."""
    blocks = []
    for z, gamma in ((z_even, gamma_even), (z_odd, gamma_odd)):
        a, b, d = np.cosh(gamma * length), z * np.sinh(gamma * length) / 50, np.sinh(gamma * length) / z * 50
        below = 2 * a + b + d
        blocks.append(((b - d) / below, 2 / below))
    s = np.zeros((len(GRID), 4, 4), dtype=complex)
    for p, q in ((0, 0), (0, 1), (1, 0), (1, 1)):
        sign = 1 if p == q else -1
        s[:, p, q] = s[:, p + 2, q + 2] = (blocks[0][0] + sign * blocks[1][0]) / 2
        s[:, p + 2, q] = s[:, p, q + 2] = (blocks[0][1] + sign * blocks[1][1]) / 2
    return skrf.Network(f=GRID, f_unit="hz", s=s, z0=50)


def delayed(delay: float) -> Any:
    """A matched delay in leg 1 alone, as a scikit-rf four-port."""
    s = np.zeros((len(GRID), 4, 4), dtype=complex)
    s[:, 0, 2] = s[:, 2, 0] = np.exp(-2j * pi * GRID * delay)
    s[:, 1, 3] = s[:, 3, 1] = 1
    return skrf.Network(f=GRID, f_unit="hz", s=s, z0=50)


@given(parts=st.lists(sections, min_size=1, max_size=3), capacitance=st.floats(0, 200e-15))
def test_the_row_is_that_of_scikit_rf(parts: list[tuple[float, ...]], capacitance: float) -> None:
    made, four = chain(parts), None
    for z, ratio, length, r, df, delay in parts:
        omega = 2j * pi * GRID
        gammas, impedances = [], []
        for legs, z_mode, slow in ((0.5, z, 1.8), (2.0, z * ratio / 4, 1.85)):
            # per leg: half of the differential, twice the common mode's series impedance
            along = legs * (omega * z_mode * slow / c + r * (1 + 1j) * np.sqrt(GRID / 1e10))
            across = omega * slow / c / z_mode * (1 - 1j * df) / legs
            gammas.append(np.sqrt(along) * np.sqrt(across))
            impedances.append(np.sqrt(along / across))
        if np.max(gammas[0].real * length) > 5 or np.max(gammas[1].real * length) > 5:
            return  # beyond, the textbook matrix itself loses digits
        for one in (leg_four_port(*impedances, *gammas, length), delayed(delay)):
            four = one if four is None else four**one
    assert four is not None
    # one capacitor across the legs at the end: a part of the differential mode alone
    hanging = shunt(GRID, admittance=2j * pi * GRID * capacitance, z_ref=Z_REF).s
    none = shunt(GRID, admittance=0.0, z_ref=Z_REF / 4).s
    y = 2j * pi * GRID * capacitance * np.array([[1, -1], [-1, 1]])[:, :, np.newaxis]
    loaded = np.zeros((len(GRID), 4, 4), dtype=complex)
    for i in range(len(GRID)):  # two nodes with two ports of 50 ohm each
        through = np.linalg.inv(np.eye(2) + 25 * y[:, :, i])
        loaded[i] = np.block([[through - np.eye(2), through], [through, through - np.eye(2)]])
    four = four ** skrf.Network(f=GRID, f_unit="hz", s=loaded, z0=50)
    own = joined([*made, symmetric(differential=hanging, common=none)])
    assert np.abs(own - of_legs(four.s, ports=PORTS)).max() < 1e-9
    assert np.abs(to_legs(own) - four.s).max() < 1e-9
    both = modes(four.s, ports=PORTS)
    assert np.abs(own[:, ::2, ::2] - both.differential).max() < 1e-9
    assert np.abs(own[:, 1::2, 1::2] - both.common).max() < 1e-9


@given(parts=st.lists(sections, min_size=1, max_size=3), after=st.floats(20, 120))
def test_another_reference_is_that_of_scikit_rf(parts: list[tuple[float, ...]], after: float) -> None:
    four = skrf.Network(f=GRID, f_unit="hz", s=to_legs(joined(chain(parts))), z0=50)
    own = renormalised(four.s, before=50.0, after=after)
    four.renormalize(after)
    assert np.abs(own - four.s).max() < 1e-9


@given(parts=st.lists(sections, min_size=1, max_size=4))
def test_two_ports_in_a_row_by_arithmetic_are_those_of_scikit_rf(parts: list[tuple[float, ...]]) -> None:
    elements = []
    for z, _, length, r, df, _ in parts:
        omega = 2j * pi * GRID
        elements.append(line(GRID, series=omega * z * 1.8 / c + r, shunt=omega * 1.8 / c / z * (1 - 1j * df),
                             length=length, z_ref=Z_REF))
    assert np.abs(cascade_s([one.s for one in elements]) - cascade(elements).s).max() < 1e-12


@pytest.mark.parametrize("join", [joined, cascade_s])
def test_a_row_needs_a_part(join: Any) -> None:
    with pytest.raises(ValueError, match="at least one"):
        join([])
