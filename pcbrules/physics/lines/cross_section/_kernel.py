# SPDX-License-Identifier: MIT
"""Potential and field of a line charge above one plane or between two; epsilon_0 = 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Index, Real

FARTHEST = 160.0
"""Largest exponent of a charge's place over the plane spacing [-]: that of a distance is twice it, or a little more
where a field is asked for beside the charges, and the square of its hyperbolic sine is finite."""


TINY = 1e-300
"""Stands for the square of no distance: its inverse is finite, and the distance's parts are zero."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places as the kernel takes them: the functions of a distance are sums of products of what each place has.

    Over one plane the rows are x [m] and y [m], the height above the plane. Between two, over the plane spacing: the
    exponentials of x and of -x, each over the root of 2, sine and cosine of y, and those of twice y.
    """

    rows: tuple[Real, ...]

    def of(self, at: Index) -> Places:
        """Some of the places, in the shape of the index."""
        return Places(tuple(row[at] for row in self.rows))

    def column(self) -> Places:
        """The same as a column, to meet a row or a matrix of others."""
        return Places(tuple(row[:, None] for row in self.rows))


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
            return Places((x, y))
        ahead, angle = np.exp(self._scale * x) / np.sqrt(2), self._scale * y
        sine, cosine = np.sin(angle), np.cos(angle)
        return Places((ahead, 0.5 / ahead, sine, cosine, 2 * sine * cosine, 1 - 2 * sine * sine))

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
            # sinh u cosh u, and sin v cos v as half the sine of 2 v
            x *= grown
            cross, other = target.rows[4] * source.rows[5], target.rows[5] * source.rows[4]
            np.subtract(cross, other, out=up)
            np.add(cross, other, out=image_up)
        scale = self._scale / (2 * np.pi)
        own = np.divide(1.0, np.maximum(square, TINY, out=square), out=square)
        far = np.divide(1.0, image, out=image)
        up *= own
        image_up *= far
        up -= image_up
        up *= normal[..., 1] * (scale if self.upper is None else scale / 2)
        own -= far
        own *= x
        own *= normal[..., 0] * scale
        own += up
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
            (x, y), (x_source, y_source) = target.rows, source.rows
            x, up, image_up = x - x_source, y - y_source, y + y_source
            grown = x
        else:
            ahead, back, sine, cosine, *_ = target.rows
            ahead_source, back_source, sine_source, cosine_source, *_ = source.rows
            grown, behind = ahead * back_source, back * ahead_source
            x = grown - behind
            grown += behind
            cross, other = sine * cosine_source, cosine * sine_source
            up, image_up = cross - other, cross + other
        square, image, level = up * up, image_up * image_up, x * x
        square += level
        image += level
        return square, image, x, up, image_up, grown
