# SPDX-License-Identifier: MIT
"""Gaps under a pair: a slit that both legs cross is one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pcbrules.extraction.reference import PlaneGap, ReferenceLayer
from pcbrules.layout.arcs import Point
from pcbrules.ties import greatest_of, ordered

APART = 2.0
"""Pitches of a pair within which gaps under its two legs are one slit: up to 60 degrees aslant; practice. [-]"""


@dataclass(frozen=True, slots=True)
class PlaneSlit:
    """A split or void under a pair: its plane, and the gap under either leg that crosses it, the longest first."""

    plane: str
    gaps: tuple[PlaneGap, ...]

    @property
    def width(self) -> float:
        """Along the leg that has the longest way over it. [m]"""
        return self.gaps[0].length

    @property
    def at(self) -> Point:
        """In its middle. [m]"""
        return self.gaps[0].middle


def slits(references: Sequence[ReferenceLayer], pitch: float | None) -> tuple[PlaneSlit, ...]:
    """The slits under a pair on one layer, plane by plane.

    Parameters
    ----------
    references : sequence of ReferenceLayer
        Of the pair on the layer.
    pitch : float or None
        Between the centre lines of its legs; None where they do not run beside each other. [m]
    """
    return tuple(slit for one in references for slit in _of_plane(one, 0.0 if pitch is None else pitch))


def _of_plane(one: ReferenceLayer, pitch: float) -> Iterator[PlaneSlit]:
    """Each gap under one leg with the nearest under the other, the nearest first, none twice."""
    nets = list(dict.fromkeys(gap.net for gap in one.gaps))
    near = [(first, second) for first in one.gaps for second in one.gaps
            if first.net == nets[0] != second.net and math.dist(first.middle, second.middle) <= APART * pitch]
    taken: dict[int, PlaneGap] = {}
    for first, second in ordered(near, key=lambda both: math.dist(both[0].middle, both[1].middle)):
        if id(first) not in taken and id(second) not in taken:
            taken[id(first)], taken[id(second)] = second, first
    done: set[int] = set()
    for gap in one.gaps:
        if id(gap) not in done:
            both = [gap, taken[id(gap)]] if id(gap) in taken else [gap]
            done |= {id(each) for each in both}
            longest = greatest_of(both, key=lambda each: each.length)
            yield PlaneSlit(one.plane, (longest, *(each for each in both if each is not longest)))
