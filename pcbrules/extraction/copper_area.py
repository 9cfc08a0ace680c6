# SPDX-License-Identifier: MIT
"""How much of each copper layer is copper: fills, tracks, and pads of vias and parts, joined."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import shapely

from pcbrules.extraction.holes import keeps_pad, pads_of, spans_of
from pcbrules.extraction.planar import area_of, lines_of, spots
from pcbrules.extraction.plane_sheet import PlaneSheet
from pcbrules.layout.layout import Layout

QUARTER = 4
"""Chords of a quarter of a round end: 0.6 % of the area of a small disc is lost. [-]"""


def copper_shares(layout: Layout, sheets: dict[str, PlaneSheet]) -> dict[str, float]:
    """Part of the board that is copper, by layer [-]; without layers whose zones are not filled. Nothing where the
    board has no outline, or copper of it was not read, and of no layer whose shapes cannot be joined.
    """
    if not any(len(ring) > 2 for ring in layout.outline) or layout.lost:
        return {}
    outline, *holes = (shapely.make_valid(shapely.Polygon(ring)) for ring in layout.outline if len(ring) > 2)
    board = shapely.difference(outline, shapely.union_all(holes))
    if board.area <= 0:
        return {}
    found = {}
    for layer, sheet in sheets.items():
        with suppress(shapely.errors.GEOSException):  # shapes that cannot be joined: the fill stays open
            if not sheet.unfilled:
                inside = shapely.intersection(_copper(layout, layer, sheet), board)
                found[layer] = min(1.0, float(inside.area / board.area))
    return found


def _copper(layout: Layout, layer: str, sheet: PlaneSheet) -> Any:
    tracks = [one for one in layout.tracks if one.layer == layer]
    spans = spans_of(layout)
    vias = [one for one in layout.vias if layer in spans[one.first, one.last] and keeps_pad(one, layer)]
    teardrops = [shapely.make_valid(shapely.Polygon(fill.ring)) for zone in layout.zones if zone.kind == "teardrop"
                 for fill in zone.fills if fill.layer == layer and len(fill.ring) > 2]
    lines = shapely.buffer(lines_of(tracks), np.array([one.width / 2 for one in tracks]), quad_segs=QUARTER)
    rounds = shapely.buffer(spots([one.at for one in vias]), np.array([one.pad_on(layer) / 2 for one in vias]),
                            quad_segs=QUARTER)
    pads = [area_of(pad.shape_on(layer)) for _, pad in pads_of(layout) if layer in pad.layers]
    # most copper touches few other pieces
    return shapely.disjoint_subset_union_all([*(sheet.areas if sheet else ()), *teardrops, *lines, *rounds, *pads])
