# SPDX-License-Identifier: MIT
"""Potential and field of a line charge above one plane or between two; epsilon_0 = 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Index = NDArray[np.intp]

FARTHEST = 160.0
"""Largest exponent of a charge's place over the plane spacing [-]: that of a distance is twice it, or a little more
where a field is asked for beside the charges, and the square of its hyperbolic sine is finite."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places as the kernel takes them: the functions of a distance are sums of products of what each place has.

    Over one plane ``x`` [m] and ``y`` [m], its height above the plane. Between two, the exponential of x, and sine
    (``y``) and cosine of y, over the plane spacing.
    """

    x: Real
    y: Real
    cosine: Real

    def of(self, at: Index) -> Places:
        """Some of the places, in the shape of the index."""
        return Places(self.x[at], self.y[at], self.cosine[at])

    def column(self) -> Places:
        """The same as a column, to meet a row or a matrix of others."""
        return Places(self.x[:, None], self.y[:, None], self.cosine[:, None])


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

    def places(self, at: Real) -> Places:
        """Places (..., 2) [m]."""
        x, y = at[..., 0] - self.middle, at[..., 1] - self.lower
        if self.upper is None:
            return Places(x, y, y)
        angle = self._scale * y
        return Places(np.exp(self._scale * x), np.sin(angle), np.cos(angle))

    def potential(self, target: Places, source: Places) -> Real:
        """Potential [V] at targets of unit charges [C/m]; places broadcast against each other."""
        square, image, *_ = self._squares(target, source)
        image /= square
        return np.asarray(np.log(image, out=image) / (4 * np.pi))

    def rest(self, target: Places, source: Places, distance: Real) -> Real:
        """The potential less that of the charge alone, -ln(r) / 2 pi; finite where ``distance`` [m] is zero."""
        square, image, *_ = self._squares(target, source)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(distance > 0, square / distance**2, self._scale**2)
        return np.asarray(np.log(image / ratio) / (4 * np.pi))

    def flux(self, target: Places, source: Places, normal: Real) -> Real:
        """Field along ``normal`` (..., 2) [V/m]; the charge's own where it sits on the target is left out."""
        square, image, x, up, image_up, grown = self._squares(target, source)
        if self.upper is not None:
            product, sines = target.cosine * source.cosine, target.y * source.y
            x *= grown
            up *= product + sines
            image_up *= product - sines
        own = np.divide(1.0, square, out=np.zeros_like(square), where=square > 0)
        far = np.divide(1.0, image, out=image)
        up *= own
        image_up *= far
        up -= image_up
        up *= normal[..., 1]
        own -= far
        own *= x
        own *= normal[..., 0]
        own += up
        own *= self._scale / (2 * np.pi)
        return own

    @property
    def _scale(self) -> float:
        """Root of the square of a distance over the distance, near by. [1/m, or 1 over one plane]"""
        return 1.0 if self.upper is None else np.pi / 2 / (self.upper - self.lower)

    def _squares(self, target: Places, source: Places) -> tuple[Real, Real, Real, Real, Real, Real]:
        """Squares of the distance to the charge, and to all images that take it to zero at the planes, in the scale;
        the distance's parts x and y, y to the image, and the hyperbolic cosine of x.

        The potential is ln(image / square) / 4 pi.
        """
        if self.upper is None:
            x, up, image_up = target.x - source.x, target.y - source.y, target.y + source.y
            grown = x
        else:
            grown = target.x / source.x
            back = 1 / grown
            x = grown - back
            x /= 2
            grown += back
            grown /= 2
            cross, other = target.y * source.cosine, target.cosine * source.y
            up, image_up = cross - other, cross + other
        square, image, level = up * up, image_up * image_up, x * x
        square += level
        image += level
        return square, image, x, up, image_up, grown
