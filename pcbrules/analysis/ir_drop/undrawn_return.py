# SPDX-License-Identifier: MIT
"""The return of a rail that the board file does not draw: the supply's drawing on the ground planes next to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pcbrules.analysis.ir_drop.solve import Flow
from pcbrules.model.rail_copper import CopperSheet, CopperSide, SensePoint
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.stackup import Copper
from pcbrules.ties import least_of


def mirrored(side: CopperSide, stack: Stack) -> CopperSide:
    """The shapes, pads and balls of a supply on the nearest ground planes above and below each of its sheets.

    All of them carry the current, since vias join ground everywhere. Without a ground plane it is the supply itself.
    """
    drawn = {sheet.layer: stack.copper(sheet.layer) for sheet in side.sheets}
    found = {other.name for _, other in planes_beside(side, stack)}
    near = [one for one in stack.coppers if one.name in found]
    if not near:
        return side
    sheets = tuple(_nearest(side, drawn, one).model_copy(update={"layer": one.name}) for one in near)
    layers = tuple(one.name for one in near)
    sense = side.sense
    return side.model_copy(update={
        "sheets": sheets,
        "sources": tuple(source.model_copy(update={"layers": layers}) for source in side.sources),
        "balls": tuple(ball.model_copy(update={"layers": layers}) for ball in side.balls),
        "vias": (),
        "sense": SensePoint.model_construct(layer=layers[0], at=sense.at) if sense else None,
    })


def planes_beside(side: CopperSide, stack: Stack) -> list[tuple[Placed, Placed]]:
    """Each sheet of a side with the nearest ground planes above and below it."""
    drawn = [stack.copper(sheet.layer) for sheet in side.sheets]
    grounds = [one for one in _grounds(stack) if one not in drawn]
    return [(own, other) for own in drawn for other in _beside(own, grounds)]


def gaps_to_ground(own: Placed, stack: Stack) -> list[float]:
    """Between a copper layer and the nearest ground planes above and below it. [m]"""
    grounds = [one for one in _grounds(stack) if one is not own]
    return [gap for other in _beside(own, grounds) if (gap := max(own.top - other.bottom, other.top - own.bottom)) > 0]


def _grounds(stack: Stack) -> list[Placed]:
    return [one for one in stack.coppers if isinstance(one.spec, Copper) and one.spec.role == "ground"]


def no_better(mirror: Flow, supply: Flow) -> Flow:
    """The flow of an assumed return, of which no number is less than that of the supply."""
    if mirror.fault:
        return replace(supply, warm=None, upper=None)  # the supply's own necks are judged as its own
    vias = [via for via in (mirror.via, supply.via) if via is not None]
    more = mirror if mirror.loss >= supply.loss else supply
    return replace(
        mirror, drop=max(mirror.drop, supply.drop), below=max(mirror.below, supply.below),
        above=max(mirror.above, supply.above), loss=more.loss, barrels=more.barrels,
        pads=more.pads, via=max(vias, default=None), errors=more.errors,
    )


def _beside(own: Placed, grounds: Sequence[Placed]) -> list[Placed]:
    """The nearest planes above and below a layer."""
    above = [one for one in grounds if one.top < own.top]
    below = [one for one in grounds if one.top > own.top]
    return [*above[-1:], *below[:1]]


def _nearest(side: CopperSide, drawn: Mapping[str, Placed], ground: Placed) -> CopperSheet:
    """The supply's sheet that lies nearest to a ground plane."""
    return least_of(side.sheets, key=lambda sheet: abs(drawn[sheet.layer].top - ground.top))
