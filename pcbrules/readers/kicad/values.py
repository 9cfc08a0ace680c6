# SPDX-License-Identifier: MIT
"""What stands in an object: words, numbers, points. Every wrong one is a Fault at its place."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from pcbrules.errors import clip, quoted
from pcbrules.layout.arcs import Point
from pcbrules.readers.kicad.tokens import Node, text_of
from pcbrules.readers.layout_faults import Fault

MM = 1e-3
"""Metres of the file's unit."""

LARGEST = 10_000.0
"""Coordinates and lengths beyond 10 m are no board. [mm]"""

_NUMBERS = re.compile(r"[-+.0-9eE]+")


def child(node: Node, head: str) -> Node | None:
    """The first object of that name in an object."""
    for one in node:
        if one.__class__ is list and one[1] == head:
            return one
    return None


def children(node: Node, *heads: str) -> Iterator[Node]:
    """All objects of those names in an object."""
    return (one for one in node if one.__class__ is list and one[1] in heads)


def needed(node: Node, head: str) -> Node:
    """The object of that name. Raises Fault where there is none."""
    found = child(node, head)
    if found is None:
        raise Fault(node[0], f"({node[1]} has no ({head}", expected=f"({head}")
    return found


def words(node: Node) -> list[str]:
    """Its words after the first, as texts."""
    return [text_of(one) for one in node[2:] if one.__class__ is str]


def word(node: Node, index: int = 2) -> str:
    """One of its words as a text; 2 is the first after its name. Raises Fault where there is none."""
    if index >= len(node) or node[index].__class__ is not str:
        raise Fault(node[0], f"({node[1]} lacks a word", found=f"({node[1]}", expected=f"{index - 1} words")
    return text_of(node[index])


def flagged(node: Node, name: str) -> bool:
    """True where the object says `name`, ``(name)`` or ``(name yes)``."""
    if name in node[2:]:
        return True
    found = child(node, name)
    return found is not None and (len(found) == 2 or found[2] in ("yes", "true"))


def number(node: Node, index: int = 2, *, least: float = -LARGEST, most: float = LARGEST) -> float:
    """One of its numbers. Raises Fault for anything else, and outside the range."""
    given = node[index] if index < len(node) else None
    if given.__class__ is not str:
        raise Fault(node[0], f"({node[1]} lacks a number", found=f"({node[1]}", expected=f"{index - 1} numbers")
    assert isinstance(given, str)
    try:
        value = float(text_of(given)) if given.isascii() and "_" not in given else math.nan
    except ValueError:
        value = math.nan
    if value != value:
        raise Fault(node[0], f"({node[1]} holds no number", found=quoted(text_of(given)), expected="a number")
    if not least <= value <= most:
        raise Fault(node[0], f"the number of ({node[1]} is out of range", found=clip(given),
                    expected=f"{least:g} to {most:g}")
    return value


def length(node: Node, index: int = 2, *, least: float = 0.0) -> float:
    """One of its numbers as a length, not negative. [m]"""
    return number(node, index, least=least) * MM


def length_of(node: Node, head: str) -> float | None:
    """The length that an object of that name holds; None where there is none. [m]"""
    found = child(node, head)
    return None if found is None else length(found)


def point(node: Node) -> Point:
    """Its first two numbers as a point. [m]"""
    return number(node, 2) * MM, number(node, 3) * MM


def point_of(node: Node, head: str) -> Point:
    """The point that the object of that name holds. Raises Fault where there is none. [m]"""
    return point(needed(node, head))


def origins_of(setup: Node) -> Iterator[tuple[str, Point]]:
    """The origins that a board sets beside that of its page, by the names that KiCad shows. [m]"""
    for head, name in (("aux_axis_origin", "drill/place origin"), ("grid_origin", "grid origin")):
        found = child(setup, head)
        if found is not None and point(found) != (0.0, 0.0):
            yield name, point(found)


def plain_points(node: Node, text: str) -> tuple[Point, ...]:
    """Points of a list that holds points alone, as its text. [m]"""
    try:
        values = list(map(float, _NUMBERS.findall(text)))
    except ValueError as error:
        raise Fault(node[0], f"({node[1]} has a point that is no number", found=clip(str(error)),
                    expected="numbers") from None
    if values and not -LARGEST <= min(values) <= max(values) <= LARGEST:
        raise Fault(node[0], f"({node[1]} has a point out of range", found=f"{min(values):g} to {max(values):g}",
                    expected=f"within {LARGEST:g} mm")
    return tuple((x * MM, y * MM) for x, y in zip(values[::2], values[1::2], strict=True))


def turned(at: Point, by: Point, degrees: float) -> Point:
    """A point of a part in the drawing: `at` its place, `by` the point in its own axes. [m], [deg]

    Angles of the file turn from x to minus y.
    """
    if not degrees:
        return at[0] + by[0], at[1] + by[1]
    cos, sin = _turn(degrees)
    return at[0] + by[0] * cos + by[1] * sin, at[1] - by[0] * sin + by[1] * cos


def _turn(degrees: float) -> tuple[float, float]:
    """Cosine and sine, exact for right angles."""
    right = _RIGHT.get(degrees % 360)
    return right or (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))


_RIGHT = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
