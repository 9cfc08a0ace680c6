# SPDX-License-Identifier: MIT
"""Filled zones that contradict what stands in them: the file, not the board, is at fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from pcbrules.extraction.holes import pads_of, spans_of
from pcbrules.extraction.planar import area_of, boxes_of, chunks, inside
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import PadShape

TOUCH = 1e-6
"""What the copper of a pad has to lie within a fill [m]."""


@dataclass(frozen=True, slots=True)
class FillConflict:
    """A hole, pad or track that lies in the stored fill of another net. [m]"""

    layer: str
    fill: str
    what: str
    net: str
    at: Point


@dataclass(frozen=True, slots=True)
class _Thing:
    """What may lie in a fill: its place, and of a pad its copper, of which ``TOUCH`` all round does not count."""

    what: str
    net: str
    at: Point
    copper: PadShape | None = None


class _Copper:
    """Copper of pads less ``TOUCH`` all round; of a shape once."""

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}

    def of(self, shape: PadShape) -> Any:
        if id(shape) not in self._made:
            self._made[id(shape)] = shapely.buffer(area_of(shape), -TOUCH)
        return self._made[id(shape)]


def fill_conflicts(layout: Layout) -> tuple[FillConflict, ...]:
    """All of them, by layer and zone: of a via its hole counts, of a pad its copper, of a track its ends."""
    copper = _Copper()
    return tuple(one for layer in layout.copper for one in _on_layer(layout, layer.name, copper))


def _on_layer(layout: Layout, layer: str, copper: _Copper) -> Iterator[FillConflict]:
    things = list(_things(layout, layer))
    if not things:
        return
    points = np.array([one.at for one in things])
    pads = [(place, one.copper) for place, one in enumerate(things) if one.copper is not None]
    tree = shapely.STRtree(boxes_of([shape for _, shape in pads]))
    for zone in layout.zones:
        rings = [fill.ring for fill in zone.fills if fill.layer == layer and len(fill.ring) > 2]
        if not rings:
            continue
        lying = inside(rings, points)
        edges = np.concatenate([chunks(ring) for ring in rings])
        for edge, pad in tree.query(edges).T.tolist():  # few boxes meet the edge of a fill: what they hold is looked at
            place, shape = pads[pad]
            if not lying[place] and things[place].net != zone.net:
                lying[place] = shapely.intersects(copper.of(shape), edges[edge])
        seen = dict.fromkeys((things[place].what, things[place].net, things[place].at)
                             for place in np.flatnonzero(lying).tolist() if things[place].net != zone.net)
        for what, net, at in seen:
            yield FillConflict(layer, zone.net, what, net, at)


def _things(layout: Layout, layer: str) -> Iterator[_Thing]:
    spans = spans_of(layout)
    for via in layout.vias:
        if layer in spans[via.first, via.last]:
            yield _Thing("via", via.net, via.at)
    for name, pad in pads_of(layout):
        if layer in pad.layers:
            yield _Thing(name, pad.net, pad.at, pad.shape_on(layer))
        elif pad.drill:
            yield _Thing(name, pad.net, pad.at)
    for track in layout.tracks:
        if track.layer == layer:
            yield _Thing("track", track.net, track.start)
            yield _Thing("track", track.net, track.end)
