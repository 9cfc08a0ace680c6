# SPDX-License-Identifier: MIT
"""Two lines beside each other on one layer: their common cross-section, and its matrices per metre."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.constants import epsilon_0, mu_0, pi

from pcbrules.analysis.crosstalk_over import Over, draw_over
from pcbrules.analysis.line_fields import reference_dk
from pcbrules.analysis.line_section import draw_beside
from pcbrules.analysis.line_types import Dielectric, LineTask, Unsupported
from pcbrules.analysis.lines import LOWEST, LineResult
from pcbrules.physics.cross_section.crowding import crowding_matrix
from pcbrules.physics.cross_section.electrostatic import solve
from pcbrules.physics.dielectric import permittivity

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]

ORDER = 7
"""Nodes of a panel: of 59 sections the near end is right to 0.001 dB, and the far end, where inductive and capacitive
coupling nearly cancel, to 0.11 dB; an even number of nodes does worse there, eight 0.44 dB."""

MOST = 320
"""Panels at most: twice what one pair may have."""

LEGS = np.array([1.0, -1.0]) / np.sqrt(2)
"""Weights of the legs of a pair in its differential mode [-]."""


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A solved section of n conductors, those of the line on the left first.

    ``parts``: shares of the capacitance by dielectric at its reference permittivity, and last of the air, (n, n)
    [F/m]; ``materials``: the dielectrics with that permittivity. ``inductance`` (n, n) outside the copper [H/m].
    ``shared`` (n, n): resistance over surface resistance by a thin skin [1/m]. ``legs``: conductors of the left line.
    """

    parts: tuple[Real, ...]
    materials: tuple[tuple[Dielectric, float], ...]
    inductance: Real
    shared: Real
    legs: int

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
        scales = [inside_at(line, frequency) / mode for line, mode in zip(lines, of_mode, strict=True)]
        copper = np.zeros((len(frequency), n, n), dtype=complex)
        for unit, pick in ((1.0, np.real), (1j, np.imag)):
            root = np.sqrt(np.array([pick(scales[0])] * legs + [pick(scales[1])] * (n - legs))).T
            copper += unit * root[:, :, None] * root[:, None, :] * matrix
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


@lru_cache(maxsize=1024)
def _table(line: LineResult) -> tuple[Real, Real]:
    inside = line.inside_copper(TABLE)
    return np.log(inside.real), np.log(inside.imag)


def solve_beside(
    victim: LineTask, other: LineTask, spacing: float, over: Over | None = None, *, order: int = ORDER
) -> Beside | Unsupported:
    """Solve the common section of two lines on one layer, or on two of one cavity.

    Parameters
    ----------
    victim : LineTask
        The line on the left, and the plies of both.
    other : LineTask
        Of which widths and gap count.
    spacing : float
        Between the nearest edges of the two, at their wider faces. [m]
    over : Over, optional
        Where the other line is if it is on another layer; the spacing does not count then.
    order : int
        Nodes of a panel.

    Returns
    -------
    Beside or Unsupported
        The section, or why there is no model for it.
    """
    return _solved(replace(victim, **_COPPER), replace(other, **_COPPER), spacing, over, order)


_COPPER: dict[str, Any] = {"rz": (0.0,) * 4, "resistivity_trace": 1.0, "resistivity_plane": 1.0, "temperature": 20.0}
"""What the fields outside the copper do not depend on."""


@lru_cache(maxsize=1024)
def _solved(
    victim: LineTask, other: LineTask, spacing: float, over: Over | None, order: int
) -> Beside | Unsupported:
    apart = over.between if over else spacing
    lengths = (apart, victim.width_foot, victim.width_top, other.width_foot, other.width_top)
    gaps = [line.gap for line in (victim, other) if line.gap is not None]
    if not min(*lengths, *gaps) > 0:
        return Unsupported("a width, a gap or a spacing is not positive")
    drawn = draw_over(victim, other, over, reference_dk) if over else draw_beside(victim, other, spacing, reference_dk)
    try:
        fields = solve(drawn.section, most=MOST, order=order)
    except ValueError as error:
        return Unsupported(str(error))
    dks = [dk for _, dk in drawn.section.dielectrics]
    return Beside(
        parts=fields.parts,
        materials=tuple(zip(drawn.materials, dks, strict=True)),
        inductance=np.asarray(mu_0 * epsilon_0 * np.linalg.inv(fields.c0)),
        shared=crowding_matrix(section=drawn.section, charge=fields.charge),
        legs=1 if victim.gap is None else 2,
    )
