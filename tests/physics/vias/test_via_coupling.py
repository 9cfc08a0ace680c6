# SPDX-License-Identifier: MIT
"""Coupling of pairs of barrels: laws, independent fields of thick wires and of a closed cavity, exact circuits, ground
vias at random places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import c, mu_0
from scipy.linalg import expm
from scipy.special import hankel2

from pcbrules.physics.vias.barrel_returns import return_inductance
from pcbrules.physics.vias.via_coupling import barrel_current, largest_mutual_impedance, pair_mutual_impedance

LOW = 1e7
"""Frequency at which the wavelength is a thousand times the distances [Hz]."""

pitches = st.floats(0.4e-3, 1.5e-3)
turns = st.floats(0, np.pi)


def mutual_inductance(**place: Any) -> float:
    """At rest. [H/m]"""
    z = pair_mutual_impedance(frequency=LOW, dk=3.6, **place)
    return float(z.imag / (2 * np.pi * LOW))


def axes(along: float, across: float, pitch: float, other_pitch: float, turn: float) -> NDArray[np.complex128]:
    other = other_pitch / 2 * np.exp(1j * turn)
    middle = along + 1j * across
    return np.array([pitch / 2, -pitch / 2, middle + other, middle - other])


def thick_wires(place: NDArray[np.complex128], radius: float, harmonics: int = 8) -> float:
    """Mutual inductance of two pairs of round wires of given currents [H/m]: a line and harmonics about every axis.

    The vector potential is constant on every surface; the pair that is driven carries 1 A to and fro, the other none.
    """
    current = np.array([0.0, 0.0, 1.0, -1.0])
    angles = np.exp(2j * np.pi * np.arange(4 * harmonics) / (4 * harmonics))
    points = (place[:, None] + radius * angles).ravel()
    offset = points[:, None] - place
    logs = -np.log(np.abs(offset)) @ current
    powers = (radius / offset)[:, :, None] ** np.arange(1, harmonics + 1)
    own = np.repeat(np.eye(4), len(angles), axis=0)
    flat = len(points), -1
    system = np.hstack([powers.real.reshape(flat), powers.imag.reshape(flat), -own])
    solution = np.linalg.lstsq(system, -logs, rcond=None)[0]
    level = solution[-4:]
    return float(mu_0 / (2 * np.pi) * (level[0] - level[1]))


# Mutual impedance


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        # L = 200 nH/m ln(d14 d23 / (d13 d24))
        ({"along": 0.0, "across": 1e-3}, 200e-9 * np.log(2)),  # side by side, d14 = sqrt 2
        ({"along": 2e-3, "across": 0.0}, -200e-9 * np.log(4 / 3)),  # in line, 2 2 / (1 3)
        ({"along": 1e-3, "across": 1e-3}, 200e-9 * np.log(np.sqrt(5) / 2)),  # diagonal, 1 sqrt5 / (sqrt2 sqrt2)
    ],
)
def test_at_rest_it_is_the_logarithm_of_parallel_wires(place: dict[str, float], expected: float) -> None:
    found = mutual_inductance(**place, pitch=1e-3, other_pitch=1e-3, turn=0.0)
    assert found == pytest.approx(expected, rel=1e-4)


@examples(40)
@given(pitches, pitches, turns, st.floats(0, np.pi / 2), st.floats(0.5, 2.0))
def test_thick_barrels_do_not_exceed_the_bound(
    pitch: float, other: float, turn: float, way: float, room: float
) -> None:
    """A drill of half the least distance of any two barrels, or less."""
    apart = (pitch + other) / 2 + room * 1e-3
    middle = apart * np.exp(1j * way)
    place = axes(middle.real, middle.imag, pitch, other, turn)
    radius = min(abs(a - b) for i, a in enumerate(place) for b in place[:i]) / 4
    thin = mutual_inductance(along=middle.real, across=middle.imag, pitch=pitch, other_pitch=other, turn=turn)
    quarter = mutual_inductance(along=middle.real, across=middle.imag, pitch=pitch, other_pitch=other,
                                turn=turn + np.pi / 2)
    bound = np.hypot(thin, quarter)
    thick = abs(thick_wires(place, radius))
    assert thick <= bound
    assert -0.3 * bound <= thick - abs(thin) <= 0.03 * bound


@examples(40)
@given(pitches, turns, st.floats(0, np.pi / 2), st.floats(0.2e-3, 2e-3))
def test_the_coupling_coefficient_is_below_one(pitch: float, turn: float, way: float, room: float) -> None:
    middle = (pitch + room) * np.exp(1j * way)
    radius = min(0.1e-3, 0.2 * room)
    own = [return_inductance(axes=[[0, 0], [0, pitch]], radius=radius, drive=[1, -1]) * 2] * 2
    shared = mutual_inductance(along=middle.real, across=middle.imag, pitch=pitch, other_pitch=pitch, turn=turn)
    assert abs(shared) < np.sqrt(own[0] * own[1])


@given(pitches, pitches, turns, st.floats(0.8e-3, 3e-3), st.floats(0, np.pi / 2), st.floats(1e9, 60e9))
def test_either_pair_couples_into_the_other_alike(
    pitch: float, other: float, turn: float, apart: float, way: float, frequency: float
) -> None:
    one = apart * np.exp(1j * way)
    back = -one * np.exp(-1j * turn)  # seen from the other pair, on its own axes
    there = pair_mutual_impedance(frequency=frequency, along=one.real, across=one.imag, pitch=pitch,
                                  other_pitch=other, turn=turn, dk=3.6)
    here = pair_mutual_impedance(frequency=frequency, along=back.real, across=back.imag, pitch=other,
                                 other_pitch=pitch, turn=-turn, dk=3.6)
    assert here == pytest.approx(there, rel=1e-6, abs=1e-6)


@given(pitches, st.floats(0.8e-3, 3e-3), st.floats(1e9, 60e9), st.sampled_from([(1, 0), (0, 1)]))
def test_pairs_at_right_angles_on_an_axis_do_not_couple_but_the_bound_takes_no_credit(
    pitch: float, apart: float, frequency: float, way: tuple[int, int]
) -> None:
    place = {"along": way[0] * (apart + pitch), "across": way[1] * (apart + pitch), "pitch": pitch,
             "other_pitch": pitch, "dk": 3.6}
    parallel = pair_mutual_impedance(frequency=frequency, turn=0.0, **place)
    across = pair_mutual_impedance(frequency=frequency, turn=np.pi / 2, **place)
    assert abs(across) < 1e-9 * abs(parallel)
    bound = largest_mutual_impedance(frequency=frequency, closest=0.1e-3, **place)
    assert bound == pytest.approx(abs(parallel))


@given(pitches, pitches, st.floats(0, 1.5e-3), st.floats(0, np.pi / 2), turns, st.floats(1e9, 60e9))
def test_no_pair_couples_more_than_the_bound_however_it_is_turned(
    pitch: float, other: float, room: float, way: float, turn: float, frequency: float
) -> None:
    middle = (max(pitch, other) + room) * np.exp(1j * way)
    place = {"along": middle.real, "across": middle.imag, "pitch": pitch, "other_pitch": other, "dk": 3.6,
             "closest": 0.2e-3}
    turned = pair_mutual_impedance(frequency=frequency, turn=turn, **place)
    assert abs(turned) <= 1.03 * largest_mutual_impedance(frequency=frequency, **place)


@given(pitches, st.floats(0.8e-3, 3e-3), st.floats(0, np.pi / 2), st.floats(1.02, 2.0), st.floats(1e9, 60e9))
def test_the_bound_falls_with_the_distance(
    pitch: float, apart: float, way: float, further: float, frequency: float
) -> None:
    def bound(distance: float) -> float:
        middle = distance * np.exp(1j * way)
        return float(largest_mutual_impedance(frequency=frequency, along=middle.real, across=middle.imag, pitch=pitch,
                                              other_pitch=pitch, dk=3.6, closest=0.2e-3))

    near = apart + pitch
    assert bound(near * further) < bound(near)


def test_logarithms_alone_are_no_bound() -> None:
    """At 16 GHz and 1 mm the wave couples 2 dB more than the field at rest."""
    place = {"along": 0.0, "across": 1e-3, "pitch": 1e-3, "other_pitch": 1e-3}
    wave = largest_mutual_impedance(frequency=16e9, dk=3.6, closest=0.2e-3, **place)
    at_rest = 2 * np.pi * 16e9 * mutual_inductance(turn=0.0, **place)
    assert 20 * np.log10(wave / at_rest) == pytest.approx(2.2, abs=0.1)


def test_it_is_the_impedance_between_ports_of_a_cavity() -> None:
    """Modes of a square of 40 mm with open edges, so lossy that they are not seen: another series altogether."""
    frequency, side, modes = 16e9, 40e-3, 1200
    dk = 3.6 * (1 - 0.4j)
    k2 = (2 * np.pi * frequency / c) ** 2 * dk
    place = {"along": 0.6e-3, "across": 1.1e-3, "pitch": 0.8e-3, "other_pitch": 1.0e-3}
    m = np.arange(modes) * np.pi / side
    weight = np.where(np.arange(modes) == 0, 1.0, 2.0)
    port = axes(turn=0.4, **place) + (0.5 + 0.5j) * side
    # a disc of radius a has the field of a line outside it; the average over a square spreads the source a little
    soft = np.sinc(m * 0.05e-3 / (2 * np.pi))
    x, y = (np.cos(np.outer(part, m)) * soft for part in (port.real, port.imag))
    kernel = weight[:, None] * weight / (m[:, None] ** 2 + m**2 - k2) / side**2

    def between(i: int, j: int) -> complex:
        return complex(np.einsum("m,n,mn->", x[i] * x[j], y[i] * y[j], kernel))

    total = between(0, 2) + between(1, 3) - between(0, 3) - between(1, 2)
    cavity = 2j * np.pi * frequency * mu_0 * total
    assert pair_mutual_impedance(frequency=frequency, turn=0.4, dk=dk, **place) == pytest.approx(cavity, rel=5e-3)


# Ground vias


def with_grounds(k: complex, signals: Any, grounds: Any, radius: float) -> float:
    """|mutual impedance| over w mu_0 / 4 with ground vias that carry what keeps their voltage at zero."""
    every = np.concatenate([signals, grounds])
    apart = np.abs(every[:, None] - every) + np.diag(np.full(len(every), radius))
    waves = hankel2(0, k * apart)
    open_ = waves[:4, :4] - waves[:4, 4:] @ np.linalg.solve(waves[4:, 4:], waves[4:, :4])
    to, of = np.array([1, -1, 0, 0]), np.array([0, 0, 1, -1])
    return float(abs(to @ open_ @ of))


@pytest.mark.long
@pytest.mark.parametrize("frequency", [
    26.5e9, *(pytest.param(f, marks=pytest.mark.long) for f in (8e9, 16e9, 53e9))])
def test_ground_vias_within_a_quarter_wavelength_keep_the_bound(frequency: float) -> None:
    """Pairs at random places and angles, one to three ground vias at random beside each of their barrels."""
    random = np.random.default_rng(7)
    quarter = c / (4 * frequency * np.sqrt(3.4))
    k = 2 * np.pi * frequency * np.sqrt(3.4 * (1 - 0.003j)) / c
    over = []
    while len(over) < 500:
        pitch, apart = random.uniform(0.5e-3, 1.2e-3), random.uniform(0.8e-3, 3e-3)
        middle, turn = apart * np.exp(2j * np.pi * random.random()), np.pi * random.random()
        signals = axes(middle.real, middle.imag, pitch, pitch, turn)
        if np.abs(signals[:2, None] - signals[2:]).min() < 0.45e-3:
            continue
        distance = random.uniform(0.45e-3, min(1.4e-3, quarter))
        grounds: list[complex] = []
        number = random.integers(1, 4)
        for barrel in signals:
            tried = 0
            while tried < 30 * number:
                at = barrel + distance * np.exp(2j * np.pi * random.random())
                taken = np.concatenate([signals, grounds])
                if np.sort(np.abs(taken - at))[0] > 0.44e-3:
                    grounds.append(at)
                    tried += 30
                tried += 1
        places = np.array(grounds)
        if len(places) == 0 or max(np.abs(places - barrel).min() for barrel in signals) > quarter:
            continue
        bound = largest_mutual_impedance(frequency=frequency, along=middle.real, across=middle.imag,
                                         pitch=pitch, other_pitch=pitch, dk=3.4, closest=0.25e-3)
        free = 2 * np.pi * frequency * mu_0 / 4
        over.append(20 * np.log10(with_grounds(k, signals, places, 0.125e-3) * free / bound))
    assert np.percentile(over, 95) < 0
    assert np.percentile(over, 99) < 3
    assert np.median(over) < -10


# Current along a barrel


def chain(frequency: float, lengths: Any, z_own: Any, mutual: float, dk: float, z_ref: float) -> NDArray[np.complex128]:
    """Scattering parameters of two barrels that couple by a mutual inductance alone along all of it, exact.

    Ports: one upper, other upper, one lower, other lower; ``lengths`` are the upper stub, the part between, the lower
    stub; ``mutual`` is that over the root of both own inductances.
    """
    omega = 2 * np.pi * frequency
    own = np.asarray(z_own) * np.sqrt(dk) / c
    series = 1j * omega * np.array([[own[0], 0], [0, own[1]]])
    series[0, 1] = series[1, 0] = 1j * omega * mutual * np.sqrt(own[0] * own[1])
    shunt = 1j * omega * np.diag(np.sqrt(dk) / c / np.asarray(z_own))

    def piece(length: float) -> NDArray[np.complex128]:
        return np.asarray(expm(length * np.block([[np.zeros((2, 2)), series], [shunt, np.zeros((2, 2))]])))

    def stub(length: float) -> NDArray[np.complex128]:
        made = piece(length)
        return np.asarray(made[2:, :2] @ np.linalg.inv(made[:2, :2]))

    made = piece(lengths[1])
    one, zero = np.eye(2), np.zeros((2, 2))
    for at, length in ((0, lengths[0]), (1, lengths[2])):
        beside = np.block([[one, zero], [stub(length), one]])
        made = beside @ made if at == 0 else made @ beside
    a, b, cc, d = made[:2, :2], made[:2, 2:] / z_ref, made[2:, :2] * z_ref, made[2:, 2:]
    below = np.linalg.inv(a + b + cc + d)
    s21 = 2 * below
    s11 = (a + b - cc - d) @ below
    s12 = (a - b - cc + d) / 2 - (a + b - cc - d) @ below @ (a - b + cc - d) / 2
    s22 = -below @ (a - b + cc - d)
    return np.block([[s11, s12], [s21, s22]])


@examples(80)
@given(
    st.floats(1e9, 53e9), st.floats(0.0, 1.2e-3), st.floats(0.2e-3, 2.5e-3), st.floats(0.0, 1.2e-3),
    st.floats(60.0, 140.0), st.floats(60.0, 140.0), st.floats(3.3, 9.0),
)
def test_currents_times_mutual_impedance_bound_an_exact_circuit(
    frequency: float, upper: float, through: float, lower: float, one: float, other: float, dk: float
) -> None:
    mutual, z_ref = 1e-4, 100.0
    s = chain(frequency, (upper, through, lower), (one, other), mutual, dk, z_ref)
    place = np.linspace(-upper, through + lower, 4001)
    place = (place[1:] + place[:-1]) / 2
    currents = [
        barrel_current(frequency=[frequency], place=place, through=through, upper_end=upper, lower_end=lower,
                       impedance=z, dk=dk, z_ref=z_ref)[0]
        for z in (one, other)
    ]
    per_metre = 2 * np.pi * frequency * mutual * np.sqrt(one * other * dk) / c
    bound = per_metre * np.mean(currents[0] * currents[1]) * (upper + through + lower) / (2 * z_ref)
    coupled = np.abs([s[0, 1], s[0, 3], s[2, 1], s[2, 3]])
    assert coupled.max() <= bound * 1.001 + 1e-9


def test_matched_barrels_couple_at_the_far_end_by_all_of_it() -> None:
    s = chain(20e9, (0.0, 2e-3, 0.0), (100.0, 100.0), 1e-4, 5.0, 100.0)
    bound = 2 * np.pi * 20e9 * 1e-4 * 100.0 * np.sqrt(5.0) / c * 2e-3 / 200.0
    assert abs(s[2, 1]) == pytest.approx(bound, rel=1e-3)
    assert abs(s[0, 1]) == pytest.approx(bound * abs(np.sinc(2 * 20e9 * np.sqrt(5.0) / c * 2e-3)), rel=1e-3)


def test_current_in_a_short_stub_falls_to_zero_at_its_end() -> None:
    line = {"frequency": [1e9], "through": 1e-3, "upper_end": 0.0, "lower_end": 1e-3, "impedance": 100.0, "dk": 5.0,
            "z_ref": 100.0}
    places = [5e-4, 1.001e-3, 1.5e-3, 2e-3, 2.1e-3]
    through, start, middle, end, beyond = barrel_current(place=places, **line)[0]
    assert through == pytest.approx(1, abs=0.01)
    # below resonance all the way to the open end: w C' (length left) V
    assert start == pytest.approx(2 * np.pi * 1e9 * np.sqrt(5) / c * 1e-3, rel=0.02)
    assert middle == pytest.approx(start / 2, rel=0.01)
    assert end == beyond == 0
