# SPDX-License-Identifier: MIT
"""What the planes under a stretch of a pair give its entry in the board file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pcbrules.errors import clip
from pcbrules.extraction.drawn_path import DrawnChange, DrawnStretch
from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.plane_changes import PlaneChange
from pcbrules.extraction.plane_edges import PlaneEdge
from pcbrules.extraction.plane_slits import PlaneSlit, slits
from pcbrules.extraction.reference import ReferenceLayer
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.ties import greatest_of, least_of


def planes_of(step: DrawnStretch, layout: Layout, found: LayoutMeasures) -> list[ReferenceLayer]:
    """The layers above and below a stretch that hold zones; ``found`` are the measures of the layout."""
    return [one.on(step.tracks) for one in found.references[layout.pairs.index(step.pair)] if one.layer == step.layer]


def local_planes(references: Mapping[NetPair, Sequence[ReferenceLayer]]) -> set[str]:
    """Layers that are the plane of every pair that runs over them, by the planes of the pairs of all links."""
    over = [one for each in references.values() for one in each]
    return {one.plane for one in over if one.is_plane} - {one.plane for one in over if not one.is_plane}


def named_planes(
    step: DrawnStretch, layout: Layout, found: LayoutMeasures, roles: Mapping[str, str]
) -> list[str] | None:
    """The planes of a stretch, from top to bottom, where they are not those of the stackup; else None.

    ``roles`` are those of the copper layers. A layer that carries traces and zones, ``mixed``, says of no stretch
    whether it is its plane. None too where the planes are unknown, and of a way between own vias and pads alone, whose
    openings hide them.
    """
    own = planes_of(step, layout, found)
    drawn = {one.plane for one in own if one.is_plane}
    hidden = any(one.coverage_outside is None and not one.is_plane for one in own)
    if hidden or any(one.unknown for one in own) or drawn & _contradicted(found):
        return None
    order = [one.name for one in layout.copper]
    at = order.index(step.layer)
    sides = order[:at][::-1], order[at + 1:]
    nearest = [next((one for one in side if roles[one] != "signal"), None) for side in sides]
    same = {one for one in nearest if one is not None} == drawn and all(
        one is None or roles[one] != "mixed" for one in nearest)
    return None if same else [one for one in order if one in drawn]


def slits_of(step: DrawnStretch, layout: Layout, found: LayoutMeasures) -> tuple[PlaneSlit, ...] | None:
    """The slits under a stretch; None where its planes are unknown."""
    own = planes_of(step, layout, found)
    planes = {one.plane for one in own if one.is_plane}
    if not planes or any(one.unknown for one in own) or planes & _contradicted(found):
        return None
    return slits(own, None if step.gap.gap is None else step.gap.gap + step.gap.width)


def unknown_planes(steps: Iterable[object], layout: Layout, found: LayoutMeasures) -> list[str]:
    """Planes of the stretches of a path whose stored fills contradict what stands in them, from top to bottom."""
    planes = {one.plane for step in steps if isinstance(step, DrawnStretch) for one in planes_of(step, layout, found)
              if one.is_plane}
    return [one.name for one in layout.copper if one.name in planes & _contradicted(found)]


def _contradicted(found: LayoutMeasures) -> set[str]:
    """Layers whose stored fills contradict what stands in them."""
    return {one.layer for one in found.conflicts}


@dataclass(frozen=True, slots=True)
class EdgeBeside:
    """The end of a plane beside a stretch: the plane, the leg's stretch that is nearest, and the length within three
    heights of the leg that has most of it. [m]
    """

    plane: str
    nearest: PlaneEdge
    length: float


def edges_of(step: DrawnStretch, layout: Layout, found: LayoutMeasures) -> tuple[EdgeBeside, ...]:
    """The edges beside a stretch, one a plane; those of unknown planes are none."""
    made = []
    for one in planes_of(step, layout, found) if slits_of(step, layout, found) is not None else ():
        near = [edge for leg in one.edges for edge in leg.beside]
        if near:
            made.append(EdgeBeside(one.plane, least_of(near, key=lambda each: each.distance),
                                   max(sum(edge.length for edge in leg.beside) for leg in one.edges)))
    return tuple(made)


def edge_notes(found: tuple[EdgeBeside, ...]) -> Iterator[str]:
    """Where each edge is nearest, for a comment. [mm]"""
    for one in found:
        x, y = (place * 1e3 for place in one.nearest.middle)
        yield f"edge of {clip(one.plane)} beside {clip(one.nearest.net)} at ({x:.4f}, {y:.4f}) mm"


def change_of(step: DrawnChange, layout: Layout, found: LayoutMeasures) -> PlaneChange | None:
    """The change of plane at the vias of a pair whose planes are joined furthest away; None where it changes none."""
    own = [one for changes in found.changes for one in changes
           if (one.net, one.at) in {(via.net, via.at) for via in (step.p, step.n)}]
    if _contradicted(found) & {plane for one in own for plane in one.planes}:
        return None
    return greatest_of(own, key=lambda one: math.inf if one.stitch is None else one.stitch.distance, default=None)


def slit_notes(found: tuple[PlaneSlit, ...]) -> Iterator[str]:
    """Where each slit is, for a comment. [mm]"""
    for one in found:
        nets = " and ".join(clip(gap.net) for gap in one.gaps)
        yield f"{nets} at ({one.at[0] * 1e3:.4f}, {one.at[1] * 1e3:.4f}) mm"
