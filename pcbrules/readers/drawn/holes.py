# SPDX-License-Identifier: MIT
"""Which hole belongs to what: a via with its pads, a pad of a part, or nothing; and which drill removes a barrel."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from pcbrules.errors import quoted
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import DrilledAway, LayoutVia, ViaKind
from pcbrules.layout.parts import PadShape, PartPad
from pcbrules.readers.drawn.pads import DrawnTables, Opening, PadFlash

NEAR = 1e-6
"""Centres nearer than this are one place. [m]"""

ABOUT, MOST_ABOUT = 2e-3, 500
"""How far a hole may lie off the place of its pad [m], and the pads there that are looked at."""

VIA = ("VIA", "VIA_CAPPED")
BARE = ("NONPLATED", "NON_PLATED")

Cell = tuple[int, int]


@dataclass(slots=True)
class PinPads:
    """The copper of one pad of a part, over its layers."""

    part: str
    pin: str
    flashes: list[PadFlash] = field(default_factory=list)
    opening: Opening | None = None
    away: tuple[DrilledAway, ...] = ()

    def pad(self, order: tuple[str, ...]) -> PartPad:
        """The pad; its layers from top to bottom."""
        by_layer = {one.layer: one.shape for one in self.flashes}
        layers = tuple(name for name in order if name in by_layer)
        first = self.flashes[0]
        shapes = (("", by_layer[layers[0]]), *((name, by_layer[name]) for name in layers[1:]
                                              if by_layer[name] != by_layer[layers[0]]))
        hole = self.opening
        return PartPad(self.pin, first.net, hole.at if hole and not hole.slot else first.at, layers, shapes,
                       _turned(hole, shapes[0][1]) if hole else (), not (hole and hole.plating in BARE),
                       drilled_away=self.away)


@dataclass
class SortedHoles:
    """Vias, pads of parts by their part, and pads and holes that belong to no part."""

    vias: list[LayoutVia]
    pads: dict[str, list[PartPad]]
    loose: list[PartPad]


def cells(at: Point, size: float = NEAR) -> Iterable[Cell]:
    """The cell of a place and its neighbours. [m]"""
    x, y = cell(at, size)
    return ((x + i, y + j) for i in (0, -1, 1) for j in (0, -1, 1))


def cell(at: Point, size: float = NEAR) -> Cell:
    """A place in a grid of that size. [m]"""
    return round(at[0] / size), round(at[1] / size)


def sort_holes(
    flashes: list[PadFlash], openings: list[Opening], order: tuple[str, ...], given: DrawnTables
) -> SortedHoles:
    """Join holes with copper.

    Parameters
    ----------
    flashes, openings : list
        Copper of pads and holes, as drawn.
    order : tuple of str
        Copper layers from top to bottom.
    given : DrawnTables
    """
    return _Sorting(flashes, order, given).run(openings)


class _Sorting:
    """Copper by its place, and what the holes make of it."""

    def __init__(self, flashes: list[PadFlash], order: tuple[str, ...], given: DrawnTables) -> None:
        self.order, self.given = order, given
        self.places = {name: place for place, name in enumerate(order)}
        self.free: dict[Cell, list[PadFlash]] = defaultdict(list)
        self.pins: dict[Cell, list[PinPads]] = defaultdict(list)
        self.claimed: set[int] = set()
        self.about: dict[Cell, list[PinPads]] = defaultdict(list)
        known: dict[tuple[str, str, Cell], list[PinPads]] = {}
        for one in flashes:
            if one.layer not in self.places:
                continue
            where = cell(one.at)
            if not one.pin:
                self.free[where].append(one)
                continue
            same = known.setdefault((one.part, one.pin, where), [])
            pad = next((pad for pad in same if all(one.layer != other.layer for other in pad.flashes)), None)
            if pad is None:
                pad = PinPads(one.part, one.pin)
                same.append(pad)
                self.pins[where].append(pad)
                self.about[cell(one.at, ABOUT)].append(pad)
            pad.flashes.append(one)
        self.all_pins = [pad for same in known.values() for pad in same]

    def run(self, openings: list[Opening]) -> SortedHoles:
        """Give each hole its place."""
        vias: list[LayoutVia] = []
        loose: list[PartPad] = []
        bare = [one for one in openings if one.plating in BARE]
        drills: dict[Cell, list[Opening]] = defaultdict(list)
        for one in bare:
            drills[cell(one.at)].append(one)
        for one in openings:
            if one.plating in BARE:
                continue
            pin = self.pin_at(one)
            if pin is not None:
                pin.opening, pin.away = one, self.away(one, drills)
            elif one.slot or (one.plating not in VIA and not self.found(self.free, one.at, self.order)):
                loose.append(self.without_part(one))
            else:
                vias.append(self.via(one, drills))
        for one in (left for where in drills.values() for left in where):
            pin = self.pin_at(one)
            if pin is not None and pin.opening is None:
                pin.opening = one
            else:
                loose.append(self.without_part(one))
        for flashes in self.free.values():
            loose += self.pads_without_part(flashes)
        pads: dict[str, list[PartPad]] = defaultdict(list)
        for made in self.all_pins:
            pads[made.part] += [pad.pad(self.order) for pad in self.whole(made)]
        return SortedHoles(vias, pads, loose)

    def found(self, index: dict[Cell, list[PadFlash]], at: Point, layers: tuple[str, ...]) -> list[PadFlash]:
        """Copper without a pin at a place, on some layers; it belongs to the hole there from now on."""
        mine = [one for where in cells(at) for one in index.get(where, ())
                if one.layer in layers and math.dist(one.at, at) <= 1.5 * NEAR]
        self.claimed.update(map(id, mine))
        return mine

    def pin_at(self, opening: Opening) -> PinPads | None:
        """The pad of a part that a hole goes through; of a hole off the pad's place, one that holds its centre."""
        if opening.plating in VIA and (self.found(self.free, opening.at, self.order) or not self.through(opening.at)):
            return None
        for where in cells(opening.at):
            if self.pins.get(where):
                return self.pins[where].pop(0)
        if opening.plating in VIA:
            return None
        for where in cells(opening.at, ABOUT):
            for one in self.about.get(where, ())[:MOST_ABOUT]:
                shape = one.flashes[0].shape
                if one.opening is None and opening.stack in ("", one.flashes[0].stack) and shape.holds(opening.at):
                    return one
        return None

    def whole(self, made: PinPads) -> list[PinPads]:
        """A pad, or one pad a layer: without a hole, copper on two sides at one place is not joined."""
        if made.opening is not None or len(made.flashes) < 2:
            return [made]
        first = made.flashes[0]
        stack = self.given.stacks.get(first.stack)
        if stack and stack.hole:
            made.opening = Opening(first.at, (stack.hole, stack.hole), stack.plating, first.net, first.stack, "", "",
                                   (), 0)
            return [made]
        return [PinPads(made.part, made.pin, [one]) for one in made.flashes]

    def through(self, at: Point) -> bool:
        """True where the pad of a pin lies on several layers: a via in a pad of one layer is no hole of the pin."""
        return any(len(one.flashes) > 1 for where in cells(at) for one in self.pins.get(where, ()))

    def span(self, opening: Opening) -> tuple[str, str]:
        """The copper layers that a hole reaches; all of them, with a remark, where the file does not say."""
        first, last = opening.first, opening.last
        if first in self.places and last in self.places:
            return (first, last) if self.places[first] <= self.places[last] else (last, first)
        if first or last:
            self.given.told.odd(opening.offset, "a hole goes to a layer that is no copper layer: it is taken through",
                                quoted(f"{first} to {last}"))
        else:
            self.given.told.odd(opening.offset, "the file does not say how deep holes go: they are taken through", "")
        return self.order[0], self.order[-1]

    def via(self, opening: Opening, drills: dict[Cell, list[Opening]]) -> LayoutVia:
        """A via with the copper at its place."""
        first, last = self.span(opening)
        layers = self.order[self.places[first] : self.places[last] + 1]
        sizes: dict[str, float] = {}
        mine = self.found(self.free, opening.at, layers)
        for one in mine:
            sizes[one.layer] = max(sizes.get(one.layer, 0.0), _diameter(one.shape))
        net = opening.net or next((one.net for one in mine if one.net), "")
        others = sorted({one.net for one in mine if one.net} - {net})
        if others:
            self.given.told.odd(opening.offset, "a via and its pads have different nets",
                                quoted(f"{net} and {', '.join(others)}"))
        stack = self.given.stacks.get(opening.stack)
        if not sizes and stack:
            sizes = {name: _diameter(shape) for name, shape in stack.shapes.items() if name in self.places}
        if not sizes:
            self.given.told.odd(opening.offset, "a via has no pad: its pad is taken as its hole", "")
        pad = next((sizes[name] for name in layers if name in sizes), opening.sides[0])
        outer = (first == self.order[0]) + (last == self.order[-1])
        kind: ViaKind = ("buried", "blind", "through")[outer]
        return LayoutVia(net, kind, opening.at, opening.sides[0], pad, first, last,
                         tuple((name, sizes[name]) for name in layers if name in sizes and sizes[name] != pad),
                         bool(sizes) and any(name not in sizes for name in layers), self.away(opening, drills))

    def away(self, opening: Opening, drills: dict[Cell, list[Opening]]) -> tuple[DrilledAway, ...]:
        """Backdrills of a hole: those that it refers to, and wider bare holes at its place from an outer layer."""
        found = []
        wider = [one for where in cells(opening.at) for one in drills.get(where, ())
                 if math.dist(one.at, opening.at) <= 1.5 * NEAR and one.sides[0] > opening.sides[0]
                 and {one.first, one.last} <= set(self.places) and {one.first, one.last} & {*self.ends}
                 and {one.first, one.last} != {*self.ends}]
        for one in wider:
            drills[cell(one.at)].remove(one)
            first, last = (one.first, one.last) if one.first in self.ends else (one.last, one.first)
            found.append(DrilledAway(first, last, one.sides[0]))
        for name in opening.specs:
            drill = self.given.backdrills.get(name)
            if drill is None or {drill.first, drill.last} == {*self.ends}:
                continue  # KiCad gives the drill of the via itself such a specification, from end to end
            if drill.first in self.ends and drill.last in self.places:
                if all((one.first, one.last) != (drill.first, drill.last) for one in found):
                    self.given.told.odd(opening.offset, "the diameter of a backdrill is not stated", "")
                    found.append(DrilledAway(drill.first, drill.last, None))
            else:
                self.given.told.odd(opening.offset, "a backdrill does not say from and to which layer: it is left out",
                                    quoted(name))
        return tuple(found)

    @property
    def ends(self) -> tuple[str, str]:
        """The outer copper layers."""
        return self.order[0], self.order[-1]

    def without_part(self, opening: Opening) -> PartPad:
        """A hole that belongs to no part, with the copper at its place."""
        mine = self.found(self.free, opening.at, self.order)
        if not mine:
            return PartPad("", opening.net, opening.at, (), (("", PadShape(opening.at, 0.0, 0.0)),), opening.sides,
                           opening.plating not in BARE)
        return PinPads("", "", mine, opening).pad(self.order)

    def pads_without_part(self, flashes: list[PadFlash]) -> list[PartPad]:
        """Copper of pads that no hole and no pin claims: one pad a layer and net."""
        return [PinPads("", "", [one]).pad(self.order) for one in flashes if id(one) not in self.claimed]


def _turned(hole: Opening, shape: PadShape) -> tuple[float, float]:
    """Sides of a hole along the axes of its pad. [m]"""
    across = hole.slot and abs(math.sin(hole.angle - shape.angle)) > math.sqrt(0.5)
    return hole.sides[::-1] if across else hole.sides


def _diameter(shape: PadShape) -> float:
    """Smaller side of a pad; of a free shape that of its box. [m]"""
    if shape.width or not shape.rings:
        return min(shape.width, shape.height)
    xs, ys = zip(*(at for ring in shape.rings for at in ring), strict=True)
    return float(min(max(xs) - min(xs), max(ys) - min(ys)))
