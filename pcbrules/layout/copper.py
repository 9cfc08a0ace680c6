# SPDX-License-Identifier: MIT
"""Copper of a layout beside its parts: tracks, vias, zones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pcbrules.brief import brief
from pcbrules.layout.arcs import Point, arc_length

ViaKind = Literal["through", "blind", "buried", "micro"]


@dataclass(frozen=True, slots=True)
class Track:
    """A piece of a trace, straight or an arc through `mid`; `net` is empty where it has none. [m]"""

    net: str
    layer: str
    width: float
    start: Point
    end: Point
    mid: Point | None = None

    __repr__ = brief

    @property
    def length(self) -> float:
        """Length of its centre line. [m]"""
        if self.mid is None:
            return math.dist(self.start, self.end)
        return arc_length(self.start, self.mid, self.end)


@dataclass(frozen=True, slots=True)
class DrilledAway:
    """A wider hole that removes the barrel from an outer layer to a layer; `diameter` None if not stated. [m]"""

    first: str
    last: str
    diameter: float | None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class LayoutVia:
    """A plated hole that belongs to no part.

    Attributes
    ----------
    net : str
        Empty where it has none.
    kind : str
        As its file states it.
    at : tuple of float
    drill, pad : float or None
        Diameters; `pad` on the first layer of its span. None where the file leaves the drill to a net class. [m]
    first, last : str
        The copper layers that its barrel reaches.
    pads : tuple of (layer, diameter)
        Layers with another diameter. [m]
    unused_removed : bool
        Pads on layers that nothing joins are left out.
    drilled_away : tuple of DrilledAway
        Backdrills.
    """

    net: str
    kind: ViaKind
    at: Point
    drill: float | None
    pad: float
    first: str
    last: str
    pads: tuple[tuple[str, float], ...] = ()
    unused_removed: bool = False
    drilled_away: tuple[DrilledAway, ...] = ()

    __repr__ = brief

    def pad_on(self, layer: str) -> float:
        """Diameter of its pad on a layer of its span. [m]"""
        return dict(self.pads).get(layer, self.pad)


@dataclass(frozen=True, slots=True)
class Fill:
    """Filled copper of a zone on one layer: a ring that may touch itself where it runs round a void."""

    layer: str
    ring: tuple[Point, ...]

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Zone:
    """An area: copper that a tool fills, the widening of a trace before a pad, or an area that keeps things out.

    Attributes
    ----------
    net, name : str
        Empty where it has none.
    kind : str
    layers : tuple of str
        Copper layers only; empty for a zone that lies on none.
    outlines : tuple of rings
        As drawn.
    fills : tuple of Fill
        As the file holds them: none for a zone that was never filled.
    priority : int
        The greater is filled first.
    keeps_out : tuple of str
        What a keep-out forbids, in the file's words.
    part : str
        The part it belongs to; empty for one of the board.
    """

    net: str
    name: str
    kind: Literal["copper", "teardrop", "keep-out"]
    layers: tuple[str, ...]
    outlines: tuple[tuple[Point, ...], ...]
    fills: tuple[Fill, ...] = ()
    priority: int = 0
    keeps_out: tuple[str, ...] = ()
    part: str = ""

    __repr__ = brief
