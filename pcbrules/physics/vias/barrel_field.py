# SPDX-License-Identifier: MIT
"""Static field around a barrel in its antipads: what a pad on an inner layer and an open end add to its capacitance.

Between barrel, antipad edges and the axis the potential is a sum of modes ``cos(k z)`` with Bessel functions of the
radius. The potentials on the cylinders where two regions meet are those that make the energy least (Rayleigh-Ritz), so
every sum that is cut short gives a capacitance that is too large; two cuts extrapolate to none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.arrays import Real
from pcbrules.constants import EPSILON_0
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.vias.barrel import round_cell
from pcbrules.solver_cache import solved_once

MODES = (80, 160)
"""Terms over the whole height of the two sums that are extrapolated."""

SHARE = 0.7
"""Terms on a side whose potential is fixed at metal edges, over those of the free side in the same height."""

ALIKE = 0.01
"""Turn over their height up to which two modes count as alike: the ends alone would tell little of them [rad]."""

LESS = 1 - 1e-9
"""Keeps the last bit of a ratio from deciding how many terms or cavities there are."""

RANGE = {
    "barrel_radius": (0.05e-3, 0.3e-3),
    "gap": (0.05e-3, 0.8e-3),
    "plane_pitch": (0.05e-3, 3e-3),
    "dk": (1.0, 12.0),
}


@dataclass(frozen=True)
class _CavityModes:
    """Modes ``cos(k z - phase)`` on ``low < z < high``; an end is free (no normal field) or held (no potential)."""

    k: Real
    phase: Real
    low: float
    high: float

    @classmethod
    def between(cls, low: float, high: float, held: tuple[bool, bool], count: int) -> _CavityModes:
        order = np.arange(count) + sum(held) / 2
        k = np.asarray(np.pi * order / (high - low), dtype=np.float64)
        return cls(k, np.asarray(k * low + (np.pi / 2 if held[0] else 0.0), dtype=np.float64), low, high)

    @property
    def norm(self) -> Real:
        """Integral of the square."""
        return np.where(self.k == 0, 1.0, 0.5) * (self.high - self.low)

    def overlap(self, other: _CavityModes) -> Real:
        """Integrals of the products over the height that both have."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        k, q = self.k, other.k
        apart = k[:, None] - q
        alike = np.abs(apart) * (high - low) < ALIKE
        own, others = (one.k[:, None] * [high, low] - one.phase[:, None] for one in (self, other))
        sign = np.array([1.0, -1.0])
        ends = np.hstack([k[:, None] * np.sin(own), -np.cos(own)]) @ np.hstack(
            [sign * np.cos(others), sign * q[:, None] * np.sin(others)]).T
        found = ends / np.where(alike, 1.0, apart * (k[:, None] + q))
        rows, columns = np.nonzero(alike)
        middle, height = (low + high) / 2, high - low
        found[rows, columns] = sum(
            height / 2 * np.sinc(turns * height / (2 * np.pi)) * np.cos(turns * middle - phase)
            for turns, phase in ((k[rows] - q[columns], self.phase[rows] - other.phase[columns]),
                                 (k[rows] + q[columns], self.phase[rows] + other.phase[columns])))
        return np.asarray(found)


def _annulus(k: Real, inner: float, outer: float) -> tuple[Real, Real, Real]:
    """Energy of every mode between two radii, as ``ss x^2 + 2 st x y + tt y^2`` of the potentials x and y on them."""
    from scipy.special import i0e, i1e, k0e, k1e

    log = np.log(outer / inner)
    ss, st, tt = np.full(len(k), 1 / log), np.full(len(k), -1 / log), np.full(len(k), 1 / log)
    some = k > 0
    s, t = k[some] * inner, k[some] * outer
    falls = np.exp(-2 * (t - s))
    across = i0e(t) * k0e(s) - i0e(s) * k0e(t) * falls
    ss[some] = s * (k1e(s) * i0e(t) + i1e(s) * k0e(t) * falls) / across
    tt[some] = t * (i1e(t) * k0e(s) + k1e(t) * i0e(s) * falls) / across
    st[some] = -np.exp(s - t) / across
    return ss, st, tt


def _cavities(edges: Real, held: tuple[bool, bool], density: float) -> list[_CavityModes]:
    """Modes of the cavities between planes; ``held`` tells whether the stack's own two ends are planes too."""
    last = len(edges) - 2
    return [
        _CavityModes.between(a, b, (i > 0 or held[0], i < last or held[1]), max(2, round(density * (b - a) * LESS)))
        for i, (a, b) in enumerate(pairwise(edges.tolist()))
    ]


def _outside(cavities: list[_CavityModes], radius: float) -> Real:
    from scipy.special import k0e, k1e

    return np.concatenate([radius * c.k * k1e(radius * c.k) / k0e(radius * c.k) * c.norm for c in cavities])


def _least(
    body: _CavityModes, inner: float, antipad: float, cavities: list[_CavityModes],
    own: tuple[_CavityModes, Real] | None,
) -> float:
    """Capacitance over ``2 pi epsilon`` [m] of a conductor of one volt, planes at none.

    ``own`` are modes of the potential less one on the inner cylinder, where it is free, and their own energies.
    """
    ss, st, tt = (part / body.norm for part in _annulus(body.k, inner, antipad))
    edge = np.hstack([body.overlap(cavity) for cavity in cavities])
    volt = np.zeros(len(body.k))
    volt[0] = body.high - body.low
    stiff = np.diag(_outside(cavities, antipad)) + _squared(np.sqrt(tt)[:, None] * edge)
    pull = edge.T @ (st * volt)
    if own is not None:
        modes, energy = own
        free = body.overlap(modes)
        mixed = free.T @ (st[:, None] * edge)
        own_stiff = np.diag(energy) + _squared(np.sqrt(ss)[:, None] * free)
        stiff = np.block([[own_stiff, mixed], [mixed.T, stiff]])
        pull = np.concatenate([free.T @ (ss * volt), pull])
    return float(ss[0] * volt[0] ** 2 - pull @ np.linalg.solve(stiff, pull))


def _squared(m: Real) -> Real:
    """The matrix times itself; numpy takes half of the products where both are one array."""
    return np.asarray(m.T @ m)


def _extrapolated(coarse: float, fine: float) -> float:
    """Limit of a value whose error halves with twice the terms."""
    return 2 * fine - coarse


@solved_once
def _pad(barrel: float, antipad: float, pitch: float, pad: float, neighbours: int) -> float:
    """Excess capacitance over ``2 pi epsilon`` [m]; heights from the pad upwards, the other half is its image."""
    edges = np.concatenate([[0.0], pitch * (np.arange(neighbours + 1) + 0.5)])
    height = edges[-1]

    def excess(terms: int) -> float:
        count = terms // 2 * (2 * neighbours + 1)
        sides = round(SHARE * count)
        body = _CavityModes.between(0.0, height, (False, False), count)
        cavities = _cavities(edges, (False, True), sides / height)
        above = _CavityModes.between(0.0, height, (True, False), sides)
        own = above, _annulus(above.k, barrel, pad)[2] * above.norm
        return 2 * (_least(body, pad, antipad, cavities, own) - _least(body, barrel, antipad, cavities, None))

    return _extrapolated(*(excess(terms) for terms in MODES))


@solved_once
def _end(barrel: float, antipad: float, pitch: float, offset: float) -> float:
    """Excess capacitance over ``2 pi epsilon`` [m] of a barrel that ends ``offset`` above the middle of a cavity."""
    from scipy.special import i0e, i1e

    count = 2 + ceil(2 * antipad / pitch * LESS)
    edges = np.concatenate([[-count * pitch], pitch * (np.arange(-count, count) + 0.5), [count * pitch]])
    height = 2 * count * pitch

    def whole(terms: int) -> float:
        terms *= 2
        body = _CavityModes.between(edges[0], edges[-1], (False, False), terms)
        cavities = _cavities(edges, (False, False), SHARE * terms / height)
        count = round(SHARE * terms * (offset - edges[0]) / height)
        below = _CavityModes.between(edges[0], offset, (False, True), count)
        x = below.k * barrel
        return _least(body, barrel, antipad, cavities, (below, x * i1e(x) / i0e(x) * below.norm))

    cell = round_cell(barrel, antipad - barrel, pitch)
    return float(_extrapolated(*(whole(terms) for terms in MODES)) - cell * (edges[-1] - offset) / pitch)


@FormulaCard(
    gives="F",
    valid=RANGE,
    source="own Rayleigh-Ritz solution of the static field, modes in height and Bessel functions in radius",
    ratios={("plane_pitch", "gap"): (0.0, 10.0)},
    accuracy="1 % itself, for a pad over up to 0.9 of the gap; within 3 % (one pair 7 %) of independent finite elements"
    " of an error of 3 %",
)
def pad_capacitance(
    *,
    barrel_radius: ArrayLike,
    gap: ArrayLike,
    plane_pitch: ArrayLike,
    pad_radius: ArrayLike,
    dk: ArrayLike,
    alone: bool = False,
) -> Any:
    r"""What a thin pad half-way between two planes adds to the capacitance of a barrel.

    Parameters
    ----------
    barrel_radius : float or ndarray, shape (...)
        Outer radius of the barrel. [m]
    gap : float or ndarray, broadcastable to ``barrel_radius``
        Antipad radius less barrel radius; of an oval one that of ``equivalent_gap``. [m]
    plane_pitch : float or ndarray, broadcastable to ``barrel_radius``
        Distance of neighbouring planes. [m]
    pad_radius : float or ndarray, broadcastable to ``barrel_radius``
        Radius of the pad, between that of the barrel and that of the antipad. [m]
    dk : float or ndarray, broadcastable to ``barrel_radius``
        Relative permittivity of the laminate. [-]
    alone : bool
        The cavities above and below hold no pad; else every cavity holds one.

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance. [F]

    Examples
    --------
    >>> one = dict(barrel_radius=0.125e-3, gap=0.23e-3, plane_pitch=0.254e-3, pad_radius=0.24e-3, dk=3.6)
    >>> [f"{pad_capacitance(**one, alone=alone) * 1e15:.1f} fF" for alone in (False, True)]
    ['22.1 fF', '23.8 fF']
    """

    def one(barrel: float, gap: float, pitch: float, pad: float) -> float:
        if not barrel < pad < barrel + gap:
            raise ValueError("a pad is larger than its barrel and smaller than its antipad")
        return _pad(barrel, barrel + gap, pitch, pad, 1 if alone else 0)

    found = np.vectorize(one, otypes=[float])(barrel_radius, gap, plane_pitch, pad_radius)[()]
    return 2 * np.pi * EPSILON_0 * np.asarray(dk) * found


@FormulaCard(
    gives="F",
    valid=RANGE,
    source="own Rayleigh-Ritz solution of the static field, modes in height and Bessel functions in radius",
    ratios={("plane_pitch", "gap"): (0.0, 30.0)},
    accuracy="4 % itself, 1 % where planes are no nearer to each other than the barrel's radius and no farther than 10 "
    "gaps; within 1.5 % of independent finite elements of an error of 3 %",
)
def open_end_capacitance(
    *,
    barrel_radius: ArrayLike,
    gap: ArrayLike,
    plane_pitch: ArrayLike,
    dk: ArrayLike,
    offset: ArrayLike = 0.0,
) -> Any:
    r"""What a barrel that ends between planes holds beyond its length times the capacitance per metre.

    The planes go on past the end, and the laminate, or resin of the same Dk, fills the hole there.

    Parameters
    ----------
    barrel_radius : float or ndarray, shape (...)
        Outer radius of the barrel. [m]
    gap : float or ndarray, broadcastable to ``barrel_radius``
        Antipad radius less barrel radius; of an oval one that of ``equivalent_gap``. [m]
    plane_pitch : float or ndarray, broadcastable to ``barrel_radius``
        Distance of neighbouring planes. [m]
    dk : float or ndarray, broadcastable to ``barrel_radius``
        Relative permittivity of the laminate. [-]
    offset : float or ndarray, broadcastable to ``barrel_radius``
        How much sooner than half-way between two planes the barrel ends, within half a pitch. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Capacitance. [F]

    Examples
    --------
    >>> f"{open_end_capacitance(barrel_radius=0.125e-3, gap=0.23e-3, plane_pitch=0.254e-3, dk=3.6) * 1e15:.1f} fF"
    '22.6 fF'
    """

    def one(barrel: float, gap: float, pitch: float, offset: float) -> float:
        if abs(offset) > 0.5 * pitch * (1 + 1e-9):
            raise ValueError("an end lies within half a pitch of the middle of its cavity")
        return _end(barrel, barrel + gap, pitch, offset)

    found = np.vectorize(one, otypes=[float])(barrel_radius, gap, plane_pitch, offset)[()]
    return 2 * np.pi * EPSILON_0 * np.asarray(dk) * found
