# SPDX-License-Identifier: MIT
"""Paths through multiports and the modes of a pair: any numbering of ports, against scikit-rf, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import skrf
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules.missing import Missing
from pcbrules.networks.line import line
from pcbrules.networks.mixed_mode import PairPorts, modes
from pcbrules.networks.pair import pair
from pcbrules.networks.pairing import Pairing, pairing
from pcbrules.networks.two_port import TwoPort, network

Complex = NDArray[np.complex128]

GRID = np.linspace(0.05e9, 40e9, 400)


def leg(z: float, length: float, stretch: float = 1.0) -> TwoPort:
    omega = 2j * pi * GRID
    gamma = omega * 1.9 * stretch / c
    return line(GRID, series=gamma * z + 4 + 3e-4 * np.sqrt(GRID), shunt=gamma * (1 - 0.005j) / z, length=length,
                z_ref=50.0)


def coupled(even: float = 58.0, odd: float = 44.0, length: float = 0.05) -> Complex:
    """Ports 1 and 2 near, 3 and 4 far."""
    return pair(even=leg(even, length, 1.02), odd=leg(odd, length))


def permuted(s: Complex, order: list[int]) -> Complex:
    """New port i is old port order[i]."""
    return s[:, order][:, :, order]


@examples(60)
@given(order=st.permutations([0, 1, 2, 3]), even=st.floats(48, 75), odd=st.floats(35, 50), length=st.floats(0.005, 0.4))
def test_paths_are_found_whatever_the_numbering(order: list[int], even: float, odd: float, length: float) -> None:
    s = permuted(coupled(even, odd, length), order)
    wanted = {tuple(sorted((order.index(a) + 1, order.index(a + 2) + 1))) for a in (0, 1)}
    found = pairing(GRID, s)
    assert isinstance(found, Pairing), found
    assert set(found.paths) == wanted and max(found.low, found.mean) >= 6
    assert list(found.paths) == sorted(found.paths) and all(near < far for near, far in found.paths)


@given(order=st.permutations(list(range(8))))
@examples(30)
def test_paths_of_two_pairs_are_found(order: list[int]) -> None:
    s = np.zeros((len(GRID), 8, 8), dtype=complex)
    s[:, :4, :4], s[:, 4:, 4:] = coupled(), coupled(60, 41, 0.1)
    found = pairing(GRID, permuted(s, order))
    assert isinstance(found, Pairing)
    assert {tuple(order[port - 1] for port in path) for path in found.paths} <= {
        (0, 2), (2, 0), (1, 3), (3, 1), (4, 6), (6, 4), (5, 7), (7, 5)}
    assert len(found.paths) == 4
    with pytest.raises(ValueError, match="two paths"):
        found.pair()


def test_what_is_found_is_said() -> None:
    found = pairing(GRID, coupled())
    assert isinstance(found, Pairing) and found.text == "1 to 3, 2 to 4"
    assert found.pair() == PairPorts(0, 1, 2, 3)


@pytest.mark.parametrize(("s", "says"), [
    (np.ones((400, 3, 3), dtype=complex), "3 ports do not make paths"),
    (np.zeros((400, 2, 2), dtype=complex), "nothing comes through from port 1 at the lowest frequencies"),
    (np.full((400, 4, 4), 0.5 + 0j), "comes through best"),
    (0.05 * coupled(), "no straight connection"),
])
def test_what_is_ambiguous_has_a_reason(s: Complex, says: str) -> None:
    found = pairing(GRID, s)
    assert isinstance(found, Missing) and says in found.reason


def test_a_small_margin_is_ambiguous() -> None:
    s = np.zeros((400, 4, 4), dtype=complex)
    for near, far, size in ((0, 2, 0.8), (1, 3, 0.8), (0, 3, 0.5), (1, 2, 0.5)):
        s[:, near, far] = s[:, far, near] = size
    found = pairing(GRID, s)  # 20 log10(0.8 / 0.5) = 4.08 dB
    assert isinstance(found, Missing) and "stand out by 4.1 dB" in found.reason


def test_signs_that_disagree_are_ambiguous() -> None:
    s = coupled()
    s[40:] = permuted(s, [0, 1, 3, 2])[40:]
    found = pairing(GRID, s)
    assert isinstance(found, Missing) and "and the mean power says" in found.reason


@examples(30)
@given(seed=st.integers(0, 999), order=st.permutations([0, 1, 2, 3]))
def test_modes_are_those_of_scikit_rf(seed: int, order: list[int]) -> None:
    random = np.random.default_rng(seed)
    s = random.normal(size=(5, 4, 4)) + 1j * random.normal(size=(5, 4, 4))
    found = modes(s, ports=PairPorts(*order))
    # scikit-rf forms pairs of consecutive ports: near ends first, then far ends, then modes d1 d2 c1 c2
    other = skrf.Network(frequency=skrf.Frequency(1, 2, 5, unit="ghz"), s=permuted(s, list(order)), z0=50)
    other.se2gmm(p=2)
    assert np.allclose(found.differential, other.s[:, :2, :2], rtol=0, atol=1e-12)
    assert np.allclose(found.common, other.s[:, 2:, 2:], rtol=0, atol=1e-12)
    assert found.converted == pytest.approx(
        max(np.abs(other.s[:, :2, 2:]).max(), np.abs(other.s[:, 2:, :2]).max()), abs=1e-12)
    assert other.z0[0].real.tolist() == [100, 100, 25, 25]


@examples(30)
@given(order=st.permutations([0, 1, 2, 3]))
def test_the_modes_come_back_whatever_the_numbering(order: list[int]) -> None:
    even, odd = leg(58, 0.05, 1.02), leg(44, 0.05)
    found = pairing(GRID, permuted(pair(even=even, odd=odd), order))
    assert isinstance(found, Pairing)
    made = modes(permuted(pair(even=even, odd=odd), order), ports=found.pair())
    if _straight(order, found):
        assert np.allclose(made.differential, odd.s, rtol=0, atol=1e-12)
        assert np.allclose(made.common, even.s, rtol=0, atol=1e-12) and made.converted < 1e-12


def _straight(order: list[int], found: Pairing) -> bool:
    """True if both lower ports of the paths lie on one side of the pair."""
    return len({order[near - 1] < 2 for near, _ in found.paths}) == 1


def test_the_wrong_pairing_would_lose_the_signal_and_the_right_one_does_not() -> None:
    ideal = leg(50, 0.05)
    s = permuted(pair(even=ideal, odd=ideal), [0, 2, 1, 3])  # legs run 1 to 2 and 3 to 4
    assert np.abs(modes(s, ports=PairPorts(0, 1, 2, 3)).differential[:, 1, 0]).max() < 1e-12
    found = pairing(GRID, s)
    assert isinstance(found, Pairing)
    assert np.allclose(modes(s, ports=found.pair()).differential[:, 1, 0], ideal.s[:, 1, 0], rtol=0, atol=1e-12)


def test_ports_that_are_no_pair_are_refused() -> None:
    for ports in (PairPorts(0, 0, 1, 2), PairPorts(0, 1, 2, 4), PairPorts(-1, 0, 1, 2)):
        with pytest.raises(ValueError, match="four different ports"):
            modes(coupled(), ports=ports)


def test_references_of_the_modes_are_those_of_a_matched_pair() -> None:
    matched = network(GRID, s11=0, s21=np.exp(-2j * pi * GRID * 1e-10), z_ref=50.0)
    made = modes(pair(even=matched, odd=matched), ports=PairPorts(0, 1, 2, 3))
    assert np.abs(made.differential[:, 0, 0]).max() == 0 and np.abs(made.common[:, 0, 0]).max() == 0
