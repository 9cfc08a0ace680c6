# SPDX-License-Identifier: MIT
"""The path of a pair from part to part: stretches on a layer, changes of layer, and series parts between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from pcbrules.errors import clip
from pcbrules.extraction.drawn_loads import share_at
from pcbrules.extraction.pair_gap import GapOnLayer, gap_on_layer
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import LayoutVia, Track
from pcbrules.layout.layers import heights
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.net_copper import NetCopper, copper_of
from pcbrules.layout.parts import LayoutPart, PartPad
from pcbrules.layout.pieces import Piece
from pcbrules.layout.routes import NoRoute, RouteStep, route
from pcbrules.ties import least_of, ordered

SERIES = ("C", "R", "L", "FB")
"""What references of parts begin with that a link goes through, each leg through one of its own."""

LISTED = 6
"""Parts that a reason names."""

MOST = 8
"""Nets in a row that a link is followed over."""

ON_EACH_OTHER = 1e-6
"""Distance of the axes of vias that stand on each other, at most. [m]"""

Parts = tuple[LayoutPart, LayoutPart]


@dataclass(frozen=True, slots=True)
class DrawnStretch:
    """Both nets of a pair on one layer: lengths along their ways [m], width and gap, the middle of P's way [m], and the
    tracks of both.
    """

    pair: NetPair
    layer: str
    length_p: float
    length_n: float
    gap: GapOnLayer
    at: Point
    tracks: tuple[Track, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnChange:
    """A change of layer: from which to which, and the vias of both legs."""

    enter: str
    leave: str
    p: LayoutVia
    n: LayoutVia


@dataclass(frozen=True, slots=True)
class DrawnSeries:
    """A part in each leg that the link goes through: its kind as its reference begins, of P and of N."""

    kind: str
    parts: Parts


Step = DrawnStretch | DrawnChange | DrawnSeries


@dataclass(frozen=True, slots=True)
class DrawnLoad:
    """A part that hangs on a stretch without being an end of the path, and the share of the stretch before it. [-]"""

    part: LayoutPart
    stretch: DrawnStretch
    share: float


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """The path of a link, from the parts at one end to those at the other, of P and of N, and the pairs in it.

    ``several`` are the parts that have further pads on its nets, to which a branch goes; ``loads`` those that were left
    out as ends, in the order of the path.
    """

    first: Parts
    last: Parts
    steps: tuple[Step, ...]
    pairs: tuple[NetPair, ...]
    several: tuple[str, ...] = ()
    loads: tuple[DrawnLoad, ...] = ()


@dataclass(frozen=True, slots=True)
class _Ends:
    """Parts and pads at one end of a pair, of P and of N."""

    parts: Parts
    pads: tuple[PartPad, PartPad]


@dataclass(frozen=True, slots=True)
class _Section:
    """One pair of nets from end to end."""

    pair: NetPair
    first: _Ends
    last: _Ends
    steps: tuple[Step, ...]
    loads: tuple[DrawnLoad, ...] = ()

    def reversed(self) -> _Section:
        turned = (replace(one, enter=one.leave, leave=one.enter) if isinstance(one, DrawnChange) else one
                  for one in self.steps[::-1])
        loads = (replace(one, share=1 - one.share) for one in self.loads[::-1])
        return _Section(self.pair, self.last, self.first, tuple(turned), tuple(loads))


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of a net between two of its pads."""

    pads: tuple[PartPad, ...]
    steps: tuple[RouteStep, ...]


@dataclass(frozen=True, slots=True)
class _LayerChange:
    """A change of layer, and the places of P and of N where it is looked for. [m]"""

    enter: str
    leave: str
    at: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class _LegPart:
    """A leg on one layer: its length, stretches of tracks, and the place where it ends. [m]"""

    layer: str
    length: float
    pieces: tuple[Piece, ...]
    end: Point

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Tracks of the leg, each once."""
        return tuple(dict.fromkeys(one.track for one in self.pieces))

    @property
    def shown(self) -> tuple[Track, ...]:
        """Its tracks as far as they lie outside of the pads at the ends of the link."""
        return tuple(dict.fromkeys(cut for one in self.pieces if (cut := one.cut()).length > 0)) or self.tracks

    @property
    def middle(self) -> Point:
        """The point half way along its tracks. [m]"""
        left = sum(one.length for one in self.pieces) / 2
        for one in self.pieces:
            if left <= one.length:
                return one.at(left / one.length if one.length else 0.0)
            left -= one.length
        return self.end


class DrawnPaths:
    """The paths of the pairs of a layout; what was followed once, for one pair or another, is kept."""

    def __init__(self, layout: Layout) -> None:
        self.depths, self.order = heights(layout.layers), tuple(one.name for one in layout.copper)
        self.copper = copper_of(layout, dict.fromkeys(
            (*(net for pair in layout.pairs for net in (pair.p, pair.n)),
             *(pad.net for part in layout.parts for pad in part.pads))))
        self.owners = {id(pad): part for part in layout.parts for pad in part.pads}
        self._sections: dict[tuple[NetPair, frozenset[str]], _Section | NoRoute] = {}

    def of(self, pair: NetPair, left_out: frozenset[str] = frozenset()) -> DrawnPath | NoRoute:
        """Follow both nets of a pair, and those behind series parts of two pads at either end.

        ``left_out`` are references of parts whose pads on the nets are no ends. A reason where the pair itself has no
        path from part to part, or changes layers in another order.
        """
        own = self._section(pair, left_out)
        if isinstance(own, NoRoute):
            return own
        after = self._onwards(own, left_out)
        sections = [*(one.reversed() for one in self._onwards(own.reversed(), left_out)[:0:-1]), *after]
        steps: list[Step] = []
        for place, section in enumerate(sections):
            if place:
                parts = section.first.parts
                steps.append(DrawnSeries(_kind(parts), parts))
            steps += section.steps
        several = dict.fromkeys(name for one in sections for name in self._several(one, left_out))
        return DrawnPath(sections[0].first.parts, sections[-1].last.parts, tuple(steps),
                         tuple(one.pair for one in sections), tuple(several),
                         tuple(load for one in sections for load in one.loads))

    def _several(self, section: _Section, left_out: frozenset[str]) -> Iterator[str]:
        """References of parts with a pad on the nets of a section that is none of its ends."""
        ends = {id(pad) for one in (section.first, section.last) for pad in one.pads}
        for net in (section.pair.p, section.pair.n):
            for pad in self.copper[net].pads:
                owner = self.owners.get(id(pad))
                if id(pad) not in ends and owner is not None and owner.reference not in left_out:
                    yield owner.reference

    def _onwards(self, section: _Section, left_out: frozenset[str]) -> list[_Section]:
        """A section and those that follow behind series parts."""
        found = [section]
        while len(found) < MOST:
            behind = _behind(found[-1].last)
            known = {net for one in found for net in (one.pair.p, one.pair.n)}
            if behind is None or known & {behind.p, behind.n}:
                break
            following = self._section(behind, left_out)
            if isinstance(following, NoRoute):
                break
            if following.first.parts != found[-1].last.parts:
                following = following.reversed()
            if following.first.parts != found[-1].last.parts:
                break
            found.append(following)
        return found

    def _section(self, pair: NetPair, left_out: frozenset[str]) -> _Section | NoRoute:
        key = pair, left_out
        if key not in self._sections:
            self._sections[key] = self._followed(pair, left_out)
        return self._sections[key]

    def _way(self, net: str, left_out: frozenset[str]) -> _Way | NoRoute:
        """The way of a net between the pads of two parts, the shortest where a part has several."""
        copper, owners = self.copper[net], self.owners
        sides: dict[int, list[PartPad]] = {}
        for pad in copper.pads:
            owner = owners.get(id(pad))
            if owner is None or owner.reference not in left_out:
                sides.setdefault(id(owner or pad), []).append(pad)
        ends = [*sides.values()]
        if len(ends) == 1 and len(ends[0]) == 2:  # both at one part
            ends = [[ends[0][0]], [ends[0][1]]]
        if len(ends) > 2:
            parts = (owners[id(pad)].reference if id(pad) in owners else "" for pad in copper.pads)
            names = ", ".join(clip(one or "a part without reference") for one in [*dict.fromkeys(parts)][:LISTED])
            among = (owners[id(one[0])].reference for one in ends if id(one[0]) in owners)
            return NoRoute(f"{net}: {len(copper.pads)} pads: its ends are open: a part between or a branch is not "
                           f"modelled (pads of {names}); `left_out` names the parts that are no ends",
                           (tuple(name for name in among if name),))
        both = product(*ends) if len(ends) == 2 else [copper.pads]
        ways = [_Way(tuple(pads), found) for pads in both
                if not isinstance(found := route(replace(copper, pads=tuple(pads)), self.depths, self.order), NoRoute)]
        if ways:
            return least_of(ways, key=lambda one: math.fsum(step.length for step in one.steps))
        pads = copper.pads if len(ends) != 2 else (ends[0][0], ends[1][0])
        why = route(replace(copper, pads=pads), self.depths, self.order)
        return NoRoute(f"{net}: {why.reason}" if isinstance(why, NoRoute) else net)

    def _followed(self, pair: NetPair, left_out: frozenset[str]) -> _Section | NoRoute:
        copper, owners = self.copper, self.owners
        found = [self._way(net, left_out) for net in (pair.p, pair.n)]
        lost = [one for one in found if isinstance(one, NoRoute)]
        if lost:
            return replace(lost[0], among=tuple(dict.fromkeys(each for one in lost for each in one.among)))
        both = [one for one in found if isinstance(one, _Way)]
        ways = [one.steps for one in both]
        (p_first, p_last), (n_first, n_last) = (one.pads for one in both)
        there = math.dist(p_first.at, n_first.at) + math.dist(p_last.at, n_last.at)
        if there > math.dist(p_first.at, n_last.at) + math.dist(p_last.at, n_first.at):  # N is drawn the other way
            ways[1] = tuple(one.reversed() for one in ways[1][::-1])
            n_first, n_last = n_last, n_first
        if any(id(pad) not in owners for pad in (p_first, p_last, n_first, n_last)):
            return NoRoute("an end of it is a pad that belongs to no part")
        p, n = (_parts(way) for way in ways)
        if not p or [one.layer for one in p] != [one.layer for one in n]:
            return NoRoute("its nets change layers in another order")
        first, last = (_Ends((owners[id(one)], owners[id(other)]), (one, other))
                       for one, other in ((p_first, n_first), (p_last, n_last)))
        steps: list[Step] = []
        drawn: list[tuple[DrawnStretch, _LegPart, _LegPart]] = []
        for change in _changes(p, n, first.pads, last.pads):
            if isinstance(change, int):
                one, other = p[change], n[change]
                gap = gap_on_layer(one.layer, one.shown, other.shown)
                stretch = DrawnStretch(pair, one.layer, one.length, other.length, gap, one.middle,
                                       (*one.tracks, *other.tracks))
                steps.append(stretch)
                drawn.append((stretch, one, other))
                continue
            legs = [_stacked(copper[net], change, at, self.order)
                    for net, at in zip((pair.p, pair.n), change.at, strict=True)]
            if not all(legs) or [one.layers for one in legs[0]] != [one.layers for one in legs[1]]:
                return NoRoute(f"it changes from {change.enter} to {change.leave}, and these layers are joined by no "
                               "via and no stack of vias that is alike in both legs")
            for one, other in zip(*legs, strict=True):
                enter, leave = one.layers
                steps.append(DrawnChange(enter, leave, one.via, other.via))
        return _Section(pair, first, last, tuple(steps), tuple(self._loads(drawn, left_out)))

    def _loads(
        self, drawn: Sequence[tuple[DrawnStretch, _LegPart, _LegPart]], left_out: frozenset[str]
    ) -> Iterator[DrawnLoad]:
        """The fitted parts that were left out as ends, in the order of the path, each where its pads are nearest."""
        if not drawn:
            return
        pads: dict[int, tuple[LayoutPart, tuple[list[Point], list[Point]]]] = {}
        pair = drawn[0][0].pair
        for leg, net in enumerate((pair.p, pair.n)):
            for pad in self.copper[net].pads:
                owner = self.owners.get(id(pad))
                if owner is not None and owner.reference in left_out and owner.fitted:
                    pads.setdefault(id(owner), (owner, ([], [])))[1][leg].append(pad.at)
        found = []
        for part, points in pads.values():
            near = []
            for place, (_, *legs) in enumerate(drawn):
                shares = [share_at(one.pieces, one.length, at) for one, at in zip(legs, points, strict=True) if at]
                near.append((place, math.fsum(share for share, _ in shares) / len(shares),
                             math.fsum(apart for _, apart in shares)))
            place, share, _ = least_of(near, key=lambda one: one[2])
            found.append((place, DrawnLoad(part, drawn[place][0], share)))
        yield from (load for _, load in ordered(found, key=lambda one: (one[0], one[1].share)))


def _kind(parts: Parts) -> str:
    """What the references of both parts begin with, of the series parts; empty where they differ."""
    kinds = {one.reference.rstrip("0123456789") for one in parts}
    return kinds.pop() if len(kinds) == 1 and kinds <= set(SERIES) else ""


def _behind(ends: _Ends) -> NetPair | None:
    """The nets at the other pads of two equal series parts."""
    if ends.parts[0] is ends.parts[1] or not _kind(ends.parts):
        return None
    others = [[pad.net for pad in part.pads if pad is not own] for part, own in zip(ends.parts, ends.pads, strict=True)]
    if any(len(one) != 1 for one in others):
        return None
    p, n = others[0][0], others[1][0]
    return NetPair(p, n) if p and n and p != n else None


def _parts(way: Sequence[RouteStep]) -> list[_LegPart]:
    """A way as parts on one layer each; what lies in a pad or a link counts to its layer."""
    found: list[_LegPart] = []
    for step in way:
        if not step.layer:
            continue
        pieces = (step.piece,) if step.piece else ()
        end = step.piece.at(1.0) if step.piece else None
        if found and found[-1].layer == step.layer:
            before = found[-1]
            found[-1] = replace(before, length=before.length + step.length, pieces=before.pieces + pieces,
                                end=end or before.end)
        else:
            found.append(_LegPart(step.layer, step.length, pieces, end or (math.nan, math.nan)))
    return [one for one in found if one.pieces]


def _changes(
    p: Sequence[_LegPart], n: Sequence[_LegPart], first: tuple[PartPad, PartPad], last: tuple[PartPad, PartPad]
) -> Iterator[int | _LayerChange]:
    """Stretches, by their number, and the changes of layer between them; also those in the pads at the ends."""
    start, end = _pads_layer(first), _pads_layer(last)
    if start and start != p[0].layer:
        yield _LayerChange(start, p[0].layer, (first[0].at, first[1].at))
    for place, one in enumerate(p):
        if place:
            yield _LayerChange(p[place - 1].layer, one.layer, (p[place - 1].end, n[place - 1].end))
        yield place
    if end and end != p[-1].layer:
        yield _LayerChange(p[-1].layer, end, (last[0].at, last[1].at))


def _pads_layer(pads: tuple[PartPad, PartPad]) -> str:
    """The layer of the pads at one end; empty for pads with holes, which are on all."""
    layers = {layer for pad in pads for layer in pad.layers}
    return layers.pop() if len(layers) == 1 else ""


@dataclass(frozen=True, slots=True)
class _Through:
    """A via, and the layers between which a leg goes through it."""

    layers: tuple[str, str]
    via: LayoutVia


def _stacked(copper: NetCopper, change: _LayerChange, at: Point, order: tuple[str, ...]) -> list[_Through]:
    """The via of a net that makes a change of layer at a place, or those that stand on each other and make it together,
    in the order of the leg; none where there are none.
    """
    found: list[_Through] = []
    here, last = order.index(change.enter), order.index(change.leave)
    while here != last:
        able = [(via, ends) for via in copper.vias if (ends := _ends(via, order)) and ends[0] <= here <= ends[1]]
        reach = {id(via): min(last, ends[1]) if last > here else max(last, ends[0]) for via, ends in able}
        on = [via for via, _ in able if reach[id(via)] != here
              and (math.dist(via.at, found[0].via.at) <= ON_EACH_OTHER if found else True)]
        whole = [via for via in on if reach[id(via)] == last]
        via = least_of(whole or on, key=lambda one: math.dist(one.at, at), default=None)
        if via is None:
            return []
        found.append(_Through((order[here], order[reach[id(via)]]), via))
        here = reach[id(via)]
    return found


def _ends(via: LayoutVia, order: tuple[str, ...]) -> tuple[int, int] | None:
    """First and last layer of a via from the top, by their places; None for layers that are not known."""
    if via.first not in order or via.last not in order:
        return None
    low, high = sorted((order.index(via.first), order.index(via.last)))
    return low, high
