# SPDX-License-Identifier: MIT
"""Copper of pads and holes as a file draws them, before it is known which hole belongs to what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pcbrules.layout.arcs import Point
from pcbrules.layout.parts import PadShape
from pcbrules.readers.layout_faults import Told

CORNER_LIMIT = 5_000_000
"""Corners of all pads of free shapes."""


@dataclass(slots=True)
class PadFlash:
    """Copper of a pad on one layer, in the drawing; `part` and `pin` are empty where the file names none."""

    layer: str
    at: Point
    shape: PadShape
    net: str
    stack: str
    part: str = ""
    pin: str = ""


@dataclass(slots=True)
class Opening:
    """A hole or a slot, with the layers from which and to which it goes; empty where the file does not say. [m]

    `sides` are its diameter twice, or width and length; `angle` is the direction of the first. [rad]
    """

    at: Point
    sides: tuple[float, float]
    plating: str
    net: str
    stack: str
    first: str
    last: str
    specs: tuple[str, ...]
    offset: int
    angle: float = 0.0

    @property
    def slot(self) -> bool:
        """True where it is no round hole."""
        return self.sides[0] != self.sides[1]


@dataclass
class PadStack:
    """Shapes by layer, in the axes of the pad, the diameter of its hole [m], and how the hole is plated."""

    name: str
    shapes: dict[str, PadShape] = field(default_factory=dict)
    hole: float | None = None
    plating: str = ""


@dataclass(frozen=True, slots=True)
class StatedBackdrill:
    """A backdrill as a specification states it: from which layer, and which it must not cut."""

    first: str
    last: str


@dataclass
class DrawnTables:
    """What pads and holes refer to by name, and where remarks on them go.

    `corners` are those of pads of free shapes so far, `lost` the nets of copper that is not read.
    """

    told: Told
    stacks: dict[str, PadStack] = field(default_factory=dict)
    backdrills: dict[str, StatedBackdrill] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    lost: set[str] = field(default_factory=set)
    corners: int = 0

    @property
    def corner_limit(self) -> int:
        """Corners that a board may have."""
        return CORNER_LIMIT

    def affords(self, shape: PadShape) -> bool:
        """Count the corners of a free shape that is drawn once more; False beyond what a board has."""
        self.corners += sum(map(len, shape.rings))
        return self.corners <= CORNER_LIMIT
