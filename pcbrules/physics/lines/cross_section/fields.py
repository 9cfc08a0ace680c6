# SPDX-License-Identifier: MIT
"""What the field solver finds: matrices of a section, and the charge of the empty one."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.arrays import Index, Real


@dataclass(frozen=True, slots=True)
class Fields:
    """Matrices of n signal conductors.

    ``c``: capacitance [F/m] in Maxwell's form (off the diagonal negative); ``c0`` that of the empty section. ``parts``:
    for each dielectric of the section, and last for the air that none covers, its permittivity times the derivative of
    ``c`` by it [F/m]: the energy share of the dielectric times ``c``; they add up to ``c``. ``charge``: charges on the
    boundary of the empty section, for the crowding of currents. ``changes``: of ``c`` and ``c0`` by each move that was
    asked for, to first order in it [F/m].
    """

    c: Real
    c0: Real
    parts: tuple[Real, ...]
    charge: Charge
    changes: tuple[tuple[Real, Real], ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """Charge on conductors of the empty section.

    ``at`` (k, 2) [m], ``arc`` (k,) [m] that each node stands for, ``normal`` (k, 2) outwards, ``conductor`` (k,),
    ``charge`` (k, n) at each node [C/m over epsilon_0] for each signal at one volt. ``planes``: integrals of the
    products of the fields that they make on the lower and on the upper plane, (n, n) each [V^2/m].
    """

    at: Real
    arc: Real
    normal: Real
    conductor: Index
    charge: Real
    planes: tuple[Real, Real]
