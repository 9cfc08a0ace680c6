# SPDX-License-Identifier: MIT
"""Two lines beside each other on one layer: their common cross-section, and its matrices per metre."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import pi

import numpy as np

from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.crosstalk.broadside_section import Broadside, draw_broadside
from pcbrules.analysis.lines.mode_fields import reference_dk
from pcbrules.analysis.lines.modes import COPPER
from pcbrules.analysis.lines.polygons import draw_coplanar
from pcbrules.analysis.lines.process_variation import with_heights, with_width
from pcbrules.analysis.lines.solve import LOWEST, LineResult
from pcbrules.analysis.lines.task import LineTask
from pcbrules.arrays import Complex, Real
from pcbrules.constants import EPSILON_0, MU_0
from pcbrules.missing import Missing
from pcbrules.physics.lines.cross_section.crowding import crowding_matrix
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.cross_section.section import Section
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.solver_cache import solved_once

ORDER = 7
"""Nodes of a panel: of 59 sections the near end is right to 0.001 dB, and the far end, where inductive and capacitive
coupling nearly cancel, to 0.11 dB; an even number of nodes does worse there, eight 0.44 dB."""

MOST = 320
"""Panels at most: twice what one pair may have; so too with ground beside the lines."""

STEEPEST = 3.0
"""Largest change of the logarithm of a capacitance [-]: only those that count for nothing have more."""

STEP = 1e-5
"""Part of a height, a width, a gap or a spacing by which a section is moved for a slope [-]."""

LEGS = np.array([1.0, -1.0]) / np.sqrt(2)
"""Weights of the legs of a pair in its differential mode [-]."""


@dataclass(frozen=True, slots=True, eq=False)
class CoupledSection:
    """A solved section of n conductors, those of the line on the left first.

    ``parts``: shares of the capacitance by dielectric at its reference permittivity, and last of the air, (n, n)
    [F/m]; ``materials``: the dielectrics with that permittivity. ``inductance`` (n, n) outside the copper [H/m].
    ``shared`` (n, n): resistance over surface resistance by a thin skin [1/m]. ``legs``: conductors of the left line.
    ``slopes``: relative changes of all capacitances, with dielectrics and without, by each move that was asked for
    [1/m, or 1 where the move is a share].
    """

    parts: tuple[Real, ...]
    materials: tuple[tuple[DielectricPoints, float], ...]
    inductance: Real
    shared: Real
    legs: int
    slopes: tuple[tuple[Real, Real], ...] = ()

    def after(self, move: int, amount: float) -> CoupledSection:
        """The section after one of the moves that were asked for: the logarithm of each capacitance goes straight."""
        filled, empty = (np.exp(np.clip(amount * slope, -STEEPEST, STEEPEST)) for slope in self.slopes[move])
        inductance = np.asarray(np.linalg.inv(np.linalg.inv(self.inductance) * empty))
        return replace(self, parts=tuple(part * filled for part in self.parts), inductance=inductance,
                       shared=self.shared * _quotient(inductance, self.inductance), slopes=())

    def mirrored(self) -> CoupledSection:
        """The mirror image: the line on the right is on the left."""

        def turned(matrix: Real) -> Real:
            return matrix[::-1, ::-1]

        return replace(
            self, parts=tuple(map(turned, self.parts)), inductance=turned(self.inductance), shared=turned(self.shared),
            legs=len(self.inductance) - self.legs,
            slopes=tuple((turned(filled), turned(empty)) for filled, empty in self.slopes))

    @property
    def weights(self) -> tuple[Real, Real]:
        """Weights (n,) of the conductors in the mode of either line: of a pair differential. [-]"""
        n = len(self.inductance)
        one, other = (LEGS if legs == 2 else np.ones(1) for legs in (self.legs, n - self.legs))
        none, nothing = np.zeros(len(other)), np.zeros(len(one))
        return np.concatenate([one, none]), np.concatenate([nothing, other])

    def shunt(self, frequency: Real) -> Complex:
        """``G + j w C`` at frequencies (f,), shape (f, n, n). [S/m]"""
        total = np.broadcast_to(self.parts[-1], (len(frequency), *self.parts[-1].shape)).astype(complex)
        for part, (material, dk) in zip(self.parts, self.materials, strict=False):
            epsilon = permittivity(frequency=frequency, points=material.points)
            total = total + part * (epsilon / dk)[:, None, None]
        return np.asarray(2j * pi * frequency[:, None, None] * total)

    def series(self, frequency: Real, lines: tuple[LineResult, LineResult], *, share: bool = True) -> Complex:
        """``R + j w L`` at frequencies (f,), shape (f, n, n). [ohm/m]

        The impedance inside the copper goes as the products of the currents of a thin skin on all faces, planes
        included; of each line it is in all that of its own mode alone, with the roughness. ``share`` false leaves each
        conductor its own, and nothing in common.
        """
        n, legs = len(self.inductance), self.legs
        of_mode = [weights @ self.shared @ weights for weights in self.weights]
        matrix = self.shared
        if not share:
            own = [of_mode[0]] * legs + [of_mode[1]] * (n - legs)
            matrix = np.diag(own)
        inside = [inside_at(line, frequency) for line in (lines[:1] if lines[1] is lines[0] else lines)]
        scales = np.array([inside[0] / of_mode[0], inside[-1] / of_mode[1]])
        line = [0] * legs + [1] * (n - legs)
        copper = np.zeros((len(frequency), n, n), dtype=complex)
        for unit, root in ((1.0, np.sqrt(scales.real)), (1j, np.sqrt(scales.imag))):
            both = (unit * root[:, None] * root).transpose(2, 0, 1)
            copper += both[:, line][:, :, line]
        copper *= matrix
        return np.asarray(copper + 2j * pi * frequency[:, None, None] * self.inductance)


TABLE = np.geomspace(LOWEST, 400e9, 600)
"""Frequencies between which the impedance inside the copper goes straight in logarithms [Hz]: right to 1e-4, and many
windows of frequencies share it."""


def inside_at(line: LineResult, frequency: Real) -> Complex:
    """Impedance inside the rough copper of one leg of a line [ohm/m] at frequencies [Hz], zero included."""
    x = np.log(np.maximum(frequency, LOWEST))
    resistance, reactance = _table(line)
    places = np.log(TABLE)
    return np.asarray(np.exp(np.interp(x, places, resistance)) + 1j * np.exp(np.interp(x, places, reactance)))


@solved_once
def _table(line: LineResult) -> tuple[Real, Real]:
    inside = line.inside_copper(TABLE)
    return np.log(inside.real), np.log(inside.imag)


def solve_coupled_section(
    victim: LineTask, other: LineTask, spacing: float, broadside: Broadside | None = None,
    *, order: int = ORDER, moves: tuple[str, ...] = (),
) -> CoupledSection | Missing:
    """Solve the common section of two lines on one layer, or on two of one cavity.

    Parameters
    ----------
    victim : LineTask
        The line on the left, and the plies of both.
    other : LineTask
        Of which widths, gap, ground and second leg count.
    spacing : float
        Between the nearest edges of the two, at their wider faces. [m]
    broadside : Broadside, optional
        Where the other line is if it is on another layer; the spacing does not count then.
    order : int
        Nodes of a panel.
    moves : tuple of str
        Names of ``MOVES`` whose slopes are asked for, of two lines on one layer.

    Returns
    -------
    CoupledSection or Missing
        The section, or why there is no model for it.
    """
    one, two = replace(victim, **COPPER), replace(other, **COPPER)
    if broadside is not None or one.second is not None or two.second is not None:
        return _solved(one, two, spacing, broadside, order, moves)
    two = replace(one, **{name: getattr(two, name) for name in OF_OTHER})  # its plies are those of the victim
    if _sizes(two) < _sizes(one):  # its mirror image, which the other link of the two asks for
        found = _solved(two, one, spacing, None, order, moves)
        return found if isinstance(found, Missing) else found.mirrored()
    return _solved(one, two, spacing, None, order, moves)


OF_OTHER = ("width_foot", "width_top", "gap", "ground")
"""What counts of the line on the right of two on one layer."""


def _sizes(line: LineTask) -> tuple[float, ...]:
    """Sizes of a line by which it comes on the left of another one. [m]"""
    ground = (line.ground.gap, line.ground.width) if line.ground else (0.0, 0.0)
    return line.width_foot, line.width_top, line.gap or 0.0, *ground


MOVES: dict[str, Callable[[LineTask, LineTask, float, float], tuple[LineTask, LineTask, float]]] = {
    "dielectrics": lambda one, other, apart, moved: (with_heights(one, moved), other, apart),
    "traces": lambda one, other, apart, moved: (with_width(one, moved), with_width(other, moved), apart - moved),
    "spacing": lambda one, other, apart, moved: (one, other, apart - moved),
}
"""What moves two lines on one layer: heights [-], widths and the spacing [m]; more of it is more coupling."""


@solved_once
def _solved(
    victim: LineTask, other: LineTask, spacing: float, broadside: Broadside | None, order: int, moves: tuple[str, ...]
) -> CoupledSection | Missing:
    apart = broadside.spacing if broadside else spacing
    lengths = (apart, victim.width_foot, victim.width_top, other.width_foot, other.width_top)
    gaps = [line.gap for line in (victim, other) if line.gap is not None]
    gaps += [line.ground.gap for line in (victim, other) if line.ground is not None]
    if not min(*lengths, *gaps) > 0:
        return Missing("a width, a gap or a spacing is not positive")
    if victim.ground and other.ground and not spacing > victim.ground.gap + other.ground.gap:
        return Missing("no ground fits between the two lines, their `coplanar.gap` leave no room")
    if broadside:
        drawn = draw_broadside(victim, other, broadside, reference_dk)
    else:
        drawn = draw_coplanar(victim, other, spacing, reference_dk)
    moved = [_moved(victim, other, spacing, name) for name in moves]
    plain = victim.ground is None and victim.second is None and other.second is None
    most = MOST if plain else 2 * MOST
    try:
        fields = solve(drawn.section, most=most, order=order, moves=[there for there, _ in moved])
    except ValueError as error:
        return Missing(str(error))
    dks = [dk for _, dk in drawn.section.dielectrics]
    return CoupledSection(
        parts=fields.parts,
        materials=tuple(zip(drawn.materials, dks, strict=True)),
        inductance=np.asarray(MU_0 * EPSILON_0 * np.linalg.inv(fields.c0)),
        shared=crowding_matrix(section=drawn.section, charge=fields.charge),
        legs=2 if victim.pair else 1,
        slopes=tuple(
            (_quotient(change, fields.c * step), _quotient(change0, fields.c0 * step))
            for (change, change0), (_, step) in zip(fields.changes, moved, strict=True)
        ),
    )


def _quotient(one: Real, other: Real) -> Real:
    """Quotients of entries, zero over those of lines so far apart that nothing is left. [-]"""
    return np.divide(one, other, out=np.zeros_like(one), where=other != 0)


def _moved(victim: LineTask, other: LineTask, spacing: float, name: str) -> tuple[Section, float]:
    """The section after a small move, and the move."""
    sizes = [1.0] if name == "dielectrics" else [spacing, *(
        size for line in (victim, other)
        for size in (line.width_foot, line.width_top, line.gap, line.ground and line.ground.gap) if size
    )]
    step = STEP * min(sizes)
    return draw_coplanar(*MOVES[name](victim, other, spacing, step), reference_dk).section, step
