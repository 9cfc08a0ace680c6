# SPDX-License-Identifier: MIT
"""Example boards as parameters of a test: some in each run, the others with the long tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest


def some(boards: Iterable[Path], *kept: str) -> list[Any]:
    """Parameters with the names of the boards as ids; those that are not ``kept`` are long."""
    return [pytest.param(board, id=board.stem, marks=[] if board.stem in kept else [pytest.mark.long])
            for board in boards]
