# SPDX-License-Identifier: MIT
"""What charges on the boundary of a section make of each other: potentials and fields at the nodes of its panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pcbrules.physics.cross_section._arrangement import Segments, arrange
from pcbrules.physics.cross_section._kernel import Kernel
from pcbrules.physics.cross_section._panels import TAIL, Panels, Rule, arc, cut, parameter, rule, slope
from pcbrules.physics.cross_section.section import Section

Real = NDArray[np.float64]
Index = NDArray[np.intp]

AT_ONCE = 4096
"""Integrals that are made at once, for the memory they take."""

NEAR = 2.0
"""Charges closer than this many steps of their panel are integrated finely [-]."""

CLOSE = 1.5
"""Charges, or images, closer than this many steps of the fine rule are integrated with nodes drawn together [-]."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """Nodes on all panels: place, arc that each stands for, and what ``Segments`` says of the segment there."""

    at: Real
    arc: Real
    normal: Real
    conductor: Index
    left: Index
    right: Index

    @property
    def metal(self) -> Index:
        """Nodes whose potential is given."""
        return np.nonzero(self.conductor >= 0)[0]

    @property
    def open(self) -> Index:
        """Nodes with a dielectric on both sides."""
        return np.nonzero(self.right >= 0)[0]


@dataclass(frozen=True, slots=True)
class Boundary:
    """Panels, their nodes, and what integrates over them."""

    kernel: Kernel
    panels: Panels
    nodes: Nodes
    quadrature: Rule


def prepare(section: Section, axis: float | None, order: int, reach: float, most: int) -> Boundary:
    segments = arrange(section, axis)
    if section.lower is None:
        raise AssertionError("segments have a plane")
    quadrature = rule(order)
    panels = cut(segments, reach, most)
    nodes = _nodes(panels, segments, quadrature)
    middle = float(nodes.at[nodes.conductor >= 0, 0].mean()) if axis is None else axis
    kernel = Kernel(section.lower, section.upper, middle)
    if not kernel.reaches(nodes.at[:, 0]):
        raise ValueError("the section is more than 200 times as wide as its planes are apart")
    return Boundary(kernel, panels, nodes, quadrature)


def _nodes(panels: Panels, segments: Segments, quadrature: Rule) -> Nodes:
    arcs = panels.length[:, None] * quadrature.arc[panels.kind]
    at = panels.origin[:, None] + panels.direction[:, None] * arcs[:, :, None]
    step = panels.length[:, None] * quadrature.slope[panels.kind] * quadrature.weight
    along = segments.end - segments.start
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(along[:, 0], along[:, 1])[:, None]
    order = len(quadrature.t)
    segment = np.repeat(panels.segment, order)
    return Nodes(
        at.reshape(-1, 2), step.ravel(), normal[segment], segments.conductor[segment], segments.left[segment],
        segments.right[segment],
    )


def influence(made: Boundary, axis: float | None) -> tuple[Real, Real]:
    """What unit charges at all nodes [C/m] make: potential [V] at metal, outward field times arc [V] at open nodes.

    Given an ``axis``, the charges are at the mirror images of the nodes.
    """
    kernel, nodes, quadrature = made.kernel, made.nodes, made.quadrature
    panels = made.panels if axis is None else _reflected_panels(made.panels, axis)
    count, order = len(panels.length), len(quadrature.t)
    metal, open_ = nodes.metal, nodes.open
    at = nodes.at
    source = at if axis is None else reflected(at, axis)
    with np.errstate(divide="ignore"):
        potential = kernel.pairs(at[metal, None], source).potential()
        flux = kernel.pairs(at[open_, None], source).flux(nodes.normal[open_, None])
    columns = np.arange(count)[:, None] * order + np.arange(order)
    across, up = at[:, :1] - source[:, 0], at[:, 1:] - source[:, 1]
    near = ((across * across + up * up) / nodes.arc**2).reshape(len(at), count, order).min(axis=2) < NEAR**2
    home = np.arange(len(at)) // order if axis is None else np.full(len(at), -1)

    def integrated(target: Index, panel: Index, value: Callable[[Index, Real], Real]) -> Real:
        """Integrals (m, order) over panels of ``value`` (m, q) at targets, of unit charge at each node."""
        found = np.empty((len(target), order))
        for first in range(0, len(target), AT_ONCE):
            to, of = target[first : first + AT_ONCE], panel[first : first + AT_ONCE]
            found[first : first + AT_ONCE] = _integrals(made, panels, at, to, of, home[to] == of, value)
        return found

    def at_metal(target: Index, place: Real) -> Real:
        return kernel.pairs(at[target, None], place).potential()

    def at_home(target: Index, place: Real) -> Real:
        gone = at[target, None] - place
        return kernel.pairs(at[target, None], place).rest(np.hypot(gone[..., 0], gone[..., 1]))

    def at_open(target: Index, place: Real) -> Real:
        # a straight panel makes no field across itself; what is left there is that of its images
        return kernel.pairs(at[target, None], place).flux(nodes.normal[target, None])

    row, panel = np.nonzero(near[metal])
    target = metal[row]
    away = home[target] != panel
    potential[row[away, None], columns[panel[away]]] = integrated(target[away], panel[away], at_metal)
    row, target, panel = row[~away], target[~away], panel[~away]
    lone = -(quadrature.own[panels.kind] + np.log(panels.length)[:, None, None]) / (2 * np.pi)
    potential[row[:, None], columns[panel]] = integrated(target, panel, at_home) + lone[panel, target % order]
    row, panel = np.nonzero(near[open_])
    flux[row[:, None], columns[panel]] = integrated(open_[row], panel, at_open)
    return potential, flux * nodes.arc[open_, None]


def _integrals(
    made: Boundary, panels: Panels, at: Real, node: Index, panel: Index, own: NDArray[np.bool_],
    value: Callable[[Index, Real], Real],
) -> Real:
    """Integrals (m, order) of ``value`` at nodes (m,) over panels (m,), nodes drawn together where one is close.

    ``own``: the target lies on the panel, and only images are close.
    """
    quadrature = made.quadrature
    origin, direction, length, kind = (
        panels.origin[panel], panels.direction[panel], panels.length[panel], panels.kind[panel]
    )
    target = at[node]
    arcs = length[:, None] * quadrature.fine_arc[kind]
    found = value(node, origin[:, None] + direction[:, None] * arcs[:, :, None]) @ quadrature.spread
    ahead = np.clip(((target - origin) * direction).sum(axis=1) / length, 0.0, np.where(kind == TAIL, np.inf, 1.0))
    foot = parameter(ahead, kind)
    beside = origin + direction * (ahead * length)[:, None]
    gap = np.where(own, np.inf, np.hypot(*(target - beside).T))
    lower, upper = made.kernel.lower, made.kernel.upper
    gap = np.minimum(gap, target[:, 1] + beside[:, 1] - 2 * lower)
    if upper is not None:
        gap = np.minimum(gap, 2 * upper - target[:, 1] - beside[:, 1])
    width = gap / (length * slope(foot, kind))
    close = np.nonzero((width < CLOSE * quadrature.step(foot)) & (gap > 0))[0]
    if len(close):
        t, spread = quadrature.drawn_together(foot[close], width[close])
        arcs = length[close, None] * np.choose(kind[close, None], arc(t))
        place = origin[close][:, None] + direction[close][:, None] * arcs[:, :, None]
        found[close] = np.einsum("mk,mkp->mp", value(node[close], place), spread)
    return np.asarray(found)


def _reflected_panels(panels: Panels, axis: float) -> Panels:
    return replace(
        panels, origin=reflected(panels.origin, axis), direction=panels.direction * np.array([-1.0, 1.0])
    )


def reflected(at: Real, axis: float) -> Real:
    """Mirror images of points (..., 2) about x = ``axis``."""
    return np.stack([2 * axis - at[..., 0], at[..., 1]], axis=-1)
