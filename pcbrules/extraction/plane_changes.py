# SPDX-License-Identifier: MIT
"""Vias at which a pair leaves one plane for another, and what joins the two planes beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.extraction.holes import pads_of, spans_of
from pcbrules.extraction.pair_vias import DrawnVia
from pcbrules.extraction.plane_sheet import PlaneSheet
from pcbrules.extraction.reference import ReferenceLayer
from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.physics.common.extremes import first_greatest, first_least
from pcbrules.ties import least_of

AROUND = 1.5e-3
"""How far from a via the net of a plane is looked for, beyond its antipad. [m]"""

CAPACITOR = "C"
"""What the reference of a capacitor begins with."""


@dataclass(frozen=True, slots=True)
class Stitch:
    """What joins two planes: a ``via``, a ``pad`` of a plated hole, or a ``capacitor`` by its reference; its place and
    distance from the signal via, axis to axis. [m]
    """

    what: str
    at: Point
    distance: float


@dataclass(frozen=True, slots=True)
class PlaneChange:
    """A via of a pair that leaves a plane for another one.

    Attributes
    ----------
    net : str
        Of the leg.
    at : tuple of float
        [m]
    layers, planes, nets : tuple of str
        Layer of the trace, its plane, and the net of that plane near the via, before and behind it.
    stitch : Stitch or None
        The nearest that joins both planes: a via or a pad of their net, or between two nets a capacitor. None without.
    """

    net: str
    at: Point
    layers: tuple[str, str]
    planes: tuple[str, str]
    nets: tuple[str, str]
    stitch: Stitch | None


def plane_changes(
    layout: Layout, references: Sequence[Sequence[ReferenceLayer]], vias: Sequence[Sequence[DrawnVia]],
    sheets: dict[str, PlaneSheet],
) -> tuple[tuple[PlaneChange, ...], ...]:
    """The changes of each pair of a layout, in its order; ``references`` and ``vias`` are those of the pairs.

    A layer between two planes has both: a via to another layer changes no plane where they share one.
    """
    joins = _Joins(layout)
    return tuple(tuple(_of_pair(found, own, sheets, joins)) for found, own in zip(references, vias, strict=True))


def _of_pair(
    references: Sequence[ReferenceLayer], vias: Sequence[DrawnVia], sheets: dict[str, PlaneSheet], joins: _Joins
) -> Iterator[PlaneChange]:
    planes: dict[str, list[ReferenceLayer]] = {}
    for one in references:
        if one.is_plane and not one.unknown:
            planes.setdefault(one.layer, []).append(one)
    for via in vias:
        if len(via.joins) < 2:
            continue
        first, last = via.joins[0], via.joins[-1]
        before, behind = planes.get(first, []), planes.get(last, [])
        if not before or not behind or {one.plane for one in before} & {one.plane for one in behind}:
            continue
        one, other = (least_of(found, key=lambda of: math.inf if of.height is None else of.height)
                      for found in (before, behind))
        nets = _net_near(sheets[one.plane], via.at), _net_near(sheets[other.plane], via.at)
        yield PlaneChange(via.net, via.at, (first, last), (one.plane, other.plane), nets,
                          joins.nearest(via.at, (one.plane, other.plane), nets))


def _net_near(sheet: PlaneSheet, at: Point) -> str:
    """Net of the copper nearest to a via, looked for on rings round it; empty where there is none near."""
    turns = np.linspace(0.0, 2 * math.pi, 24, endpoint=False)
    for reach in np.arange(0.1e-3, AROUND + 1e-9, 0.1e-3):
        found = sheet.net_at(np.stack([at[0] + reach * np.cos(turns), at[1] + reach * np.sin(turns)], axis=1))
        nets = found[found >= 0]
        if len(nets):
            return sheet.nets[first_greatest(np.bincount(nets).astype(np.float64))]
    return ""


class _Joins:
    """What joins planes: plated holes of a net with the layers that they pass, and capacitors between two nets."""

    def __init__(self, layout: Layout) -> None:
        self.holes: dict[str, list[tuple[str, Point, frozenset[str]]]] = {}
        self.capacitors: dict[frozenset[str], list[tuple[str, Point]]] = {}
        spans = spans_of(layout)
        for via in layout.vias:
            self.holes.setdefault(via.net, []).append(("via", via.at, frozenset(spans[via.first, via.last])))
        every = frozenset(one.name for one in layout.copper)
        for name, pad in pads_of(layout):
            if pad.drill and pad.plated:
                self.holes.setdefault(pad.net, []).append((name, pad.at, every))
        for part in layout.parts:
            if part.reference.startswith(CAPACITOR) and len(part.pads) == 2 and part.fitted:
                nets = frozenset(pad.net for pad in part.pads)
                self.capacitors.setdefault(nets, []).append((f"capacitor {part.reference}", part.at))

    def nearest(self, at: Point, planes: tuple[str, str], nets: tuple[str, str]) -> Stitch | None:
        """The nearest that joins two planes."""
        if not all(nets):
            return None
        if nets[0] == nets[1]:
            found = [(what, place) for what, place, layers in self.holes.get(nets[0], ()) if {*planes} <= layers]
        else:
            found = self.capacitors.get(frozenset(nets), [])
        if not found:
            return None
        what, place = found[first_least(np.hypot(*(np.array([there for _, there in found]) - at).T))]
        return Stitch(what, place, math.dist(at, place))
