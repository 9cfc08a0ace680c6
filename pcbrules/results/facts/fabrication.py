# SPDX-License-Identifier: MIT
"""Facts about what a fabricator is asked to etch, drill and plate."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address


@dataclass(frozen=True, kw_only=True)
class Held(Fact):
    """One figure that the fabricator must hold [m], judged by the limit ``kind``.

    ``what`` describes it; ``held_by`` is what a sentence says before the limit.
    """

    kind: str
    figure: Measured
    what: str
    held_by: str


@dataclass(frozen=True, kw_only=True)
class TraceAndSpace(Held):
    """``width`` of a trace, or ``space`` between two."""


@dataclass(frozen=True, kw_only=True)
class DrilledHole(Held):
    """Diameter of a ``drill``, mechanical or by laser, or the ``plating`` of its wall."""


@dataclass(frozen=True, slots=True)
class HoleSize:
    """A dimension of a via type: its address, its value ``now`` [m], and how much it moves for a figure [-].

    ``unit`` is the one in which it is written.
    It may be from ``least`` to ``most`` [m], so that the other figures of the hole are held, on steps of ``step`` [m].
    """

    path: Address
    now: float
    slope: float
    least: float = 0.0
    most: float = inf
    step: float = 10e-6
    unit: str = "mm"


@dataclass(frozen=True, kw_only=True)
class HoleCopper(Held):
    """Copper around a hole: its ``ring``, the space between two ``pads``, the ``clearance`` of a plane to the drill.

    ``sizes`` are the dimensions that would change it.
    """

    sizes: tuple[HoleSize, ...] = ()
