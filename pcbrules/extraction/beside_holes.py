# SPDX-License-Identifier: MIT
"""Copper of other nets beside the holes of a layout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pcbrules.extraction.holes import LayoutHole, keeps_pad, pads_of, spans_of
from pcbrules.extraction.planar import Geometries, PlanarCopper, area_of, chunks, inside, lines_of, nearest, spots
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import PadShape


@dataclass(frozen=True, slots=True)
class CopperBeside:
    """The copper that is nearest to a hole: its distance from the wall [m], layer, what it is, and its net.

    Less than zero where the hole lies in it.
    """

    distance: float
    hole: LayoutHole
    layer: str
    copper: str
    net: str


class BesideHoles:
    """Looks for copper beside holes of a layout; the copper of a layer is gathered once.

    ``numbers`` has a number for each net; those of one number are not told apart.
    """

    def __init__(self, layout: Layout, numbers: dict[str, int]) -> None:
        self.layout, self.numbers = layout, numbers
        self._areas: dict[int, Any] = {}
        self._layers: dict[str, _LayerCopper] = {}

    def of(self, holes: Sequence[LayoutHole]) -> Iterator[CopperBeside]:
        """The nearest copper of another net on each layer, and every filled area of another net that a hole lies in."""
        for layer in (one.name for one in self.layout.copper):
            passing = [one for one in holes if layer in one.layers]
            if not passing:
                continue
            if layer not in self._layers:
                self._layers[layer] = _pieces(self.layout, layer, self._areas)
            pieces = self._layers[layer]
            axes = np.empty(len(passing), dtype=object)
            axes[:] = [one.axis for one in passing]
            nets = _nets([one.net for one in passing], self.numbers)
            mine = PlanarCopper(axes, np.array([one.reach for one in passing]), nets)
            found = nearest(mine, pieces.copper(self.numbers))
            if found is not None:
                name, net = pieces.told(found.second)
                yield CopperBeside(found.distance, passing[found.first], layer, name, net)
            yield from _in_fills(self.layout, passing, layer, self.numbers)


def _nets(names: Sequence[str], numbers: dict[str, int]) -> Any:
    return np.array([numbers[name] for name in names], dtype=int)


def _in_fills(layout: Layout, holes: list[LayoutHole], layer: str, numbers: dict[str, int]) -> Iterator[CopperBeside]:
    """Holes that lie in filled copper of another net: the fill contradicts them."""
    points = np.array([one.at for one in holes])
    nets = _nets([one.net for one in holes], numbers)
    for zone in layout.zones:
        rings = [fill.ring for fill in zone.fills if fill.layer == layer and len(fill.ring) > 2]
        others = np.flatnonzero(nets != numbers[zone.net])
        if rings and others.size:
            for place in others[inside(rings, points[others])].tolist():
                yield CopperBeside(-holes[place].reach, holes[place], layer, "zone", zone.net)


@dataclass(slots=True)
class _LayerCopper:
    """Copper of a layer in parts, each with its lines, their reach and nets, and what they are."""

    lines: list[Geometries] = field(default_factory=list)
    reach: list[float] = field(default_factory=list)
    nets: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, lines: Geometries, reach: Sequence[float], nets: Sequence[str], names: Sequence[str]) -> None:
        self.lines.append(lines)
        self.reach += reach
        self.nets += nets
        self.names += names

    def copper(self, numbers: dict[str, int]) -> PlanarCopper:
        return PlanarCopper(np.concatenate(self.lines), np.array(self.reach), _nets(self.nets, numbers))

    def told(self, place: int) -> tuple[str, str]:
        return self.names[place], self.nets[place]


def _pieces(layout: Layout, layer: str, areas: dict[int, Any]) -> _LayerCopper:
    """All copper of a layer; ``areas`` keeps those of pads, by the identity of their shapes."""
    found = _LayerCopper()
    tracks = [one for one in layout.tracks if one.layer == layer]
    found.add(lines_of(tracks), [one.width / 2 for one in tracks], [one.net for one in tracks], ["track"] * len(tracks))
    ends: dict[str, list[Point]] = {}
    for track in tracks:
        ends.setdefault(track.net, []).extend((track.start, track.end))
    spans = spans_of(layout)
    vias = [one for one in layout.vias if layer in spans[one.first, one.last]
            and (keeps_pad(one, layer) or _joined(one.at, one.net, ends, one.pad_on(layer) / 2))]
    found.add(spots([one.at for one in vias]), [one.pad_on(layer) / 2 for one in vias], [one.net for one in vias],
              ["via pad"] * len(vias))
    pads = [(name, pad) for name, pad in pads_of(layout) if layer in pad.layers
            and not (pad.unused_removed and pad.drill and not _joined(pad.at, pad.net, ends))]
    shapes = np.empty(len(pads), dtype=object)
    shapes[:] = [_area(pad.shape_on(layer), areas) for _, pad in pads]
    found.add(shapes, [0.0] * len(pads), [pad.net for _, pad in pads], [name for name, _ in pads])
    for zone in layout.zones:
        for fill in zone.fills:
            if fill.layer == layer and len(fill.ring) > 2:
                lines = chunks(fill.ring)
                found.add(lines, [0.0] * len(lines), [zone.net] * len(lines), ["zone"] * len(lines))
    return found


def _area(shape: PadShape, areas: dict[int, Any]) -> Any:
    if id(shape) not in areas:
        areas[id(shape)] = area_of(shape)
    return areas[id(shape)]


def _joined(at: Point, net: str, ends: dict[str, list[Point]], reach: float = 1e-9) -> bool:
    return any(math.dist(at, end) <= reach for end in ends.get(net, ()))
