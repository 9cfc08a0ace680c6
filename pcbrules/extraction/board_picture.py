# SPDX-License-Identifier: MIT
"""Copper of a layout for a picture: fills and tracks of each layer, with fewer points the more there are."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from pcbrules.extraction.planar import lines_of
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout

FINEST, COARSEST = 20e-6, 2e-3
"""What a picture may lie off the copper: at first, and at most. [m]"""

MOST = 60_000
"""Points of all fills, and of all tracks."""

SMALLEST = 20.0
"""Fills whose area is below the square of so many tolerances are left out. [-]"""

Line = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class LayerPicture:
    """Fills and centre lines of one layer. [m]"""

    layer: str
    areas: tuple[Line, ...]
    tracks: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """Layers from top to bottom, what fills and tracks may lie off the copper [m], and tracks that are left out."""

    layers: tuple[LayerPicture, ...]
    tolerance: float
    left_out: int


def board_picture(layout: Layout, drawn: Set[str]) -> BoardPicture:
    """The copper of a layout; tracks of the nets in ``drawn`` are drawn by themselves and left out here."""
    names = [one.name for one in layout.copper]
    fills = [(names.index(fill.layer), fill.ring) for zone in layout.zones if zone.kind == "copper"
             for fill in zone.fills if fill.layer in names and len(fill.ring) > 2]
    rings = np.array([shapely.LinearRing(ring) for _, ring in fills], dtype=object)
    of_ring = np.array([layer for layer, _ in fills], dtype=int)
    lines, of_line = _lines(layout, names, drawn)
    tolerance, count = FINEST, len(lines)
    rings, of_ring = _simple(rings, of_ring, tolerance)
    while _points(rings) > MOST and tolerance < COARSEST:
        tolerance *= 2
        rings, of_ring = _simple(rings, of_ring, tolerance)
    lines, of_line = _longest(_fewer(lines, tolerance), of_line)
    return BoardPicture(tuple(
        LayerPicture(name, tuple(map(_line, rings[of_ring == place])), tuple(map(_line, lines[of_line == place])))
        for place, name in enumerate(names)), tolerance, count - len(lines))


def _lines(layout: Layout, names: Sequence[str], drawn: Set[str]) -> tuple[NDArray[np.object_], NDArray[np.int_]]:
    """Centre lines of each layer, joined where two tracks of one net meet."""
    tracks: dict[tuple[int, str], list[Track]] = {}
    for one in layout.tracks:
        if one.net not in drawn and one.layer in names:
            tracks.setdefault((names.index(one.layer), one.net), []).append(one)
    found: list[Any] = []
    layers: list[int] = []
    for (layer, _), group in tracks.items():
        joined = shapely.get_parts(shapely.line_merge(shapely.MultiLineString(list(lines_of(group)))))
        found += list(joined)
        layers += [layer] * len(joined)
    return np.array(found, dtype=object), np.array(layers, dtype=int)


def _fewer(lines: NDArray[np.object_], tolerance: float) -> NDArray[np.object_]:
    return np.asarray(shapely.simplify(lines, tolerance, preserve_topology=False)) if len(lines) else lines


def _simple(
    rings: NDArray[np.object_], of: NDArray[np.int_], tolerance: float
) -> tuple[NDArray[np.object_], NDArray[np.int_]]:
    """Rings with fewer points, without those that enclose too little."""
    simple = _fewer(rings, tolerance)
    if not len(simple):
        return simple, of
    bounds = shapely.bounds(simple)
    area = (bounds[:, 2] - bounds[:, 0]) * (bounds[:, 3] - bounds[:, 1])
    kept = (area >= (SMALLEST * tolerance) ** 2) & (shapely.get_num_coordinates(simple) > 3)
    return simple[kept], of[kept]


def _longest(lines: NDArray[np.object_], of: NDArray[np.int_]) -> tuple[NDArray[np.object_], NDArray[np.int_]]:
    """As many lines as the picture has room for: the shortest are left out, in the order of the layout."""
    if not len(lines) or _points(lines) <= MOST:
        return lines, of
    lengths, sizes = shapely.length(lines), shapely.get_num_coordinates(lines)
    least = 0.0
    kept = np.ones(len(lines), dtype=bool)
    while sizes[kept].sum() > MOST:
        least = max(1.25 * least, 0.1e-3)
        kept = lengths >= least
    return lines[kept], of[kept]


def _points(lines: NDArray[np.object_]) -> int:
    return int(shapely.get_num_coordinates(lines).sum()) if len(lines) else 0


def _line(one: Any) -> Line:
    return tuple((x, y) for x, y in shapely.get_coordinates(one).tolist())
