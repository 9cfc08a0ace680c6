# SPDX-License-Identifier: MIT
"""The planes that a pair runs over, its vias and its neighbours, for readers and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pcbrules.extraction.neighbours import DrawnNeighbour
from pcbrules.extraction.pair_vias import DrawnVia
from pcbrules.extraction.plane_changes import PlaneChange
from pcbrules.extraction.plane_edges import HEIGHTS, PlaneEdge
from pcbrules.extraction.reference import PlaneGap, ReferenceLayer
from pcbrules.ties import least_of, ordered

NM = 6
"""Decimals of a length in millimetres that are printed for programs."""

MOST = 5
"""Gaps of one pair over one plane that are printed one by one."""


def reference_rows(layer: str, references: Sequence[ReferenceLayer]) -> Iterator[str]:
    """The planes of a pair on one of its layers, and the gaps in them. [mm]"""
    own = [one for one in references if one.layer == layer]
    planes = [one for one in own if one.is_plane]
    for one in own:
        if one.unknown:
            yield f"{one.side}, {one.plane}: a zone under the pair is not filled, so its planes are unknown"
    if not planes and not any(one.unknown for one in own):
        yield "no plane above or below"
    for one in planes:
        height = "at an unknown distance" if one.height is None else f"at {one.height * 1e3:.4f}"
        whole = "" if one.gaps else ", without a gap"
        yield f"{one.side}, {one.plane} {height}: {' and '.join(net or 'no net' for net, _ in one.nets)}{whole}"
        yield from map(_gap, one.gaps[:MOST])
        if len(one.gaps) > MOST:
            yield f"and {len(one.gaps) - MOST} more gaps"
        yield from _edge(one)


def _gap(one: PlaneGap) -> str:
    x, y = (place * 1e3 for place in one.middle)
    before, behind = one.nets
    between = f", between {before} and {behind}" if before and behind and before != behind else ""
    return f"gap of {one.length * 1e3:.4f} under {one.net} at ({x:.4f}, {y:.4f}){between}"


def _edge(one: ReferenceLayer) -> Iterator[str]:
    """How much of the legs runs near the edge of their plane."""
    three = sum(leg.within_three for leg in one.edges)
    if three > 0:
        within = sum(leg.within_one for leg in one.edges)
        nearest = [stretch for leg in one.edges for stretch in leg.stretches]
        where = f"; nearest {_place(least_of(nearest, key=_distance))}" if nearest else ""
        yield (f"edge of the plane or of a void nearer than one height along {within * 1e3:.2f}, than {HEIGHTS:g} "
               f"along {three * 1e3:.2f}{where}")


def _distance(one: PlaneEdge) -> float:
    return one.distance


def _place(one: PlaneEdge) -> str:
    x, y = (place * 1e3 for place in one.middle)
    apart = f"{one.distance * 1e3:.4f} from" if one.distance >= 0 else f"{-one.distance * 1e3:.4f} under the copper of"
    return f"{apart} {one.net} at ({x:.4f}, {y:.4f})"


def reference_tree(layer: str, references: Sequence[ReferenceLayer]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [{
        "side": one.side, "layer": one.plane, "height_mm": None if one.height is None else _mm(one.height),
        "coverage": round(one.coverage, 4),
        "coverage_outside": None if one.coverage_outside is None else round(one.coverage_outside, 4),
        "is_plane": one.is_plane, "unknown": one.unknown,
        "nets": [{"net": net, "length_mm": _mm(length)} for net, length in one.nets],
        "gaps": [{
            "net": gap.net, "length_mm": _mm(gap.length), "whole_mm": _mm(gap.whole),
            **{key: [_mm(place) for place in at]
               for key, at in (("start_mm", gap.start), ("middle_mm", gap.middle), ("end_mm", gap.end))},
            "nets": list(gap.nets),
        } for gap in one.gaps],
        "edges": [{
            "net": leg.net, "within_1h_mm": _mm(leg.within_one), "within_3h_mm": _mm(leg.within_three),
            "stretches": [{
                "length_mm": _mm(edge.length), "distance_mm": _mm(edge.distance),
                **{key: [_mm(place) for place in at]
                   for key, at in (("start_mm", edge.start), ("middle_mm", edge.middle), ("end_mm", edge.end))},
            } for edge in leg.stretches],
        } for leg in one.edges],
    } for one in references if one.layer == layer]


def neighbour_row(layer: str, neighbours: Sequence[DrawnNeighbour]) -> str:
    """The nearest neighbour on one of a pair's layers, and how many there are; empty without one. [mm]"""
    own = [one for one in neighbours if one.layer == layer]
    if not own:
        return ""
    first = own[0]
    more = f", {len(own) - 1} more within {first.limit * 1e3:.4g}" if len(own) > 1 else ""
    return (f"nearest beside it: {first.net or 'no net'} at {first.spacing * 1e3:.4f}, along {first.along_p * 1e3:.2f} "
            f"and {first.along_n * 1e3:.2f}{more}")


def neighbour_tree(layer: str, neighbours: Sequence[DrawnNeighbour]) -> list[dict[str, Any]]:
    """The same for programs, all of them."""
    return [{
        "net": one.net, "limit_mm": _mm(one.limit), "spacing_mm": _mm(one.spacing), "mean_spacing_mm": _mm(one.mean),
        "at_mm": [_mm(place) for place in one.at], "along_p_mm": _mm(one.along_p), "along_n_mm": _mm(one.along_n),
    } for one in neighbours if one.layer == layer]


def via_row(one: DrawnVia) -> str:
    """A via: the layers that it joins, the nearest ground via, and the clearance of the planes from its axis. [mm]"""
    x, y = (place * 1e3 for place in one.at)
    joins = " and ".join(one.joins) or "nothing"
    ground = f"ground via at {one.grounds[0].distance * 1e3:.4f}" if one.grounds else "no ground via"
    clear = ordered((opening.clear * 1e3 for opening in one.openings), key=lambda value: value)
    planes = f", planes {clear[0]:.4f} to {clear[-1]:.4f} from its axis" if clear else ""
    return f"via of {one.net} at ({x:.4f}, {y:.4f}) joins {joins}; {ground}{planes}"


def change_row(one: PlaneChange) -> str:
    """A via that leaves a plane for another one, and what joins the two beside it. [mm]"""
    planes = " to ".join(f"{plane} ({net or 'no net'})" for plane, net in zip(one.planes, one.nets, strict=True))
    if one.stitch is None:
        return f"from {planes}: nothing joins the two planes"
    x, y = (place * 1e3 for place in one.stitch.at)
    return f"from {planes}, joined by {one.stitch.what} at {one.stitch.distance * 1e3:.4f}, ({x:.4f}, {y:.4f})"


def change_tree(one: PlaneChange) -> dict[str, Any]:
    """The same for programs."""
    stitch = one.stitch
    return {
        "net": one.net, "at_mm": [_mm(place) for place in one.at], "layers": list(one.layers),
        "planes": list(one.planes), "plane_nets": list(one.nets),
        "joined_by": None if stitch is None else {"what": stitch.what, "distance_mm": _mm(stitch.distance),
                                                  "at_mm": [_mm(place) for place in stitch.at]},
    }


def via_tree(one: DrawnVia) -> dict[str, Any]:
    """The same for programs."""
    return {
        "net": one.net, "at_mm": [_mm(place) for place in one.at], "joins": list(one.joins),
        "ground_vias": [{"distance_mm": _mm(near.distance), "at_mm": [_mm(place) for place in near.at], "net": near.net}
                        for near in one.grounds],
        "openings": [{
            "layer": opening.layer, "clear_mm": _mm(opening.clear),
            "area_mm2": None if opening.area is None else round(opening.area * 1e6, NM),
            "box_mm": None if opening.width is None or opening.height is None else [_mm(opening.width),
                                                                                   _mm(opening.height)],
            "vias": opening.vias,
        } for opening in one.openings],
    }


def _mm(metres: float) -> float:
    return round(metres * 1e3, NM) + 0.0
