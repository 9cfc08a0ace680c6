# SPDX-License-Identifier: MIT
"""Settings of the whole suite: one BLAS thread, reproducible property tests, bytecode for every process."""

from __future__ import annotations

import compileall
import os
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import pytest  # noqa: E402 (after the environment)
from hypothesis import settings  # noqa: E402

settings.register_profile("suite", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program once: where bytecode is not written, every process of a test would compile it anew."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(__file__).resolve().parents[1] / "pcbrules", quiet=2)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With several workers, a file's tests stay in one of them: they share what they read and solve."""
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)
