# SPDX-License-Identifier: MIT
"""Filled copper of one layer as a plane: over which part of a line there is copper, and of which net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.extraction.planar import Geometries, chunks
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.ties import least_of

Floats = NDArray[np.float64]


FAR = 12e-3
"""Where the edge of a void is further away it is no opening of a via; practice. [m]"""


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line cut in pieces, one after the other: ``ends`` along it, shape (n + 1,) [m], and of each piece the place of
    its net in the nets of the sheet, -1 where there is no copper.
    """

    ends: Floats
    nets: NDArray[np.int_]

    @property
    def lengths(self) -> Floats:
        """[m]"""
        return np.diff(self.ends)


@dataclass(frozen=True, slots=True)
class NearRims:
    """All edges of copper that come within a distance of a line, in pieces. [m]"""

    tree: shapely.STRtree
    reach: float


class PlaneSheet:
    """The fills of a layer that belong to zones of copper; tracks and pads are no plane."""

    def __init__(self, layout: Layout, layer: str) -> None:
        rings = [(fill.ring, zone.net) for zone in layout.zones if zone.kind == "copper"
                 for fill in zone.fills if fill.layer == layer and len(fill.ring) > 2]
        self.nets = tuple(dict.fromkeys(net for _, net in rings))
        self.polygons = [_prepared(ring) for ring, _ in rings]
        self.of = np.array([self.nets.index(net) for _, net in rings], dtype=int)
        edges = [chunks(ring) for ring, _ in rings]
        self.edges: Geometries = np.concatenate(edges) if edges else np.empty(0, dtype=object)
        self.tree = shapely.STRtree(self.edges)
        self.unfilled = [_prepared(outline) for zone in layout.zones if zone.kind == "copper" and layer in zone.layers
                         and not any(fill.layer == layer for fill in zone.fills)
                         for outline in zone.outlines if len(outline) > 2]

    def __bool__(self) -> bool:
        return bool(self.polygons)

    @cached_property
    def areas(self) -> Geometries:
        """The fills as areas that are valid where a ring touches itself, in the order of ``polygons``; the lines on
        which a ring runs to a void and back are left out.
        """
        fills = np.array(self.polygons, dtype=object)
        return np.asarray(shapely.make_valid(fills, method="structure", keep_collapsed=False))

    def unknown(self, points: Floats) -> bool:
        """True if any of some points, shape (n, 2), lies in a zone that was never filled: its copper is unknown."""
        return any(bool(shapely.contains_xy(one, points[:, 0], points[:, 1]).any()) for one in self.unfilled)

    def under(self, line: Any, more: Floats) -> CutLine:
        """Cut a line at the edges of copper, and at ``more`` places along it [m].

        Fills that touch themselves on the way round a void cut it too; both pieces then lie over copper.
        """
        length = shapely.length(line)
        met = self.edges[self.tree.query(line, predicate="intersects")]
        at = shapely.get_coordinates(shapely.intersection(met, line)) if len(met) else np.empty((0, 2))
        places = shapely.line_locate_point(line, shapely.points(at)) if len(at) else np.empty(0)
        ends = np.unique(np.concatenate([[0.0, length], np.clip(more, 0, length), places]))
        middle = shapely.get_coordinates(shapely.line_interpolate_point(line, (ends[1:] + ends[:-1]) / 2))
        return CutLine(ends, self.net_at(middle))

    def clear_round(self, at: Point) -> float | None:
        """Distance of a place from the nearest edge of a fill; less than zero within copper, None without one. [m]"""
        if not self.polygons:
            return None
        point = shapely.Point(at)
        distance = float(shapely.distance(self.edges[self.tree.nearest(point)], point))
        return -distance if self.net_at(np.array([at]))[0] >= 0 else distance

    def opening(self, at: Point) -> Any:
        """The void that holds a place, with copper all round it no further away than ``FAR``; None where there is none.

        Copper that stands in the void is no part of it.
        """
        point = shapely.Point(at)
        parts, holes = self._voids
        found = [holes.geometries[place] for place in holes.query(point, predicate="within").tolist()]
        if not found:
            return None
        void = least_of(found, key=lambda one: one.area)
        if shapely.hausdorff_distance(void.exterior, point) > FAR:
            return None
        inner = parts.geometries[parts.query(void, predicate="contains")]
        return shapely.difference(void, shapely.union_all(inner)) if len(inner) else void

    @cached_property
    def _voids(self) -> tuple[shapely.STRtree, shapely.STRtree]:
        """All copper of the layer as areas, and the voids in it; a ring may touch itself on the way round a void."""
        whole = shapely.union_all(self.areas)
        parts = [one for one in shapely.get_parts(whole) if one.geom_type == "Polygon"]
        voids = [shapely.Polygon(ring) for one in parts for ring in one.interiors]
        return shapely.STRtree(parts), shapely.STRtree(voids)

    @cached_property
    def _rims(self) -> shapely.STRtree:
        """Edges of all copper of the layer in pieces, without the lines on which a ring runs to a void and back."""
        parts, _ = self._voids
        rings = [ring for one in parts.geometries for ring in (one.exterior, *one.interiors)]
        edges = [chunks(shapely.get_coordinates(ring)[:-1].tolist()) for ring in rings]
        return shapely.STRtree(np.concatenate(edges) if edges else np.empty(0, dtype=object))

    def rims_near(self, line: Any, reach: float) -> NearRims:
        """Edges of copper within a distance of a line. [m]"""
        return NearRims(shapely.STRtree(
            self._rims.geometries[self._rims.query(line, predicate="dwithin", distance=reach)]), reach)

    def rim_distance(self, points: Geometries, near: NearRims) -> Floats:
        """Distance of points from the nearest edge of copper [m]; ``near`` are the edges near the line they lie on."""
        if not len(near.tree):
            return self._away(points, self._rims)
        found = self._away(points, near.tree)
        far = found > near.reach  # there may be a nearer one that is not among these
        found[far] = self._away(points[far], self._rims)
        return found

    @staticmethod
    def _away(points: Geometries, rims: shapely.STRtree) -> Floats:
        return np.array(shapely.distance(rims.geometries[rims.nearest(points)], points))

    def by_net(self) -> dict[str, Any]:
        """All copper of each net as one area."""
        return {net: shapely.union_all(self.areas[self.of == place]) for place, net in enumerate(self.nets)}

    def share(self, outline: Sequence[Point]) -> tuple[str, float]:
        """The net with the most copper, empty without one, and the part of an outline that all fills cover [-]."""
        if not self.polygons or len(outline) < 3:
            return "", 0.0
        areas = shapely.area(self.areas)
        by_net = np.bincount(self.of, areas, len(self.nets)).astype(np.float64)
        return self.nets[first_greatest(by_net)], float(min(1.0, areas.sum() / shapely.Polygon(outline).area))

    def net_at(self, points: Floats) -> NDArray[np.int_]:
        """Place of the net of the copper at each point, shape (n, 2); -1 where there is none."""
        found = np.full(len(points), -1)
        low, high = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
        for polygon, of in zip(self.polygons, self.of, strict=True):
            x, y, u, v = polygon.bounds
            if x <= high[0] and u >= low[0] and y <= high[1] and v >= low[1]:
                found[shapely.contains_xy(polygon, points[:, 0], points[:, 1])] = of
        return found


def _prepared(ring: Sequence[Point]) -> Any:
    made = shapely.Polygon(ring)
    shapely.prepare(made)
    return made


def sheets_of(layout: Layout) -> dict[str, PlaneSheet]:
    """The sheet of each copper layer."""
    return {one.name: PlaneSheet(layout, one.name) for one in layout.copper}
