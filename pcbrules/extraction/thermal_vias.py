# SPDX-License-Identifier: MIT
"""Arrays of vias in the large pads of parts: the way of their heat into the board."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np

from pcbrules.layout.arcs import Point
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart, PadShape, PartPad

FEWEST = 4
"""Vias in a pad that are an array; practice. [-]"""

SIDE = 1e-3
"""Smaller side of a pad that takes heat; practice. [m]"""


@dataclass(frozen=True, slots=True)
class PadVias:
    """The vias in a pad of a part: pin and net, its middle, how many there are, the smallest drill among them, the
    median distance of a via from the nearest other one, and the layers that all of them reach. [m]
    """

    part: str
    pin: str
    net: str
    at: Point
    count: int
    drill: float
    pitch: float
    layers: tuple[str, str]


def thermal_vias(layout: Layout) -> tuple[PadVias, ...]:
    """Every array, in the order of the parts; holes that belong to the part count as vias."""
    vias: dict[str, list[tuple[Point, float, str, str]]] = {}
    for via in layout.vias:
        if via.drill:
            vias.setdefault(via.net, []).append((via.at, via.drill, via.first, via.last))
    return tuple(one for part in layout.parts for one in _of_part(layout, part, vias))


def _of_part(
    layout: Layout, part: LayoutPart, vias: dict[str, list[tuple[Point, float, str, str]]]
) -> Iterator[PadVias]:
    order = [one.name for one in layout.copper]
    if not order:
        return
    holes = [(pad.at, min(pad.drill), order[0], order[-1], pad.net) for pad in part.pads if pad.drill and pad.plated]
    for pad in part.pads:
        shape = _large(pad)
        if shape is None:
            continue
        (x, y), far = shape.centre, shape.farthest + 1e-9
        inside = [one for one in vias.get(pad.net, ())
                  if abs(one[0][0] - x) <= far and abs(one[0][1] - y) <= far and shape.holds(one[0])]
        inside += [one[:4] for one in holes if one[4] == pad.net and shape.holds(one[0])]
        known = [one for one in dict.fromkeys(inside) if one[2] in order and one[3] in order]
        if len(known) >= FEWEST:
            first = max(min(order.index(one[2]), order.index(one[3])) for one in known)
            last = min(max(order.index(one[2]), order.index(one[3])) for one in known)
            yield PadVias(part.reference, pad.pin, pad.net, shape.centre, len(known),
                              min(one[1] for one in known), _pitch([one[0] for one in known]),
                              (order[min(first, last)], order[max(first, last)]))


def _large(pad: PartPad) -> PadShape | None:
    """The copper of a pad that is soldered flat and large enough on both sides; None for any other."""
    if pad.drill or not pad.net or not pad.layers:
        return None
    shape = pad.shape_on(pad.layers[0])
    points = [at for ring in shape.rings for at in ring]
    sides = (shape.width, shape.height)
    if points and min(sides) < SIDE:
        xs, ys = zip(*points, strict=True)
        sides = (max(xs) - min(xs), max(ys) - min(ys))
    return shape if min(sides) >= SIDE else None


def _pitch(places: list[Point]) -> float:
    points = np.array(places)
    apart = np.hypot(*(points[:, None] - points[None, :]).transpose(2, 0, 1))
    apart[apart == 0] = math.inf
    return float(median(apart.min(axis=1).tolist()))
