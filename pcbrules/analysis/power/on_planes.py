# SPDX-License-Identifier: MIT
"""The task of a rail with a layout: one for all that is asked of its impedance, so that it is solved once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.common.rail_gaps import rail_gap, rail_tags
from pcbrules.analysis.power.layout import BoundLayout, bind_layout
from pcbrules.analysis.power.layout_curves import LayoutTask, solve_layout
from pcbrules.analysis.power.rail_task import BoundRail
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.results.facts.base import Fact


def on_planes(
    fact: type, board: Board, name: str, rail: Rail, conditions: Conditions, bound: BoundRail,
    bind: Callable[..., Iterable[Fact]],
) -> Item:
    """The curves of a rail on its planes, every variant of an impedance included, or what its layout lacks.

    ``bind`` makes facts of board, name, rail, conditions, ``bound``, the layout and ``LayoutCurves``.
    """
    layout = bind_layout(board, name, rail, conditions, bound.over_frequency())
    if not isinstance(layout, BoundLayout):
        return rail_gap(fact, name, rail_tags(board, rail), layout)
    task = LayoutTask(layout.rail, layout.variants)
    return Planned(task, solve_layout, partial(bind, board, name, rail, conditions, bound, layout))
