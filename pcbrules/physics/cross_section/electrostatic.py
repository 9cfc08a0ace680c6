# SPDX-License-Identifier: MIT
"""Capacitance of a cross-section by boundary elements.

The unknown is the whole charge, free and bound, on conductors and on interfaces of dielectrics; the planes are in the
kernel. Conductors are held at their potentials, interfaces keep the normal displacement continuous. Charge per step of
a graded parameter is a polynomial on each panel, so that the result converges like a spectral method and a dozen nodes
a side do. Sources: Wei, Harrington, Mautz, Sarkar, IEEE Trans. MTT 32(4), 1984, p. 439 (total charge); Kress, Numer.
Math. 58, 1990, p. 145 (grading towards corners). Derivatives by permittivities come from the adjoint solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.constants import epsilon_0
from scipy.linalg import lu_factor, lu_solve

from pcbrules.physics.cross_section._carried import carried
from pcbrules.physics.cross_section._influence import Nodes, influence, prepare, reflected
from pcbrules.physics.cross_section._validity import assert_valid
from pcbrules.physics.cross_section.section import Polygon, Section

Real = NDArray[np.float64]
Index = NDArray[np.intp]

ORDER = 7
"""Nodes of a panel."""

REACH = 5.0
"""Longest panel over its distance from the corners of others [-]."""

MOST = 600
"""Panels at most."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Matrices of n signal conductors.

    ``c``: capacitance [F/m] in Maxwell's form (off the diagonal negative); ``c0`` that of the empty section. ``parts``:
    for each dielectric of the section, and last for the air that none covers, its permittivity times the derivative of
    ``c`` by it [F/m]: the energy share of the dielectric times ``c``; they add up to ``c``. ``charge``: charges on the
    boundary of the empty section, for the crowding of currents. ``moved``: ``c`` and ``c0`` after each move asked for.
    """

    c: Real
    c0: Real
    parts: tuple[Real, ...]
    charge: Charge
    moved: tuple[tuple[Real, Real], ...] = ()


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


def solve(
    section: Section, *, order: int = ORDER, reach: float = REACH, most: int = MOST, moves: Sequence[Section] = ()
) -> Fields:
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
    moves : sequence of Section
        The same section with its corners moved a little: solved on the same panels, which go along, so that the
        differences are as smooth as the move.

    Returns
    -------
    Fields
        Matrices, and the share of every dielectric.

    Raises
    ------
    ValueError
        What is no section (no plane, conductors that meet, a permittivity below 1), or one that needs more panels, or
        is wider than the kernel between two planes reaches.
    """
    if section.lower is None and section.upper is not None:
        return solve(_turned(section), order=order, reach=reach, most=most, moves=[*map(_turned, moves)])
    assert_valid(section)
    axis = mirror_axis(section)
    if axis is not None:
        return _combined(_order(section, axis), *_modes(section, axis, order, reach, most, moves))
    made = prepare(section, None, order, reach, most)
    (own,) = influence(made, None)
    moved = []
    for other in moves:
        (there,) = influence(carried(made, section, other), None)
        moved.append(_matrices(section, made.nodes, *there))
    return replace(_solve(section, made.nodes, *own), moved=tuple(moved))


def solve_modes(
    section: Section, *, order: int = ORDER, reach: float = REACH, most: int = MOST, moves: Sequence[Section] = ()
) -> tuple[Fields, Fields]:
    """Even and odd mode of a pair that is its own mirror image, from one half of it.

    Parameters
    ----------
    section : Section
        Two signals; grounds and dielectrics too are mirror images.
    order, reach, most, moves
        As of ``solve``; what has moved is its own mirror image too. The odd mode alone has ``moved``.

    Returns
    -------
    (Fields, Fields)
        Matrices of the one leg on the right: C11 + C12 of the even mode, C11 - C12 of the odd one.

    Raises
    ------
    ValueError
        As ``solve``; or the section is no mirror image of itself.
    """
    if section.lower is None and section.upper is not None:
        return solve_modes(_turned(section), order=order, reach=reach, most=most, moves=[*map(_turned, moves)])
    assert_valid(section)
    axis = mirror_axis(section)
    if axis is None or len(section.signals) != 2:
        raise ValueError("the section is no pair that is its own mirror image")
    return _modes(section, axis, order, reach, most, moves, odd_only=True)


def _modes(
    section: Section, axis: float, order: int, reach: float, most: int, moves: Sequence[Section],
    odd_only: bool = False,
) -> tuple[Fields, Fields]:
    """Even and odd mode of the half on the right; ``odd_only``: what has moved is asked of the odd mode alone."""
    half = _right(section, axis)
    made = prepare(half, axis, order, reach, most)
    direct, mirrored = influence(made, axis)
    signs = (1.0, -1.0)
    even, odd = (_solve(half, made.nodes, *_both(direct, mirrored, sign)) for sign in signs)
    moved: tuple[list[tuple[Real, Real]], ...] = ([], [])
    for other in moves:
        there = carried(made, half, _right(other, axis))
        direct, mirrored = influence(there, axis)
        for sign, found in zip(signs, moved, strict=True):
            if sign < 0 or not odd_only:
                found.append(_matrices(half, there.nodes, *_both(direct, mirrored, sign)))
    even, odd = (
        replace(one, charge=_whole(one.charge, axis, sign), moved=tuple(found))
        for one, sign, found in zip((even, odd), signs, moved, strict=True)
    )
    return even, odd


def _both(direct: tuple[Real, Real], mirrored: tuple[Real, Real], sign: float) -> tuple[Real, Real]:
    """Influence of charges and of their mirror images, which have a sign."""
    return direct[0] + sign * mirrored[0], direct[1] + sign * mirrored[1]


def _right(section: Section, axis: float) -> Section:
    """The conductors on the right of an axis, in all dielectrics."""

    def right(polygons: tuple[Polygon, ...]) -> tuple[Polygon, ...]:
        return tuple(polygon for polygon in polygons if max(x for x, _ in polygon) > axis)

    return replace(section, signals=right(section.signals), grounds=right(section.grounds))


def mirror_axis(section: Section) -> float | None:
    """The x about which signals in two halves are their own mirror image [m], or None."""
    if len(section.signals) % 2:
        return None
    ends = [x for polygon in section.signals for x, _ in polygon]
    axis = (min(ends) + max(ends)) / 2
    close = 1e-9 * (max(ends) - min(ends))

    def alike(polygons: Iterable[Polygon], others: tuple[Polygon, ...]) -> bool:
        return all(any(_mirrored(one, other, axis, close) for other in others) for one in polygons)

    copper = (*section.signals, *section.grounds)
    crossed = any(min(x for x, _ in g) < axis < max(x for x, _ in g) for g in copper)
    itself = all(_mirrored(p, p, axis, close) for p, _ in section.dielectrics)
    return axis if itself and not crossed and alike(section.signals, section.signals) and alike(
        section.grounds, section.grounds) else None


def _mirrored(one: Polygon, other: Polygon, axis: float, close: float) -> bool:
    """True if one polygon is the mirror image of another."""
    turned = sorted((2 * axis - x, y) for x, y in one)
    return len(one) == len(other) and all(
        (a == x or abs(a - x) <= close) and abs(b - y) <= close
        for (a, b), (x, y) in zip(turned, sorted(other), strict=True)
    )


def _order(section: Section, axis: float) -> list[int]:
    """Places of the signals on the right, then of their mirror images."""
    close = 1e-9 * float(np.ptp([x for polygon in section.signals for x, _ in polygon]))
    right = [k for k, polygon in enumerate(section.signals) if max(x for x, _ in polygon) > axis]
    left = [next(k for k, other in enumerate(section.signals) if _mirrored(section.signals[one], other, axis, close))
            for one in right]
    return right + left


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


def _combined(order: list[int], even: Fields, odd: Fields) -> Fields:
    """Matrices of both halves from their modes; ``order`` are the places of right and left signals."""
    back = np.argsort(order)

    def matrix(both: Real, apart: Real) -> Real:
        own, other = (both + apart) / 2, (both - apart) / 2
        return np.asarray(np.block([[own, other], [other, own]])[np.ix_(back, back)])

    right, left = (even.charge.charge + odd.charge.charge) / 2, (even.charge.charge - odd.charge.charge) / 2
    owner = even.charge.conductor
    place = np.array(order)
    return Fields(
        c=matrix(even.c, odd.c),
        c0=matrix(even.c0, odd.c0),
        moved=tuple(
            (matrix(both[0], apart[0]), matrix(both[1], apart[1]))
            for both, apart in zip(even.moved, odd.moved, strict=True)
        ),
        parts=tuple(matrix(both, apart) for both, apart in zip(even.parts, odd.parts, strict=True)),
        charge=replace(
            even.charge,
            conductor=np.where(owner < len(order), place[np.minimum(owner, len(order) - 1)], owner),
            charge=np.hstack([right, left])[:, back],
        ),
    )


def _whole(half: Charge, axis: float, sign: float) -> Charge:
    """Charge on both halves, from that on the right one; signals on the right come first."""
    count = half.charge.shape[1]
    normal = half.normal * np.array([-1.0, 1.0])
    ground = half.conductor >= count
    return Charge(
        np.concatenate([half.at, reflected(half.at, axis)]),
        np.concatenate([half.arc, half.arc]),
        np.concatenate([half.normal, normal]),
        np.concatenate([half.conductor + count * ground, half.conductor + count]),
        np.concatenate([half.charge, sign * half.charge]),
    )


@dataclass(frozen=True, slots=True)
class _System:
    """Nodes with permittivities on their left and right, the charges' equations, and what gathers free charge."""

    left: Real
    right: Real
    factors: tuple[Real, Index]
    volts: Real
    gather: Real


def _system(section: Section, nodes: Nodes, potential: Real, flux: Real) -> _System:
    n, count = len(section.signals), len(nodes.arc)
    epsilon = np.array([*(dk for _, dk in section.dielectrics), 1.0])
    left, right = epsilon[nodes.left], np.where(nodes.right >= 0, epsilon[nodes.right], 0.0)
    faces = nodes.conductor[nodes.open] < 0
    bound = nodes.open[faces]
    rows = np.empty((count, count))
    rows[nodes.metal] = potential
    rows[bound] = (left - right)[bound, None] * flux[faces]
    rows[bound, bound] += (left + right)[bound] / 2
    volts = (nodes.conductor[:, None] == np.arange(n)).astype(float)
    return _System(left, right, lu_factor(rows, check_finite=False), volts, _gather(nodes, left, right, flux, volts))


def _matrices(section: Section, nodes: Nodes, potential: Real, flux: Real) -> tuple[Real, Real]:
    """``c`` and ``c0`` alone."""
    system = _system(section, nodes, potential, flux)
    filled = system.gather @ lu_solve(system.factors, system.volts, check_finite=False)
    volts = system.volts[nodes.metal]
    return _symmetric(filled), _symmetric(volts.T @ np.linalg.solve(potential[:, nodes.metal], volts))


def _symmetric(matrix: Real) -> Real:
    """Capacitance [F/m] from charge over epsilon_0."""
    return np.asarray(epsilon_0 * (matrix + matrix.T) / 2)


def _solve(section: Section, nodes: Nodes, potential: Real, flux: Real) -> Fields:
    system = _system(section, nodes, potential, flux)
    metal, open_, volts = nodes.metal, nodes.open, system.volts
    charge = lu_solve(system.factors, volts, check_finite=False)
    # normal displacement over permittivity times arc, on the left and on the right of every node
    out = np.zeros_like(charge)
    out[open_] = flux @ charge
    solid = nodes.right < 0
    leaves, enters = out + charge / 2, out - charge / 2
    leaves[solid], enters[solid] = charge[solid], 0.0
    adjoint = lu_solve(system.factors, system.gather.T, trans=1, check_finite=False)
    # an interface's row less, a conductor's charge more, by the displacement of each side
    weigh = np.where((nodes.conductor < 0)[:, None], -adjoint, volts)
    parts = []
    for k, dk in enumerate([*(dk for _, dk in section.dielectrics), 1.0]):
        on, off = nodes.left == k, nodes.right == k
        parts.append(_symmetric(dk * (weigh[on].T @ leaves[on] - weigh[off].T @ enters[off])))
    empty = np.asarray(np.linalg.solve(potential[:, metal], volts[metal]), dtype=float)
    return Fields(
        c=_symmetric(system.gather @ charge),
        c0=_symmetric(volts[metal].T @ empty),
        parts=tuple(parts),
        charge=Charge(nodes.at[metal], nodes.arc[metal], nodes.normal[metal], nodes.conductor[metal], empty),
    )


def _gather(nodes: Nodes, left: Real, right: Real, flux: Real, volts: Real) -> Real:
    """Free charge of each signal (rows) of unit charges at all nodes: on a strip the sum of its two sides."""
    gather = volts.T * np.where(nodes.right < 0, left, (left + right) / 2)
    sheet = nodes.conductor[nodes.open] >= 0
    if sheet.any():
        strips = nodes.open[sheet]
        gather += volts[strips].T @ ((left - right)[strips, None] * flux[sheet])
    return np.asarray(gather)
