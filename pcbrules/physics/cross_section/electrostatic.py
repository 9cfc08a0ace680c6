# SPDX-License-Identifier: MIT
"""Capacitance of a cross-section by boundary elements.

The unknown is the whole charge, free and bound, on conductors and on interfaces of dielectrics; the planes are in the
kernel. Conductors are held at their potentials, interfaces keep the normal displacement continuous. Charge per step of
a graded parameter is a polynomial on each panel, so that the result converges like a spectral method and a dozen nodes
a side do. Sources: Wei, Harrington, Mautz, Sarkar, IEEE Trans. MTT 32(4), 1984, p. 439 (total charge); Kress, Numer.
Math. 58, 1990, p. 145 (grading towards corners). Derivatives by permittivities come from the adjoint solution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.constants import epsilon_0
from scipy.linalg import lu_factor, lu_solve

from pcbrules.physics.cross_section._arrangement import Segments, arrange
from pcbrules.physics.cross_section._kernel import Kernel
from pcbrules.physics.cross_section._panels import Panels, Rule, cut, rule
from pcbrules.physics.cross_section.section import Polygon, Section

Real = NDArray[np.float64]
Index = NDArray[np.intp]

ORDER = 8
"""Nodes of a panel."""

REACH = 5.0
"""Longest panel over its distance from what it does not touch [-]."""

NEAR = 2.0
"""Charges closer than this many steps of their panel are integrated finely [-]."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Matrices of n signal conductors.

    ``c``: capacitance [F/m] in Maxwell's form (off the diagonal negative); ``c0`` that of the empty section. ``parts``:
    for each dielectric of the section, and last for the air that none covers, its permittivity times the derivative of
    ``c`` by it [F/m]: the energy share of the dielectric times ``c``; they add up to ``c``. ``charge``: charges on the
    boundary of the empty section, for the crowding of currents.
    """

    c: Real
    c0: Real
    parts: tuple[Real, ...]
    charge: Charge


@dataclass(frozen=True, slots=True)
class Charge:
    """Charge on conductors of the empty section.

    ``at`` (k, 2) [m], ``arc`` (k,) [m] that each node stands for, ``normal`` (k, 2) outwards, ``conductor`` (k,),
    ``charge`` (k, n) at each node [C/m over epsilon_0] for each signal at one volt.
    """

    at: Real
    arc: Real
    normal: Real
    conductor: Index
    charge: Real


@dataclass(frozen=True, slots=True)
class _Nodes:
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


def solve(section: Section, *, order: int = ORDER, reach: float = REACH) -> Fields:
    """Capacitance matrices of a section.

    Parameters
    ----------
    section : Section
        Conductors, planes and dielectrics.
    order : int
        Nodes of a panel.
    reach : float
        Longest panel over its distance from what it does not touch. [-]

    Returns
    -------
    Fields
        Matrices, and the share of every dielectric.

    Raises
    ------
    ValueError
        The section has no plane or no signal, or conductors touch.
    """
    if section.lower is None:
        return solve(_turned(section), order=order, reach=reach)
    segments = arrange(section)
    quadrature = rule(order)
    panels = cut(segments, (section.lower, section.upper), reach)
    nodes = _nodes(panels, segments, quadrature)
    kernel = Kernel(section.lower, section.upper, float(nodes.at[nodes.conductor >= 0, 0].mean()))
    potential, flux = _matrices(kernel, nodes, panels, quadrature)
    return _solve(section, nodes, potential, flux)


def _turned(section: Section) -> Section:
    """The same section upside down."""

    def over(polygon: Polygon) -> Polygon:
        return tuple((x, -y) for x, y in polygon)

    return replace(
        section,
        signals=tuple(map(over, section.signals)),
        grounds=tuple(map(over, section.grounds)),
        dielectrics=tuple((over(made), dk) for made, dk in section.dielectrics),
        lower=None if section.upper is None else -section.upper,
        upper=None,
    )


def _nodes(panels: Panels, segments: Segments, quadrature: Rule) -> _Nodes:
    arcs = panels.length[:, None] * quadrature.arc[panels.kind]
    at = panels.origin[:, None] + panels.direction[:, None] * arcs[:, :, None]
    step = panels.length[:, None] * quadrature.slope[panels.kind] * quadrature.weight
    along = segments.end - segments.start
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(along[:, 0], along[:, 1])[:, None]
    order = len(quadrature.t)
    segment = np.repeat(panels.segment, order)
    return _Nodes(
        at.reshape(-1, 2), step.ravel(), normal[segment], segments.conductor[segment], segments.left[segment],
        segments.right[segment],
    )


def _matrices(kernel: Kernel, nodes: _Nodes, panels: Panels, quadrature: Rule) -> tuple[Real, Real]:
    """What unit charges at all nodes [C/m] make: potential [V] at metal, outward field times arc [V] at open nodes."""
    count, order = len(panels.length), len(quadrature.t)
    metal, open_ = nodes.metal, nodes.open
    at = nodes.at
    with np.errstate(divide="ignore"):
        potential = kernel.pairs(at[metal, None], at).potential()
        flux = kernel.pairs(at[open_, None], at).flux(nodes.normal[open_, None])
    columns = np.arange(count)[:, None] * order + np.arange(order)
    apart = at[:, None] - at
    steps = np.einsum("ijk,ijk->ij", apart, apart) / nodes.arc**2
    near = steps.reshape(len(at), count, order).min(axis=2) < NEAR**2
    fine = panels.length[:, None] * quadrature.fine_arc[panels.kind]
    place = panels.origin[:, None] + panels.direction[:, None] * fine[:, :, None]
    home = np.repeat(np.arange(count), order)
    target, panel = np.nonzero(near[metal])
    away = home[metal[target]] != panel
    found = kernel.pairs(at[metal[target[away]], None], place[panel[away]]).potential() @ quadrature.spread
    potential[target[away, None], columns[panel[away]]] = found
    target, panel = target[~away], panel[~away]
    here, there = at[metal[target], None], place[panel]
    gone = np.hypot(here[..., 0] - there[..., 0], here[..., 1] - there[..., 1])
    own = -(quadrature.own[panels.kind] + np.log(panels.length)[:, None, None]) / (2 * np.pi)
    potential[target[:, None], columns[panel]] = (
        kernel.pairs(here, there).rest(gone) @ quadrature.spread + own[panel, metal[target] % order]
    )
    target, panel = np.nonzero(near[open_])
    found = kernel.pairs(at[open_[target], None], place[panel]).flux(nodes.normal[open_[target], None])
    # a straight panel makes no field across itself; what is left there is that of its images
    flux[target[:, None], columns[panel]] = found @ quadrature.spread
    return potential, flux * nodes.arc[open_, None]


def _solve(section: Section, nodes: _Nodes, potential: Real, flux: Real) -> Fields:
    n, count = len(section.signals), len(nodes.arc)
    epsilon = np.array([*(dk for _, dk in section.dielectrics), 1.0])
    metal, open_ = nodes.metal, nodes.open
    left, right = epsilon[nodes.left], np.where(nodes.right >= 0, epsilon[nodes.right], 0.0)
    faces = nodes.conductor[open_] < 0
    bound = open_[faces]
    rows = np.empty((count, count))
    rows[metal] = potential
    rows[bound] = (left - right)[bound, None] * flux[faces]
    rows[bound, bound] += (left + right)[bound] / 2
    volts = (nodes.conductor[:, None] == np.arange(n)).astype(float)
    factors = lu_factor(rows, check_finite=False)
    charge = lu_solve(factors, volts, check_finite=False)
    # normal displacement over permittivity times arc, on the left and on the right of every node
    out = np.zeros_like(charge)
    out[open_] = flux @ charge
    solid = nodes.right < 0
    leaves, enters = out + charge / 2, out - charge / 2
    leaves[solid], enters[solid] = charge[solid], 0.0
    gather = _gather(nodes, left, right, flux, volts)
    capacitance = gather @ charge
    adjoint = lu_solve(factors, gather.T, trans=1, check_finite=False)
    # an interface's row less, a conductor's charge more, by the displacement of each side
    weigh = np.where((nodes.conductor < 0)[:, None], -adjoint, volts)
    parts = []
    for k, dk in enumerate(epsilon):
        on, off = nodes.left == k, nodes.right == k
        made = weigh[on].T @ leaves[on] - weigh[off].T @ enters[off]
        parts.append(epsilon_0 * dk * (made + made.T) / 2)
    empty = np.linalg.solve(potential[:, metal], volts[metal])
    air = volts[metal].T @ empty
    return Fields(
        c=epsilon_0 * (capacitance + capacitance.T) / 2,
        c0=epsilon_0 * (air + air.T) / 2,
        parts=tuple(parts),
        charge=Charge(nodes.at[metal], nodes.arc[metal], nodes.normal[metal], nodes.conductor[metal], empty),
    )


def _gather(nodes: _Nodes, left: Real, right: Real, flux: Real, volts: Real) -> Real:
    """Free charge of each signal (rows) of unit charges at all nodes: on a strip the sum of its two sides."""
    gather = volts.T * np.where(nodes.right < 0, left, (left + right) / 2)
    sheet = nodes.conductor[nodes.open] >= 0
    if sheet.any():
        strips = nodes.open[sheet]
        gather += volts[strips].T @ ((left - right)[strips, None] * flux[sheet])
    return np.asarray(gather)
