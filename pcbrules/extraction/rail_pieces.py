# SPDX-License-Identifier: MIT
"""Pieces of a rail's copper that carry direct current: those on a way from its source to a load."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from shapely.ops import substring

from pcbrules.extraction.holes import keeps_pad, spans_of
from pcbrules.extraction.planar import area_of, lines_of
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia, Track
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import PartPad
from pcbrules.layout.pieces import nearest
from pcbrules.ties import ordered

SAME = 1e-9
"""Ends of tracks that are no further apart lie in one place. [m]"""

ENDS = 2
"""A track on a way has as many neighbours."""

IDLE = 1e-9
"""Part of the current below which a piece carries none. [-]"""

NARROWEST = 50e-6
"""A strip of an area of copper that is narrower is none: no trace is. [m]"""

QUARTER = 8
"""Chords of a quarter of a round end."""


@dataclass(frozen=True, slots=True)
class RailPiece:
    """A fill, a track, a via or a pad: its copper by layer, what it is (None of a fill), and the part of a pad."""

    copper: dict[str, Any]
    of: Track | LayoutVia | PartPad | None = None
    part: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """A trace between the copper that carries current and a pad that hangs on it. [m]

    Of an area of copper it is a strip within it, whose inductance is no less; ``behind`` is then the place of the
    barrel by which the area is entered, None where it is none.
    """

    layer: str
    length: float
    width: float
    behind: Point | None = None


@dataclass(frozen=True, slots=True)
class LeadBarrel:
    """A barrel between two such traces: its place, the layers by which it is entered and left, and its drill. [m]

    ``first`` is true of one that stands in the copper that carries current; ``pitch`` is the distance of the nearest
    via of ground that joins the layers too, None where it is not known, or no formula holds for it.
    """

    at: Point
    layers: tuple[str, str]
    drill: float
    first: bool
    pitch: float | None = None


@dataclass(frozen=True, slots=True)
class Tap:
    """A place on a layer where a trace without current leaves the copper that carries some. [m]

    ``lead`` and ``barrels`` are the traces from there to the pad, which may stand on the copper itself, and what joins
    them; ``beyond`` says what else lies on the way.
    """

    layer: str
    at: Point
    lead: tuple[Lead, ...] = ()
    beyond: str = ""
    barrels: tuple[LeadBarrel, ...] = ()


@dataclass(frozen=True, slots=True)
class CarryingPieces:
    """Pieces that carry current, and by reference where the ways to other parts leave them."""

    pieces: tuple[RailPiece, ...]
    taps: dict[str, Tap]


@dataclass(frozen=True)
class NetPieces:
    """All pieces of a net, and pairs of those that touch, by number. A net of ground is that of several rails."""

    pieces: tuple[RailPiece, ...]
    first: Any
    second: Any

    @cached_property
    def wires(self) -> _Wires:
        """The pieces as resistors."""
        return _Wires(self.pieces, self.first.tolist(), self.second.tolist())

    @cached_property
    def beside(self) -> dict[int, list[int]]:
        """Of each piece those that it touches."""
        found: dict[int, list[int]] = {}
        for one, other in zip(self.first.tolist(), self.second.tolist(), strict=True):
            found.setdefault(one, []).append(other)
            found.setdefault(other, []).append(one)
        return found


def net_pieces(layout: Layout, net: str) -> NetPieces:
    """The pieces of a net."""
    pieces = tuple(_pieces(layout, net))
    return NetPieces(pieces, *_touching(layout, pieces))


def carrying_pieces(
    of: NetPieces, sources: Collection[str], loads: Collection[str], tapped: Collection[str] = ()
) -> CarryingPieces:
    """Pieces of a net that carry current from pads of the parts `sources` to pads of `loads`, by reference, and where
    the ways from pads of the parts `tapped` meet them.
    """
    from scipy.sparse import coo_matrix  # here and in the next one: most layouts are read for their pairs alone
    from scipy.sparse.csgraph import connected_components

    pieces, first, second = of.pieces, of.first, of.second
    if not pieces:
        return CarryingPieces((), {})
    links = coo_matrix((np.ones(len(first)), (first, second)), shape=(len(pieces),) * 2)
    _, group = connected_components(links, directed=False)
    starts = [place for place, one in enumerate(pieces) if one.part in sources]
    fed = {int(group[place]) for place in starts}
    ends = [place for place, one in enumerate(pieces) if one.part in loads and int(group[place]) in fed]
    kept = {*starts, *ends}
    if starts and ends:
        kept |= of.wires.carrying(starts, ends)
    taps = {one: tap for one in tapped if (tap := _tap(of, kept, one)) is not None}
    return CarryingPieces(tuple(one for place, one in enumerate(pieces) if place in kept), taps)


class _Wires:
    """Pieces as resistors: a track between its two ends, any other piece between its middle and what touches it.

    Ends that lie in one place are one node, so that a spur which leaves a joint carries nothing.
    """

    def __init__(self, pieces: Sequence[RailPiece], first: Sequence[int], second: Sequence[int]) -> None:
        self.pieces = pieces
        self.nodes: dict[Hashable, int] = {}
        self.wires: list[tuple[int, int, int]] = []
        for place, piece in enumerate(pieces):
            if isinstance(piece.of, Track):
                self.wires.append((self._end(piece.of, piece.of.start), self._end(piece.of, piece.of.end), place))
            layers = [self._middle(place, layer) for layer in piece.copper]
            self.wires += [(here, there, place) for here, there in pairwise(layers)]
        for one, other in zip(first, second, strict=True):
            for layer in [layer for layer in pieces[one].copper if layer in pieces[other].copper]:
                if shapely.intersects(pieces[one].copper[layer], pieces[other].copper[layer]):
                    self._join(one, other, layer)

    def _node(self, key: Hashable) -> int:
        return self.nodes.setdefault(key, len(self.nodes))

    def _end(self, track: Track, at: Point) -> int:
        return self._node((track.layer, *(round(x / SAME) for x in at)))

    def _middle(self, place: int, layer: str) -> int:
        one = self.pieces[place].of
        return self._node((place, layer)) if not isinstance(one, Track) else self._end(one, one.start)

    def _join(self, one: int, other: int, layer: str) -> None:
        """Connect two pieces that touch on a layer, of tracks the ends that do, or both where its middle does."""
        for here in self._contacts(one, other, layer):
            for there in self._contacts(other, one, layer):
                if here != there:
                    self.wires += [(here, there, place) for place in (one, other)
                                   if not isinstance(self.pieces[place].of, Track)] or [(here, there, -1)]

    def _contacts(self, place: int, other: int, layer: str) -> list[int]:
        track = self.pieces[place].of
        if not isinstance(track, Track):
            return [self._middle(place, layer)]
        copper = self.pieces[other].copper[layer]
        near = [at for at in (track.start, track.end)
                if shapely.dwithin(copper, shapely.Point(at), track.width / 2 + SAME)]
        return [self._end(track, at) for at in near or (track.start, track.end)]

    def carrying(self, starts: Sequence[int], ends: Sequence[int]) -> set[int]:
        """Pieces that carry current from some to others, each wire with a resistance of its own: so no bridge is in
        balance.
        """
        from scipy.sparse import coo_matrix, csc_matrix, diags
        from scipy.sparse.csgraph import connected_components
        from scipy.sparse.linalg import splu

        first, second, place = np.array(self.wires).T
        conductance = 1 + (np.arange(len(first)) * 0.6180339887) % 1
        count = len(self.nodes)
        matrix = coo_matrix((conductance, (first, second)), shape=(count, count))
        matrix = csc_matrix(matrix + matrix.T)
        _, group = connected_components(matrix, directed=False)
        held = [self._middle(one, layer) for one in starts for layer in self.pieces[one].copper]
        fed = set(group[held].tolist())
        drawn = np.zeros(count)
        for one in ends:
            node = self._middle(one, next(iter(self.pieces[one].copper)))
            drawn[node] -= 1 / len(ends) if group[node] in fed else 0.0
        free = np.array([node for node in range(count) if group[node] in fed and node not in set(held)], int)
        volts = np.zeros(count)
        if len(free):
            whole = diags(np.asarray(matrix.sum(axis=1)).ravel()) - matrix
            volts[free] = splu(csc_matrix(whole[free][:, free])).solve(drawn[free])
        flowing = np.abs(conductance * (volts[first] - volts[second])) > IDLE
        return set(place[flowing & (place >= 0)].tolist())


def _tap(of: NetPieces, kept: Collection[int], part: str) -> Tap | None:
    """The place at which the shortest way from a pad of a part, by the number of pieces, meets those that are kept."""
    pieces, beside = of.pieces, of.beside
    queue = [place for place, one in enumerate(pieces) if part and one.part == part]
    came = dict(zip(queue, queue, strict=True))
    while queue:
        here, *queue = queue
        if here in kept:
            way = [here]
            while came[way[-1]] != way[-1]:
                way.append(came[way[-1]])
            sheet = _sheet_of_barrel(of, kept, here, pieces[came[here]])
            way = way if sheet is None else [sheet, *way]
            meet = _meeting(pieces[way[0]], pieces[way[1] if len(way) > 1 else here])
            return None if meet is None else _tapped(*meet, [pieces[one] for one in way])
        for one in beside.get(here, ()):
            if one not in came:
                came[one] = here
                queue.append(one)
    return None


def _sheet_of_barrel(of: NetPieces, kept: Collection[int], here: int, came: RailPiece) -> int | None:
    """Copper that carries current at a barrel which is left on a layer where none does; else None: the current passes
    the pad of the barrel, and the way to the part begins with the barrel.
    """
    pieces = of.pieces
    if not isinstance(pieces[here].of, LayoutVia | PartPad):
        return None
    meet = _meeting(pieces[here], came)
    own = [one for one in of.beside.get(here, ()) if one in kept and not isinstance(pieces[one].of, LayoutVia)]
    if meet is None or any(meet[0] in pieces[one].copper for one in own):
        return None
    return next((one for one in own if _meeting(pieces[one], pieces[here])), None)


def _meeting(one: RailPiece, other: RailPiece) -> tuple[str, Point] | None:
    """A layer and a place where two pieces share copper."""
    for layer, copper in one.copper.items():
        shared = shapely.intersection(copper, other.copper.get(layer))
        if shared is not None and shared.area > 0:
            point = shapely.point_on_surface(shared)
            return layer, (float(point.x), float(point.y))
    return None


def _tapped(layer: str, at: Point, way: Sequence[RailPiece]) -> Tap:
    """A way from the copper that carries current to a pad, which it leaves at a place: traces, without what lies in
    either, barrels through which it changes the layer, and what else lies on it.
    """
    found, beyond, barrels = [], "", []
    ends = shapely.union_all([copper for one in (way[0], way[-1]) for copper in one.copper.values()])
    for place, one in enumerate(way[1:-1], 1):
        if isinstance(one.of, Track):
            spots = [meet[1] for meet in (_meeting(one, way[place - 1]), _meeting(one, way[place + 1])) if meet]
            if len(spots) == ENDS:
                low, high = ordered((nearest(one.of, spot)[0] for spot in spots), key=float)
                between = substring(lines_of([one.of])[0], low, high, normalized=True)
                found.append(Lead(one.of.layer, float(shapely.difference(between, ends).length), one.of.width))
        elif one.of is None:
            strip = _strip(way[place - 1], one, way[place + 1], ends)
            found += [strip] if strip else []
            beyond = beyond if strip else "an area of copper that no straight strip crosses"
        elif one.of.drill:
            enter, leave = _meeting(one, way[place - 1]), _meeting(one, way[place + 1])
            if enter and leave and enter[0] != leave[0]:
                drill = one.of.drill if isinstance(one.of, LayoutVia) else min(one.of.drill)
                barrels.append(LeadBarrel(one.of.at, (enter[0], leave[0]), drill, place == 1))
    return Tap(layer, at, tuple(one for one in found if one.length > SAME), beyond, tuple(barrels))


def _strip(before: RailPiece, area: RailPiece, after: RailPiece, ends: Any) -> Lead | None:
    """The straight strip in an area of copper from one piece to the next, as wide as fits; None where none does."""
    [(layer, fill)] = area.copper.items()
    come, go = _meeting(area, before), _meeting(area, after)
    if come is None or go is None:
        return None
    line = shapely.LineString([come[1], go[1]])
    whole = shapely.union_all([fill, *(each for one in (before, after) if (each := one.copper.get(layer)))])
    width = 2 * float(shapely.distance(line, shapely.boundary(whole))) if shapely.covers(whole, line) else 0.0
    if width < NARROWEST:
        return None
    behind = before.of.at if isinstance(before.of, LayoutVia | PartPad) and before.of.drill else None
    return Lead(layer, float(shapely.difference(line, ends).length), width, behind)


def _touching(layout: Layout, pieces: Sequence[RailPiece]) -> tuple[Any, Any]:
    """Pairs of pieces that touch on any layer, each once."""
    pairs: set[tuple[int, int]] = set()
    for layer in layout.copper:
        own = [place for place, one in enumerate(pieces) if layer.name in one.copper]
        shapes = np.array([pieces[place].copper[layer.name] for place in own], dtype=object)
        if len(own) > 1:
            one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
            pairs.update((own[a], own[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True) if a < b)
    listed = np.array(sorted(pairs), dtype=int).reshape(-1, 2)
    return listed[:, 0], listed[:, 1]


def _pieces(layout: Layout, net: str) -> Iterator[RailPiece]:
    for zone in layout.zones:
        for fill in zone.fills if zone.net == net and zone.kind != "keep-out" else ():
            if len(fill.ring) > 2:
                yield RailPiece({fill.layer: shapely.make_valid(shapely.Polygon(fill.ring))})
    tracks = [one for one in layout.tracks if one.net == net]
    for track, line in zip(tracks, lines_of(tracks) if tracks else (), strict=True):
        yield RailPiece({track.layer: shapely.buffer(line, track.width / 2, quad_segs=QUARTER)}, track)
    spans = spans_of(layout)
    for via in layout.vias:
        if via.net == net and via.drill:
            yield RailPiece({layer: shapely.buffer(
                shapely.Point(via.at), (via.pad_on(layer) if keeps_pad(via, layer) else via.drill) / 2,
                quad_segs=QUARTER) for layer in spans[via.first, via.last]}, via)
    for part in layout.parts:
        for pad in part.pads:
            if pad.net == net and pad.layers:
                yield RailPiece({layer: area_of(pad.shape_on(layer)) for layer in pad.layers}, pad, part.reference)
