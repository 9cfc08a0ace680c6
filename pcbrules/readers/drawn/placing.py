# SPDX-License-Identifier: MIT
"""How an object's own axes come into the drawing: turned and mirrored, then moved.

The order is that of the writers that were compared: offset, scale, rotation, then the mirror image of what was turned,
with the y axis as the mirror; then the location.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pcbrules.layout.arcs import Point
from pcbrules.layout.parts import PadShape


@dataclass(frozen=True, slots=True)
class Placing:
    """How points of an object's own axes come into the drawing.

    Attributes
    ----------
    at : tuple of float
        [m]
    degrees : float
        Counter-clockwise.
    mirrored : bool
    offset : tuple of float
        Added before all else. [m]
    scale : float
    """

    at: Point = (0.0, 0.0)
    degrees: float = 0.0
    mirrored: bool = False
    offset: Point = (0.0, 0.0)
    scale: float = 1.0

    @property
    def still(self) -> bool:
        """True where nothing is moved."""
        return self == AS_IS

    def of(self, by: Point) -> Point:
        """A point of the object in the drawing. [m]"""
        x, y = (by[0] + self.offset[0]) * self.scale, (by[1] + self.offset[1]) * self.scale
        if self.degrees:
            cos, sin = _turn(self.degrees)
            x, y = x * cos - y * sin, x * sin + y * cos
        return self.at[0] + (-x if self.mirrored else x), self.at[1] + y

    def angle(self, radians: float) -> float:
        """Direction of an axis of the object in the drawing. [rad]"""
        turned = radians + math.radians(self.degrees)
        return math.pi - turned if self.mirrored else turned


AS_IS = Placing()


def placed(shape: PadShape, place: Placing) -> PadShape:
    """A shape in the drawing."""
    size = place.scale
    return PadShape(place.of(shape.centre), shape.width * size, shape.height * size, shape.radius * size,
                    place.angle(shape.angle), tuple(tuple(map(place.of, one)) for one in shape.rings))


def _turn(degrees: float) -> tuple[float, float]:
    """Cosine and sine, exact for right angles."""
    right = _RIGHT.get(degrees % 360)
    return right or (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))


_RIGHT = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
