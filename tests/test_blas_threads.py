# SPDX-License-Identifier: MIT
"""Linear algebra has one thread during a call, and as many as before after it."""

from __future__ import annotations

import pytest
import scipy.linalg  # noqa: F401 (it comes with a library of its own)
from threadpoolctl import ThreadpoolController

from pcbrules import blas_threads
from pcbrules.blas_threads import one_blas_thread


def threads() -> set[int]:
    return {one["num_threads"] for one in ThreadpoolController().select(user_api="blas").info()}


@pytest.mark.parametrize("fails", [False, True])
def test_one_thread_while_it_runs(monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    @one_blas_thread
    def call() -> set[int]:
        if fails:
            raise ValueError
        return threads()

    for name in blas_threads._SET:
        monkeypatch.delenv(name, raising=False)
    with ThreadpoolController().limit(limits=2):
        before = threads()
        if fails:
            with pytest.raises(ValueError):
                call()
        else:
            assert call() == {1}
        assert threads() == before


def test_nothing_is_loaded_where_the_environment_says_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in blas_threads._SET:
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(blas_threads, "_libraries", lambda: pytest.fail("not needed"))
    assert one_blas_thread(lambda: 5)() == 5
