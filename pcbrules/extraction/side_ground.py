# SPDX-License-Identifier: MIT
"""Ground copper beside a stretch of a pair, on its own layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from pcbrules.extraction.drawn_path import DrawnPath, DrawnStretch
from pcbrules.extraction.pair_gap import samples, usual_gap
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.planar import chunks, least_distance, lines_of
from pcbrules.extraction.reference import ReferenceLayer
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout, NetPair

HEIGHTS = 3.0
"""Heights over its plane beyond which a trace hardly sees ground beside it; practice. [-]"""

ALONG = 0.8
"""Part of either leg that must have ground beside it for the stretch to be a coplanar one; practice. [-]"""

ALIKE = 1.25
"""Spaces of both legs that differ by no more than this are one; practice. [-]"""


@dataclass(frozen=True, slots=True)
class GroundBeside:
    """Ground beside a stretch: its usual space from the outer edges of both legs [m], and the least part of a leg that
    has ground within ``HEIGHTS`` heights [-]. No space where the ground lies on one side, or beside a part alone.
    """

    space: float | None
    share: float


def side_grounds(
    layout: Layout, paths: Sequence[DrawnPath], references: Mapping[NetPair, Sequence[ReferenceLayer]],
) -> dict[DrawnStretch, GroundBeside]:
    """Look beside every stretch; one without ground there, or whose height over a plane is not known, has no entry.

    ``references`` are the planes of each pair of the paths.
    """
    edges: dict[str, shapely.STRtree] = {}
    found: dict[DrawnStretch, GroundBeside] = {}
    for step in (step for path in paths for step in path.steps if isinstance(step, DrawnStretch)):
        heights = [one.height for one in references.get(step.pair, ())
                   if one.layer == step.layer and one.is_plane and one.height is not None]
        if not heights:
            continue
        if step.layer not in edges:
            edges[step.layer] = _ground_edges(layout, step.layer)
        limit = HEIGHTS * min(heights)
        legs = [_leg([one for one in step.tracks if one.net == net], edges[step.layer], limit)
                for net in (step.pair.p, step.pair.n)]
        share = min(each for _, each in legs)
        if max(each for _, each in legs) > 0:
            found[step] = GroundBeside(_space(step, [one for one, _ in legs]) if share >= ALONG else None, share)
    return found


def _space(step: DrawnStretch, spaces: Sequence[float | None]) -> float | None:
    """The smaller space of both legs; None where they are not alike, or ground may lie between the legs too."""
    known = [one for one in spaces if one is not None and one > 0]
    if len(known) < len(spaces) or max(known) > ALIKE * min(known):
        return None
    gap = step.gap.gap
    return min(known) if gap is not None and gap < 2 * min(known) else None


def _ground_edges(layout: Layout, layer: str) -> shapely.STRtree:
    """Edges of the fills of ground on a layer."""
    edges = [chunks(fill.ring) for zone in layout.zones if zone.kind == "copper" and is_ground(zone.net)
             for fill in zone.fills if fill.layer == layer and len(fill.ring) > 2]
    return shapely.STRtree(np.concatenate(edges) if edges else np.empty(0, dtype=object))


def _leg(tracks: Sequence[Track], edges: shapely.STRtree, limit: float) -> tuple[float | None, float]:
    """The usual space between a leg and ground [m], and the part of the leg that has ground within a limit [-]."""
    if not tracks or not len(edges):
        return None, 0.0
    points, half, steps = samples(tracks)
    reach = limit + float(half.max())
    beside = np.unique(edges.query(lines_of(tracks), predicate="dwithin", distance=reach)[1])
    if not len(beside):
        return None, 0.0
    distance = least_distance(points, edges.geometries[beside])
    space = np.where(distance <= reach, distance - half, np.inf)
    near = space <= limit
    return usual_gap(space, steps)[0], float(steps[near].sum() / steps.sum())
