# SPDX-License-Identifier: MIT
"""Panels on boundary segments, and the quadrature on them.

Charge per step of a parameter t in 0 to 1 is a polynomial on every panel. Towards a corner the arc goes with t^4, so
that charge densities like r^(-1/3) become smooth; an endless interface ends in a panel that reaches to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Index, Real
from pcbrules.physics.lines.cross_section._arrangement import Segments
from pcbrules.physics.lines.cross_section.section import Polygon

CORNER, PLAIN, TAIL = 0, 1, 2
"""Kinds of panel by their arc over length: t^4 from a corner, t, and t / (1 - t) without end."""

GRADE = 4
"""Power of the grading towards a corner: charge per step goes with t^(4a - 1), a between 1/2 and 1."""

INTERFACE = 0.4
"""Part of ``reach`` that holds for interfaces, whose charge follows every corner near them [-]."""

STEPS = np.array([0, 1 / 64, 1 / 16, 1 / 4, 1 / 2, 3 / 4, 15 / 16, 63 / 64, 1])
"""Steps of the parameter that the fine rule has ``FINE`` points in [-]."""

FINE, DRAWN = 6, 40
"""Points in each of them, and those of the rule that is drawn together."""

FADES, FADING = 2.0, 2
"""Distance from all signals, in heights of the section, beyond which corners count less, and by which power of it: of
80 pairs of lines with ground beside them a capacitance moves by 7e-8, a coupling above -100 dB by 1.1e-5, the
resistance of a line by 6e-4."""

DEEPEST = 14
"""Halvings of a panel at most: a thousandth of a millimetre beside a decimetre needs no more."""

SAMPLES = np.array([0.0, 0.3, 0.6, 1.0])
"""Places on a panel where its distances are taken, over its length [-]."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels from ``origin`` (m, 2) [m] along unit ``direction`` (m, 2), ``length`` (m,) [m].

    ``kind`` and ``segment`` (m,): what it is, and which segment it lies on; ``turn`` (m,): -1 if it runs against it.
    """

    origin: Real
    direction: Real
    length: Real
    kind: Index
    segment: Index
    turn: Real


@dataclass(frozen=True, slots=True)
class QuadratureRule:
    """Nodes of a panel and what belongs to them.

    ``t``, ``weight`` (p,); per kind ``arc``, ``slope`` (3, p): arc over length, and its derivative by t; ``own``
    (3, p, p): charge at each node to ln|arc - arc'| at each node of the same panel. For targets close by there are q
    fine parameters: ``fine_arc`` (3, q); ``spread`` (q, p): charge at the nodes to charge there. ``inverse`` (p, p)
    takes Legendre polynomials to those of the nodes.
    """

    t: Real
    weight: Real
    arc: Real
    slope: Real
    own: Real
    fine_arc: Real
    spread: Real
    inverse: Real

    def step(self, t: Real) -> Real:
        """Distance of the fine parameters from each other at parameters ``t``."""
        interval = np.clip(np.searchsorted(STEPS, t, side="right") - 1, 0, len(STEPS) - 2)
        return np.asarray(np.diff(STEPS)[interval] / FINE)

    def drawn_together(self, foot: Real, width: Real) -> tuple[Real, Real]:
        """Parameters (m, k) about ``foot`` (m,) for a kernel as wide as ``width`` (m,), and ``spread`` (m, k, p).

        Johnston and Elliott's substitution t = foot + width sinh(v): Int. J. Numer. Methods Eng. 62, 2005, p. 564.
        """
        low, high = np.arcsinh(-foot / width), np.arcsinh((1 - foot) / width)
        u, weight = gauss(DRAWN)
        v = low[:, None] + (high - low)[:, None] * u
        t = np.clip(foot[:, None] + width[:, None] * np.sinh(v), 1e-15, 1 - 1e-15)
        step = width[:, None] * np.cosh(v) * (high - low)[:, None] * weight
        polynomials = np.polynomial.legendre.legvander(2 * t - 1, len(self.t) - 1) @ self.inverse
        return t, polynomials * step[:, :, None] / self.weight


def parameter(arcs: Real, kind: Index) -> Real:
    """Parameters at which panels of kinds have these arcs over their length."""
    return np.asarray(np.choose(kind, [np.minimum(arcs, 1.0) ** (1 / GRADE), arcs, arcs / (1 + arcs)]))


def slope(t: Real, kind: Index) -> Real:
    """Derivative of arc over length by the parameter; of a corner's panel no less than at the first fine step."""
    graded = GRADE * np.maximum(t, STEPS[1] / FINE) ** (GRADE - 1)
    return np.asarray(np.choose(kind, [graded, np.ones_like(t), 1 / np.maximum(1 - t, 1e-9) ** 2]))


def arc(t: Real) -> Real:
    """Arc over length of each kind of panel, (3, ...)."""
    return np.stack([t**GRADE, t, t / (1 - t)])


@lru_cache(maxsize=8)
def rule(order: int) -> QuadratureRule:
    """Nodes, weights and universal matrices of panels of an order."""
    t, weight = gauss(order)
    slopes = np.stack([GRADE * t ** (GRADE - 1), np.ones(order), 1 / (1 - t) ** 2])
    fine, fine_weight = _composite(STEPS, FINE)
    spread = _lagrange(t, fine) * fine_weight[:, None] / weight
    inverse = np.asarray(np.linalg.inv(np.polynomial.legendre.legvander(2 * t - 1, order - 1)), dtype=float)
    return QuadratureRule(t, weight, arc(t), slopes, _own(t, weight), arc(fine), spread, inverse)


@lru_cache(maxsize=32)
def gauss(order: int) -> tuple[Real, Real]:
    """Nodes in 0 to 1 and weights of Gauss and Legendre."""
    x, w = np.polynomial.legendre.leggauss(order)
    return (x + 1) / 2, w / 2


def _composite(steps: Real, order: int) -> tuple[Real, Real]:
    t, weight = gauss(order)
    size = np.diff(steps)
    return (steps[:-1, None] + size[:, None] * t).ravel(), (size[:, None] * weight).ravel()


def _lagrange(nodes: Real, at: Real) -> Real:
    """Lagrange polynomials of the nodes (columns) at points (rows)."""
    order = len(nodes)
    legendre = np.polynomial.legendre.legvander(2 * nodes - 1, order - 1)
    return np.asarray(np.linalg.solve(legendre.T, np.polynomial.legendre.legvander(2 * at - 1, order - 1).T).T)


def _own(t: Real, weight: Real) -> Real:
    """Integrals of ln|arc(t_i) - arc(t)| over the panel, by steps that halve towards t_i from both sides."""
    halves = 0.5 ** np.arange(40)
    found = np.empty((3, len(t), len(t)))
    for i, here in enumerate(t):
        below = here * (1 - np.concatenate([halves, [0]]))
        above = here + (1 - here) * np.concatenate([[0], halves[::-1]])
        at, step = _composite(np.concatenate([below, above[1:]]), 12)
        distance = np.abs(arc(np.asarray(here))[:, None] - arc(at))
        distance = np.maximum(distance, 1e-300)
        found[:, i] = np.log(distance) * step @ _lagrange(t, at) / weight
    return found


def cut(
    segments: Segments, reach: float, most: int, signals: tuple[Polygon, ...], height: float, axis: float | None = None
) -> Panels:
    """Panels on all segments.

    None is longer than ``reach`` times its distance from a corner that is not its segment's own, where the density has
    a singularity. How near other segments are does not count: the integrals see to that. A corner counts the less, the
    farther it is from all ``signals`` in multiples of ``height`` [m]: little charge is left there. Given an ``axis`` x
    [m], where copper is cut, the mirror images of corners count too, as on the whole section.

    Raises
    ------
    ValueError
        More than ``most`` panels.
    """
    along = segments.end - segments.start
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / length[:, None]
    start, end = segments.start, segments.end
    ended = np.nonzero(~segments.endless & ~segments.smooth)[0]
    open_ = np.nonzero(segments.endless | segments.smooth)[0]
    endless = np.nonzero(segments.endless)[0]
    half = length[ended] / 2
    origin = np.concatenate([start[ended], end[ended], start[open_], end[endless]])
    direction = np.concatenate([unit[ended], -unit[ended], unit[open_], unit[endless]])
    size = np.concatenate([half, half, length[open_], length[endless]])
    kind = np.concatenate([np.full(2 * len(ended) + len(open_), CORNER), np.full(len(endless), TAIL)])
    owner = np.concatenate([ended, ended, open_, endless])
    corners, own = _corners(segments)
    fading = np.maximum(_distances(corners, signals) / (FADES * height), 1.0) ** FADING
    if axis is not None:
        corners = np.concatenate([corners, corners * [-1.0, 1.0] + [2 * axis, 0.0]])
        own, fading = np.concatenate([own, own & segments.smooth[:, None]], axis=1), np.tile(fading, 2)
    reaches = np.where(segments.conductor < 0, INTERFACE * reach, reach)
    fixed = kind == TAIL
    for _ in range(DEEPEST):
        new = np.nonzero(~fixed)[0]
        long = np.zeros(len(kind), dtype=bool)
        samples = origin[new, None] + direction[new, None] * (size[new, None] * SAMPLES)[:, :, None]
        gone = samples[:, :, None] - corners
        distance = np.hypot(gone[..., 0], gone[..., 1]).min(axis=1) * fading
        distance[own[owner[new]]] = np.inf
        long[new] = size[new] > reaches[owner[new]] * distance.min(axis=1, initial=np.inf)
        if not long.any():
            break
        rest = size[long] / 2
        keep = ~long
        origin = np.concatenate([origin[keep], origin[long], origin[long] + direction[long] * rest[:, None]])
        size = np.concatenate([size[keep], rest, rest])
        kind = np.concatenate([kind[keep], kind[long], np.full(len(rest), PLAIN)])
        direction = np.concatenate([direction[keep], direction[long], direction[long]])
        owner = np.concatenate([owner[keep], owner[long], owner[long]])
        fixed = np.concatenate([np.ones(int(keep.sum()), dtype=bool), np.zeros(2 * len(rest), dtype=bool)])
        if len(kind) > most:
            raise ValueError(f"the section needs more than {most} panels: its smallest gap is too small for its size")
    turn = np.sign((direction * unit[owner]).sum(axis=1)) * np.where(segments.turned[owner], -1.0, 1.0)
    return Panels(origin, direction, size, kind, owner, turn)


def _distances(points: Real, polygons: tuple[Polygon, ...]) -> Real:
    """How far points (m, 2) are from the nearest of the boxes round polygons. [m]"""
    boxes = np.array([[np.min(made, axis=0), np.max(made, axis=0)] for made in polygons])
    beyond = np.maximum(boxes[:, 0] - points[:, None], points[:, None] - boxes[:, 1])
    off = np.maximum(beyond, 0.0)
    return np.asarray(np.hypot(off[..., 0], off[..., 1]).min(axis=1))


def _corners(segments: Segments) -> tuple[Real, NDArray[np.bool_]]:
    """Corners (c, 2), and which are ends of each segment (m, c)."""
    ends = np.stack([segments.start, segments.end], axis=1)
    corners = np.concatenate([segments.start, segments.end[~segments.endless & ~segments.smooth]])
    apart = np.abs(ends[:, :, None] - corners).max(axis=-1).min(axis=1)
    return corners, apart < 1e-6 * float(np.ptp(ends))
