# SPDX-License-Identifier: MIT
"""Two hundred fuzz cases; `make fuzz` runs twenty thousand."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from fuzz_boards import Runner, cases


def test_two_hundred_boards() -> None:
    runner = Runner()
    by_board = sorted(cases(seed=1, count=200), key=lambda case: (case.original, case.profile))  # they share tasks
    codes = Counter(runner.run(case) for case in by_board)
    assert sum(codes.values()) == 200
    assert codes[2] >= 40
    assert codes[0] + codes[1] + codes[3] >= 80
