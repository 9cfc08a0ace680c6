# SPDX-License-Identifier: MIT
"""Capacitance of a cross-section by boundary elements.

The unknown is the whole charge, free and bound, on conductors and on interfaces of dielectrics; the planes are in the
kernel. Conductors are held at their potentials, interfaces keep the normal displacement continuous. Charge per step of
a graded parameter is a polynomial on each panel, so that the result converges like a spectral method and a dozen nodes
a side do. Sources: Wei, Harrington, Mautz, Sarkar, IEEE Trans. MTT 32(4), 1984, p. 439 (total charge); Kress, Numer.
Math. 58, 1990, p. 145 (grading towards corners). Derivatives by permittivities come from the adjoint solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.constants import epsilon_0
from scipy.linalg import lu_factor, lu_solve

from pcbrules.physics.cross_section._arrangement import Segments, arrange
from pcbrules.physics.cross_section._kernel import Kernel
from pcbrules.physics.cross_section._panels import TAIL, Panels, Rule, arc, cut, parameter, rule, slope
from pcbrules.physics.cross_section.section import Polygon, Section

Real = NDArray[np.float64]
Index = NDArray[np.intp]

ORDER = 8
"""Nodes of a panel."""

REACH = 5.0
"""Longest panel over its distance from the corners of others [-]."""

MOST, AT_ONCE = 600, 4096
"""Panels at most; integrals that are made at once, for the memory they take."""

NEAR = 2.0
"""Charges closer than this many steps of their panel are integrated finely [-]."""

CLOSE = 1.5
"""Charges, or images, closer than this many steps of the fine rule are integrated with nodes drawn together [-]."""


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


def solve(section: Section, *, order: int = ORDER, reach: float = REACH, most: int = MOST) -> Fields:
    """Capacitance matrices of a section.

    Parameters
    ----------
    section : Section
        Conductors, planes and dielectrics.
    order : int
        Nodes of a panel.
    reach : float
        Longest panel over its distance from the corners of others. [-]
    most : int
        Panels at most: memory goes with their square.

    Returns
    -------
    Fields
        Matrices, and the share of every dielectric.

    Raises
    ------
    ValueError
        The section has no plane or no signal, conductors touch, or it needs more panels.
    """
    if section.lower is None:
        return solve(_turned(section), order=order, reach=reach, most=most)
    if mirror_axis(section) is not None:
        return _combined(section, *solve_modes(section, order=order, reach=reach, most=most))
    made = _prepare(section, None, order, reach, most)
    return _solve(section, made, *_influence(made, None))


def solve_modes(
    section: Section, *, order: int = ORDER, reach: float = REACH, most: int = MOST, odd_only: bool = False
) -> list[Fields]:
    """Even and odd mode of a pair that is its own mirror image, from one half of it.

    Parameters
    ----------
    section : Section
        Two signals; grounds and dielectrics too are mirror images.
    order, reach, most
        As of ``solve``.
    odd_only : bool
        Solve the odd mode alone.

    Returns
    -------
    list of Fields
        Matrices of the one leg on the right: C11 + C12 of the even mode, C11 - C12 of the odd one.

    Raises
    ------
    ValueError
        As ``solve``; or the section is no mirror image of itself.
    """
    if section.lower is None:
        return solve_modes(_turned(section), order=order, reach=reach, most=most, odd_only=odd_only)
    axis = mirror_axis(section)
    if axis is None:
        raise ValueError("the section is no pair that is its own mirror image")
    leg = max(section.signals, key=lambda polygon: max(x for x, _ in polygon))
    half = replace(section, signals=(leg,), grounds=tuple(g for g in section.grounds if max(x for x, _ in g) > axis))
    made = _prepare(half, axis, order, reach, most)
    direct, mirrored = _influence(made, None), _influence(made, axis)
    found = []
    for sign in (-1.0,) if odd_only else (1.0, -1.0):
        one = _solve(half, made, *(near + sign * far for near, far in zip(direct, mirrored, strict=True)))
        found.append(replace(one, charge=_whole(one.charge, axis, sign)))
    return found


def mirror_axis(section: Section) -> float | None:
    """The x about which a pair is its own mirror image [m], or None."""
    if len(section.signals) != 2:
        return None
    ends = [x for polygon in section.signals for x, _ in polygon]
    axis = (min(ends) + max(ends)) / 2
    close = 1e-9 * (max(ends) - min(ends))

    def mirrored(one: Polygon, other: Polygon) -> bool:
        turned = sorted((2 * axis - x, y) for x, y in one)
        return len(one) == len(other) and all(
            (a == x or abs(a - x) <= close) and abs(b - y) <= close
            for (a, b), (x, y) in zip(turned, sorted(other), strict=True)
        )

    (left, right), grounds = section.signals, section.grounds
    alike = mirrored(left, right) and all(any(mirrored(one, other) for other in grounds) for one in grounds)
    crossed = any(min(x for x, _ in g) < axis < max(x for x, _ in g) for g in (*section.signals, *grounds))
    return axis if alike and not crossed and all(mirrored(p, p) for p, _ in section.dielectrics) else None


@dataclass(frozen=True, slots=True)
class _Made:
    """Panels, their nodes, and what integrates over them."""

    kernel: Kernel
    panels: Panels
    nodes: _Nodes
    quadrature: Rule


def _prepare(section: Section, axis: float | None, order: int, reach: float, most: int) -> _Made:
    if section.lower is None:
        raise ValueError("the plane of an open section is the lower one")
    segments = arrange(section, axis)
    quadrature = rule(order)
    panels = cut(segments, reach, most)
    nodes = _nodes(panels, segments, quadrature)
    middle = float(nodes.at[nodes.conductor >= 0, 0].mean()) if axis is None else axis
    kernel = Kernel(section.lower, section.upper, middle)
    if not kernel.reaches(nodes.at[:, 0]):
        raise ValueError("the section is more than 200 times as wide as its planes are apart")
    return _Made(kernel, panels, nodes, quadrature)


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


def _influence(made: _Made, axis: float | None) -> tuple[Real, Real]:
    """What unit charges at all nodes [C/m] make: potential [V] at metal, outward field times arc [V] at open nodes.

    Given an ``axis``, the charges are at the mirror images of the nodes.
    """
    kernel, nodes, quadrature = made.kernel, made.nodes, made.quadrature
    panels = made.panels if axis is None else _mirrored(made.panels, axis)
    count, order = len(panels.length), len(quadrature.t)
    metal, open_ = nodes.metal, nodes.open
    at = nodes.at
    source = at if axis is None else _over(at, axis)
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
    made: _Made, panels: Panels, at: Real, node: Index, panel: Index, own: NDArray[np.bool_],
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


def _mirrored(panels: Panels, axis: float) -> Panels:
    return replace(
        panels, origin=_over(panels.origin, axis), direction=panels.direction * np.array([-1.0, 1.0])
    )


def _over(at: Real, axis: float) -> Real:
    """Mirror images of points (..., 2) about x = ``axis``."""
    return np.stack([2 * axis - at[..., 0], at[..., 1]], axis=-1)


def _combined(section: Section, even: Fields, odd: Fields) -> Fields:
    """Matrices of both legs from their modes."""
    left_first = max(x for x, _ in section.signals[0]) < max(x for x, _ in section.signals[1])

    def matrix(both: Real, apart: Real) -> Real:
        own, other = float(both[0, 0] + apart[0, 0]) / 2, float(both[0, 0] - apart[0, 0]) / 2
        return np.array([[own, other], [other, own]])

    right = (even.charge.charge[:, 0] + odd.charge.charge[:, 0]) / 2
    left = (even.charge.charge[:, 0] - odd.charge.charge[:, 0]) / 2
    owner = even.charge.conductor
    conductor = np.where(owner < 2, 1 - owner, owner) if left_first else owner
    charge = np.column_stack([left, right] if left_first else [right, left])
    return Fields(
        c=matrix(even.c, odd.c),
        c0=matrix(even.c0, odd.c0),
        parts=tuple(matrix(both, apart) for both, apart in zip(even.parts, odd.parts, strict=True)),
        charge=replace(even.charge, conductor=conductor, charge=charge),
    )


def _whole(half: Charge, axis: float, sign: float) -> Charge:
    """Charge on both legs of a pair, the right one is 0 and the left one 1, from that on the right one."""
    normal = half.normal * np.array([-1.0, 1.0])
    ground = half.conductor > 0
    return Charge(
        np.concatenate([half.at, _over(half.at, axis)]),
        np.concatenate([half.arc, half.arc]),
        np.concatenate([half.normal, normal]),
        np.concatenate([half.conductor + ground, half.conductor + 1]),
        np.concatenate([half.charge, sign * half.charge]),
    )


def _solve(section: Section, made: _Made, potential: Real, flux: Real) -> Fields:
    nodes = made.nodes
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
        share = weigh[on].T @ leaves[on] - weigh[off].T @ enters[off]
        parts.append(epsilon_0 * dk * (share + share.T) / 2)
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
