# SPDX-License-Identifier: MIT
"""Settings of the whole suite: one BLAS thread, reproducible property tests, bytecode for every process."""

from __future__ import annotations

import compileall
import gc
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
# What pytest rewrites is kept for the next run: the tests and all of Hypothesis, half of the time of a collection.
sys.dont_write_bytecode = False

import numpy as np  # noqa: E402 (after the environment)
import pytest  # noqa: E402
from law_examples import load_profile  # noqa: E402

HERE = Path(__file__).resolve().parent

load_profile()


PLAIN = pytest.approx
FLOOR = 1e-12


def approx(expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> Any:
    """`pytest.approx` with a least tolerance that goes with the value: 1e-12 is more than many a capacitance in F."""
    if abs is None:
        values = list(expected.values()) if isinstance(expected, dict) else expected
        try:
            sizes = np.abs(np.asarray(values, dtype=complex))
        except (TypeError, ValueError):
            return PLAIN(expected, rel=rel, nan_ok=nan_ok)
        rel = 1e-6 if rel is None else rel
        abs = FLOOR * (float(sizes[np.isfinite(sizes)].max(initial=0.0)) or 1.0)
    return PLAIN(expected, rel=rel, abs=abs, nan_ok=nan_ok)


pytest.approx = approx


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program once: where bytecode is not written, every process of a test would compile it anew."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(HERE.parent / "pcbrules", quiet=2)


LONGEST = frozenset({
    "test_determinism.py", "test_boards.py", "test_cases.py", "test_cli_process.py", "test_report_browser.py",
    "test_doc_pages.py", "test_formula_laws.py", "test_influence.py"})
"""Files that take longest: begun first, so that no worker is left alone with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; within a file, and of the others, the order stays."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over all that is loaded now: it stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 40)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Pass over what the program's caches hold: collecting it five times at the end takes half a minute."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With several workers, a file's tests stay in one of them: they share what they read and solve."""
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


@pytest.fixture(scope="session")
def program() -> Iterator[tuple[str, ...]]:
    """The command of a process that runs the program and starts at once (see warm_start)."""
    if not hasattr(socket, "send_fds"):
        yield sys.executable, "-m", "pcbrules"
        return
    script = str(HERE / "warm_start.py")
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/s"
        server = subprocess.Popen([sys.executable, script, "--serve", place], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(HERE.parent)})
        with server:
            assert server.stdout is not None and server.stdout.readline() == b"ready\n"
            yield sys.executable, "-I", "-S", script, place
            assert server.poll() is None
