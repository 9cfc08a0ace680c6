# SPDX-License-Identifier: MIT
"""How many pairs of a supply and a ground plane has each rail?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_rail import per_rail, rail_gap, rail_tags
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.rail import Rail
from pcbrules.model.stack import Stack
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.platform import PlanePairs
from pcbrules.results.measured import exact

PROVIDES = (PlanePairs,)


def facts(board: Board, conditions: object) -> Iterator[Item]:
    """One fact per rail with planes; core and memory rails must name theirs."""
    return per_rail(board, PROVIDES, partial(_rail, board))


def _rail(board: Board, name: str, rail: Rail) -> Iterator[Item]:
    stack = board.stack
    if not rail.planes or stack is None:
        missing = Missing("the layers of this rail's planes are not declared", f"rails{under(name)}.planes")
        if rail.role in ("core", "memory"):
            yield rail_gap(board, name, rail, PlanePairs, [missing])
        else:
            yield Gap(fact=PlanePairs, subject=f"rails{under(name)}", where=("rails", name), applicable=False,
                      reason="the rail names no planes", tags=rail_tags(board, rail))
        return
    planes = list(dict.fromkeys(rail.planes))
    paired = [layer for layer in planes if _beside_ground(stack, layer)]
    roles = (("stackup", stack.copper(layer).index, "role") for layer in planes)
    yield PlanePairs(
        subject=f"rails{under(name)}",
        where=("rails", name, "planes"),
        tags=rail_tags(board, rail),
        pairs=exact(float(len(paired)), model="planes of the rail whose neighbour is a ground plane", basis="declared",
                    reads=(("rails", name, "planes"), *roles)),
        planes=tuple(planes),
        paired=tuple(paired),
    )


def _beside_ground(stack: Stack, layer: str) -> bool:
    """True where the copper layer above or below is a ground plane."""
    place = stack.coppers.index(stack.copper(layer))
    beside = [stack.coppers[i] for i in (place - 1, place + 1) if 0 <= i < len(stack.coppers)]
    return any(one.spec.role == "ground" for one in beside)
