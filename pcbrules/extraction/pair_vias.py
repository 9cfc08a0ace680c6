# SPDX-License-Identifier: MIT
"""The vias of a pair: which layers they join, the openings in the planes round them, and the nearest ground vias."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import shapely

from pcbrules.extraction.holes import spans_of
from pcbrules.extraction.planar import spots
from pcbrules.extraction.plane_sheet import PlaneSheet
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia
from pcbrules.layout.drawn_pairs import joined_layers
from pcbrules.layout.layout import Layout
from pcbrules.layout.net_copper import NetCopper, copper_of
from pcbrules.ties import ordered

GROUND = re.compile(r"(.*/)?[+-]?([ADPSCEH]?GND|VSS)[A-Z0-9_]*", re.IGNORECASE)
"""Names of nets that are taken for ground; nothing is judged by a name."""

NEAREST = 3
"""Ground vias that are listed."""


@dataclass(frozen=True, slots=True)
class PlaneOpening:
    """What a plane leaves free round a via.

    Attributes
    ----------
    layer : str
    clear : float
        From the axis of the via to the nearest filled copper; less than zero where the via stands in it. [m]
    area, width, height : float or None
        Of the void that a fill runs round, and of its box; None where none does. [m^2], [m]
    vias : int
        Vias of the layout that stand in that void, this one included; 0 without one.
    """

    layer: str
    clear: float
    area: float | None
    width: float | None
    height: float | None
    vias: int


@dataclass(frozen=True, slots=True)
class NearVia:
    """A ground via: its distance from axis to axis [m], place, and net."""

    distance: float
    at: Point
    net: str


@dataclass(frozen=True, slots=True)
class DrawnVia:
    """A via of a pair, by net and place; the copper layers that it joins, openings, and ground vias, nearest first."""

    net: str
    at: Point
    joins: tuple[str, ...]
    openings: tuple[PlaneOpening, ...]
    grounds: tuple[NearVia, ...]


def is_ground(net: str) -> bool:
    """True for the usual names of a ground net.

    >>> [is_ground(name) for name in ("GND", "/Ethernet/VSS", "AGND2", "GND_EN_N", "+3V3", "SGN")]
    [True, True, True, True, False, False]
    """
    return bool(GROUND.fullmatch(net))


def vias_of_pairs(layout: Layout, sheets: dict[str, PlaneSheet]) -> tuple[tuple[DrawnVia, ...], ...]:
    """The vias of every pair of a layout, those of P first; ``sheets`` are its planes by layer."""
    copper = copper_of(layout, [net for pair in layout.pairs for net in (pair.p, pair.n)])
    grounds = [via for via in layout.vias if is_ground(via.net)]
    ground = shapely.STRtree(spots([via.at for via in grounds])) if grounds else None
    every = shapely.STRtree(spots([via.at for via in layout.vias])) if layout.vias else None
    spans = spans_of(layout)

    def drawn(net: NetCopper, via: LayoutVia) -> DrawnVia:
        span = spans[via.first, via.last]
        near = [] if ground is None else _nearest(via, grounds, ground)
        return DrawnVia(via.net, via.at, tuple(joined_layers(via, net, span)),
                        tuple(_openings(via, span, sheets, every)), tuple(near))

    return tuple(tuple(drawn(copper[net], via) for net in dict.fromkeys((pair.p, pair.n)) for via in copper[net].vias)
                 for pair in layout.pairs)


def _nearest(via: LayoutVia, grounds: list[LayoutVia], tree: shapely.STRtree) -> list[NearVia]:
    """The nearest ground vias that share a layer with a via, looked for ever further away."""
    point, reach = shapely.Point(via.at), 1e-3
    while True:
        found = [grounds[place] for place in tree.query(point, predicate="dwithin", distance=reach).tolist()]
        if len(found) >= NEAREST or reach > 1.0:
            near = ordered((NearVia(math.dist(one.at, via.at), one.at, one.net) for one in found),
                           key=lambda one: one.distance)
            return list(near[:NEAREST])
        reach *= 4


def _openings(
    via: LayoutVia, span: tuple[str, ...], sheets: dict[str, PlaneSheet], every: shapely.STRtree | None
) -> Iterator[PlaneOpening]:
    for layer in span:
        clear = sheets[layer].clear_round(via.at)
        if clear is None:
            continue
        void = sheets[layer].opening(via.at) if clear > 0 else None
        if void is None:
            yield PlaneOpening(layer, clear, None, None, None, 0)
        else:
            x, y, u, v = void.bounds
            vias = 0 if every is None else len(every.query(void, predicate="contains"))
            yield PlaneOpening(layer, clear, float(void.area), u - x, v - y, vias)
