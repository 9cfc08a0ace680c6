# SPDX-License-Identifier: MIT
"""Shapes of pads: the standard primitives, contours, and what a writer put together of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pcbrules.errors import clip, quoted
from pcbrules.layout.arcs import Point, between, flattened
from pcbrules.layout.keyholes import keyholed
from pcbrules.layout.parts import PadShape
from pcbrules.layout.rings import stroke
from pcbrules.readers.drawn.outlines import corner_arc, outline
from pcbrules.readers.drawn.placing import AS_IS, Placing
from pcbrules.readers.ipc2581.contours import contour, filled, pieces, uneven
from pcbrules.readers.ipc2581.elements import XmlElement, is_true
from pcbrules.readers.ipc2581.values import metres, point, text
from pcbrules.readers.layout_faults import Fault

MOST_CORNERS = 100_000
"""Corners of one shape."""

GROUPS = ("UserSpecial", "UserPrim")
"""Shapes of several pieces; the second name is not of the standard but in use."""

AREAS = ("Contour", "Surface")
"""Filled contours; the second name is not of the standard but in use."""


@dataclass
class Shapes:
    """Shapes and line widths that objects refer to, by their names, and which shapes are drawn hollow. [m]"""

    shapes: dict[str, PadShape] = field(default_factory=dict)
    hollow: set[str] = field(default_factory=set)
    widths: dict[str, float] = field(default_factory=dict)

    def keep(self, entry: XmlElement, scale: float) -> None:
        """Take an entry of a dictionary; one that is no shape of a pad stays unknown."""
        name = text(entry, "id")
        if entry.tag == "EntryLineDesc":
            line = entry.child("LineDesc")
            if line is not None:
                self.widths[name] = metres(line, "lineWidth", scale)
            return
        for one in entry.children:
            made = self.of(one, scale)
            if made is not None:
                self.shapes[name] = made
                if all(map(_hollow, one.children if one.tag in GROUPS else (one,))):
                    self.hollow.add(name)

    def within(self, element: XmlElement, scale: float) -> PadShape | None:
        """The first shape in an element, in its own axes; None without one. Raises Fault."""
        for one in element.children:
            if one.tag in ("StandardPrimitiveRef", "UserPrimitiveRef"):
                return self.shapes.get(text(one, "id"))
            made = self.of(one, scale)
            if made is not None:
                return made
        return None

    def of(self, element: XmlElement, scale: float) -> PadShape | None:
        """The shape that an element draws, in its own axes; None for one that draws none. Raises Fault."""
        make = PRIMITIVES.get(element.tag)
        if make is not None:
            return _with_line(make(element, scale), element, self.width(element, scale) or 0.0)
        if element.tag in AREAS:
            area = contour(element, scale, AS_IS)
            return None if area is None else PadShape((0.0, 0.0), 0.0, 0.0, rings=(keyholed(*area)[0],))
        if element.tag in GROUPS:
            return self._group(element, scale)
        return None

    def _group(self, element: XmlElement, scale: float) -> PadShape | None:
        parts = [made for one in element.children if (made := self.of(one, scale)) is not None]
        parts += [self.shapes[one.attrs["id"]] for one in element.all("StandardPrimitiveRef", "UserPrimitiveRef")
                  if one.attrs.get("id") in self.shapes]
        lines = tuple(made for one in element.children for made in self.drawn(one, scale))
        if len(parts) == 1 and not lines:
            return parts[0]
        found = tuple(made for part in parts for made in outline(part)) + lines
        if sum(map(len, found)) > MOST_CORNERS:  # shapes of shapes of shapes grow without bound
            raise Fault(element.offset, "a shape has too many corners", expected=f"at most {MOST_CORNERS}")
        return PadShape((0.0, 0.0), 0.0, 0.0, rings=found) if found else None

    def drawn(self, element: XmlElement, scale: float) -> Iterator[tuple[Point, ...]]:
        """The copper of lines of a shape, as rings."""
        width = self.width(element, scale)
        if not width:
            return
        for start, mid, end in path(element, scale, AS_IS):
            yield from stroke(flattened(start, mid, end) if mid else (start, end), width)

    def width(self, element: XmlElement, scale: float) -> float | None:
        """Width of the line that an element is drawn with; None where it says nothing. [m]"""
        line = element.child("LineDesc")
        if line is not None:
            return metres(line, "lineWidth", scale)
        line = element.child("LineDescRef")
        return None if line is None else self.widths.get(line.attrs.get("id", ""))


def path(element: XmlElement, scale: float, place: Placing) -> list[tuple[Point, Point | None, Point]]:
    """Start, a point between (None for a straight one) and end of each piece of a <Line>, <Arc> or <Polyline>. [m]

    Raises Fault.
    """
    if element.tag == "Polyline":
        return [one for steps in element.lines for one in pieces(steps, scale, place)]
    if element.tag not in ("Line", "Arc"):
        return []
    start, end = point(element, scale, "startX", "startY"), point(element, scale, "endX", "endY")
    if element.tag == "Line":
        return [(place.of(start), None, place.of(end))]
    centre = point(element, scale, "centerX", "centerY")
    mid = between_of(element, start, end, centre)
    return [(place.of(start), place.of(mid) if mid else None, place.of(end))]


def between_of(element: XmlElement, start: Point, end: Point, centre: Point) -> Point | None:
    """The point half way along an <Arc>. Raises Fault where its centre does not fit. [m]"""
    if uneven(start, end, centre):
        found = f"{math.dist(centre, start) * 1e3:.6g} and {math.dist(centre, end) * 1e3:.6g} mm"
        raise Fault(element.offset, "the centre of an arc is not equally far from its ends", found=found,
                    expected="one radius")
    return between(start, end, centre, clockwise=is_true(element.attrs.get("clockwise", "")))


def _hollow(element: XmlElement) -> bool:
    polygon = element.child("Polygon")
    return not filled(polygon or element)


def _with_line(shape: PadShape, element: XmlElement, width: float) -> PadShape:
    """A hollow shape reaches half the width of its line beyond its edge; its middle counts as filled."""
    if filled(element) or not width or not shape.width:
        return shape
    return replace(shape, width=shape.width + width, height=shape.height + width,
                   radius=shape.radius + width / 2 if shape.radius else 0.0)


def _rectangle(width: float, height: float, radius: float = 0.0, centre: Point = (0.0, 0.0)) -> PadShape:
    return PadShape(centre, width, height, min(radius, width / 2, height / 2))


def _polygon(*corners: Point) -> PadShape:
    return PadShape((0.0, 0.0), 0.0, 0.0, rings=(corners,))


def _circle(element: XmlElement, scale: float) -> PadShape:
    size = metres(element, "diameter", scale)
    return _rectangle(size, size, size / 2)


def _sides(element: XmlElement, scale: float) -> tuple[float, float]:
    return metres(element, "width", scale), metres(element, "height", scale)


def _centred(element: XmlElement, scale: float) -> PadShape:
    return _rectangle(*_sides(element, scale))


def _oval(element: XmlElement, scale: float) -> PadShape:
    width, height = _sides(element, scale)
    return _rectangle(width, height, min(width, height) / 2)


def _cornered(element: XmlElement, scale: float) -> PadShape:
    x, y = point(element, scale, "lowerLeftX", "lowerLeftY")
    u, v = point(element, scale, "upperRightX", "upperRightY")
    return _rectangle(abs(u - x), abs(v - y), centre=((x + u) / 2, (y + v) / 2))


CORNERS = (("lowerRight", 1, -1, -90), ("upperRight", 1, 1, 0), ("upperLeft", -1, 1, 90), ("lowerLeft", -1, -1, 180))
"""Corners counter-clockwise: attribute, signs of x and y, first angle of its rounding."""


def _rounded(element: XmlElement, scale: float) -> PadShape:
    width, height = _sides(element, scale)
    radius = min(metres(element, "radius", scale), width / 2, height / 2)
    return _with_corners(element, width, height, radius, lambda x, y, first: corner_arc((x, y), radius, first))


def _chamfered(element: XmlElement, scale: float) -> PadShape:
    width, height = _sides(element, scale)
    size = min(metres(element, "chamfer", scale), width / 2, height / 2)

    def cut(x: float, y: float, first: float) -> tuple[Point, ...]:
        ends = corner_arc((x, y), size, first)
        return ends[0], ends[-1]

    return replace(_with_corners(element, width, height, size, cut), radius=0.0)


def _with_corners(element: XmlElement, width: float, height: float, size: float,
                  make: Callable[[float, float, float], tuple[Point, ...]]) -> PadShape:
    """A rectangle of which the file names the corners that are rounded or cut off; all where it names none."""
    chosen = [is_true(element.attrs.get(name, "true")) for name, *_ in CORNERS]
    if not size or not any(chosen):
        return _rectangle(width, height)
    if all(chosen) and element.tag == "RectRound":
        return _rectangle(width, height, size)
    corners: list[Point] = []
    for (_, sx, sy, first), done in zip(CORNERS, chosen, strict=True):
        x, y = sx * width / 2, sy * height / 2
        corners += make(x - sx * size, y - sy * size, first) if done else ((x, y),)
    return _polygon(*corners)


def _ellipse(element: XmlElement, scale: float) -> PadShape:
    width, height = _sides(element, scale)
    angles = [math.pi * i / 36 for i in range(72)]
    return _polygon(*((width / 2 * math.cos(a), height / 2 * math.sin(a)) for a in angles))


def _diamond(element: XmlElement, scale: float) -> PadShape:
    x, y = (one / 2 for one in _sides(element, scale))
    return _polygon((x, 0.0), (0.0, y), (-x, 0.0), (0.0, -y))


def _triangle(element: XmlElement, scale: float) -> PadShape:
    x, y = metres(element, "base", scale) / 2, metres(element, "height", scale) / 2
    return _polygon((-x, -y), (x, -y), (0.0, y))


def _regular(count: int, first: float) -> Callable[[XmlElement, float], PadShape]:
    """A polygon of equal sides between two opposite corners. [deg]"""

    def make(element: XmlElement, scale: float) -> PadShape:
        radius = metres(element, "length", scale) / 2
        angles = [math.radians(first + 360 * i / count) for i in range(count)]
        return _polygon(*((radius * math.cos(a), radius * math.sin(a)) for a in angles))

    return make


def _donut(element: XmlElement, scale: float) -> PadShape:
    outer, inner = metres(element, "outerDiameter", scale), metres(element, "innerDiameter", scale)
    kind = element.attrs.get("shape", "ROUND")
    if kind not in ("ROUND", "SQUARE") or inner >= outer:
        raise Fault(element.offset, "a ring of a kind that is not read", found=quoted(clip(kind, 20)),
                    expected="ROUND or SQUARE, the inner diameter smaller than the outer one")
    sizes = [_rectangle(d, d, d / 2 if kind == "ROUND" else 0.0) for d in (outer, inner)]
    if not inner:
        return sizes[0]
    (edge,), (hole,) = (outline(one) for one in sizes)
    return _polygon(*keyholed(edge, (hole,))[0])


PRIMITIVES: dict[str, Callable[[XmlElement, float], PadShape]] = {
    "Circle": _circle, "RectCenter": _centred, "RectCorner": _cornered, "RectRound": _rounded, "RectCham": _chamfered,
    "Oval": _oval, "Ellipse": _ellipse, "Diamond": _diamond, "Triangle": _triangle, "Hexagon": _regular(6, 0.0),
    "Octagon": _regular(8, 22.5), "Donut": _donut,
}
"""Shapes of the standard; targets, butterflies and thermal reliefs are not among them."""
