# SPDX-License-Identifier: MIT
"""The finest figures of a layout: trace, space, annular ring, drill, and copper beside a hole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.extraction.beside_holes import BesideHoles, CopperBeside
from pcbrules.extraction.holes import holes_of, pads_of, rings_of
from pcbrules.extraction.planar import PlanarCopper, lines_of, nearest
from pcbrules.layout.arcs import Point, flattened
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout
from pcbrules.ties import least_of


@dataclass(frozen=True, slots=True)
class Finest:
    """A smallest figure [m], where it is, and between which things; ``layer`` is empty where it is of all."""

    value: float
    at: Point
    layer: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest figures of a layout; None where it has nothing of the kind.

    Attributes
    ----------
    width : Finest or None
        Of tracks, but those that lie wholly in a pad of their net; `of` is the net.
    spaces : tuple of Finest
        Between tracks of different nets, the smallest of each copper layer that has two; `of` are the nets.
    space_of_strangers : Finest or None
        The same of the whole board without the two nets of a pair.
    ring : Finest or None
        Copper of a via or a plated pad round its hole; zero and less where the hole breaks out.
    drill : Finest or None
        Diameter of the smallest hole, or width of a slot.
    beside_plated, beside_bare : Finest or None
        Between the wall of a hole and copper of another net, on a layer that it passes; less than zero where the hole
        lies in that copper. `of` names hole and copper.
    """

    width: Finest | None
    spaces: tuple[Finest, ...]
    space_of_strangers: Finest | None
    ring: Finest | None
    drill: Finest | None
    beside_plated: Finest | None
    beside_bare: Finest | None

    @property
    def space(self) -> Finest | None:
        """The smallest space of all layers."""
        return _least(self.spaces)


def smallest(layout: Layout) -> Smallest:
    """Measure a layout."""
    holes = holes_of(layout)
    numbers = _numbers(layout)
    spaces = tuple(_spaces(layout, numbers))
    beside = BesideHoles(layout, numbers)
    pairs = {net: numbers[pair.p] for pair in layout.pairs for net in (pair.p, pair.n)}
    return Smallest(
        width=narrowest(layout, layout.tracks),
        spaces=spaces,
        space_of_strangers=_least(_spaces(layout, {**numbers, **pairs})),
        ring=_least(Finest(ring, at, "", (name, net)) for name, net, at, ring in rings_of(layout)),
        drill=_least(Finest(hole.diameter, hole.at, "", (hole.name, hole.net)) for hole in holes),
        beside_plated=_nearest(beside.of([one for one in holes if one.plated])),
        beside_bare=_nearest(beside.of([one for one in holes if not one.plated])),
    )


def _least(found: Iterable[Finest]) -> Finest | None:
    return least_of(found, key=lambda one: one.value, default=None)


def narrowest(layout: Layout, tracks: Iterable[Track]) -> Finest | None:
    """The narrowest of some tracks of a layout that shows: one within a pad has the width of the pad."""
    left = [track for track in tracks if track.width > 0]
    while left:
        width = least_of(left, key=lambda one: one.width).width
        for track in left:
            if track.width <= width and not _in_a_pad(track, layout):
                return Finest(track.width, track.start, track.layer, (track.net,))
        left = [track for track in left if track.width > width]
    return None


def _in_a_pad(track: Track, layout: Layout) -> bool:
    """True where a pad of its net, or of a via of its net, holds the whole track; the free shape of a pad is left out.
    """
    line = (track.start, track.end) if track.mid is None else flattened(track.start, track.mid, track.end)
    half = track.width / 2
    for _, pad in pads_of(layout):
        if pad.net == track.net and track.layer in pad.layers:
            shape = replace(pad.shape_on(track.layer), rings=())
            if all(shape.holds(point, -half) for point in line):
                return True
    return any(max(math.dist(point, via.at) for point in line) + half <= via.pad_on(track.layer) / 2
               for via in layout.vias if via.net == track.net)


def _numbers(layout: Layout) -> dict[str, int]:
    """A number for each net; things without a net count as one."""
    nets = {"": 0}
    for name in layout.nets:
        nets.setdefault(name, len(nets))
    for things in (layout.tracks, layout.vias, layout.zones, [pad for _, pad in pads_of(layout)]):
        for one in things:
            nets.setdefault(one.net, len(nets))
    for pair in layout.pairs:
        nets.setdefault(pair.p, len(nets))
        nets.setdefault(pair.n, len(nets))
    return nets


def _spaces(layout: Layout, numbers: dict[str, int]) -> Iterator[Finest]:
    for layer in layout.copper:
        tracks = [track for track in layout.tracks if track.layer == layer.name]
        found = nearest(PlanarCopper(lines_of(tracks), np.array([track.width / 2 for track in tracks]),
                               np.array([numbers[track.net] for track in tracks], dtype=int)))
        if found is not None:
            yield Finest(found.distance, found.at, layer.name, (tracks[found.first].net, tracks[found.second].net))


def _nearest(found: Iterable[CopperBeside]) -> Finest | None:
    return _least(Finest(one.distance, one.hole.at, one.layer, (one.hole.name, one.hole.net, one.copper, one.net))
                  for one in found)
