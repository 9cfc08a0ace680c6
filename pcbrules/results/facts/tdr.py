# SPDX-License-Identifier: MIT
"""Facts about the impedance of a channel as a reflectometer sees it."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address


@dataclass(frozen=True, slots=True)
class ImpedanceDeviation:
    """Largest distance of an impedance from the reference, over the reference [-], and the element that makes it.

    ``impedance`` [ohm] is what is seen there, from the ``end`` of the path that sees the larger one.
    """

    measured: Measured
    element: str
    impedance: float
    end: str
    where: Address


@dataclass(frozen=True, kw_only=True)
class ImpedanceProfile(Fact):
    """Impedance along a path, seen with a step of a ``rise_time`` [s] against a ``reference`` [ohm].

    ``line`` is the worst of its lines, ``breakout`` of those in a ball field, ``transition`` of vias, capacitors and
    connectors; None where there is none. ``unseen`` are elements of which only a loss is known, the key
    that would say more, and their places.
    """

    reference: float
    rise_time: float
    line: ImpedanceDeviation | None
    breakout: ImpedanceDeviation | None
    transition: ImpedanceDeviation | None
    unseen: tuple[tuple[str, str, Address], ...] = ()
