# SPDX-License-Identifier: MIT
"""Panels along the straight and round sides of a conducting sheet, and what a charge on them gives elsewhere.

Points are complex numbers ``x + j y``; along a side the copper lies on the left. A panel has `ORDER` Gauss points.
Close to a panel its integrals are taken exactly for the polynomial through these points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pcbrules.arrays import Complex, Real

ORDER = 8
NODES, WEIGHTS = np.polynomial.legendre.leggauss(ORDER)
_POWERS = np.arange(ORDER)
_NEAR = 2.2  # half lengths from the middle of a panel; Gauss points alone are exact to 1e-9 beyond
_ARC = np.pi / 4  # longest arc of a panel
_GRADES = 10  # halvings towards a corner where the current density has no bound
_FEW = 5  # halvings towards other corners


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an outline or of a cut-out: straight, or an arc round ``centre`` of less than half a turn.

    ``contact`` is the number of the contact that this side is, None where nothing is connected.
    """

    start: complex
    end: complex
    centre: complex | None = None
    contact: int | None = None

    @property
    def turn(self) -> float:
        """Angle of the arc, positive counterclockwise; 0 for a straight side. [rad]"""
        return 0.0 if self.centre is None else float(np.angle((self.end - self.centre) / (self.start - self.centre)))

    @property
    def length(self) -> float:
        """Length of the side."""
        chord = abs(self.end - self.start)
        return chord if self.centre is None else abs(self.start - self.centre) * abs(self.turn)

    def at(self, place: Real) -> Complex:
        """Points at places from 0 (start) to 1 (end)."""
        if self.centre is None:
            return np.asarray(self.start + (self.end - self.start) * place)
        return np.asarray(self.centre + (self.start - self.centre) * np.exp(1j * self.turn * place))

    def tangent(self, place: Real) -> Complex:
        """Direction of travel at places from 0 to 1."""
        if self.centre is None:
            return np.full(place.shape, (self.end - self.start) / abs(self.end - self.start))
        along = (self.start - self.centre) / abs(self.start - self.centre)
        return np.asarray(1j * np.sign(self.turn) * along * np.exp(1j * self.turn * place))


@dataclass(frozen=True, slots=True)
class SheetPanel:
    """A piece of a side with its Gauss points, directions of travel there, and weights of length."""

    points: Complex
    tangents: Complex
    weights: Real
    ends: tuple[complex, complex]
    centre: complex | None
    contact: int | None
    singular: bool

    def influence(self, target: Complex) -> tuple[Real, Real]:
        """Weights of the Gauss points in the two integrals over the panel, for each target.

        Returns
        -------
        tuple of ndarray, shape (targets, ORDER)
            Of the integral of ``ln|distance|``, and of the angle under which the panel is seen.
        """
        away = self.points[None, :] - target[:, None]
        middle, half = (self.ends[0] + self.ends[1]) / 2, (self.ends[1] - self.ends[0]) / 2
        near = np.abs(target - middle) < _NEAR * abs(half)
        apart = np.where(np.abs(away) == 0, 1, away)
        single = np.log(np.abs(apart)) * self.weights
        double = (self.tangents * self.weights / apart).imag
        if near.any():
            single[near], double[near] = self._near((target[near] - middle) / half, half)
        return single, double

    def _near(self, z: Complex, half: complex) -> tuple[Real, Real]:
        """Integrals of the powers by recursion, in coordinates where the panel goes from -1 to 1 (Helsing, 2008)."""
        nodes = (self.points - (self.ends[0] + self.ends[1]) / 2) / half
        inverse = np.linalg.inv(nodes[:, None] ** _POWERS)
        own = np.abs(nodes[None, :] - z[:, None]).min(axis=1) < 1e-12
        behind = np.log(-1 - z)
        first = np.log((1 - z) / (-1 - z))
        if self.centre is None:
            first = np.where(own, first.real, first)
        else:
            about = (self.centre - (self.ends[0] + self.ends[1]) / 2) / half
            side = -np.sign(about.imag)  # on which side of its chord the arc is
            between = (np.abs(z - about) < abs(1 - about)) & (np.sign(z.imag) == side)
            first = first + np.where(between, 2j * np.pi * -side, 0)
        ahead = first + behind
        cauchy = np.empty((len(z), ORDER + 1), complex)
        cauchy[:, 0] = first
        for k in range(ORDER):
            cauchy[:, k + 1] = z * cauchy[:, k] + (1 - (-1) ** (k + 1)) / (k + 1)
        signs = np.where(_POWERS % 2 == 0, -1, 1)
        logs = (ahead[:, None] - signs * behind[:, None] - cauchy[:, 1:]) / (_POWERS + 1)
        if self.centre is None:
            logs = np.where(own[:, None], logs.real, logs)
        single = ((logs @ inverse) * half / self.tangents).real + np.log(abs(half)) * self.weights
        double = (cauchy[:, :ORDER] @ inverse).imag
        if self.centre is None:
            double[own] = 0
        elif own.any():
            sense = np.sign(((self.points[-1] - self.centre) / (self.points[0] - self.centre)).imag)
            double[own] = sense * self.weights / (2 * abs(self.points[0] - self.centre))
        return single, double


def panels(
    loop: Sequence[Side], clearance: Sequence[tuple[complex, float]], rest: Sequence[Side] = ()
) -> list[SheetPanel]:
    """Panels of a closed loop of sides, shorter towards corners and towards round contacts and holes.

    Parameters
    ----------
    loop : sequence of Side
        Each begins where the one before it ends.
    clearance : sequence of (complex, float)
        Centre and radius of the discs in the sheet.
    rest : sequence of Side
        Sides of the other loops.
    """
    found: list[SheetPanel] = []
    for number, side in enumerate(loop):
        before, after = loop[number - 1], loop[(number + 1) % len(loop)]
        marks = _marks(side, _grades(before, side), _grades(side, after))
        others = [*rest, *(one for one in loop if one not in (before, side, after))]
        pieces = [piece for pair in pairwise(marks) for piece in _split(side, pair, clearance, others)]
        sharp = _grades(before, side) == _GRADES, _grades(side, after) == _GRADES
        for low, high in pieces:
            place = (low + high) / 2 + (high - low) / 2 * NODES
            ends = side.at(np.array([low, high]))
            found.append(SheetPanel(
                side.at(place), side.tangent(place), WEIGHTS * (high - low) / 2 * side.length,
                (complex(ends[0]), complex(ends[1])), side.centre, side.contact,
                (sharp[0] and low < 0.2) or (sharp[1] and high > 0.8),
            ))
    return found


def _grades(before: Side, after: Side) -> int:
    """Halvings towards a corner: many where the current density has no bound there, none where it is smooth."""
    turn = float(np.angle(after.tangent(np.zeros(1))[0] / before.tangent(np.ones(1))[0]))
    inside = np.pi - turn
    mixed = (before.contact is None) != (after.contact is None)
    exponent = np.pi / inside / (2 if mixed else 1)
    if abs(exponent - round(exponent)) < 1e-6 and before.centre is None and after.centre is None:
        return 0
    return _GRADES if exponent < 1 - 1e-6 else _FEW


def _marks(side: Side, first: int, last: int) -> list[float]:
    pieces = max(2 if first or last else 1, int(np.ceil(abs(side.turn) / _ARC)))
    even = np.linspace(0, 1, pieces + 1)
    near = [even[1] * 0.5**k for k in range(1, first + 1)]
    far = [1 - even[1] * 0.5**k for k in range(1, last + 1)]
    return sorted([*even.tolist(), *near, *far])


def _split(
    side: Side, piece: tuple[float, float], discs: Sequence[tuple[complex, float]], others: Sequence[Side]
) -> list[tuple[float, float]]:
    """Halve a piece until it is no longer than its distance from discs and from sides that do not touch it."""
    low, high = piece
    sample = side.at(np.linspace(low, high, 5))
    gaps = [np.abs(sample - centre).min() - radius for centre, radius in discs]
    gaps += [np.abs(sample[:, None] - one.at(np.linspace(0, 1, 33))).min() for one in others]
    length = (high - low) * side.length
    if high - low < 2e-5 or length <= max(min(gaps, default=np.inf), 1e-3 * side.length):
        return [piece]
    middle = (low + high) / 2
    return _split(side, (low, middle), discs, others) + _split(side, (middle, high), discs, others)
