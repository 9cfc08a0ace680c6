# SPDX-License-Identifier: MIT
"""What runs beside each stretch of the paths of links: pairs and single nets on its layer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.extraction.drawn_path import DrawnPath, DrawnStretch
from pcbrules.extraction.neighbours import LEAST, NeighbourSearch
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.reference import ReferenceLayer
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.physics.common.extremes import first_least
from pcbrules.ties import ordered

ALIKE = 1e-6
"""Spacings that are equal when rounded to this are in the order of their nets: a file may round its points. [m]"""


@dataclass(frozen=True, slots=True)
class BesideStretch:
    """A pair, or a single net, beside a stretch.

    Attributes
    ----------
    nets : tuple of str
        Two of a pair, one of a single net.
    layer : str
        The layer of the stretch, or the next one without a plane between.
    spacing : float
        The smallest, from edge to edge. [m]
    length : float
        That the leg with more of it runs beside. [m]
    at : tuple of float
        On the leg, where it is smallest. [m]
    """

    nets: tuple[str, ...]
    layer: str
    spacing: float
    length: float
    at: Point


@dataclass(frozen=True, slots=True)
class StretchSearch:
    """What was found beside a stretch up to a distance from edge to edge [m], on its layer and on the next ones."""

    limit: float
    beside: tuple[BesideStretch, ...]
    over: tuple[BesideStretch, ...]


def neighbours_of_stretches(
    layout: Layout, paths: Sequence[DrawnPath], references: Mapping[NetPair, Sequence[ReferenceLayer]],
    quiet: Collection[str] = (),
) -> dict[DrawnStretch, StretchSearch]:
    """Search beside every stretch; one whose height over the next copper is not known has no entry.

    Parameters
    ----------
    layout : Layout
        With all of its pairs.
    paths : sequence of DrawnPath
    references : mapping
        The planes of each pair of the paths.
    quiet : collection of str
        Nets that are no aggressors: supplies. Ground, and nets with a zone of copper, are none either.
    """
    search = NeighbourSearch(layout)
    zones = {zone.net for zone in layout.zones if zone.kind == "copper"}
    silent = {net for net in search.nets if not net or net in zones or net in quiet or is_ground(net)}
    pairs = (*(pair for path in paths for pair in path.pairs), *layout.pairs)
    partner: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        if pair.p not in partner and pair.n not in partner:
            partner[pair.p] = partner[pair.n] = (pair.p, pair.n)
    order = [one.name for one in layout.copper]
    found: dict[DrawnStretch, StretchSearch] = {}
    for path in paths:
        own = {net for pair in path.pairs for net in (pair.p, pair.n)}
        for step in path.steps:
            if not isinstance(step, DrawnStretch):
                continue
            planes = references.get(step.pair, ())
            limit = search.limit(step.layer, planes)
            if limit is None:
                continue
            shields = {one.plane for one in planes if one.layer == step.layer and one.is_plane}
            place = order.index(step.layer)
            nexts = [order[one] for one in (place - 1, place + 1)
                     if 0 <= one < len(order) and order[one] not in shields]
            groups = [_beside(search, step, layer, own | silent, partner, limit) for layer in (step.layer, *nexts)]
            found[step] = StretchSearch(limit, tuple(groups[0]), tuple(one for more in groups[1:] for one in more))
    return found


def _beside(
    search: NeighbourSearch, step: DrawnStretch, layer: str, without: Collection[str],
    partner: Mapping[str, tuple[str, ...]], limit: float,
) -> list[BesideStretch]:
    def all_of() -> Iterator[BesideStretch]:
        seen = search.facing(step.layer, search.tracks(step.tracks), layer, without, limit)
        groups = [partner.get(search.nets[one], (search.nets[one],)) for one in seen.nets.tolist()]
        for nets in dict.fromkeys(groups):
            here = np.array([one == nets for one in groups], dtype=bool)
            spots = np.unique(seen.sample[here])
            legs = seen.legs[spots]
            length = max(float(seen.steps[spots][legs == leg].sum()) for leg in np.unique(legs).tolist())
            if length >= LEAST:
                space = seen.space[here]
                nearest = first_least(space)
                x, y = seen.points[seen.sample[here][nearest]].tolist()
                yield BesideStretch(nets, layer, float(space[nearest]), length, (x, y))

    return ordered(all_of(), key=lambda one: (round(one.spacing / ALIKE), one.nets))
