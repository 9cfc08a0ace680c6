# SPDX-License-Identifier: MIT
"""Panels that go along with the corners of a section which moves a little: what is new is where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pcbrules.arrays import Index, Real
from pcbrules.physics.common.extremes import first_greatest_of_rows, first_least_of_rows
from pcbrules.physics.lines.cross_section._influence import Boundary, placed
from pcbrules.physics.lines.cross_section._kernel import Kernel
from pcbrules.physics.lines.cross_section._panels import TAIL, Panels
from pcbrules.physics.lines.cross_section.section import Section

CLOSE = 1e-9
"""Points closer to an edge than this part of the section lie on it [-]."""

SLANT = 1e-6
"""Sine of the angle between two edges from which on they meet in one point [-]."""


def carried(made: Boundary, section: Section, moved: Section) -> Boundary:
    """The boundary of ``section`` with every panel where the corners of ``moved`` take it.

    The ends of a straight piece of boundary go with the corners and edges that they lie on, the panels between them in
    proportion: they never pass each other.

    Raises
    ------
    ValueError
        If the two do not have the same polygons with as many corners.
    """
    polygons, targets = (
        [*one.signals, *one.grounds, *(polygon for polygon, _ in one.dielectrics)] for one in (section, moved)
    )
    if list(map(len, polygons)) != list(map(len, targets)) or moved.lower is None:
        raise ValueError("the moved section has other corners")
    panels, nodes, order = made.panels, made.nodes, len(made.quadrature.t)
    far = 2 * float(np.abs(nodes.at).max()) + float(panels.length.max())
    corners, to = (np.clip(np.concatenate([np.array(one) for one in some]), -far, far) for some in (polygons, targets))
    count = np.array(list(map(len, polygons)))
    after = np.arange(len(corners)) + 1
    after[np.cumsum(count) - 1] -= count
    edges = _Edges(corners, corners[after] - corners, to - corners, (to - corners)[after],
                   np.repeat(np.arange(len(count)), count))
    left, right, owner = (part[::order] for part in (nodes.left, nodes.right, nodes.conductor))
    air = len(section.dielectrics)
    # an interface is the edge of what is painted later
    top = np.maximum(np.where(left == air, -1, left), np.where(right == air, -1, right))
    owner = np.where(owner >= 0, owner, len(polygons) - air + top)
    pieces = _Pieces(panels)
    own = edges.below((pieces.low + pieces.high) / 2, pieces.unit, owner[pieces.first])
    metal = len(section.signals) + len(section.grounds)
    ways = tuple(edges.way(at, own, metal, CLOSE * far) for at in (pieces.low, pieces.high))
    start, end = panels.origin, panels.origin + panels.direction * panels.length[:, None]
    start, end = (at + pieces.between(at, *ways) for at in (start, end))
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])
    new = replace(panels, origin=start, direction=along / length[:, None],
                  length=np.where(panels.kind == TAIL, panels.length, length))
    return placed(made, new, Kernel(moved.lower, moved.upper, made.kernel.middle))


class _Pieces:
    """Pieces (k,) of boundary, which their panels (m,) make up: ``low`` and ``high`` end (k, 2) [m], the direction
    ``unit`` from one to the other, and the ``first`` panel of each; a panel without end begins at the high one."""

    def __init__(self, panels: Panels) -> None:
        _, self.first, self.of = np.unique(panels.segment, return_index=True, return_inverse=True)
        self.unit = (panels.direction * panels.turn[:, None])[self.first]
        self.origin = panels.origin[self.first]
        start, size = self._along(panels.origin), panels.turn * np.where(panels.kind == TAIL, 0.0, panels.length)
        low, high = np.zeros(len(self.first)), np.zeros(len(self.first))
        np.minimum.at(low, self.of, np.minimum(start, start + size))
        np.maximum.at(high, self.of, np.maximum(start, start + size))
        self.low, self.high = (self.origin + self.unit * at[:, None] for at in (low, high))
        self._low, self._size = low, high - low

    def between(self, at: Real, low: Real, high: Real) -> Real:
        """Ways (m, 2) of a point on each panel, in proportion between those of the ends of its piece."""
        share = np.clip((self._along(at) - self._low[self.of]) / self._size[self.of], 0.0, 1.0)[:, None]
        return np.asarray(low[self.of] + share * (high - low)[self.of])

    def _along(self, at: Real) -> Real:
        """How far along its piece a point on each panel lies, from the origin of the first. [m]"""
        return np.asarray(((at - self.origin[self.of]) * self.unit[self.of]).sum(axis=1))


class _Edges:
    """Edges (k,) of polygons and the ways [m] of their ends; ``owner`` is the polygon of each."""

    def __init__(self, start: Real, along: Real, way_start: Real, way_end: Real, owner: Index) -> None:
        self.start, self.owner = start, owner
        self.size = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-300)
        self.unit = along / self.size[:, None]
        self.normal = np.column_stack([-self.unit[:, 1], self.unit[:, 0]])
        self.ways = way_start, way_end
        self.strip = np.bincount(owner)[owner] == 2

    def below(self, at: Real, direction: Real, owner: Index) -> Index:
        """The edge of its owner on which each point (m,) lies, with a direction along it."""
        ahead, off = self._place(at)
        past = np.maximum(np.maximum(-ahead, ahead - self.size), 0.0)
        wrong = np.where(owner[:, None] == self.owner, 0.0, np.inf)
        turned = np.abs(direction @ self.normal.T) * self.size.max()
        return first_least_of_rows(np.abs(off) + past + turned + wrong, floor=CLOSE * float(self.size.max()))

    def way(self, at: Real, own: Index, metal: int, close: float) -> Real:
        """Ways (m, 2) of points on their ``own`` edges: of a corner with its other edge too, that of metal first."""
        ahead, off = self._place(at)
        share = np.clip(ahead / self.size, 0.0, 1.0)[:, :, None]
        ways = self.ways[0] + share * (self.ways[1] - self.ways[0])
        across = (ways * self.normal).sum(axis=2)
        slant = np.abs(self.unit[own] @ self.normal.T)
        meets = (np.abs(off) < close) & (ahead > -close) & (ahead < self.size + close) & (slant > SLANT)
        other = first_greatest_of_rows(np.where(meets, np.where(self.owner < metal, 2.0, 1.0), 0.0))
        every = np.arange(len(at))
        both = np.stack([self.normal[own], self.normal[other]], axis=1)
        corner = meets[every, other]
        both[~corner] = np.eye(2)
        goes = np.column_stack([across[every, own], across[every, other]])
        met = np.linalg.solve(both, goes[:, :, None])[:, :, 0]
        found = np.where(corner[:, None], met, ways[every, own])
        # a strip of no thickness ends on a straight edge
        gone = np.abs(at[:, None] - self.start).max(axis=2)
        tip = first_least_of_rows(np.where(self.strip, gone, np.inf))
        ends = self.strip.any() & (gone[every, tip] < close) & self.strip[tip]
        return np.where(ends[:, None], self.ways[0][tip], found)

    def _place(self, at: Real) -> tuple[Real, Real]:
        """How far along each edge (m, k), and how far off it. [m]"""
        gone = at[:, None] - self.start
        return (gone * self.unit).sum(axis=2), (gone * self.normal).sum(axis=2)
