# SPDX-License-Identifier: MIT
"""Charges on the boundary of a section that keep its laws, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Real
from pcbrules.constants import EPSILON_0
from pcbrules.physics.lines.cross_section._corners import Corners, corners
from pcbrules.physics.lines.cross_section._displacement import Displacement, displacement
from pcbrules.physics.lines.cross_section._influence import Boundary, Nodes, influence
from pcbrules.physics.lines.cross_section._moved_panels import carried
from pcbrules.physics.lines.cross_section._on_planes import Planes, on_planes
from pcbrules.physics.lines.cross_section.fields import Charge, Fields
from pcbrules.physics.lines.cross_section.section import Section


@dataclass(frozen=True, slots=True)
class Influence:
    """Of unit charges at all nodes: ``potential`` at metal, ``flux`` at open nodes, ``planes``: fields there."""

    potential: Real
    flux: Real
    planes: Planes


@dataclass(frozen=True, slots=True)
class Move:
    """How metal goes; or where an interface goes too, the nodes after it and their influences."""

    way: Displacement | None
    beside: Corners | None
    nodes: Nodes
    influences: list[Influence]


def moves_of(made: Boundary, section: Section, others: Sequence[Section], axis: float | None) -> list[Move]:
    """From a section to others with their corners elsewhere."""
    beside = corners(made, _permittivities(section)) if others else None
    found = []
    for other in others:
        way = displacement(section, other, made.nodes)
        if way is not None and (beside is not None or not way.outwards.any()):
            found.append(Move(way, beside, made.nodes, []))
        else:
            there = carried(made, section, other)
            nothing = np.empty((0, len(there.nodes.arc)))
            after = [Influence(*one, (nothing, nothing)) for one in influence(there, axis)]
            found.append(Move(None, None, there.nodes, after))
    return found


def _permittivities(section: Section) -> Real:
    """Permittivity by the index that nodes have of it, air last. [-]"""
    return np.array([*(dk for _, dk in section.dielectrics), 1.0])


def influences(made: Boundary, axis: float | None) -> list[Influence]:
    """That of the charges, and given an axis that of their mirror images."""
    return [Influence(*own, planes) for own, planes in zip(influence(made, axis), on_planes(made, axis), strict=True)]


def joined(influences: list[Influence], sign: float) -> Influence:
    """Influence of charges, and of their mirror images if there are any, which have a sign."""
    if len(influences) < 2:
        return influences[0]
    both = [(one.potential, one.flux, *one.planes) for one in influences]
    potential, flux, low, high = (one + sign * other for one, other in zip(*both, strict=True))
    return Influence(potential, flux, (low, high))


@dataclass(frozen=True, slots=True)
class _System:
    """The equations of the charges, with those on metal eliminated.

    ``left`` and ``right``: permittivities beside the nodes. ``empty``: charge on metal without dielectrics; ``answer``:
    by how much unit charges on the interfaces lessen it. ``row``: rows of the interfaces at metal; ``rest``: at the
    interfaces, after the elimination. ``gather`` sums the free charge.
    """

    left: Real
    right: Real
    volts: Real
    empty: Real
    answer: Real
    row: Real
    rest: Real
    gather: Real

    def charge(self, nodes: Nodes) -> Real:
        """Charge at all nodes for one volt on each conductor. [C/m over epsilon_0]"""
        between = nodes.conductor < 0
        found = np.empty_like(self.volts)
        found[between] = np.linalg.solve(self.rest, -self.row @ self.empty)
        found[~between] = self.empty - self.answer @ found[between]
        return found

    def adjoint(self, nodes: Nodes) -> Real:
        """What the free charges change by when a row of the interfaces does."""
        between = nodes.conductor < 0
        gather = self.gather[:, between] - self.gather[:, ~between] @ self.answer
        return np.asarray(np.linalg.solve(self.rest.T, gather.T), dtype=float)


def _system(section: Section, nodes: Nodes, influence: Influence) -> _System:
    flux, metal = influence.flux, nodes.metal
    n = len(section.signals)
    epsilon = _permittivities(section)
    left, right = epsilon[nodes.left], np.where(nodes.right >= 0, epsilon[nodes.right], 0.0)
    faces = nodes.conductor[nodes.open] < 0
    bound = nodes.open[faces]
    volts = (nodes.conductor[:, None] == np.arange(n)).astype(float)
    drawn = np.concatenate([influence.potential[:, bound], volts[metal]], axis=1)
    drawn = np.linalg.solve(influence.potential[:, metal], drawn)
    answer, empty = drawn[:, : len(bound)], drawn[:, len(bound) :]
    rows = (left - right)[bound, None] * flux[faces]
    row, rest = rows[:, metal], rows[:, bound]
    rest.flat[:: len(bound) + 1] += (left + right)[bound] / 2
    rest -= row @ answer
    return _System(left, right, volts, empty, answer, row, rest, _gather(nodes, left, right, flux, volts))


def _matrices(section: Section, nodes: Nodes, influence: Influence) -> tuple[Real, Real]:
    """``c`` and ``c0`` alone."""
    system = _system(section, nodes, influence)
    return _symmetric(system.gather @ system.charge(nodes)), _symmetric(system.volts[nodes.metal].T @ system.empty)


def _symmetric(matrix: Real) -> Real:
    """Capacitance [F/m] from charge over epsilon_0."""
    return np.asarray(EPSILON_0 * (matrix + matrix.T) / 2)


def solution(
    section: Section, nodes: Nodes, influence: Influence, moves: Sequence[tuple[Move, Influence | None]]
) -> Fields:
    """Matrices of a section from the influence of the charges at its nodes, and their changes by moves."""
    system = _system(section, nodes, influence)
    metal, open_, volts = nodes.metal, nodes.open, system.volts
    charge, empty = system.charge(nodes), system.empty
    # normal displacement over permittivity times arc, on the left and on the right of every node
    out = np.zeros_like(charge)
    out[open_] = influence.flux @ charge
    solid = nodes.right < 0
    leaves, enters = out + charge / 2, out - charge / 2
    leaves[solid], enters[solid] = charge[solid], 0.0
    # an interface's row less, a conductor's charge more, by the displacement of each side
    weigh = volts.copy()
    weigh[nodes.conductor < 0] = -system.adjoint(nodes)
    parts = []
    for k, dk in enumerate([*(dk for _, dk in section.dielectrics), 1.0]):
        on, off = nodes.left == k, nodes.right == k
        parts.append(_symmetric(dk * (weigh[on].T @ leaves[on] - weigh[off].T @ enters[off])))
    c, c0 = _symmetric(system.gather @ charge), _symmetric(volts[metal].T @ empty)
    whole = np.zeros_like(charge)
    whole[metal] = empty
    (low, high), filled = ([plane @ one for plane in influence.planes] for one in (whole, charge))
    changes = []
    for move, after in moves:
        if after is not None:
            there = _matrices(section, move.nodes, after)
            changes.append((there[0] - c, there[1] - c0))
        elif move.way is not None:
            changes.append((_change(move, move.way, charge, system.left, filled, filled=True),
                            _change(move, move.way, whole, np.ones_like(system.left), [low, high], filled=False)))
    made = Charge(nodes.at[metal], nodes.arc[metal], nodes.normal[metal], nodes.conductor[metal], empty,
                  (low.T @ low, high.T @ high))
    return Fields(c=c, c0=c0, parts=tuple(parts), charge=made, changes=tuple(changes))


def _change(move: Move, way: Displacement, charge: Real, dk: Real, planes: Sequence[Real], *, filled: bool) -> Real:
    """Change of a capacitance by metal that moves, from the fields on it and on the planes. [F/m]"""
    beside = move.beside
    total = np.zeros((charge.shape[1],) * 2)
    if beside is not None and way.outwards.any():
        plain = dk * way.outwards / move.nodes.arc
        plain[beside.node] = 0.0
        total += charge.T @ (charge * plain[:, None]) + beside.products(charge, way.outwards, filled=filled)
    for field, up, epsilon in zip(planes, (way.lower, -way.upper), way.dk, strict=True):
        total += (epsilon if filled else 1.0) * up * (field.T @ field)
    return _symmetric(total)


def _gather(nodes: Nodes, left: Real, right: Real, flux: Real, volts: Real) -> Real:
    """Free charge of each signal (rows) of unit charges at all nodes: on a strip the sum of its two sides."""
    gather = volts.T * np.where(nodes.right < 0, left, (left + right) / 2)
    sheet = nodes.conductor[nodes.open] >= 0
    if sheet.any():
        strips = nodes.open[sheet]
        gather += volts[strips].T @ ((left - right)[strips, None] * flux[sheet])
    return np.asarray(gather)
