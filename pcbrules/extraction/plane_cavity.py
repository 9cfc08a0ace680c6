# SPDX-License-Identifier: MIT
"""The cavity of a drawn rail: the plane of its net and ground beside it, and the vias by which parts reach it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np
import shapely

from pcbrules.extraction.holes import spans_of
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.plane_pairs import FacingPlanes
from pcbrules.extraction.plane_sheet import PlaneSheet
from pcbrules.extraction.rail_copper import DrawnRail, RailCapacitor, RailPad
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.ties import greatest_of, least_of, ordered

REACH = 3e-3
"""A via further from a pad than this does not take its current to the plane: what lies between would count. [m]"""

VOID, CLUSTER = 4e-6, 12e-6
"""Voids of less area are openings round vias, and those round several vias of the rail; the model has none of them;
practice. [m^2]"""

BOTH = 0.75
"""Part of the larger of two facing areas that both must share for both cavities to count. [-]"""

SLIVER = 0.1e-3
"""Half of the width of copper that is no plane. [m]"""

MOVED = 30e-6
"""How far the outline may be moved. [m]"""

CORNERS = 1500
"""Corners of an outline and its voids."""


@dataclass(frozen=True, slots=True)
class CavityPlace:
    """Where a part reaches the planes: the nearest via, and how many stand at its pads."""

    at: Point
    count: int


@dataclass(frozen=True, slots=True)
class PlaneCavity:
    """The planes of a rail, in metres.

    Attributes
    ----------
    pairs : tuple of (layer, layer)
        In order of depth from the side of the load.
    outline : tuple of Point
    voids : tuple of tuple of Point
    area, faced : float
        Of the outline without its voids, and of the largest facing pair. [m^2]
    package : tuple of Point
        Vias of the load; a pad without one near it adds none.
    drill, pitch : float
        Of these vias, and their mean distance from the nearest via of ground.
    sources, banks : mapping of str to CavityPlace
        By reference.
    """

    pairs: tuple[tuple[str, str], ...]
    outline: tuple[Point, ...]
    voids: tuple[tuple[Point, ...], ...]
    area: float
    faced: float
    package: tuple[Point, ...]
    drill: float
    pitch: float
    sources: Mapping[str, CavityPlace]
    banks: Mapping[str, CavityPlace]


@dataclass(frozen=True, slots=True)
class NoCavity:
    """Why a rail with planes has no cavity that can be judged."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Via:
    """A via, or a plated hole, of a rail: its place, drill and pad. [m]"""

    at: Point
    drill: float
    pad: float


def plane_cavity(
    layout: Layout, sheets: Mapping[str, PlaneSheet], facing: Sequence[FacingPlanes], net: str, copper: DrawnRail,
    capacitors: Sequence[RailCapacitor],
) -> PlaneCavity | NoCavity | None:
    """The cavity of a rail with one load; None where no plane of its net faces ground on an inner layer.

    Parameters
    ----------
    layout : Layout
    sheets : mapping of str to PlaneSheet
        The planes of each layer.
    facing : sequence of FacingPlanes
        Of all nets.
    net : str
    copper : DrawnRail
        Of the net, with where other parts stand on it.
    capacitors : sequence of RailCapacitor
        Those that must stand on the planes.
    """
    order = [one.name for one in layout.copper]
    own = [one for one in facing if one.net == net and one.layer in order[1:-1]]
    if not own:
        return None
    loads = list(dict.fromkeys(pad.part for pad in copper.loads))
    if len(loads) > 1:
        return NoCavity("it has several loads: write a rail of the same net for each")
    layer = greatest_of(own, key=lambda one: one.area).layer
    holes = _holes(layout, net, layer)
    found = _outline([one for one in own if one.layer == layer], sheets, holes)
    if isinstance(found, NoCavity):
        return found
    outline, grounds, faced = found
    vias = list(_within(holes, outline))
    placed = _placed(copper, capacitors, vias)
    if isinstance(placed, NoCavity):
        return placed
    package, sources, banks = placed
    pitch = _pitch(layout, package, [layer, *grounds])
    if pitch is None:
        return NoCavity("no via of ground stands beside the vias of its load")
    top = copper.loads[0].side == "top"
    depth = sorted([layer, *grounds], key=order.index, reverse=not top)
    return PlaneCavity(
        tuple(pairwise(depth)), _ring(outline.exterior), tuple(map(_ring, outline.interiors)), float(outline.area),
        faced, tuple(one.at for one in package), median(one.drill for one in package), pitch,
        sources, banks)


def _ring(line: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in line.coords[:-1])


def _outline(
    own: Sequence[FacingPlanes], sheets: Mapping[str, PlaneSheet], holes: Sequence[_Via]
) -> tuple[Any, list[str], float] | NoCavity:
    """The largest piece of what faces ground, the layers of ground that it faces, and the larger facing area."""
    places = shapely.points([one.at for one in holes]) if holes else np.empty(0, dtype=object)
    discs = shapely.buffer(places, np.array([one.pad / 2 for one in holes]))
    plane = _closed(shapely.union_all([sheets[own[0].layer].by_net()[own[0].net], *discs]), places)
    areas = [shapely.intersection(plane, _closed(sheets[one.ground_layer].by_net()[one.ground], places)) for one in own]
    first = greatest_of(range(len(own)), key=lambda place: areas[place].area)
    area, grounds = _piece(areas[first], discs), [own[first].ground_layer]
    if area is None:
        return NoCavity("its planes are narrow strips")
    for one, other in zip(own, areas, strict=True):
        shared = _piece(shapely.intersection(areas[first], other), discs)
        if one.ground_layer in grounds or shared is None or shared.area < BOTH * area.area:
            continue
        if not (shapely.covers(area, places) & ~shapely.covers(shared, places)).any():
            area, grounds = shared, [*grounds, one.ground_layer]
    count = int(shapely.get_num_coordinates(area)) - 1 - len(area.interiors)
    if count > CORNERS:
        return NoCavity(f"the outline of its planes has {count} corners")
    return area, grounds, float(areas[first].area)


def _piece(area: Any, discs: Any) -> Any:
    """The largest piece of an area, with the pads of vias that stand in it, without slivers; None where it has none."""
    area = shapely.union_all([area, *discs[shapely.intersects(discs, area)]])
    open_ = shapely.buffer(shapely.buffer(area, -SLIVER, join_style="mitre"), SLIVER, join_style="mitre")
    parts = [one for one in shapely.get_parts(shapely.simplify(open_, MOVED)) if one.geom_type == "Polygon"]
    return greatest_of(parts, key=lambda one: one.area, default=None)


def _closed(area: Any, places: Any) -> Any:
    """The same area without small voids, among them those round several of some places."""
    made = []
    for one in shapely.get_parts(area):
        if one.geom_type == "Polygon":
            voids = [shapely.Polygon(ring) for ring in one.interiors]
            most = [CLUSTER if shapely.contains(void, places).any() else VOID for void in voids]
            made.append(shapely.Polygon(one.exterior, [
                void.exterior for void, least in zip(voids, most, strict=True) if void.area >= least]))
    return shapely.union_all(made)


def _holes(layout: Layout, net: str, layer: str) -> list[_Via]:
    """Vias and plated holes of a net that pass a layer."""
    spans = spans_of(layout)
    found = [_Via(one.at, one.drill, one.pad_on(layer)) for one in layout.vias
             if one.net == net and one.drill and layer in spans[one.first, one.last]]
    return found + [_Via(pad.at, min(pad.drill), min(pad.drill)) for part in layout.parts for pad in part.pads
                    if pad.net == net and pad.drill and pad.plated]


def _within(holes: Sequence[_Via], outline: Any) -> Iterator[_Via]:
    """Those within an outline, none nearer to its edge than its wall."""
    for one in holes:
        point = shapely.Point(one.at)
        if outline.covers(point) and shapely.distance(outline.boundary, point) >= one.drill / 2:
            yield one


def _placed(
    copper: DrawnRail, capacitors: Sequence[RailCapacitor], vias: Sequence[_Via]
) -> tuple[list[_Via], dict[str, CavityPlace], dict[str, CavityPlace]] | NoCavity:
    """Vias of the load, places of the sources and of the capacitors."""
    package = list(dict.fromkeys(via for pad in copper.loads for via in _near(pad.at, pad.size / 2, vias)[:1]))
    if not package:
        return NoCavity(_apart(copper.loads[0].part))
    sources: dict[str, CavityPlace] = {}
    for part in dict.fromkeys(pad.part for pad in copper.sources):
        place = _of_pads([pad for pad in copper.sources if pad.part == part], vias)
        if place is None:
            return NoCavity(_apart(part))
        sources[part] = place
    banks: dict[str, CavityPlace] = {}
    for one in capacitors:
        near = next((some for spot in (copper.taps[one.part.reference].at, one.pad)
                     if (some := _near(spot, 0.0, vias))), None)
        if near is None:
            return NoCavity(_apart(one.part.reference))
        banks[one.part.reference] = CavityPlace(near[0].at, 1)
    return package, sources, banks


def _apart(what: str) -> str:
    return f"no via to its plane stands within {REACH * 1e3:g} mm of {what}"


def _of_pads(pads: Sequence[RailPad], vias: Sequence[_Via]) -> CavityPlace | None:
    found = list(dict.fromkeys(via for pad in pads for via in _near(pad.at, pad.size / 2, vias)))
    if not found:
        return None
    middle = [sum(one.at[axis] for one in found) / len(found) for axis in (0, 1)]
    return CavityPlace(least_of(found, key=lambda one: math.dist(one.at, middle)).at, len(found))


def _near(spot: Point, more: float, vias: Sequence[_Via]) -> list[_Via]:
    """Vias near a place, the nearest first."""
    found = [one for one in vias if math.dist(one.at, spot) - more <= REACH]
    return ordered(found, key=lambda one: math.dist(one.at, spot))


def _pitch(layout: Layout, package: Sequence[_Via], layers: Sequence[str]) -> float | None:
    """Mean distance of the vias of a load from the nearest via of ground that passes the layers too."""
    spans = spans_of(layout)
    grounds = [one.at for one in layout.vias
               if one.drill and is_ground(one.net) and set(layers) <= set(spans[one.first, one.last])]
    if not grounds:
        return None
    return sum(min(math.dist(one.at, at) for at in grounds) for one in package) / len(package)
