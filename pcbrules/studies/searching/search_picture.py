# SPDX-License-Identifier: MIT
"""A search as a picture: every candidate that passes by cost and margin, and the line that none of them is above."""

from __future__ import annotations

from pcbrules.errors import InputError, Problem
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.studies.moves.costs import PARTS
from pcbrules.studies.searching.stackup_search import StackupSearch

WIDTH = 620
"""Of the picture [px]."""

CELLS = 160
"""Places along either axis at which one mark stands for all candidates."""

ROOM = 0.06
"""Part of the range that is left on either side [-]."""


def svg(found: StackupSearch) -> str:
    """Draw the margins of the candidates over their costs.

    Raises
    ------
    InputError
        No candidate passes, or none has a margin.
    """
    points = [(one.cost / PARTS, one.margin) for one in found.points if one.margin is not None]
    if not points:
        raise InputError([Problem("--picture", 0, 0, "", "there is no margin to draw",
                                  found="no candidate that passes" if not found.points else "no number")])
    share = 1.0 if found.unit else 100.0
    rated = [(cost / PARTS, margin) for cost, margin in found.explored.rated]
    start = [(0.0, found.start.margin)] if found.start is not None and not found.start_blocked else []
    every = [*rated, *points, *start]
    xs, ys = [x for x, _ in every], [share * y for _, y in every]
    across, up = _ends(xs), _ends(ys)
    marks: dict[tuple[int, int], tuple[float, float]] = {}
    for x, y in rated:
        place = (round(CELLS * (x - across[0]) / (across[1] - across[0])),
                 round(CELLS * (share * y - up[0]) / (up[1] - up[0])))
        marks.setdefault(place, (x, share * y))
    line: list[tuple[float, float]] = []
    for x, y in points:  # a step: what a cost gives, it gives until the next stackup
        line += [*([(x, line[-1][1])] if line else []), (x, share * y)]
    line.append((across[1], line[-1][1]))
    unit = found.unit or "%"
    curves = [
        Curve("passes", [x for x, _ in marks.values()], [y for _, y in marks.values()], 5, marks=True),
        Curve("most margin for a cost", [x for x, _ in line], [y for _, y in line], 0),
        Curve("stackups of the answer", [x for x, _ in points], [share * y for _, y in points], 0, marks=True),
        *([Curve("starting board", [0.0], [share * start[0][1]], 1, marks=True)] if start else []),
    ]
    panel = Panel(f"{found.board}: least margin over cost", "cost index over the starting board", f"margin [{unit}]",
                  across, up, curves)
    return draw([panel], title=f"{found.board}: stackups", width=WIDTH)


def _ends(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = ROOM * (high - low) or 0.1 * abs(high) or 1.0
    return low - room, high + room
