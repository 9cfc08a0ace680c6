# SPDX-License-Identifier: MIT
"""Settings of the whole suite: one BLAS thread, reproducible property tests."""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

from hypothesis import settings  # noqa: E402 (after the environment)

settings.register_profile("suite", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("suite")
