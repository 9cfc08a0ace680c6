# SPDX-License-Identifier: MIT
"""Filled zones that contradict what stands in them: the file, not the board, is at fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from pcbrules.extraction.holes import pads_of, spans_of
from pcbrules.extraction.planar import area_of, chunks, inside
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout

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
    """What may lie in a fill: its place, and of a pad the copper, less ``TOUCH`` all round."""

    what: str
    net: str
    at: Point
    copper: Any = None


def fill_conflicts(layout: Layout) -> tuple[FillConflict, ...]:
    """All of them, by layer and zone: of a via its hole counts, of a pad its copper, of a track its ends."""
    copper = {id(pad): shapely.buffer(area_of(pad.shapes[0][1]), -TOUCH) for _, pad in pads_of(layout)
              if pad.drill and pad.layers and len(pad.shapes) == 1}
    return tuple(one for layer in layout.copper for one in _on_layer(layout, layer.name, copper))


def _on_layer(layout: Layout, layer: str, copper: dict[int, Any]) -> Iterator[FillConflict]:
    things = list(_things(layout, layer, copper))
    if not things:
        return
    points = np.array([one.at for one in things])
    areas = np.array([one.copper for one in things], dtype=object)
    tree = shapely.STRtree(areas)
    for zone in layout.zones:
        rings = [fill.ring for fill in zone.fills if fill.layer == layer and len(fill.ring) > 2]
        if not rings:
            continue
        lying = inside(rings, points)
        for ring in rings:
            lying[tree.query(chunks(ring), predicate="intersects")[1]] = True
        seen = dict.fromkeys((things[place].what, things[place].net, things[place].at)
                             for place in np.flatnonzero(lying).tolist() if things[place].net != zone.net)
        for what, net, at in seen:
            yield FillConflict(layer, zone.net, what, net, at)


def _things(layout: Layout, layer: str, copper: dict[int, Any]) -> Iterator[_Thing]:
    spans = spans_of(layout)
    for via in layout.vias:
        if layer in spans[via.first, via.last]:
            yield _Thing("via", via.net, via.at)
    for name, pad in pads_of(layout):
        if layer in pad.layers:
            known = copper.get(id(pad))
            yield _Thing(name, pad.net, pad.at,
                         shapely.buffer(area_of(pad.shape_on(layer)), -TOUCH) if known is None else known)
        elif pad.drill:
            yield _Thing(name, pad.net, pad.at)
    for track in layout.tracks:
        if track.layer == layer:
            yield _Thing("track", track.net, track.start)
            yield _Thing("track", track.net, track.end)
