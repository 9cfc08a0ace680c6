# SPDX-License-Identifier: MIT
"""A cross-section: the one shape in which the field solver takes a line."""

from __future__ import annotations

from dataclasses import dataclass

Polygon = tuple[tuple[float, float], ...]
"""Corners (x, y) [m], either way round, not closed; two points are a strip of zero thickness."""


@dataclass(frozen=True, slots=True)
class Section:
    """Perfect or real conductors among dielectrics, over one plane or between two. Lengths in metres.

    ``signals`` are the conductors whose matrices are asked for, ``grounds`` are at zero potential with the planes:
    the horizontal lines ``lower`` and ``upper``, of which one may be missing (open to the air).

    ``dielectrics`` are (polygon, relative permittivity) in painter's order: a later one covers an earlier one, and
    conductors are cut out of all. What none covers is air. A layer that never ends has corners at infinite x
    (``-math.inf``, ``math.inf``), else x and y are finite.
    """

    signals: tuple[Polygon, ...]
    grounds: tuple[Polygon, ...] = ()
    dielectrics: tuple[tuple[Polygon, float], ...] = ()
    lower: float | None = 0.0
    upper: float | None = None

    @property
    def base(self) -> float:
        """Height of the lower plane [m]. Raises ValueError where there is none."""
        if self.lower is None:
            raise ValueError("the section has no lower plane")
        return self.lower
