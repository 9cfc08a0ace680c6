# SPDX-License-Identifier: MIT
"""A via: the barrel that the signal passes, and the open ends of the barrel on either side of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.constants import c

from pcbrules.networks.line import decayed_sinhc
from pcbrules.networks.two_port import TwoPort, network
from pcbrules.physics.vias.stub import open_line_admittance


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
    loss_tangent, impedance = np.asarray(loss_tangent), np.asarray(impedance)

    def end(length: float) -> NDArray[np.complex128]:
        stub = open_line_admittance(frequency=frequency, length=length, dk=dk, loss_tangent=loss_tangent,
                                    impedance=impedance)
        return np.asarray(stub + 2j * np.pi * np.asarray(frequency) * pad * (1 - 1j * loss_tangent))

    y1 = end(port1_end)
    y2 = y1 if port2_end == port1_end else end(port2_end)
    step = 2j * np.pi * np.asarray(frequency) * np.sqrt(dk) * through_length / c
    lossy = 1 - 1j * loss_tangent
    x = step * np.sqrt(lossy)
    g = decayed_sinhc(x)
    # chain matrix of the barrel between the two admittances, times exp(-x), in units of z_ref
    cosh, b, along = (1 + np.exp(-2 * x)) / 2, step * impedance * g / z_ref, step * lossy * g * z_ref / impedance
    y1, y2 = y1 * z_ref, y2 * z_ref
    a, d = cosh + b * y2, cosh + b * y1
    across = along + (y1 + y2) * cosh + y1 * y2 * b
    below = a + b + across + d
    return network(
        frequency,
        s11=(a + b - across - d) / below,
        s21=2 * np.exp(-x) / below,
        s22=(d + b - across - a) / below,
        z_ref=z_ref,
        name=name,
    )
