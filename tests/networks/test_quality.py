# SPDX-License-Identifier: MIT
"""Quality metrics: what physics makes scores full marks, each breach costs its own metric, by hand where it can be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules.networks.cascade import cascade
from pcbrules.networks.line import line
from pcbrules.networks.pair import pair
from pcbrules.networks.quality import (
    CAUSAL,
    PASSIVE_OR_RECIPROCAL,
    causality_of_entries,
    level,
    passivity,
    quality,
    reciprocity,
)
from pcbrules.networks.two_port import TwoPort, network
from pcbrules.networks.via import via

Complex = NDArray[np.complex128]

GRID = np.linspace(0, 40e9, 801)


def channel(z: float = 45.0, length: float = 0.03, stub: float = 0.5e-3, z_ref: float = 50.0) -> Complex:
    """Line, via with stub, line: passive, reciprocal and causal by construction."""
    root = np.sqrt(1j * GRID)
    along, across = 2j * pi * GRID * z * 1.9 / c + 5 + 2e-4 * root, (2j * pi * GRID) * (1.9 / c / z) * (1 - 0.002j)
    part = line(GRID, series=along, shunt=across, length=length, z_ref=z_ref)
    step = via(GRID, through_length=1e-3, port1_end=0.2e-3, port2_end=stub, impedance=40, dk=3.6, loss_tangent=0.005,
               z_ref=z_ref)
    return cascade([part, step, part]).s


elements = st.tuples(st.floats(35, 70), st.floats(0.002, 0.06), st.floats(0.1e-3, 1.2e-3))


@examples(40)
@given(elements)
def test_our_own_networks_score_full_marks(numbers: tuple[float, float, float]) -> None:
    found = quality(channel(*numbers))
    assert found.passivity == 100 and found.reciprocity == 100 and found.causality > 99
    assert set(found.levels.values()) == {"good"}


@examples(20)
@given(elements, st.floats(1.05, 1.3))
def test_gain_costs_passivity(numbers: tuple[float, float, float], gain: float) -> None:
    s = channel(*numbers)
    found = quality(gain * s)
    assert found.passivity < 99 and found.levels["passivity"] in ("poor", "inconclusive")
    assert found.reciprocity == 100 and found.causality == pytest.approx(quality(s).causality)


@examples(20)
@given(elements, st.floats(0.05, 0.5))
def test_one_way_attenuation_costs_reciprocity(numbers: tuple[float, float, float], less: float) -> None:
    s = channel(*numbers)
    s[:, 0, 1] *= 1 - less
    found = quality(s)
    assert found.reciprocity < 99 and found.levels["reciprocity"] in ("poor", "inconclusive")
    assert found.causality > 99  # passivity may fall too: less is not always passive


@examples(20)
@given(elements)
def test_an_answer_before_its_cause_costs_causality(numbers: tuple[float, float, float]) -> None:
    s = channel(*numbers)
    early = s * np.exp(2j * pi * GRID * 4 * numbers[1] * 1.9 / c)[:, np.newaxis, np.newaxis]
    found = quality(early)
    assert found.causality < 50 and found.levels["causality"] in ("poor", "inconclusive")
    assert found.passivity == 100 and found.reciprocity == 100


def test_conjugate_data_turn_the_wrong_way_altogether() -> None:
    assert quality(channel().conj()).causality < 1


def test_noise_turns_half_and_half() -> None:
    random = np.random.default_rng(1)
    s = random.normal(size=(5000, 1, 1)) + 1j * random.normal(size=(5000, 1, 1))
    assert quality(s).causality == pytest.approx(50, abs=5)


@examples(20)
@given(elements, st.integers(0, 99))
def test_metrics_do_not_depend_on_the_numbering_of_ports(numbers: tuple[float, float, float], seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = (_network(channel(*numbers)), _network(channel(numbers[0] * 1.1, *numbers[1:])))
    s = pair(even=first, odd=second) * 1.02
    order = random.permutation(4)
    mixed = s[:, order][:, :, order]
    a, b = quality(s), quality(mixed)
    assert a.passivity == pytest.approx(b.passivity) and a.reciprocity == pytest.approx(b.reciprocity, abs=1e-9)
    assert a.causality == pytest.approx(b.causality)


def _network(s: Complex) -> TwoPort:
    return network(GRID, s11=s[:, 0, 0], s21=s[:, 1, 0], s22=s[:, 1, 1], z_ref=50.0)


def test_the_formulas_by_hand() -> None:
    # singular values 1.05001 and 0.5: weights 0.5 and 0, so 1 - 0.25
    s = np.array([[[0, 1.05001], [1.05001, 0]], [[0, 0.5], [0.5, 0]]], dtype=complex)
    assert passivity(s) == pytest.approx(75)
    # both differences count and two entries divide them: r = 0.020001 at each frequency, weight 0.2
    s = np.array([[[0, 0.52], [0.499999, 0]]] * 2, dtype=complex)
    assert reciprocity(s) == pytest.approx(80)
    assert passivity(np.full((2, 1, 1), 2.0 + 0j)) == 0 and reciprocity(np.full((2, 1, 1), 2.0 + 0j)) == 100
    # steps 1, -j, -1 turn clockwise by 1 and 1; then j turns by 1 clockwise and 2j goes on straight
    path = np.cumsum(np.array([0, 1, -1j, -1, 1j, 2j]))
    assert causality_of_entries(path[:, np.newaxis, np.newaxis])[0, 0] == 100
    # steps 1, -j, 1: clockwise by 1, counter-clockwise by 1
    path = np.cumsum(np.array([0, 1, -1j, 1]))
    assert causality_of_entries(path[:, np.newaxis, np.newaxis])[0, 0] == 50


def test_an_entry_that_does_not_move_is_left_out() -> None:
    noise = 1e-12 * np.random.default_rng(2).normal(size=len(GRID))
    s = channel()
    s[:, 0, 0] = noise
    assert np.isnan(causality_of_entries(s)[0, 0]) and quality(s).causality > 99
    still = quality(np.zeros((3, 2, 2), dtype=complex))
    assert still.causality == 100 and still.causality_of is None


def test_bands_have_their_bound_in_the_worse_one() -> None:
    assert [level(x, PASSIVE_OR_RECIPROCAL) for x in (80, 80.1, 99, 99.9, 99.91, 100)] == [
        "poor", "inconclusive", "inconclusive", "acceptable", "good", "good"]
    assert [level(x, CAUSAL) for x in (20, 20.1, 50, 80, 80.1)] == [
        "poor", "inconclusive", "inconclusive", "acceptable", "good"]


def test_two_frequencies_show_no_rotation() -> None:
    with pytest.raises(ValueError, match="at least three"):
        quality(np.zeros((2, 2, 2), dtype=complex))
