# SPDX-License-Identifier: MIT
"""The solver cache: who owns it, what it keeps, and how much."""

from __future__ import annotations

import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import numpy as np
import pytest

from pcbrules import engine
from pcbrules.solver_cache import ENTRY, SolverCache, process_cache, solved_once, used_cache

KIB = 1024


@dataclass(frozen=True)
class Blob:
    """A result with an array."""

    data: np.ndarray


@solved_once
def blob(size: int, *, seed: int = 0) -> Blob:
    """An array of so many KiB."""
    return Blob(np.full(size * KIB // 8, float(seed)))


@solved_once
def fails(number: int) -> int:
    """Has no result."""
    raise ValueError(number)


SHARED = np.zeros(KIB)


@solved_once
def part(number: int) -> np.ndarray:
    """A part of an array that others are parts of too."""
    return SHARED[number:]


def solves(cache: SolverCache) -> int:
    return sum(cache.solved.values())


def test_a_result_is_solved_once_in_a_cache_and_anew_in_another() -> None:
    with SolverCache().used() as cache:
        one = blob(4, seed=1)
        assert blob(4, seed=1) is one
        assert (cache.hits, solves(cache), len(cache)) == (1, 1, 1)
        assert cache.solved == {f"{__name__}.blob": 1}
        with SolverCache().used() as other:
            assert blob(4, seed=1) is not one
            assert used_cache() is other
        assert used_cache() is cache
    assert used_cache() is process_cache()


def test_what_is_raised_is_not_kept() -> None:
    with SolverCache().used() as cache:
        for _ in range(2):
            with pytest.raises(ValueError, match="3"):
                fails(3)
    assert len(cache) == 0


def test_the_size_is_that_of_the_arrays_and_stays_below_the_limit() -> None:
    with SolverCache(1024 * KIB).used() as cache:
        blob(100)
        assert 100 * KIB < cache.size < 100 * KIB + 2 * KIB
        for seed in range(50):
            blob(100, seed=seed)
            assert cache.size <= cache.limit
    assert 0 < len(cache) < 10
    cache.clear()
    assert (cache.size, len(cache), cache.hits, solves(cache)) == (0, 0, 0, 0)


def test_what_was_asked_for_lately_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcbrules.solver_cache.perf_counter", count().__next__)  # all take the same time
    with SolverCache(1024 * KIB).used():
        first = blob(100)
        for seed in range(1, 50):
            blob(100, seed=seed)
            assert blob(100) is first


def test_what_took_long_for_its_size_stays_and_goes_in_the_end() -> None:
    cache = SolverCache(1024 * KIB)
    with cache.used():
        dear = blob(1)
        (entry,) = cache._entries.values()
        entry.worth = entry.rank = 1e-3
        for seed in range(1, 50):
            blob(100, seed=seed)
        assert blob(1) is dear
        for seed in range(50, 100):
            blob(100, seed=seed)
            cache._gone += 1e-4
        assert blob(1) is not dear


def test_what_is_part_of_several_results_counts_once() -> None:
    with SolverCache().used() as cache:
        for number in range(20):
            part(number)
        assert sys.getsizeof(SHARED) < cache.size < sys.getsizeof(SHARED) + 20 * (ENTRY + KIB)
        cache.limit = 10
        part(20)
    assert (cache.size, len(cache), cache._shared) == (0, 0, {})


def test_a_result_larger_than_the_limit_is_handed_out_and_not_kept() -> None:
    with SolverCache(KIB).used() as cache:
        assert blob(100).data.nbytes == 100 * KIB
    assert (cache.size, len(cache)) == (0, 0)


def test_another_process_has_its_own() -> None:
    assert pickle.loads(pickle.dumps(SolverCache())) is process_cache()


def test_threads_of_an_executor_look_up_in_the_cache_that_the_engine_was_handed() -> None:
    cache, ready = SolverCache(), threading.Barrier(2)

    def task(number: int) -> int:
        ready.wait(10)  # both threads
        return number + len(blob(number, seed=7).data)

    with ThreadPoolExecutor(2) as pool:
        solve = engine._map(pool, cache)
        assert list(solve([(task, 1), (task, 2)])) == [1 + KIB // 8, 2 + 2 * KIB // 8]
    assert cache.solved[f"{__name__}.blob"] == 2
    assert len(cache) == 4
