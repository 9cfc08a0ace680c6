# SPDX-License-Identifier: MIT
"""Parts of a layout and their pads."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pcbrules.brief import brief
from pcbrules.layout.arcs import Point
from pcbrules.layout.copper import DrilledAway


@dataclass(frozen=True, slots=True)
class PadShape:
    """Copper of a pad: a rectangle with rounded corners, turned; or rings where it is no such rectangle.

    A circle has a radius of half its width, an oval of half its smaller side.

    Attributes
    ----------
    centre : tuple of float
        Of the rectangle.
    width, height, radius : float
        Sides along its own axes and radius of its corners. [m]
    angle : float
        From the x axis of the drawing to the pad's own, counted from x to y. [rad]
    rings : tuple of rings
        Copper of a free shape, beside the rectangle.
    """

    centre: Point
    width: float
    height: float
    radius: float = 0.0
    angle: float = 0.0
    rings: tuple[tuple[Point, ...], ...] = ()

    __repr__ = brief

    @property
    def farthest(self) -> float:
        """Distance of its copper from its centre, at most. [m]"""
        far = [math.dist(point, self.centre) for ring in self.rings for point in ring]
        return max([math.hypot(self.width, self.height) / 2, *far])

    def holds(self, point: Point, reach: float = 0.0) -> bool:
        """True for a point on the copper, its edge included, or within `reach` of it. [m]"""
        dx, dy = point[0] - self.centre[0], point[1] - self.centre[1]
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        x = abs(dx * cos + dy * sin) - self.width / 2 + self.radius
        y = abs(dy * cos - dx * sin) - self.height / 2 + self.radius
        outside = math.hypot(max(x, 0.0), max(y, 0.0)) + min(max(x, y), 0.0) - self.radius
        return outside <= reach + 1e-10 or any(
            in_ring(point, ring) or (reach > 0 and to_ring(point, ring) <= reach) for ring in self.rings)


@dataclass(frozen=True, slots=True)
class PartPad:
    """A pad: what one pin is soldered to.

    Attributes
    ----------
    pin : str
        Its number or name within the part; empty for a pad without one.
    net : str
        Empty where it has none.
    at : tuple of float
        Where traces end.
    layers : tuple of str
        Its copper layers; empty for a pad of paste or mask alone.
    shapes : tuple of (layer, PadShape)
        Copper by layer; the name ``""`` holds for all layers that have no entry.
    drill : tuple of float
        Diameter of a round hole twice, or width and length of a slot; empty without hole. [m]
    plated : bool
        False for a bare hole.
    function : str
        Name of the pin in the schematic.
    die_length : float
        Length that the designer adds for the package. [m]
    unused_removed, drilled_away : bool, tuple of DrilledAway
        As of a via.
    """

    pin: str
    net: str
    at: Point
    layers: tuple[str, ...]
    shapes: tuple[tuple[str, PadShape], ...]
    drill: tuple[float, ...] = ()
    plated: bool = True
    function: str = ""
    die_length: float = 0.0
    unused_removed: bool = False
    drilled_away: tuple[DrilledAway, ...] = ()

    __repr__ = brief

    def shape_on(self, layer: str) -> PadShape:
        """Its copper on one of its layers."""
        by_layer = dict(self.shapes)
        return by_layer.get(layer, by_layer[""])


@dataclass(frozen=True, slots=True)
class LayoutPart:
    """A part with its place.

    Attributes
    ----------
    reference, value, package : str
    at : tuple of float
    angle : float
        As the file states it. [deg]
    side : str
        ``top`` or ``bottom``.
    pads : tuple of PartPad
    fitted : bool
        False for a part that is not to be assembled.
    fields : tuple of (name, text)
        What else the designer wrote beside it: part number, voltage.
    """

    reference: str
    value: str
    package: str
    at: Point
    angle: float
    side: Literal["top", "bottom"]
    pads: tuple[PartPad, ...]
    fitted: bool = True
    fields: tuple[tuple[str, str], ...] = ()

    __repr__ = brief


LEFT_OUT = re.compile(r"DN[PFIM]|NOFIT|DO[ _-]?NOT[ _-]?(POPULATE|FIT|INSTALL|PLACE|MOUNT|STUFF)", re.IGNORECASE)
"""Names of fields by which designers say that a part is not fitted."""

NO = re.compile(r"\s*(0|no?|false|fitted|populate|\W*)\s*", re.IGNORECASE)
"""Texts of such a field that say that the part is fitted."""


def is_left_out(fields: Iterable[tuple[str, str]]) -> bool:
    """True where a field says that a part is not fitted.

    >>> [is_left_out([one]) for one in (("DNP", "DNP"), ("dnp", "1"), ("Do not populate", "yes"), ("DNI", "x"))]
    [True, True, True, True]
    >>> [is_left_out([one]) for one in (("DNP", ""), ("DNP", "No"), ("DNP", "0"), ("MPN", "DNP1"), ("DNP", "~"))]
    [False, False, False, False, False]
    """
    return any(LEFT_OUT.fullmatch(name.strip()) and not NO.fullmatch(text) for name, text in fields)


def in_ring(point: Point, ring: tuple[Point, ...]) -> bool:
    """True for a point inside a closed ring, by the even-odd rule."""
    x, y = point
    inside = False
    before = ring[-1] if ring else (0.0, 0.0)
    for after in ring:
        if (after[1] > y) != (before[1] > y) and x < before[0] + (after[0] - before[0]) * (y - before[1]) / (
                after[1] - before[1]):
            inside = not inside
        before = after
    return inside


def to_ring(point: Point, ring: tuple[Point, ...]) -> float:
    """Distance of a point from the line of a closed ring. [m]"""
    least = math.inf
    before = ring[-1] if ring else point
    for after in ring:
        dx, dy = after[0] - before[0], after[1] - before[1]
        square = dx * dx + dy * dy
        share = ((point[0] - before[0]) * dx + (point[1] - before[1]) * dy) / square if square else 0.0
        share = min(1.0, max(0.0, share))
        least = min(least, math.hypot(point[0] - before[0] - share * dx, point[1] - before[1] - share * dy))
        before = after
    return least
