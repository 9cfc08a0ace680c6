# SPDX-License-Identifier: MIT
"""Via types: what is drilled, plated, and drilled away again."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pcbrules.model.shapes import Length, LengthOrZero, Name, Record, Text


class Antipad(Record):
    """Clearance in the planes. ``width`` is the narrow dimension of an oval, which alone has a ``length``."""

    shape: Literal["round", "oval"] | None = None
    width: Length
    length: Length | None = None

    @property
    def oval(self) -> bool:
        """An oval has a length, a circle none; the board file is held to that."""
        return self.length is not None


class ReturnVias(Record):
    """Ground vias beside a signal via or pair: how many, and how far the nearest are, axis to axis.

    ``sides`` is 1 where all stand on one side, 2 where both have as many.
    """

    count: Annotated[int, Field(ge=0, le=64, description="all beside one signal via, or beside both of a pair")]
    distance: Length = Field(description="from a signal via to its nearest ground via, axis to axis")
    sides: Literal[1, 2] | None = Field(default=None, description="sides of the signal via or pair that have any")


class Backdrill(Record):
    """A controlled-depth drill from one side.

    The tip stands ``residual`` beyond the far face of the layer ``must_not_cut``, or at ``depth`` below the outer
    surface. ``must_not_cut: used-layer`` stands for the layer on which each link leaves the hole, that is one drill
    depth per layer.
    """

    side: Literal["top", "bottom"]
    residual: LengthOrZero | None = None
    depth: Length | None = None
    tolerance: Length | None = None
    datum: Literal["target-layer", "outer-surface"] | None = None
    must_not_cut: Name | None = Field(default=None, description="a copper layer, or `used-layer`")
    diameter: Length | None = None


USED_LAYER = "used-layer"
"""Word for the layer on which a link leaves the hole."""


class ViaType(Record):
    """A kind of plated hole."""

    span: tuple[Name, Name]
    kind: Literal["through", "blind", "buried", "microvia"]
    drill: Length
    finished: Length | None = None
    plating: Length | None = None
    pad: Length | None = None
    antipad: Antipad | None = None
    pitch: Length | None = None
    return_vias: ReturnVias | None = None
    fill: Literal["resin", "air", "plated", "unknown"] = "unknown"
    backdrill: Backdrill | tuple[Backdrill, ...] | None = None
    note: Text | None = None

    @property
    def backdrills(self) -> tuple[Backdrill, ...]:
        """All backdrills, none, one or one a side."""
        if self.backdrill is None:
            return ()
        return self.backdrill if isinstance(self.backdrill, tuple) else (self.backdrill,)

    @property
    def antipad_reach(self) -> float:
        """How far the void in the planes reaches from the axis towards a ground via; 0 without an antipad. [m]"""
        if self.antipad is None:
            return 0.0
        reach: float = self.antipad.width.value / 2
        if self.antipad.length is not None and self.pitch is not None:  # beyond the pair the oval ends sooner
            reach = min(reach, max(self.antipad.length.value - self.pitch.value, 0.0) / 2)
        return reach

    def backdrills_at(self, place: tuple[str | int, ...]) -> tuple[tuple[tuple[str | int, ...], Backdrill], ...]:
        """All backdrills with their places in the board file, for the place of this type."""
        place = (*place, "backdrill")
        several = isinstance(self.backdrill, tuple)
        return tuple(((*place, i) if several else place, drill) for i, drill in enumerate(self.backdrills))


def is_common_oval(width: float, length: float, pitch: float) -> bool:
    """True for an oval antipad round about each barrel of a pair: as long as width and pitch, within 15 % of the width.

    The share is practice; all lengths in metres.
    """
    return abs(length - width - pitch) <= 0.15 * width
