# SPDX-License-Identifier: MIT
"""Capacitance of a cross-section by boundary elements.

The unknown is the whole charge, free and bound, on conductors and on interfaces of dielectrics; the planes are in the
kernel. Conductors are held at their potentials, interfaces keep the normal displacement continuous. Charge per step of
a graded parameter is a polynomial on each panel, so that the result converges like a spectral method and a dozen nodes
a side do. Sources: Wei, Harrington, Mautz, Sarkar, IEEE Trans. MTT 32(4), 1984, p. 439 (total charge); Kress, Numer.
Math. 58, 1990, p. 145 (grading towards corners). Derivatives by permittivities come from the adjoint solution, those by
moves of metal from the field on it: dC_ij = integral of permittivity E_i E_j times the way outwards (Hadamard).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.lines.cross_section._charges import influences, joined, moves_of, solution
from pcbrules.physics.lines.cross_section._influence import prepare, reflected
from pcbrules.physics.lines.cross_section._validity import assert_valid
from pcbrules.physics.lines.cross_section.fields import Charge, Fields
from pcbrules.physics.lines.cross_section.section import Polygon, Section

ORDER = 8
"""Nodes of a panel."""

REACH = 5.0
"""Longest panel over its distance from the corners of others [-]."""

MOST = 600
"""Panels at most."""


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
        The same section with its corners moved a little. Where metal moves and no interface of dielectrics does, the
        field on it tells the change: of planes to 1e-5, of conductors to 1e-3, by a thickness to 2e-2 where sides lean
        beyond 45 degrees. Else the section is solved on the same panels, which go along, so that the difference is as
        smooth as the move.

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
    asked = _Asked(order, reach, most, moves)
    if axis is None or any(mirror_axis(other, axis) is None for other in moves):
        (fields,) = _fields(section, None, (0.0,), asked)
        return fields
    if len(section.signals) == 1:
        (half,) = _halves(section, axis, (1.0,), asked)
        return _doubled(half)
    return _combined(_order(section, axis), *_modes(section, axis, asked))


def solve_modes(
    section: Section, *, order: int = ORDER, reach: float = REACH, most: int = MOST, moves: Sequence[Section] = ()
) -> tuple[Fields, Fields]:
    """Even and odd mode of a pair that is its own mirror image, from one half of it.

    Parameters
    ----------
    section : Section
        Two signals; grounds and dielectrics too are mirror images.
    order, reach, most, moves
        As of ``solve``; what has moved is its own mirror image too. The odd mode alone has ``changes``.

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
    return _modes(section, axis, _Asked(order, reach, most, moves), odd_only=True)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What ``solve`` is asked for."""

    order: int
    reach: float
    most: int
    moves: Sequence[Section]


def _modes(section: Section, axis: float, asked: _Asked, *, odd_only: bool = False) -> tuple[Fields, Fields]:
    """Even and odd mode of the half on the right; ``odd_only``: what has moved is asked of the odd mode alone."""
    even, odd = _halves(section, axis, (1.0, -1.0), asked, last_only=odd_only)
    return even, odd


def _halves(
    section: Section, axis: float, signs: tuple[float, ...], asked: _Asked, *, last_only: bool = False
) -> list[Fields]:
    """Matrices of the half on the right for every sign of its mirror image; the charge is that of both halves."""
    asked = replace(asked, moves=[_right(other, axis) for other in asked.moves])
    found = _fields(_right(section, axis), axis, signs, asked, last_only=last_only)
    return [replace(one, charge=_whole(one.charge, axis, sign)) for one, sign in zip(found, signs, strict=True)]


def _fields(
    section: Section, axis: float | None, signs: tuple[float, ...], asked: _Asked, *, last_only: bool = False
) -> list[Fields]:
    """One solution for every sign of the mirror images about an axis; ``last_only``: only the last one has changes."""
    made = prepare(section, axis, asked.order, asked.reach, asked.most)
    own = influences(made, axis)
    moves = moves_of(made, section, asked.moves, axis)
    return [
        solution(section, made.nodes, joined(own, sign), [
            (one, joined(one.influences, sign) if one.influences else None)
            for one in (moves if sign == signs[-1] or not last_only else ())
        ])
        for sign in signs
    ]


def _right(section: Section, axis: float) -> Section:
    """The conductors on the right of an axis and on it, in all dielectrics."""

    def right(polygons: tuple[Polygon, ...]) -> tuple[Polygon, ...]:
        return tuple(polygon for polygon in polygons if max(x for x, _ in polygon) > axis)

    return replace(section, signals=right(section.signals), grounds=right(section.grounds))


def mirror_axis(section: Section, about: float | None = None) -> float | None:
    """The x about which a section is its own mirror image [m], or None; ``about``: none but this one.

    One signal lies on it, or as many are on its left as on its right.
    """
    ends = [x for polygon in section.signals for x, _ in polygon]
    axis = (min(ends) + max(ends)) / 2 if about is None else about
    close = 1e-9 * (max(ends) - min(ends))

    def alike(polygons: Iterable[Polygon], others: tuple[Polygon, ...]) -> bool:
        return all(any(_mirrored(one, other, axis, close) for other in others) for one in polygons)

    crossed = any(min(x for x, _ in one) < axis < max(x for x, _ in one) for one in section.signals)
    itself = all(_mirrored(p, p, axis, close) for p, _ in section.dielectrics)
    return axis if itself and crossed == (len(section.signals) == 1) and alike(
        section.signals, section.signals) and alike(section.grounds, section.grounds) else None


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


def _doubled(half: Fields) -> Fields:
    """Matrices of one signal from those of its half on the right."""
    return replace(
        half,
        c=2 * half.c,
        c0=2 * half.c0,
        parts=tuple(2 * part for part in half.parts),
        changes=tuple((2 * filled, 2 * empty) for filled, empty in half.changes),
        charge=replace(half.charge, conductor=np.maximum(half.charge.conductor - 1, 0)),
    )


def _combined(order: list[int], even: Fields, odd: Fields) -> Fields:
    """Matrices of both halves from their modes; ``order`` are the places of right and left signals."""
    back = np.empty(len(order), dtype=np.intp)
    back[order] = np.arange(len(order))

    def matrix(both: Real, apart: Real) -> Real:
        own, other = (both + apart) / 2, (both - apart) / 2
        return np.asarray(np.block([[own, other], [other, own]])[np.ix_(back, back)])

    right, left = (even.charge.charge + odd.charge.charge) / 2, (even.charge.charge - odd.charge.charge) / 2
    owner = even.charge.conductor
    place = np.array(order)
    return Fields(
        c=matrix(even.c, odd.c),
        c0=matrix(even.c0, odd.c0),
        changes=tuple(
            (matrix(both[0], apart[0]), matrix(both[1], apart[1]))
            for both, apart in zip(even.changes, odd.changes, strict=True)
        ),
        parts=tuple(matrix(both, apart) for both, apart in zip(even.parts, odd.parts, strict=True)),
        charge=replace(
            even.charge,
            conductor=np.where(owner < len(order), place[np.minimum(owner, len(order) - 1)], owner),
            charge=np.hstack([right, left])[:, back],
            planes=(matrix(even.charge.planes[0], odd.charge.planes[0]) / 2,
                    matrix(even.charge.planes[1], odd.charge.planes[1]) / 2),
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
        (2 * half.planes[0], 2 * half.planes[1]),
    )
