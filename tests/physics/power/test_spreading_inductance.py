# SPDX-License-Identifier: MIT
"""Inductance between vias in a plane pair: closed forms, laws, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from scipy.constants import mu_0

from pcbrules.physics.power.cavity import cavity_impedance
from pcbrules.physics.power.inductance import via_pair_inductance
from pcbrules.physics.power.spreading_inductance import PortInductance, spreading_inductance

D = 100e-6


def solved(ports: Any, reference: Any, holes: Any = (), *, a: float = 60e-3, b: float = 40e-3) -> PortInductance:
    return spreading_inductance(length=a, width=b, separation=D, ports=ports, reference=reference, holes=holes)


def test_far_from_the_edges_a_pair_is_the_two_wire_line() -> None:
    got = solved([[0.4, 0.5, 0.3e-3]], [[0.401, 0.5, 0.3e-3]], a=0.9, b=1.0).alone.item()
    assert got == pytest.approx(via_pair_inductance(height=D, spacing=1e-3, diameter=0.3e-3), rel=1e-5)


def test_a_wire_of_holes_round_the_port_raises_it_and_more_reference_vias_lower_it() -> None:
    port, one = [[20e-3, 20e-3, 0.25e-3]], [[26e-3, 20e-3, 0.25e-3]]
    free = solved(port, one)
    ring = [[20e-3 + 1e-3 * np.cos(t), 20e-3 + 1e-3 * np.sin(t), 0.4e-3] for t in np.arange(8) * np.pi / 4]
    assert solved(port, one, ring).alone > 1.02 * free.alone
    more = solved(port, [*one, [20e-3, 26e-3, 0.25e-3]])
    assert more.alone < free.alone
    assert more.share.sum() == pytest.approx(1, abs=1e-9)


def test_the_lossless_cavity_has_the_same_inductance() -> None:
    # Square ports of the cavity stand for round vias of 1.18 times half their width (equal mean distance)
    side, f = 0.2e-3, 1e6
    places = [[20e-3, 15e-3], [31e-3, 22e-3]]
    z = cavity_impedance(
        series=[2j * np.pi * f * mu_0 * D], shunt=[2j * np.pi * f * 1e-7], length=60e-3, width=40e-3,
        ports=[[*place, side, side] for place in places],
    )[0]
    loop = (z[0, 0] + z[1, 1] - 2 * z[0, 1]).imag / (2 * np.pi * f)
    radius = side * 0.44705  # geometric mean distance of a square from itself
    first, second = ([[*place, 2 * radius]] for place in places)
    assert solved(first, second).alone.item() == pytest.approx(loop, rel=2e-3)


@examples(20)
@given(
    turn=st.booleans(),
    shift=st.floats(0.0, 4e-3),
    diameter=st.floats(0.15e-3, 0.8e-3),
)
def test_reciprocal_passive_and_the_same_turned(turn: bool, shift: float, diameter: float) -> None:
    ports = [[10e-3 + shift, 12e-3, diameter], [14e-3 + shift, 12e-3, 0.3e-3], [30e-3, 30e-3, diameter]]
    back = [[40e-3, 20e-3 + shift, 0.3e-3], [42e-3, 20e-3, diameter]]
    hole = [[12e-3 + shift, 12e-3, 0.9e-3]]
    one = solved(ports, back, hole)
    assert (one.inductance == one.inductance.T).all()
    assert np.linalg.eigvalsh(one.inductance).min() > 0
    assert (one.others_shorted <= one.alone * (1 + 1e-9)).all()
    if turn:
        def swap(circles: Any) -> Any:
            return [[y, x, d] for x, y, d in circles]
        other = solved(swap(ports), swap(back), swap(hole), a=40e-3, b=60e-3)
    else:  # seen from the opposite corner
        def swap(circles: Any) -> Any:
            return [[60e-3 - x, 40e-3 - y, d] for x, y, d in circles]
        other = solved(swap(ports), swap(back), swap(hole))
    assert other.inductance == pytest.approx(one.inductance, rel=1e-4)


@pytest.mark.parametrize(("ports", "reference", "words"), [
    ([], [[1e-3, 1e-3, 1e-4]], "needed"),
    ([[5e-3, 5e-3, 0.0]], [[1e-3, 1e-3, 1e-4]], "no diameter"),
    ([[5e-3, 5e-3, 1e-3]], [[5.5e-3, 5e-3, 1e-4]], "overlap"),
    ([[59.95e-3, 5e-3, 3e-4]], [[5.5e-3, 5e-3, 1e-4]], "edge"),
])
def test_what_has_no_answer_is_refused(ports: Any, reference: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        solved(ports, reference)
