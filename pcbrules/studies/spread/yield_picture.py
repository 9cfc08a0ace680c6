# SPDX-License-Identifier: MIT
"""The numbers that fail most as pictures: a histogram with the limit, and what moves them."""

from __future__ import annotations

from pcbrules.errors import InputError, Problem
from pcbrules.reports._plot import COLOURS, Curve, Panel, PlotArea, draw
from pcbrules.studies.spread.board_yield import BoardYield, SpreadNumber

SHOWN = 4
"""Numbers that are drawn."""
MOST_BARS = 8
"""Factors of a tornado."""
WIDTH = 520


def svg(found: BoardYield) -> str:
    """Draw histogram and tornado of the worst numbers. Raises InputError where none varies."""
    if not found.numbers:
        raise InputError([Problem("-o", 0, 0, "", "no number varies, so there is nothing to draw")])
    panels = [panel for one in found.numbers[:SHOWN] for panel in (_histogram(one), _tornado(one))]
    return draw(panels, title=f"{found.board}: yield", width=WIDTH)


def _histogram(one: SpreadNumber) -> Panel:
    low, high, counts = one.bars
    step = (high - low) / len(counts)
    boxes = [(low + at * step, 0.0, low + (at + 1) * step, float(count)) for at, count in enumerate(counts) if count]
    top = 1.05 * max(counts)
    limits = [Curve("limit" if not at else "", [end, end], [0.0, top], 1, dashed=True)
              for at, end in enumerate(one.ends)]
    ends = [low, high, *one.ends]
    room = 0.03 * (max(ends) - min(ends)) or 1.0
    unit = f" [{one.unit}]" if one.unit else ""
    return Panel(one.name, f"{one.rule}{unit}", "boards", (min(ends) - room, max(ends) + room), (0.0, top), limits,
                 areas=[PlotArea(COLOURS[0], boxes)])


def _tornado(one: SpreadNumber) -> Panel:
    shares = one.drivers[:MOST_BARS]
    boxes = [(at - 0.35, 0.0, at + 0.35, 100 * share) for at, (_, share) in enumerate(shares)]
    return Panel(f"{one.name}: what moves it", "", "share of the variance [%]", (-0.5, max(len(shares), 1) - 0.5),
                 (0.0, 100.0), [], names=[name for name, _ in shares], areas=[PlotArea(COLOURS[0], boxes)])
