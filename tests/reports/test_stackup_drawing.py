# SPDX-License-Identifier: MIT
"""The picture of a stackup: ground beside a trace."""

from __future__ import annotations

import re

from pcbrules.reports.html._stackup import BESIDE, _traces
from pcbrules.results.exhibit import DrawnTrace


def test_ground_is_drawn_on_both_sides_of_a_trace() -> None:
    trace = DrawnTrace(0, 1e-4, 1e-4, 2e-4, True, 100.0, 0.0, ("a",), ground=1.5e-4)
    svg = "".join(_traces([trace], 0.0, 10.0, 1e5, 360))
    starts = [float(x) for x in re.findall(r'<rect class="copper ground" x="([0-9.]+)"', svg)]
    # two legs of 10 with 20 between them, 15 to the ground on either side
    assert starts[1] - starts[0] == BESIDE + 15 + 40 + 15
    assert "copper ground" not in "".join(_traces([DrawnTrace(0, 1e-4, 1e-4, None, True, 50.0, 0.0, ("a",))], 0.0, 10.0,
                                                  1e5, 360))
