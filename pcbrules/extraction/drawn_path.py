# SPDX-License-Identifier: MIT
"""The path of a pair from part to part: stretches on a layer, and changes of layer between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pcbrules.extraction.pair_gap import GapOnLayer, gap_on_layer
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia, Track
from pcbrules.layout.layers import heights
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.net_copper import NetCopper, copper_of
from pcbrules.layout.parts import LayoutPart
from pcbrules.layout.routes import NoRoute, RouteStep, route
from pcbrules.ties import least_of


@dataclass(frozen=True, slots=True)
class DrawnStretch:
    """Both legs on one layer, one after the other in the path: lengths along their ways [m], width and gap."""

    layer: str
    length_p: float
    length_n: float
    gap: GapOnLayer


@dataclass(frozen=True, slots=True)
class DrawnChange:
    """A change of layer: from which to which, and the vias of both legs."""

    enter: str
    leave: str
    p: LayoutVia
    n: LayoutVia


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """The path of a pair, from the parts at its first pads to those at its second ones: of P and of N."""

    pair: NetPair
    first: tuple[LayoutPart, LayoutPart]
    last: tuple[LayoutPart, LayoutPart]
    steps: tuple[DrawnStretch | DrawnChange, ...]


@dataclass(frozen=True, slots=True)
class _LegPart:
    """A leg on one layer: its length, tracks, and the place where it ends. [m]"""

    layer: str
    length: float
    tracks: tuple[Track, ...]
    end: Point


def drawn_path(layout: Layout, pair: NetPair) -> DrawnPath | NoRoute:
    """Follow both nets of a pair; a reason where they have no such path, or change layers in another order."""
    copper = copper_of(layout, [pair.p, pair.n])
    depths, order = heights(layout.layers), tuple(one.name for one in layout.copper)
    ways = []
    for net in (pair.p, pair.n):
        way = route(copper[net], depths, order)
        if isinstance(way, NoRoute):
            return NoRoute(f"{net}: {way.reason}")
        ways.append(way)
    owners = {id(pad): part for part in layout.parts for pad in part.pads}
    (p_first, p_last), (n_first, n_last) = (copper[net].pads for net in (pair.p, pair.n))
    there = math.dist(p_first.at, n_first.at) + math.dist(p_last.at, n_last.at)
    if there > math.dist(p_first.at, n_last.at) + math.dist(p_last.at, n_first.at):  # N is drawn the other way
        ways[1] = tuple(one.reversed() for one in ways[1][::-1])
        n_first, n_last = n_last, n_first
    if any(id(pad) not in owners for pad in (p_first, p_last, n_first, n_last)):
        return NoRoute("an end of it is a pad that belongs to no part")
    p, n = (_parts(way) for way in ways)
    if [one.layer for one in p] != [one.layer for one in n]:
        return NoRoute("its nets change layers in another order")
    return DrawnPath(pair, (owners[id(p_first)], owners[id(n_first)]), (owners[id(p_last)], owners[id(n_last)]),
                     tuple(_steps(p, n, copper[pair.p], copper[pair.n])))


def _parts(way: Sequence[RouteStep]) -> list[_LegPart]:
    """A way as parts on one layer each; what lies in a pad or a link counts to its layer."""
    found: list[_LegPart] = []
    for step in way:
        if not step.layer:
            continue
        tracks = (step.piece.track,) if step.piece else ()
        end = step.piece.at(1.0) if step.piece else None
        if found and found[-1].layer == step.layer:
            before = found[-1]
            found[-1] = replace(before, length=before.length + step.length, tracks=before.tracks + tracks,
                                end=end or before.end)
        else:
            found.append(_LegPart(step.layer, step.length, tracks, end or (math.nan, math.nan)))
    return [one for one in found if one.tracks]


def _steps(
    p: Sequence[_LegPart], n: Sequence[_LegPart], copper_p: NetCopper, copper_n: NetCopper
) -> Iterator[DrawnStretch | DrawnChange]:
    for place, (one, other) in enumerate(zip(p, n, strict=True)):
        if place:
            yield DrawnChange(p[place - 1].layer, one.layer, _via(copper_p, p[place - 1].end),
                              _via(copper_n, n[place - 1].end))
        gap = gap_on_layer(one.layer, tuple(dict.fromkeys(one.tracks)), tuple(dict.fromkeys(other.tracks)))
        yield DrawnStretch(one.layer, one.length, other.length, gap)


def _via(copper: NetCopper, at: Point) -> LayoutVia:
    """The via of a net that is nearest to the end of a stretch before a change of layer."""
    return least_of(copper.vias, key=lambda one: math.dist(one.at, at))
