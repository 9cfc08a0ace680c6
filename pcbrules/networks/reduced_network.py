# SPDX-License-Identifier: MIT
r"""A network of many branches as few states: the currents that it has at some frequencies span all others.

Inductances, resistances and capacitances are sums of squares of currents, and stay so in any span: what comes out is
passive, and at the frequencies of the samples exact. With coordinates :math:`y` of the span in which the inductance is
one,

.. math:: \dot y = -R\,y - F^T q - R_0\,i,\quad \dot q = F\,y + F_0\,i,\quad
    v = L_\infty \dot i + R_\infty i + R_0^T y + F_0^T q
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.power.pole_response import Poles

ALIKE = 1e-5
"""Part of a current, by its energy, below which it is no new one. [-]"""
UNSEEN = 1e-10
"""Part of the impedance below which the port does not see a mode. [-]"""


@dataclass(frozen=True, eq=False)
class ReducedNetwork:
    """One port with a few states.

    ``system`` [1/s] is the matrix of the states, ``drive`` what a current at the port puts into them, ``seen`` what the
    port sees of them; ``resistance`` [ohm] and ``inductance`` [H] are left at infinite frequency. ``output`` and
    ``through`` [-] give a current inside of the network from the states and from that of the port.
    """

    system: Real
    drive: Real
    seen: Real
    resistance: float
    inductance: float
    output: Real
    through: float

    def impedance(self) -> Poles:
        """Into the port."""
        return _poles(self.system, self.drive, self.seen, self.resistance, self.inductance)

    def share(self) -> Poles:
        """The current inside over that of the port, a ratio [-]; ``resistance`` is its value at infinite frequency."""
        return _poles(self.system, self.drive, self.output, self.through, 0.0)

    def behind(
        self, *, resistance: float, inductance: float, shunt_resistance: float, shunt_capacitance: float
    ) -> Poles:
        """Impedance at the far end of a series branch with a shunt across it.

        Parameters
        ----------
        resistance, inductance : float
            Of the series branch, the inductance above zero. [ohm], [H]
        shunt_resistance, shunt_capacitance : float
            Of the shunt. [ohm], [F]
        """
        size = len(self.system)
        coil, plate = self.inductance + inductance, shunt_capacitance
        system = np.zeros((size + 2, size + 2))
        system[:size, :size] = self.system
        system[:size, size] = self.drive
        system[size, :size] = -self.seen / coil
        system[size, size:] = -(self.resistance + resistance + shunt_resistance) / coil, 1 / coil
        system[size + 1, size] = -1 / plate
        drive, seen = np.zeros(size + 2), np.zeros(size + 2)
        drive[size:] = shunt_resistance / coil, 1 / plate
        seen[size:] = -shunt_resistance, 1.0
        return _poles(system, drive, seen, shunt_resistance, 0.0)


def reduced_network(*, coils: Real, losses: Real, charges: Real, output: Real) -> ReducedNetwork:
    """A network in the span of some of its currents.

    Parameters
    ----------
    coils, losses, charges : ndarray, shape (l, k), (r, k), (c, k)
        Each column is one distribution of currents for 1 A into the port; rows are its branches, each times the root of
        its inductance [H], resistance [ohm], and inverse capacitance [1/F]. The first column is that of direct current:
        it charges nothing.
    output : ndarray, shape (k,)
        The current inside that is asked for, in each column. [-]

    Returns
    -------
    ReducedNetwork
        Passive: all its matrices are sums of squares.
    """
    change = np.eye(coils.shape[1])[:, 1:]
    change[0] = -1.0  # from column to column nothing more flows into the port
    own = np.linalg.norm(coils, axis=0)
    scale = 1 / np.maximum(np.maximum(own[1:], own[0]), np.finfo(float).tiny)
    for _ in range(2):  # the second time for the rounding of the first
        # singular values, as squares would lose half of the digits; over the currents whose differences they are, as
        # the difference of two that are nearly the same is rounding
        _, size, vector = np.linalg.svd(coils @ change * scale, full_matrices=False)
        keep = size > ALIKE * size[0]
        change = change @ (scale[:, None] * vector[keep].T / size[keep])
        scale = np.ones(change.shape[1])
    direct = np.eye(coils.shape[1])[:, 0]
    port = direct - change @ ((coils @ change).T @ coils[:, 0])
    loss, charge = losses @ change, charges @ change
    own_loss, own_charge = losses @ port, charges @ port
    left, size, _ = np.linalg.svd(charge, full_matrices=False)
    left = left[:, size > np.finfo(float).eps * len(charge) * size.max(initial=0.0)]
    charge, own_charge = left.T @ charge, left.T @ own_charge
    states, plates = charge.shape[1], len(charge)
    system = np.zeros((states + plates, states + plates))
    system[:states, :states] = -loss.T @ loss
    system[:states, states:], system[states:, :states] = -charge.T, charge
    across = loss.T @ own_loss
    return ReducedNetwork(
        system=system,
        drive=np.concatenate([-across, own_charge]),
        seen=np.concatenate([across, own_charge]),
        resistance=float(own_loss @ own_loss),
        inductance=float((coils @ port) @ (coils @ port)),
        output=np.concatenate([output @ change, np.zeros(plates)]),
        through=float(output @ port),
    )


def _poles(system: Real, drive: Real, seen: Real, resistance: float, inductance: float) -> Poles:
    pole, vector = np.linalg.eig(system)
    residue = (seen @ vector) * np.linalg.solve(vector, drive.astype(complex))
    size = np.abs(residue / pole)
    keep = size > UNSEEN * size.max(initial=0.0)
    return Poles(np.asarray(pole[keep], dtype=complex), residue[keep], resistance, inductance)
