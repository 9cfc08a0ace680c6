# SPDX-License-Identifier: MIT
"""Poles and residues of a power ladder: its impedance as an exact sum, from which all of its time domain follows.

The unknowns are the currents of the shunt branches; every current along the rail is a sum of those behind it. So
:math:`Z(s) = s\\ell + \\rho - b^T M^{-1} b` with one symmetric matrix :math:`M(s) = sL + R + (sC)^{-1}`, and a pole has
the residue :math:`-(b^T y)^2 / (y^T M' y)` with the null vector y of M.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.pdn import Branch, DampedLoop
from pcbrules.physics.power.pole_response import Poles

NOISE = 1e-11
"""Part of the impedance of the whole way below which the impedance at infinite frequency is rounding. [-]"""


@dataclass(frozen=True, slots=True)
class _Matrices:
    """Shunts along their paths: inductance, resistance, inverse capacitance, and what each shares with the load.

    ``own`` is the inductance of each shunt alone; the totals are those of the way from regulator to balls.
    """

    inductance: Real
    resistance: Real
    elastance: Real
    shared_inductance: Real
    shared_resistance: Real
    own: Real
    total_inductance: float
    total_resistance: float


def rail_poles(*, regulator: Branch, ladder: Sequence[Branch]) -> Poles:
    """Impedance into the balls as a sum over poles.

    Parameters
    ----------
    regulator : Branch
        Output impedance of the closed loop, without capacitor.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls, at least one of them a shunt.

    Returns
    -------
    Poles
        The poles of all shunts, also of those modes that the balls do not see.

    Raises
    ------
    ValueError
        No shunt, a capacitor along the rail, or two ideal capacitors (no resistance and no inductance) side by side.
    """
    m = _matrices(regulator, ladder)
    pole, current = _modes(m)
    slope, weight = _weights(m, pole, current)
    ends = [*regulator.parted()[1:], *ladder] if isinstance(regulator, DampedLoop) else ladder
    return _with_limits(pole, -(weight**2) / slope, ends, m)


def natural_frequencies(*, regulator: Branch, ladder: Sequence[Branch]) -> Complex:
    """Return the poles of ``rail_poles`` alone, in a third of its time.

    Parameters
    ----------
    regulator : Branch
        Output impedance of the closed loop, without capacitor.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls, at least one of them a shunt.

    Returns
    -------
    ndarray of complex, shape (n,)
        [rad/s]

    Raises
    ------
    ValueError
        As ``rail_poles``.
    """
    return np.asarray(np.linalg.eigvals(_states(_matrices(regulator, ladder))[0]), dtype=complex)


def regulator_share(*, regulator: Branch, ladder: Sequence[Branch]) -> Poles:
    """Part of the current out of the balls that comes from the regulator, as a sum over poles.

    A network of R, L and C is reciprocal: it is also what the balls see of a voltage behind the regulator's output
    impedance.

    Parameters
    ----------
    regulator : Branch
        Output impedance, without capacitor.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls, at least one of them a shunt.

    Returns
    -------
    Poles
        A ratio [-], one at zero frequency; ``resistance`` is its value at infinite frequency, ``inductance`` zero.

    Raises
    ------
    ValueError
        As ``rail_poles``.
    """
    m = _matrices(regulator, ladder)
    pole, current = _modes(m)
    slope, weight = _weights(m, pole, current)
    residue = -weight * current.sum(axis=0) / slope
    return Poles(pole, residue, float(1 + np.sum(residue / pole).real), 0.0)


def _weights(m: _Matrices, pole: Complex, current: Complex) -> tuple[Complex, Complex]:
    """Of each mode: the slope of the matrix along s, and the voltage that it shares with the load's current."""
    slope = np.einsum("ik,ij,jk->k", current, m.inductance, current)
    slope = slope - np.einsum("ik,i,ik->k", current, m.elastance, current) / pole**2
    return slope, current.T @ m.shared_resistance + pole * (current.T @ m.shared_inductance)


def _matrices(regulator: Branch, ladder: Sequence[Branch]) -> _Matrices:
    if isinstance(regulator, DampedLoop):
        regulator, *beside = regulator.parted()
        ladder = [*beside, *ladder]
    shunts = [at for at, branch in enumerate(ladder) if branch.shunt]
    if not shunts:
        raise ValueError("a ladder without shunt has no poles")
    along = [(regulator, -1), *((branch, at) for at, branch in enumerate(ladder) if not branch.shunt)]
    if any(np.isfinite(branch.capacitance) for branch, _ in along):
        raise ValueError("a capacitor along the rail")
    behind = np.array([[at > where for at in shunts] for _, where in along], dtype=float)
    inductance = np.array([branch.inductance / branch.count for branch, _ in along])
    resistance = np.array([branch.resistance / branch.count for branch, _ in along])
    own = np.array([ladder[at].inductance / ladder[at].count for at in shunts])
    loss = np.array([ladder[at].resistance / ladder[at].count for at in shunts])
    return _Matrices(
        np.diag(own) + (behind.T * inductance) @ behind,
        np.diag(loss) + (behind.T * resistance) @ behind,
        np.array([1 / (ladder[at].capacitance * ladder[at].count) for at in shunts]),
        behind.T @ inductance,
        behind.T @ resistance,
        own,
        float(inductance.sum()),
        float(resistance.sum()),
    )


def _modes(m: _Matrices) -> tuple[Complex, Complex]:
    """Poles [rad/s] and the currents of the shunts in each, one column a pole."""
    from scipy.linalg import eig  # here and not above: 0.1 s, which not every board needs

    system, current = _states(m)
    pole, vector = eig(system)
    return np.asarray(pole, dtype=complex), np.asarray(current @ vector, dtype=complex)


def _states(m: _Matrices) -> tuple[Real, Real]:
    """Matrix of the states [1/s], and the currents of the shunts from them, one column a state."""
    from scipy.linalg import cholesky, solve, solve_triangular

    keep, loops = _loops(m)
    held = m.elastance > 0
    charge = np.sqrt(m.elastance[held])
    root = cholesky(keep.T @ m.inductance @ keep, lower=True) if keep.shape[1] else np.zeros((0, 0))
    # Current of all shunts from the states: those with inductance, then the voltages of the capacitors
    x = solve_triangular(root, keep.T, lower=True).T if keep.shape[1] else np.zeros((len(held), 0))
    drive = np.zeros((len(held), int(held.sum())))
    drive[held] = np.diag(charge)
    if loops.shape[1]:
        lossy = loops.T @ m.resistance @ loops
        if np.linalg.cond(lossy) > 1e14:
            raise ValueError("two ideal capacitors side by side, without resistance and inductance between them")
        x = x - loops @ solve(lossy, loops.T @ m.resistance @ x)
        from_charge = -loops @ solve(lossy, loops.T @ drive)
    else:
        from_charge = np.zeros_like(drive)
    current = np.hstack([x, from_charge])
    voltage = np.hstack([np.zeros_like(x), drive])
    total = m.resistance @ current + voltage
    upper = -solve_triangular(root, keep.T @ total, lower=True) if keep.shape[1] else np.zeros((0, current.shape[1]))
    lower = charge[:, None] * current[held]
    return np.vstack([upper, lower]), current


def _loops(m: _Matrices) -> tuple[Real, Real]:
    """Bases of the shunt currents with inductance in their way, and of those round loops that have none."""
    unit = np.eye(len(m.own))
    kept, loops = [], []
    first: dict[bytes, int] = {}
    for at, own in enumerate(m.own):
        if own > 0:
            kept.append(unit[at])
            continue
        key = m.inductance[at].tobytes()  # shunts without inductance at one place have equal rows
        if key in first:
            loops.append(unit[at] - unit[first[key]])
        elif m.inductance[at, at] == 0:
            loops.append(unit[at])
        else:
            first[key] = at
            kept.append(unit[at])
    empty = np.zeros((len(unit), 0))
    return (np.array(kept).T if kept else empty), (np.array(loops).T if loops else empty)


def _with_limits(pole: Complex, residue: Complex, ladder: Sequence[Branch], m: _Matrices) -> Poles:
    """What is left at infinite frequency: a resistance, and an inductance where no shunt at the balls lacks one."""
    far = float(np.max(np.abs(pole)))
    low, high = 4 * far, 16 * far
    rest = [_at(m, s) - np.sum(residue / (s - pole)).real for s in (low, high)]
    inductance = 0.0 if _is_bare(ladder) else float((rest[1] - rest[0]) / (high - low))
    resistance = float(rest[0] - inductance * low)
    noise = NOISE * max(m.total_resistance, m.total_inductance * low)
    return Poles(pole, residue, resistance if abs(resistance) > noise else 0.0, inductance)


def _is_bare(ladder: Sequence[Branch]) -> bool:
    """True where a shunt without inductance sits at the balls."""
    for branch in reversed(ladder):
        if branch.inductance == 0 and branch.shunt:
            return True
        if branch.inductance > 0 and not branch.shunt:
            return False
    return False


def _at(m: _Matrices, s: float) -> float:
    """Impedance at a real s."""
    from scipy.linalg import solve

    shared = s * m.shared_inductance + m.shared_resistance
    matrix = s * m.inductance + m.resistance + np.diag(m.elastance / s)
    return float(s * m.total_inductance + m.total_resistance - shared @ solve(matrix, shared, assume_a="sym"))
