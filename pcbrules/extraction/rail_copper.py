# SPDX-License-Identifier: MIT
"""The copper of a rail between the parts that feed it and those that it feeds: sheets, barrels, pads.

Copper of a layer is what carries current on it: fills of zones, tracks, pads of vias and parts. What lies on no way
from the source to a load is left out: no current flows there. Outlines lose corners: curved sides move by micrometres,
straight ones stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely

from pcbrules.extraction.lead_grounds import with_grounds
from pcbrules.extraction.rail_pieces import NetPieces, RailPiece, Tap, carrying_pieces, net_pieces
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PartPad
from pcbrules.ties import ordered

FINEST, COARSEST = 4e-6, 8e-6
"""How far an outline may be moved where it is curved; first as little as possible. The drops over the rails of two
public boards change by at most 0.4 % from 1 um to 8 um. [m]"""

CORNERS, SHAPES, HOLES = 4000, 400, 4000
"""Corners of an outline, outlines of a sheet, and cut-outs of a sheet that a board file holds."""

SMALLEST = 1e-9
"""Copper, and cut-outs, of less area are left out: less than a square of 32 um. [m^2]"""

CUT = 0.3819
"""Place of a cut through a hole over its width: odd, so that it meets no via that stands on a raster. [-]"""

ROOM = 0.98
"""Part of the circle that just fits into copper about a pad that counts as its contact: the rim lies inside. [-]"""

Ring = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class RailSheet:
    """Copper of one layer: outlines, cut-outs, and its area as drawn. [m^2]"""

    layer: str
    shapes: tuple[Ring, ...]
    cutouts: tuple[Ring, ...]
    area: float


@dataclass(frozen=True, slots=True)
class RailPad:
    """A pad on the copper of a rail: part and pin, place, the layers on which it stands in copper, the diameter of a
    circle within it, and of a pad with a hole its drill, else None. [m]
    """

    part: str
    pin: str
    at: Point
    layers: tuple[str, ...]
    size: float
    drill: float | None
    side: str


@dataclass(frozen=True, slots=True)
class RailBarrel:
    """A via that joins sheets of a rail. [m]"""

    at: Point
    drill: float
    layers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawnRail:
    """The copper that is joined to the source.

    Attributes
    ----------
    sheets : tuple of RailSheet
        From top to bottom.
    barrels : tuple of RailBarrel
    sources, loads : tuple of RailPad
    sense : Tap or None
        Where the trace to the pad at which the regulator senses leaves the copper: it has the voltage of that place.
    apart : tuple of str
        Pads of loads, as part and pin, that no copper joins to a source.
    taps : mapping of str to Tap
        By reference where other parts stand on the copper: where their way leaves it.
    """

    sheets: tuple[RailSheet, ...]
    barrels: tuple[RailBarrel, ...]
    sources: tuple[RailPad, ...]
    loads: tuple[RailPad, ...]
    sense: Tap | None
    apart: tuple[str, ...]
    taps: Mapping[str, Tap]


@dataclass(frozen=True, slots=True)
class NoCopper:
    """Why a rail has no copper that a board file can hold."""

    reason: str


def rail_copper(
    layout: Layout, net: str, sources: Sequence[LayoutPart], loads: Sequence[LayoutPart],
    sense: LayoutPart | None = None, *, tapped: Sequence[str] = (), pieces_of: NetPieces | None = None,
    finest: float = FINEST,
) -> DrawnRail | NoCopper:
    """The copper of a net from the pads of some parts to those of others, at least one of each on the net.

    Parameters
    ----------
    layout : Layout
    net : str
    sources, loads : sequence of LayoutPart
    sense : LayoutPart or None
        The part at whose pad the regulator senses.
    tapped : sequence of str
        References of other parts of which is asked where they stand on the copper.
    pieces_of : NetPieces or None
        Of the net, where they are known.
    finest : float
        How far a curved outline may be moved at first. [m]
    """
    if net in layout.lost:
        return NoCopper("copper of it was not read: see the receipt")
    if any(zone.net == net and zone.kind == "copper" and zone.outlines and not zone.fills for zone in layout.zones):
        return NoCopper("a zone of it is not filled")
    whole = pieces_of or net_pieces(layout, net)
    carrying = carrying_pieces(whole, [one.reference for one in sources], [one.reference for one in loads],
                               [*tapped, *([sense.reference] if sense else [])])
    pieces = _areas(layout, carrying.pieces)
    coarse: dict[str, list[Any]] = {}
    for layer, drawn in pieces.items():
        made = _simple(drawn, finest)
        if made is None:
            return NoCopper(f"its copper on {layer} has more corners than a board file holds")
        coarse[layer] = made
    joined = _Joined(coarse)
    for one in carrying.pieces:
        if isinstance(one.of, LayoutVia | PartPad) and one.of.drill:
            joined.join(one.of.at, tuple(one.copper))
    starts = [one for part in sources for one in _pads(part, net, joined)]
    reached = joined.reached([(layer, one.at) for one in starts for layer in one.layers])
    ends_of_it = {part.reference for part in (*sources, *loads)}
    if not reached:
        return NoCopper("no pad of its source stands in copper of it")
    ends = [one for part in loads for one in _pads(part, net, joined)]
    fed = tuple(replace(one, layers=own) for one in ends if (own := joined.of(reached, one)))
    known = {(one.part, one.pin) for one in fed}
    apart = tuple(f"{part.reference}.{pad.pin}" for part in loads for pad in part.pads
                  if pad.net == net and pad.layers and (part.reference, pad.pin) not in known)
    if not fed:
        return NoCopper("no copper joins its source to a load")
    sheets = tuple(_sheet(layer, [made for number, made in enumerate(found) if (layer, number) in reached],
                          pieces[layer]) for layer, found in coarse.items()
                   if any(of == layer for of, _ in reached))
    taps = {name: with_grounds(layout, tap) for name, tap in carrying.taps.items()
            if joined.at(tap.layer, tap.at) in reached}
    barrels = tuple(_barrels(carrying.pieces, joined, reached, ends_of_it))
    return DrawnRail(sheets, barrels, tuple(starts), fed, taps.get(sense.reference) if sense else None, apart, taps)


def _areas(layout: Layout, pieces: Sequence[RailPiece]) -> dict[str, Any]:
    """The copper of some pieces by layer. A pad of a via that nothing else touches carries nothing: it is left out."""
    found = {}
    for layer in (one.name for one in layout.copper):
        own = [one.copper[layer] for one in pieces if layer in one.copper and not isinstance(one.of, LayoutVia)]
        rounds = [one.copper[layer] for one in pieces if layer in one.copper and isinstance(one.of, LayoutVia)]
        joined = shapely.union_all(own)
        found[layer] = shapely.union_all([joined, *(one for one in rounds if one.intersects(joined))])
    return found


def _simple(area: Any, finest: float) -> list[Any] | None:
    """Polygons of an area that a board file can hold; None where none can."""
    off = finest
    while off <= max(finest, COARSEST):
        made = _apart([one for one in shapely.get_parts(shapely.simplify(area, off))
                       if one.geom_type == "Polygon" and one.area > SMALLEST])
        rings = [ring for one in made for ring in (one.exterior, *_holes(one))]
        if len(made) <= SHAPES and len(rings) - len(made) <= HOLES and all(
                len(ring.coords) <= CORNERS + 1 for ring in rings):
            return made
        off *= 2
    return None


def _apart(shapes: list[Any]) -> list[Any]:
    """The same copper of which no shape lies in a hole of another: a cut-out would take it away. Those with such a hole
    are cut in two through it.
    """
    queue, found = list(shapes), []
    while queue:
        one = queue.pop()
        nested = next((shapely.Polygon(ring) for ring in _holes(one) if any(
            other is not one and shapely.Polygon(ring).covers(other) for other in shapes)), None)
        if nested is None:
            found.append(one)
            continue
        left, low, right, high = one.bounds
        start, _, end, _ = nested.bounds
        at = round(start + CUT * (end - start), 7)
        for box in (shapely.box(left, low, at, high), shapely.box(at, low, right, high)):
            queue += [part for part in shapely.get_parts(shapely.intersection(one, box))
                      if part.geom_type == "Polygon" and part.area > 0]
    return found


def _holes(one: Any) -> list[Any]:
    return [ring for ring in one.interiors if shapely.Polygon(ring).area > SMALLEST]


def _sheet(layer: str, made: Sequence[Any], drawn: Any) -> RailSheet:
    own = shapely.union_all([one for one in shapely.get_parts(drawn)
                             if any(one.intersects(inner) for inner in made)])
    return RailSheet(layer, tuple(_ring(one.exterior) for one in made),
                     tuple(_ring(ring) for one in made for ring in _holes(one)), float(own.area))


def _ring(line: Any) -> Ring:
    return tuple((float(x), float(y)) for x, y in line.coords[:-1])


class _Joined:
    """Pieces of copper by layer and number, and which of them barrels join."""

    def __init__(self, pieces: dict[str, list[Any]]) -> None:
        self.pieces = pieces
        self.links: dict[tuple[str, int], set[tuple[str, int]]] = {}
        for layer, own in pieces.items():
            found = shapely.STRtree(own).query(np.array(own, dtype=object), predicate="intersects")
            for one, other in zip(*found.tolist(), strict=True):
                self.links.setdefault((layer, one), set()).add((layer, other))

    def at(self, layer: str, at: Point) -> tuple[str, int] | None:
        """The piece of a layer that holds a point."""
        point = shapely.Point(at)
        found = next((place for place, one in enumerate(self.pieces.get(layer, ())) if one.covers(point)), None)
        return None if found is None else (layer, found)

    def room(self, layer: str, at: Point) -> float:
        """Diameter of the circle about a point of a piece that just fits into it. [m]"""
        _, place = self.at(layer, at) or (layer, 0)
        return ROOM * 2 * float(shapely.distance(self.pieces[layer][place].boundary, shapely.Point(at)))

    def join(self, at: Point, layers: Sequence[str]) -> None:
        """Join what a barrel passes."""
        passed = [one for layer in layers if (one := self.at(layer, at)) is not None]
        for one in passed:
            self.links.setdefault(one, set()).update(passed)

    def reached(self, starts: Sequence[tuple[str, Point]]) -> set[tuple[str, int]]:
        """All pieces that are joined to those at some places."""
        queue = [one for layer, at in starts if (one := self.at(layer, at)) is not None]
        found = set(queue)
        while queue:
            for one in self.links.get(queue.pop(), ()):
                if one not in found:
                    found.add(one)
                    queue.append(one)
        return found

    def of(self, reached: set[tuple[str, int]], pad: RailPad) -> tuple[str, ...]:
        """Layers of a pad on which it stands in any of some pieces."""
        return tuple(layer for layer in pad.layers if self.at(layer, pad.at) in reached)


def _pads(part: LayoutPart, net: str, pieces: _Joined) -> Iterator[RailPad]:
    for pad in part.pads:
        if pad.net != net:
            continue
        shape = pad.shape_on(pad.layers[0]) if pad.layers else None
        if shape is None:
            continue
        sides = [side for side in (shape.width, shape.height) if side > 0]
        size = min(sides) if sides else _least_side(pad)
        at = shape.centre if not pad.drill else pad.at
        layers = tuple(layer for layer in pad.layers if pieces.at(layer, at) is not None)
        if layers:
            size = min(size, *(pieces.room(layer, at) for layer in layers))
            yield RailPad(part.reference, pad.pin, at, layers, size, min(pad.drill) if pad.drill else None, part.side)


def _least_side(pad: PartPad) -> float:
    points = [at for ring in pad.shape_on(pad.layers[0]).rings for at in ring]
    xs, ys = zip(*points, strict=True)
    return float(min(max(xs) - min(xs), max(ys) - min(ys)))


def _barrels(
    pieces: Sequence[RailPiece], joined: _Joined, reached: set[tuple[str, int]], without: Collection[str]
) -> Iterator[RailBarrel]:
    """Vias, and plated holes of parts that are neither source nor load: those have barrels of their own."""
    for one in pieces:
        if not isinstance(one.of, LayoutVia | PartPad) or one.part in without or not one.of.drill:
            continue
        drill = one.of.drill if isinstance(one.of, LayoutVia) else min(one.of.drill)
        own = tuple(layer for layer in one.copper if joined.at(layer, one.of.at) in reached)
        if len(own) > 1:
            yield RailBarrel(one.of.at, drill, own)


@dataclass(frozen=True, slots=True)
class RailCapacitor:
    """A capacitor from a rail to ground: its distance from the nearest pad of a load, edge of the pads to edge, and the
    vias of either pad, one of the rail and one of ground, at most ``NEAR`` away: their distance and drill. [m]

    ``pad`` is the middle of its pad of the rail, ``via`` the place of its via there, None where either is lacking.
    """

    part: LayoutPart
    distance: float
    pitch: float | None
    drill: float | None
    pad: Point
    via: Point | None


NEAR = 2e-3
"""A via further from the pad of a capacitor is not its own; practice. [m]"""


def rail_capacitors(
    layout: Layout, net: str, grounds: Sequence[str], loads: Sequence[RailPad]
) -> tuple[RailCapacitor, ...]:
    """Fitted capacitors of two pads from a net to one of ground, the furthest from the loads first."""
    found = []
    for part in layout.parts:
        nets = {pad.net: pad for pad in part.pads}
        ground = next((one for one in nets if one in grounds), None)
        if len(part.pads) != 2 or set(nets) != {net, ground} or not part.fitted or part.reference[:1] != "C":
            continue
        own, other = nets[net], nets[ground or ""]
        first, second = (_own_via(layout, pad) for pad in (own, other))
        far = min(math.dist(own.at, one.at) - one.size / 2 for one in loads)
        if first is None or second is None:
            found.append(RailCapacitor(part, max(0.0, far), None, None, own.at, None))
        else:
            drill = min(first.drill or 0.0, second.drill or 0.0)
            found.append(RailCapacitor(part, max(0.0, far), math.dist(first.at, second.at), drill, own.at,
                                       first.at))
    return tuple(ordered(found, key=lambda one: -one.distance))


def _own_via(layout: Layout, pad: PartPad) -> LayoutVia | None:
    near = [via for via in layout.vias if via.net == pad.net and via.drill and math.dist(via.at, pad.at) <= NEAR]
    return ordered(near, key=lambda via: math.dist(via.at, pad.at))[0] if near else None
