# SPDX-License-Identifier: MIT
"""Check figures of workloads: arithmetic on published models, and where published texts contradict it."""

from __future__ import annotations

import pytest

from pcbrules.physics.workload.memory import activation_memory, key_value_cache, parameter_memory
from pcbrules.physics.workload.rate import all_reduce_traffic, compute_rate, decode_rate, training_time, weights_read

GB, TB = 1e9, 1e12
LLAMA_70B = {"layers": 80.0, "kv_heads": 8.0, "head_size": 128.0}


@pytest.mark.parametrize(("parameters", "bf16"), [(7e9, 14), (13e9, 26), (34e9, 68), (70e9, 140), (180e9, 360)])
def test_weights(parameters: float, bf16: float) -> None:
    assert parameter_memory(parameters=parameters, bytes_each=2) == pytest.approx(bf16 * GB)
    assert parameter_memory(parameters=parameters, bytes_each=1) == pytest.approx(bf16 * GB / 2)


@pytest.mark.parametrize(
    ("parameters", "bytes_each", "expected"),
    [(7e9, 12, 84 * GB), (70e9, 12, 840 * GB), (70e9, 16, 1.12 * TB), (70e9, 20, 1.4 * TB), (175e9, 16, 2.8 * TB),
     (175e9, 8, 1.4 * TB), (175e9, 12, 2.1 * TB)],
)
def test_state_of_training(parameters: float, bytes_each: float, expected: float) -> None:
    assert parameter_memory(parameters=parameters, bytes_each=bytes_each) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tokens", "batch", "expected"),
    [(1, 1, 320 * 1024), (4096, 32, 42.9 * GB), (8192, 1, 2.68 * GB), (131072, 1, 42.9 * GB), (32768, 16, 171.8 * GB),
     (32768, 4, 42.9 * GB)],
)
def test_cache_of_llama_70b(tokens: float, batch: float, expected: float) -> None:
    found = key_value_cache(**LLAMA_70B, tokens=tokens, batch=batch, bytes_each=2)
    assert found == pytest.approx(expected, rel=2e-3)


def test_cache_with_all_heads_is_eight_times_as_large() -> None:
    """The guide's formula has the heads of the queries; its figure of 32 GB to 48 GB those of keys and values."""
    found = key_value_cache(**LLAMA_70B | {"kv_heads": 64}, tokens=4096, batch=32, bytes_each=2)
    assert found == pytest.approx(344 * GB, rel=2e-3)


@pytest.mark.parametrize(
    ("bandwidth", "weights", "cache", "expected"),
    [(8e12, 70 * GB, 0, 114.3), (8e12, 70 * GB, 2.684 * GB, 110.1), (1.79e12, 40 * GB, 0, 44.8),
     (4.8e12, 40 * GB, 0, 120)],
)
def test_ceiling_of_one_stream(bandwidth: float, weights: float, cache: float, expected: float) -> None:
    assert decode_rate(bandwidth=bandwidth, weights=weights, kept=cache, batch=1) == pytest.approx(expected, rel=2e-3)


def test_streams_share_the_weights() -> None:
    many = decode_rate(bandwidth=8e12, weights=70 * GB, kept=2.684 * GB, batch=32)
    assert many == pytest.approx(32 * 8e12 / (70 * GB + 32 * 2.684 * GB))
    assert many > 14 * 110


def test_operations_of_llama_405b() -> None:
    """15.6 T tokens take 3.8e25 operations."""
    assert training_time(parameters=405e9, tokens=15.6e12, operations=1e15) * 1e15 == pytest.approx(3.8e25, rel=3e-3)
    assert compute_rate(operations=2 * 405e9, parameters=405e9) == pytest.approx(1)


def test_activations_are_forgotten_or_computed_again() -> None:
    shape = {"layers": 32.0, "tokens": 2048.0, "batch": 1.0, "hidden": 4096.0, "heads": 32.0}
    assert activation_memory(**shape) == pytest.approx(32 * 2048 * 4096 * (34 + 5 * 32 * 2048 / 4096))
    assert activation_memory(**shape, recomputed=True) == pytest.approx(2 * 32 * 2048 * 4096)


def test_ring_sends_nearly_twice_the_data() -> None:
    assert all_reduce_traffic(devices=2, values=100, bytes_each=2) == pytest.approx(200)
    assert all_reduce_traffic(devices=72, values=100, bytes_each=2) == pytest.approx(400 * 71 / 72)


def test_many_streams_read_nearly_all_experts() -> None:
    """DeepSeek-V3: 37 of 671 B for one stream; for 64 streams nearly all."""
    assert weights_read(weights=671e9, active=37 / 671, batch=1) == pytest.approx(37e9)
    assert weights_read(weights=671e9, active=37 / 671, batch=64) > 0.97 * 671e9
    assert weights_read(weights=140e9, active=1, batch=7) == 140e9
