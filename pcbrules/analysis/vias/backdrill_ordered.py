# SPDX-License-Identifier: MIT
"""Which plated holes of links would leave a stub, and is a drill ordered for it?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_link import link_gap, no_vias, per_link
from pcbrules.analysis.common.layer_heights import height
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.vias.plated_holes import Barrel, BarrelEnd, barrels
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed
from pcbrules.phrases import under
from pcbrules.results.facts.stackup import SHORTER, StubRemoval
from pcbrules.results.measured import exact
from pcbrules.units import show

PROVIDES = (StubRemoval,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per barrel end that reaches beyond the layer in use; the rule does not apply to the others."""
    return per_link(board, PROVIDES, partial(_link, board))


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    yield from no_vias(board, link, StubRemoval)
    for barrel in barrels(board, link):
        for end in barrel.ends:
            subject = f"{link.subject}.path{under(barrel.step.name)}.{end.side}"
            if end.undrilled == 0:
                none = Missing("the barrel ends at the layer in use", "", barrel.step.path)
                yield link_gap(board, link, StubRemoval, none, subject=subject, applicable=False)
            elif end.gap is not None:
                yield link_gap(board, link, StubRemoval, Missing(*end.gap, end.reads[0]), subject=subject)
            else:
                yield _end(board, barrel, end, subject, board.link_tags(link))


def _end(board: Board, barrel: Barrel, end: BarrelEnd, subject: str, tags: dict[str, str]) -> StubRemoval:
    layers = _beyond(barrel, end)
    return StubRemoval(
        subject=subject,
        where=end.reads[0] if end.removed else ("via_types", barrel.via.type),
        tags=tags,
        undrilled=height(board, layers).measured(
            "layer heights", reads=(*end.reads, *(("stackup", p.index, "thickness") for p in layers))),
        side=end.side,
        removed=end.removed,
        left=exact(end.worst, model="layer heights and the drill's worst depth", basis="computed", reads=end.reads),
        drill=_drill(end),
    )


def _beyond(barrel: Barrel, end: BarrelEnd) -> tuple[Placed, ...]:
    """The layers that the barrel crosses beyond the layer in use."""
    stack, (upper, lower) = barrel.stack, barrel.used
    first, last = (stack.place(stack.copper(name)) for name in barrel.kind.span)
    if end.side == "top":
        return stack.layers[first : stack.place(upper)]
    return stack.layers[stack.place(lower) + 1 : last + 1]


def _drill(end: BarrelEnd) -> str:
    if not end.removed:
        return f"no backdrill from the {end.side}"
    if end.worst >= end.undrilled * SHORTER:
        return f"the backdrill from the {end.side} may take off nothing at its worst depth"
    return f"a backdrill from the {end.side} leaves {show(end.nominal, 'mil')}"
