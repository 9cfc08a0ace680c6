# SPDX-License-Identifier: MIT
"""Lines: impedance, delay, RLGC and loss of a cross-section.

The seam behind which the solver may change: whoever needs a line imports from here and from nowhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.analysis.lines.copper_impedance import U_COPPER, copper_impedance, copper_outside
from pcbrules.analysis.lines.finishes import U_FINISH, plated
from pcbrules.analysis.lines.microstrip_dispersion import U_SHIFT, dispersed
from pcbrules.analysis.lines.mode_fields import REFERENCE, LineModes, Mode
from pcbrules.analysis.lines.modes import modes, modes_alone
from pcbrules.analysis.lines.task import LineTask
from pcbrules.arrays import Complex, Real
from pcbrules.brief import brief
from pcbrules.constants import DECIBEL, EPSILON_0, LIGHT, MU_0
from pcbrules.missing import Missing
from pcbrules.physics.lines.conductor import surface_impedance
from pcbrules.physics.lines.copper import resistivity
from pcbrules.physics.lines.roughness import cannonball_causal
from pcbrules.solver_cache import solved_once

__all__ = ["LineLoss", "LineResult", "solve_line", "solve_lossy", "solve_still"]


LOSS_AT = 16e9
"""Frequency at which the error of the loss is stated [Hz]."""

U_FIT = 0.02
"""Relative error (k = 2) of the loss tangent between the points of a data sheet [-]: of the fitted sum of poles."""

SKIN = 16e9
"""Frequency at which the skin is thin beside every trace [Hz]."""

LOWEST = 1.0
"""Frequency that stands for direct current where an inductance is taken from a reactance [Hz]."""


@dataclass(frozen=True, slots=True)
class LineLoss:
    """Attenuation [dB/m] over frequency, and its parts, which add up to it."""

    total: Real
    conductor: Real
    roughness: Real
    dielectric: Real

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class LineResult:
    """A solved cross-section.

    Impedances [ohm] are those of the lossless line at ``REFERENCE``; of one trace all three are its own. ``z0`` is per
    leg, ``z_diff`` twice the odd and ``z_common`` half the even impedance. ``eps_eff`` [-] and ``delay`` [s/m] belong
    to the odd mode, at ``REFERENCE`` with its dispersion. ``u_z`` is the relative model error (k = 2) of the impedance.
    ``card`` names the model.
    """

    z_diff: float
    z_common: float
    z0: float
    eps_eff: float
    delay: float
    u_z: float
    card: str
    task: LineTask
    modes: LineModes

    __repr__ = brief

    @property
    def u_loss(self) -> float:
        """Relative model error (k = 2) of the loss at ``LOSS_AT``. [-]"""
        return _loss_error(self)

    def rlgc(self, frequency: ArrayLike, mode: str = "odd") -> tuple[Real, Real, Real, Real]:
        """R [ohm/m], L [H/m], G [S/m] and C [F/m] of one leg.

        Parameters
        ----------
        frequency : float or ndarray, shape (n,)
            Frequency; zero is allowed. [Hz]
        mode : str
            ``odd`` or ``even``; the same for one trace.

        Returns
        -------
        tuple of ndarray, shape (n,)
            R, L, G, C.
        """
        f = np.asarray(frequency, dtype=float)
        made = self._mode(mode)
        inside = self.inside_copper(np.maximum(f, LOWEST), mode)
        permittivity, longer = self._permittivity(made, f)
        inductance = MU_0 / made.air * longer + inside.imag / (2 * pi * np.maximum(f, LOWEST))
        capacitance = EPSILON_0 * made.air * permittivity / longer
        return inside.real, inductance, -2 * pi * f * capacitance.imag, capacitance.real

    def inside_copper(self, frequency: ArrayLike, mode: str = "odd") -> Complex:
        """Resistance and reactance inside the rough copper of one leg [ohm/m] at frequencies [Hz]."""
        return np.asarray(sum(_inside(self.task, self._mode(mode), np.asarray(frequency, dtype=float))))

    def gamma(self, frequency: ArrayLike, mode: str = "odd") -> Complex:
        """Propagation constant [1/m] at frequencies [Hz]."""
        series, shunt = self._immittances(frequency, mode)
        return np.asarray(np.sqrt(series * shunt))

    def z(self, frequency: ArrayLike, mode: str = "odd") -> Complex:
        """Complex characteristic impedance of one leg [ohm] at frequencies [Hz] above zero."""
        series, shunt = self._immittances(frequency, mode)
        return np.asarray(np.sqrt(series / shunt))

    def loss_db_per_m(self, frequency: ArrayLike, mode: str = "odd") -> LineLoss:
        """Matched loss [dB/m] at frequencies [Hz]: by the resistance of smooth copper with its finish, by what
        roughness adds to it, by the dielectrics. The inductance that roughness adds raises the impedance and so lowers
        all of it a little.
        """
        f = np.asarray(frequency, dtype=float)
        made = self._mode(mode)
        permittivity, longer = self._permittivity(made, f)
        shunt = 2j * pi * f * EPSILON_0 * made.air * permittivity / longer
        smooth, added = _inside(self.task, made, f)
        rough = 2j * pi * f * MU_0 / made.air * longer + smooth + added

        def attenuation(series: Complex, across: Complex) -> Real:
            return np.asarray(DECIBEL * np.sqrt(series * across).real)

        total = attenuation(rough, shunt)
        lossless = np.asarray(1j * shunt.imag, dtype=complex)
        conductor = attenuation(rough - added.real, lossless)
        copper = attenuation(rough, lossless)
        return LineLoss(total, conductor, copper - conductor, total - copper)

    def loss_parts(self, frequency: float) -> dict[str, float]:
        """Parts of the matched loss [dB/m] at one frequency [Hz]."""
        loss = self.loss_db_per_m(frequency)
        return {
            "conductor": float(loss.conductor),
            "roughness": float(loss.roughness),
            "dielectric": float(loss.dielectric),
        }

    def _permittivity(self, made: Mode, frequency: Real) -> tuple[Complex, Real]:
        """Effective permittivity of a mode with dispersion, and by how much that makes the line longer. [-]

        Inductance and capacitance share the dispersion, so that the impedance stays the quasi-static one.
        """
        still = made.permittivity(frequency, self.task.temperature)
        moving = dispersed(self.task, made.name, still, frequency)
        return moving, np.sqrt(moving.real / still.real)

    @property
    def u_delay(self) -> float:
        """Relative model error (k = 2) of the delay. [-]"""
        still = float(self.modes.odd.permittivity(REFERENCE).real)
        return math.hypot(self.u_z, U_SHIFT * (math.sqrt(self.eps_eff / still) - 1))

    def _mode(self, mode: str) -> Mode:
        return {"odd": self.modes.odd, "even": self.modes.even}[mode]

    def _immittances(self, frequency: ArrayLike, mode: str) -> tuple[Complex, Complex]:
        r, inductance, g, capacitance = self.rlgc(frequency, mode)
        omega = 2 * pi * np.asarray(frequency, dtype=float)
        return np.asarray(r + 1j * omega * inductance), np.asarray(g + 1j * omega * capacitance)


@solved_once
def solve_line(task: LineTask) -> LineResult | Missing:
    """Solve a cross-section. What it says of the copper, its loss, holds only where ``solve_lossy`` gives it too.

    Parameters
    ----------
    task : LineTask
        Cross-section and temperature.

    Returns
    -------
    LineResult or Missing
        The line, or why no model covers it.
    """
    return _line(task, modes(task))


@solved_once
def solve_still(task: LineTask) -> LineResult | Missing:
    """As ``solve_line`` in half the time, for impedance and delay of the section as it is: without slopes."""
    return _line(task, modes_alone(task))


def _line(task: LineTask, found: LineModes | Missing) -> LineResult | Missing:
    if isinstance(found, Missing):
        return found
    odd, even = found.odd.impedance(), found.even.impedance()
    still = found.odd.permittivity(REFERENCE)
    eps_eff = float(dispersed(task, found.odd.name, still, np.asarray(REFERENCE)).real)
    return LineResult(
        z_diff=2 * odd if task.pair else odd,
        z_common=even / 2 if task.pair else odd,
        z0=odd,
        eps_eff=eps_eff,
        delay=math.sqrt(eps_eff) / LIGHT,
        u_z=found.u_z,
        card=found.card,
        task=task,
        modes=found,
    )


@solved_once
def solve_lossy(task: LineTask) -> LineResult | Missing:
    """As ``solve_line``, and there is a model for the currents in the copper too: whoever asks for a loss asks here."""
    made = solve_line(task)
    if isinstance(made, Missing):
        return made
    reason = copper_outside(task, made.modes.odd.name)
    return Missing(reason) if reason else made


def _inside(task: LineTask, mode: Mode, frequency: Real) -> tuple[Complex, Complex]:
    """Series impedance inside smooth copper with its finish, and what the roughness of its faces adds. [ohm/m]

    Finish and roughness add to every face by the share of the current that a thin skin has there; the shares are those
    of sharp corners, so they are scaled to the resistance of the field solver at ``SKIN``.
    """
    _, added = _thin_skin(task, mode, frequency)
    sharp = _sharpness(task, mode)
    return copper_impedance(task, mode.name, frequency) + sharp * _finish(task, mode, frequency), sharp * added


def _finish(task: LineTask, mode: Mode, frequency: Real) -> Complex:
    """What plated layers add on the upper face and the sides. [ohm/m]"""
    if not task.plating:
        return np.zeros(np.shape(frequency), dtype=complex)
    bare = surface_impedance(
        frequency=frequency, resistivity=resistivity(temperature=task.temperature, at_20=task.resistivity_trace))
    _, upper, sides, *_ = mode.crowding
    return np.asarray((upper + sides) * (plated(bare, frequency, task.plating) - bare))


@solved_once
def _sharpness(task: LineTask, mode: Mode) -> float:
    """Resistance of smooth copper at ``SKIN`` over that of a thin skin. [-]"""
    thin = np.array([SKIN])
    skin, _ = _thin_skin(task, mode, thin)
    return float(copper_impedance(task, mode.name, thin).real[0] / skin.real[0])


def _thin_skin(task: LineTask, mode: Mode, frequency: Real) -> tuple[Complex, Complex]:
    """Series impedance of a thin skin on smooth faces, and what their roughness adds. [ohm/m]"""
    trace = float(resistivity(temperature=task.temperature, at_20=task.resistivity_trace))
    plane = float(resistivity(temperature=task.temperature, at_20=task.resistivity_plane))
    lower, upper, low_plane, high_plane = task.rz
    # the sides are etched and treated together with the face away from the foot
    sides = lower if task.foot_up else upper
    faces = ((trace, lower), (trace, upper), (trace, sides), (plane, low_plane), (plane, high_plane))
    shares: dict[tuple[float, float], float] = {}
    for face, share in zip(faces, mode.crowding, strict=True):
        shares[face] = shares.get(face, 0.0) + share
    flat = {rho: surface_impedance(frequency=frequency, resistivity=rho) for rho in {trace, plane}}
    skin = np.zeros(np.shape(frequency), dtype=complex)
    added = np.zeros(np.shape(frequency), dtype=complex)
    for (rho, rz), share in shares.items():
        skin = skin + share * flat[rho]
        if rz > 0:
            added = added + share * (surface_impedance(frequency=frequency, resistivity=rho, rz=rz) - flat[rho])
    return skin, added


@solved_once
def _loss_error(line: LineResult) -> float:
    """Relative error (k = 2) of the loss. [-]"""
    parts = line.loss_parts(LOSS_AT)
    total = sum(parts.values())
    errors = {
        "conductor": U_COPPER,
        "roughness": cannonball_causal.card.u or 0.0,
        "dielectric": math.hypot(U_FIT, line.modes.u_filling),
    }
    if line.task.plating:
        bare = replace(line, task=replace(line.task, plating=())).loss_parts(LOSS_AT)
        parts["finish"], errors["finish"] = parts["conductor"] - bare["conductor"], U_FINISH
    return math.hypot(*(parts[name] / total * error for name, error in errors.items())) if total > 0 else 0.0
