# SPDX-License-Identifier: MIT
"""What charges on the boundary of a section make of each other: potentials and fields at the nodes of its panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Index, Real
from pcbrules.physics.lines.cross_section._arrangement import Segments, arrange
from pcbrules.physics.lines.cross_section._kernel import Kernel, Places
from pcbrules.physics.lines.cross_section._panels import TAIL, Panels, QuadratureRule, arc, cut, parameter, rule, slope
from pcbrules.physics.lines.cross_section.section import Section

AT_ONCE = 4096
"""Integrals that are made at once, for the memory they take."""

IN_CACHE = 32768
"""Entries of a matrix that are made at once."""

NEAR = 2.0
"""Charges closer than this many steps of their panel are integrated finely [-]."""

ROUNDED = 1e-6
"""Part by which a distance may be rounded, and more [-]."""

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
    quadrature: QuadratureRule


def prepare(section: Section, axis: float | None, order: int, reach: float, most: int) -> Boundary:
    segments = arrange(section, axis)
    quadrature = rule(order)
    top = max(y for polygon in section.signals for _, y in polygon) if section.upper is None else section.upper
    crossed = axis is not None and any(x < axis for made in (*section.signals, *section.grounds) for x, _ in made)
    panels = cut(segments, reach, most, section.signals, top - section.base, axis if crossed else None)
    nodes = _nodes(panels, segments, quadrature)
    middle = float(nodes.at[nodes.conductor >= 0, 0].mean()) if axis is None else axis
    kernel = Kernel(section.base, section.upper, middle)
    if not kernel.reaches(nodes.at[:, 0]):
        raise ValueError("the section is more than 200 times as wide as its planes are apart")
    return Boundary(kernel, panels, nodes, quadrature)


def _nodes(panels: Panels, segments: Segments, quadrature: QuadratureRule) -> Nodes:
    at, step, normal = _places(panels, quadrature)
    order = len(quadrature.t)
    segment = np.repeat(panels.segment, order)
    return Nodes(at, step, normal, segments.conductor[segment], segments.left[segment], segments.right[segment])


def _places(panels: Panels, quadrature: QuadratureRule) -> tuple[Real, Real, Real]:
    """Nodes on panels, the arc that each stands for, and its normal."""
    at = _along(panels, np.arange(len(panels.length)), panels.length[:, None] * quadrature.arc[panels.kind])
    step = panels.length[:, None] * quadrature.slope[panels.kind] * quadrature.weight
    normal = np.column_stack([-panels.direction[:, 1], panels.direction[:, 0]]) * panels.turn[:, None]
    return at.reshape(-1, 2), step.ravel(), np.repeat(normal, len(quadrature.t), axis=0)


def placed(made: Boundary, panels: Panels, kernel: Kernel) -> Boundary:
    """The same boundary with its panels elsewhere."""
    at, step, normal = _places(panels, made.quadrature)
    return Boundary(kernel, panels, replace(made.nodes, at=at, arc=step, normal=normal), made.quadrature)


def influence(made: Boundary, axis: float | None) -> list[tuple[Real, Real]]:
    """What unit charges at all nodes [C/m] make: potential [V] at metal, outward field times arc [V] at open nodes.

    Given an ``axis``, then the same of charges at the mirror images of the nodes.
    """
    kernel, nodes, order = made.kernel, made.nodes, len(made.quadrature.t)
    panels, source = made.panels, nodes.at
    if axis is not None:
        panels, source = _with_images(panels, axis), np.concatenate([source, reflected(source, axis)])
    metal, open_ = nodes.metal, nodes.open
    seen, shed = kernel.places(nodes.at), kernel.places(source)

    def fields(rows: Index) -> Real:
        return kernel.flux(seen.of(rows).column(), shed, nodes.normal[rows, None])

    with np.errstate(divide="ignore"):
        potential = _by_rows(metal, len(source), lambda rows: kernel.potential(seen.of(rows).column(), shed))
    flux = _by_rows(open_, len(source), fields)
    near = _Near(made, panels, seen)
    columns = np.arange(len(panels.length))[:, None] * order + np.arange(order)
    close = _close(nodes, source, order)
    row, panel = np.nonzero(close[metal])
    potential[row[:, None], columns[panel]] = near.potential(metal[row], panel)
    row, panel = np.nonzero(close[open_])
    flux[row[:, None], columns[panel]] = near.flux(open_[row], panel)
    flux *= nodes.arc[open_, None]
    count = len(nodes.arc)
    return [(potential[:, at : at + count], flux[:, at : at + count]) for at in range(0, len(source), count)]


def _by_rows(rows: Index, width: int, made: Callable[[Index], Real]) -> Real:
    """A matrix of so many columns, some rows at a time: what they are made of stays in a processor's own memory."""
    found = np.empty((len(rows), width))
    step = max(1, IN_CACHE // width)
    for first in range(0, len(rows), step):
        found[first : first + step] = made(rows[first : first + step])
    return found


def _close(nodes: Nodes, source: Real, order: int) -> NDArray[np.bool_]:
    """Which panels (columns) are too close to which nodes (rows) for the rule of their own nodes."""
    charges = source.reshape(-1, order, 2)
    arcs = np.resize(nodes.arc, len(source)).reshape(-1, order)
    centre = charges.mean(axis=1)
    away = np.hypot(charges[:, :, 0] - centre[:, None, 0], charges[:, :, 1] - centre[:, None, 1]).max(axis=1)
    bound = (away + NEAR * arcs.max(axis=1)) * (1 + ROUNDED)
    across, up = nodes.at[:, :1] - centre[:, 0], nodes.at[:, 1:] - centre[:, 1]
    found = np.asarray(across * across + up * up < bound * bound)
    row, panel = np.nonzero(found)
    gone = nodes.at[row, None] - charges[panel]
    found[row, panel] = ((gone * gone).sum(axis=2) / arcs[panel] ** 2).min(axis=1) < NEAR**2
    return found


class _Near:
    """Integrals over panels of what unit charge at each of their nodes makes at nodes close by, (m, order)."""

    def __init__(self, made: Boundary, panels: Panels, seen: Places) -> None:
        self.made, self.panels, self.seen = made, panels, seen
        self.arcs = panels.length[:, None] * made.quadrature.fine_arc[panels.kind]
        self.fine = made.kernel.places(_along(panels, np.arange(len(panels.length)), self.arcs))

    def potential(self, target: Index, panel: Index) -> Real:
        """Potential [V]."""
        quadrature, kernel, order = self.made.quadrature, self.made.kernel, len(self.made.quadrature.t)
        own = target // order == panel
        away = ~own
        found = np.empty((len(target), order))

        def direct(target: Index, panel: Index, place: Places, arcs: Real) -> Real:
            return kernel.potential(self.seen.of(target).column(), place)

        def home(target: Index, panel: Index, place: Places, arcs: Real) -> Real:
            at = self.panels.length[panel] * quadrature.arc[self.panels.kind[panel], target % order]
            return kernel.rest(self.seen.of(target).column(), place, np.abs(at[:, None] - arcs))

        found[away] = self._integrated(target[away], panel[away], False, direct)
        target, panel = target[own], panel[own]
        lone = quadrature.own[self.panels.kind[panel], target % order] + np.log(self.panels.length[panel])[:, None]
        found[own] = self._integrated(target, panel, True, home) - lone / (2 * np.pi)
        return found

    def flux(self, target: Index, panel: Index) -> Real:
        """Field along the normal [V/m]."""
        normal = self.made.nodes.normal

        def outward(target: Index, panel: Index, place: Places, arcs: Real) -> Real:
            # a straight panel makes no field across itself; what is left there is that of its images
            return self.made.kernel.flux(self.seen.of(target).column(), place, normal[target, None])

        return self._integrated(target, panel, target // len(self.made.quadrature.t) == panel, outward)

    def _integrated(
        self, target: Index, panel: Index, own: NDArray[np.bool_] | bool,
        value: Callable[[Index, Index, Places, Real], Real],
    ) -> Real:
        """Integrals of ``value``; nodes drawn together where one is close. ``own``: only images can be."""
        quadrature = self.made.quadrature
        found = np.empty((len(target), len(quadrature.t)))
        for first in range(0, len(target), AT_ONCE):
            to, of = target[first : first + AT_ONCE], panel[first : first + AT_ONCE]
            found[first : first + AT_ONCE] = value(to, of, self.fine.of(of), self.arcs[of]) @ quadrature.spread
        foot, width = self._gap(target, panel, own)
        drawn = np.nonzero((width < CLOSE * quadrature.step(foot)) & (width > 0))[0]
        if len(drawn):
            target, panel = target[drawn], panel[drawn]
            t, spread = quadrature.drawn_together(foot[drawn], width[drawn])
            arcs = self.panels.length[panel, None] * np.choose(self.panels.kind[panel, None], arc(t))
            place = self.made.kernel.places(_along(self.panels, panel, arcs))
            found[drawn] = np.einsum("mk,mkp->mp", value(target, panel, place, arcs), spread)
        return found

    def _gap(self, target: Index, panel: Index, own: NDArray[np.bool_] | bool) -> tuple[Real, Real]:
        """Parameter of the point of each panel next to its target, and how wide the kernel is there in parameters."""
        kind, length, direction = self.panels.kind[panel], self.panels.length[panel], self.panels.direction[panel]
        at, origin = self.made.nodes.at[target], self.panels.origin[panel]
        ahead = ((at - origin) * direction).sum(axis=1) / length
        ahead = np.clip(ahead, 0.0, np.where(kind == TAIL, np.inf, 1.0))
        foot = parameter(ahead, kind)
        beside = origin + direction * (ahead * length)[:, None]
        gap = np.where(own, np.inf, np.hypot(*(at - beside).T))
        lower, upper = self.made.kernel.lower, self.made.kernel.upper
        gap = np.minimum(gap, at[:, 1] + beside[:, 1] - 2 * lower)
        if upper is not None:
            gap = np.minimum(gap, 2 * upper - at[:, 1] - beside[:, 1])
        return foot, gap / (length * slope(foot, kind))


def _along(panels: Panels, panel: Index, arcs: Real) -> Real:
    """Places (m, q, 2) [m] at arcs (m, q) [m] along panels (m,)."""
    return np.asarray(panels.origin[panel][:, None] + panels.direction[panel][:, None] * arcs[:, :, None])


def _with_images(panels: Panels, axis: float) -> Panels:
    """Panels, and their mirror images about x = ``axis``."""
    turned = panels.direction * np.array([-1.0, 1.0])
    return Panels(
        np.concatenate([panels.origin, reflected(panels.origin, axis)]),
        np.concatenate([panels.direction, turned]),
        np.tile(panels.length, 2),
        np.tile(panels.kind, 2),
        np.tile(panels.segment, 2),
        np.tile(panels.turn, 2),
    )


def reflected(at: Real, axis: float) -> Real:
    """Mirror images of points (..., 2) about x = ``axis``."""
    return np.stack([2 * axis - at[..., 0], at[..., 1]], axis=-1)
