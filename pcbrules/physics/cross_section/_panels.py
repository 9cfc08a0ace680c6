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

from pcbrules.physics.cross_section._arrangement import Segments

Real = NDArray[np.float64]
Index = NDArray[np.intp]

CORNER, PLAIN, TAIL = 0, 1, 2
"""Kinds of panel by their arc over length: t^4 from a corner, t, and t / (1 - t) without end."""

GRADE = 4
"""Power of the grading towards a corner: charge per step goes with t^(4a - 1), a between 1/2 and 1."""

FACING = 8.0
"""Longest panel over its distance from a parallel one [-]: as far as the fine rule integrates."""

LOOSE = 3.0
"""Length of an interface's panel over its distance from all corners that need not be less for any parallel one [-]."""

INTERFACE = 0.4
"""Part of ``reach`` that holds for interfaces, whose charge follows every corner near them [-]."""

SAMPLES = np.array([0.0, 0.3, 0.6, 1.0])
"""Places on a panel where its distances are taken, over its length [-]."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels from ``origin`` (m, 2) [m] along unit ``direction`` (m, 2), ``length`` (m,) [m].

    ``kind`` and ``segment`` (m,): what it is, and which segment it lies on.
    """

    origin: Real
    direction: Real
    length: Real
    kind: Index
    segment: Index


@dataclass(frozen=True, slots=True)
class Rule:
    """Nodes of a panel and what belongs to them.

    ``t``, ``weight`` (p,); per kind ``arc``, ``slope`` (3, p): arc over length, and its derivative by t; ``own``
    (3, p, p): charge at each node to ln|arc - arc'| at each node of the same panel. For targets close by there are q
    fine parameters: ``fine_arc`` (3, q); ``spread`` (q, p): charge at the nodes to charge there.
    """

    t: Real
    weight: Real
    arc: Real
    slope: Real
    own: Real
    fine_arc: Real
    spread: Real


def arc(t: Real) -> Real:
    """Arc over length of each kind of panel, (3, ...)."""
    return np.stack([t**GRADE, t, t / (1 - t)])


@lru_cache(maxsize=8)
def rule(order: int) -> Rule:
    """Nodes, weights and universal matrices of panels of an order."""
    t, weight = gauss(order)
    slope = np.stack([GRADE * t ** (GRADE - 1), np.ones(order), 1 / (1 - t) ** 2])
    steps = np.array([0, 1 / 64, 1 / 16, 1 / 4, 1 / 2, 3 / 4, 15 / 16, 63 / 64, 1])
    fine, fine_weight = _composite(steps, 6)
    spread = _lagrange(t, fine) * fine_weight[:, None] / weight
    return Rule(t, weight, arc(t), slope, _own(t, weight), arc(fine), spread)


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


def cut(segments: Segments, planes: tuple[float, float | None], reach: float) -> Panels:
    """Panels on all segments.

    None is longer than ``reach`` times its distance from a corner that is not its segment's own, where the density has
    a singularity, nor than ``FACING`` times that from a segment that its own does not touch, or from its own image.
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
    near = _Near(segments, unit, length, planes, reach)
    fixed = kind == TAIL
    for _ in range(12):
        long = np.zeros(len(kind), dtype=bool)
        new = np.nonzero(~fixed)[0]
        long[new] = size[new] > near.longest(origin[new], direction[new], size[new], owner[new])
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
    return Panels(origin, direction, size, kind, owner)


class _Near:
    """What limits the length of panels."""

    def __init__(
        self, segments: Segments, unit: Real, length: Real, planes: tuple[float, float | None], reach: float
    ) -> None:
        self.segments, self.unit, self.planes, self.reach = segments, unit, planes, reach
        self.length = np.where(segments.endless, np.inf, length)
        ends = np.stack([segments.start, segments.end], axis=1)
        self.close = 1e-6 * float(np.ptp(ends))
        apart = np.abs(ends[:, None, :, None] - ends[None, :, None, :]).max(axis=-1) < self.close
        self.touch = apart.any(axis=(2, 3))
        self.corners = np.concatenate([segments.start, segments.end[~segments.endless & ~segments.smooth]])
        self.own = np.abs(ends[:, :, None] - self.corners).max(axis=-1).min(axis=1) < self.close

    def longest(self, origin: Real, direction: Real, size: Real, owner: Index) -> Real:
        """Longest allowed length [m] of panels where they lie."""
        samples = origin[:, None] + direction[:, None] * (size[:, None] * SAMPLES)[:, :, None]
        gone = samples[:, :, None] - self.corners
        corner = np.hypot(gone[..., 0], gone[..., 1]).min(axis=1)
        corner[self.own[owner]] = np.inf
        gone = samples[:, :, None] - self.segments.start
        ahead = np.clip((gone * self.unit).sum(axis=-1), 0, self.length)
        off = gone - ahead[..., None] * self.unit
        side = np.hypot(off[..., 0], off[..., 1]).min(axis=1)
        side[self.touch[owner]] = np.inf
        facing = np.minimum(side.min(axis=1, initial=np.inf), 2 * (samples[:, :, 1].min(axis=1) - self.planes[0]))
        if self.planes[1] is not None:
            facing = np.minimum(facing, 2 * (self.planes[1] - samples[:, :, 1].max(axis=1)))
        clear = corner.min(axis=1, initial=np.inf)
        # far from all corners nothing happens on an interface
        loose = np.where(self.segments.conductor[owner] < 0, LOOSE * np.where(np.isfinite(clear), clear, 0.0), 0.0)
        reach = np.where(self.segments.conductor[owner] < 0, self.reach * INTERFACE, self.reach)
        return np.asarray(np.minimum(reach * clear, np.maximum(FACING * facing, loose)))
