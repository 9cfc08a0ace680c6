# SPDX-License-Identifier: MIT
"""Every rail with its model: the lumped ladder, or its planes where the board file has their layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pcbrules.analysis.common.every_rail import per_rail, rail_gap
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.power.layout import BoundLayout, bind_layout
from pcbrules.analysis.power.layout_curves import LayoutCurves, LayoutTask, solve_layout
from pcbrules.analysis.power.rail_task import BoundRail, bound_rail
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.results.facts.base import Fact

Lumped = Callable[[str, Rail, BoundRail], Planned]
OnPlanes = Callable[[str, Rail, BoundRail, BoundLayout, LayoutCurves], Iterable[Fact]]


def per_modelled_rail(
    board: Board, conditions: Conditions, fact: type, lumped: Lumped, on_planes: OnPlanes
) -> Iterator[Item]:
    """Plan a fact of the impedance of every rail, or yield the gap of what its ladder or its layout lacks.

    ``lumped`` plans it for a rail without a layout. ``on_planes`` makes it of the solved planes, whose task is one for
    all that is asked of the impedance of a rail and so is solved once.
    """

    def plan(name: str, rail: Rail) -> Iterator[Item]:
        bound = bound_rail(board, name, conditions)
        if not isinstance(bound, BoundRail):
            yield rail_gap(board, name, rail, fact, bound)
            return
        if rail.layout is None:
            yield lumped(name, rail, bound)
            return
        layout = bind_layout(board, name, rail, conditions, bound.over_frequency())
        if not isinstance(layout, BoundLayout):
            yield rail_gap(board, name, rail, fact, layout)
            return
        task = LayoutTask(layout.rail, layout.variants)
        yield Planned(task, solve_layout, partial(on_planes, name, rail, bound, layout))

    return per_rail(board, (fact,), plan)
