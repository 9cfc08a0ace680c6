# SPDX-License-Identifier: MIT
"""A sample of the fuzz cases; `make fuzz` runs twenty thousand boards and as many other files."""

from __future__ import annotations

from collections import Counter

import fuzz_files
from fuzz_boards import Runner, cases


def test_a_few_boards() -> None:
    runner = Runner()
    few = cases(seed=1, count=3, folders=["small"])
    by_board = sorted(few, key=lambda case: (case.original, case.profile))  # they share tasks
    codes = Counter(runner.run(case) for case in by_board)
    assert sum(codes.values()) == 3
    assert codes[2] and codes[2] < 3, "some are read, some are refused"


def test_two_hundred_files_beside_a_board() -> None:
    outcomes, broken = fuzz_files.run(seed=1, count=200)
    assert not broken, broken[0]
    assert len(outcomes) == 8 and sum(outcomes.values()) == 200
