# SPDX-License-Identifier: MIT
"""Length of a net from pad to pad.

The way follows the centre lines as drawn; inside the two end pads it is the straight line from the edge of the pad to
its centre; a change of layer counts from the centre of the copper that is left to the centre of the copper that is
reached. Only a net with two pads has two ends; which of several are meant is not guessed.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from pcbrules.layout.net_copper import MOST, NetCopper
from pcbrules.layout.net_graph import Hop, NetGraph, Spot, graph, spot
from pcbrules.layout.parts import PartPad
from pcbrules.layout.pieces import Piece


@dataclass(frozen=True, slots=True)
class NoRoute:
    """Why a net has no length from pad to pad, or a pair; ``among`` has of each net whose ends are open the references
    of the parts of which two are the ends.
    """

    reason: str
    among: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RouteStep:
    """A part of a way: its length [m], its layer, empty within a barrel, and its stretch of track where it is one."""

    length: float
    layer: str
    piece: Piece | None = None

    def reversed(self) -> RouteStep:
        """The same the other way."""
        return RouteStep(self.length, self.layer, self.piece.reversed() if self.piece else None)


def pad_to_pad(net: NetCopper, depths: dict[str, float], order: tuple[str, ...]) -> float | NoRoute:
    """Length from the centre of one pad to that of the other [m]; parameters as of ``route``."""
    found = route(net, depths, order)
    return found if isinstance(found, NoRoute) else math.fsum(one.length for one in found)


def route(net: NetCopper, depths: dict[str, float], order: tuple[str, ...]) -> tuple[RouteStep, ...] | NoRoute:
    """The way from the centre of the first pad of a net to that of the second.

    Parameters
    ----------
    net : NetCopper
    depths : dict
        Depth of each copper layer; empty where the build-up leaves it open. [m]
    order : tuple of str
        Copper layers from top to bottom.
    """
    if len(net.pads) != 2:
        return NoRoute(f"{len(net.pads)} pads: its ends are open" if net.pads else "no pad")
    if not net.tracks:
        return NoRoute("no track")
    if net.size > MOST:
        return NoRoute(f"more than {MOST} tracks and vias")
    first, last = net.pads
    made = graph(net, depths, order)
    way = _shortest(made, first, last)
    if way is None:
        if net.vias and not depths:
            return NoRoute("the heights of its vias are unknown")
        return NoRoute("its pads are not joined by tracks and vias")
    from_last = _trimmed([one.reversed() for one in _trimmed(way, first)[::-1]], last)
    return tuple(one.reversed() for one in from_last[::-1])


def _shortest(made: NetGraph, first: PartPad, last: PartPad) -> list[RouteStep] | None:
    """The shortest way between two pads; None where there is none."""
    goals = {spot(layer, last.at) for layer in last.layers}
    starts = [spot(layer, first.at) for layer in first.layers]
    reached: dict[Spot, float] = dict.fromkeys(starts, 0.0)
    came: dict[Spot, tuple[Spot, Hop]] = {}
    queue = [(0.0, one) for one in sorted(starts)]
    while queue:
        length, here = heapq.heappop(queue)
        if here in goals:
            way = []
            while here in came:
                before, step = came[here]
                way.append(RouteStep(step.length, here[0] if before[0] == here[0] else "", step.piece))
                here = before
            return way[::-1]
        if length > reached[here]:
            continue
        for step in made.steps.get(here, ()):
            if length + step.length < reached.get(step.to, math.inf):
                reached[step.to] = length + step.length
                came[step.to] = here, step
                heapq.heappush(queue, (length + step.length, step.to))
    return None


def _trimmed(way: list[RouteStep], pad: PartPad) -> list[RouteStep]:
    """The way from a pad, with the straight line to the pad's centre in place of what is drawn inside the pad."""
    for index, edge in enumerate(way):
        if not edge.length:
            continue
        if edge.layer not in pad.layers:
            break
        if edge.piece is None or pad.shape_on(edge.layer).holds(edge.piece.at(1.0)):
            continue
        share = _leaves(edge.piece, pad, edge.layer)
        straight = math.dist(pad.at, edge.piece.at(share))
        rest = edge.piece.from_share(share)
        return [RouteStep(straight, edge.layer), RouteStep(rest.length, edge.layer, rest), *way[index + 1 :]]
    return way


def _leaves(piece: Piece, pad: PartPad, layer: str) -> float:
    """Share of a stretch at which it leaves a pad that its far end does not lie in."""
    shape = pad.shape_on(layer)
    inside, outside = 0.0, 1.0
    if not shape.holds(piece.at(0.0)):
        return 0.0
    for _ in range(40):
        middle = (inside + outside) / 2
        if shape.holds(piece.at(middle)):
            inside = middle
        else:
            outside = middle
    return inside
