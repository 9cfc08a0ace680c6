# SPDX-License-Identifier: MIT
"""Impedance of a part from measured scattering parameters, and a branch of a rail that has such an impedance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.extrapolation import cubic
from pcbrules.networks.pdn import Branch

STEP = 1.05
"""Ratio of frequencies by which a search for maxima looks beyond the band: a step of its grid."""

Connected = Literal["one-port", "shunt", "series"]


@dataclass(frozen=True, slots=True)
class ImpedanceTable:
    """Impedance over rising frequencies as plain bytes: n doubles [Hz], n pairs of doubles [ohm]."""

    frequency: bytes
    impedance: bytes


def other_piece(
    table: ImpedanceTable, *, circuit: tuple[float, float, float], scale: tuple[float, float, float]
) -> ImpedanceTable:
    """Another piece of the same kind: capacitance, resistance and inductance changed by factors.

    Parameters
    ----------
    table : ImpedanceTable
        The piece that was measured.
    circuit : tuple of float
        Its capacitance [F], resistance [ohm] and inductance [H], as ``nearest_circuit`` gives them.
    scale : tuple of float
        Factors on capacitance, resistance and inductance. [-]

    Returns
    -------
    ImpedanceTable
        Resistance times its factor at every frequency; the reactance changes by that of the circuit.
    """
    frequency, z = np.frombuffer(table.frequency), np.frombuffer(table.impedance, dtype=complex)
    (capacitance, _, inductance), (more, loss, longer) = circuit, scale
    omega = 2 * np.pi * frequency
    change = omega * inductance * (longer - 1) - (1 / more - 1) / (omega * capacitance)
    return ImpedanceTable(table.frequency, np.ascontiguousarray(z.real * loss + 1j * (z.imag + change)).tobytes())


@dataclass(frozen=True, slots=True)
class MeasuredBranch(Branch):
    """A branch whose pieces have a measured impedance, with ``added`` inductance [H] of vias in series with each.

    Resistance, inductance and capacitance are those of the circuit that is nearest to it, for whoever needs one.
    """

    table: ImpedanceTable | None = None
    added: float = 0.0

    def impedance(self, frequency: Real) -> Complex:
        """Impedance of all pieces together at ``frequency`` [Hz], same shape. [ohm]

        Resistance and reactance times frequency go through the points of the table by cubic pieces over the logarithm
        of frequency; up to ``STEP`` beyond its ends they go on. Raises ValueError further out.
        """
        if self.table is None:
            raise ValueError("the branch has no table")
        at, z = np.frombuffer(self.table.frequency), np.frombuffer(self.table.impedance, dtype=complex)
        frequency = np.asarray(frequency, dtype=float)
        if frequency.size and not at[0] / STEP <= frequency.min() <= frequency.max() <= at[-1] * STEP:
            raise ValueError("beyond the frequencies of the table")
        smooth = (z.real + 1j * z.imag * at)[:, None, None]
        found = cubic(np.log(at), smooth, np.log(frequency).ravel()).reshape(frequency.shape)
        reactance = found.imag / frequency + 2 * np.pi * frequency * self.added
        return np.asarray((np.maximum(found.real, 0.0) + 1j * reactance) / self.count)

    def at(self, frequency: float) -> complex:
        """The same at one frequency [Hz]. [ohm]"""
        return self.impedance(np.array([frequency])).item()


def part_impedance(s: Complex, *, z_ref: Real, connected: Connected) -> Complex:
    """Impedance of a part from scattering parameters of the way in which it was connected.

    Parameters
    ----------
    s : ndarray of complex, shape (n, p, p)
        One port, or two. [-]
    z_ref : ndarray, shape (p,)
        Reference impedance of the ports. [ohm]
    connected : str
        ``one-port``: from the port to ground; ``shunt``: from the line between both ports to ground (shunt-through);
        ``series``: between the ports (series-through).

    Returns
    -------
    ndarray of complex, shape (n,)
        [ohm]

    Raises
    ------
    ValueError
        Another number of ports than that way has, or ports of different reference.
    """
    ports = 1 if connected == "one-port" else 2
    if s.shape[1:] != (ports, ports):
        raise ValueError(f"it has {s.shape[1]} ports, and a part connected as `{connected}` is measured with {ports}")
    reference = float(z_ref[0])
    if not np.allclose(z_ref, reference, rtol=1e-9):
        raise ValueError("its ports refer to different impedances")
    if connected == "one-port":
        return np.asarray(reference * (1 + s[:, 0, 0]) / (1 - s[:, 0, 0]))
    through = (s[:, 1, 0] + s[:, 0, 1]) / 2
    if connected == "shunt":
        return np.asarray(reference / 2 * through / (1 - through))
    return np.asarray(2 * reference * (1 - through) / through)


def nearest_circuit(frequency: Real, impedance: Complex) -> tuple[float, float, float]:
    """Capacitance [F] at the lowest frequency, least resistance [ohm], inductance [H] at the highest."""
    omega = 2 * np.pi * frequency
    capacitance = float(-1 / (omega[0] * impedance[0].imag)) if impedance[0].imag < 0 else float("inf")
    inductance = float((impedance[-1].imag + 1 / (omega[-1] * capacitance)) / omega[-1])
    return capacitance, float(impedance.real.min()), max(inductance, 0.0)
