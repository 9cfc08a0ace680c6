# SPDX-License-Identifier: MIT
"""The power ladder of a rail as scikit-rf networks: capacitor banks across it, planes along it.

The reference impedance is 10 mohm, so that 0.1 mohm to 1 ohm keep 12 digits and 10 uohm 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.cascade import cascade
from pcbrules.networks.lumped import series, shunt
from pcbrules.networks.two_port import TwoPort

REFERENCE = 10e-3
"""Reference impedance of both ports of a power network [ohm]."""


@dataclass(frozen=True, slots=True)
class Branch:
    """``count`` equal series R-L-C branches in parallel, across the rail (``shunt``) or along it.

    Resistance [ohm], inductance [H] and capacitance [F] are those of one piece; a branch without a capacitor has an
    infinite capacitance.
    """

    resistance: float
    inductance: float
    capacitance: float = float("inf")
    count: int = 1
    shunt: bool = False

    def impedance(self, frequency: Real) -> Complex:
        """Impedance of all pieces together at ``frequency`` [Hz], above zero, same shape. [ohm]"""
        omega = 2 * np.pi * frequency
        reactance = omega * self.inductance - 1 / (omega * self.capacitance)
        return np.asarray((self.resistance + 1j * reactance) / self.count, dtype=complex)

    def at(self, frequency: float) -> complex:
        """The same at one frequency [Hz], without the cost of an array. [ohm]"""
        omega = 2 * np.pi * frequency
        reactance = omega * self.inductance - 1 / (omega * self.capacitance)
        return complex(self.resistance, reactance) / self.count


@dataclass(frozen=True, slots=True)
class DampedLoop(Branch):
    """A regulator whose voltage loop has a phase margin: beside its coil lies a resistance, up to some frequency.

    ``resistance`` is that of the whole to direct current. ``beside`` [ohm] and the coil are in series with it; above
    ``until`` [Hz] the loop has no say, so that a further coil is in series with ``beside``.
    """

    beside: float = float("inf")
    until: float = float("inf")

    def impedance(self, frequency: Real) -> Complex:
        """Impedance at ``frequency`` [Hz], above zero, same shape. [ohm]"""
        return np.asarray(1 / sum(1 / one.impedance(frequency) for one in self.parted()), dtype=complex)

    def at(self, frequency: float) -> complex:
        """The same at one frequency [Hz]. [ohm]"""
        return 1 / sum(1 / one.at(frequency) for one in self.parted())

    def parted(self) -> tuple[Branch, ...]:
        """The loop as a coil with its resistance, and what lies across the rail beside it, if anything does."""
        if self.beside == float("inf"):
            return (Branch(self.resistance, self.inductance),)
        whole = self.resistance + self.beside
        coil = Branch(self.resistance * whole / self.beside, self.inductance * (whole / self.beside) ** 2)
        return coil, Branch(whole, whole / (2 * np.pi * self.until), shunt=True)


@dataclass(frozen=True, slots=True)
class LimitedLoop(DampedLoop):
    """A regulator whose loop ends at its crossover: from there on its inductors alone, a bound over frequency.

    ``coils`` [H] are the inductors of all phases in parallel, ``crossover`` [Hz] is where they take over. A loop comes
    to that over a band in which its phase turns; no sum over poles belongs to this bound.
    """

    coils: float = 0.0
    crossover: float = float("inf")

    def impedance(self, frequency: Real) -> Complex:
        """Impedance at ``frequency`` [Hz], above zero, same shape. [ohm]"""
        alone = np.asarray(self.resistance + 2j * np.pi * frequency * self.coils, dtype=complex)
        return np.where(frequency < self.crossover, DampedLoop.impedance(self, frequency), alone)

    def at(self, frequency: float) -> complex:
        """The same at one frequency [Hz]. [ohm]"""
        if frequency < self.crossover:
            return DampedLoop.at(self, frequency)
        return complex(self.resistance, 2 * np.pi * frequency * self.coils)


def ladder_network(*, frequency: Real, ladder: Sequence[Branch]) -> TwoPort:
    """The steps between balls and regulator as one reciprocal two-port with reference ``REFERENCE``.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Rising frequencies above zero. [Hz]
    ladder : sequence of Branch
        At least one step, in order from the regulator to the balls.

    Returns
    -------
    TwoPort
        Port 1 at the balls, port 2 at the regulator.

    Raises
    ------
    ValueError
        If there is no step.
    """
    return cascade(
        [
            shunt(frequency, admittance=1 / branch.impedance(frequency), z_ref=REFERENCE)
            if branch.shunt
            else series(frequency, impedance=branch.impedance(frequency), z_ref=REFERENCE)
            for branch in reversed(ladder)
        ]
    )


def loaded_impedance(network: TwoPort, *, load: Complex) -> Complex:
    """Impedance into port 1 of a two-port with reference ``REFERENCE`` whose port 2 carries ``load``. [ohm]

    Parameters
    ----------
    network : TwoPort
        Such as ``ladder_network`` gives.
    load : ndarray of complex, shape (n,)
        At port 2, on the grid of the network: of the regulator, its ideal source a short. [ohm]

    Returns
    -------
    ndarray of complex, shape (n,)
        Into port 1. [ohm]
    """
    end = (load - REFERENCE) / (load + REFERENCE)
    s = network.s
    seen: Complex = s[:, 0, 0] + s[:, 0, 1] * end * s[:, 1, 0] / (1 - s[:, 1, 1] * end)
    return REFERENCE * (1 + seen) / (1 - seen)


def rail_impedance(*, frequency: Real, regulator: Branch, ladder: Sequence[Branch]) -> Complex:
    """The same impedance by a chain of complex numbers, for the search of peaks.

    A test holds it equal to ``loaded_impedance`` of ``ladder_network`` to 1e-12.

    Parameters
    ----------
    frequency : ndarray, shape (...)
        Frequencies. [Hz]
    regulator : Branch
        Output impedance of the closed loop.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls.

    Returns
    -------
    ndarray of complex, shape (...)
        Impedance into the balls. [ohm]
    """
    seen = regulator.impedance(frequency)
    for branch in ladder:
        own = branch.impedance(frequency)
        seen = seen * own / (seen + own) if branch.shunt else seen + own
    return seen


def impedance_at(frequency: float, *, regulator: Branch, ladder: Sequence[Branch]) -> complex:
    """``rail_impedance`` at one frequency [Hz]. [ohm]"""
    seen = regulator.at(frequency)
    for branch in ladder:
        own = branch.at(frequency)
        seen = seen * own / (seen + own) if branch.shunt else seen + own
    return seen


def branch_currents(*, frequency: float, regulator: Branch, ladder: Sequence[Branch]) -> tuple[complex, ...]:
    """Currents of a rail when 1 A flows into its balls.

    Parameters
    ----------
    frequency : float
        Frequency. [Hz]
    regulator : Branch
        Output impedance of the closed loop.
    ladder : sequence of Branch
        Steps in order from the regulator to the balls.

    Returns
    -------
    tuple of complex, length ``1 + len(ladder)``
        Of the regulator first, then of every step, all its pieces together. [A]
    """
    voltage = impedance_at(frequency, regulator=regulator, ladder=ladder)
    current, currents = 1 + 0j, []
    for branch in reversed(ladder):
        own = branch.at(frequency)
        if branch.shunt:
            currents.append(voltage / own)
            current -= voltage / own
        else:
            currents.append(current)
            voltage -= current * own
    return (current, *reversed(currents))
