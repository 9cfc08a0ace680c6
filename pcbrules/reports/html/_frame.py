# SPDX-License-Identifier: MIT
"""The frame of a plot: its size, and from values on its axes to places in it and back."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from pcbrules.reports._plot import _ticks
from pcbrules.results.exhibit import Axis
from pcbrules.ties import steady

SQUEEZED = 16
"""Width that a squeezed part of an axis keeps."""

GLYPH = 8.3
"""Width of a character of a label."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """Size of the pictures of a page: that of a screen, or of one of two in a row on paper."""

    width: int
    height: int


SCREEN, PAPER = Canvas(440, 268), Canvas(400, 208)


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis over a stretch of the picture: values and their places, in pieces of which each is even."""

    axis: Axis
    values: tuple[float, ...]
    places: tuple[float, ...]

    def at(self, value: float) -> float:
        """The place of a value; what lies beyond the axis is at its end."""
        shown = _shown(self.axis, value)
        i = min(max(bisect_right(self.values, shown), 1), len(self.values) - 1)
        (a, b), (start, end) = self.values[i - 1 : i + 1], self.places[i - 1 : i + 1]
        return steady(start + (end - start) * min(max((shown - a) / (b - a), 0.0), 1.0))

    def ticks(self) -> list[tuple[float, str]]:
        """Values of the grid lines with their labels; none in what is squeezed."""
        if not self.axis.squeezed:
            return _ticks((self.axis.low, self.axis.high), self.axis.log)
        ends = [self.axis.low, *(end for part in self.axis.squeezed for end in part), self.axis.high]
        whole = abs(self.places[-1] - self.places[0])
        found = []
        for low, high in zip(ends[::2], ends[1::2], strict=True):
            room = abs(self.at(high) - self.at(low)) / whole
            found += [tick for tick in _ticks((low, low + (high - low) / room), False) if tick[0] <= high]
        return found

    @property
    def told(self) -> str:
        """The axis for the script: kind, the pieces as values and places, and the unit."""
        pieces = " ".join(f"{value:.6g}:{place:.6g}" for value, place in zip(self.values, self.places, strict=True))
        return f"{'log' if self.axis.log else ''};{pieces};{self.axis.unit}"


def scale(axis: Axis, start: float, end: float) -> Scale:
    """An axis between two places; its squeezed parts keep a little of it and the rest is shared evenly."""
    values = [axis.low, *(value for part in axis.squeezed for value in part), axis.high]
    lengths = [b - a for a, b in pairwise(values)]
    short = SQUEEZED * len(axis.squeezed)
    share = (abs(end - start) - short) / (sum(lengths[::2]) or 1.0)
    places, sign = [start], math.copysign(1.0, end - start)
    for i, length in enumerate(lengths):
        places.append(places[-1] + sign * (length * share if i % 2 == 0 else SQUEEZED))
    return Scale(axis, tuple(_shown(axis, value) for value in values), (*places[:-1], end))


def _shown(axis: Axis, value: float) -> float:
    return math.log(max(value, 1e-30)) if axis.log else value
