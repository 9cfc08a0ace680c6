# SPDX-License-Identifier: MIT
"""Potential and field of a line charge above one plane or between two; epsilon_0 = 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]

FARTHEST = 160.0
"""Largest exponent of a charge's place over the plane spacing [-]: that of a distance is twice it, or a little more
where a field is asked for beside the charges, and the square of its hyperbolic sine is finite."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Distances of targets from sources that broadcast against each other.

    ``square``: of the charge itself, ``image``: of all images that take it to zero at the planes, so that the potential
    is ln(image / square) / 4 pi; over the square of some length. ``x``, ``y``: half the gradient of ``square`` by the
    target's place, ``x``, ``image_y`` that of ``image``. ``scale``: root of ``square`` over the distance, near by.
    """

    square: Real
    image: Real
    x: Real
    y: Real
    image_y: Real
    scale: float

    def potential(self) -> Real:
        """Potential [V] of a unit charge [C/m]."""
        return np.asarray(np.log(self.image / self.square) / (4 * np.pi))

    def rest(self, distance: Real) -> Real:
        """The potential less that of the charge alone, -ln(r) / 2 pi; finite where ``distance`` [m] is zero."""
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(distance > 0, self.square / distance**2, self.scale**2)
        return np.asarray(np.log(self.image / ratio) / (4 * np.pi))

    def flux(self, normal: Real) -> Real:
        """Field along ``normal`` (..., 2) [V/m]; the charge's own where it sits on the target is left out."""
        own = np.where(self.square > 0, self.square, np.inf)
        across = self.x * (1 / own - 1 / self.image)
        up = self.y / own - self.image_y / self.image
        return np.asarray((normal[..., 0] * across + normal[..., 1] * up) / (2 * np.pi))


@dataclass(frozen=True, slots=True)
class Kernel:
    """Planes at y = ``lower`` and, if there is one, ``upper`` [m]; ``middle``: x of the middle of all charges [m]."""

    lower: float
    upper: float | None
    middle: float

    def reaches(self, x: Real) -> bool:
        """True if all places x [m] are near enough to each other for the exponentials between two planes."""
        if self.upper is None:
            return True
        return bool(np.abs(x - self.middle).max() * np.pi / 2 < FARTHEST * (self.upper - self.lower))

    def pairs(self, target: Real, source: Real) -> Pairs:
        """Pairs of targets (..., 2) and sources (..., 2)."""
        if self.upper is None:
            dx, dy = target[..., 0] - source[..., 0], target[..., 1] - source[..., 1]
            sy = target[..., 1] + source[..., 1] - 2 * self.lower
            level = dx * dx
            return Pairs(level + dy * dy, level + sy * sy, dx, dy, sy, 1.0)
        a = np.pi / 2 / (self.upper - self.lower)
        (grown, sin, cos), (grown_, sin_, cos_) = self._turned(target, a), self._turned(source, a)
        ratio = grown / grown_
        back = 1 / ratio
        sinh = (ratio - back) / 2
        cross, other = sin * cos_, cos * sin_
        dy, sy = cross - other, cross + other
        product, sines = cos * cos_, sin * sin_
        level = sinh * sinh
        return Pairs(
            level + dy * dy,
            level + sy * sy,
            a * sinh * (ratio + back) / 2,
            a * dy * (product + sines),
            a * sy * (product - sines),
            a,
        )

    def _turned(self, at: Real, a: float) -> tuple[Real, Real, Real]:
        """Exponential of x, sine and cosine of y: the functions of a distance are sums of their products."""
        angle = a * (at[..., 1] - self.lower)
        return np.exp(a * (at[..., 0] - self.middle)), np.sin(angle), np.cos(angle)
