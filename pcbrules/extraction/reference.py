# SPDX-License-Identifier: MIT
"""The planes that a pair runs over, and where their copper is missing under it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.extraction.near_rims import Circles
from pcbrules.extraction.planar import lines_of
from pcbrules.extraction.plane_edges import LegLine, LegNearEdge, PlaneEdge, leg_near_edge, lines_of_leg
from pcbrules.extraction.plane_sheet import CutLine, PlaneSheet
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Track
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.net_copper import NetCopper, copper_of

ROUND = 0.5e-3
"""Beyond the copper of its own vias and pads a trace is looked at: up to there the planes have holes for them [m]."""

PLANE_FROM = 0.5
"""Part of a pair that has to lie over the copper of a layer for that to be its plane; practice. [-]"""

LOOKED = 0.25e-3
"""Distance of the places at which a trace is looked for in zones that are not filled. [m]"""

ON_LINE = 1e-6
"""What a point of a centre line lies off it at most: chords of arcs. [m]"""

SHORTEST = 2e-6
"""Gaps shorter than this are none. [m]"""

Floats = NDArray[np.float64]

Side = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class PlaneGap:
    """A stretch of a leg without copper on the plane layer.

    Attributes
    ----------
    net : str
        Of the leg.
    start, middle, end : tuple of float
    length : float
        Along the centre line, without what is near own vias and pads. [m]
    whole : float
        Length of the stretch with that part. [m]
    nets : tuple of str
        Of the copper before and behind it; empty where the trace or the looked-at part ends.
    """

    net: str
    start: Point
    middle: Point
    end: Point
    length: float
    whole: float
    nets: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ReferenceLayer:
    """A layer that may be the plane of a pair on one of its layers.

    Attributes
    ----------
    layer, side, plane : str
        Layer of the traces, whether the other layer lies ``above`` or ``below``, and its name.
    height : float or None
        Between the facing surfaces of copper; None where a thickness is open. [m]
    coverage, coverage_outside : float, float or None
        Part of both legs over copper: of their whole length, and of what is not near own vias and pads (None where
        nothing is). [-]
    is_plane : bool
        At least half of what counts lies over copper; else the next layer is looked at.
    unknown : bool
        A zone of this layer was never filled where the pair runs: what is said of it is not to be relied on.
    nets : tuple of (net, length)
        Of the copper under the legs. [m]
    gaps : tuple of PlaneGap
        Empty where the layer is no plane of the pair.
    edges : tuple of LegNearEdge
        Of each leg; empty where the layer is no plane of the pair, or its height is open.
    """

    layer: str
    side: Side
    plane: str
    height: float | None
    coverage: float
    coverage_outside: float | None
    is_plane: bool
    unknown: bool
    nets: tuple[tuple[str, float], ...]
    gaps: tuple[PlaneGap, ...]
    edges: tuple[LegNearEdge, ...] = ()


    def on(self, tracks: Sequence[Track]) -> ReferenceLayer:
        """What it is to some of the tracks of the pair on the layer: gaps and edges with their middle on these."""
        lines = lines_of(tracks)

        def within(one: PlaneGap | PlaneEdge) -> bool:
            return bool(shapely.dwithin(lines, shapely.Point(one.middle), ON_LINE).any())

        edges = (replace(leg, stretches=tuple(filter(within, leg.stretches)), beside=tuple(filter(within, leg.beside)))
                 for leg in self.edges)
        return replace(self, gaps=tuple(filter(within, self.gaps)), edges=tuple(edges))


def references_of_pairs(layout: Layout, sheets: dict[str, PlaneSheet]) -> tuple[tuple[ReferenceLayer, ...], ...]:
    """Every pair of a layout: on each of its layers the layers above and below that hold zones, up to a plane.

    ``sheets`` are the planes of the layout by layer.
    """
    copper = copper_of(layout, [net for pair in layout.pairs for net in (pair.p, pair.n)])
    return tuple(tuple(_of_pair(layout, pair, copper, sheets)) for pair in layout.pairs)


def _of_pair(
    layout: Layout, pair: NetPair, copper: dict[str, NetCopper], sheets: dict[str, PlaneSheet]
) -> Iterator[ReferenceLayer]:
    order = [one.name for one in layout.copper]
    legs = [copper[net] for net in dict.fromkeys((pair.p, pair.n))]
    circles = Circles.of([circle for leg in legs for circle in _circles(leg)])
    for place, layer in enumerate(order):
        by_width = {leg.net: _by_width(leg, layer, circles) for leg in legs}
        lines = [(leg.net, line) for leg in legs for line in _whole(leg, layer, circles, by_width[leg.net])]
        if not lines:
            continue
        sides: tuple[tuple[Side, list[str]], ...] = (
            ("above", order[:place][::-1]), ("below", order[place + 1 :]))
        for side, others in sides:
            for other in others:
                if sheets[other] or sheets[other].unfilled:
                    found = _looked_at(lines, sheets[other])
                    height = height_between(layout.layers, *sorted((place, order.index(other))))
                    made = found.reference(layer, side, other, height)
                    if made.is_plane and height is not None:
                        made = replace(made, edges=tuple(
                            leg_near_edge(net, own, circles, sheets[other], height, found.bare)
                            for net, own in by_width.items() if own))
                    yield made
                    if made.is_plane:
                        break


def _by_width(leg: NetCopper, layer: str, circles: Circles) -> dict[float, list[LegLine]]:
    """Centre lines of a leg on a layer by the width of its tracks [m]."""
    found: dict[float, list[Track]] = {}
    for one in leg.tracks:
        if one.layer == layer and one.length > 0:
            found.setdefault(one.width, []).append(one)
    return {width: lines_of_leg(tracks, circles) for width, tracks in found.items()}


def _whole(leg: NetCopper, layer: str, circles: Circles, by_width: Mapping[float, list[LegLine]]) -> list[LegLine]:
    """The same without regard to widths."""
    if len(by_width) < 2:
        return [line for lines in by_width.values() for line in lines]
    return lines_of_leg([one for one in leg.tracks if one.layer == layer and one.length > 0], circles)


def _circles(leg: NetCopper) -> Iterator[tuple[Point, float]]:
    """Places round own vias and pads at which the planes are open. [m]"""
    for via in leg.vias:
        yield via.at, via.pad / 2 + ROUND
    for pad in leg.pads:
        for _, shape in pad.shapes:
            yield shape.centre, math.hypot(shape.width, shape.height) / 2 + ROUND


def height_between(layers: Sequence[LayoutLayer], first: int, last: int) -> float | None:
    """Between two copper layers, by their places among the copper layers. [m]"""
    places = [place for place, one in enumerate(layers) if one.kind == "copper"]
    between = [one.thickness for one in layers[places[first] + 1 : places[last]]]
    return None if not between or None in between else sum(one for one in between if one is not None)


@dataclass(frozen=True, slots=True)
class _Looked:
    """Both legs over a sheet: the pieces of every line, which of them count, and the lines with their nets."""

    lines: Sequence[tuple[str, Any]]
    pieces: Sequence[CutLine]
    counted: Sequence[NDArray[np.bool_]]
    sheet: PlaneSheet

    def reference(self, layer: str, side: Side, plane: str, height: float | None) -> ReferenceLayer:
        whole, covered = self._lengths([np.ones_like(one) for one in self.counted])
        outside, covered_outside = self._lengths(self.counted)
        share = covered_outside / outside if outside > 0 else None
        is_plane = (covered / whole if share is None else share) >= PLANE_FROM
        over = np.zeros(len(self.sheet.nets))
        for one in self.pieces:
            over += np.bincount(one.nets + 1, one.lengths, len(over) + 1)[1:]
        return ReferenceLayer(
            layer, side, plane, height, covered / whole, share, is_plane, self._unknown(),
            tuple((net, float(length)) for net, length in zip(self.sheet.nets, over, strict=True) if length > 0),
            tuple(self._gaps()) if is_plane else (),
        )

    def bare(self, line: Any) -> Floats:
        """Parts of a line of a leg that lie over no copper, as intervals along it, shape (n, 2). [m]"""
        cut = next((cut for (_, own), cut in zip(self.lines, self.pieces, strict=True) if own is line), None)
        one = self.sheet.under(line, np.empty(0)) if cut is None else cut
        return np.stack([one.ends[:-1], one.ends[1:]], axis=1)[one.nets < 0]

    def _unknown(self) -> bool:
        """True if a line runs over a zone that was never filled."""
        if not self.sheet.unfilled:
            return False
        return self.sheet.unknown(np.concatenate(
            [shapely.get_coordinates(shapely.segmentize(line, LOOKED)) for _, line in self.lines]))

    def _lengths(self, counted: Sequence[NDArray[np.bool_]]) -> tuple[float, float]:
        pairs = list(zip(self.pieces, counted, strict=True))
        return (float(sum(one.lengths[mask].sum() for one, mask in pairs)),
                float(sum(one.lengths[mask & (one.nets >= 0)].sum() for one, mask in pairs)))

    def _gaps(self) -> Iterator[PlaneGap]:
        for (net, line), one, counted in zip(self.lines, self.pieces, self.counted, strict=True):
            bare = one.nets < 0
            for first, last in _runs(bare & counted):
                length = one.ends[last] - one.ends[first]
                if length >= SHORTEST:
                    begin, stop = next(run for run in _runs(bare) if run[0] <= first and last <= run[1])
                    ends = [one.ends[first], (one.ends[first] + one.ends[last]) / 2, one.ends[last]]
                    (start, middle, end) = shapely.get_coordinates(shapely.line_interpolate_point(line, ends)).tolist()
                    yield PlaneGap(net, tuple(start), tuple(middle), tuple(end), float(length),
                                       float(one.ends[stop] - one.ends[begin]),
                                       (self._net(one, begin - 1), self._net(one, stop)))

    def _net(self, one: CutLine, place: int) -> str:
        return self.sheet.nets[one.nets[place]] if 0 <= place < len(one.nets) else ""


def _looked_at(lines: Sequence[tuple[str, LegLine]], sheet: PlaneSheet) -> _Looked:
    pieces, counted = [], []
    for _, leg in lines:
        one = sheet.under(leg.line, leg.own.ravel())
        middle = (one.ends[1:] + one.ends[:-1]) / 2
        begun, ended = (np.searchsorted(leg.own[:, side], middle) for side in (0, 1))
        pieces.append(one)
        counted.append(begun == ended)
    return _Looked([(net, leg.line) for net, leg in lines], pieces, counted, sheet)


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Beginnings and ends of the stretches in which a mask is true, ends excluded."""
    steps = np.diff(np.concatenate([[0], mask.astype(int), [0]]))
    return list(zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist(), strict=True))
