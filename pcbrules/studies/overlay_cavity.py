# SPDX-License-Identifier: MIT
"""The cavity of an overlay's rail: the key `layout` of the board file, and what the receipt says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pcbrules.errors import clip
from pcbrules.extraction.plane_cavity import NoCavity, PlaneCavity, plane_cavity
from pcbrules.extraction.plane_pairs import FacingPlanes
from pcbrules.extraction.rail_copper import DrawnRail, RailCapacitor
from pcbrules.layout.layout import Layout
from pcbrules.studies.layout_values import mm, word
from pcbrules.studies.overlay_returns import Returns

FRAME, INNER = 0.1e-3, 0.05e-3
"""Of the rectangle round an outline, and of that round the vias of the load. [m]"""

SHORTEST, SLENDER = 5e-3, 10.0
"""Least side of planes [m], and the ratio of a side to the other, that a board file takes."""

Box = tuple[tuple[float, float], tuple[float, float]]


def rail_cavity(
    layout: Layout, returns: Returns, net: str, copper: DrawnRail, capacitors: Sequence[RailCapacitor],
    body: Mapping[str, Any],
) -> PlaneCavity | NoCavity | None:
    """The cavity of a rail; None where it has none, or the overlay describes it."""
    if "layout" in body:
        return None
    found = plane_cavity(layout, returns.sheets, returns.facing, net, copper, capacitors)
    if not isinstance(found, PlaneCavity):
        return found
    if "ladder" in body:
        return NoCavity("the overlay gives its `ladder`")
    vrm = body.get("vrm")
    phases = vrm.get("phases", 1) if isinstance(vrm, dict) else 1
    if phases != len(found.sources):
        return NoCavity(f"its regulator has {clip(str(phases))} phases, and its current enters at "
                        f"{len(found.sources)} parts")
    (x, y), (u, v) = _box(found.outline)
    short, long = sorted((u - x, v - y))
    if short < SHORTEST or long > SLENDER * short:
        return NoCavity(f"its planes are {mm(u - x)} by {mm(v - y)}: too small or too slender")
    return found


def cavity_lines(
    found: PlaneCavity, copper: DrawnRail, capacitors: Sequence[RailCapacitor], names: Mapping[str, str], plating: str
) -> Iterator[str]:
    """The key `layout` of a rail."""
    side = copper.loads[0].side
    sides = {pad.part: pad.side for pad in copper.sources} | {one.part.reference: one.part.side for one in capacitors}

    def parts(reference: str) -> str:
        return "" if sides[reference] == side else ", side: opposite"

    yield "layout:"
    yield from (f"  {line}" for line in _area(_box(found.outline), FRAME))
    yield f"  shape: {_region(found.outline)}"
    if found.voids:
        yield f"  cutouts: [{', '.join(map(_region, found.voids))}]"
    yield f"  pairs: [{', '.join(f'[{names[near]}, {names[far]}]' for near, far in found.pairs)}]"
    yield f"  vias: {{drill: {mm(found.drill)}, pitch: {mm(found.pitch)}, plating: {plating}}}"
    yield "  package:"
    yield from (f"    {line}" for line in _area(_box(found.package), INNER))
    yield f"    pitch: {mm(found.pitch)}"
    yield f"    at: [{', '.join(map(_at, found.package))}]"
    places = list(found.sources.items())
    yield (f"  regulator: {{at: [{', '.join(_at(one.at) for _, one in places)}], "
           f"pairs: {min(one.count for _, one in places)}{parts(places[0][0])}}}")
    if found.banks:
        yield "  banks:"
    for reference, place in found.banks.items():
        yield f"    {word(reference)}: {{at: [{_at(place.at)}]{parts(reference)}}}"


def cavity_told(net: str, found: PlaneCavity | NoCavity | None, facing: Sequence[FacingPlanes]) -> Iterator[str]:
    """What is said of the planes of a rail that face ground, and whether the cavity between them is judged."""
    if isinstance(found, PlaneCavity):
        pairs = " and ".join(f"{clip(near)} and {clip(far)}" for near, far in found.pairs)
        area = f"{found.area * 1e6:.0f} mm2 of {found.faced * 1e6:.0f} mm2 that face"
        yield (f"planes of {clip(net)}: the cavity between {pairs} is judged, with an outline of {len(found.outline)} "
               f"corners, {len(found.voids)} voids and {area}, {len(found.package)} vias of the load and "
               f"{len(found.banks)} capacitors")
        return
    why = f" ({found.reason})" if found else ""
    for one in facing:
        if one.net == net:
            sides = [high - low for low, high in zip(one.low, one.high, strict=True)]
            share = one.area / (sides[0] * sides[1])
            box = f"{mm(sides[0])} by {mm(sides[1])}"
            where = f"{clip(one.layer)} faces {clip(one.ground)} on {clip(one.ground_layer)}"
            yield (f"planes of {clip(net)}: {where} over {one.area * 1e6:.0f} mm2, {share:.0%} of a box of {box}; the "
                   f"cavity between them is not evaluated{why}, `layout` of the rail describes it; PDN001 counts the "
                   "drawn copper as one line")


def _box(places: Sequence[tuple[float, float]]) -> Box:
    xs, ys = zip(*places, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _area(box: Box, more: float) -> tuple[str, str]:
    (x, y), (u, v) = box
    return f"from: {_at((x - more, y - more))}", f"to: {_at((u + more, v + more))}"


def _region(ring: Sequence[tuple[float, float]]) -> str:
    corners = ", ".join(f"{mm(x).removesuffix(' mm')} {mm(y).removesuffix(' mm')}" for x, y in ring)
    return f'{{outline: "{corners} mm"}}'


def _at(at: tuple[float, float]) -> str:
    return f"[{mm(at[0])}, {mm(at[1])}]"
