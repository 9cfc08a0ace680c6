# SPDX-License-Identifier: MIT
"""Plane pairs joined in depth: the same as one large nodal system, reciprocal, passive."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.networks.plane_stack import group_currents, loaded_port, rotation, stacked_impedance


def passive(rng: Any, count: int, points: int) -> Any:
    """Symmetric impedance matrices with a positive real part."""
    root, tilt = rng.normal(size=(points, count, count)), rng.normal(size=(points, count, count))
    return root @ root.transpose(0, 2, 1) + 0.1 * np.eye(count) + 1j * (tilt + tilt.transpose(0, 2, 1))


def nodal(pairs: Any, steps: Any, below: Any) -> Any:
    """Impedance matrix at the ends by the admittance matrix of all pairs at once."""
    depth, (points, count, _) = len(pairs), pairs[0].shape
    y = np.zeros((points, depth * count, depth * count), dtype=complex)
    for k, pair in enumerate(pairs):
        here = slice(k * count, (k + 1) * count)
        y[:, here, here] += np.linalg.inv(pair)
    for k, step in enumerate(steps):
        for g in range(count):
            i, j, branch = k * count + g, (k + 1) * count + g, 1 / step[:, g]
            y[:, i, i] += branch
            y[:, j, j] += branch
            y[:, i, j] -= branch
            y[:, j, i] -= branch
    ends = np.where(below, (depth - 1) * count, 0) + np.arange(count)
    return np.linalg.inv(y)[:, ends][:, :, ends]


@examples(30)
@given(
    depth=st.integers(1, 5), below=st.lists(st.booleans(), min_size=1, max_size=5), seed=st.integers(0, 10_000)
)
def test_one_large_nodal_system(depth: int, below: list[bool], seed: int) -> None:
    rng = np.random.default_rng(seed)
    flags, points = np.array(below), 70
    pairs = [passive(rng, len(flags), points) for _ in range(depth)]
    steps = [rng.uniform(0.1, 1, (points, len(flags))) + 1j * rng.normal(size=(points, len(flags)))
             for _ in range(depth - 1)]
    kept = [pair.copy() for pair in pairs]
    ends = rotation(rng.uniform(0.5, 3, len(flags)))
    turned = [ends.T @ pair @ ends for pair in pairs]
    joined = [ends.T @ (step[:, :, None] * ends) for step in steps]
    got = stacked_impedance(turned, joined, ends=ends, below=flags)
    assert got == pytest.approx(nodal(pairs, steps, flags), rel=1e-7, abs=1e-8)
    assert got == pytest.approx(got.transpose(0, 2, 1), rel=1e-9, abs=1e-12)
    assert np.linalg.eigvalsh((got.real + got.real.transpose(0, 2, 1)) / 2).min() > -1e-9
    plain = [step[:, :, None] * np.eye(len(flags)) for step in steps]
    assert stacked_impedance(pairs, plain, ends=np.eye(len(flags)), below=flags) == pytest.approx(got, rel=1e-9)
    assert all((one == other).all() for one, other in zip(pairs, kept, strict=True))


def test_a_rotation_leaves_the_whole_current_to_one() -> None:
    total = np.array([3.0, -1.0, 0.0, 2.0])
    turned = rotation(total)
    assert turned @ turned.T == pytest.approx(np.eye(4))
    assert np.abs(turned.T @ total) == pytest.approx([14**0.5, 0, 0, 0], abs=1e-12)


def test_a_large_common_impedance_takes_no_digits() -> None:
    # two plane pairs whose capacitance is 1e9 times their spreading: what is left between the groups
    rng = np.random.default_rng(5)
    own = passive(rng, 3, 4)
    for common in (1e5, 1e9):
        ends = rotation(np.ones(3))
        pair = ends.T @ own @ ends
        pair[:, 0, 0] += 3 * common
        step = ends.T @ (0.1 * np.eye(3)) @ ends + np.zeros((4, 1, 1), complex)
        z = stacked_impedance([pair, pair], [step], ends=ends, below=np.zeros(3, bool))
        differences = z[:, :1, :1] - z[:, :1, 1:2] - z[:, 1:2, :1] + z[:, 1:2, 1:2]
        if common == 1e5:
            want = differences
    assert differences == pytest.approx(want, rel=1e-5)


def test_loads_an_open_group_and_a_tied_port() -> None:
    rng = np.random.default_rng(1)
    network = passive(rng, 4, 3)
    loads = np.array([[0.0, 0.0, 0.5 + 1j, np.inf]] * 3)
    z = loaded_port(network, loads=loads, port=np.array([1.0, 1.0, 0.0, 0.0]))
    y = np.linalg.inv(network[:, :3, :3] + np.diag([0, 0, 0.5 + 1j]))
    assert 1 / z == pytest.approx(y[:, :2, :2].sum(axis=(1, 2)))
    current = group_currents(network, loads=loads, port=np.array([1.0, 1.0, 0.0, 0.0]))
    assert (current[:, 3] == 0).all()
    assert current[:, :2].sum(axis=1) == pytest.approx(1 / z)


def test_steps_and_pairs_must_match() -> None:
    with pytest.raises(ValueError, match="one step"):
        stacked_impedance([np.eye(2)[None] + 0j], [np.ones((1, 2, 2)) + 0j], ends=np.eye(2), below=np.zeros(2, bool))
