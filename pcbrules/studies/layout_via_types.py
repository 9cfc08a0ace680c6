# SPDX-License-Identifier: MIT
"""Via types of a board file by what a layout draws: one for all changes of layer that are alike."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from pcbrules.extraction.drawn_path import DrawnChange
from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.pair_vias import DrawnVia
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.studies.layout_values import mm, word

NEAR = 1.25
"""Ground vias within this many times the distance of the nearest one stand beside a via too; practice [-]."""


EQUAL = 1e-6
"""Distances from both legs that differ by no more are equal. [m]"""


class ViaTypes:
    """Via types of the changes of layer, by all that is known of them."""

    def __init__(self, layout: Layout, found: LayoutMeasures, names: Sequence[str]) -> None:
        self.layers = {one.name: name for one, name in zip(layout.copper[::-1], names[::-1], strict=True)}
        self.drawn = {(one.net, one.at): one for vias in found.vias for one in vias}
        self.names: dict[tuple[str, ...], str] = {}
        self.changes: list[DrawnChange] = []

    def layer(self, drawn: str) -> str:
        """A copper layer as the board file has it."""
        return word(self.layers.get(drawn, drawn))

    def of(self, change: DrawnChange) -> str:
        """Name of the type of a change; of two vias the unfavourable figure counts."""
        keys = tuple(self._keys(change))
        if keys not in self.names:
            self.names[keys] = f"via_{len(self.names) + 1}"
            self.changes.append(change)
        return self.names[keys]

    def lines(self) -> Iterator[str]:
        if self.names:
            yield from ("", "via_types:")
        for keys, name in self.names.items():
            yield f"  {name}:"
            yield from (f"    {key}" for key in keys)

    def _keys(self, change: DrawnChange) -> Iterator[str]:
        via, pitch = change.p, math.dist(change.p.at, change.n.at)
        yield f"span: [{self.layer(via.first)}, {self.layer(via.last)}]"
        yield f"kind: {'microvia' if via.kind == 'micro' else via.kind}"
        if via.drill:
            yield f"drill: {mm(via.drill)}"
        drawn = [one for leg in (change.p, change.n) if (one := self.drawn.get((leg.net, leg.at))) is not None]
        clear = [opening for one in drawn for opening in one.openings if opening.area is not None
                 and opening.layer not in (change.enter, change.leave)]
        width = 2 * min((one.clear for one in clear), default=math.inf)
        if width >= via.pad or not (change.p.unused_removed and change.n.unused_removed):
            yield f"pad: {mm(via.pad)}"
        else:  # planes come nearer than the edge of the pads that are left
            yield f"# pads of {mm(via.pad)} are on the layers of its traces alone, so `pad` is left out"
        if clear:
            shared = all(one.vias == 2 for one in clear)
            oval = f"shape: oval, width: {mm(width)}, length: {mm(width + pitch)}"
            yield f"antipad: {{{oval if shared else f'shape: round, width: {mm(width)}'}}}"
        yield f"pitch: {mm(pitch)}"
        yield from _grounds(drawn, change)


def _grounds(drawn: Sequence[DrawnVia], change: DrawnChange) -> Iterator[str]:
    """Ground vias beside either via of a pair; the leg whose nearest one is further away gives the distance."""
    near = [one.grounds[0].distance for one in drawn if one.grounds]
    if near:
        reach = max(near)
        places = {ground.at for one in drawn for ground in one.grounds if ground.distance <= NEAR * reach}
        sides = _sides(places, change)
        more = f", sides: {sides}" if sides else ""
        yield f"return_vias: {{count: {len(places)}, distance: {mm(reach)}{more}}}"


def _sides(places: Collection[Point], change: DrawnChange) -> int | None:
    """On how many sides of a pair ground vias stand, by the leg that is nearer; None where that does not say how many
    stand on the side that has fewer, or one is as far from either leg.
    """
    nearer = [math.dist(at, change.n.at) - math.dist(at, change.p.at) for at in places]
    if any(abs(one) < EQUAL for one in nearer):
        return None
    fewer = min(sum(one > 0 for one in nearer), sum(one < 0 for one in nearer))
    return 1 if not fewer else 2 if fewer == len(places) // 2 else None
