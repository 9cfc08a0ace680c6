# SPDX-License-Identifier: MIT
"""Holes of a layout, and the copper round them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pcbrules.extraction.planar import area_of, depth, hole_of, spots
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import PartPad


@dataclass(frozen=True, slots=True)
class LayoutHole:
    """A hole: ``axis`` and the distance ``reach`` of its wall from it, and the ``layers`` that it passes. [m]

    ``name`` says whose it is.
    """

    name: str
    net: str
    at: Point
    axis: Any
    reach: float
    layers: tuple[str, ...]
    plated: bool = True

    @property
    def diameter(self) -> float:
        """Of the drill, of a slot its width. [m]"""
        return 2 * self.reach


def holes_of(layout: Layout) -> list[LayoutHole]:
    """All holes with a known drill: vias first, then those of pads."""
    spans = spans_of(layout)
    vias = [via for via in layout.vias if via.drill]
    axes = spots([via.at for via in vias])
    found = [LayoutHole("via", via.net, via.at, axis, (via.drill or 0.0) / 2, spans[via.first, via.last])
             for via, axis in zip(vias, axes, strict=True)]
    order = tuple(one.name for one in layout.copper)
    for name, pad in pads_of(layout):
        if pad.drill:
            axis, reach = hole_of(pad)
            found.append(LayoutHole(name, pad.net, pad.at, axis, reach, order, pad.plated))
    return found


def rings_of(layout: Layout) -> Iterator[tuple[str, str, Point, float]]:
    """Name, net and place of every plated hole, and the least width of the copper round it on a layer. [m]"""
    for via in layout.vias:
        if via.drill:
            yield "via", via.net, via.at, (min([via.pad, *(width for _, width in via.pads)]) - via.drill) / 2
    for name, pad in pads_of(layout):
        if pad.drill and pad.plated and pad.layers:
            axis, reach = hole_of(pad)
            yield name, pad.net, pad.at, min(depth(axis, area_of(one)) for _, one in pad.shapes) - reach


def spans_of(layout: Layout) -> dict[tuple[str, str], tuple[str, ...]]:
    """The layers that a via passes, by the first and the last; none where one of them is not in the build-up."""
    order = [one.name for one in layout.copper]
    return {ends: _span(*ends, order) for ends in {(via.first, via.last) for via in layout.vias}}


def _span(one: str, other: str, order: list[str]) -> tuple[str, ...]:
    if one not in order or other not in order:
        return ()
    first, last = sorted((order.index(one), order.index(other)))
    return tuple(order[first : last + 1])


def pads_of(layout: Layout) -> Iterator[tuple[str, PartPad]]:
    """Every pad with what it is called: part and pin; those of no part last."""
    for part in layout.parts:
        for pad in part.pads:
            yield f"pad {part.reference}.{pad.pin}" if pad.pin else f"hole of {part.reference}", pad
    for pad in layout.loose:
        yield "pad without a part" if pad.layers else "hole without a part", pad


def keeps_pad(via: LayoutVia, layer: str) -> bool:
    """True if a via has a pad on a layer whether or not something joins it there."""
    return not via.unused_removed or layer in (via.first, via.last)
