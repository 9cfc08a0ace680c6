# SPDX-License-Identifier: MIT
"""How the tracks, vias and pads of a net are joined: points on layers, and the stretches between them.

Tracks that end at one point are joined there. An end that meets nothing is joined to what its copper touches: a pad, a
via or the body of another track, by a straight line to the pad's or the via's centre or to the other centre line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Track
from pcbrules.layout.net_copper import NetCopper
from pcbrules.layout.pieces import Piece, nearest

Spot = tuple[str, int, int]
"""Layer, and coordinates in nanometres."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A way from one spot to the next: a stretch of track, or a straight link, or a part of a barrel. [m]"""

    to: Spot
    length: float
    piece: Piece | None = None


@dataclass
class NetGraph:
    """What can be reached from every spot."""

    steps: dict[Spot, list[Hop]] = field(default_factory=dict)

    def join(self, a: Spot, b: Spot, length: float, piece: Piece | None = None) -> None:
        """Add a step in both directions. [m]"""
        self.steps.setdefault(a, []).append(Hop(b, length, piece))
        self.steps.setdefault(b, []).append(Hop(a, length, piece.reversed() if piece else None))


def spot(layer: str, at: Point) -> Spot:
    """A point on a layer, to the nanometre."""
    return layer, round(at[0] * 1e9), round(at[1] * 1e9)


def graph(net: NetCopper, depths: dict[str, float], order: tuple[str, ...]) -> NetGraph:
    """Join all that a net has.

    Parameters
    ----------
    net : NetCopper
    depths : dict
        Depth of each copper layer; without one of a via's layers, the via joins nothing. [m]
    order : tuple of str
        Copper layers from top to bottom.
    """
    cuts: dict[int, set[float]] = {}
    on_layer: dict[str, list[tuple[int, Track]]] = {}
    for index, track in enumerate(net.tracks):
        on_layer.setdefault(track.layer, []).append((index, track))
    links: list[tuple[Spot, Spot, float]] = []
    ends: dict[Spot, list[float]] = {}
    for track in net.tracks:
        for end in (track.start, track.end):
            ends.setdefault(spot(track.layer, end), []).append(track.width)
    fixed = {spot(layer, at) for layer, at, _ in _anchors(net, order)}
    for loose, widths in ends.items():
        if len(widths) == 1 and loose not in fixed:
            links += _held(loose, widths[0] / 2, net, order) or _touched(loose, widths[0] / 2, on_layer, cuts)
    linked = {end for _, end, _ in links}
    for layer, at, reach in _anchors(net, order):
        centre = spot(layer, at)
        if centre not in ends and centre not in linked:
            links += _touched(centre, reach, on_layer, cuts)[:1]
    made = NetGraph()
    for index, track in enumerate(net.tracks):
        shares = sorted({0.0, 1.0, *cuts.get(index, ())})
        for first, last in pairwise(shares):
            piece = Piece(track, first, last)
            made.join(spot(track.layer, piece.at(0.0)), spot(track.layer, piece.at(1.0)), piece.length, piece)
    for a, b, length in links:
        made.join(a, b, length)
    _barrels(net, depths, order, made)
    return made


def _anchors(net: NetCopper, order: tuple[str, ...]) -> Iterator[tuple[str, Point, float]]:
    """Layer and centre of each via and pad, and how far its copper goes at least. [m]"""
    for via in net.vias:
        for layer in span(order, via.first, via.last):
            yield layer, via.at, via.pad_on(layer) / 2
    for pad in net.pads:
        for layer in pad.layers:
            shape = pad.shape_on(layer)
            yield layer, pad.at, min(shape.width, shape.height) / 2


def span(order: tuple[str, ...], first: str, last: str) -> tuple[str, ...]:
    """Copper layers from one to another, both included."""
    return order[order.index(first) : order.index(last) + 1]


def _place(one: Spot) -> Point:
    return one[1] * 1e-9, one[2] * 1e-9


def _held(loose: Spot, reach: float, net: NetCopper, order: tuple[str, ...]) -> list[tuple[Spot, Spot, float]]:
    """Links from a loose end to the centres of pads and vias that its round end, of radius `reach`, touches. [m]"""
    layer, at = loose[0], _place(loose)
    found = [pad.at for pad in net.pads if layer in pad.layers and pad.shape_on(layer).holds(at, reach)]
    found += [via.at for via in net.vias if layer in span(order, via.first, via.last)
              and math.dist(via.at, at) <= via.pad_on(layer) / 2 + reach + 1e-9]
    return [(loose, spot(layer, centre), math.dist(at, centre)) for centre in found]


def _touched(
    at: Spot, reach: float, on_layer: dict[str, list[tuple[int, Track]]], cuts: dict[int, set[float]]
) -> list[tuple[Spot, Spot, float]]:
    """Links from a point to the centre lines of other tracks, which are cut there. [m]

    `reach` is how far copper goes round the point: tracks are linked whose copper touches it. [m]
    """
    point = _place(at)
    found = []
    for index, track in on_layer.get(at[0], ()):
        if at in (spot(track.layer, track.start), spot(track.layer, track.end)):
            continue
        share, distance = nearest(track, point)
        if distance <= reach + track.width / 2 + 1e-9:
            if 0 < share < 1:
                cuts.setdefault(index, set()).add(share)
            found.append((at, spot(track.layer, Piece(track, share, share).at(0.0)), distance))
    return found


def _barrels(net: NetCopper, depths: dict[str, float], order: tuple[str, ...], made: NetGraph) -> None:
    """Join the layers of each via by its height, those of a plated pad without."""
    for via in net.vias:
        layers = span(order, via.first, via.last)
        for a, b in pairwise(layers):
            if a in depths and b in depths:
                made.join(spot(a, via.at), spot(b, via.at), abs(depths[b] - depths[a]))
        for pad in net.pads:
            for layer in set(layers) & set(pad.layers):
                if spot(layer, via.at) != spot(layer, pad.at) and pad.shape_on(layer).holds(via.at):
                    made.join(spot(layer, via.at), spot(layer, pad.at), math.dist(via.at, pad.at))
    for pad in net.pads:
        for a, b in pairwise(pad.layers):
            made.join(spot(a, pad.at), spot(b, pad.at), 0.0)
