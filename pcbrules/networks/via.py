# SPDX-License-Identifier: MIT
"""A via: the barrel that the signal passes, and the open ends of the barrel on either side of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.constants import LIGHT
from pcbrules.networks.two_port import TwoPort, network


@dataclass(frozen=True, slots=True, eq=False)
class PassedBarrel:
    """What vias of one barrel have in common on a grid, whatever hangs at their ports; arrays of shape (n,).

    ``gamma`` is the propagation constant along it [1/m] and ``admittance`` its characteristic one [S], both with the
    loss of the laminate. Of the stretch that the signal passes, times its decay: ``cosh`` [-], ``series`` the sinh over
    the admittance [ohm], ``shunt`` the sinh times it [S]; ``decay`` [-] is that of a wave along the stretch.
    ``end`` is the admittance of an open line of ``end_length`` [m], as it hangs at a port without a stub [S].
    """

    frequency: NDArray[np.float64]
    gamma: NDArray[np.complex128]
    admittance: NDArray[np.complex128]
    cosh: NDArray[np.complex128]
    series: NDArray[np.complex128]
    shunt: NDArray[np.complex128]
    decay: NDArray[np.complex128]
    end_length: float
    end: NDArray[np.complex128]

    @classmethod
    def of(
        cls,
        frequency: NDArray[np.float64],
        *,
        through_length: float,
        end_length: float,
        impedance: ArrayLike,
        dk: ArrayLike,
        loss_tangent: ArrayLike,
    ) -> PassedBarrel:
        """The barrel from the inputs of ``via``."""
        root = np.sqrt(1 - 1j * np.asarray(loss_tangent))
        gamma = 2j * np.pi / LIGHT * np.asarray(frequency) * (np.sqrt(dk) * root)
        admittance = np.broadcast_to(root / impedance, gamma.shape)
        x = gamma * through_length
        less = np.expm1(-2 * x)
        sinh = less / -2
        return cls(frequency, gamma, admittance, 1 + less / 2, sinh / admittance, sinh * admittance, np.exp(-x),
                   end_length, np.tanh(gamma * end_length) * admittance)

    def open_line(self, length: float) -> NDArray[np.complex128]:
        """Admittance of an open line of the barrel of some length [m], shape (n,). [S]"""
        return self.end if length == self.end_length else np.tanh(self.gamma * length) * self.admittance

    def via(
        self,
        *,
        port1_end: float,
        port2_end: float,
        pad: float = 0.0,
        loss_tangent: ArrayLike = 0.0,
        times: float = 1.0,
        z_ref: float,
        name: str = "via",
    ) -> TwoPort:
        """Open line and pad at port 1, the stretch to port 2, open line and pad there.

        ``times`` is the impedance over that of the barrel [-]; the rest as in ``via``.
        """
        # chain matrix of the stretch between the two admittances, times its decay, in units of z_ref
        b, along, unit = self.series * (times / z_ref), self.shunt * (z_ref / times), z_ref / times
        pads = z_ref * pad * (2j * np.pi * np.asarray(self.frequency) * (1 - 1j * np.asarray(loss_tangent)))
        y1 = self.open_line(port1_end) * unit + pads
        y2 = y1 if port2_end == port1_end else self.open_line(port2_end) * unit + pads
        d = self.cosh + b * y1
        a = d if y2 is y1 else self.cosh + b * y2
        across = along + (y1 + y2) * self.cosh + y1 * y2 * b
        over = 1 / (a + b + across + d)
        return network(
            self.frequency,
            s11=(a + b - across - d) * over,
            s21=2 * self.decay * over,
            s22=None if y2 is y1 else (d + b - across - a) * over,
            z_ref=z_ref,
            name=name,
        )


def via(
    frequency: NDArray[np.float64],
    *,
    through_length: float,
    port1_end: float,
    port2_end: float,
    impedance: ArrayLike,
    dk: ArrayLike,
    loss_tangent: ArrayLike,
    pad: float = 0.0,
    z_ref: float,
    name: str = "via",
) -> TwoPort:
    """Open line and pad at port 1, barrel from port 1 to port 2, open line and pad at port 2; conductors without loss.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    through_length : float
        Barrel between the two layers on which the signal enters and leaves; zero if both are the same. [m]
    port1_end, port2_end : float
        Length of the open lines at port 1 and port 2, each a stub with its open-end extension. [m]
    impedance : complex or ndarray, broadcastable to shape (n,)
        Barrel impedance of the mode (of a pair: differential) without loss of the laminate. [ohm]
    dk : complex or ndarray, broadcastable to shape (n,)
        Relative permittivity that a wave along the barrel sees, without loss of the laminate; with an imaginary part,
        and the impedance in proportion to its root, where power leaves between the planes. [-]
    loss_tangent : float or ndarray, broadcastable to shape (n,)
        Loss tangent of the laminate. [-]
    pad : float
        Capacitance of the pad at each port, less than none where the barrel's own constants hold too much of it. [F]
    z_ref : float
        Reference impedance of both ports. [ohm]
    name : str
        Name of the element.
    """
    barrel = PassedBarrel.of(frequency, through_length=through_length, end_length=port1_end, impedance=impedance, dk=dk,
                       loss_tangent=loss_tangent)
    return barrel.via(port1_end=port1_end, port2_end=port2_end, pad=pad, loss_tangent=loss_tangent, z_ref=z_ref,
                      name=name)
