# SPDX-License-Identifier: MIT
"""A package between die and balls: a line of skin-effect loss with a capacitance at either end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pcbrules.constants import NEPER
from pcbrules.networks.cascade import cascade_s
from pcbrules.networks.line import line
from pcbrules.networks.lumped import shunt
from pcbrules.networks.two_port import TwoPort, network


def package(
    frequency: NDArray[np.float64],
    *,
    impedance: float,
    delay: float,
    loss: float,
    at: float,
    first_capacitance: float = 0.0,
    last_capacitance: float = 0.0,
    z_ref: float,
    name: str = "package",
) -> TwoPort:
    r"""Differential two-port of a package.

    The circuit is that of IEEE 802.3 annex 93A (a capacitance of every leg at the die and at the balls, a line
    between); the loss of the line is that of skin effect alone, which is causal and passive at any frequency:

    .. math:: Z' \ell = j \omega Z_0 \tau + (1 + j)\, r \sqrt{f},\quad Y' \ell = j \omega \tau / Z_0

    With :math:`t` the nepers over the radians :math:`\omega_0 \tau` at the frequency of the loss, r follows exactly
    from :math:`r \sqrt{f_0} = \omega_0 Z_0 \tau\,(2 t^2 + 2 t \sqrt{1 + 2 t^2})`.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    impedance : float
        Differential impedance of the line without loss. [ohm]
    delay : float
        Delay of the line without loss, above zero. [s]
    loss : float
        Matched loss of the line at ``at``, not negative. [dB]
    at : float
        Frequency of the loss. [Hz]
    first_capacitance, last_capacitance : float
        Of every leg to ground, at port 1 and at port 2. [F]
    z_ref : float
        Differential reference impedance of both ports. [ohm]
    name : str
        Name of the element.

    Raises
    ------
    ValueError
        If a number is out of these bounds.
    """
    if not (impedance > 0 and delay > 0 and at > 0 and min(loss, first_capacitance, last_capacitance) >= 0):
        raise ValueError("a package has a positive impedance and delay, and nothing that is negative")
    omega = 2 * np.pi * np.asarray(frequency)
    turned = 2 * np.pi * at * delay
    t = NEPER * loss / turned
    skin = turned * impedance * (2 * t**2 + 2 * t * np.sqrt(1 + 2 * t**2)) * np.sqrt(np.asarray(frequency) / at)
    along = line(
        frequency,
        series=1j * omega * impedance * delay + (1 + 1j) * skin,
        shunt=1j * omega * delay / impedance,
        length=1.0,
        z_ref=z_ref,
    )
    # the capacitances of two legs lie in series between them
    first, last = (
        shunt(frequency, admittance=1j * omega * size / 2, z_ref=z_ref)
        for size in (first_capacitance, last_capacitance)
    )
    s = cascade_s([first.s, along.s, last.s])
    return network(frequency, s11=s[:, 0, 0], s21=s[:, 1, 0], s22=s[:, 1, 1], z_ref=z_ref, name=name)
