# SPDX-License-Identifier: MIT
"""Example boards as parameters of a test: some in each run, the others with the long tests; and their reports."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.results.report import Report

BOARDS = Path(__file__).resolve().parents[1] / "boards"


def some(boards: Iterable[Path], *kept: str) -> list[Any]:
    """Parameters with the names of the boards as ids; those that are not ``kept`` are long."""
    return [pytest.param(board, id=board.stem, marks=[] if board.stem in kept else [pytest.mark.long])
            for board in boards]


@cache
def board_report(name: str, profile: str, *, fixes: bool = True) -> Report:
    """The report of an example board with its pictures, judged once for all tests that look at it."""
    return api.check(api.load(str(BOARDS / name)), profile, exhibits=True, fixes=fixes)
